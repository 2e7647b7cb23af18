//! What a window was made of.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::graph::{Graph, Node};
use super::super::record::record;
use super::super::resume::{self, Why};
use crate::model::{Corpus, EntryRef, FileId, Flags, Kind, estimate};
use crate::rule::Tier;
use crate::source::Source;

/// What a part of a window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// The system prompt, out of a snapshot.
    SystemPrompt,
    /// Tool definitions, out of a snapshot.
    Tools,
    /// A file of instructions, such as CLAUDE.md or the index of memories.
    Instructions,
    /// The text of a memory that was recalled.
    Memory,
    /// Anything else that the client attached.
    Attachment,
    /// What the client put in the user's name.
    ClientMessage,
    /// The summary of a compaction.
    Summary,
    /// Entries that the compaction kept word for word.
    Kept,
    /// Prompts of a person.
    Prompt,
    /// Other messages in the user's name: notifications and the output of commands.
    OtherMessage,
    Answer,
    Thinking,
    ToolCall,
    ToolResult,
}

/// How the tokens of a part are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// From the text that was sent.
    SentText,
    /// From the fields of the record: the text that was sent stands nowhere.
    Fields,
}

/// A part of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowPart {
    pub kind: PartKind,
    /// A path for instructions and memories, the type of an attachment; empty for others.
    pub name: String,
    /// Entries of the transcript that it stands in.
    pub entries: u64,
    /// Tokens of its text, estimated.
    pub tokens: u128,
    pub basis: Basis,
    /// The user saw it.
    pub seen: bool,
    /// How sure it is that it was sent.
    pub tier: Tier,
}

/// The parts that these nodes make, by kind, the largest of each first.
pub(super) fn of(
    corpus: &Corpus,
    graph: &Graph,
    source: &dyn Source,
    rows: &[(u32, Why)],
) -> Vec<WindowPart> {
    let mut sums = Sums::default();
    for &(row, why) in rows {
        let at = graph.node(row).at;
        let entry = corpus.entry(at);
        let tokens = u128::from(entry.estimate);
        if why == Why::Kept {
            sums.add(PartKind::Kept, "", tokens, Basis::SentText);
        } else if entry.kind == Kind::Attachment {
            sums.attachment(corpus, source, at);
        } else {
            sums.add(kind(entry.kind, entry.flags), "", tokens, Basis::SentText);
        }
    }
    sums.parts()
}

fn kind(kind: Kind, flags: Flags) -> PartKind {
    match kind {
        Kind::Assistant if flags.has(Flags::CALL) => PartKind::ToolCall,
        Kind::Assistant if flags.has(Flags::THINKING) && !flags.has(Flags::TEXT) => PartKind::Thinking,
        Kind::Assistant => PartKind::Answer,
        _ if flags.has(Flags::SUMMARY) => PartKind::Summary,
        _ if flags.has(Flags::RESULT) => PartKind::ToolResult,
        _ if flags.has(Flags::META) => PartKind::ClientMessage,
        _ if flags.has(Flags::HUMAN) => PartKind::Prompt,
        _ => PartKind::OtherMessage,
    }
}

#[derive(Default)]
struct Sums(BTreeMap<(PartKind, String), WindowPart>);

impl Sums {
    fn add(&mut self, kind: PartKind, name: &str, tokens: u128, basis: Basis) {
        let part = self.0.entry((kind, name.to_owned())).or_insert_with(|| WindowPart {
            kind,
            name: name.to_owned(),
            entries: 0,
            tokens: 0,
            basis,
            seen: is_seen(kind),
            tier: if basis == Basis::SentText { Tier::A } else { Tier::B },
        });
        part.entries += 1;
        part.tokens += tokens;
        if basis == Basis::Fields {
            part.basis = basis;
            part.tier = Tier::B;
        }
    }

    /// Files that an attachment carries are told one by one.
    fn attachment(&mut self, corpus: &Corpus, source: &dyn Source, at: EntryRef) {
        let entry = corpus.entry(at);
        let rows = corpus.transcript(at.file);
        let name = rows.side(entry).map_or("", |side| corpus.strings.text(side.name));
        let basis = if entry.flags.has(Flags::RENDERED) { Basis::SentText } else { Basis::Fields };
        let mut rest = u128::from(entry.estimate);
        for (kind, path, text) in files(name, record(source, corpus, at).as_ref()) {
            let tokens = u128::from(estimate::of(&text)).min(rest);
            rest -= tokens;
            self.add(kind, &path, tokens, basis);
        }
        if rest > 0 {
            self.add(PartKind::Attachment, name, rest, basis);
        }
    }

    fn parts(self) -> Vec<WindowPart> {
        let mut parts: Vec<WindowPart> = self.0.into_values().collect();
        parts.sort_by(|a, b| (a.kind, b.tokens, &a.name).cmp(&(b.kind, a.tokens, &b.name)));
        parts
    }
}

/// Attachments and what the client put in are not shown to the user.
const fn is_seen(kind: PartKind) -> bool {
    !matches!(
        kind,
        PartKind::SystemPrompt
            | PartKind::Tools
            | PartKind::Instructions
            | PartKind::Memory
            | PartKind::Attachment
            | PartKind::ClientMessage
    )
}

/// The files inside an attachment: path and text.
fn files(name: &str, record: Option<&Value>) -> Vec<(PartKind, String, String)> {
    let Some(attachment) = record.and_then(|record| record.get("attachment")) else { return Vec::new() };
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let list = |key: &str| attachment.get(key).and_then(Value::as_array).into_iter().flatten();
    match name {
        "instructions" => list("files")
            .map(|file| (PartKind::Instructions, text(file, "path"), text(file, "content")))
            .collect(),
        "relevant_memories" => list("memories")
            .map(|file| (PartKind::Memory, text(file, "path"), text(file, "content")))
            .collect(),
        "nested_memory" => {
            let inner =
                attachment.get("content").map_or_else(String::new, |content| text(content, "content"));
            vec![(PartKind::Instructions, text(attachment, "path"), inner)]
        }
        _ => Vec::new(),
    }
}

/// The last snapshot of system prompt and tools that a transcript has before a node. The texts were sent, though not
/// with the entry that holds them.
pub(super) fn snapshot(
    corpus: &Corpus,
    graph: &Graph,
    source: &dyn Source,
    file: FileId,
    limit: u32,
) -> Vec<WindowPart> {
    let is_snapshot = |node: &&Node| node.at.file == file && resume::is_snapshot(corpus, node.at);
    let before = &graph.nodes[..(limit as usize).min(graph.nodes.len())];
    let Some(node) = before.iter().rfind(is_snapshot) else { return Vec::new() };
    let Some(record) = record(source, corpus, node.at) else { return Vec::new() };
    let mut sums = Sums::default();
    for (kind, key) in [(PartKind::SystemPrompt, "systemPrompt"), (PartKind::Tools, "tools")] {
        let items =
            record.get("attachment").and_then(|attachment| attachment.get(key)).and_then(Value::as_array);
        let items: Vec<&Value> = items.into_iter().flatten().collect();
        let text = |item: &&Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
        let tokens = items.iter().map(|item| u128::from(estimate::of(&text(item)))).sum();
        if !items.is_empty() {
            sums.add(kind, "", tokens, Basis::SentText);
        }
    }
    sums.parts()
}
