//! `ccaudit.dag/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::dag::{Class as Fork, Listed, Stitch, Verdict};
use crate::model::Corpus;
use crate::view::{Class, Names};

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
    /// Nodes of the main transcript.
    pub main_nodes: u64,
    /// Those of them that belong to the conversation of the active leaf, what stood before compactions included.
    pub connected: u64,
    pub active_leaf: Option<String>,
    pub dangling: u64,
    pub dangling_logical: u64,
    pub cycles: u64,
    pub forward_references: u64,
    pub copies: u64,
    pub differing_copies: u64,
    pub abandoned_branches: u64,
    pub abandoned_nodes: u64,
    /// Prompt and output tokens of the responses there and of the agents that they started.
    pub abandoned_tokens: u128,
    /// Their list price; of those that have one.
    pub abandoned_pico_usd: u128,
    /// Responses there without a price.
    pub abandoned_unpriced: u64,
    pub unmatched_calls: u64,
    pub boundaries: u64,
    pub jumps_over_boundary: u64,
    pub branch_points: Vec<BranchV1>,
    pub logical_parents: Vec<LogicalV1>,
    /// `sound`, `incomplete`, `skips`, `repaired`, `cycle` or `history-lost`.
    pub verdict: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct BranchV1 {
    /// The node with several children.
    pub at: String,
    pub class: &'static str,
    /// What makes it one of this class.
    pub evidence: &'static str,
    /// In the order of their first nodes.
    pub arms: Vec<ArmV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ArmV1 {
    pub first: String,
    /// The last of it in order, behind compactions too.
    pub last: String,
    pub nodes: u64,
    /// Nodes that belong to an answer.
    pub answer_nodes: u64,
    /// Its first message; `null` where it holds only records of the client.
    pub lead: Option<String>,
}

/// What stood before a compaction.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LogicalV1 {
    pub boundary: String,
    /// `logicalParentUuid`.
    pub named: Option<String>,
    /// It names an entry that is not there.
    pub dangling: bool,
    /// How the entry before was found: `named`, `segment` (the last entry that the compaction kept), `file-order` (a guess)
    /// or `nothing`.
    pub stitch: &'static str,
    pub before: Option<String>,
}

/// The reports as data.
#[must_use]
pub fn dag(sessions: &[Listed], corpus: &Corpus, names: &Names) -> Dag {
    Dag { sessions: sessions.iter().map(|listed| session(listed, corpus, names)).collect() }
}

fn session(
    Listed { report, main, connected, differing_copies, spent, ids }: &Listed,
    corpus: &Corpus,
    names: &Names,
) -> SessionV1 {
    let id = |row: u32| names.entry(&corpus.nodes, ids[row as usize]);
    SessionV1 {
        session: names.name(Class::Session, &corpus.sessions[report.session].id),
        entries: report.entries,
        nodes: report.nodes,
        null_roots: report.null_roots.len() as u64,
        leaves: report.leaves.len() as u64,
        components: report.components,
        reachable: report.active_chain.len() as u64,
        main_nodes: *main,
        connected: *connected,
        active_leaf: report.active_leaf_id.map(|id| names.entry(&corpus.nodes, id)),
        dangling: report.dangling.len() as u64,
        dangling_logical: report.logical.iter().filter(|logical| logical.is_dangling()).count() as u64,
        cycles: report.cycles.len() as u64,
        forward_references: report.forward.len() as u64,
        copies: report.copies,
        differing_copies: *differing_copies,
        abandoned_branches: report.abandoned.arms.len() as u64,
        abandoned_nodes: report.abandoned.nodes,
        abandoned_tokens: spent.tokens.prompt() + spent.tokens.output,
        abandoned_pico_usd: spent.cost,
        abandoned_unpriced: spent.unpriced,
        unmatched_calls: report.unmatched.overall.len() as u64,
        boundaries: report.boundaries.len() as u64,
        jumps_over_boundary: report.jumps.len() as u64,
        branch_points: report
            .branches
            .iter()
            .map(|branch| BranchV1 {
                at: names.entry(&corpus.nodes, branch.id),
                class: class(branch.class),
                evidence: evidence(branch.class),
                arms: branch
                    .arms
                    .iter()
                    .map(|arm| ArmV1 {
                        first: id(arm.row),
                        last: id(arm.last),
                        nodes: u64::from(arm.nodes),
                        answer_nodes: u64::from(arm.answers),
                        lead: arm.lead.map(id),
                    })
                    .collect(),
            })
            .collect(),
        logical_parents: report
            .logical
            .iter()
            .map(|logical| LogicalV1 {
                boundary: id(logical.row),
                named: Some(logical.named)
                    .filter(|named| named.is_some())
                    .map(|named| names.entry(&corpus.nodes, named)),
                dangling: logical.is_dangling(),
                stitch: match logical.stitch {
                    Stitch::Named(_) => "named",
                    Stitch::Segment(_) => "segment",
                    Stitch::FileOrder(_) => "file-order",
                    Stitch::Nothing => "nothing",
                },
                before: logical.stitch.node().map(id),
            })
            .collect(),
        verdict: match report.verdict() {
            Verdict::Sound => "sound",
            Verdict::Incomplete => "incomplete",
            Verdict::Skips => "skips",
            Verdict::Repaired => "repaired",
            Verdict::Cycle => "cycle",
            Verdict::HistoryLost => "history-lost",
        },
    }
}

/// What makes a branch point one of a class.
const fn evidence(class: Fork) -> &'static str {
    match class {
        Fork::ParallelCalls => "all arms are parts of one answer or results of its calls",
        Fork::Progress => "all arms but one hold records of progress only",
        Fork::SideRecords => "all arms but one hold attachments and records of the client only",
        Fork::Sidechain => "all arms but one are the work of agents",
        Fork::Retry => "all arms begin with answers of their own",
        Fork::Rewind => "all arms begin with prompts, and each ends before the next begins",
        Fork::QueuedPrompt => "beside the results of a call stand prompts that nothing answers",
        Fork::TwoProcesses => "an arm begins before the one before it ends",
        Fork::Replay => "a compaction stands between the branch point and the beginning of an arm",
        Fork::Fork => "arms begin with different kinds of messages",
    }
}

pub(super) const fn class(class: Fork) -> &'static str {
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
