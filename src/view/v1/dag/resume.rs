//! `ccaudit.dag-resume/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::dag::resume::{End, MadeUp, Resume};
use crate::model::{Corpus, EntryRef};
use crate::view::{Class, Names, dag as words};

/// What a client would load of a session.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DagResume {
    pub session: String,
    /// The client version whose rules are used.
    pub client: &'static str,
    /// The version of the session itself was never seen.
    pub assumed: bool,
    /// `null` where the client finds no conversation.
    pub leaf: Option<String>,
    /// `top`, `boundary` or `broken`.
    pub end: &'static str,
    /// Of the entries sent, and of the whole transcript.
    pub sent_bytes: u64,
    pub transcript_bytes: u64,
    /// Tokens of the text of the entries sent, estimated.
    pub sent_estimate: u64,
    /// In the order in which they are sent.
    pub entries: Vec<EntryV1>,
    /// In file order.
    pub dropped: Vec<EntryV1>,
    pub made_up: Vec<MadeUpV1>,
    /// Client generations that would send other entries.
    pub differs: Vec<DiffersV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct EntryV1 {
    pub uuid: String,
    pub offset: u64,
    pub len: u32,
    /// Tokens of its text, estimated.
    pub estimate: u32,
    /// Why it is sent or left out.
    pub because: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MadeUpV1 {
    /// `result`, `continue` or `no-response`.
    pub what: &'static str,
    /// The entry that it follows.
    pub after: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DiffersV1 {
    pub client: &'static str,
    pub entries: u64,
    /// The version of the session was never seen and stands before this one, whose rules may hold for it already.
    pub is_next: bool,
    /// The entries in the order in which it would send them.
    pub sent: Vec<String>,
}

/// A resume as data.
#[must_use]
pub fn dag_resume(
    resume: &Resume,
    others: &[Resume],
    session: usize,
    corpus: &Corpus,
    names: &Names,
) -> DagResume {
    let uuid = |at: EntryRef| names.entry(&corpus.nodes, corpus.entry(at).node);
    let entry = |at: EntryRef, because: &'static str| {
        let entry = corpus.entry(at);
        EntryV1 { uuid: uuid(at), offset: entry.offset, len: entry.len, estimate: entry.estimate, because }
    };
    let sent = || resume.entries.iter().map(|(at, _)| corpus.entry(*at));
    DagResume {
        session: names.name(Class::Session, &corpus.sessions[session].id),
        client: resume.choice.generation.seen,
        assumed: resume.choice.assumed,
        leaf: resume.leaf.map(uuid),
        end: match resume.end {
            End::Top => "top",
            End::Boundary => "boundary",
            End::Broken => "broken",
        },
        sent_bytes: sent().map(|entry| u64::from(entry.len)).sum(),
        transcript_bytes: corpus.sessions[session].main.map_or(0, |file| corpus.transcript(file).bytes),
        sent_estimate: sent().map(|entry| u64::from(entry.estimate)).sum(),
        entries: resume.entries.iter().map(|(at, why)| entry(*at, words::because(*why))).collect(),
        dropped: resume.dropped.iter().map(|(at, reason)| entry(*at, words::left_out(*reason))).collect(),
        made_up: resume
            .synthesised
            .iter()
            .map(|made_up| MadeUpV1 {
                what: match made_up.what {
                    MadeUp::Result(_) => "result",
                    MadeUp::Continue => "continue",
                    MadeUp::NoResponse => "no-response",
                },
                after: uuid(made_up.after),
            })
            .collect(),
        differs: others
            .iter()
            .map(|other| DiffersV1 {
                client: other.choice.generation.seen,
                entries: other.entries.len() as u64,
                is_next: resume.choice.next == Some(other.choice.generation),
                sent: other.entries.iter().map(|(at, _)| uuid(*at)).collect(),
            })
            .collect(),
    }
}
