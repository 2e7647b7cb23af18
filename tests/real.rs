//! Real public sessions, masked, against totals counted by an independent script.
//!
//! `CCAUDIT_SHARED` names the folder with the reference material; without it the test says that it was skipped.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use ccaudit::analysis::dag::resume::{self, End, Reason};
use ccaudit::analysis::dag::{self, DagReport, Graph};
use ccaudit::load::{self, Options, Silent};
use ccaudit::model::{Corpus, EntryRef, Kind, Totals};
use serde_json::Value;

#[test]
fn totals_and_shapes_equal_the_script() {
    let Some(shared) = common::shared() else { return };
    let expected: Value =
        serde_json::from_slice(&std::fs::read(shared.join("real/expected.json")).unwrap()).unwrap();
    let corpus = load::corpus(&[shared.join("real/dot-claude")], &Options::with_threads(2), &Silent).unwrap();

    assert_eq!(corpus.responses.len() as u64, expected["responses"].as_u64().unwrap());
    let entries: u32 = corpus.responses.iter().map(|response| response.entries).sum();
    assert_eq!(u64::from(entries), expected["usage_entries"].as_u64().unwrap());
    let totals = corpus.responses.iter().fold(Totals::default(), |mut sum, response| {
        sum += &response.usage;
        sum
    });
    let total = &expected["usage_total"];
    let is = |key: &str, value: u128| assert_eq!(Some(value), total[key].as_u64().map(u128::from), "{key}");
    is("input", totals.input);
    is("output", totals.output);
    is("cache_read", totals.read);
    is("cache_creation", totals.written());
    is("cache_5m", totals.write_5m);
    is("cache_1h", totals.write_1h);

    for (id, session) in expected["sessions"].as_object().unwrap() {
        compare_session(&corpus, id, session);
    }
}

fn compare_session(corpus: &Corpus, id: &str, expected: &Value) {
    let row = corpus.sessions.iter().position(|session| session.id == id).unwrap();
    let session = &corpus.sessions[row];
    let graph = Graph::of(corpus, row);
    let report = dag::report(corpus, &graph, row);
    // The script looked at main transcripts alone.
    let is_main = |row: &&u32| **row < graph.main;
    let is = |key: &str, ours: usize| assert_eq!(Some(ours as u64), expected[key].as_u64(), "{id}: {key}");
    is("nodes", graph.main as usize);
    is("dangling", report.dangling.iter().filter(is_main).count());
    is("null_roots", report.null_roots.iter().filter(is_main).count());
    is_sound(corpus, &graph, row, &report);
    let rows = corpus.transcript(session.main.unwrap());
    assert_eq!(rows.entries.len() as u64, expected["entries"].as_u64().unwrap(), "{id}: entries");
    let compactions: Vec<Value> = rows
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::System)
        .filter_map(|entry| rows.boundary(entry))
        .map(|boundary| {
            let trigger = if boundary.manual == Some(true) { "manual" } else { "auto" };
            serde_json::json!({"trigger": trigger, "pre_tokens": boundary.pre_tokens})
        })
        .collect();
    assert_eq!(Value::Array(compactions), expected["compactions"], "{id}: compactions");
    let mut versions: Vec<&str> =
        rows.envelopes.iter().filter_map(|envelope| corpus.strings.get(envelope.version)).collect();
    versions.sort_unstable();
    versions.dedup();
    assert_eq!(serde_json::json!(versions), expected["versions"], "{id}: versions");
}

/// On a whole transcript the chain breaks only at a parent that is not there, and no call loses its result.
fn is_sound(corpus: &Corpus, graph: &Graph, row: usize, report: &DagReport) {
    let id = &corpus.sessions[row].id;
    let version = resume::newest_version(corpus, corpus.sessions[row].main.unwrap());
    let resume = resume::resume(corpus, graph, resume::choose(corpus.strings.text(version)));
    let top = report.active_leaf.map(|leaf| graph.root_of(leaf));
    let breaks = top.is_some_and(|top| report.dangling.contains(&top));
    assert_eq!(resume.end == End::Broken, breaks, "{id}");
    let unanswered = resume.dropped.iter().filter(|(_, reason)| *reason == Reason::Unanswered);
    let unanswered: Vec<EntryRef> = unanswered.map(|(at, _)| *at).collect();
    let calls = corpus.transcript(corpus.sessions[row].main.unwrap()).calls.iter();
    let open = calls.filter(|call| unanswered.iter().any(|at| at.row == call.entry));
    for call in open {
        assert!(report.unmatched.overall.contains(&call.id), "{id}: {}", corpus.strings.text(call.id));
    }
}
