//! Trees written by real clients that talked to a scripted server, against what the client itself recorded.
//!
//! A few small ones lie in `tests/client/`; `CCAUDIT_SHARED` names the folder with all of them. A name without `@` is
//! of client 2.1.332, the one that writes its running total into the transcript.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::fs;

use ccaudit::load::{self, Options, Silent};
use ccaudit::model::{Corpus, FileId, Kind, Response, Session};
use ccaudit::prices::PriceTable;
use ccaudit::prices::Pricer;
use serde_json::Value;

/// What the scripted server says that a request used unless told otherwise, at the price of the default model. The
/// client adds it to its total for a summary request, which leaves no response in the transcript.
const SUMMARY_REQUEST: u128 = 1_140_000_000;

/// One recorded tree.
struct Tree {
    name: String,
    corpus: Corpus,
    expected: Value,
}

/// All trees at hand whose name, without version, passes.
fn trees(wanted: impl Fn(&str) -> bool) -> Vec<Tree> {
    let mut trees = Vec::new();
    for (name, folder) in common::client_trees() {
        let tree = folder.join(".claude");
        if !wanted(name.split('@').next().unwrap()) || !tree.is_dir() {
            continue;
        }
        let corpus = load::corpus(&[tree], &Options::with_threads(2), &Silent).unwrap();
        let expected = fs::read(folder.join("expected.json"))
            .map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap());
        trees.push(Tree { name, corpus, expected });
    }
    assert!(!trees.is_empty(), "no tree at hand");
    trees
}

#[test]
fn every_byte_is_an_entry_an_issue_or_blank() {
    for Tree { name, corpus, .. } in trees(|_| true) {
        assert_eq!(common::unaccounted_bytes(&corpus), [""; 0], "{name}");
        assert_eq!(corpus.tree_issues, [], "{name}");
    }
}

#[test]
fn only_damaged_trees_have_issues() {
    // The trees that were damaged on purpose, by name.
    let damaged = ["f_torn", "f_garbage", "s_bom_first_line"];
    for Tree { name, corpus, .. } in trees(|name| !damaged.contains(&name)) {
        for file in corpus.transcript_files() {
            assert_eq!(corpus.transcript(file).issues, [], "{name}: {}", corpus.file(file).path);
        }
    }
}

/// Sessions that went through without a kill, an error or an edit: the list price of the responses is what the
/// client counted, to the pico-dollar.
#[test]
fn cost_is_what_the_client_counted() {
    let whole = ["a_chat", "b_tools", "c_subagents", "d_blocks", "e_auto", "e_manual", "h_dirs"];
    for tree in trees(|name| whole.contains(&name) || name.starts_with("g_")) {
        if tree.name.contains('@') {
            continue;
        }
        let mut compared = 0;
        for session in &tree.corpus.sessions {
            let Some(total) = client_total(&tree.corpus, session) else { continue };
            let summaries = SUMMARY_REQUEST * compactions(&tree.corpus, session);
            let ours = cost(&tree.corpus, &responses(&tree.corpus, session));
            assert_eq!(ours + summaries, total, "{}: {}", tree.name, session.id);
            compared += 1;
        }
        let all = tree.corpus.sessions.iter().filter(|session| session.main.is_some()).count();
        assert_eq!(compared, all, "{}: sessions with a total of the client", tree.name);
    }
}

/// The last total in a session's transcript, read without our parser.
fn client_total(corpus: &Corpus, session: &Session) -> Option<u128> {
    let main = session.main?;
    let text = fs::read_to_string(&corpus.file(main).disk).unwrap();
    let mut totals = text.lines().filter_map(|line| {
        let record: Value = serde_json::from_str(line).ok()?;
        (record["type"] == "cost-state").then(|| record["totalCostUSD"].as_f64().unwrap())
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few dollars at most")]
    let total = totals.next_back().map(|dollars| (dollars * 1e12).round() as u128)?;
    let parsed = corpus.transcript(main).costs.last().map(|state| u128::from(state.total));
    assert_eq!(parsed, Some(total), "{}: the total as we read it", session.id);
    Some(total)
}

fn compactions(corpus: &Corpus, session: &Session) -> u128 {
    let rows = corpus.transcript(session.main.unwrap());
    rows.entries.iter().filter(|entry| rows.boundary(entry).is_some()).count() as u128
}

/// The responses that a session's transcripts show, its own and inherited ones: a fork starts from the total of the
/// session it was made from.
fn responses<'a>(corpus: &'a Corpus, session: &Session) -> Vec<&'a Response> {
    let agents = session.agents.iter().map(|&row| corpus.agents[row].file);
    let files: Vec<FileId> = session.main.into_iter().chain(agents).collect();
    let shown = |response: &&Response| files.iter().any(|&file| holds(corpus, file, response));
    corpus.responses.iter().filter(shown).collect()
}

/// Whether a transcript holds an entry of a response.
fn holds(corpus: &Corpus, file: FileId, response: &Response) -> bool {
    let rows = corpus.transcript(file);
    rows.entries.iter().filter_map(|entry| rows.answer(entry)).any(|answer| answer.message == response.id)
}

fn cost(corpus: &Corpus, responses: &[&Response]) -> u128 {
    let prices = PriceTable::builtin();
    let pricer = Pricer::new(corpus, &prices);
    responses.iter().map(|response| pricer.price(response).unwrap().cost.total()).sum()
}

/// The server counted the requests; each one that was answered is one response.
#[test]
fn responses_are_the_requests_of_the_server() {
    let whole = ["a_chat", "b_tools", "c_subagents", "d_blocks", "d_slow"];
    for Tree { name, corpus, expected } in trees(|name| whole.contains(&name)) {
        let lists = ["requests_in_order", "main_requests", "sub_requests", "true_calls"];
        let requests: usize = lists.iter().filter_map(|key| expected[key].as_array()).map(Vec::len).sum();
        assert!(requests > 0, "{name}: no list of requests");
        assert_eq!(corpus.responses.len(), requests, "{name}");
    }
}

/// The session that was forked owns what the fork copied; the fork owns what it added.
#[test]
fn the_original_owns_copied_responses() {
    for Tree { name, corpus, expected } in trees(|name| matches!(name, "a_chat" | "m_fork_branchy")) {
        let id = |original: &Value, other: &Value| {
            original.as_str().or_else(|| other.as_str()).map(ToOwned::to_owned).unwrap()
        };
        let original = main_of(&corpus, &id(&expected["sessions"]["original"], &expected["session"]));
        let fork = main_of(&corpus, &id(&expected["sessions"]["fork"], &expected["fork"]));
        let mut both = 0;
        for response in &corpus.responses {
            let text = corpus.strings.text(response.id);
            let (in_original, in_fork) = (holds(&corpus, original, response), holds(&corpus, fork, response));
            let owner = if in_original { original } else { fork };
            assert!(in_original || in_fork, "{name}: {text} is in neither");
            assert_eq!(response.owner, owner, "{name}: owner of {text}");
            assert_eq!(response.inherited > 0, in_original && in_fork, "{name}: copies of {text}");
            both += usize::from(in_original && in_fork);
        }
        assert!(both > 0, "{name}: the fork copied nothing");
        assert!(both < corpus.responses.len(), "{name}: the fork added nothing");
    }
}

fn main_of(corpus: &Corpus, session: &str) -> FileId {
    corpus.sessions.iter().find(|row| row.id == session).and_then(|row| row.main).unwrap()
}

/// Answers of several blocks: one response for each call, with the usage that the server sent. Output that the
/// client never recorded is marked.
#[test]
fn usage_is_what_the_server_sent() {
    for Tree { name, corpus, expected } in trees(|name| matches!(name, "d_blocks" | "d_slow")) {
        let calls = expected["true_calls"].as_array().unwrap();
        assert_eq!(corpus.responses.len(), calls.len(), "{name}");
        // In order: the server numbers its answers, and side requests of the client take numbers too.
        for (response, call) in corpus.responses.iter().zip(calls) {
            let (id, n) = (corpus.strings.text(response.id), |key: &str| call[key].as_u64().unwrap());
            let usage = &response.usage;
            assert_eq!(usage.input, n("input_tokens"), "{name}: {id}");
            assert_eq!(usage.read, n("cache_read"), "{name}: {id}");
            assert_eq!(usage.written(), u128::from(n("cache_creation")), "{name}: {id}");
            assert_eq!((usage.write_5m, usage.write_1h), (n("cc5m"), n("cc1h")), "{name}: {id}");
            assert_eq!(response.flags.lower_bound, usage.output != n("output"), "{name}: {id}: {response:?}");
            assert!(usage.output <= n("output"), "{name}: {id}");
        }
        compare_lines(&name, &corpus, &expected);
    }
}

/// Every assistant line is there, and belongs to the response whose id it names.
fn compare_lines(name: &str, corpus: &Corpus, expected: &Value) {
    let rows = corpus.transcript(main_of(corpus, expected["session"].as_str().unwrap()));
    let text = |sym| corpus.strings.text(sym);
    let ours: Vec<_> = rows
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Assistant)
        .map(|entry| (rows.answer(entry).unwrap(), rows.usage(entry).unwrap()))
        .map(|(answer, usage)| {
            (text(answer.message), text(answer.request), text(answer.stop_reason), usage.output)
        })
        .collect();
    let lines = expected["assistant_lines"].as_array().unwrap();
    let field = |line: &'_ Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    assert_eq!(ours.len(), lines.len(), "{name}");
    for (ours, line) in ours.iter().zip(lines) {
        let (id, request, stop) = (field(line, "message_id"), field(line, "requestId"), field(line, "stop"));
        let output = line["usage"]["output_tokens"].as_u64().unwrap();
        assert_eq!(
            *ours,
            (id.as_str(), request.as_str(), stop.as_str(), output),
            "{name}: line {}",
            line["line"]
        );
    }
    for response in &corpus.responses {
        let id = corpus.strings.text(response.id);
        let entries = lines.iter().filter(|line| line["message_id"] == id).count();
        assert_eq!(response.entries as usize, entries, "{name}: entries of {id}");
    }
}
