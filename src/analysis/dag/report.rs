//! One session's graph in numbers.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::branches::{Boundaries, Branch, branches};
use super::copies;
use super::graph::{Graph, Parent, number_of};
use super::logical::{Logical, logical_chain, logical_parents};
use super::resume;
use super::show;
use super::spend::{self, Spend};
use crate::model::{Corpus, Entry, Flags, NodeId, Sym};
use crate::prices::{PriceTable, Pricer};
use crate::source::Source;

/// What is known about the graph of one session. Rows are those of [`Graph::nodes`].
#[derive(Clone, Debug)]
pub struct DagReport {
    /// Row in [`Corpus::sessions`].
    pub session: usize,
    pub entries: u64,
    pub nodes: u64,
    pub null_roots: Vec<u32>,
    pub leaves: Vec<u32>,
    pub components: u64,
    pub dangling: Vec<u32>,
    pub logical: Vec<Logical>,
    pub cycles: Vec<u32>,
    pub forward: Vec<u32>,
    pub copies: u64,
    /// The entry that the newest client of the session would go on from.
    pub active_leaf: Option<u32>,
    pub active_leaf_id: Option<NodeId>,
    /// From its top to the active leaf, links as written; records of progress are left out.
    pub active_chain: Vec<u32>,
    /// The same with what stood before compactions, as far as that is known or can be guessed.
    pub logical_chain: Vec<u32>,
    /// The top above the active leaf, where its parent is nowhere in the session.
    pub broken: Option<u32>,
    /// The newest client of the session puts another link in the place of that one.
    pub is_repaired: bool,
    pub branches: Vec<Branch>,
    pub abandoned: Abandoned,
    pub unmatched: Unmatched,
    pub boundaries: Vec<u32>,
    /// From the earliest time to the latest, in milliseconds.
    pub span: Option<i64>,
    /// Entries of the main transcript that are earlier than the one before them.
    pub backward_steps: u64,
    /// Nodes behind a compaction whose parent stands before it.
    pub jumps: Vec<u32>,
    /// One of them is on the active chain.
    pub skips: bool,
}

/// Arms that hang on the logical chain of the active leaf and are not part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abandoned {
    /// The first node of each.
    pub arms: Vec<u32>,
    pub nodes: u64,
}

/// Tool calls without a result, by their ids in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unmatched {
    /// In no transcript of the session.
    pub overall: Vec<Sym>,
    /// Calls on the active chain whose result is not on it.
    pub on_chain: Vec<Sym>,
    /// The results of those, where they stand beside it.
    pub off_chain_results: Vec<u32>,
}

/// What a report comes to, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every link leads somewhere.
    Sound,
    /// A parent is missing, but not above the entry that a client would go on from.
    Incomplete,
    /// An entry behind a compaction hangs on one before it, so that what lies between is skipped.
    Skips,
    /// A parent is missing above it, and the client goes on at the entry before in time.
    Repaired,
    /// A link leads in a circle.
    Cycle,
    /// A parent is missing above the entry that a client would go on from: what stood before it is lost.
    HistoryLost,
}

impl DagReport {
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.broken {
            Some(_) if self.is_repaired => Verdict::Repaired,
            Some(_) => Verdict::HistoryLost,
            None if !self.cycles.is_empty() => Verdict::Cycle,
            None if self.skips => Verdict::Skips,
            None if !self.dangling.is_empty() => Verdict::Incomplete,
            None => Verdict::Sound,
        }
    }
}

/// A session in the list of all.
#[derive(Clone, Debug)]
pub struct Listed {
    pub report: DagReport,
    /// Nodes of its main transcript.
    pub main: u64,
    /// Those of them that belong to the conversation of the active leaf: its chain, what stood before compactions, and
    /// all that hangs on these without being another branch.
    pub connected: u64,
    /// Copies that say something else than the first.
    pub differing_copies: u64,
    /// What its abandoned arms cost.
    pub spent: Spend,
    /// Ids of its nodes, by their rows.
    pub ids: Vec<NodeId>,
}

/// All sessions that have entries, worst first, then by id.
#[must_use]
pub fn list(corpus: &Corpus, source: &dyn Source, prices: &PriceTable) -> Vec<Listed> {
    let pricer = Pricer::new(corpus, prices);
    let one = |session| {
        let graph = Graph::of(corpus, session);
        let report = report(corpus, &graph, session);
        let spent = spend::spent_on(corpus, &graph, &report.abandoned, &pricer);
        let connected = show::connected(corpus, &graph, &report);
        let differing_copies = copies::differing(corpus, &graph, source).len() as u64;
        Listed { report, main: u64::from(graph.main), connected, differing_copies, spent, ids: graph.ids() }
    };
    let mut all: Vec<Listed> =
        (0..corpus.sessions.len()).map(one).filter(|listed| listed.report.entries > 0).collect();
    all.sort_by_cached_key(|Listed { report, main, connected, .. }| {
        let id = corpus.sessions[report.session].id.clone();
        let worst = (report.verdict(), main - connected, report.abandoned.nodes);
        (std::cmp::Reverse(worst), id, report.session)
    });
    all
}

/// Reports on one session, by its row in [`Corpus::sessions`].
#[must_use]
pub fn report(corpus: &Corpus, graph: &Graph, session: usize) -> DagReport {
    let (active_leaf, end) = active_leaf(corpus, graph, session).unzip();
    let broken = active_leaf.map(|leaf| graph.root_of(leaf));
    let broken = broken.filter(|&top| matches!(graph.node(top).parent, Parent::Missing(_)));
    let active_chain = active_leaf.map(|leaf| graph.chain(corpus, leaf)).unwrap_or_default();
    // Records of progress are links of a chain as well.
    let ancestors = || active_leaf.into_iter().flat_map(|leaf| graph.ancestors(leaf));
    let on_chain = graph.mask(ancestors());
    let logical = logical_parents(corpus, graph);
    let branches = branches(corpus, graph, &logical);
    // With what stood before compactions.
    let logical_chain =
        active_leaf.map(|leaf| logical_chain(corpus, graph, &logical, leaf, true)).unwrap_or_default();
    let connected = graph.mask(logical_chain.iter().copied().chain(ancestors()));
    let boundaries = Boundaries::of(corpus, graph);
    let jumps_over = |row: &u32| {
        let parent = graph.node(*row).parent.node();
        parent.is_some_and(|parent| boundaries.lie_between(graph, parent, *row))
    };
    let jumps: Vec<u32> = (0..number_of(graph.nodes.len())).filter(jumps_over).collect();
    let times = times(corpus, session);
    DagReport {
        session,
        entries: graph.nodes.len() as u64 + graph.outside + graph.copies.len() as u64,
        nodes: graph.nodes.len() as u64,
        null_roots: graph.null_roots().collect(),
        leaves: graph.leaves().collect(),
        components: graph.roots().count() as u64,
        dangling: graph.dangling().collect(),
        logical,
        cycles: graph.cycles.clone(),
        forward: graph.forward.clone(),
        copies: graph.copies.len() as u64,
        active_leaf,
        active_leaf_id: active_leaf.map(|row| graph.node(row).id),
        active_chain,
        broken,
        is_repaired: end.is_some_and(|end| end != resume::End::Broken),
        abandoned: abandoned(&branches, &connected),
        logical_chain,
        branches,
        unmatched: unmatched(corpus, graph, &on_chain),
        skips: jumps.iter().any(|&row| on_chain[row as usize]),
        jumps,
        boundaries: boundaries.0,
        span: times.iter().max().zip(times.iter().min()).map(|(last, first)| last.saturating_sub(*first)),
        backward_steps: times.windows(2).filter(|pair| pair[1] < pair[0]).count() as u64,
    }
}

/// The entry that the newest client of a session would go on from, and how its way up from there ends.
fn active_leaf(corpus: &Corpus, graph: &Graph, session: usize) -> Option<(u32, resume::End)> {
    let main = corpus.sessions[session].main?;
    let version = corpus.strings.text(resume::newest_version(corpus, main));
    let resume = resume::resume(corpus, graph, resume::choose(version));
    Some((graph.find(corpus.entry(resume.leaf?).node)?, resume.end))
}

/// The times of a main transcript in file order.
fn times(corpus: &Corpus, session: usize) -> Vec<i64> {
    let main = corpus.sessions[session].main.map(|file| corpus.transcript(file));
    main.into_iter().flat_map(|rows| &rows.entries).filter_map(|entry| entry.time.ms()).collect()
}

fn abandoned(branches: &[Branch], on_chain: &[bool]) -> Abandoned {
    let mut sum = Abandoned::default();
    for branch in branches.iter().filter(|branch| branch.class.is_real() && on_chain[branch.at as usize]) {
        for arm in branch.arms.iter().filter(|arm| arm.lead.is_some() && !on_chain[arm.row as usize]) {
            sum.arms.push(arm.row);
            sum.nodes += u64::from(arm.nodes);
        }
    }
    sum
}

/// Matches calls and results by id over all transcripts of the graph.
fn unmatched(corpus: &Corpus, graph: &Graph, on_chain: &[bool]) -> Unmatched {
    let mut found = Unmatched::default();
    let mut files: Vec<_> = graph.nodes.iter().map(|node| node.at.file).collect();
    files.dedup();
    let mut seen = HashSet::<_, FixedState>::default();
    files.retain(|file| seen.insert(*file));
    let is_on = |entry: &Entry| graph.find(entry.node).is_some_and(|row| on_chain[row as usize]);
    let mut everywhere: HashSet<Sym, FixedState> = HashSet::default();
    let mut in_chain: HashSet<Sym, FixedState> = HashSet::default();
    for &file in &files {
        let rows = corpus.transcript(file);
        for result in &rows.results {
            everywhere.insert(result.call);
            if is_on(&rows.entries[result.entry as usize]) {
                in_chain.insert(result.call);
            }
        }
    }
    let mut told: HashSet<Sym, FixedState> = HashSet::default();
    let mut beside: HashSet<Sym, FixedState> = HashSet::default();
    for &file in &files {
        let rows = corpus.transcript(file);
        for call in &rows.calls {
            let entry = &rows.entries[call.entry as usize];
            // Calls that the server answers itself have no result of this kind.
            if !entry.flags.has(Flags::CALL) || !told.insert(call.id) {
                continue;
            }
            if !everywhere.contains(&call.id) {
                found.overall.push(call.id);
            }
            if is_on(entry) && !in_chain.contains(&call.id) {
                found.on_chain.push(call.id);
                beside.insert(call.id);
            }
        }
    }
    for &file in &files {
        let rows = corpus.transcript(file);
        let results = rows.results.iter().filter(|result| beside.contains(&result.call));
        found
            .off_chain_results
            .extend(results.filter_map(|result| graph.find(rows.entries[result.entry as usize].node)));
    }
    found.off_chain_results.sort_unstable();
    found.off_chain_results.dedup();
    found
}
