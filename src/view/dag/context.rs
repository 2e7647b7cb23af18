//! `ccaudit dag context`

use super::uuid;
use crate::analysis::dag::Graph;
use crate::analysis::dag::resume::End;
use crate::analysis::dag::window::{Basis, PartKind, Window, WindowPart};
use crate::model::Corpus;
use crate::view::{Block, Cell, Class, Column, Fact, Names, Note, Table, View};

/// How to read the parts.
#[must_use]
pub fn context_note() -> Note {
    "tokens of parts are estimated from their text (ccaudit explain token-estimate), prompts are measured by the API · \
     tier A: recorded as sent, B: inferred · unseen: not shown to the user"
        .into()
}

/// What the model had in its window.
#[must_use]
pub fn context(window: &Window, session: usize, corpus: &Corpus, graph: &Graph, names: &Names) -> View {
    View {
        blocks: vec![
            Block::Facts(facts(window, session, corpus, graph, names)),
            Block::Table(table(window, names)),
        ],
    }
}

fn facts(window: &Window, session: usize, corpus: &Corpus, graph: &Graph, names: &Names) -> Vec<Fact> {
    let fact =
        |key, label: &str, value: Cell, remark: Note| Fact { key, label: label.to_owned(), value, remark };
    let id = names.name(Class::Session, &corpus.sessions[session].id);
    let measured = |tokens: Option<u128>| tokens.map_or(Cell::Unknown, Cell::Tokens);
    let answer = match window.answer {
        Some(row) => names.name(Class::Model, corpus.strings.text(corpus.responses[row].model)),
        None => "no request followed".to_owned(),
    };
    let assumed = if window.choice.assumed { ", assumed" } else { "" };
    let rules = format!("by the rules of client {}{assumed}", window.choice.generation.seen);
    let mut facts = vec![
        fact("session", "Session", Cell::code(id), Note::default()),
        fact("at", "At entry", uuid(graph.node(window.at).at, corpus, names), rules.into()),
        fact("model", "Answered by", Cell::text(answer), Note::default()),
        fact("prompt", "Prompt, measured", measured(window.measured), Note::default()),
        fact(
            "first_prompt",
            "First prompt",
            measured(window.first),
            "measured: that of the first request of this lane, or after its compaction".into(),
        ),
        fact("recorded", "Recorded", Cell::Tokens(window.recorded()), coverage(window)),
    ];
    if window.end == End::Broken {
        let lost = "the chain leads to an entry that is not there: what stood before is not recorded";
        facts.push(fact("missing", "Missing", Cell::Unknown, lost.into()));
    }
    facts
}

fn coverage(window: &Window) -> Note {
    match window.measured {
        None => "estimated; nothing measured it".into(),
        Some(measured) if measured < window.recorded() => {
            "estimated; more than was measured, so the estimate is too high here".into()
        }
        Some(measured) => Note(vec![
            Cell::text("estimated: "),
            Cell::Share { num: window.recorded(), den: measured },
            Cell::text(" of the window"),
        ]),
    }
}

fn table(window: &Window, names: &Names) -> Table {
    let columns = vec![
        Column::left("part", "part", 0),
        Column::left("name", "name", 0),
        Column::right("entries", "entries", 3),
        Column::right("tokens", "tokens", 0),
        Column::right("share", "share", 2),
        Column::left("basis", "estimated by", 1),
        Column::left("tier", "tier", 4),
        Column::left("user", "user", 1),
    ];
    let total = window.total();
    let row = |part: &WindowPart| {
        vec![
            Cell::text(part_words(part.kind)),
            name(part, names),
            Cell::Count(u128::from(part.entries)),
            Cell::Tokens(part.tokens),
            Cell::Share { num: part.tokens, den: total },
            Cell::text(basis_words(part.basis)),
            Cell::text(part.tier.as_str()),
            Cell::text(if part.seen { "" } else { "unseen" }),
        ]
    };
    let has_snapshot =
        window.parts.iter().any(|part| matches!(part.kind, PartKind::SystemPrompt | PartKind::Tools));
    let mut rows: Vec<Vec<Cell>> = window.parts.iter().map(row).collect();
    if let Some(tokens) = window.unrecorded {
        let unrecorded = vec![
            Cell::text("not recorded"),
            Cell::text(if has_snapshot { "beyond the snapshot" } else { "system prompt and tools" }),
            Cell::Empty,
            Cell::Tokens(tokens),
            Cell::Share { num: tokens, den: total },
            Cell::text("first prompt"),
            Cell::text("B"),
            Cell::text("unseen"),
        ];
        rows.insert(0, unrecorded);
    }
    if let Some(difference) = window.difference().filter(|difference| *difference != 0) {
        let what = if difference > 0 { "estimate too low, or no record" } else { "estimate too high" };
        let tokens = difference.unsigned_abs();
        rows.push(vec![
            Cell::text("difference"),
            Cell::text(what),
            Cell::Empty,
            Cell::Tokens(tokens),
            Cell::Share { num: tokens, den: total },
            Cell::text("measured prompt"),
            Cell::Empty,
            Cell::Empty,
        ]);
    }
    Table { key: "parts", columns, rows, empty: "nothing of the window is recorded", ..Table::default() }
}

/// What a part is called: paths by the rules for paths.
#[must_use]
pub fn part_label(part: &WindowPart, names: &Names) -> String {
    match part.kind {
        PartKind::Instructions | PartKind::Memory => names.path(&part.name),
        _ if part.name.is_empty() => String::new(),
        _ => names.name(Class::Type, &part.name),
    }
}

fn name(part: &WindowPart, names: &Names) -> Cell {
    match part_label(part, names) {
        label if label.is_empty() => Cell::Empty,
        label if matches!(part.kind, PartKind::Attachment) => Cell::text(label),
        label => Cell::code(label),
    }
}

/// A kind of parts in words.
const fn part_words(kind: PartKind) -> &'static str {
    match kind {
        PartKind::SystemPrompt => "system prompt",
        PartKind::Tools => "tools",
        PartKind::Instructions => "instructions",
        PartKind::Memory => "memory",
        PartKind::Attachment => "attachment",
        PartKind::ClientMessage => "client message",
        PartKind::Summary => "summary",
        PartKind::Kept => "kept messages",
        PartKind::Prompt => "prompts",
        PartKind::OtherMessage => "other messages",
        PartKind::Answer => "answers",
        PartKind::Thinking => "thinking",
        PartKind::ToolCall => "tool calls",
        PartKind::ToolResult => "tool results",
    }
}

const fn basis_words(basis: Basis) -> &'static str {
    match basis {
        Basis::SentText => "its text",
        Basis::Fields => "its fields",
    }
}
