//! What the model had in its window, against the requests that a server received, and against measured prompts.
//!
//! Some recordings lie in `tests/client/`; `CCAUDIT_SHARED` names the folder with all of them.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::fs;
use std::path::Path;

use ccaudit::analysis::dag::resume::End;
use ccaudit::analysis::dag::window::{PartKind, Window, last_request, window};
use ccaudit::analysis::dag::{Graph, LaneKind, Step, lanes, report};
use ccaudit::model::{Corpus, Kind};
use ccaudit::source::{Disk, Source};
use serde_json::{Value, json};

/// Characters that the recordings keep at least of every block.
const KEPT: usize = 100;

/// In this a prompt was typed while a tool ran, and Esc pressed: the record of the interruption stands above an answer
/// whose request was sent before it.
const WRITTEN_LATE: (&str, &str) = ("i_queue_esc", "[Request interrupted by user for tool use]");

/// Blocks of the messages of a request, or of entries: text, calls and results.
fn blocks(content: &Value) -> Vec<String> {
    // Notifications are sent with words around them that no entry holds.
    let start = |text: &str| match text.trim() {
        text if text.contains("[SYSTEM NOTIFICATION") => "notification".to_owned(),
        text if text.starts_with("<task-notification>") => "notification".to_owned(),
        text => text.chars().take(KEPT).collect(),
    };
    match content {
        Value::String(text) => vec![start(text)],
        Value::Array(items) => items
            .iter()
            .filter_map(|item| match (item.as_str(), item["type"].as_str()) {
                (Some(recorded), _) => Some(match recorded.split_at_checked(2) {
                    Some(("T:", text)) => start(text.trim_end_matches('…')),
                    Some((kind @ ("U:" | "R:"), rest)) => {
                        format!("{kind}{}", rest.split(':').next().unwrap())
                    }
                    _ => start(recorded),
                }),
                (_, Some("text")) => item["text"].as_str().map(start),
                (_, Some("tool_use")) => Some(format!("U:{}", item["id"].as_str().unwrap())),
                (_, Some("tool_result")) => Some(format!("R:{}", item["tool_use_id"].as_str().unwrap())),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The requests of a recording, those for a summary left out.
fn recorded(expected: &Value) -> Vec<Vec<String>> {
    let lists = ["requests", "main_requests", "sub_requests"];
    let all = lists.iter().filter_map(|key| expected.get(key)?.as_array()).flatten();
    let messages = all.filter_map(|request| match request[0].as_str() {
        Some("main") => Some(&request[1]),
        Some(_) => None,
        None => Some(request),
    });
    messages
        .map(|messages| {
            let messages = messages.as_array().unwrap().iter();
            messages
                .filter(|message| message[0] != "system")
                .flat_map(|message| blocks(&message[1]))
                .collect()
        })
        .collect()
}

struct Tree {
    corpus: Corpus,
    requests: Vec<Vec<String>>,
    /// Every block of an entry.
    known: Vec<String>,
}

impl Tree {
    fn read(folder: &Path) -> Option<Self> {
        let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).ok()?).unwrap();
        let requests = recorded(&expected);
        if requests.is_empty() {
            return None;
        }
        let corpus = common::corpus(&folder.join(".claude"));
        let mut known = Vec::new();
        for file in corpus.transcript_files() {
            for line in fs::read_to_string(&corpus.file(file).disk).unwrap().lines() {
                if let Ok(record) = serde_json::from_str::<Value>(line)
                    && matches!(record["type"].as_str(), Some("user" | "assistant"))
                {
                    known.extend(blocks(&record["message"]["content"]));
                }
            }
        }
        Some(Self { corpus, requests, known })
    }

    fn said(&self, graph: &Graph, window: &Window) -> Vec<String> {
        let mut said = Vec::new();
        for &row in &window.rows {
            let at = graph.node(row).at;
            if matches!(self.corpus.entry(at).kind, Kind::User | Kind::Assistant) {
                let record: Value = serde_json::from_slice(&Disk.entry(&self.corpus, at).unwrap()).unwrap();
                said.extend(blocks(&record["message"]["content"]));
            }
        }
        said.sort();
        said
    }

    /// A request without what no entry says: what the client attached.
    fn asked(&self, request: &[String]) -> Vec<String> {
        let is_known = |block: &&String| self.known.iter().any(|known| known == *block);
        let mut asked: Vec<String> = request.iter().filter(is_known).cloned().collect();
        asked.sort();
        asked
    }
}

#[test]
fn windows_are_what_servers_received() {
    let (mut trees, mut windows, mut failures) = (0, 0, Vec::new());
    for (name, folder) in common::client_trees() {
        let Some(tree) = Tree::read(&folder) else { continue };
        trees += 1;
        // Each request has one answer.
        let mut open: Vec<Vec<String>> = tree.requests.iter().map(|request| tree.asked(request)).collect();
        for session in 0..tree.corpus.sessions.len() {
            let graph = Graph::of(&tree.corpus, session);
            let lanes = lanes(&tree.corpus, &graph, session);
            let own = |step: &&Step| !step.inherited;
            // Requests for a summary are recorded in part.
            let lanes = lanes.iter().filter(|lane| lane.kind != LaneKind::SideRequest);
            for step in lanes.flat_map(|lane| &lane.steps).filter(own) {
                let at = graph.find(tree.corpus.entry(step.at).node).unwrap();
                let window = window(&tree.corpus, &graph, &Disk, session, at);
                assert_eq!(window.answer, Some(step.response), "{name}");
                windows += 1;
                let said = tree.said(&graph, &window);
                let in_time: Vec<String> = said
                    .iter()
                    .filter(|text| (name.as_str(), text.as_str()) != WRITTEN_LATE)
                    .cloned()
                    .collect();
                match open.iter().position(|asked| [&said, &in_time].contains(&asked)) {
                    Some(place) => drop(open.remove(place)),
                    None => failures.push(format!("{name}: {said:?}")),
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!((trees, windows), if common::shared().is_some() { (8, 36) } else { (5, 23) });
}

/// The estimate of what is recorded and what the first prompt held beyond that make up the measured prompt.
#[test]
fn parts_add_up_to_measured_prompts() {
    let Some(shared) = common::shared() else { return };
    let corpus = common::corpus(&shared.join("real/dot-claude"));
    let mut ratios = Vec::new();
    for session in 0..corpus.sessions.len() {
        if corpus.sessions[session].main.is_none() {
            continue;
        }
        let graph = Graph::of(&corpus, session);
        let Some(at) = last_request(&corpus, &graph, &report(&corpus, &graph, session)) else { continue };
        let window = window(&corpus, &graph, &Disk, session, at);
        // Where earlier entries are missing nothing can add up.
        if let (Some(measured), Some(unrecorded)) = (window.measured, window.unrecorded) {
            ratios.push((window.recorded() + unrecorded) * 100 / measured);
        }
    }
    ratios.sort_unstable();
    let middle = ratios[ratios.len() / 2];
    let near = ratios.iter().filter(|ratio| (85..=115).contains(*ratio)).count();
    assert!((95..=105).contains(&middle), "half of all are below {middle} %");
    assert!(near * 10 >= ratios.len() * 8, "{near} of {}", ratios.len());
}

/// By hand: a first prompt of 1,000 tokens of which 3 + 6 stand in the transcript, then one of 1,100 with 9 + 12 more.
#[test]
fn what_is_recorded_and_what_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("projects/-made");
    fs::create_dir_all(&store).unwrap();
    let line = |value: Value| value.to_string() + "\n";
    let answer = |n: u32, text: &str, prompt: u64| {
        line(
            json!({"type": "assistant", "uuid": format!("u{n}"), "parentUuid": format!("u{}", n - 1), "version": "2.1.332",
            "message": {"id": format!("m{n}"), "model": "claude-opus-4-6", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}],
                "usage": {"input_tokens": prompt, "output_tokens": 9}}}),
        )
    };
    // An ASCII character is three eighths of a token.
    let attachment = json!({"type": "instructions", "files": [{"path": "/p/CLAUDE.md", "type": "Project", "content": "a".repeat(8)}]});
    let text = line(
        json!({"type": "user", "uuid": "u1", "parentUuid": null, "message": {"content": "a".repeat(8)}}),
    ) + &line(
        json!({"type": "attachment", "uuid": "u2", "parentUuid": "u1", "attachment": attachment,
            "rendered": [{"content": "b".repeat(16)}]}),
    ) + &answer(3, &"c".repeat(24), 1_000)
        + &line(
            json!({"type": "user", "uuid": "u4", "parentUuid": "u3", "message": {"content": "d".repeat(32)}}),
        )
        + &answer(5, "e", 1_100);
    fs::write(store.join("s1.jsonl"), text).unwrap();
    let corpus = common::corpus(folder.path());
    let graph = Graph::of(&corpus, 0);
    let window = |id: &str| window(&corpus, &graph, &Disk, 0, graph.find(corpus.nodes.find(id)).unwrap());
    let first = window("u3");
    assert_eq!((first.measured, first.recorded(), first.unrecorded), (Some(1_000), 9, Some(991)));
    assert_eq!(first.difference(), Some(0));
    let second = window("u5");
    assert_eq!((second.measured, second.first, second.unrecorded), (Some(1_100), Some(1_000), Some(991)));
    let parts: Vec<(PartKind, u128)> = second.parts.iter().map(|part| (part.kind, part.tokens)).collect();
    assert_eq!(
        parts,
        [
            (PartKind::Instructions, 3),
            (PartKind::Attachment, 3),
            (PartKind::Prompt, 15),
            (PartKind::Answer, 9),
        ]
    );
    assert_eq!(second.difference(), Some(1_100 - 991 - 30));
    // Its text is asked for before an answer exists: the request is the one that follows.
    assert_eq!(window("u4").answer, second.answer);
}

/// An agent that was interrupted before its first answer, and every entry of every recording.
#[test]
fn every_entry_has_a_window() {
    let folder = tempfile::tempdir().unwrap();
    let side = folder.path().join("projects/-made/s1/subagents");
    fs::create_dir_all(&side).unwrap();
    let line =
        |id: &str| json!({"type": "user", "uuid": id, "parentUuid": null, "message": {"content": "x"}});
    fs::write(folder.path().join("projects/-made/s1.jsonl"), line("m1").to_string()).unwrap();
    fs::write(side.join("agent-a1.jsonl"), line("a1").to_string()).unwrap();
    let corpus = common::corpus(folder.path());
    let graph = Graph::of(&corpus, 0);
    let asked = window(&corpus, &graph, &Disk, 0, graph.find(corpus.nodes.find("a1")).unwrap());
    assert_eq!((asked.answer, asked.rows, asked.end), (None, vec![1], End::Top));
    for tree in common::client_trees().into_values().map(|folder| folder.join(".claude")) {
        if !tree.is_dir() {
            continue;
        }
        let corpus = common::corpus(&tree);
        for session in 0..corpus.sessions.len() {
            let graph = Graph::of(&corpus, session);
            for row in (0..).take(graph.nodes.len()) {
                let window = window(&corpus, &graph, &Disk, session, row);
                let file = graph.node(row).at.file;
                assert!(window.rows.iter().all(|&row| graph.node(row).at.file == file), "{}", tree.display());
            }
        }
    }
}
