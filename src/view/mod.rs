//! A report as people see it: blocks of facts, tables and notes whose cells still hold exact integers.
//!
//! A view chooses words, columns and their order; it rounds nothing and knows no format.

pub mod cache;
mod cell;
pub mod dag;
mod diagram;
mod finding;
pub mod fsck;
mod groups;
mod mask;
pub mod names;
pub mod overview;
#[cfg(feature = "tables")]
pub mod query;
pub mod rules;
pub mod settings;
pub mod v1;
mod when;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use cell::{Cell, Spark};
pub use diagram::{Arrow, Diagram, DiagramBox, Look};
pub use finding::{fix, message, problem};
pub use mask::mask;
pub use names::{Class, Names};
pub use when::{clock, moment, utc};

/// One screen, page or file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// In reading order: the answer, then the evidence, then what to do.
    pub blocks: Vec<Block>,
}

/// A part of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The answer in one sentence.
    Lead(Note),
    /// Stands directly above the block that follows.
    Heading(String),
    Facts(Vec<Fact>),
    Table(Table),
    /// One paragraph, such as formula, scope, folding, price date and time zone of the table above.
    Note(Note),
    Problems(Vec<Problem>),
}

/// One number or word with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Stable name for CSV; ends like [`Column::key`] in what the integer counts.
    pub key: &'static str,
    pub label: String,
    pub value: Cell,
    /// What stands behind the value; empty for none.
    pub remark: Note,
}

/// Rows of typed cells, each as long as `columns`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub key: &'static str,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// The last row; people formats only, so that a reader of the CSV cannot add it twice.
    pub total: Option<Vec<Cell>>,
    /// Rows left out by a limit. Every format says how many.
    pub hidden_rows: usize,
    /// They come before the first row in time, not after the last.
    pub hidden_earlier: bool,
    /// What people read in place of a table without rows; empty for its header and "none".
    pub empty: &'static str,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Stable name for CSV. A column of money ends in `pico_usd`, one of bytes in `bytes`, one of durations in `ms`.
    pub key: Cow<'static, str>,
    pub label: String,
    pub align: Align,
    /// 0 is never dropped; of the others the highest goes first when the width is too small.
    pub priority: u8,
    pub role: Role,
    /// Characters that words in it keep as long as another column can go instead.
    pub least: usize,
}

/// In which formats a column stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// In all of them.
    #[default]
    Value,
    /// A drawing of another column; not in CSV.
    Chart,
    /// A part of the [`Self::Sum`] beside it.
    Part,
    /// In text, in place of its parts where not all of them fit; nowhere else.
    Sum,
}

impl Column {
    /// Words, aligned to the left.
    #[must_use]
    pub fn left(key: impl Into<Cow<'static, str>>, label: impl Into<String>, priority: u8) -> Self {
        Self {
            key: key.into(),
            label: label.into(),
            align: Align::Left,
            priority,
            role: Role::Value,
            least: 0,
        }
    }

    /// Numbers, aligned to the right.
    #[must_use]
    pub fn right(key: impl Into<Cow<'static, str>>, label: impl Into<String>, priority: u8) -> Self {
        Self {
            key: key.into(),
            label: label.into(),
            align: Align::Right,
            priority,
            role: Role::Value,
            least: 0,
        }
    }

    #[must_use]
    pub fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    #[must_use]
    pub fn least(self, least: usize) -> Self {
        Self { least, ..self }
    }
}

/// Where a column's cells stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    #[default]
    Left,
    Right,
}

/// Something that needs a look, with the command that shows or mends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub level: Level,
    /// Rule id for `explain`; empty where no single rule stands behind it.
    pub rule: &'static str,
    pub text: String,
    /// The file and the place in it, empty where there is none; shortened where it does not fit.
    pub place: String,
    /// A complete command line; empty for none.
    pub command: String,
    /// Further problems of the rule that a limit left out.
    pub more: u64,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Error,
    Warning,
    Note,
}

impl Level {
    /// The word that every format prints.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The level of a finding as a renderer knows it.
#[must_use]
pub const fn level(level: crate::rule::Level) -> Level {
    match level {
        crate::rule::Level::Error => Level::Error,
        crate::rule::Level::Warning => Level::Warning,
        crate::rule::Level::Note => Level::Note,
    }
}

/// A sentence whose numbers are cells, so that they are formatted where all others are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note(pub Vec<Cell>);

impl<T: Into<String>> From<T> for Note {
    fn from(text: T) -> Self {
        let text = text.into();
        if text.is_empty() { Self::default() } else { Self(vec![Cell::Text(text)]) }
    }
}

impl View {
    /// What the author of a view got wrong: rows of another length than the columns, keys used twice, and money
    /// or bytes under a key that does not say so. For tests of views; renderers cope with all of it.
    #[must_use]
    pub fn mistakes(&self) -> Vec<String> {
        let mut mistakes = Vec::new();
        for block in &self.blocks {
            match block {
                Block::Table(table) => table.mistakes(&mut mistakes),
                Block::Facts(facts) => {
                    for fact in facts {
                        check_key(fact.key, &fact.value, &mut mistakes);
                    }
                    repeated(facts.iter().map(|fact| fact.key), &mut mistakes);
                }
                Block::Lead(_) | Block::Heading(_) | Block::Note(_) | Block::Problems(_) => {}
            }
        }
        mistakes
    }
}

impl Table {
    fn mistakes(&self, mistakes: &mut Vec<String>) {
        for (index, row) in self.rows.iter().chain(&self.total).enumerate() {
            if row.len() != self.columns.len() {
                let (has, needs) = (row.len(), self.columns.len());
                mistakes.push(format!("{}: row {index} has {has} cells for {needs} columns", self.key));
            }
            for (column, cell) in self.columns.iter().zip(row) {
                check_key(&column.key, cell, mistakes);
            }
        }
        repeated(self.columns.iter().map(|column| column.key.as_ref()), mistakes);
    }
}

fn check_key(key: &str, cell: &Cell, mistakes: &mut Vec<String>) {
    let wanted = match cell {
        Cell::Money(_) | Cell::AtLeastMoney(_) | Cell::MoneyDelta(_) => "pico_usd",
        Cell::Bytes(_) => "bytes",
        Cell::Duration(_) => "ms",
        _ => return,
    };
    if !key.ends_with(wanted) {
        mistakes.push(format!("{key}: the key does not end in {wanted}"));
    }
}

fn repeated<'a>(keys: impl Iterator<Item = &'a str>, mistakes: &mut Vec<String>) {
    let mut seen: Vec<&str> = Vec::new();
    for key in keys {
        if seen.contains(&key) {
            mistakes.push(format!("{key}: the key is used twice"));
        }
        seen.push(key);
    }
}
