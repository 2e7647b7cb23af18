//! What `--resume` would send, against what real clients did send.
//!
//! A dozen recordings lie in `tests/client/`; `CCAUDIT_SHARED` names the folder with all of them.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use ccaudit::analysis::dag::Graph;
use ccaudit::analysis::dag::resume::{self, MadeUp, Reason, Resume};
use ccaudit::model::{Corpus, EntryRef, Flags, Kind, NodeId};
use serde_json::Value;

/// How many recordings there are of each version: in `tests/client/`, and in all. Two of them are of a client that found
/// no conversation.
const OWN: [(&str, usize); 4] = [("1.0.128", 2), ("2.1.247", 3), ("2.1.332", 5), ("2.1.87", 2)];
const ALL: [(&str, usize); 4] = [("1.0.128", 6), ("2.1.247", 36), ("2.1.332", 43), ("2.1.87", 34)];

/// In these two answers have the same text, and the recording names the other of the two.
const SAME_TEXT: [&str; 1] = ["f_branch@2.1.87"];

/// In this a prompt was typed while a tool ran, and Esc pressed.
const LOSES_A_PROMPT: &str = "i_queue_esc";

#[test]
fn the_entries_that_clients_sent() {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failures = Vec::new();
    for (name, folder) in common::client_trees() {
        let Some(recording) = Recording::read(&folder, &name) else { continue };
        let count = counts.entry(recording.version.clone()).or_default();
        count.1 += 1;
        match recording.compare() {
            Ok(()) => count.0 += 1,
            Err(difference) => failures.push(format!("{name}: {difference}")),
        }
    }
    let mut out = io::stderr().lock();
    for (version, (equal, all)) in &counts {
        writeln!(out, "{version}: {equal} of {all} recordings").unwrap();
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let found: Vec<(&str, usize)> =
        counts.iter().map(|(version, (equal, _))| (version.as_str(), *equal)).collect();
    assert_eq!(found, if common::shared().is_some() { ALL } else { OWN });
}

struct Recording {
    corpus: Corpus,
    graph: Graph,
    resume: Resume,
    version: String,
    /// The message of each role as sent: text and the entry behind it, for each block.
    sent: Vec<Vec<(String, Option<NodeId>)>>,
    /// No conversation was found.
    refused: bool,
    texts: HashMap<NodeId, String>,
    same_text: bool,
    loses_a_prompt: bool,
    /// The tool results as sent, the long ones cut.
    results: Vec<String>,
}

impl Recording {
    fn read(folder: &Path, name: &str) -> Option<Self> {
        let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).ok()?).unwrap();
        let wire = expected["resume"].get("uuids_in_wire_order")?;
        let corpus = common::corpus(&folder.join(".claude"));
        let id = expected["resume"]["session"].as_str().unwrap();
        let session = corpus.sessions.iter().position(|session| session.id == id).unwrap();
        let main = corpus.sessions[session].main.unwrap();
        let newest = corpus.strings.text(resume::newest_version(&corpus, main)).to_owned();
        let version = expected["version"].as_str().map_or(newest, str::to_owned);
        let graph = Graph::of(&corpus, session);
        let choice = resume::choose(&version);
        assert!(!choice.assumed, "{name}");
        let resume = resume::resume(&corpus, &graph, choice);
        let sent = wire.as_array().into_iter().flatten().map(|message| {
            let blocks = message[1].as_array().unwrap().iter();
            blocks
                .map(|block| {
                    let node = block[2].as_str().map(|id| corpus.nodes.find(id));
                    (block[1].as_str().unwrap_or_default().to_owned(), node)
                })
                .collect()
        });
        let sent = sent.collect();
        let texts = texts(&fs::read(&corpus.file(main).disk).unwrap(), &corpus);
        let messages = expected["resume"]["messages"].as_array().into_iter().flatten();
        let blocks = messages.flat_map(|message| message[1].as_array().into_iter().flatten());
        let results = blocks.filter_map(|block| block.as_str()).filter(|text| text.starts_with("R:"));
        let results = results.map(str::to_owned).collect();
        let loses_a_prompt = name == LOSES_A_PROMPT;
        let same_text = SAME_TEXT.contains(&name);
        Some(Self {
            corpus,
            graph,
            resume,
            version,
            sent,
            refused: wire.is_null(),
            texts,
            same_text,
            loses_a_prompt,
            results,
        })
    }

    fn compare(&self) -> Result<(), String> {
        self.nothing_is_forgotten();
        let is_lost = |(_, reason): &&(EntryRef, Reason)| *reason == Reason::QueuedPrompt;
        let lost = self.resume.dropped.iter().filter(is_lost).count();
        if lost != usize::from(self.loses_a_prompt) {
            return Err(format!("{lost} lost prompts"));
        }
        if self.refused {
            return self.resume.leaf.map_or(Ok(()), |_| Err("a conversation is found".to_owned()));
        }
        let ours = self.resume.entries.iter().map(|(at, _)| self.corpus.entry(*at).node);
        let ours = self.folded(ours.filter(|node| self.counts(*node)));
        let mut theirs = Vec::new();
        for message in &self.sent {
            let with_prompt = message.iter().any(|(text, _)| text == "LABRESUME");
            let known = message.iter().filter_map(|(_, node)| *node).filter(|node| self.counts(*node));
            let known = known.map(|node| self.first_with_the_text(node));
            // Attachments that are not there are made afresh, for the new prompt.
            theirs.extend(known.filter(|node| !with_prompt || self.is_message(*node) || ours.contains(node)));
        }
        theirs.dedup();
        let ours: Vec<NodeId> = ours
            .into_iter()
            .filter(|node| theirs.contains(node) || !self.is_sent_with_other_text(*node))
            .collect();
        if ours != theirs {
            return Err(format!("\n  ours   {}\n  theirs {}", self.show(&ours), self.show(&theirs)));
        }
        self.compare_made_up()
    }

    /// Each node of the file is either sent or dropped for a reason.
    fn nothing_is_forgotten(&self) {
        let Resume { entries, dropped, .. } = &self.resume;
        let sent = entries.iter().map(|(at, _)| *at);
        let mut all: Vec<EntryRef> = sent.chain(dropped.iter().map(|(at, _)| *at)).collect();
        all.sort_unstable();
        let nodes: Vec<EntryRef> =
            self.graph.nodes[..self.graph.main as usize].iter().map(|node| node.at).collect();
        assert_eq!(all, nodes);
    }

    /// What the client makes up is on the wire if and only if we say so.
    fn compare_made_up(&self) -> Result<(), String> {
        let made = |what: MadeUp| self.resume.synthesised.iter().any(|made| made.what == what);
        let is_sent = |text: &str| {
            self.sent.iter().flatten().any(|(sent, node)| node.is_none() && sent.starts_with(text))
        };
        for (what, text) in
            [(MadeUp::Continue, "Continue from where"), (MadeUp::NoResponse, "No response requested.")]
        {
            if made(what) != is_sent(text) {
                return Err(format!("{text}: {} made up, {} sent", made(what), is_sent(text)));
            }
        }
        // A block of a tool names itself by the id of its call.
        let answered =
            self.sent.iter().flatten().filter(|(text, node)| node.is_none() && text.starts_with("toolu_"));
        let answered: Vec<&str> = answered.map(|(id, _)| id.as_str()).collect();
        let calls = self.resume.synthesised.iter().filter_map(|made| match made.what {
            MadeUp::Result(call) => Some(self.corpus.strings.text(call)),
            _ => None,
        });
        let calls: Vec<&str> = calls.collect();
        if answered != calls {
            return Err(format!("results made up for {calls:?}, sent for {answered:?}"));
        }
        Ok(())
    }

    /// Entries that a recording can name: the text of a command stands in no message, and what is sent in the
    /// name of the system is joined with other text.
    fn counts(&self, node: NodeId) -> bool {
        let entry = self.graph.entry(&self.corpus, self.graph.find(node).unwrap());
        match entry.kind {
            Kind::User | Kind::Assistant => true,
            Kind::Attachment => entry.flags.has(Flags::RENDERED) && !entry.flags.has(Flags::AS_SYSTEM),
            _ => false,
        }
    }

    fn is_message(&self, node: NodeId) -> bool {
        let kind = self.graph.entry(&self.corpus, self.graph.find(node).unwrap()).kind;
        matches!(kind, Kind::User | Kind::Assistant)
    }

    /// Texts that the recording does not know again: the client wraps its own notes before it sends them, and some
    /// attachments are written into the tool result before them.
    fn is_sent_with_other_text(&self, node: NodeId) -> bool {
        if !self.is_message(node) {
            return self.results.iter().any(|result| result.contains("<syste"));
        }
        let entry = self.graph.entry(&self.corpus, self.graph.find(node).unwrap());
        let text = self.texts.get(&node).map_or("", String::as_str);
        entry.flags.has(Flags::META)
            && self.sent.iter().flatten().any(|(sent, node)| {
                let inner = sent.strip_prefix("<system-reminder>\n");
                node.is_none() && inner.is_some_and(|inner| text.starts_with(inner))
            })
    }

    /// Consecutive blocks of one entry once. Attachments with one text are one: a recording names the first of
    /// them only.
    fn folded(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
        let mut folded: Vec<NodeId> = nodes.map(|node| self.first_with_the_text(node)).collect();
        folded.dedup();
        folded
    }

    fn first_with_the_text(&self, node: NodeId) -> NodeId {
        let kind = self.graph.entry(&self.corpus, self.graph.find(node).unwrap()).kind;
        if kind != Kind::Attachment && !(self.same_text && kind == Kind::Assistant) {
            return node;
        }
        let same = |other: &&NodeId| self.texts.get(*other) == self.texts.get(&node);
        self.graph.nodes.iter().map(|node| &node.id).find(same).copied().unwrap_or(node)
    }

    fn show(&self, nodes: &[NodeId]) -> String {
        let show = |node: &NodeId| {
            let kind = self.graph.entry(&self.corpus, self.graph.find(*node).unwrap()).kind;
            format!("{:?}:{}", kind, &self.corpus.nodes.text(*node)[..8])
        };
        nodes.iter().map(show).collect::<Vec<_>>().join(" ")
    }
}

/// The first text of each entry that has one.
fn texts(bytes: &[u8], corpus: &Corpus) -> HashMap<NodeId, String> {
    let mut texts = HashMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { continue };
        let Some(id) = value["uuid"].as_str() else { continue };
        let content = &value["message"]["content"];
        let text =
            [&content[0]["text"], content, &value["rendered"][0]["text"], &value["rendered"][0]["content"]];
        let text = text.iter().find_map(|text| text.as_str()).unwrap_or(id);
        texts.entry(corpus.nodes.find(id)).or_insert_with(|| text.to_owned());
    }
    texts
}
