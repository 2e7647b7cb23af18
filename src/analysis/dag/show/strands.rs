//! The branches of a conversation: which entries follow each other without a choice between them.

use super::super::branches::Class;
use super::super::graph::{Graph, Parent, number_of};
use super::super::logical::Stitch;
use super::super::report::DagReport;
use crate::model::{Corpus, Flags, NO_ROW};

/// What starts a strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The first entry of the transcript.
    First,
    /// An arm of a branch point, beside the one that goes on.
    Arm(Class),
    /// An entry without a parent that continues nothing.
    Root,
    /// An entry whose parent is nowhere.
    Lost,
    /// An entry whose link would close a circle.
    Circle,
    /// The work of an agent inside the main transcript.
    Sidechain,
}

/// Entries that follow each other up to the last of them; where the conversation forks, one arm goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strand {
    pub start: Start,
    /// Its first node.
    pub first: u32,
    /// The node of another strand that it hangs on.
    pub at: Option<u32>,
    /// How many strands it hangs below.
    pub depth: u32,
    /// A node of it is on the chain of the active leaf.
    pub active: bool,
    /// The last node of it on the way to the active leaf, compactions passed over; 0 for none.
    pub last_active: u32,
    /// What the active leaf goes on from runs through it, compactions passed over, or through one that hangs on it.
    pub connected: bool,
}

/// The strands of a main transcript, each after the one it hangs on, and the strand of each node.
pub(super) fn strands(corpus: &Corpus, graph: &Graph, report: &DagReport) -> (Vec<Strand>, Vec<u32>) {
    let arms = arms_beside(graph, report);
    let mut strands: Vec<Strand> = Vec::new();
    let mut of = vec![NO_ROW; graph.main as usize];
    // A boundary goes on where the conversation stood before it, so that must have its strand first: top-down alone
    // takes roots in file order, and what stands before a boundary is above it in the file.
    for &row in graph.top_down().iter().filter(|&&row| row < graph.main) {
        let (start, at) = match graph.node(row).parent {
            Parent::Node(parent) if parent < graph.main => match arms[row as usize] {
                Some(class) => (Start::Arm(class), Some(parent)),
                None => {
                    of[row as usize] = of[parent as usize];
                    continue;
                }
            },
            _ if graph.entry(corpus, row).flags.has(Flags::SIDECHAIN) => (Start::Sidechain, None),
            Parent::Null => match before(report, row).filter(|&before| is_talk(&strands, &of, before)) {
                Some(before) => match arms[row as usize] {
                    Some(class) => (Start::Arm(class), Some(before)),
                    None => {
                        of[row as usize] = of[before as usize];
                        continue;
                    }
                },
                None if strands.is_empty() => (Start::First, None),
                None => (Start::Root, None),
            },
            Parent::Cut(_) => (Start::Circle, None),
            Parent::Missing(_) | Parent::Node(_) => (Start::Lost, None),
        };
        of[row as usize] = number_of(strands.len());
        let depth = at.map_or(0, |at| strands[of[at as usize] as usize].depth + 1);
        strands.push(Strand {
            start,
            first: row,
            at,
            depth,
            active: false,
            last_active: 0,
            connected: false,
        });
    }
    for &row in report.active_chain.iter().filter(|&&row| row < graph.main) {
        strands[of[row as usize] as usize].active = true;
    }
    for &row in report.logical_chain.iter().filter(|&&row| row < graph.main) {
        let strand = &mut strands[of[row as usize] as usize];
        strand.connected = true;
        strand.last_active = strand.last_active.max(row);
    }
    // Strands come after those that they hang on.
    for row in (0..strands.len()).rev() {
        if let Some(at) = strands[row].at.filter(|_| strands[row].connected) {
            let above = &mut strands[of[at as usize] as usize];
            above.connected = true;
            above.last_active = above.last_active.max(at);
        }
    }
    (strands, of)
}

/// Nodes of the main transcript in the strands that the active leaf stands in or below.
#[must_use]
pub fn connected(corpus: &Corpus, graph: &Graph, report: &DagReport) -> u64 {
    let (strands, of) = strands(corpus, graph, report);
    of.iter().filter(|&&strand| strand != NO_ROW && strands[strand as usize].connected).count() as u64
}

/// The strand of a node is known, and no agent's.
fn is_talk(strands: &[Strand], of: &[u32], row: u32) -> bool {
    strands.get(of[row as usize] as usize).is_some_and(|strand| strand.start != Start::Sidechain)
}

/// The node before a boundary in the main transcript.
fn before(report: &DagReport, row: u32) -> Option<u32> {
    let at = report.logical.binary_search_by_key(&row, |logical| logical.row).ok()?;
    match report.logical[at].stitch {
        Stitch::Named(before) | Stitch::Segment(before) | Stitch::FileOrder(before) => Some(before),
        Stitch::Nothing => None,
    }
    .filter(|&before| before < row)
}

/// For each node the class of the branch point that it starts an arm of, if another arm is the one that goes on: that
/// of the active leaf, else the one that was written last.
fn arms_beside(graph: &Graph, report: &DagReport) -> Vec<Option<Class>> {
    let mut beside = vec![None; graph.nodes.len()];
    let active = graph.mask(report.logical_chain.iter().copied());
    for branch in report.branches.iter().filter(|branch| branch.class.is_real()) {
        let arms = branch.arms.iter().filter(|arm| arm.lead.is_some());
        let goes_on = arms.clone().max_by_key(|arm| (active[arm.row as usize], arm.last)).map(|arm| arm.row);
        for arm in arms.filter(|arm| Some(arm.row) != goes_on) {
            beside[arm.row as usize] = Some(branch.class);
        }
    }
    beside
}
