//! Every string of a tree is data: it acts on no terminal, page or spreadsheet. And no e-mail address is printed.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::run_in;

const EVIL: &str = "=cmd|'/C calc'!A1\u{1b}[2J\u{202e}txt\nnew | <script>alert(1)</script> `x` [a](http://evil.example) jane.doe@example.com";

const COMMANDS: &[&[&str]] = &[
    &[],
    &["cache"],
    &["cache", "--by", "session"],
    &["cache", "--by", "project"],
    &["cache", "--by", "model"],
    &["cache", "--by", "agent"],
    &["cache", "--by", "version"],
    &["cache", "--by", "lane"],
    &["fsck", "--limit", "0"],
    &["dag"],
    &["dag", "show", SESSION, "--text"],
    &["dag", "show", SESSION, "--text", "--around", "00000002"],
    &["dag", "resume", SESSION],
    &["dag", "context", SESSION],
    &["dag", "lanes", SESSION],
];

/// Stands for the start of the id of the session.
const SESSION: &str = "=cmd";

fn tree() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tree");
    // No `/` in a name of a file.
    let name = EVIL.replace('/', "_");
    let store = root.join("projects").join(&name);
    let side = store.join(&name).join("subagents");
    fs::create_dir_all(&side).unwrap();
    let entry = |n: u32, extra: Value| {
        let mut entry = json!({
            "uuid": format!("{n:08x}-0000-4000-8000-00000000000b"), "sessionId": name, "version": EVIL,
            "cwd": format!("/home/{EVIL}"), "gitBranch": EVIL, "timestamp": "2026-08-20T10:00:00.000Z",
        });
        entry.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        entry.to_string() + "\n"
    };
    let answer = |n: u32, input: i64| {
        entry(
            n,
            json!({"type": "assistant", "requestId": EVIL, "message": {
            "id": EVIL, "model": EVIL, "role": "assistant", "stop_reason": EVIL,
            "content": [{"type": "text", "text": EVIL}],
            "usage": {"input_tokens": input, "output_tokens": 50, "service_tier": EVIL, "speed": EVIL}}}),
        )
    };
    let main = entry(1, json!({"type": EVIL}))
        + &answer(2, 1)
        + &answer(3, 2)
        + &answer(4, -1)
        + &json!({"type": "custom-title", "customTitle": EVIL, "sessionId": name}).to_string()
        + "\n"
        + EVIL;
    fs::write(store.join(format!("{name}.jsonl")), main).unwrap();
    let short: String = name.chars().take(40).collect();
    fs::write(side.join(format!("agent-{short}.jsonl")), answer(5, 1).replace("\"id\":\"", "\"id\":\"b"))
        .unwrap();
    fs::write(side.join(format!("agent-{short}.meta.json")), json!({"agentType": EVIL}).to_string()).unwrap();
    std::os::unix::fs::symlink("/nowhere", root.join("projects").join(format!("{short}.jsonl"))).unwrap();
    (folder, root)
}

fn print(root: &Path, command: &[&str], format: &str) -> String {
    let out = run_in(root).args(command).args(["--format", format]).output().unwrap();
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
    assert!(out.stderr.is_empty());
    String::from_utf8(out.stdout).unwrap()
}

fn everything(check: impl Fn(&str, &str, &str)) {
    let (_folder, root) = tree();
    for command in COMMANDS {
        for format in ["text", "markdown", "csv", "json"] {
            check(&format!("{command:?} {format}"), format, &print(&root, command, format));
        }
    }
}

#[test]
fn nothing_acts_on_a_terminal() {
    everything(|what, format, text| {
        let line_ends = if format == "csv" { &['\n', '\r'][..] } else { &['\n'] };
        let bad = text
            .chars()
            .find(|c| (c.is_control() && !line_ends.contains(c)) || matches!(c, '\u{202a}'..='\u{202e}'));
        assert_eq!(bad, None, "{what}");
        assert!(!text.lines().any(|line| line.starts_with("new |")), "{what}: a line feed got through");
    });
}

#[test]
fn no_e_mail_address_is_printed() {
    everything(|what, _, text| {
        assert!(!text.contains("jane.doe") && !text.contains("@example"), "{what}");
        assert!(!text.contains("jane"), "{what}: a part of the address");
    });
}

#[test]
fn markdown_holds_no_markup_of_the_tree() {
    everything(|what, format, text| {
        if format != "markdown" {
            return;
        }
        for line in text.lines() {
            let outside: String = line.split('`').step_by(2).collect();
            for markup in ["<script", "](http", "://evil"] {
                let at = outside.find(markup);
                let escaped = at.is_some_and(|at| outside[..at].ends_with('\\'));
                assert!(at.is_none() || escaped, "{what}: {line}");
            }
        }
        let bars: Vec<usize> = text
            .lines()
            .filter(|line| line.starts_with("| "))
            .map(|line| line.replace("\\|", "").matches('|').count())
            .collect();
        assert!(bars.iter().all(|bars| *bars >= 2), "{what}");
    });
}

#[test]
fn csv_holds_no_formula() {
    everything(|what, format, text| {
        if format != "csv" {
            return;
        }
        let mut quoted = false;
        let mut field = String::new();
        for c in text.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' | '\r' | '\n' if !quoted => {
                    assert!(!field.trim_start().starts_with(['=', '+', '@']), "{what}: {field}");
                    field.clear();
                }
                c => field.push(c),
            }
        }
        assert!(!quoted, "{what}");
    });
}

#[test]
fn json_gives_the_strings_back() {
    let (_folder, root) = tree();
    let document: Value = serde_json::from_str(&print(&root, &["cache", "--by", "model"], "json")).unwrap();
    let model = document["data"]["groups"][0]["keys"][0]["value"].as_str().unwrap();
    assert_eq!(model, EVIL.replace("jane.doe@example.com", "<e-mail>"));
}

/// Damage is counted and shown; it never stops a run.
#[test]
fn a_broken_tree_is_reported_with_status_0() {
    let (_folder, root) = tree();
    let document: Value = serde_json::from_str(&print(&root, &["fsck"], "json")).unwrap();
    let rules: Vec<&str> = document["data"]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    for rule in [
        "broken-symlink",
        "conflicting-usage",
        "implausible-count",
        "unknown-entry-type",
        "unpriced-model",
        "damaged-record",
    ] {
        assert!(rules.contains(&rule), "{rule} is not among {rules:?}");
    }
}
