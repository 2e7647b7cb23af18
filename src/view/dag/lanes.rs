//! `ccaudit dag lanes`

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use super::{agent_cell, agent_type, money, session_cell, uuid};
use crate::analysis::dag::{Lane, LaneKind};
use crate::model::{Corpus, Sym, Time};
use crate::prices::Pricer;
use crate::view::{Block, Cell, Class, Column, Names, Note, Table, View, moment};

/// What the columns count; `prices` is the date of the price table.
#[must_use]
pub fn lanes_note(prices: &str) -> Note {
    format!(
        "a lane is a sequence of responses that build on each other's prompts · largest prompt: of one request · cost: \
         list price of what the session owns, advisor calls included, prices of {prices}"
    )
    .into()
}

/// The lanes of a session.
#[must_use]
pub fn lanes(
    lanes: &[Lane],
    session: usize,
    corpus: &Corpus,
    pricer: &Pricer<'_>,
    zone: &TimeZone,
    names: &Names,
) -> View {
    let columns = vec![
        Column::left("lane", "lane", 0),
        Column::left("kind", "kind", 0),
        Column::left("type", "type", 4),
        Column::left("tool", "started by", 3),
        Column::left("call", "in entry", 3),
        Column::left("hangs_on", "hangs on", 8),
        Column::right("responses", "responses", 1),
        Column::right("inherited_responses", "inherited", 7),
        Column::left("models", "models", 8),
        Column::left("first", "first", 6),
        Column::right("took_ms", "took", 6),
        Column::right("largest_prompt", "largest prompt", 4),
        Column::right("written", "written", 4),
        Column::right("read", "read", 5),
        Column::right("output", "output", 2),
        Column::right("cost_pico_usd", "cost", 0),
    ];
    let row = |lane: &Lane| {
        let spend = lane.spend(corpus, pricer);
        let span = lane.span(corpus);
        vec![
            match lane.agent {
                Some(agent) => agent_cell(agent, corpus, names),
                None => session_cell(&corpus.sessions[session].id, names),
            },
            Cell::text(lane_kind(lane.kind)),
            lane.agent.and_then(|agent| agent_type(agent, corpus, names)).map_or(Cell::Empty, Cell::Text),
            Cell::text(tool(lane, corpus, names)),
            lane.call.map_or(Cell::Empty, |at| uuid(at, corpus, names)),
            lane.hangs_on.map_or(Cell::Empty, |at| uuid(at, corpus, names)),
            Cell::Count(lane.steps.len() as u128),
            Cell::Count(lane.steps.iter().filter(|step| step.inherited).count() as u128),
            Cell::text(models(lane, corpus, names)),
            span.map_or(Cell::Unknown, |(start, _)| moment(Time::from_ms(start), zone)),
            span.map_or(Cell::Unknown, |(start, end)| Cell::Duration(end.abs_diff(start))),
            Cell::Tokens(largest_prompt(lane, corpus)),
            Cell::Tokens(spend.tokens.written()),
            Cell::Tokens(spend.tokens.read),
            Cell::Tokens(spend.tokens.output),
            money(&spend),
        ]
    };
    let rows = lanes.iter().map(row).collect();
    let table = Table { key: "lanes", columns, rows, ..Table::default() };
    View { blocks: vec![Block::Table(table)] }
}

/// A kind of lanes in words.
#[must_use]
pub const fn lane_kind(kind: LaneKind) -> &'static str {
    match kind {
        LaneKind::Main => "main thread",
        LaneKind::Agent => "agent",
        LaneKind::Sidechain => "sidechain in main",
        LaneKind::SideRequest => "side request",
    }
}

/// The tools called in the entry that started a lane; empty where nothing is known to have started it.
fn tool(lane: &Lane, corpus: &Corpus, names: &Names) -> String {
    let Some(at) = lane.call else { return String::new() };
    // Calls stand in the order of their entries.
    let calls = &corpus.transcript(at.file).calls;
    let calls = &calls[calls.partition_point(|call| call.entry < at.row)..];
    let calls = calls.iter().take_while(|call| call.entry == at.row);
    let mut tools: Vec<Sym> = calls.map(|call| call.name).collect();
    tools.dedup();
    let tools: Vec<String> =
        tools.into_iter().map(|tool| names.name(Class::Other, corpus.strings.text(tool))).collect();
    tools.join(", ")
}

/// The models of a lane, most frequent first.
fn models(lane: &Lane, corpus: &Corpus, names: &Names) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for step in &lane.steps {
        *counts.entry(corpus.strings.text(corpus.responses[step.response].model)).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.iter().map(|(model, _)| names.name(Class::Model, model)).collect::<Vec<_>>().join(", ")
}

/// Tokens of the largest prompt in a lane.
#[must_use]
pub fn largest_prompt(lane: &Lane, corpus: &Corpus) -> u128 {
    lane.steps.iter().map(|step| corpus.responses[step.response].usage.prompt()).max().unwrap_or(0)
}
