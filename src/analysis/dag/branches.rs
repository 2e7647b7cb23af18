//! Where the conversation forks, and what that fork is.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::graph::{Graph, Parent, number_of};
use super::logical::{Logical, Stitch};
use crate::model::{Corpus, EntryRef, Flags, Kind, NodeId, Sym};

/// What a branch point is. Only some of them mean that a part of the conversation was left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Parts of one answer and the results of its calls.
    ParallelCalls,
    /// Records of progress that old clients hung into the chain.
    Progress,
    /// Attachments and records of the client beside the conversation.
    SideRecords,
    /// The work of an agent inside the main transcript.
    Sidechain,
    /// The same prompt was answered more than once.
    Retry,
    /// A later prompt took the place of an earlier one.
    Rewind,
    /// A prompt that was typed while a tool ran, beside the result of that tool.
    QueuedPrompt,
    /// Two arms grew at the same time: two processes wrote into one transcript.
    TwoProcesses,
    /// An arm that was written after a compaction hangs on an entry before it.
    Replay,
    /// Any other.
    Fork,
}

impl Class {
    /// Something of the conversation is on one arm only.
    #[must_use]
    pub const fn is_real(self) -> bool {
        matches!(
            self,
            Self::Retry | Self::Rewind | Self::QueuedPrompt | Self::TwoProcesses | Self::Replay | Self::Fork
        )
    }
}

/// One way on from a branch point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Its first node.
    pub row: u32,
    /// Nodes on it.
    pub nodes: u32,
    /// Those of them that belong to an answer.
    pub answers: u32,
    /// Its last node in order.
    pub last: u32,
    /// Its first message; `None` where it holds only records of the client.
    pub lead: Option<u32>,
}

/// A node with several children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub at: u32,
    /// The id of that node.
    pub id: NodeId,
    pub class: Class,
    /// In order of their first nodes.
    pub arms: Vec<Arm>,
}

/// All branch points, in order. What a compaction says came before it is followed like a parent: where the conversation
/// went on at that place as well, the compaction and all behind it are one of the arms.
#[must_use]
pub fn branches(corpus: &Corpus, graph: &Graph, logical: &[Logical]) -> Vec<Branch> {
    let stitched = stitched(graph, logical);
    let arms = arms(corpus, graph, &stitched);
    let boundaries = Boundaries::of(corpus, graph);
    let mut after: HashMap<u32, Vec<u32>, FixedState> = HashMap::default();
    for &(boundary, before) in &stitched {
        after.entry(before).or_default().push(boundary);
    }
    let mut found = Vec::new();
    for at in 0..number_of(graph.nodes.len()) {
        let stitched = after.get(&at).map_or(&[][..], Vec::as_slice);
        let children = graph.children(at);
        if children.len() + stitched.len() > 1 {
            let mut arms: Vec<Arm> =
                children.iter().chain(stitched).map(|&child| arms[child as usize]).collect();
            arms.sort_by_key(|arm| arm.row);
            found.push(Branch {
                at,
                id: graph.node(at).id,
                class: classify(corpus, graph, &boundaries, at, &arms),
                arms,
            });
        }
    }
    found
}

/// Boundaries and the nodes before them, as far as these are known and stand before them on the way down.
fn stitched(graph: &Graph, logical: &[Logical]) -> Vec<(u32, u32)> {
    let mut place = vec![0; graph.nodes.len()];
    for (at, &row) in (0u32..).zip(graph.top_down()) {
        place[row as usize] = at;
    }
    let known = logical.iter().filter_map(|logical| match logical.stitch {
        Stitch::Named(before) | Stitch::Segment(before) => Some((logical.row, before)),
        Stitch::FileOrder(_) | Stitch::Nothing => None,
    });
    known
        .filter(|&(row, before)| {
            graph.node(row).parent == Parent::Null && place[before as usize] < place[row as usize]
        })
        .collect()
}

/// The arm that starts at each node.
fn arms(corpus: &Corpus, graph: &Graph, stitched: &[(u32, u32)]) -> Vec<Arm> {
    let before: HashMap<u32, u32, FixedState> = stitched.iter().copied().collect();
    let own = |row: u32| {
        let is_message = matches!(graph.entry(corpus, row).kind, Kind::User | Kind::Assistant);
        let is_answer = graph.entry(corpus, row).kind == Kind::Assistant;
        Arm { row, nodes: 1, answers: u32::from(is_answer), last: row, lead: is_message.then_some(row) }
    };
    let mut arms: Vec<Arm> = (0..number_of(graph.nodes.len())).map(own).collect();
    for &row in graph.top_down().iter().rev() {
        if let Some(parent) = graph.node(row).parent.node().or_else(|| before.get(&row).copied()) {
            let below = arms[row as usize];
            let above = &mut arms[parent as usize];
            above.nodes += below.nodes;
            above.answers += below.answers;
            above.last = above.last.max(below.last);
            // A message leads its own arm; a record is led on by the first message below it.
            if above.lead != Some(parent) {
                above.lead = above.lead.into_iter().chain(below.lead).min();
            }
        }
    }
    arms
}

fn classify(corpus: &Corpus, graph: &Graph, boundaries: &Boundaries, at: u32, arms: &[Arm]) -> Class {
    let entry = |row: u32| graph.entry(corpus, row);
    let talking: Vec<(Arm, u32)> = arms.iter().filter_map(|arm| Some((*arm, arm.lead?))).collect();
    if talking.len() < 2 {
        let progress = arms.iter().any(|arm| arm.lead.is_none() && entry(arm.row).kind == Kind::Progress);
        return if progress { Class::Progress } else { Class::SideRecords };
    }
    let answer = message(corpus, graph, at);
    let belongs = |lead: u32| {
        entry(lead).flags.has(Flags::RESULT) || (answer.is_some() && message(corpus, graph, lead) == answer)
    };
    if talking.iter().all(|(_, lead)| belongs(*lead)) {
        return Class::ParallelCalls;
    }
    let sidechains = talking.iter().filter(|(_, lead)| entry(*lead).flags.has(Flags::SIDECHAIN)).count();
    if sidechains > 0 && talking.len() - sidechains <= 1 {
        return Class::Sidechain;
    }
    let is_human = |lead: u32| entry(lead).flags.has(Flags::HUMAN);
    let queued = |(arm, lead): &(Arm, u32)| belongs(*lead) || (is_human(*lead) && arm.answers == 0);
    if entry(at).flags.has(Flags::CALL) && talking.iter().all(queued) {
        return Class::QueuedPrompt;
    }
    if talking.iter().any(|(arm, _)| boundaries.lie_between(graph, at, arm.row)) {
        return Class::Replay;
    }
    if talking.windows(2).any(|pair| pair[0].0.last > pair[1].0.row) {
        return Class::TwoProcesses;
    }
    if talking.iter().all(|(_, lead)| entry(*lead).kind == Kind::Assistant) {
        return Class::Retry;
    }
    if talking.iter().all(|(_, lead)| is_human(*lead)) {
        return Class::Rewind;
    }
    Class::Fork
}

fn message(corpus: &Corpus, graph: &Graph, row: u32) -> Sym {
    let at = graph.node(row).at;
    corpus.transcript(at.file).answer(corpus.entry(at)).map_or(Sym::NONE, |answer| answer.message)
}

/// Where the compactions stand.
pub(super) struct Boundaries(pub(super) Vec<u32>);

impl Boundaries {
    pub(super) fn of(corpus: &Corpus, graph: &Graph) -> Self {
        let nodes = (0u32..).zip(&graph.nodes);
        let is = |at: EntryRef| corpus.transcript(at.file).boundary(corpus.entry(at)).is_some();
        Self(nodes.filter(|(_, node)| is(node.at)).map(|(row, _)| row).collect())
    }

    /// A compaction stands after the first and before the second, in one file.
    pub(super) fn lie_between(&self, graph: &Graph, first: u32, second: u32) -> bool {
        if graph.node(first).at.file != graph.node(second).at.file {
            return false;
        }
        self.0.get(self.0.partition_point(|&row| row <= first)).is_some_and(|&row| row < second)
    }
}
