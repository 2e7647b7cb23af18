//! `ccaudit dag show`

use jiff::tz::TimeZone;

use super::{agent_cell, agent_type, class_words, entry_type, head, money, uuid};
use crate::analysis::dag::Graph;
use crate::analysis::dag::show::{Head, Outline, Part, PartFacts, PartKind, Start, State, Strand};
use crate::model::{Corpus, Time};
use crate::view::{Block, Cell, Column, Names, Note, Table, View, clock, moment};

/// A session as it is to be shown.
pub struct Shown<'a> {
    pub corpus: &'a Corpus,
    pub graph: &'a Graph,
    /// Row in [`Corpus::sessions`].
    pub session: usize,
    pub head: &'a Head,
    pub outline: &'a Outline,
    /// Of each part.
    pub facts: &'a [PartFacts],
    /// What a node says, where that was asked for.
    pub text: Option<&'a dyn Fn(u32) -> String>,
    /// The place of the part of the entry asked for.
    pub around: Option<usize>,
    pub zone: &'a TimeZone,
    pub names: &'a Names,
}

/// Parts before and after the one asked for.
const AROUND: usize = 2;
/// Characters of the conversation that are worth more than other columns.
const LONGEST_LABEL: usize = 36;
/// Strands deeper than this are drawn at this depth.
const DEEPEST: usize = 8;

/// How to read the table; `prices` is the date of the price table.
#[must_use]
pub fn show_note(prices: &str) -> Note {
    format!(
        "prompt: of the last request of the turn · cost: list price of its responses without those of agents, prices of \
         {prices} · compacted: before a compaction that the client goes on from · --branch N shows one branch, --around ENTRY \
         the entries of a turn, --text what was said · next: ccaudit dag context SESSION · ccaudit dag resume SESSION"
    )
    .into()
}

/// The head and the conversation as a tree.
#[must_use]
pub fn show(shown: &Shown<'_>) -> View {
    let mut blocks = vec![Block::Facts(head::facts(shown))];
    if shown.outline.parts.is_empty() {
        blocks.push(Block::Note("no entry of its transcript is part of a conversation".into()));
        return View { blocks };
    }
    blocks.push(Block::Heading("Conversation".into()));
    blocks.push(Block::Table(conversation(shown)));
    if let Some(part) = shown.around {
        blocks.push(Block::Heading(format!("Entries of no. {}", shown.outline.parts[part].number)));
        blocks.push(Block::Table(entries(shown, part)));
    }
    View { blocks }
}

fn conversation(shown: &Shown<'_>) -> Table {
    let least = labels(shown).max().unwrap_or(0).min(LONGEST_LABEL);
    let mut columns = vec![
        Column::right("part", "no.", 0),
        Column::left("what", "conversation", 0).least(least),
        Column::left("start", "start", 5),
        Column::right("took_ms", "took", 4),
        Column::left("entry", "entry", 6),
        Column::right("entries", "entries", 8),
        Column::right("responses", "responses", 7),
        Column::right("calls", "calls", 8),
        Column::right("prompt", "prompt", 3),
        Column::right("output", "output", 4),
        Column::right("cost_pico_usd", "cost", 1),
        Column::left("state", "state", 2),
    ];
    if shown.text.is_some() {
        columns.push(Column::left("text", "text", 0).least(LONGEST_LABEL));
    }
    let near = |at: usize| shown.around.is_none_or(|part| at.abs_diff(part) <= AROUND);
    let mut rows = Vec::new();
    let mut last = None;
    let mut begun = vec![false; shown.outline.strands.len()];
    for (at, part) in shown.outline.parts.iter().enumerate().filter(|(at, _)| near(*at)) {
        let strand = &shown.outline.strands[part.strand];
        if last != Some(part.strand) && (part.strand > 0 || last.is_some()) {
            let name = if begun[part.strand] {
                format!("branch {} goes on", part.strand + 1)
            } else {
                strand_name(strand, part.strand)
            };
            rows.push(line(&columns, &[("what", Cell::text(bars(strand) + &name))]));
        }
        last = Some(part.strand);
        begun[part.strand] = true;
        rows.push(row(shown, at, part, strand));
        for facts in &shown.facts[at].agents {
            let what = format!("{}└ {}", bars(strand), agent_words(facts.agent, shown));
            let cells = [
                ("what", Cell::text(what)),
                ("responses", Cell::Count(u128::from(facts.spend.responses))),
                ("output", Cell::Tokens(facts.spend.tokens.output)),
                ("cost_pico_usd", money(&facts.spend)),
            ];
            rows.push(line(&columns, &cells));
        }
    }
    Table { key: "parts", columns, rows, ..Table::default() }
}

/// A row that fills some of the columns, by their keys.
fn line(columns: &[Column], cells: &[(&str, Cell)]) -> Vec<Cell> {
    let cell = |column: &Column| cells.iter().find(|(key, _)| *key == column.key);
    columns.iter().map(|column| cell(column).map_or(Cell::Empty, |(_, cell)| cell.clone())).collect()
}

fn row(shown: &Shown<'_>, at: usize, part: &Part, strand: &Strand) -> Vec<Cell> {
    let facts = &shown.facts[at];
    let mut row = vec![
        Cell::Count(part.number as u128),
        Cell::text(format!("{}{}", bars(strand), part_name(part.kind))),
        moment(facts.start.map_or(Time::NONE, Time::from_ms), shown.zone),
        Cell::Duration(facts.took),
        uuid(shown.graph.node(part.rows[0]).at, shown.corpus, shown.names),
        Cell::Count(part.rows.len() as u128),
        Cell::Count(u128::from(facts.responses)),
        Cell::Count(u128::from(facts.calls)),
        facts.prompt.map_or(Cell::NotAvailable, Cell::Tokens),
        Cell::Tokens(facts.spend.tokens.output),
        money(&facts.spend),
        Cell::text(state(shown, at)),
    ];
    row.extend(shown.text.map(|text| Cell::text(text(part.lead(shown.corpus, shown.graph)))));
    row
}

/// Characters of what stands in the column of the conversation.
fn labels<'a>(shown: &'a Shown<'_>) -> impl Iterator<Item = usize> + 'a {
    let strands = shown.outline.strands.iter().enumerate().skip(1);
    let strands = strands.map(|(row, strand)| bars(strand) + &strand_name(strand, row));
    let agents = shown.facts.iter().flat_map(|facts| &facts.agents);
    let agents = agents.map(|facts| agent_words(facts.agent, shown));
    strands.chain(agents.map(|agent| format!("└ {agent}"))).map(|label| label.chars().count())
}

fn bars(strand: &Strand) -> String {
    "│ ".repeat((strand.depth as usize).min(DEEPEST))
}

/// What a part is, in a word.
pub(super) const fn part_name(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Opening => "opening",
        PartKind::Turn => "turn",
        PartKind::Compaction => "from a compaction",
    }
}

/// What became of a part, in words; nothing for what goes on.
fn state(shown: &Shown<'_>, at: usize) -> &'static str {
    let facts = &shown.facts[at];
    match shown.outline.state(at) {
        State::Active if facts.inherited > 0 && facts.inherited == facts.responses => "inherited",
        State::Active | State::Agent => "",
        State::Compacted => "compacted",
        State::Beyond => "after the leaf",
        State::LeftBehind => "left behind",
        State::Unconnected => "unconnected",
    }
}

/// What a strand is, with its number.
pub(super) fn strand_name(strand: &Strand, number: usize) -> String {
    let what = match strand.start {
        Start::First | Start::Root => "own start",
        Start::Arm(class) => class_words(class).0,
        Start::Lost => "its parent is missing",
        Start::Circle => "its parents lead in a circle",
        Start::Sidechain => "work of an agent",
    };
    format!("branch {}: {what}", number + 1)
}

pub(super) fn agent_words(agent: usize, shown: &Shown<'_>) -> String {
    let Shown { corpus, names, .. } = shown;
    let Cell::Id { short, .. } = agent_cell(agent, corpus, names) else { return String::new() };
    let kind = agent_type(agent, corpus, names);
    format!("{} {short}", kind.as_deref().unwrap_or("agent"))
}

fn entries(shown: &Shown<'_>, part: usize) -> Table {
    let Shown { corpus, graph, names, .. } = shown;
    let mut columns = vec![
        Column::left("uuid", "entry", 0),
        Column::left("parent", "parent", 1),
        Column::left("type", "type", 0),
        Column::left("time", "time", 2),
        Column::right("bytes", "size", 3),
        Column::right("estimate", "tokens, est.", 1),
    ];
    if shown.text.is_some() {
        columns.push(Column::left("text", "text", 0).least(LONGEST_LABEL));
    }
    let cells = |&row: &u32| {
        let at = graph.node(row).at;
        let entry = corpus.entry(at);
        let parent = graph.node(row).parent.node();
        let mut cells = vec![
            uuid(at, corpus, names),
            parent.map_or(Cell::Empty, |parent| uuid(graph.node(parent).at, corpus, names)),
            Cell::text(entry_type(at, corpus, names)),
            clock(entry.time, shown.zone),
            Cell::Bytes(u64::from(entry.len)),
            Cell::Tokens(u128::from(entry.estimate)),
        ];
        cells.extend(shown.text.map(|text| Cell::text(text(row))));
        cells
    };
    let rows = shown.outline.parts[part].rows.iter().map(cells).collect();
    Table { key: "entries", columns, rows, ..Table::default() }
}
