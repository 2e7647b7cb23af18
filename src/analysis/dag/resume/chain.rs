//! The walk up from the leaf, with the repairs that a client makes on the way.

use super::super::graph::Graph;
use super::kept::Kept;
use super::links::{Link, Links};
use super::{End, Generation};
use crate::model::{Corpus, Flags, Time};

pub(super) struct Chain {
    /// Top first.
    pub(super) rows: Vec<u32>,
    /// Entries that were reached by a replaced link.
    pub(super) repaired: Vec<u32>,
    pub(super) end: End,
}

pub(super) fn walk(
    corpus: &Corpus,
    graph: &Graph,
    links: &Links,
    kept: &Kept,
    leaf: u32,
    generation: &Generation,
) -> Chain {
    let mut chain = Chain { rows: Vec::new(), repaired: Vec::new(), end: End::Top };
    let mut seen = vec![false; graph.main as usize];
    let mut by_time = None;
    let mut at = Some(leaf);
    while let Some(row) = at {
        seen[row as usize] = true;
        chain.rows.push(row);
        if kept.boundary == Some(row) {
            chain.end = End::Boundary;
            break;
        }
        at = match links.get(row) {
            Link::Null => None,
            // Clients that repair links have put away what the last compaction did not keep.
            Link::To(parent)
                if !(seen[parent as usize] || generation.repairs && kept.is_compacted(parent)) =>
            {
                Some(parent)
            }
            _ if !generation.repairs => {
                chain.end = End::Broken;
                None
            }
            _ => {
                let by_time = by_time.get_or_insert_with(|| ByTime::of(corpus, graph, kept));
                let parent = by_time.before(graph.entry(corpus, row).time, &seen);
                chain.repaired.extend(parent);
                parent
            }
        };
    }
    chain.rows.reverse();
    chain
}

/// Entries of the main thread by time, of which those in the chain are passed over.
struct ByTime {
    sorted: Vec<(Time, u32)>,
    /// For each place a place at or before it that may still be taken, plus one; 0 for none.
    free: Vec<usize>,
}

impl ByTime {
    fn of(corpus: &Corpus, graph: &Graph, kept: &Kept) -> Self {
        let rows = (0..graph.main).filter(|&row| !kept.is_compacted(row)).filter_map(|row| {
            let entry = graph.entry(corpus, row);
            (!entry.flags.has(Flags::SIDECHAIN) && !entry.time.is_none()).then_some((entry.time, row))
        });
        let mut sorted: Vec<_> = rows.collect();
        sorted.sort_unstable();
        Self { free: (1..=sorted.len()).collect(), sorted }
    }

    /// The latest entry before a time that is not taken.
    fn before(&mut self, time: Time, taken: &[bool]) -> Option<u32> {
        let start = self.sorted.partition_point(|&(other, _)| other < time);
        let mut place = start;
        while let Some(at) = place.checked_sub(1) {
            if self.free[at] == place && !taken[self.sorted[at].1 as usize] {
                break;
            }
            place = if self.free[at] == place { at } else { self.free[at] };
        }
        // Whoever comes by again goes the whole way at once.
        let mut passed = start;
        while passed > place {
            let at = passed - 1;
            passed = if self.free[at] == passed { at } else { self.free[at] };
            self.free[at] = place;
        }
        place.checked_sub(1).map(|at| self.sorted[at].1)
    }
}
