//! What a compaction says came before it.

use super::graph::Graph;
use crate::model::{Corpus, Kind, NodeId};

/// Where the conversation went on before a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stitch {
    /// `logicalParentUuid` names this node.
    Named(u32),
    /// It names none, but the last entry that the compaction kept is this node.
    Segment(u32),
    /// Neither is there: the node that stands before the boundary in its file. A guess.
    FileOrder(u32),
    /// Nothing stands before it.
    Nothing,
}

impl Stitch {
    #[must_use]
    pub const fn node(self) -> Option<u32> {
        match self {
            Self::Named(row) | Self::Segment(row) | Self::FileOrder(row) => Some(row),
            Self::Nothing => None,
        }
    }
}

/// The logical parent of one boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logical {
    /// The boundary.
    pub row: u32,
    /// `logicalParentUuid`.
    pub named: NodeId,
    pub stitch: Stitch,
}

impl Logical {
    /// It names an entry that is not there.
    #[must_use]
    pub const fn is_dangling(&self) -> bool {
        self.named.is_some() && !matches!(self.stitch, Stitch::Named(_))
    }
}

/// The logical parents of all boundaries, in order.
#[must_use]
pub fn logical_parents(corpus: &Corpus, graph: &Graph) -> Vec<Logical> {
    let mut found = Vec::new();
    for (row, node) in (0u32..).zip(&graph.nodes) {
        let rows = corpus.transcript(node.at.file);
        let entry = corpus.entry(node.at);
        let (Some(boundary), Some(side)) = (rows.boundary(entry), rows.side(entry)) else { continue };
        let kept = boundary.preserved.as_ref().and_then(|kept| kept.entries.last().copied());
        let tail = boundary.segment.map(|segment| segment.tail).or(kept);
        let before = row.checked_sub(1).filter(|&row| graph.node(row).at.file == node.at.file);
        let stitch = graph
            .find(side.target)
            .map(Stitch::Named)
            .or_else(|| tail.and_then(|tail| graph.find(tail)).map(Stitch::Segment))
            .or_else(|| before.map(Stitch::FileOrder))
            .unwrap_or(Stitch::Nothing);
        found.push(Logical { row, named: side.target, stitch });
    }
    found
}

/// The chain that ends in a node, top first, and what stands before each compaction on it as far as that is known, or can
/// be guessed.
/// Records of progress are left out.
#[must_use]
pub fn logical_chain(
    corpus: &Corpus,
    graph: &Graph,
    logical: &[Logical],
    leaf: u32,
    with_guesses: bool,
) -> Vec<u32> {
    let before = |row: u32| {
        let at = logical.binary_search_by_key(&row, |logical| logical.row).ok()?;
        match logical[at].stitch {
            Stitch::Named(row) | Stitch::Segment(row) => Some(row),
            Stitch::FileOrder(row) => Some(row).filter(|_| with_guesses),
            Stitch::Nothing => None,
        }
    };
    let mut seen = vec![false; graph.nodes.len()];
    let mut chain = Vec::new();
    let mut at = Some(leaf);
    while let Some(row) = at.filter(|&row| !seen[row as usize]) {
        seen[row as usize] = true;
        if graph.entry(corpus, row).kind != Kind::Progress {
            chain.push(row);
        }
        at = graph.node(row).parent.node().or_else(|| before(row));
    }
    chain.reverse();
    chain
}
