//! What parts of a session were billed.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::graph::Graph;
use super::report::Abandoned;
use crate::model::{Agent, Corpus, FileId, Response, Totals};
use crate::prices::Pricer;

/// Sums over responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spend {
    pub responses: u64,
    pub tokens: Totals,
    /// List price of those that have one, in pico-dollars.
    pub cost: u128,
    /// Responses of models without a price.
    pub unpriced: u64,
}

impl Spend {
    pub(super) fn add(&mut self, response: &Response, pricer: &Pricer<'_>) {
        self.responses += 1;
        self.tokens += &response.usage;
        match pricer.price(response) {
            Some(priced) => self.cost += priced.cost.total(),
            None => self.unpriced += 1,
        }
    }

    /// Adds all that a transcript owns.
    pub(super) fn add_file(&mut self, corpus: &Corpus, file: FileId, pricer: &Pricer<'_>) {
        owned(corpus, file).iter().for_each(|response| self.add(response, pricer));
    }
}

/// The responses that a transcript owns; they stand together in [`Corpus::responses`].
fn owned(corpus: &Corpus, file: FileId) -> &[Response] {
    let start = corpus.responses.partition_point(|response| response.owner < file);
    let rest = &corpus.responses[start..];
    &rest[..rest.partition_point(|response| response.owner == file)]
}

/// A response and its advisor calls, which follow it in [`Corpus::responses`].
pub(super) fn billed(corpus: &Corpus, row: usize) -> impl Iterator<Item = &Response> {
    let counted = corpus.responses[row].counted;
    let advisors = corpus.responses[row + 1..].iter();
    let advisors = advisors.take_while(move |next| next.flags.advisor && next.counted == counted);
    std::iter::once(&corpus.responses[row]).chain(advisors)
}

/// What was spent on abandoned arms: their own responses, and those of agents that they started. Responses that the
/// session only inherited were paid elsewhere.
pub(super) fn spent_on(corpus: &Corpus, graph: &Graph, abandoned: &Abandoned, pricer: &Pricer<'_>) -> Spend {
    let mut spend = Spend::default();
    let Some(first) = abandoned.arms.first() else { return spend };
    let session = corpus.session(graph.node(*first).at.file);
    let on_arm = below(graph, &abandoned.arms);
    let is_on = |at| graph.find(corpus.entry(at).node).is_some_and(|row| on_arm[row as usize]);
    if let Some(file) = session.and_then(|session| session.main) {
        owned(corpus, file)
            .iter()
            .filter(|response| is_on(response.counted))
            .for_each(|own| spend.add(own, pricer));
    }
    // Agents start agents: each is asked again as long as one more is found.
    let mut agents: Vec<&Agent> =
        session.iter().flat_map(|session| &session.agents).map(|&row| &corpus.agents[row]).collect();
    let mut started: HashSet<FileId, FixedState> = HashSet::default();
    loop {
        let is_started =
            |agent: &&Agent| agent.call.is_some_and(|at| started.contains(&at.file) || is_on(at));
        let (found, rest): (Vec<&Agent>, Vec<&Agent>) = agents.into_iter().partition(is_started);
        if found.is_empty() {
            return spend;
        }
        for agent in found {
            started.insert(agent.file);
            spend.add_file(corpus, agent.file, pricer);
        }
        agents = rest;
    }
}

/// Which nodes are one of these or hang below one.
fn below(graph: &Graph, tops: &[u32]) -> Vec<bool> {
    let mut marked = vec![false; graph.nodes.len()];
    for &top in tops {
        marked[top as usize] = true;
    }
    for &row in graph.top_down() {
        if graph.node(row).parent.node().is_some_and(|parent| marked[parent as usize]) {
            marked[row as usize] = true;
        }
    }
    marked
}
