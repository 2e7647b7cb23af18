//! Responses without the usual ids, and many entries of one response.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

use std::fmt::Write as _;
use std::fs;

use ccaudit::analysis::cache::{self, CacheOptions, CacheReport};
use ccaudit::load::{self, Options, Silent};
use ccaudit::model::Totals;
use ccaudit::prices::PriceTable;
use ccaudit::scope::Scope;
use jiff::tz::TimeZone;

/// The report on a tree with one transcript of these lines.
fn report(lines: &str) -> CacheReport {
    let tree = tempfile::tempdir().unwrap();
    let store = tree.path().join("projects/-home-dev-alpha");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("00000000-0000-4000-8000-000000000001.jsonl"), lines).unwrap();
    let corpus = load::corpus(&[tree.path().to_owned()], &Options::with_threads(1), &Silent).unwrap();
    let (scope, prices) = (Scope::all(TimeZone::UTC), PriceTable::builtin());
    cache::analyze(&corpus, &CacheOptions { scope: &scope, prices: &prices, by: &[] })
}

fn answer(ids: &str, uuid: usize, usage: &str) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"u{uuid}","message":{{{ids}"model":"claude-opus-4-6","stop_reason":"end_turn","usage":{{{usage}}}}}}}"#
    )
}

/// Without `message.id` and `requestId` an entry is a response by its uuid; it has its place in the line sums
/// and in the prefix law like any other.
#[test]
fn responses_without_ids_count_everywhere() {
    let first = r#""input_tokens":3,"output_tokens":20,"cache_read_input_tokens":100,"cache_creation_input_tokens":50"#;
    let second = r#""input_tokens":5,"output_tokens":30,"cache_read_input_tokens":150,"cache_creation_input_tokens":0"#;
    let report = report(&format!("{}\n{}\n", answer("", 1, first), answer("", 2, second)));
    let sums = Totals { input: 8, output: 50, read: 250, write_unsplit: 50, ..Totals::default() };
    assert_eq!(report.totals.responses, 2);
    assert_eq!(report.totals.tokens, sums);
    assert_eq!(report.line_sums, sums);
    assert_eq!((report.totals.law.pairs, report.totals.law.exact, report.totals.law.expected), (1, 1, 150));
}

/// A gateway may give all its answers one id: then they are one response, however many there are.
#[test]
fn one_id_on_many_entries_is_one_response() {
    const ENTRIES: usize = 20_000;
    let mut lines = String::new();
    for uuid in 0..ENTRIES {
        let usage = format!(r#""input_tokens":3,"output_tokens":{uuid}"#);
        writeln!(lines, "{}", answer(r#""id":"msg_all","#, uuid, &usage)).unwrap();
    }
    let report = report(&lines);
    assert_eq!((report.totals.responses, report.totals.entries), (1, ENTRIES as u64));
    assert_eq!(report.totals.tokens.output, (ENTRIES - 1) as u128);
    assert_eq!(report.line_sums.input, 3 * ENTRIES as u128);
}
