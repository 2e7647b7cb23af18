//! The JSON Schemas of the machine formats: current, and true of what the commands print.
//!
//! `UPDATE=1 cargo test --test schema` rewrites `tests/schemas/`.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use ccaudit::analysis::dag::{Graph, report};
use ccaudit::model::Session;
use ccaudit::view::v1;
use common::{copy_tree, run_in, sample_tree};
use serde_json::Value;

fn file(schema: &str) -> PathBuf {
    let name = schema.strip_prefix("ccaudit.").unwrap().replace('/', "-");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/schemas/{name}.json"))
}

fn pretty(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).unwrap() + "\n"
}

#[test]
fn committed_schemas_are_current() {
    #[allow(clippy::disallowed_methods, reason = "tests read their own environment")]
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    fs::create_dir_all(&folder).unwrap();
    let mut wanted = Vec::new();
    for (name, schema) in v1::schemas() {
        let (path, text) = (file(name), pretty(schema.as_value()));
        if update {
            fs::write(&path, &text).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{} is not current: UPDATE=1 cargo test --test schema", path.display());
        wanted.push(path);
    }
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        let is_optional = path.file_name().unwrap().to_str().unwrap().starts_with("query");
        let known = wanted.contains(&path) || (is_optional && cfg!(not(feature = "tables")));
        assert!(known, "{}: no such format", path.display());
    }
}

/// Programs must be able to rely on it: whole numbers only, and every object says what it may hold.
#[test]
fn schemas_know_no_fractions() {
    // What a query gives is for its writer to say.
    for (name, schema) in v1::schemas().into_iter().filter(|(name, _)| *name != "ccaudit.query/v1") {
        let text = pretty(schema.as_value());
        assert!(!text.contains("\"number\""), "{name} allows fractions");
    }
}

const COMMANDS: &[&[&str]] = &[
    &[],
    &["overview", "--since", "2026-08-01"],
    &["cache"],
    &["cache", "--by", "session"],
    &["cache", "--by", "project,model"],
    &["cache", "--by", "agent,ttl", "--limit", "1"],
    &["cache", "--by", "version,hour", "--until", "2026-08-20", "--model", "opus"],
    &["fsck"],
    &["cache", "--by", "lane"],
    &["dag"],
    &["rules"],
    &["explain"],
    &["explain", "torn-tail"],
    &["explain", "prompt-share"],
    &["explain", "cache-ttl-5m"],
    #[cfg(feature = "tables")]
    &["query", "cache-by-day"],
    #[cfg(feature = "tables")]
    &["query", "--list"],
    #[cfg(feature = "tables")]
    &["query", "--schema"],
];

/// What can be asked about one session.
const OF_SESSION: &[&str] = &["show", "resume", "context", "lanes"];

fn check(root: &Path, place: &str) {
    let corpus = common::corpus(root);
    let has_leaf = |row: &usize| {
        let graph = Graph::of(&corpus, *row);
        corpus.sessions[*row].main.is_some() && report(&corpus, &graph, *row).active_leaf.is_some()
    };
    let sessions = (0..corpus.sessions.len()).filter(has_leaf).map(|row| &corpus.sessions[row]).take(3);
    let about = |session: &'_ Session| {
        OF_SESSION.iter().map(|what| vec!["dag".to_owned(), (*what).to_owned(), session.id.clone()]).collect()
    };
    let of_sessions: Vec<Vec<String>> =
        sessions.flat_map(|session| -> Vec<Vec<String>> { about(session) }).collect();
    let commands = COMMANDS.iter().map(|command| command.to_vec());
    let commands: Vec<Vec<&str>> =
        commands.chain(of_sessions.iter().map(|args| args.iter().map(String::as_str).collect())).collect();
    for share in [false, true] {
        for command in &commands {
            let mut args = command.clone();
            args.extend(["--format", "json"]);
            if share {
                args.push("--share");
            }
            let out = run_in(root).args(&args).assert().success().get_output().stdout.clone();
            let document: Value = serde_json::from_slice(&out).unwrap();
            let schema = document["schema"].as_str().unwrap();
            let (_, wanted) = v1::schemas().into_iter().find(|(name, _)| *name == schema).unwrap();
            let errors: Vec<String> = jsonschema::validator_for(wanted.as_value())
                .unwrap()
                .iter_errors(&document)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{place}, {args:?}: {}", errors.join("; "));
            assert_eq!(document["tool"], "ccaudit");
            assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
            if schema != "ccaudit.query/v1" {
                assert_eq!(fraction(&document), None, "{place}, {args:?}");
            }
        }
    }
}

/// The first number that is no integer.
fn fraction(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => {
            (!number.is_i64() && !number.is_u64() && number.to_string().contains(['.', 'e']))
                .then(|| number.to_string())
        }
        Value::Array(items) => items.iter().find_map(fraction),
        Value::Object(fields) => fields.values().find_map(fraction),
        _ => None,
    }
}

#[test]
fn documents_of_the_sample_fit() {
    check(&sample_tree(), "sample-data");
}

#[test]
fn documents_of_cases_fit() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for id in ["A01", "A12", "G02", "G12", "E11"] {
        let name = common::folders(&cases).into_iter().find(|name| name.starts_with(id)).unwrap();
        let copy = tempfile::tempdir().unwrap();
        copy_tree(&cases.join(&name), copy.path()).unwrap();
        if copy.path().join("setup.sh").exists() {
            Command::new("sh").arg("setup.sh").current_dir(copy.path()).assert().success();
        }
        check(&copy.path().join("dot-claude"), &name);
    }
}

#[test]
fn documents_of_trees_without_a_record_fit() {
    for file in
        ["projects/-home-dev-empty/s.jsonl", "projects/-home-dev-empty/memory/MEMORY.md", "history.jsonl"]
    {
        let tree = tempfile::tempdir().unwrap();
        let file = tree.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "").unwrap();
        check(tree.path(), file.to_str().unwrap());
    }
}

/// Fields may come, never go or change: what was there is still there.
#[test]
fn envelopes_keep_their_keys() {
    let out = run_in(&sample_tree()).args(["cache", "--format", "json"]).output().unwrap().stdout;
    let document: Value = serde_json::from_slice(&out).unwrap();
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["tool", "version", "schema", "tree", "filters", "notes", "data"]);
    let filters: Vec<&String> = document["filters"].as_object().unwrap().keys().collect();
    assert_eq!(filters, ["timezone", "now", "since", "until", "projects", "sessions", "models"]);
}
