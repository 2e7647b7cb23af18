//! Findings about the graph of a session: at most one of each rule, with a count and the first place.

mod calls;
mod links;
mod losses;
mod thinking;

use super::graph::Graph;
use super::report::{DagReport, report};
use crate::finding::Finding;
use crate::model::{Corpus, EntryRef, Location};
use crate::rule::{Confidence, Rule};
use crate::source::Source;

/// Findings about the graphs of all sessions. Only one graph is held at a time.
#[must_use]
pub fn findings(corpus: &Corpus, source: &dyn Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for session in 0..corpus.sessions.len() {
        // Without its main transcript everything that an agent names there is missing, which is one fact, not many.
        if corpus.sessions[session].main.is_some() {
            let graph = Graph::of(corpus, session);
            findings.extend(of_session(corpus, &graph, &report(corpus, &graph, session), source));
        }
    }
    findings
}

/// Findings about the graph of one session with a main transcript.
#[must_use]
pub fn of_session(corpus: &Corpus, graph: &Graph, report: &DagReport, source: &dyn Source) -> Vec<Finding> {
    let session = &corpus.sessions[report.session];
    let found = [
        links::dangling_parents(corpus, graph, report),
        links::dangling_logical_parents(corpus, graph, report),
        links::cycles(corpus, graph),
        links::conflicting_copies(corpus, graph, source),
        losses::lost_branches(corpus, graph, report),
        losses::jumps(corpus, graph, report),
        calls::unanswered_calls(corpus, session, report),
        thinking::thinking_only_orphans(corpus, graph),
        losses::lost_on_resume(corpus, graph, session),
        losses::version_dependent_leaf(corpus, graph),
        calls::agents_without_parent(corpus, session),
    ];
    found.into_iter().flatten().collect()
}

/// A finding at an entry, which was counted and not guessed.
fn at(rule: &'static Rule, corpus: &Corpus, place: EntryRef, message: String) -> Finding {
    let entry = corpus.entry(place);
    let path = corpus.file(place.file).path.as_str();
    rule.at(Location::bytes(path, entry.offset, u64::from(entry.len)), message)
        .confidence(Confidence::Certain)
}
