//! One cell as a string: short for people, exact for machines.

use std::borrow::Cow;

use super::{clean, units};
use crate::view::{Cell, Note, Problem, Spark, Table};

/// From nothing to eight eighths.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII: [char; 9] = [' ', '_', '.', ':', '-', '=', '+', '*', '#'];

/// A cell as people read it, clean but not escaped.
pub(super) fn short(cell: &Cell, scale: Spark, unicode: bool) -> String {
    let or_na = |value: Option<String>| value.unwrap_or_else(|| "n/a".to_owned());
    match cell {
        Cell::Empty => String::new(),
        Cell::NotAvailable => "n/a".to_owned(),
        Cell::Unknown => "unknown".to_owned(),
        Cell::Text(text) | Cell::Code(text) | Cell::Id { short: text, .. } => {
            words(text, unicode).into_owned()
        }
        Cell::Number(text) | Cell::Moment { local: text, .. } => text.clone(),
        Cell::Duration(ms) => units::duration(*ms),
        Cell::Count(n) => units::count(*n),
        Cell::Tokens(n) => units::tokens(*n),
        Cell::AtLeastTokens(n) => format!("{} {}", at_least(unicode), units::tokens(*n)),
        Cell::Bytes(n) => units::bytes(*n),
        Cell::Money(pico) => units::money(*pico),
        Cell::AtLeastMoney(pico) => format!("{} {}", at_least(unicode), units::money(*pico)),
        Cell::MoneyDelta(pico) => units::money_delta(*pico),
        Cell::Share { num, den } => or_na(units::percent(*num, *den)),
        Cell::Times { num, den } => or_na(units::times(*num, *den)),
        Cell::Ratio { num, den } => or_na(units::ratio(*num, *den)),
        Cell::Spark(values) => spark(values, scale, unicode),
    }
}

fn at_least(unicode: bool) -> &'static str {
    if unicode { "≥" } else { ">=" }
}

/// A sentence with its numbers in their places.
pub(super) fn sentence(note: &Note, unicode: bool) -> String {
    note.0.iter().map(|cell| short(cell, Spark::Own, unicode)).collect()
}

/// A cell as programs read it: integers in the smallest unit, empty where there is no value.
pub(super) fn exact(cell: &Cell) -> String {
    match cell {
        Cell::Empty | Cell::NotAvailable | Cell::Spark(_) => String::new(),
        Cell::Unknown => "unknown".to_owned(),
        Cell::Text(text) | Cell::Code(text) | Cell::Id { full: text, .. } => text.clone(),
        Cell::Number(text) | Cell::Moment { utc: text, .. } => text.clone(),
        Cell::Duration(ms) => ms.to_string(),
        Cell::Count(n)
        | Cell::Tokens(n)
        | Cell::AtLeastTokens(n)
        | Cell::Money(n)
        | Cell::AtLeastMoney(n) => n.to_string(),
        Cell::Bytes(n) => n.to_string(),
        Cell::MoneyDelta(pico) => pico.to_string(),
        Cell::Share { num, den } | Cell::Times { num, den } | Cell::Ratio { num, den } => {
            units::fraction(*num, *den).unwrap_or_default()
        }
    }
}

/// All rows of a table, then its total, as people read them; every row as long as the columns.
pub(super) fn grid(table: &Table, unicode: bool) -> Vec<Vec<String>> {
    let mut grid = vec![Vec::with_capacity(table.columns.len()); table.rows.len()];
    grid.extend(table.total.iter().map(|_| Vec::new()));
    for index in 0..table.columns.len() {
        let scale = Spark::of(table.rows.iter().filter_map(|row| row.get(index)));
        for (row, out) in table.rows.iter().chain(&table.total).zip(&mut grid) {
            out.push(row.get(index).map_or_else(String::new, |cell| short(cell, scale, unicode)));
        }
    }
    grid
}

/// Words from anywhere, clean; in ASCII where the terminal has no more, as far as the signs are our own.
pub(super) fn words(text: &str, unicode: bool) -> Cow<'_, str> {
    let text = clean::text(text);
    if unicode || text.is_ascii() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '·' | '–' | '—' => out.push('-'),
            '…' => out.push_str("..."),
            '≥' => out.push_str(">="),
            '≤' => out.push_str("<="),
            '→' => out.push_str("->"),
            '×' => out.push('x'),
            '│' => out.push('|'),
            '└' => out.push('`'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Bars stand on zero: as high as their part of the largest, and whatever is more than nothing is seen.
fn spark(values: &[u128], scale: Spark, unicode: bool) -> String {
    let max = match scale {
        Spark::Column { max } => max,
        Spark::Own => 0,
    };
    let max = values.iter().copied().fold(max, u128::max);
    // Eight steps must not overflow; bars do not show the last bits of such numbers.
    let shift = if max > u128::MAX / 8 { 4 } else { 0 };
    let bars = if unicode { BLOCKS } else { ASCII };
    let level = |value: u128| match value {
        0 => 0,
        value => ((value >> shift) * 8).div_ceil((max >> shift).max(1)).clamp(1, 8),
    };
    values.iter().map(|&value| bars[level(value) as usize]).collect()
}

/// What the renderers for people say under a table whose rows a limit has cut.
pub(super) fn hidden_rows(table: &Table) -> Option<String> {
    let word = if table.hidden_earlier { "earlier" } else { "more" };
    (table.hidden_rows > 0).then(|| hidden(table.hidden_rows as u128, word))
}

/// The same for problems of one rule.
pub(super) fn hidden_problems(problem: &Problem) -> Option<String> {
    (problem.more > 0).then(|| hidden(problem.more.into(), &format!("more of {}", problem.rule)))
}

fn hidden(count: u128, what: &str) -> String {
    format!("{} {what} (--limit 0 shows all)", units::count(count))
}
