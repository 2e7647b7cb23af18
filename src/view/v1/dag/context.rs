//! `ccaudit.dag-context/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::dag::Graph;
use crate::analysis::dag::resume::End;
use crate::analysis::dag::window::{Basis, PartKind, Window, WindowPart};
use crate::model::Corpus;
use crate::view::dag::part_label;
use crate::view::{Class, Names};

/// What the model had in its window.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DagContext {
    pub session: String,
    /// The entry that was asked for.
    pub at: String,
    /// The client version whose rules are used.
    pub client: &'static str,
    /// The version itself was never seen.
    pub assumed: bool,
    /// The answer to this prompt; `null` where no request followed.
    pub response: Option<String>,
    /// Prompt tokens of the request, as the API counted them.
    pub measured_prompt: Option<u128>,
    /// The same of the first request of the lane, or the first after the compaction before this one.
    pub first_prompt: Option<u128>,
    /// Tokens of the first prompt beyond the estimated text that is recorded of it: system prompt and tools.
    pub unrecorded: Option<u128>,
    /// Estimated tokens of all parts.
    pub recorded: u128,
    /// The measured prompt less recorded and unrecorded tokens: the error of the estimate, and whatever came and went
    /// without a record.
    pub difference: Option<i128>,
    /// The chain leads to an entry that is not there: what stood before is not recorded.
    pub broken: bool,
    pub parts: Vec<WindowPartV1>,
    /// The entries that it was made of, in the order of the chain; prompts that hang beside it last.
    pub entries: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WindowPartV1 {
    /// `system-prompt`, `tools`, `instructions`, `memory`, `attachment`, `client-message`, `summary`, `kept`, `prompt`,
    /// `other-message`, `answer`, `thinking`, `tool-call` or `tool-result`.
    pub kind: &'static str,
    /// A path for instructions and memories, the type of an attachment.
    pub name: Option<String>,
    pub entries: u64,
    /// Estimated from its text.
    pub tokens: u128,
    /// `sent-text`, or `fields` where the text that was sent stands nowhere.
    pub basis: &'static str,
    pub seen_by_user: bool,
    /// `A`: recorded as sent; `B`: that it was sent is inferred.
    pub tier: &'static str,
}

/// A window as data.
#[must_use]
pub fn dag_context(
    window: &Window,
    session: usize,
    corpus: &Corpus,
    graph: &Graph,
    names: &Names,
) -> DagContext {
    let id = |row: usize| corpus.strings.get(corpus.responses[row].id);
    DagContext {
        session: names.name(Class::Session, &corpus.sessions[session].id),
        at: names.entry(&corpus.nodes, graph.node(window.at).id),
        client: window.choice.generation.seen,
        assumed: window.choice.assumed,
        response: window.answer.and_then(id).map(|id| names.name(Class::Response, id)),
        measured_prompt: window.measured,
        first_prompt: window.first,
        unrecorded: window.unrecorded,
        recorded: window.recorded(),
        difference: window.difference(),
        broken: window.end == End::Broken,
        parts: window.parts.iter().map(|one| part(one, names)).collect(),
        entries: window.rows.iter().map(|&row| names.entry(&corpus.nodes, graph.node(row).id)).collect(),
    }
}

fn part(part: &WindowPart, names: &Names) -> WindowPartV1 {
    WindowPartV1 {
        kind: match part.kind {
            PartKind::SystemPrompt => "system-prompt",
            PartKind::Tools => "tools",
            PartKind::Instructions => "instructions",
            PartKind::Memory => "memory",
            PartKind::Attachment => "attachment",
            PartKind::ClientMessage => "client-message",
            PartKind::Summary => "summary",
            PartKind::Kept => "kept",
            PartKind::Prompt => "prompt",
            PartKind::OtherMessage => "other-message",
            PartKind::Answer => "answer",
            PartKind::Thinking => "thinking",
            PartKind::ToolCall => "tool-call",
            PartKind::ToolResult => "tool-result",
        },
        name: Some(part_label(part, names)).filter(|name| !name.is_empty()),
        entries: part.entries,
        tokens: part.tokens,
        basis: match part.basis {
            Basis::SentText => "sent-text",
            Basis::Fields => "fields",
        },
        seen_by_user: part.seen,
        tier: part.tier.as_str(),
    }
}
