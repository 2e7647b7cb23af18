//! `ccaudit dag`: all sessions.

use std::collections::BTreeMap;

use super::{money, session_cell};
use crate::analysis::dag::{Branch, Class, Listed, Verdict};
use crate::model::Corpus;
use crate::view::{Block, Cell, Column, Names, Note, Table, View};

/// What the list of sessions counts; `prices` is the date of the price table.
#[must_use]
pub fn note(prices: &str) -> Note {
    format!(
        "from leaf: nodes of the main transcript on the chain of the entry that the newest client of the session goes on \
         from, which a compaction ends by design · in all: with what stood before compactions and what hangs on these \
         without being another branch · spent there: list price of the branches left behind and of the agents that they \
         started, prices of {prices} · next: ccaudit dag show SESSION"
    )
    .into()
}

/// All sessions, `limit` of them.
#[must_use]
pub fn list(sessions: &[Listed], corpus: &Corpus, limit: usize, names: &Names) -> View {
    if sessions.is_empty() {
        return View { blocks: vec![Block::Note("no session has entries".into())] };
    }
    let columns = vec![
        Column::left("session", "session", 0),
        Column::right("entries", "entries", 3),
        Column::right("nodes", "nodes", 8),
        Column::right("reachable", "from leaf", 5),
        Column::right("connected", "in all", 1),
        Column::left("branches", "branches", 2),
        Column::right("abandoned_nodes", "left behind", 2),
        Column::right("abandoned_tokens", "tokens there", 8),
        Column::right("abandoned_pico_usd", "spent there", 4),
        Column::right("dangling", "dangling", 5),
        Column::right("dangling_logical", "logical", 7),
        Column::right("cycles", "cycles", 7),
        Column::right("copies", "copies", 7),
        Column::right("unmatched_calls", "open calls", 6),
        Column::right("boundaries", "compactions", 4),
        Column::right("jumps", "jumps", 6),
        Column::left("verdict", "verdict", 0),
    ];
    let rows: Vec<Vec<Cell>> = sessions.iter().take(limit).map(|listed| row(listed, corpus, names)).collect();
    let hidden_rows = sessions.len() - rows.len();
    let table = Table { key: "sessions", columns, rows, hidden_rows, ..Table::default() };
    View { blocks: vec![Block::Lead(summary(sessions)), Block::Table(table)] }
}

fn row(Listed { report, main, connected, spent, .. }: &Listed, corpus: &Corpus, names: &Names) -> Vec<Cell> {
    let count = |n: usize| Cell::Count(n as u128);
    vec![
        session_cell(&corpus.sessions[report.session].id, names),
        Cell::Count(u128::from(report.entries)),
        Cell::Count(u128::from(report.nodes)),
        Cell::Share { num: report.active_chain.len() as u128, den: u128::from(*main) },
        Cell::Share { num: u128::from(*connected), den: u128::from(*main) },
        Cell::text(by_class(&report.branches)),
        Cell::Count(u128::from(report.abandoned.nodes)),
        Cell::Tokens(spent.tokens.prompt() + spent.tokens.output),
        money(spent),
        count(report.dangling.len()),
        count(report.logical.iter().filter(|logical| logical.is_dangling()).count()),
        count(report.cycles.len()),
        Cell::Count(u128::from(report.copies)),
        count(report.unmatched.overall.len()),
        count(report.boundaries.len()),
        count(report.jumps.len()),
        Cell::text(verdict(report.verdict())),
    ]
}

fn summary(sessions: &[Listed]) -> Note {
    let mut verdicts: BTreeMap<Verdict, u128> = BTreeMap::new();
    for listed in sessions {
        *verdicts.entry(listed.report.verdict()).or_default() += 1;
    }
    let mut summary = Vec::new();
    for (at, (found, sessions)) in verdicts.into_iter().rev().enumerate() {
        let gap = if at == 0 { "" } else { " · " };
        summary.extend([Cell::text(gap), Cell::Count(sessions), Cell::text(format!(" {}", verdict(found)))]);
    }
    Note(summary)
}

/// `2 rewinds, 31 tools`: how many there are of each class, those that left something behind first.
fn by_class(branches: &[Branch]) -> String {
    let mut classes: BTreeMap<(bool, Class), usize> = BTreeMap::new();
    for branch in branches {
        *classes.entry((!branch.class.is_real(), branch.class)).or_default() += 1;
    }
    let words = classes.into_iter().map(|((_, class), count)| {
        let (one, many) = class_words(class);
        format!("{count} {}", if count == 1 { one } else { many })
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A class of branches in words: one, and several.
pub(super) const fn class_words(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::ParallelCalls => ("parallel call", "parallel calls"),
        Class::Progress => ("progress record", "progress records"),
        Class::SideRecords => ("side record", "side records"),
        Class::Sidechain => ("sidechain", "sidechains"),
        Class::Retry => ("retry", "retries"),
        Class::Rewind => ("rewind", "rewinds"),
        Class::QueuedPrompt => ("queued prompt", "queued prompts"),
        Class::TwoProcesses => ("pair of processes", "pairs of processes"),
        Class::Replay => ("replay", "replays"),
        Class::Fork => ("fork", "forks"),
    }
}

/// A verdict in words.
const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Sound => "sound",
        Verdict::Incomplete => "a parent is missing",
        Verdict::Skips => "skips what a compaction left",
        Verdict::Repaired => "repaired on resume",
        Verdict::Cycle => "links in a circle",
        Verdict::HistoryLost => "history is lost on resume",
    }
}
