//! `ccaudit.dag/v1` and `ccaudit.dag-resume/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::dag::resume::{End, MadeUp, Resume};
use crate::analysis::dag::{Class as Fork, DagReport, Verdict};
use crate::model::{Corpus, EntryRef};
use crate::view::{Class, Names, dag as words};

/// The graph of every session in numbers, worst first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Dag {
    pub sessions: Vec<SessionV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionV1 {
    pub session: String,
    pub entries: u64,
    /// Entries with a uuid, copies folded.
    pub nodes: u64,
    pub null_roots: u64,
    pub leaves: u64,
    pub components: u64,
    /// Nodes on the chain of the active leaf.
    pub reachable: u64,
    pub active_leaf: Option<String>,
    pub dangling: u64,
    pub dangling_logical: u64,
    pub cycles: u64,
    pub forward_references: u64,
    pub copies: u64,
    pub differing_copies: u64,
    pub abandoned_branches: u64,
    pub abandoned_nodes: u64,
    pub unmatched_calls: u64,
    pub boundaries: u64,
    pub jumps_over_boundary: u64,
    pub branches: Vec<BranchV1>,
    /// `sound`, `incomplete`, `cycle` or `history-lost`.
    pub verdict: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct BranchV1 {
    /// The node with several children.
    pub at: String,
    pub class: &'static str,
    pub arms: u64,
}

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
}

/// The reports as data.
#[must_use]
pub fn dag(reports: &[DagReport], corpus: &Corpus, names: &Names) -> Dag {
    Dag { sessions: reports.iter().map(|report| session(report, corpus, names)).collect() }
}

fn session(report: &DagReport, corpus: &Corpus, names: &Names) -> SessionV1 {
    SessionV1 {
        session: names.name(Class::Session, &corpus.sessions[report.session].id),
        entries: report.entries,
        nodes: report.nodes,
        null_roots: report.null_roots.len() as u64,
        leaves: report.leaves.len() as u64,
        components: report.components,
        reachable: report.active_chain.len() as u64,
        active_leaf: report.active_leaf_id.map(|id| corpus.nodes.text(id)),
        dangling: report.dangling.len() as u64,
        dangling_logical: report.logical.iter().filter(|logical| logical.is_dangling()).count() as u64,
        cycles: report.cycles.len() as u64,
        forward_references: report.forward.len() as u64,
        copies: report.copies,
        differing_copies: report.differing_copies,
        abandoned_branches: report.abandoned.branches,
        abandoned_nodes: report.abandoned.nodes,
        unmatched_calls: report.unmatched.overall.len() as u64,
        boundaries: report.boundaries.len() as u64,
        jumps_over_boundary: report.jumps.len() as u64,
        branches: report
            .branches
            .iter()
            .map(|branch| BranchV1 {
                at: corpus.nodes.text(branch.id),
                class: class(branch.class),
                arms: branch.arms.len() as u64,
            })
            .collect(),
        verdict: match report.verdict() {
            Verdict::Sound => "sound",
            Verdict::Incomplete => "incomplete",
            Verdict::Cycle => "cycle",
            Verdict::HistoryLost => "history-lost",
        },
    }
}

const fn class(class: Fork) -> &'static str {
    match class {
        Fork::ParallelCalls => "parallel-calls",
        Fork::Progress => "progress",
        Fork::SideRecords => "side-records",
        Fork::Sidechain => "sidechain",
        Fork::Retry => "retry",
        Fork::Rewind => "rewind",
        Fork::QueuedPrompt => "queued-prompt",
        Fork::TwoProcesses => "two-processes",
        Fork::Replay => "replay",
        Fork::Fork => "fork",
    }
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
    let uuid = |at: EntryRef| corpus.nodes.text(corpus.entry(at).node);
    let entry = |at: EntryRef, because: &'static str| {
        let entry = corpus.entry(at);
        EntryV1 { uuid: uuid(at), offset: entry.offset, len: entry.len, estimate: entry.estimate, because }
    };
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
            })
            .collect(),
    }
}
