//! How names of a tree are printed: below home as `~/…`, under `--share` as pseudonyms, e-mail addresses and account numbers never.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::mask;
use crate::model::{NodeId, Nodes};

/// What kind of thing a name names; each kind has its own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Path,
    Store,
    Session,
    /// Id of a response.
    Response,
    Agent,
    /// A model; one with a public price has a public name, any other is somebody's own.
    Model,
    /// A type of entries that no client is known to write.
    Type,
    /// A client version; text that is no plain one may be anything.
    Version,
    /// Any other string of the tree: titles, tags, user-defined tool and server names.
    Other,
}

impl Class {
    const COUNT: usize = 9;

    fn prefix(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Store => "store",
            Self::Session => "session",
            Self::Response => "response",
            Self::Agent => "agent",
            Self::Model => "model",
            Self::Type => "type",
            Self::Version => "version",
            Self::Other => "name",
        }
    }
}

/// Printing rules for one run.
#[derive(Clone, Debug, Default)]
pub struct Names {
    home: Option<String>,
    share: bool,
    known: [Vec<String>; Class::COUNT],
    short: [usize; Class::COUNT],
    /// Characters of the id of an entry that are printed where a short one is asked for.
    entry: usize,
    /// Models that have a public name, and that name.
    public: BTreeMap<String, String>,
}

/// Characters of an identifier that are printed where a short one is asked for, if they tell all apart.
const SHORT: usize = 8;

impl Names {
    /// `known` are the real names of the whole tree, not those of one report: the numbers are ranks among them,
    /// so every report and every format numbers alike. Order and repetition do not matter.
    #[must_use]
    pub fn new(
        home: Option<String>,
        share: bool,
        known: impl IntoIterator<Item = (Class, Vec<String>)>,
    ) -> Self {
        let home = home.map(|home| home.trim_end_matches(['/', '\\']).to_owned());
        let mut names = Self { home: home.filter(|home| !home.is_empty()), share, ..Self::default() };
        for (class, list) in known {
            names.known[class as usize].extend(list);
        }
        for (list, short) in names.known.iter_mut().zip(&mut names.short) {
            list.sort_unstable();
            list.dedup();
            *short = list.windows(2).map(|pair| common(&pair[0], &pair[1]) + 1).fold(SHORT, usize::max);
        }
        names
    }

    /// The same for a report about these entries: as much of their ids is printed as tells them apart.
    #[must_use]
    pub fn with_entries(mut self, nodes: &Nodes, ids: &[NodeId]) -> Self {
        let mut texts: Vec<String> = ids.iter().map(|&id| nodes.text(id)).collect();
        texts.sort_unstable();
        let longest = texts.windows(2).map(|pair| common(&pair[0], &pair[1]) + 1).max();
        self.entry = longest.unwrap_or(SHORT).max(SHORT);
        self
    }

    /// The first characters of an entry's `uuid`.
    #[must_use]
    pub fn short_entry(&self, nodes: &Nodes, id: NodeId) -> String {
        let full = self.entry(nodes, id);
        if self.share { full } else { full.chars().take(self.entry.max(SHORT)).collect() }
    }

    /// The public name of each model that has one; a shared report shows no other name of a model, because the full
    /// one can hold the owner's accounts, regions and deployments.
    #[must_use]
    pub fn with_public(mut self, models: BTreeMap<String, String>) -> Self {
        self.public = models;
        self
    }

    /// Are pseudonyms printed?
    #[must_use]
    pub fn share(&self) -> bool {
        self.share
    }

    /// A name, or its pseudonym.
    #[must_use]
    pub fn name(&self, class: Class, name: &str) -> String {
        match class {
            Class::Path => self.path(name),
            Class::Model if self.share && self.public.contains_key(name) => self.public[name].clone(),
            Class::Version if is_plain_version(name) => name.to_owned(),
            // Everybody knows these unless they are listed.
            Class::Type if self.share => {
                self.pseudonym(class, name).unwrap_or_else(|| mask(name).into_owned())
            }
            _ if self.share => self.pseudonym(class, name).unwrap_or_else(|| unlisted(class)),
            _ => mask(name).into_owned(),
        }
    }

    /// The `uuid` of an entry; under share the number under which the whole tree knows it.
    #[must_use]
    pub fn entry(&self, nodes: &Nodes, id: NodeId) -> String {
        if self.share { format!("entry-{}", id.number()) } else { mask(&nodes.text(id)).into_owned() }
    }

    /// The first characters of an identifier, at least 8 and as many as tell all known ones of the class apart.
    #[must_use]
    pub fn short(&self, class: Class, name: &str) -> String {
        if self.share {
            return self.name(class, name);
        }
        let len = self.short[class as usize].max(SHORT);
        mask(name).chars().take(len).collect()
    }

    /// A path: `~/…` below home. Under share a path that is not known but lies below a known one shows only that.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        if !self.share {
            return mask(&self.tilde(path)).into_owned();
        }
        let mut part = path;
        while !part.is_empty() {
            if let Some(pseudonym) = self.pseudonym(Class::Path, part) {
                return if part.len() == path.len() { pseudonym } else { pseudonym + "/…" };
            }
            part = part.rfind(['/', '\\']).map_or("", |end| &part[..end]);
        }
        unlisted(Class::Path)
    }

    /// A sentence of our own into which names may have been written. Build sentences from [`Self::name`] and
    /// [`Self::path`] where you can; this catches what slipped through word by word, so a name with a space in
    /// it is caught only in part. Never for text of a message.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for piece in text.split_inclusive(is_gap) {
            let end = piece.trim_end_matches(is_gap).len();
            let word = piece[..end].trim_end_matches(['.', ':']);
            if self.share {
                out.push_str(&self.word(word))
            } else {
                out.push_str(&self.tilde(word))
            }
            out.push_str(&piece[word.len()..]);
        }
        mask(&out).into_owned()
    }

    /// One word of a sentence under share. Branches stay: `main` is also an ordinary word.
    fn word<'a>(&self, word: &'a str) -> Cow<'a, str> {
        if let Some(pseudonym) = self.long_name(word) {
            return Cow::Owned(pseudonym);
        }
        if looks_like_path(word) {
            return Cow::Owned(self.path(word));
        }
        if !word.contains('/') {
            return Cow::Borrowed(word);
        }
        // A place inside the tree, such as `projects/STORE/SESSION.jsonl`.
        let parts = word.split('/').map(|part| {
            let stem = part.find('.').map_or(part, |dot| &part[..dot]);
            self.long_name(stem).map_or(Cow::Borrowed(part), |name| Cow::Owned(name + &part[stem.len()..]))
        });
        Cow::Owned(parts.collect::<Vec<_>>().join("/"))
    }

    fn long_name(&self, name: &str) -> Option<String> {
        let classes = [Class::Session, Class::Agent, Class::Store, Class::Path];
        classes.into_iter().filter(|_| name.len() >= SHORT).find_map(|class| self.pseudonym(class, name))
    }

    /// `session-003` for the third known of 112; width by the number known, so that they align.
    fn pseudonym(&self, class: Class, name: &str) -> Option<String> {
        let known = &self.known[class as usize];
        let rank = known.binary_search_by(|probe| probe.as_str().cmp(name)).ok()? + 1;
        let digits = known.len().to_string().len();
        Some(format!("{}-{rank:0digits$}", class.prefix()))
    }

    fn tilde<'a>(&self, path: &'a str) -> Cow<'a, str> {
        if let Some(home) = &self.home
            && let Some(rest) = path.strip_prefix(home.as_str())
            && (rest.is_empty() || rest.starts_with(['/', '\\']))
        {
            return Cow::Owned(format!("~{rest}"));
        }
        Cow::Borrowed(path)
    }
}

/// A hash would tell apart the unknown, but who guesses a path can check the guess against a hash.
fn unlisted(class: Class) -> String {
    format!("{}-unlisted", class.prefix())
}

/// Numbers between dots, such as `2.1.332`.
fn is_plain_version(version: &str) -> bool {
    let is_number =
        |part: &str| (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    (2..=4).contains(&version.split('.').count()) && version.split('.').all(is_number)
}

/// Characters that two names share at their start.
fn common(left: &str, right: &str) -> usize {
    left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count()
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || "\"'`()[]{}<>,;=|".contains(c)
}

/// Absolute, below home, or on a Windows drive; `/compact` and `5m/1h` are not paths.
fn looks_like_path(word: &str) -> bool {
    let bytes = word.as_bytes();
    let drive = matches!(bytes, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    drive
        || word.starts_with("\\\\")
        || word.strip_prefix('/').is_some_and(|rest| rest.trim_end_matches('/').contains('/'))
        || word.starts_with("~/")
        || word.starts_with("~\\")
}
