//! A session as a conversation: its turns in reading order, with branches, compactions and agents.

mod head;
mod strands;

use std::collections::HashMap;

use foldhash::fast::FixedState;

pub use head::{Head, head};
pub use strands::{Start, Strand, connected};

use super::graph::{Graph, number_of};
use super::record::{excerpt, record};
use super::report::DagReport;
use super::spend::{Spend, billed};
use crate::model::{Corpus, EntryRef, Flags, Kind, NO_ROW, Time};
use crate::prices::Pricer;
use crate::source::Source;

/// What a part begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Entries before the first prompt of a strand.
    Opening,
    /// A prompt of a person and all that follows until the next one.
    Turn,
    /// A boundary, the summary and what stands below it until the next prompt.
    Compaction,
}

/// A stretch of a strand that is told in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub kind: PartKind,
    /// Its place in the whole session, from 1.
    pub number: usize,
    /// Row in [`Outline::strands`].
    pub strand: usize,
    /// Its nodes in file order; never empty.
    pub rows: Vec<u32>,
    /// One of them is on the chain of the active leaf.
    pub active: bool,
}

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The client would go on from it.
    Active,
    /// It stands before a compaction that the client goes on from.
    Compacted,
    /// It stands below the entry that the client goes on from.
    Beyond,
    /// Another arm of a branch point went on.
    LeftBehind,
    /// Nothing connects it with what the client goes on from.
    Unconnected,
    /// It is the work of an agent.
    Agent,
}

/// A session in reading order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub strands: Vec<Strand>,
    /// The parts of a strand follow each other; a strand that hangs on a part comes right after it.
    pub parts: Vec<Part>,
    /// The part of each node of the main transcript, or [`NO_ROW`].
    part_of: Vec<u32>,
}

/// What happened in a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartFacts {
    /// Responses that first appear in it, inherited ones too.
    pub responses: u64,
    /// Those of them that another session owns.
    pub inherited: u64,
    pub calls: u64,
    /// What the session owns of its responses. Agents are told apart.
    pub spend: Spend,
    /// The prompt of its last response.
    pub prompt: Option<u128>,
    pub start: Option<i64>,
    /// From the earliest time to the latest, in milliseconds.
    pub took: u64,
    /// Agents that a call in it started.
    pub agents: Vec<AgentFacts>,
}

/// What an agent did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentFacts {
    /// Row in [`Corpus::agents`].
    pub agent: usize,
    pub spend: Spend,
}

/// The main transcript of a session in reading order.
#[must_use]
pub fn outline(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Outline {
    let (strands, of) = strands::strands(corpus, graph, report);
    let active = graph.mask(report.active_chain.iter().copied());
    let mut cut: Vec<Vec<Part>> = vec![Vec::new(); strands.len()];
    for row in 0..graph.main {
        let strand = of[row as usize] as usize;
        let entry = graph.entry(corpus, row);
        let kind = if report.boundaries.binary_search(&row).is_ok() {
            Some(PartKind::Compaction)
        } else {
            entry.flags.has(Flags::HUMAN).then_some(PartKind::Turn)
        };
        let parts = &mut cut[strand];
        match (kind, parts.last_mut()) {
            (None, Some(part)) => {
                part.rows.push(row);
                part.active |= active[row as usize];
            }
            (kind, _) => {
                let kind = kind.unwrap_or(PartKind::Opening);
                parts.push(Part { kind, number: 0, strand, rows: vec![row], active: active[row as usize] });
            }
        }
    }
    let mut parts = reading_order(&strands, cut);
    for (number, part) in (1..).zip(&mut parts) {
        part.number = number;
    }
    Outline::new(strands, parts, graph.main)
}

/// Each strand after the part that it hangs on. The depth of strands is as large as the tree makes it, so nothing
/// recurses.
fn reading_order(strands: &[Strand], mut cut: Vec<Vec<Part>>) -> Vec<Part> {
    let mut hanging: HashMap<u32, Vec<usize>, FixedState> = HashMap::default();
    for (row, strand) in strands.iter().enumerate() {
        if let Some(at) = strand.at {
            hanging.entry(at).or_default().push(row);
        }
    }
    let mut ordered = Vec::new();
    let tops: Vec<usize> = (0..strands.len()).filter(|&row| strands[row].at.is_none()).collect();
    for top in tops {
        let mut stack = vec![std::mem::take(&mut cut[top]).into_iter()];
        while let Some(parts) = stack.last_mut() {
            let Some(part) = parts.next() else {
                stack.pop();
                continue;
            };
            let mut below: Vec<usize> =
                part.rows.iter().filter_map(|row| hanging.get(row)).flatten().copied().collect();
            below.sort_unstable_by_key(|&row| std::cmp::Reverse(strands[row].first));
            ordered.push(part);
            stack.extend(below.into_iter().map(|row| std::mem::take(&mut cut[row]).into_iter()));
        }
    }
    ordered
}

impl Outline {
    fn new(strands: Vec<Strand>, parts: Vec<Part>, nodes: u32) -> Self {
        let mut part_of = vec![NO_ROW; nodes as usize];
        for (at, part) in (0u32..).zip(&parts) {
            for &row in &part.rows {
                part_of[row as usize] = at;
            }
        }
        Self { strands, parts, part_of }
    }

    /// What happened in each part.
    #[must_use]
    pub fn facts(
        &self,
        corpus: &Corpus,
        graph: &Graph,
        session: usize,
        pricer: &Pricer<'_>,
    ) -> Vec<PartFacts> {
        let mut facts = vec![PartFacts::default(); self.parts.len()];
        let mut seen = vec![false; corpus.responses.len()];
        for (part, facts) in self.parts.iter().zip(&mut facts) {
            for &row in &part.rows {
                let place = graph.node(row).at;
                let response = corpus.response_of(place);
                if let Some(response) = response.filter(|&row| !std::mem::replace(&mut seen[row], true)) {
                    facts.add(corpus, place, response, pricer);
                }
            }
            let times = || part.rows.iter().map(|&row| graph.entry(corpus, row).time);
            facts.start = times().fold(Time::NONE, Time::earlier).ms();
            let end = times().filter_map(Time::ms).max();
            facts.took = facts.start.zip(end).map_or(0, |(start, end)| end.abs_diff(start));
        }
        let session = &corpus.sessions[session];
        let part_at = |at: EntryRef| self.part_of(graph.find(corpus.entry(at).node)?);
        for &agent in &session.agents {
            if let Some(part) = corpus.agents[agent].call.and_then(part_at) {
                let mut spend = Spend::default();
                spend.add_file(corpus, corpus.agents[agent].file, pricer);
                facts[part].agents.push(AgentFacts { agent, spend });
            }
        }
        if let Some(file) = session.main {
            let calls = &corpus.transcript(file).calls;
            let parts = calls.iter().filter_map(|call| part_at(EntryRef { file, row: call.entry }));
            parts.for_each(|part| facts[part].calls += 1);
        }
        facts
    }

    /// What became of a part, by its place in [`Self::parts`].
    #[must_use]
    pub fn state(&self, at: usize) -> State {
        let part = &self.parts[at];
        let strand = &self.strands[part.strand];
        match strand.start {
            _ if part.active => State::Active,
            Start::Sidechain => State::Agent,
            _ if strand.connected && part.rows[0] < strand.last_active => State::Compacted,
            _ if strand.connected => State::Beyond,
            Start::Arm(_) => State::LeftBehind,
            _ => State::Unconnected,
        }
    }

    /// The place in [`Self::parts`] of a node of the main transcript.
    #[must_use]
    pub fn part_of(&self, row: u32) -> Option<usize> {
        self.part_of.get(row as usize).filter(|&&part| part != NO_ROW).map(|&part| part as usize)
    }

    /// One strand and the way to it: the parts of the strands above it up to where it hangs on them.
    #[must_use]
    pub fn only(&self, strand: usize) -> Self {
        let mut ends: HashMap<usize, u32, FixedState> = HashMap::default();
        let mut at = strand;
        ends.insert(at, u32::MAX);
        while let Some(node) = self.strands[at].at {
            let Some(part) = self.part_of(node) else { break };
            at = self.parts[part].strand;
            ends.insert(at, node);
        }
        let is_on_way = |part: &&Part| ends.get(&part.strand).is_some_and(|&end| part.rows[0] <= end);
        let parts = self.parts.iter().filter(is_on_way).cloned().collect();
        Self::new(self.strands.clone(), parts, number_of(self.part_of.len()))
    }
}

/// What a node says, shortened; nothing where its bytes can no longer be read.
#[must_use]
pub fn text(corpus: &Corpus, graph: &Graph, source: &dyn Source, row: u32) -> String {
    record(source, corpus, graph.node(row).at).map_or_else(String::new, |record| excerpt(&record))
}

impl Part {
    /// The node that tells what a part is about: its prompt or summary, else its first message.
    #[must_use]
    pub fn lead(&self, corpus: &Corpus, graph: &Graph) -> u32 {
        let is_message = |row: &&u32| {
            let entry = graph.entry(corpus, **row);
            matches!(entry.kind, Kind::User | Kind::Assistant) && entry.flags.has(Flags::TEXT)
        };
        self.rows.iter().find(is_message).copied().unwrap_or(self.rows[0])
    }
}

impl PartFacts {
    fn add(&mut self, corpus: &Corpus, place: EntryRef, response: usize, pricer: &Pricer<'_>) {
        self.responses += 1;
        self.prompt = Some(corpus.responses[response].usage.prompt());
        if corpus.responses[response].owner == place.file {
            billed(corpus, response).for_each(|response| self.spend.add(response, pricer));
        } else {
            self.inherited += 1;
        }
    }
}
