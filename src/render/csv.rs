//! A view as RFC 4180 blocks: one per table with its own header line, an empty line between two.
//!
//! Integers are exact and in the unit that the column's key names. Totals and charts are left out,
//! because whoever adds up a column must not meet them; notes and counts of rows left out come last, so that no number loses its footing.

use std::borrow::Cow;
use std::io::{self, Write};

use super::cells::{exact, hidden_problems, hidden_rows, sentence};
use super::clean;
use crate::view::{Block, Cell, Role, View};

/// Line end of RFC 4180.
const END: &str = "\r\n";

pub(super) fn write(view: &View, out: &mut dyn Write) -> io::Result<()> {
    let mut blocks = Blocks { out, is_first: true };
    let mut notes = Vec::new();
    for block in &view.blocks {
        match block {
            Block::Heading(_) => {}
            Block::Facts(facts) => {
                blocks.start(&["key", "value"])?;
                for fact in facts.iter().filter(|fact| !matches!(fact.value, Cell::Spark(_))) {
                    blocks.row([field(fact.key), cell(&fact.value)].into_iter())?;
                }
            }
            Block::Table(table) => {
                // What is drawn or added up for people stands in other columns already.
                let is_shown = |index: &usize| !matches!(table.columns[*index].role, Role::Chart | Role::Sum);
                let shown: Vec<usize> = (0..table.columns.len()).filter(is_shown).collect();
                let keys: Vec<&str> = shown.iter().map(|&index| table.columns[index].key.as_ref()).collect();
                blocks.start(&keys)?;
                for row in &table.rows {
                    let cells = shown.iter().map(|&index| row.get(index).map_or_else(String::new, cell));
                    blocks.row(cells)?;
                }
                if let Some(hidden) = hidden_rows(table) {
                    notes.push(format!("{}: {hidden}", table.key));
                }
            }
            Block::Lead(note) | Block::Note(note) => notes.push(sentence(note, true)),
            Block::Problems(problems) => {
                blocks.start(&["level", "rule", "text", "place", "command"])?;
                for problem in problems {
                    let row =
                        [problem.level.word(), problem.rule, &problem.text, &problem.place, &problem.command];
                    blocks.row(row.into_iter().map(field))?;
                    notes.extend(hidden_problems(problem));
                }
            }
        }
    }
    if !notes.is_empty() {
        blocks.start(&["note"])?;
        for note in &notes {
            blocks.row(std::iter::once(field(note)))?;
        }
    }
    Ok(())
}

struct Blocks<'a> {
    out: &'a mut dyn Write,
    is_first: bool,
}

impl Blocks<'_> {
    fn start(&mut self, header: &[&str]) -> io::Result<()> {
        if !self.is_first {
            self.out.write_all(END.as_bytes())?;
        }
        self.is_first = false;
        self.row(header.iter().map(|key| field(key)))
    }

    fn row(&mut self, fields: impl Iterator<Item = String>) -> io::Result<()> {
        let fields: Vec<String> = fields.collect();
        // A lone empty field would look like the empty line between two blocks.
        let line = if fields == [""] { "\"\"".to_owned() } else { fields.join(",") };
        write!(self.out, "{line}{END}")
    }
}

fn cell(cell: &Cell) -> String {
    let text = exact(cell);
    match cell {
        // Numbers are ours: a leading minus is a sign, not a formula.
        Cell::Text(_) | Cell::Code(_) | Cell::Id { .. } => field(&text),
        _ => text,
    }
}

/// One field: clean, no formula, quoted where it must be.
fn field(text: &str) -> String {
    let mut clean = clean::text(text);
    if is_formula(text) {
        clean = Cow::Owned(format!("'{clean}"));
    }
    if clean.contains([',', '"', '\r', '\n']) {
        return format!("\"{}\"", clean.replace('"', "\"\""));
    }
    clean.into_owned()
}

/// Would a spreadsheet run it? Some skip spaces first, and some take the full-width signs as well.
fn is_formula(text: &str) -> bool {
    text.starts_with(['\t', '\r'])
        || text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}
