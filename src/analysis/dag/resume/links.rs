//! Where each entry of the main transcript leads when a client reads that file alone.

use super::super::graph::{Graph, Parent};
use super::kept::Kept;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Null,
    /// To an entry that the file does not hold.
    Missing,
    To(u32),
}

impl Link {
    pub(super) const fn row(self) -> Option<u32> {
        match self {
            Self::To(row) => Some(row),
            _ => None,
        }
    }
}

/// One link per node of the main transcript.
pub(super) struct Links(pub(super) Vec<Link>);

impl Links {
    /// The links as written, then those that the last compaction changes: what it kept follows the anchor, and what
    /// followed the anchor follows the last entry kept.
    pub(super) fn of(graph: &Graph, kept: &Kept) -> Self {
        let mut links: Vec<Link> =
            graph.nodes[..graph.main as usize].iter().map(|node| Self::written(graph, node.parent)).collect();
        let Some(&tail) = kept.rows.last() else { return Self(links) };
        // By its id: the anchor itself may be gone.
        for (row, link) in (0u32..).zip(&mut links) {
            if kept.anchor_id.is_some() && graph.parent_id(row) == kept.anchor_id && !kept.holds(row) {
                *link = Link::To(tail);
            }
        }
        let mut above = kept.anchor.map_or(Link::Missing, Link::To);
        for &row in &kept.rows {
            links[row as usize] = above;
            above = Link::To(row);
        }
        Self(links)
    }

    fn written(graph: &Graph, parent: Parent) -> Link {
        match parent {
            Parent::Null => Link::Null,
            Parent::Node(row) | Parent::Cut(row) if row < graph.main => Link::To(row),
            _ => Link::Missing,
        }
    }

    pub(super) fn get(&self, row: u32) -> Link {
        self.0[row as usize]
    }
}
