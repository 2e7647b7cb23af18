//! `--share`: nothing of a tree's own names is left, in any format.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{run_in, sample_tree};

const COMMANDS: &[&[&str]] = &[
    &[],
    &["cache"],
    &["cache", "--by", "session", "--limit", "0"],
    &["cache", "--by", "project,agent", "--limit", "0"],
    &["cache", "--by", "model", "--limit", "0"],
    &["cache", "--by", "lane", "--limit", "0"],
    &["cache", "--by", "version,model", "--limit", "0"],
    &["fsck", "--limit", "0"],
    &["dag", "--limit", "0"],
    &["dag", "show", SESSION],
    &["dag", "resume", SESSION, "--limit", "0"],
    &["dag", "context", SESSION],
    &["dag", "lanes", SESSION],
];

/// Stands for the id of a session of the tree.
const SESSION: &str = "SESSION";

fn shared(root: &Path, session: &str, check: impl Fn(&str, &str)) {
    for command in COMMANDS {
        let args = command.iter().map(|arg| if *arg == SESSION { session } else { arg });
        let args: Vec<&str> = args.collect();
        let drawn: &[&str] = if command.starts_with(&["dag", "show"]) { &["dot", "mermaid"] } else { &[] };
        for format in ["text", "markdown", "csv", "json"].iter().chain(drawn) {
            let out = run_in(root).args(&args).args(["--format", format, "--share"]).output().unwrap();
            assert!(out.status.success() && out.stderr.is_empty(), "{command:?}");
            check(&format!("{command:?} {format}"), &String::from_utf8(out.stdout).unwrap());
        }
    }
}

/// Every name that a file of the tree or an entry in it gives: parts of paths, ids, branches, titles.
fn secrets(root: &Path) -> BTreeSet<String> {
    let mut secrets = BTreeSet::from([root.display().to_string()]);
    let fields = [
        "sessionId",
        "uuid",
        "parentUuid",
        "cwd",
        "gitBranch",
        "slug",
        "customTitle",
        "aiTitle",
        "agentId",
        "requestId",
    ];
    for item in walkdir::WalkDir::new(root) {
        let item = item.unwrap();
        let name = item.file_name().to_str().unwrap();
        if item.depth() > 1 {
            secrets.insert(name.trim_end_matches(".jsonl").to_owned());
        }
        if !name.ends_with(".jsonl") {
            continue;
        }
        for line in fs::read_to_string(item.path()).unwrap().lines() {
            let Ok(entry) = serde_json::from_str::<Value>(line) else { continue };
            secrets.extend(fields.iter().filter_map(|field| entry[field].as_str()).map(str::to_owned));
            secrets.extend(entry["message"]["id"].as_str().map(str::to_owned));
        }
    }
    // Ordinary words, and names that every tree has.
    let public = [
        "main",
        "master",
        "HEAD",
        "memory",
        "subagents",
        "tool-results",
        "settings.json",
        "history",
        "projects",
        "CLAUDE.md",
    ];
    secrets.retain(|secret| secret.chars().count() > 3 && !public.contains(&secret.as_str()));
    secrets
}

#[test]
fn nothing_of_the_sample_is_left() {
    let root = sample_tree();
    let secrets = secrets(&root);
    assert!(secrets.len() > 1000 && secrets.contains("gateway load test"), "{}", secrets.len());
    let is_id = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let (ids, phrases): (BTreeSet<_>, BTreeSet<_>) =
        secrets.iter().map(String::as_str).partition(|secret| is_id(secret));
    // Ids are printed shortened elsewhere.
    let short: BTreeSet<&str> = ids.iter().filter(|id| id.len() == 36).map(|id| &id[..8]).collect();
    shared(&root, "98da43d7", |what, text| {
        let words: BTreeSet<&str> = text
            .split(|c: char| !is_id(c.encode_utf8(&mut [0; 4])))
            .filter(|word| !word.is_empty())
            .collect();
        for word in words {
            assert!(!ids.contains(word) && !short.contains(word), "{what} shows {word}");
        }
        for phrase in &phrases {
            assert!(!text.contains(phrase), "{what} shows {phrase}");
        }
        for word in ["shop-web", "api-gateway", "Users-dev", "/Users", "~/"] {
            assert!(!text.contains(word), "{what} shows {word}");
        }
    });
}

/// A tree in which everything that can carry a name carries one.
#[test]
fn nothing_of_a_talkative_tree_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("zebra-root");
    let session = "zebra000-0000-4000-8000-000000000001";
    let store = root.join("projects/-home-zebra-corp");
    fs::create_dir_all(store.join(session).join("subagents")).unwrap();
    let entry = |n: u32, extra: Value| {
        let mut entry = json!({
            "uuid": format!("{n:08x}-0000-4000-8000-00000000000a"), "sessionId": session, "version": "2.1.332",
            "cwd": "/home/zebra/corp", "gitBranch": "zebra-branch", "timestamp": "2026-08-20T10:00:00.000Z",
        });
        entry.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        entry.to_string() + "\n"
    };
    let answer_of = |model: &str, n: u32, id: &str, usage: Value| {
        entry(
            n,
            json!({"type": "assistant", "requestId": "req_zebra", "version": "2.1.332-zebra", "message": {
            "id": id, "model": model, "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "zebra"}], "usage": usage}}),
        )
    };
    let answer = |n, id: &str, usage| answer_of("zebra-model-1", n, id, usage);
    let priced = [
        "zebra/claude-opus-4-6",
        "arn:aws:bedrock:us-east-1:123456789012:zebra-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/zebra",
    ];
    let priced = priced.iter().zip(8..).map(|(model, n)| {
        answer_of(model, n, &format!("msg_zebra{n}"), json!({"input_tokens": 1, "output_tokens": 5}))
    });
    let main = entry(1, json!({"type": "user", "message": {"role": "user", "content": "zebra"}}))
        + &entry(2, json!({"type": "zebra-type", "version": "zebra-7"}))
        + &answer(
            3,
            "msg_zebra1",
            json!({"input_tokens": 1, "output_tokens": 5, "cache_read_input_tokens": 7}),
        )
        + &answer(
            4,
            "msg_zebra1",
            json!({"input_tokens": 2, "output_tokens": 6, "cache_read_input_tokens": 7}),
        )
        + &answer(5, "msg_zebra2", json!({"input_tokens": -1, "output_tokens": 6}))
        + &json!({"type": "custom-title", "customTitle": "zebra merger", "sessionId": session}).to_string()
        + "\n"
        + &priced.collect::<String>()
        + "{\"zebra";
    fs::write(store.join(format!("{session}.jsonl")), main).unwrap();
    let agent = store.join(session).join("subagents/agent-zebraagent1");
    let text = entry(
        6,
        json!({"type": "user", "isSidechain": true, "agentId": "zebraagent1", "message": {"role": "user", "content": "x"}}),
    ) + &answer(7, "msg_zebra3", json!({"input_tokens": 1, "output_tokens": 5}));
    fs::write(agent.with_extension("jsonl"), text).unwrap();
    fs::write(agent.with_extension("meta.json"), r#"{"agentType":"zebra-reviewer"}"#).unwrap();
    fs::write(root.join("settings.json"), r#"{"cleanupPeriodDays":0,"env":{"DISABLE_PROMPT_CACHING":"1"}}"#)
        .unwrap();
    std::os::unix::fs::symlink("/nowhere/zebra", root.join("projects/zebra-link")).unwrap();
    shared(&root, session, |what, text| {
        assert!(!text.contains("123456789012"), "{what} shows an account");
        let at = text.to_lowercase().find("zebra");
        assert!(at.is_none(), "{what} shows {:?}", at.map(|at| text[..at + 20].lines().last()));
    });
    // What is public stays, by its public name.
    let models =
        run_in(&root).args(["cache", "--by", "model", "--format", "json", "--share"]).output().unwrap();
    let models: Value = serde_json::from_slice(&models.stdout).unwrap();
    let models = models["data"]["groups"].as_array().unwrap().iter();
    let models: BTreeSet<_> =
        models.map(|group| group["keys"][0]["value"].as_str().unwrap().to_owned()).collect();
    assert!(models.iter().eq(["claude-opus-4-6", "claude-sonnet-4-5", "model-1", "model-2"]), "{models:?}");
    // Without the flag they are there, so the test looks at the right places.
    let open = run_in(&root).args(["fsck", "--format", "json"]).output().unwrap().stdout;
    let open = String::from_utf8(open).unwrap();
    assert!(!open.contains("123456789012"));
    for name in
        ["<account>", "zebra-7", "2.1.332-zebra", "zebra-type", "zebra-model-1", "msg_zebra1", "zebra-link"]
    {
        assert!(open.contains(name), "{name}");
    }
}

#[test]
fn filters_are_not_repeated() {
    let out = run_in(&sample_tree())
        .args(["cache", "--project", "shop-web", "--session", "8bf1ff88", "--format", "json", "--share"])
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(!text.contains("shop") && !text.contains("8bf1ff88"), "{text}");
}

/// The same tree, the same pseudonyms, whatever is asked.
#[test]
fn pseudonyms_are_stable() {
    let keys = |more: &[&str]| -> BTreeSet<String> {
        let out = run_in(&sample_tree())
            .args(["cache", "--by", "session", "--share", "--format", "json"])
            .args(more)
            .output()
            .unwrap();
        let document: Value = serde_json::from_slice(&out.stdout).unwrap();
        let groups = document["data"]["groups"].as_array().unwrap().iter();
        groups
            .map(|group| group["keys"][0]["value"].as_str().unwrap().to_owned() + &group["read"].to_string())
            .collect()
    };
    let (all, some) = (keys(&[]), keys(&["--since", "2026-08-25"]));
    assert_eq!(all.len(), 19);
    assert!(
        !some.is_empty()
            && some.len() < all.len()
            && some.iter().filter(|key| all.contains(*key)).count() > 2
    );
}
