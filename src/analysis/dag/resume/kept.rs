//! What the last compaction kept word for word.

use super::super::graph::{Graph, number_of};
use super::Choice;
use crate::model::{Corpus, NodeId};

#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The last boundary.
    pub(super) boundary: Option<u32>,
    /// The entry that the kept ones follow, where it is there.
    pub(super) anchor: Option<u32>,
    pub(super) anchor_id: NodeId,
    /// In their order; nothing where this client does not put them back.
    pub(super) rows: Vec<u32>,
    /// These and what hangs on them, sorted.
    all: Vec<u32>,
}

impl Kept {
    pub(super) fn of(corpus: &Corpus, graph: &Graph, choice: Choice) -> Self {
        let Some(row) = (0..graph.main).rev().find(|&row| is_boundary(corpus, graph, row)) else {
            return Self::default();
        };
        // Clients between two seen ones that write down what they keep are taken to put it back.
        if choice.generation.repairs || choice.assumed {
            Self::at(corpus, graph, row)
        } else {
            Self { boundary: Some(row), ..Self::default() }
        }
    }

    /// What the compaction at a boundary kept.
    pub(super) fn at(corpus: &Corpus, graph: &Graph, row: u32) -> Self {
        let mut kept = Self { boundary: Some(row), ..Self::default() };
        let at = graph.node(row).at;
        let Some(boundary) = corpus.transcript(at.file).boundary(corpus.entry(at)) else { return kept };
        let find = |id: NodeId| graph.find(id).filter(|&row| row < graph.main);
        // The list is trusted before the ends: it still helps where an end is unknown.
        if let Some(list) = &boundary.preserved {
            kept.rows = list.entries.iter().filter_map(|&id| find(id)).collect();
            kept.anchor_id = list.anchor;
            kept.all = list.all.iter().filter_map(|&id| find(id)).collect();
        }
        if kept.rows.is_empty()
            && let Some(segment) = boundary.segment
            && let (Some(head), Some(tail)) = (find(segment.head), find(segment.tail))
        {
            kept.rows = stretch(graph, head, tail);
            kept.anchor_id = segment.anchor;
        }
        kept.anchor = find(kept.anchor_id);
        let mut seen = vec![false; graph.main as usize];
        kept.rows.retain(|&row| !std::mem::replace(&mut seen[row as usize], true));
        kept.all.extend_from_slice(&kept.rows);
        kept.all.sort_unstable();
        kept.all.dedup();
        kept
    }

    pub(super) fn holds(&self, row: u32) -> bool {
        self.all.binary_search(&row).is_ok()
    }

    /// It stands before the last compaction, which did not keep it.
    pub(super) fn is_compacted(&self, row: u32) -> bool {
        self.boundary.is_some_and(|boundary| row < boundary) && !self.holds(row)
    }
}

pub(super) fn is_boundary(corpus: &Corpus, graph: &Graph, row: u32) -> bool {
    let at = graph.node(row).at;
    corpus.transcript(at.file).boundary(corpus.entry(at)).is_some()
}

/// The entries from the head to the tail; none where the tail does not hang below the head.
fn stretch(graph: &Graph, head: u32, tail: u32) -> Vec<u32> {
    let mut rows = Vec::new();
    for row in graph.ancestors(tail).take_while(|&row| row < graph.main) {
        rows.push(row);
        if row == head {
            rows.reverse();
            return rows;
        }
        if rows.len() > number_of(graph.nodes.len()) as usize {
            break;
        }
    }
    Vec::new()
}
