//! What responses are grouped by.

use crate::analysis::dag::LaneKind;
use crate::model::{Corpus, FileKind, Flags, Response};
use crate::scope::Scope;

/// A dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    Hour,
    Day,
    Week,
    Month,
    Project,
    Session,
    Model,
    Agent,
    Lane,
    Version,
    Ttl,
}

impl By {
    /// True where the keys have an order in time.
    #[must_use]
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Hour | Self::Day | Self::Week | Self::Month)
    }

    /// Stable name for machine formats, and the heading of its column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Project => "project",
            Self::Session => "session",
            Self::Model => "model",
            Self::Agent => "agent",
            Self::Lane => "lane",
            Self::Version => "version",
            Self::Ttl => "ttl",
        }
    }
}

/// The value of a dimension. Unknown values sort last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub unknown: bool,
    /// Orders the keys: parts of a version or time are padded.
    order: String,
    pub by: By,
    /// What the tree says: a path, an id, a model; empty where unknown.
    pub text: String,
    /// A second name where there is one: the title of a session, the type of an agent.
    pub title: String,
    pub kind: KeyKind,
    pub lane: Option<LaneKind>,
}

/// What the text of a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyKind {
    /// A word of ours, a time, a model, a project.
    Other,
    Session,
    Agent,
}

impl Key {
    fn new(by: By, text: impl Into<String>) -> Self {
        let text = text.into();
        let order = if by == By::Version { padded(&text) } else { text.clone() };
        Self {
            unknown: text.is_empty(),
            order,
            by,
            text,
            title: String::new(),
            kind: KeyKind::Other,
            lane: None,
        }
    }
}

const MAIN: &str = "main";
const SIDECHAIN: &str = "sidechain in main";

/// The keys of a response in each dimension.
pub(super) fn keys(corpus: &Corpus, scope: &Scope, response: &Response, by: &[By]) -> Vec<Key> {
    by.iter().map(|&by| key(corpus, scope, response, by)).collect()
}

fn key(corpus: &Corpus, scope: &Scope, response: &Response, by: By) -> Key {
    let time = |format: &str| {
        let text = scope.civil(response.start).map(|time| time.strftime(format).to_string());
        Key::new(by, text.unwrap_or_default())
    };
    match by {
        By::Hour => time("%Y-%m-%d %H:00"),
        By::Day => time("%Y-%m-%d"),
        By::Week => time("%G-W%V"),
        By::Month => time("%Y-%m"),
        By::Model => Key::new(by, corpus.strings.text(response.model)),
        By::Version => Key::new(by, corpus.strings.text(response.version)),
        By::Ttl => Key::new(by, lifetime(response)),
        By::Project => {
            let project = corpus.session(response.owner).map(|session| corpus.project(session.store));
            Key::new(by, project.unwrap_or_default())
        }
        By::Session => corpus.session_of[response.owner.0 as usize]
            .map_or_else(|| Key::new(by, ""), |row| session(corpus, row)),
        By::Agent => agent(corpus, response),
        By::Lane => lane(corpus, response),
    }
}

/// The key of a session.
pub(super) fn session(corpus: &Corpus, row: usize) -> Key {
    let session = &corpus.sessions[row];
    let mut key = Key::new(By::Session, session.id.as_str());
    key.kind = KeyKind::Session;
    corpus.strings.text(session.title).clone_into(&mut key.title);
    // Two transcripts of one name in different stores are different sessions.
    key.order.push_str(&corpus.stores[session.store].slug);
    key
}

fn agent(corpus: &Corpus, response: &Response) -> Key {
    let Some(row) = corpus.agent_of[response.owner.0 as usize] else {
        return Key::new(By::Agent, if is_sidechain(corpus, response) { SIDECHAIN } else { MAIN });
    };
    let agent = &corpus.agents[row];
    let mut key = Key::new(By::Agent, agent.id.as_str());
    key.kind = KeyKind::Agent;
    key.title = agent.meta.as_ref().and_then(|meta| meta.agent_type.clone()).unwrap_or_default();
    key
}

/// A lane by the session or the agent that it belongs to; those of a session stand together, its main thread first. Agents
/// of old clients have no name, so all of a session are one.
fn lane(corpus: &Corpus, response: &Response) -> Key {
    let Some(row) = corpus.session_of[response.owner.0 as usize] else { return Key::new(By::Lane, "") };
    let above = session(corpus, row);
    let kind = LaneKind::of(corpus, response.owner, is_sidechain(corpus, response));
    let agent = corpus.agent_of[response.owner.0 as usize].map(|agent| corpus.agents[agent].id.as_str());
    let mut key = Key::new(By::Lane, agent.unwrap_or(&above.text));
    key.kind = if agent.is_some() { KeyKind::Agent } else { KeyKind::Session };
    key.lane = Some(kind);
    key.order = format!("{}\0{}{}", above.order, kind as u8, agent.unwrap_or_default());
    key
}

fn is_sidechain(corpus: &Corpus, response: &Response) -> bool {
    corpus.file(response.owner).kind == FileKind::Main
        && corpus.entry(response.counted).flags.has(Flags::SIDECHAIN)
}

/// Which lifetimes a response wrote with.
const fn lifetime(response: &Response) -> &'static str {
    let usage = &response.usage;
    match (usage.write_5m > 0, usage.write_1h > 0, usage.write_unsplit > 0) {
        (false, false, false) => "nothing written",
        (true, false, false) => "5m",
        (false, true, false) => "1h",
        (false, false, true) => "unsplit",
        _ => "mixed",
    }
}

/// A version with its numbers padded, so that 2.1.87 comes before 2.1.247.
fn padded(version: &str) -> String {
    version.split('.').map(|part| format!("{part:0>8}")).collect::<Vec<_>>().join(".")
}
