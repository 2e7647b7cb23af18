//! `ccaudit.dag/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::dag::{Class as Fork, Listed, Verdict};
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
    /// `sound`, `incomplete`, `skips`, `repaired`, `cycle` or `history-lost`.
    pub verdict: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct BranchV1 {
    /// The node with several children.
    pub at: String,
    pub class: &'static str,
    pub arms: u64,
}

/// The reports as data.
#[must_use]
pub fn dag(sessions: &[Listed], corpus: &Corpus, names: &Names) -> Dag {
    Dag { sessions: sessions.iter().map(|listed| session(listed, corpus, names)).collect() }
}

fn session(
    Listed { report, main, connected, differing_copies, spent }: &Listed,
    corpus: &Corpus,
    names: &Names,
) -> SessionV1 {
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
                arms: branch.arms.len() as u64,
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
