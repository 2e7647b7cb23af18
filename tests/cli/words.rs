//! Numbers in sentences: one of a kind is no plural, and thousands are separated.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{Kind, folders, prepare, run_in, sample_root};

const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// Words in -s behind a 1 that are no plurals of it; a branch of the kind `two processes` is called so.
const VERBS: &[&str] = &[
    "is",
    "has",
    "was",
    "this",
    "its",
    "less",
    "disagrees",
    "expires",
    "goes",
    "repeats",
    "shares",
    "processes",
];

/// All that a command says in sentences: its text, with the breaks of lines taken out, and the sentences of its JSON.
fn sentences(root: &Path, args: &[&str]) -> String {
    let run = |format: &str| {
        let out = run_in(root).args(args).args(["--format", format, "--color", "never"]).output().unwrap();
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    let document: Value = serde_json::from_str(&run("json")).unwrap();
    let mut said = Vec::new();
    strings(&document, &mut said);
    format!("{}\n{}", run("markdown"), said.join("\n"))
}

fn strings(value: &Value, said: &mut Vec<String>) {
    match value {
        Value::String(text) => said.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, said)),
        Value::Object(fields) => fields.values().for_each(|field| strings(field, said)),
        _ => {}
    }
}

/// Each `1 things` and `1 odd things` of a text.
fn wrong(text: &str) -> Vec<String> {
    let is_word = |word: &str| word.len() > 2 && word.chars().all(char::is_alphabetic);
    let is_plural = |word: &str| is_word(word) && word.ends_with('s') && !VERBS.contains(&word);
    let bare = |word: &str| word.trim_end_matches(|c: char| ",;:.)".contains(c)).to_owned();
    let mut found = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, _) in words.iter().enumerate().filter(|(_, word)| **word == "1") {
            let [first, second] = [1, 2].map(|next| words.get(at + next).copied().unwrap_or_default());
            // Behind a comma another part of the sentence begins.
            if is_plural(&bare(first)) || (is_word(first) && is_plural(&bare(second))) {
                found.push(format!("1 {first} {second}"));
            }
        }
    }
    found
}

/// A tree in which there is one of everything.
fn ones() -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    let store = tree.path().join("projects/-a");
    fs::create_dir_all(&store).unwrap();
    let line = format!(
        r#"{{"type":"assistant","uuid":"u1","sessionId":"{SESSION}","message":{{"id":"m","model":"nobody-1","usage":{{"output_tokens":1}}}}}}"#
    );
    let typed = |uuid: &str| line.replace("assistant", "x").replace("u1", uuid);
    let odd = line.replace("u1", "u2").replace("\"m\"", "\"n\"").replace("nobody", "\\ud800");
    let (one, two) = (typed("u3"), typed("u4"));
    let text = format!("{line}\n\0\n{line}\n1\n{{\n{one}\n{odd}\n\u{feff}{two}\n{{");
    fs::write(store.join(format!("{SESSION}.jsonl")), text).unwrap();
    tree
}

#[test]
fn one_of_a_kind_is_no_plural() {
    let commands: [&[&str]; 6] = [
        &[],
        &["cache"],
        &["cache", "--by", "model"],
        &["cache", "--since", "2000-01-01"],
        &["fsck", "--limit", "0"],
        &["dag"],
    ];
    let ones = ones();
    for id in folders(&sample_root()) {
        let Some(copy) = prepare(&id) else { continue };
        for args in commands {
            let text = sentences(&copy.path().join(Kind::Fires.folder()), args);
            assert_eq!(wrong(&text), Vec::<String>::new(), "{id} {args:?}");
        }
    }
    let of_session: [&[&str]; 4] = [
        &["dag", "show", SESSION],
        &["dag", "resume", SESSION],
        &["dag", "context", SESSION],
        &["dag", "lanes", SESSION],
    ];
    let mut all = String::new();
    for args in commands.iter().chain(&of_session) {
        let text = sentences(ones.path(), args);
        assert_eq!(wrong(&text), Vec::<String>::new(), "{args:?}");
        all += &text;
    }
    for said in [
        "1 NUL byte",
        "1 entry repeats 1 uuid of the same file, 0 with another parent, time or length",
        "1 line is JSON but no record",
        "1 byte is no whole record",
        "the last 1 byte is an unfinished record",
        "1 half character in a record",
        "the output of 2 responses is a lower bound",
        "2 tokens recorded",
        "unpriced: nobody-1, 1 response with 1 token, in no cost figure",
        "1 response is in no cost figure",
        "responses have no usable time and are left out of the range",
    ] {
        assert!(all.contains(said), "{said}: {all}");
    }
}

#[test]
fn thousands_are_separated() {
    let tree = tempfile::tempdir().unwrap();
    let store = tree.path().join("projects/-a");
    fs::create_dir_all(&store).unwrap();
    let line = format!(r#"{{"type":"user","uuid":"u1","sessionId":"{SESSION}"}}"#);
    let answers: String = (0..1_200)
        .map(|n| {
            let usage = r#"{"input_tokens":1,"output_tokens":1}"#;
            format!(
                r#"{{"type":"assistant","sessionId":"{SESSION}","message":{{"id":"m{n}","model":"nobody-1","usage":{usage}}}}}"#
            ) + "\n"
        })
        .collect();
    let text = format!(
        "{}{answers}{}\n{}",
        format!("{line}\n").repeat(2_500),
        "\0".repeat(3_000),
        "1\n".repeat(4_000)
    );
    fs::write(store.join(format!("{SESSION}.jsonl")), text).unwrap();
    let said = sentences(tree.path(), &["fsck", "--limit", "0"]);
    for part in [
        "2,499 entries repeat 1 uuid of the same file",
        "3,000 NUL bytes",
        "4,000 lines are JSON but no record",
        "1,200 responses have no usable time",
        "1,200 responses are in no cost figure",
        "the output of 1,200 responses",
        "4,000 lines without a record",
        "2,499 repeated uuids",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// A file that is broken in very many places gives a few findings and the number of the others, in every format; its
/// bytes and the places themselves are all accounted for.
#[test]
fn a_broken_file_is_no_endless_list() {
    let tree = tempfile::tempdir().unwrap();
    let store = tree.path().join("projects/-a");
    fs::create_dir_all(&store).unwrap();
    let line = b"{\"type\":\"user\",\"cwd\":\"\xff\"}\n";
    for (name, lines) in [("1", 1_000), ("2", 1_001), ("3", 5_000)] {
        fs::write(store.join(format!("{name}.jsonl")), line.repeat(lines)).unwrap();
    }
    let run = |args: &[&str]| run_in(tree.path()).args(args).output().unwrap();
    let text = |args: &[&str]| String::from_utf8(run(args).stdout).unwrap();
    for format in ["text", "markdown", "csv", "json"] {
        let text = text(&["fsck", "--limit", "0", "--format", format]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for rest in ["; 1 more like it is not listed", "; 4,000 more like it are not listed"] {
            assert_eq!(text.matches(rest).count(), 1, "{format}: {rest}");
        }
    }
    let document: Value = serde_json::from_str(&text(&["fsck", "--format", "json"])).unwrap();
    let findings = document["data"]["findings"].as_array().unwrap();
    let more: u64 = findings.iter().map(|finding| finding["more"].as_u64().unwrap()).sum();
    assert_eq!((findings.len(), more), (3_000, 4_001));
    let files = document["data"]["files"].as_array().unwrap();
    let issues: Vec<usize> = files.iter().map(|file| file["issues"].as_array().unwrap().len()).collect();
    assert_eq!(issues, [1_000, 1_001, 5_000]);
    assert_eq!(document["data"]["totals"]["entry_bytes"], 7_001 * (line.len() - 1));
    assert!(text(&["fsck"]).contains("6,998 more of invalid-utf8 (--limit 0 shows all)"));
    assert!(text(&[]).contains("7,001 places: a record holds bytes that are not UTF-8"));
}

/// However many models have no price, a report names a few of them, those with the most tokens first.
#[test]
fn models_without_a_price_are_no_endless_list() {
    let tree = tempfile::tempdir().unwrap();
    let store = tree.path().join("projects/-a");
    fs::create_dir_all(&store).unwrap();
    let answer = |n: u32| {
        format!(
            r#"{{"type":"assistant","sessionId":"{SESSION}","message":{{"id":"m{n}","model":"own-{n:02}","stop_reason":"end_turn","usage":{{"output_tokens":{n}}}}}}}"#
        ) + "\n"
    };
    let write = |models: u32| {
        fs::write(store.join(format!("{SESSION}.jsonl")), (1..=models).map(answer).collect::<String>())
            .unwrap();
    };
    let notes = |args: &[&str]| -> Vec<String> {
        let out = run_in(tree.path()).args(args).args(["--format", "json"]).output().unwrap();
        let document: Value = serde_json::from_slice(&out.stdout).unwrap();
        let all = document["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().to_owned());
        all.filter(|note| note.starts_with("unpriced")).collect()
    };
    let named = |n: u32| {
        let tokens = if n == 1 { "token" } else { "tokens" };
        format!("unpriced: own-{n:02}, 1 response with {n} {tokens}, in no cost figure (--prices FILE)")
    };
    let how = "in no cost figure (ccaudit cache --by model --limit 0 names all)";
    for (models, rest) in [
        (10, None),
        (11, Some(format!("unpriced: 1 more model, 1 response with 1 token, {how}"))),
        // 1 + 2 + … + 190
        (200, Some(format!("unpriced: 190 more models, 190 responses with 18.1 k tokens, {how}"))),
    ] {
        write(models);
        let expected: Vec<String> = (models - 9..=models).rev().map(named).chain(rest).collect();
        for args in
            [&[][..], &["cache"], &["cache", "--by", "day"], &["cache", "--by", "day", "--limit", "3"]]
        {
            assert_eq!(notes(args), expected, "{args:?}");
        }
        let all: Vec<String> = (1..=models).rev().map(named).collect();
        assert_eq!(notes(&["cache", "--by", "model", "--limit", "0"]), all);
    }
}
