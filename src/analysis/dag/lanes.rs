//! Lanes: the sequences of responses of a session that build on each other's prompts.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::graph::Graph;
use super::spend::{Spend, billed};
use crate::model::{Corpus, EntryRef, FileId, FileKind, Flags, NO_ROW, Time};
use crate::prices::Pricer;

/// What a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneKind {
    /// The main thread of the session.
    Main,
    /// An agent with a transcript of its own.
    Agent,
    /// An agent of an old client, inside the main transcript.
    Sidechain,
    /// A request of the client beside the conversation that starts on its prompt: that for a summary.
    SideRequest,
}

impl LaneKind {
    /// What an entry of a transcript belongs to.
    #[must_use]
    pub fn of(corpus: &Corpus, file: FileId, is_sidechain: bool) -> Self {
        match corpus.file(file).kind {
            FileKind::Main if is_sidechain => Self::Sidechain,
            FileKind::Main => Self::Main,
            FileKind::Acompact => Self::SideRequest,
            _ => Self::Agent,
        }
    }
}

/// One response in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Row in [`Corpus::responses`].
    pub response: usize,
    /// Its first entry on the chain.
    pub at: EntryRef,
    /// The nearest response above it, in whatever lane: its prompt goes on from that one.
    pub before: Option<usize>,
    /// Another session owns it.
    pub inherited: bool,
}

/// One lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub kind: LaneKind,
    pub file: FileId,
    /// Row in [`Corpus::agents`], for a lane with a transcript of its own.
    pub agent: Option<usize>,
    /// The entry with the tool call that started it.
    pub call: Option<EntryRef>,
    /// The entry of another lane that its first entry hangs on.
    pub hangs_on: Option<EntryRef>,
    /// In the order of the chain: what hangs on a response comes after it, arms of a branch in file order.
    pub steps: Vec<Step>,
}

/// The lanes of a session, by its row in [`Corpus::sessions`]: the main thread, then the others as they begin.
#[must_use]
pub fn lanes(corpus: &Corpus, graph: &Graph, session: usize) -> Vec<Lane> {
    let session = &corpus.sessions[session];
    let mut found = Lanes { corpus, graph, lanes: Vec::new(), rows: HashMap::default() };
    if let Some(file) = session.main {
        found.lane(file, NO_ROW, None);
    }
    let mut seen = vec![false; corpus.responses.len()];
    found.walk(&mut seen);
    let agents = session.agents.iter().map(|&row| corpus.agents[row].file);
    for file in session.main.into_iter().chain(agents) {
        found.outside(file, &mut seen);
    }
    found.lanes
}

struct Lanes<'a> {
    corpus: &'a Corpus,
    graph: &'a Graph,
    lanes: Vec<Lane>,
    /// By transcript and, for a sidechain in the main one, its top.
    rows: HashMap<(FileId, u32), usize, FixedState>,
}

/// What a node hands down to those that hang on it.
#[derive(Clone, Copy)]
struct Above {
    response: Option<usize>,
    /// The top of the sidechain in a main transcript, or [`NO_ROW`].
    side: u32,
    at: Option<EntryRef>,
}

impl Lanes<'_> {
    /// Goes down from every root; children in file order.
    fn walk(&mut self, seen: &mut [bool]) {
        let graph = self.graph;
        let mut stack: Vec<(u32, Above)> = Vec::new();
        for root in graph.roots() {
            stack.push((root, Above { response: None, side: NO_ROW, at: None }));
            while let Some((row, above)) = stack.pop() {
                let here = self.step(row, above, seen);
                stack.extend(graph.children(row).iter().rev().map(|&child| (child, here)));
            }
        }
    }

    /// Adds the response of a node to its lane, where this is its first entry on the way down.
    fn step(&mut self, row: u32, above: Above, seen: &mut [bool]) -> Above {
        let corpus = self.corpus;
        let at = self.graph.node(row).at;
        let entry = corpus.entry(at);
        let is_main = corpus.file(at.file).kind == FileKind::Main;
        let side = match (is_main && entry.flags.has(Flags::SIDECHAIN), above.side) {
            (false, _) => NO_ROW,
            (true, NO_ROW) => row,
            (true, side) => side,
        };
        let lane = self.lane(at.file, side, above.at);
        let response = corpus.response_of(at);
        if let Some(response) = response.filter(|&response| !std::mem::replace(&mut seen[response], true)) {
            let inherited = corpus.responses[response].owner != at.file;
            self.lanes[lane].steps.push(Step { response, at, before: above.response, inherited });
        }
        Above { response: response.or(above.response), side, at: Some(at) }
    }

    /// Adds what no node tells of: responses of entries without a `uuid`, or with one that another entry has.
    fn outside(&mut self, file: FileId, seen: &mut [bool]) {
        let corpus = self.corpus;
        let lane = self.lane(file, NO_ROW, None);
        for row in (0..).take(corpus.transcript(file).entries.len()) {
            let at = EntryRef { file, row };
            if let Some(response) =
                corpus.response_of(at).filter(|&row| !std::mem::replace(&mut seen[row], true))
            {
                let inherited = corpus.responses[response].owner != file;
                self.lanes[lane].steps.push(Step { response, at, before: None, inherited });
            }
        }
    }

    /// The row of a lane, which begins below `above` if it is new.
    fn lane(&mut self, file: FileId, side: u32, above: Option<EntryRef>) -> usize {
        let next = self.lanes.len();
        let row = *self.rows.entry((file, side)).or_insert(next);
        if row == next {
            self.lanes.push(self.begin(file, side, above));
        }
        row
    }

    fn begin(&self, file: FileId, side: u32, above: Option<EntryRef>) -> Lane {
        let corpus = self.corpus;
        let agent = corpus.agent_of[file.0 as usize];
        let call = agent.and_then(|agent| corpus.agents[agent].call);
        let kind = LaneKind::of(corpus, file, side != NO_ROW);
        Lane { kind, file, agent, call, hangs_on: above, steps: Vec::new() }
    }
}

impl Lane {
    /// What was billed in it: its responses that the session owns, with their advisor calls.
    #[must_use]
    pub fn spend(&self, corpus: &Corpus, pricer: &Pricer<'_>) -> Spend {
        let own = self.steps.iter().filter(|step| !step.inherited).map(|step| step.response);
        own.fold(Spend::default(), |mut spend, response| {
            billed(corpus, response).for_each(|response| spend.add(response, pricer));
            spend
        })
    }

    /// The earliest start and the latest end of its responses.
    #[must_use]
    pub fn span(&self, corpus: &Corpus) -> Option<(i64, i64)> {
        let all = || self.steps.iter().map(|step| &corpus.responses[step.response]);
        let start = all().map(|response| response.start).fold(Time::NONE, Time::earlier).ms()?;
        let end = all().filter_map(|response| response.end.ms()).max()?;
        Some((start, end))
    }
}
