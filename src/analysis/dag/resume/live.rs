//! What a running client had sent, which a resume need not bring back.

use super::super::graph::{Graph, number_of};
use super::kept::{Kept, is_boundary};
use super::links::Links;
use super::{Choice, End, Generation, Why, chain, filter, siblings};
use crate::model::{Corpus, Flags};

/// The entries of a prompt.
pub(in crate::analysis::dag) struct Live {
    /// Nodes in the order of the chain; prompts that hang beside it last.
    pub(in crate::analysis::dag) rows: Vec<(u32, Why)>,
    /// How the way up ended; where it is broken, what stood before is not recorded.
    pub(in crate::analysis::dag) end: End,
}

/// What was sent when the conversation stood at a node, of that which was written before the node `limit`.
pub(in crate::analysis::dag) fn live(
    corpus: &Corpus,
    graph: &Graph,
    leaf: u32,
    limit: u32,
    choice: Choice,
) -> Live {
    let generation = Generation { repairs: false, ..*choice.generation };
    let is_sent = |row: u32| filter::by_itself(corpus, graph, row, &generation).is_none();
    if leaf >= graph.main {
        return agent(graph, leaf, limit, is_sent);
    }
    let boundary = graph.ancestors(leaf).find(|&row| row < graph.main && is_boundary(corpus, graph, row));
    let kept = boundary.map_or_else(Kept::default, |row| Kept::at(corpus, graph, row));
    let links = Links::of(graph, &kept);
    let chain = chain::walk(corpus, graph, &links, &kept, leaf, &generation);
    let mut rows = siblings::put_back(corpus, graph, &kept, &chain);
    rows.retain(|(row, _)| *row < limit);
    let mut is_held = vec![false; graph.main as usize];
    for (row, _) in &rows {
        is_held[*row as usize] = true;
    }
    // Typed while a tool ran, sent at once, and on no chain.
    let queued = filter::Queued::of(corpus, graph, &is_held);
    let beside = (0..limit.min(graph.main))
        .filter(|&row| queued.is_prompt(row) && !graph.entry(corpus, row).flags.has(Flags::SIDECHAIN));
    rows.extend(beside.map(|row| (row, Why::Sibling)));
    rows.retain(|(row, _)| is_sent(*row));
    Live { rows, end: chain.end }
}

/// Transcripts of agents do not fork: everything before counts.
fn agent(graph: &Graph, leaf: u32, limit: u32, is_sent: impl Fn(u32) -> bool) -> Live {
    let file = graph.node(leaf).at.file;
    let end = number_of(graph.nodes.len()).min(limit);
    let rows = (graph.main..end).filter(|&row| graph.node(row).at.file == file);
    Live { rows: rows.filter(|&row| is_sent(row)).map(|row| (row, Why::Chain)).collect(), end: End::Top }
}
