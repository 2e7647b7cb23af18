//! Real public sessions, masked, against totals counted by an independent script.
//!
//! `CCAUDIT_SHARED` names the folder with the reference material; without it the test says that it was skipped.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use ccaudit::load::{self, Options, Silent};
use ccaudit::model::{Corpus, Kind, Totals};
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
    let session = corpus.sessions.iter().find(|session| session.id == id).unwrap();
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
