//! Made-up sessions with one thing in each: what the graph makes of it is worked out by hand.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::fs;

use ccaudit::analysis::dag::resume::{self, Reason};
use ccaudit::analysis::dag::{self, Class, Graph, Listed, Verdict};
use ccaudit::model::Corpus;
use ccaudit::prices::PriceTable;
use ccaudit::source::Disk;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A session under construction; times are a second apart.
#[derive(Default)]
struct Made {
    lines: Vec<Value>,
}

impl Made {
    fn put(&mut self, kind: &str, id: &str, parent: Option<&str>, more: Value) {
        let second = self.lines.len();
        let mut line = json!({"type": kind, "uuid": id, "parentUuid": parent, "version": "2.1.332",
            "sessionId": "s1", "timestamp": format!("2026-08-01T10:{:02}:{:02}.000Z", second / 60, second % 60)});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.lines.push(line);
    }

    fn prompt(&mut self, id: &str, parent: Option<&str>) {
        self.put("user", id, parent, json!({"message": {"role": "user", "content": id}}));
    }

    /// An answer of 10 prompt and 5 output tokens, with a call where one is named.
    fn answer(&mut self, id: &str, parent: &str, call: Option<(&str, &str)>) {
        let block = match call {
            Some((call, tool)) => json!({"type": "tool_use", "id": call, "name": tool, "input": {}}),
            None => json!({"type": "text", "text": id}),
        };
        let message = json!({"id": format!("m-{id}"), "model": "claude-opus-4-6", "role": "assistant",
            "stop_reason": "end_turn", "content": [block], "usage": {"input_tokens": 10, "output_tokens": 5}});
        self.put("assistant", id, Some(parent), json!({"message": message}));
    }

    fn result(&mut self, id: &str, parent: &str, call: &str, agent: Option<&str>) {
        let block = json!({"type": "tool_result", "tool_use_id": call, "content": "done"});
        let more =
            json!({"message": {"role": "user", "content": [block]}, "toolUseResult": {"agentId": agent}});
        self.put("user", id, Some(parent), more);
    }

    fn boundary(&mut self, id: &str, before: &str) {
        let meta = json!({"trigger": "auto", "preTokens": 100});
        let more =
            json!({"subtype": "compact_boundary", "logicalParentUuid": before, "compactMetadata": meta});
        self.put("system", id, None, more);
        let summary = json!({"isCompactSummary": true, "message": {"role": "user", "content": "so far"}});
        self.put("user", &format!("{id}-summary"), Some(id), summary);
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| line.to_string() + "\n").collect()
    }
}

fn tree(main: &Made, agents: &[(&str, &Made)]) -> (TempDir, Corpus) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("projects/-made");
    let side = store.join("s1/subagents");
    fs::create_dir_all(&side).unwrap();
    fs::write(store.join("s1.jsonl"), main.text()).unwrap();
    for (name, agent) in agents {
        fs::write(side.join(format!("agent-{name}.jsonl")), agent.text()).unwrap();
    }
    let corpus = common::corpus(folder.path());
    (folder, corpus)
}

fn listed(corpus: &Corpus) -> Listed {
    dag::list(corpus, &Disk, &PriceTable::builtin()).remove(0)
}

fn rules(corpus: &Corpus) -> Vec<&'static str> {
    dag::findings(corpus, &Disk).iter().map(|finding| finding.rule.id).collect()
}

/// 10 + 5 tokens each.
fn responses(count: u128) -> u128 {
    15 * count
}

fn spent(listed: &Listed) -> u128 {
    listed.spent.tokens.prompt() + listed.spent.tokens.output
}

#[test]
fn a_rewind_before_a_compaction_is_left_behind() {
    let mut made = Made::default();
    made.prompt("p1", None);
    made.answer("a1", "p1", None);
    made.prompt("old", Some("a1"));
    made.answer("old-a", "old", None);
    made.prompt("new", Some("a1"));
    made.answer("new-a", "new", None);
    made.boundary("b", "new-a");
    made.prompt("p2", Some("b-summary"));
    made.answer("a2", "p2", None);
    let (_folder, corpus) = tree(&made, &[]);
    let found = listed(&corpus);
    assert_eq!((found.report.abandoned.nodes, found.connected, found.main), (2, 8, 10));
    assert_eq!(spent(&found), responses(1));
    assert_eq!(found.report.verdict(), Verdict::Sound);
}

/// What goes on from before a compaction skips the compaction and all behind it.
#[test]
fn a_jump_over_a_compaction_leaves_it_behind() {
    let mut made = Made::default();
    made.prompt("p1", None);
    made.answer("a1", "p1", None);
    made.boundary("b", "a1");
    made.prompt("p2", Some("b-summary"));
    made.answer("a2", "p2", None);
    made.prompt("p3", Some("a1"));
    made.answer("a3", "p3", None);
    let (_folder, corpus) = tree(&made, &[]);
    let found = listed(&corpus);
    let classes: Vec<Class> = found.report.branches.iter().map(|branch| branch.class).collect();
    assert_eq!(classes, [Class::Replay]);
    assert_eq!((found.report.abandoned.nodes, found.connected), (4, 4));
    assert_eq!(found.report.verdict(), Verdict::Skips);
    assert_eq!(rules(&corpus), ["jump-over-boundary"]);
    // Clients that repair links have put away what stands before the compaction; older ones walk on.
    let graph = Graph::of(&corpus, 0);
    let sent = |client| {
        let resume = resume::resume(&corpus, &graph, resume::choose(client));
        resume.entries.iter().map(|(at, _)| corpus.nodes.text(corpus.entry(*at).node)).collect::<Vec<_>>()
    };
    assert_eq!(sent("2.1.87"), ["p1", "a1", "p3", "a3"]);
    assert_eq!(sent("2.1.332"), ["b-summary", "p2", "a2", "p3", "a3"]);
}

#[test]
fn agents_of_agents_of_a_branch_cost_as_well() {
    let mut made = Made::default();
    made.prompt("p1", None);
    made.answer("a1", "p1", None);
    made.prompt("old", Some("a1"));
    made.answer("old-a", "old", Some(("c1", "Agent")));
    made.result("old-r", "old-a", "c1", Some("x1"));
    made.prompt("new", Some("a1"));
    made.answer("new-a", "new", None);
    let mut first = Made::default();
    first.prompt("x1-p", None);
    first.answer("x1-a", "x1-p", Some(("c2", "Agent")));
    first.result("x1-r", "x1-a", "c2", Some("x2"));
    let mut second = Made::default();
    second.prompt("x2-p", None);
    second.answer("x2-a", "x2-p", None);
    let (_folder, corpus) = tree(&made, &[("x1", &first), ("x2", &second)]);
    let found = listed(&corpus);
    assert_eq!((found.report.abandoned.nodes, spent(&found)), (3, responses(3)));
}

/// Two of them, typed one after the other while a tool ran.
#[test]
fn queued_prompts_do_not_come_back() {
    let mut made = Made::default();
    made.prompt("p1", None);
    made.answer("a1", "p1", Some(("c1", "Bash")));
    made.prompt("q1", Some("a1"));
    made.prompt("q2", Some("q1"));
    made.result("r1", "a1", "c1", None);
    made.answer("a2", "r1", None);
    let (_folder, corpus) = tree(&made, &[]);
    let resume = resume::resume(&corpus, &Graph::of(&corpus, 0), resume::choose("2.1.332"));
    let lost = resume.dropped.iter().filter(|(_, reason)| *reason == Reason::QueuedPrompt);
    let lost: Vec<String> = lost.map(|(at, _)| corpus.nodes.text(corpus.entry(*at).node)).collect();
    assert_eq!(lost, ["q1", "q2"]);
    assert_eq!(rules(&corpus), ["lost-on-resume"]);
    assert_eq!(listed(&corpus).report.branches[0].class, Class::QueuedPrompt);
}

#[test]
fn copies_of_a_call_do_not_claim_an_agent() {
    let mut made = Made::default();
    made.prompt("p1", None);
    made.answer("a1", "p1", Some(("c1", "Agent")));
    made.result("r1", "a1", "c1", Some("x1"));
    made.answer("a2", "r1", None);
    let mut agent = Made::default();
    agent.prompt("x-p", None);
    agent.answer("x-a", "x-p", Some(("c9", "Read")));
    agent.result("x-r", "x-a", "c9", None);
    // The request for a summary repeats the call of the main transcript.
    let copy = Made { lines: made.lines[..2].to_vec() };
    let all: [(&str, &Made); 3] = [("x1", &agent), ("lone", &agent), ("acompact-1", &copy)];
    for agents in [&all[..2], &all] {
        let (_folder, corpus) = tree(&made, agents);
        assert!(rules(&corpus).contains(&"agent-without-parent"), "{}", agents.len());
    }
}

/// An entry with two calls of which one is linked: the other may have started the agent that nothing names.
#[test]
fn a_call_beside_a_linked_one_may_have_started_an_agent() {
    let mut made = Made::default();
    made.prompt("p1", None);
    made.answer("a1", "p1", Some(("c1", "Agent")));
    let second = json!({"type": "tool_use", "id": "c2", "name": "Agent", "input": {}});
    made.lines[1]["message"]["content"].as_array_mut().unwrap().push(second);
    made.result("r1", "a1", "c1", Some("x1"));
    let mut agent = Made::default();
    agent.prompt("x-p", None);
    agent.answer("x-a", "x-p", Some(("c9", "Read")));
    agent.result("x-r", "x-a", "c9", None);
    let (_folder, corpus) = tree(&made, &[("x1", &agent), ("lone", &agent)]);
    assert!(!rules(&corpus).contains(&"agent-without-parent"));
    let (_folder, corpus) = tree(&made, &[("x1", &agent), ("lone", &agent), ("more", &agent)]);
    assert!(rules(&corpus).contains(&"agent-without-parent"));
}

/// What stands before a compaction is guessed from the file where no link tells; its branches count all the same.
#[test]
fn a_rewind_before_a_compaction_without_a_link() {
    let mut made = Made::default();
    made.prompt("p1", None);
    made.answer("a1", "p1", None);
    made.prompt("old", Some("a1"));
    made.answer("old-a", "old", None);
    made.prompt("new", Some("a1"));
    made.answer("new-a", "new", None);
    made.boundary("b", "nowhere");
    made.prompt("p2", Some("b-summary"));
    let (_folder, corpus) = tree(&made, &[]);
    let found = listed(&corpus);
    assert_eq!((found.report.abandoned.nodes, found.connected, found.main), (2, 7, 9));
}

/// Other words of the same length, in another file and in the same.
#[test]
fn copies_that_say_something_else() {
    let mut made = Made::default();
    made.prompt("hello", None);
    made.answer("a1", "hello", None);
    let mut other = Made { lines: vec![made.lines[0].clone()] };
    for same in [true, false] {
        let said = if same { "hello" } else { "HALLO" };
        other.lines[0]["message"]["content"] = said.into();
        // What surrounds it may differ.
        other.lines[0]["version"] = "2.1.300".into();
        let (_folder, corpus) = tree(&made, &[("acompact-1", &other)]);
        assert_eq!(listed(&corpus).differing_copies, u64::from(!same), "{said}");
        assert_eq!(rules(&corpus), if same { vec![] } else { vec!["conflicting-copy"] });
        let twice = Made { lines: made.lines.iter().chain(&other.lines).cloned().collect() };
        let (_folder, corpus) = tree(&twice, &[]);
        assert_eq!(rules(&corpus), if same { vec![] } else { vec!["conflicting-copy"] });
    }
}
