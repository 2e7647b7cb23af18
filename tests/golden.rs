//! Known answers: the sample tree against totals that another program computed, and the figures of the article that the
//! formulas come from.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::fs;
use std::path::Path;

use ccaudit::analysis::cache::{self, By, CacheOptions, CacheReport, Group};
use ccaudit::analysis::fsck;
use ccaudit::model::{Corpus, Response, Totals, Usage};
use ccaudit::prices::{PriceTable, RequestKind, cost};
use ccaudit::render::units;
use ccaudit::scope::Scope;
use ccaudit::view::v1;
use common::{corpus, sample_tree};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

fn report(corpus: &Corpus, by: &[By]) -> CacheReport {
    let (scope, prices) = (Scope::all(TimeZone::UTC), PriceTable::builtin());
    cache::analyze(corpus, &CacheOptions { scope: &scope, prices: &prices, by })
}

fn expected() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/expected-totals.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn usage(totals: &Totals) -> Value {
    json!({
        "input": int(totals.input), "output": int(totals.output), "write_5m": int(totals.write_5m),
        "write_1h": int(totals.write_1h), "unsplit": int(totals.write_unsplit), "read": int(totals.read),
    })
}

fn int(n: u128) -> u64 {
    n.try_into().unwrap()
}

fn ratio(group: &Group, formula: &str) -> (u128, u128) {
    let found = v1::ratios(group).into_iter().find(|ratio| ratio.formula == formula).unwrap();
    (found.numerator, found.denominator)
}

/// In hundredths of a percent, cut off.
fn basis_points((num, den): (u128, u128)) -> u128 {
    num * 10_000 / den
}

#[test]
fn sample_totals_equal_the_independent_ones() {
    let corpus = corpus(&sample_tree());
    let expected = expected();
    let totals = report(&corpus, &[]).totals;
    assert_eq!(usage(&totals.tokens), expected["usage"]);
    assert_eq!(json!(totals.responses), expected["responses"]);

    let check = fsck::analyze(&corpus, 0);
    assert_eq!(json!(check.totals.files), expected["files"]);
    assert_eq!(json!(check.totals.entries), expected["entries"]);
    let assistant = check.types.iter().find(|count| count.name == "assistant").unwrap();
    assert_eq!(json!(assistant.entries), expected["assistant_entries"]);
    let issues: Vec<Value> = corpus
        .transcript_files()
        .flat_map(|file| corpus.transcript(file).issues.iter().map(move |issue| (file, issue)))
        .map(|(file, issue)| {
            let file = corpus.file(file);
            let bytes = fs::read(&file.disk).unwrap();
            let above = &bytes[..usize::try_from(issue.offset).unwrap()];
            let line = above.iter().filter(|byte| **byte == b'\n').count() + 1;
            json!({"file": file.path, "line": line})
        })
        .collect();
    assert_eq!(Value::from(issues), expected["issues"]);
}

#[test]
fn sample_sessions_equal_the_independent_ones() {
    let corpus = corpus(&sample_tree());
    let expected = expected();
    let groups = report(&corpus, &[By::Session]).groups;
    assert_eq!(groups.len(), expected["sessions"].as_object().unwrap().len());
    for group in groups {
        let mut figures = usage(&group.tokens);
        figures["responses"] = group.responses.into();
        let id = group.keys[0].text.as_str();
        assert_eq!(figures, expected["sessions"][id], "{id}");
    }
}

#[test]
fn sample_ratios_tell_the_story() {
    let totals = report(&corpus(&sample_tree()), &[]).totals;
    assert!((8_940..8_950).contains(&basis_points(ratio(&totals, "read-input"))));
    assert_eq!(basis_points(ratio(&totals, "prompt-share")) / 10, 776);
    assert_eq!(basis_points(ratio(&totals, "ttl-5m-share")) / 10, 994);
    let (num, den) = ratio(&totals, "input-output");
    assert_eq!(units::ratio(num, den).as_deref(), Some("171:1"));
    let named = |name: &str| expected()["ratios"][name].as_f64().unwrap();
    for formula in ["read-input", "prompt-share", "ttl-5m-share"] {
        let (num, den) = ratio(&totals, formula);
        assert!((num as f64 / den as f64 - named(formula)).abs() < 1e-4, "{formula}");
    }
}

fn of_session<'a>(corpus: &'a Corpus, start: &str) -> Vec<&'a Response> {
    let is_it = |response: &&Response| corpus.session(response.owner).unwrap().id.starts_with(start);
    let mut found: Vec<_> = corpus.responses.iter().filter(is_it).collect();
    found.sort_by_key(|response| (response.start, response.counted));
    found
}

/// A group of one response, as `cache` would report it.
fn group_of(usage: Usage) -> Group {
    let mut group = report(&Corpus::default(), &[]).totals;
    group.tokens = (&usage).into();
    group
}

#[test]
fn the_article_s_responses_are_there() {
    let corpus = corpus(&sample_tree());
    let first = of_session(&corpus, "5bfcff9c")[0].usage;
    assert_eq!((first.input, first.written(), first.read), (3, 77_373, 0));
    let found = of_session(&corpus, "8bf1ff88").into_iter().find(|response| response.usage.read == 65_612);
    let usage = found.unwrap().usage;
    assert_eq!((usage.input, usage.written(), usage.read, usage.output), (3, 9_072, 65_612, 452));

    assert_eq!(usage.prompt(), 74_687);
    let group = group_of(usage);
    // 99.995 % and 87.8 %
    let (num, den) = ratio(&group, "read-input");
    assert_eq!((num * 100_000 + den / 2) / den, 99_995);
    let (num, den) = ratio(&group, "prompt-share");
    assert_eq!((num * 1_000 + den / 2) / den, 878);
    assert_eq!(units::percent(num, den).as_deref(), Some("87.8 %"));
}

/// The article's totals: 1.49 billion read, 253 million written of which 1,457,101 for an hour, 176 million of input,
/// 11.2 million of output.
#[test]
fn formulas_on_the_article_s_totals() {
    let usage = Usage {
        input: 176_000_000,
        output: 11_200_000,
        write_5m: 253_000_000 - 1_457_101,
        write_1h: 1_457_101,
        write_unsplit: 0,
        read: 1_490_000_000,
        searches: 0,
    };
    let group = group_of(usage);
    let percent = |formula| {
        let (num, den) = ratio(&group, formula);
        units::percent(num, den).unwrap()
    };
    assert_eq!(percent("read-input"), "89.4 %");
    assert_eq!(percent("prompt-share"), "77.6 %");
    assert_eq!(percent("ttl-5m-share"), "99.4 %");
    let (num, den) = ratio(&group, "input-output");
    assert_eq!(units::ratio(num, den).as_deref(), Some("171:1"));

    // Sonnet: 5m 1.25, 1h 2.0, read 0.1 of the input price.
    let rates = PriceTable::builtin().rates("claude-sonnet-4-5", None, &RequestKind::default(), 0).unwrap();
    assert_eq!(
        (rates.write_5m * 4, rates.write_1h, rates.read * 10),
        (rates.input * 5, rates.input * 2, rates.input)
    );
    let cost = cost(&rates, &usage);
    let mut group = group;
    group.cost += &cost;
    group.uncached_prompt = usage.prompt() * u128::from(rates.input);
    let (num, den) = ratio(&group, "savings");
    assert_eq!(units::times(num, den).as_deref(), Some("2.99x"));
}

#[test]
fn fsck_counts_the_article_s_nine_types() {
    let counts = [
        ("assistant", 23),
        ("user", 16),
        ("last-prompt", 7),
        ("attachment", 6),
        ("file-history-snapshot", 6),
        ("mode", 5),
        ("permission-mode", 5),
        ("system", 5),
        ("cost-state", 2),
    ];
    let session = "a0000000-0000-4000-8000-000000000001";
    let mut lines = String::new();
    let mut bytes = Vec::new();
    for (at, (kind, count)) in counts.into_iter().enumerate() {
        let before = lines.len();
        for n in 0..count {
            let line = json!({
                "type": kind, "uuid": format!("{n:08x}-0000-4000-8000-{:012x}", at * 1000 + n),
                "sessionId": session, "timestamp": "2026-08-27T10:00:00.000Z", "version": "2.1.332", "n": "x".repeat(n),
            });
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
        bytes.push((kind, (lines.len() - before - count) as u64));
    }
    let tree = tempfile::tempdir().unwrap();
    let store = tree.path().join("projects/-home-dev-alpha");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join(format!("{session}.jsonl")), &lines).unwrap();
    let report = fsck::analyze(&corpus(tree.path()), 0);
    let found: Vec<_> = report.types.iter().map(|count| (count.name.as_str(), count.entries)).collect();
    assert_eq!(found, counts.map(|(kind, count)| (kind, count as u64)));
    let sizes: Vec<_> = report.types.iter().map(|count| (count.name.as_str(), count.bytes)).collect();
    assert_eq!(sizes, bytes);
    assert!(report.types.iter().all(|count| count.known));
    let totals = report.totals;
    assert_eq!((totals.entries, totals.blank_bytes, totals.issue_bytes), (75, 75, 0));
    assert_eq!(totals.entry_bytes + totals.blank_bytes, lines.len() as u64);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    assert!(report.drift.iter().all(|drift| drift.version == "2.1.332"));
}

/// The cases about lifetimes: writes by class, as their `expected.json` has them.
#[test]
fn writes_by_lifetime_in_the_cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut seen = 0;
    for name in common::folders(&cases).into_iter().filter(|name| name.starts_with('B')) {
        let case = cases.join(&name);
        let expected: Value =
            serde_json::from_str(&fs::read_to_string(case.join("expected.json")).unwrap()).unwrap();
        let wanted = &expected["expect"]["usage_total"];
        let tokens = report(&corpus(&case.join("dot-claude")), &[]).totals.tokens;
        let ours = [
            ("input", tokens.input),
            ("output", tokens.output),
            ("cache_read", tokens.read),
            ("cache_creation", tokens.written()),
            ("cache_5m", tokens.write_5m),
            ("cache_1h", tokens.write_1h),
            ("cache_unattributed", tokens.write_unsplit),
        ];
        for (key, value) in ours {
            if let Some(wanted) = wanted[key].as_u64() {
                assert_eq!(int(value), wanted, "{name}: {key}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 20, "only {seen} figures were compared");
}
