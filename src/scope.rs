//! Which responses a report is about.

use globset::{GlobBuilder, GlobMatcher};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::model::{Corpus, FileId, Response, Time};

/// What narrows a report, resolved from the command line.
#[derive(Clone, Debug)]
pub struct Scope {
    /// First millisecond that counts.
    pub since: Option<i64>,
    /// First millisecond that does not count any more.
    pub until: Option<i64>,
    pub projects: Patterns,
    pub sessions: Patterns,
    pub models: Patterns,
    /// Where days are cut.
    pub zone: TimeZone,
}

/// Whether a response is in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Yes,
    No,
    /// Left out only because a time range was asked for and it has no usable time.
    NoTime,
}

impl Scope {
    /// Everything, with days cut in `zone`.
    #[must_use]
    pub fn all(zone: TimeZone) -> Self {
        let (projects, sessions, models) = (Patterns::default(), Patterns::default(), Patterns::default());
        Self { since: None, until: None, projects, sessions, models, zone }
    }

    /// Whether a response counts.
    #[must_use]
    pub fn keeps(&self, corpus: &Corpus, response: &Response) -> Kept {
        self.keeps_in(corpus, response, response.owner)
    }

    /// The same where `file` shows the response, whoever owns it.
    #[must_use]
    pub fn keeps_in(&self, corpus: &Corpus, response: &Response, file: FileId) -> Kept {
        if !self.models.matches(corpus.strings.text(response.model)) {
            return Kept::No;
        }
        if let Some(session) = corpus.session(file) {
            let store = &corpus.stores[session.store];
            let project =
                self.projects.matches(corpus.project(session.store)) || self.projects.matches(&store.slug);
            if !project || !self.sessions.matches(&session.id) {
                return Kept::No;
            }
        }
        match response.start.ms() {
            _ if self.since.is_none() && self.until.is_none() => Kept::Yes,
            None => Kept::NoTime,
            Some(ms) if self.since.is_some_and(|since| ms < since) => Kept::No,
            Some(ms) if self.until.is_some_and(|until| ms >= until) => Kept::No,
            Some(_) => Kept::Yes,
        }
    }

    /// A time on the clock of the scope's zone.
    #[must_use]
    pub fn civil(&self, time: Time) -> Option<jiff::ZonedDateTime> {
        let timestamp = Timestamp::from_millisecond(time.ms()?).ok()?;
        Some(timestamp.to_zoned_datetime(self.zone.clone()))
    }
}

/// Patterns of one flag; none of them matches everything.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Vec<Pattern>);

#[derive(Clone, Debug)]
enum Pattern {
    /// Over the whole name.
    Glob(GlobMatcher),
    /// This name only.
    Whole(String),
    /// Any name that contains it.
    Part(String),
}

impl Patterns {
    /// A pattern with `*`, `?`, `[` or `{` is a glob over the whole name. A whole path, or a folder name as the client
    /// makes it from a path, matches that name; any other word matches every name that contains it.
    ///
    /// # Errors
    /// What is wrong with a glob.
    pub fn new(patterns: &[String]) -> Result<Self, globset::Error> {
        patterns.iter().map(|pattern| Pattern::new(pattern)).collect::<Result<_, _>>().map(Self)
    }

    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.matches(name))
    }
}

impl Pattern {
    fn new(pattern: &str) -> Result<Self, globset::Error> {
        Ok(if is_glob(pattern) {
            // A backslash parts folders on Windows; who means a bracket writes [[].
            Self::Glob(GlobBuilder::new(pattern).backslash_escape(false).build()?.compile_matcher())
        } else if is_whole(pattern) {
            let name = pattern.trim_end_matches(['/', '\\']);
            Self::Whole(if name.is_empty() { pattern } else { name }.to_owned())
        } else {
            Self::Part(pattern.to_owned())
        })
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Glob(glob) => glob.is_match(name),
            Self::Whole(whole) => whole == name,
            Self::Part(part) => name.contains(part.as_str()),
        }
    }
}

/// Whether a pattern is more than the characters in it.
#[must_use]
pub fn is_glob(pattern: &str) -> bool {
    pattern.contains(['*', '?', '[', '{'])
}

/// A path from the root, from home or from a drive, or a folder name made from one.
fn is_whole(word: &str) -> bool {
    let drive = matches!(word.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    drive || word.starts_with(['/', '~', '-']) || word.starts_with("\\\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_paths_and_globs() {
        let matches = |pattern: &str, name: &str| Patterns::new(&[pattern.to_owned()]).unwrap().matches(name);
        for (pattern, name, wanted) in [
            ("shop", "/Users/dev/shop-web", true),
            ("a}b", "/x/a}b/c", true),
            ("Users\\dev", "C:\\Users\\dev\\shop", true),
            ("C:\\Users", "C:\\Users", true),
            ("C:\\Users", "C:\\Users\\dev", false),
            ("C:\\Users\\*", "C:\\Users\\dev", true),
            ("/Users/dev/shop", "/Users/dev/shop", true),
            ("/Users/dev/shop/", "/Users/dev/shop", true),
            ("/Users/dev/shop", "/Users/dev/shop-web", false),
            ("/Users/dev/shop*", "/Users/dev/shop-web", true),
            ("-Users-dev-shop", "-Users-dev-shop", true),
            ("-Users-dev-shop", "-Users-dev-shop-web", false),
            ("/", "/", true),
            ("/", "/x", false),
            ("", "/x", true),
        ] {
            assert_eq!(matches(pattern, name), wanted, "{pattern} on {name}");
        }
        assert!(Patterns::new(&["a[b".to_owned()]).is_err() && Patterns::default().matches("x"));
    }
}
