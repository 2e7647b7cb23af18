//! SQL over the tables: every query that has a name runs, and SQL and `analysis::cache` come to the same sums.

#![cfg(feature = "tables")]
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that helpers are tests"
)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use ccaudit::analysis::cache::{self, By, CacheOptions, CacheReport};
use ccaudit::error::Error;
use ccaudit::load::{self, Options, Silent};
use ccaudit::model::Corpus;
use ccaudit::prices::PriceTable;
use ccaudit::scope::{Patterns, Scope};
use ccaudit::tables::schema::{TABLES, Type};
use ccaudit::tables::{self, BuildOptions, NAMED, QueryError, QueryResult, Tables, Value};
use jiff::tz::TimeZone;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A tree that holds nothing is an empty one here.
fn corpus(tree: &Path) -> Corpus {
    match load::corpus(&[tree.to_owned()], &Options::with_threads(2), &Silent) {
        Err(Error::NothingToRead(_)) => Corpus::default(),
        loaded => loaded.unwrap(),
    }
}

fn sample() -> Corpus {
    corpus(&root().join("sample-data/dot-claude"))
}

fn scope() -> Scope {
    Scope::all(TimeZone::UTC)
}

fn build(corpus: &Corpus, scope: &Scope) -> Tables {
    let prices = PriceTable::builtin();
    let options = BuildOptions { scope, prices: &prices, name: &|_, name| name.to_owned() };
    tables::build(corpus, &options).unwrap()
}

fn run(tables: &Tables, sql: &str) -> QueryResult {
    tables::run(tables, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn error(sql: &str) -> QueryError {
    tables::run(&build(&sample(), &scope()), sql).expect_err(sql)
}

fn integers(result: &QueryResult, column: &str) -> Vec<Option<i128>> {
    let value = |value: &Value| match value {
        Value::Integer(n) => Some(*n),
        Value::Null => None,
        other => panic!("{column}: {other:?} is no integer"),
    };
    result.column(column).unwrap_or_else(|| panic!("no column {column}")).map(value).collect()
}

#[test]
fn named_queries_give_the_columns_they_announce() {
    let tables = build(&sample(), &scope());
    for query in NAMED {
        let result = run(&tables, query.sql);
        let names: Vec<&str> = result.columns.iter().map(|(name, _)| name.as_str()).collect();
        let announced: Vec<&str> = query.header().columns.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, announced, "{}: the header names other columns", query.name);
        assert!(!result.rows.is_empty(), "{}: nothing comes of the sample", query.name);
    }
}

#[test]
fn every_query_file_is_listed() {
    let mut files: Vec<String> = std::fs::read_dir(root().join("queries"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let listed: Vec<&str> = NAMED.iter().map(|query| query.name).collect();
    assert_eq!(listed, files, "src/tables/named.rs lists other queries than queries/ holds");
}

/// Sums by SQL against the report, which adds up on its own.
fn compare(corpus: &Corpus, scope: &Scope, what: &str) {
    let tables = build(corpus, scope);
    assert_eq!(tables.too_large, 0, "{what}");
    let prices = PriceTable::builtin();
    let report = cache::analyze(corpus, &CacheOptions { scope, prices: &prices, by: &[By::Day] });
    let result = run(
        &tables,
        "SELECT COUNT(*) AS responses, SUM(entries) AS entries, SUM(inherited_entries) AS inherited_entries,
            SUM(input) AS input, SUM(write_5m) AS write_5m, SUM(write_1h) AS write_1h,
            SUM(write_unsplit) AS write_unsplit, SUM(read) AS read, SUM(output) AS output, SUM(searches) AS searches,
            SUM(CASE WHEN lower_bound THEN 1 ELSE 0 END) AS lower_bound,
            SUM(CASE WHEN conflicting THEN 1 ELSE 0 END) AS conflicting,
            SUM(CASE WHEN split_mismatch THEN 1 ELSE 0 END) AS split_mismatch,
            SUM(CASE WHEN priced THEN 0 ELSE 1 END) AS unpriced, SUM(cost_pico_usd) AS cost_pico_usd
         FROM responses",
    );
    let (totals, tokens) = (&report.totals, &report.totals.tokens);
    let expected: [(&str, u128); 15] = [
        ("responses", totals.responses.into()),
        ("entries", totals.entries.into()),
        ("inherited_entries", totals.copied_entries.into()),
        ("input", tokens.input),
        ("write_5m", tokens.write_5m),
        ("write_1h", tokens.write_1h),
        ("write_unsplit", tokens.write_unsplit),
        ("read", tokens.read),
        ("output", tokens.output),
        ("searches", tokens.searches),
        ("lower_bound", totals.lower_bound.responses.into()),
        ("conflicting", totals.conflicting.into()),
        ("split_mismatch", totals.split_mismatches.into()),
        ("unpriced", totals.unpriced.into()),
        ("cost_pico_usd", totals.cost.total()),
    ];
    for (column, value) in expected {
        let sum = integers(&result, column)[0].unwrap_or(0);
        assert_eq!(u128::try_from(sum), Ok(value), "{what}: {column}");
    }
    compare_days(&tables, &report, what);
}

/// The query by day against the report by day, row by row.
fn compare_days(tables: &Tables, report: &CacheReport, what: &str) {
    let result = run(tables, tables::find("cache-by-day").unwrap().sql);
    let days: Vec<String> = result
        .column("day")
        .unwrap()
        .map(|day| match day {
            Value::Text(day) => day.clone(),
            _ => String::new(),
        })
        .collect();
    let groups: Vec<&str> = report.groups.iter().map(|group| group.keys[0].text.as_str()).collect();
    assert_eq!(days, groups, "{what}: days");
    let column = |name: &str| integers(&result, name);
    let (read, written, input) = (column("read"), column("written"), column("input"));
    let (cost, unpriced, output) = (column("cost_pico_usd"), column("unpriced"), column("output"));
    let same = |sql: Option<i128>, ours: u128| assert_eq!(sql.map(u128::try_from), Some(Ok(ours)), "{what}");
    let shares: Vec<&Value> = result.column("prompt_share").unwrap().collect();
    for (row, group) in report.groups.iter().enumerate() {
        same(column("responses")[row], group.responses.into());
        same(read[row], group.tokens.read);
        same(written[row], group.tokens.written());
        same(input[row], group.tokens.input);
        same(output[row], group.tokens.output);
        same(unpriced[row], group.unpriced.into());
        match cost[row] {
            None => assert_eq!(group.unpriced, group.responses, "{what}: {}", days[row]),
            cost => same(cost, group.cost.total()),
        }
        match (shares[row], group.tokens.prompt()) {
            (share, 0) => assert_eq!(*share, Value::Null, "{what}: a share of nothing"),
            (Value::Float(share), prompt) => {
                let ours = group.tokens.read as f64 / prompt as f64;
                assert!((share - ours).abs() < 1e-6, "{what}: {share} for {ours}");
            }
            (other, _) => panic!("{what}: {other:?} is no share"),
        }
    }
}

#[test]
fn sums_of_the_sample_agree() {
    let corpus = sample();
    compare(&corpus, &scope(), "sample");
    let zone = TimeZone::get("Pacific/Auckland").unwrap();
    compare(&corpus, &Scope::all(zone), "sample in another zone");
    let projects = Patterns::new(&["shop-web".into()]).unwrap();
    compare(&corpus, &Scope { projects, ..scope() }, "one project of the sample");
    let models = Patterns::new(&["no such model".into()]).unwrap();
    compare(&corpus, &Scope { models, ..scope() }, "nothing of the sample");
}

fn trees(folder: &Path) -> Vec<PathBuf> {
    if !folder.is_dir() {
        return Vec::new();
    }
    common::folders(folder)
        .into_iter()
        .map(|name| folder.join(name).join("dot-claude"))
        .filter(|tree| tree.join("projects").is_dir())
        .collect()
}

#[test]
fn sums_of_the_cases_agree() {
    for tree in trees(&root().join("tests/cases")) {
        compare(&corpus(&tree), &scope(), &tree.display().to_string());
    }
}

#[test]
fn sums_of_shared_trees_agree() {
    let Some(shared) = common::shared() else { return };
    compare(&corpus(&shared.join("real/dot-claude")), &scope(), "real");
    for tree in trees(&shared.join("cases")) {
        compare(&corpus(&tree), &scope(), &tree.display().to_string());
    }
}

#[test]
fn tables_hold_what_the_schema_says() {
    let tables = build(&sample(), &scope());
    for table in TABLES {
        let result = run(&tables, &format!("SELECT * FROM {}", table.name));
        let columns: Vec<(&str, Type)> =
            result.columns.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
        let schema: Vec<(&str, Type)> = table.columns.iter().map(|column| (column.name, column.ty)).collect();
        assert_eq!(columns, schema, "{}", table.name);
    }
}

#[test]
fn names_are_written_before_sql_can_cut_them() {
    let (corpus, scope, prices) = (sample(), scope(), PriceTable::builtin());
    let options = BuildOptions { scope: &scope, prices: &prices, name: &|of, _| format!("{of:?}") };
    let tables = tables::build(&corpus, &options).unwrap();
    let result =
        run(&tables, "SELECT DISTINCT id, session, project, store, file, model, version FROM responses");
    let names = ["Response", "Session", "Project", "Store", "File", "Model", "Version"];
    assert_eq!(result.rows, [names.map(|name| Value::Text(name.into()))]);
}

/// The engine hashes with a new seed in every process and splits by thread; the order must not show it.
#[test]
fn rows_come_in_order_of_first_appearance() {
    let tables = build(&sample(), &scope());
    let all = run(&tables, "SELECT session FROM responses");
    let mut seen: Vec<Vec<Value>> = Vec::new();
    for row in all.rows {
        if !seen.contains(&row) {
            seen.push(row);
        }
    }
    assert!(seen.len() > 5);
    for sql in [
        "SELECT session FROM responses GROUP BY session",
        "SELECT DISTINCT session FROM responses",
        "SELECT session FROM responses UNION SELECT session FROM responses",
        "SELECT session FROM (SELECT session, COUNT(*) AS n FROM responses GROUP BY session) AS counts",
        "WITH counts AS (SELECT session, 1 AS same FROM responses GROUP BY session) SELECT session FROM counts ORDER BY same",
        "SELECT a.session FROM (SELECT session FROM responses GROUP BY session) AS a \
            JOIN (SELECT session, COUNT(*) AS n FROM responses GROUP BY session) AS b ON a.session = b.session",
    ] {
        assert_eq!(run(&tables, sql).rows, seen, "{sql}");
    }
}

#[test]
fn unknown_names_are_met_with_the_nearest() {
    for (sql, unknown, near) in [
        ("SELECT sesion FROM responses", "sesion", "did you mean session?"),
        ("SELECT SUM(outputs) AS n FROM responses GROUP BY session", "outputs", "did you mean output?"),
        ("SELECT r.inpt FROM responses AS r", "inpt", "did you mean input?"),
        ("SELECT id FROM responses WHERE mdel = 'x'", "mdel", "did you mean model?"),
        ("SELECT * FROM response", "response", "did you mean responses?"),
        ("SELECT zzz FROM responses", "zzz", "query --schema"),
        ("SELECT day FROM responses GROUP BY day ORDER BY SUM(input)", "input", "SUM(input) AS n"),
    ] {
        let error = error(sql);
        assert!(error.message.contains(unknown), "{sql}: {error}");
        assert!(error.hint.as_deref().is_some_and(|hint| hint.contains(near)), "{sql}: {:?}", error.hint);
    }
}

#[test]
fn what_is_no_query_is_refused() {
    for sql in [
        "SELEC 1",
        "",
        "SELECT 1; SELECT 2",
        "SELECT * FROM read_csv('/etc/passwd')",
        "INSERT INTO responses VALUES (1)",
        "-- quietly\n delete FROM responses",
        "CREATE TABLE copy AS SELECT * FROM responses",
        "DROP TABLE responses",
        "SELECT ARRAY_AGG(input) AS all_of_them FROM responses",
    ] {
        let error = error(sql);
        assert!(!error.message.is_empty() && error.message.lines().count() == 1, "{sql}: {error}");
    }
}

#[test]
fn empty_trees_give_empty_tables() {
    let tree = tempfile::tempdir().unwrap();
    std::fs::write(tree.path().join("history.jsonl"), "").unwrap();
    let tables = build(&corpus(tree.path()), &scope());
    for query in NAMED {
        assert_eq!(run(&tables, query.sql).rows.len(), 0, "{}", query.name);
    }
    assert_eq!(integers(&run(&tables, "SELECT COUNT(*) AS n FROM responses"), "n"), [Some(0)]);
}

/// Runs the command on the sample; standard output, standard error, exit status.
fn command(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_ccaudit"))
        .env_clear()
        .env("HOME", "/Users/dev")
        .args(["query", "--timezone", "UTC", "--now", "2026-09-01", "--root"])
        .arg(root().join("sample-data/dot-claude"))
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_command_writes_every_format() {
    let sql = "SELECT project, COUNT(*) AS responses, SUM(cost_pico_usd) AS cost_pico_usd, MIN(start_ms) AS first_ms \
        FROM responses WHERE project LIKE '%/shop-web' GROUP BY project";
    let (text, _, code) = command(&["-e", sql]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("project"), "{text}");
    assert!(
        text.contains("~/projects/shop-web")
            && text.contains("cost_pico_usd")
            && text.contains("days in UTC"),
        "{text}"
    );

    let (csv, _, _) = command(&["-e", sql, "--format", "csv"]);
    assert!(csv.starts_with("project,responses,cost_pico_usd,first_ms\r\n~/projects/shop-web,"), "{csv}");
    let (markdown, _, _) = command(&["-e", sql, "--format", "markdown"]);
    assert!(markdown.starts_with("| project"), "{markdown}");

    let (json, _, _) = command(&["-e", sql, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schema"], "ccaudit.query/v1");
    assert_eq!(json["data"]["columns"][2], serde_json::json!({"name": "cost_pico_usd", "type": "integer"}));
    let row = &json["data"]["rows"][0];
    assert_eq!(row["project"], "~/projects/shop-web");
    let fields: Vec<String> = csv.lines().nth(1).unwrap().split(',').map(str::to_owned).collect();
    assert_eq!(row["cost_pico_usd"].to_string(), fields[2]);
    assert_eq!(row["first_ms"].to_string(), fields[3]);
}

#[test]
fn documents_keep_to_their_schemas() {
    for (args, schema) in [
        (["cache-by-day"].as_slice(), "ccaudit.query/v1"),
        (
            &[
                "-e",
                "SELECT NULL AS nothing, 1.5 AS half, priced, 9223372036854775807 + 1 AS wide FROM responses",
            ],
            "ccaudit.query/v1",
        ),
        (&["--list"], "ccaudit.query-list/v1"),
        (&["--schema"], "ccaudit.query-schema/v1"),
    ] {
        let (json, stderr, code) = command(&[args, &["--format", "json"]].concat());
        assert_eq!(code, Some(0), "{args:?}: {stderr}");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["schema"], schema);
        let schemas = ccaudit::view::v1::schemas();
        let (_, shape) = schemas.iter().find(|(name, _)| *name == schema).unwrap();
        if let Err(error) = jsonschema::validate(&serde_json::to_value(shape).unwrap(), &json) {
            panic!("{args:?}: {error}");
        }
    }
}

#[test]
fn shared_results_hold_no_name() {
    let (text, _, _) = command(&[
        "--share",
        "--format",
        "csv",
        "-e",
        "SELECT DISTINCT session, project, store, file, agent FROM responses",
    ]);
    assert!(text.contains("session-") && text.contains("path-"), "{text}");
    let (ids, _, _) = command(&["--share", "--format", "csv", "-e", "SELECT id FROM responses"]);
    assert!(ids.contains("response-001") && !ids.contains("msg_") && !ids.contains("unlisted"), "{ids}");
    for name in ["shop", "gateway", "19121d8f", "Users"] {
        assert!(!text.contains(name), "{name} in {text}");
    }
}

/// Only queries of ours know which numbers are money.
#[test]
fn money_is_shown_where_it_is_known() {
    let (text, _, _) = command(&["-e", "SELECT COUNT(cost_pico_usd) FROM responses"]);
    assert!(text.starts_with("cost_pico_usd") && !text.lines().nth(1).unwrap().contains('$'), "{text}");
    let (text, _, _) = command(&["cache-by-day", "--format", "markdown"]);
    assert!(text.contains('$') && !text.contains("_pico_usd"), "{text}");
    let (text, _, _) = command(&["cache-by-day", "--since", "2020-01-01", "--until", "2020-01-02"]);
    assert!(text.contains("no response matches the filters"), "{text}");
}

#[test]
fn where_holds_without_from() {
    let tables = build(&sample(), &scope());
    for (sql, rows) in [
        ("select 'x' as a where false", 0),
        ("select 1 where 1=0", 0),
        ("select 1 + 1 as two where 2 < 1", 0),
        ("select * from (select 'x' as a where false) as none", 0),
        ("select 'x' as a where true", 1),
        ("select 1, 'x' as a", 1),
        ("select 1 + 1 as two where 1 < 2", 1),
        ("select 'x' as a union all select 'y' as a", 2),
        ("select 'x' as a from responses where false", 0),
    ] {
        assert_eq!(run(&tables, sql).rows.len(), rows, "{sql}");
    }
    assert_eq!(run(&tables, "select 1 as one, 'x' as a").columns.len(), 2);
}

#[test]
fn a_panic_of_the_engine_is_told_once() {
    let (_, stderr, code) = command(&["-e", "SELECT ARRAY_AGG(input) AS all_of_them FROM responses"]);
    assert!(code == Some(2) && stderr.lines().count() == 1, "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn the_gate_is_refused() {
    let (stdout, stderr, code) = command(&["cache-by-day", "--fail-on", "note"]);
    assert_eq!((stdout.as_str(), code), ("", Some(2)));
    assert!(stderr.contains("--fail-on") && stderr.contains("query"), "{stderr}");
}

#[test]
fn what_cannot_be_run_exits_with_2() {
    for (args, said) in [
        (["-e", "SELECT sesion FROM responses"].as_slice(), "did you mean session?"),
        (&["-e", "SELEC"], "SELEC"),
        (&["cache-by-dya"], "did you mean cache-by-day?"),
        (&["zzz"], "--list"),
        (&[], "is missing"),
        (&["cache-by-day", "--list"], "does not go with"),
    ] {
        let (stdout, stderr, code) = command(args);
        assert_eq!((stdout.as_str(), code), ("", Some(2)), "{args:?}");
        assert!(stderr.contains(said), "{args:?}: {stderr}");
    }
}
