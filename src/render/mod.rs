//! From data to bytes: a [`View`] as text, Markdown or CSV, any serialisable data as JSON.
//!
//! Renderers decide nothing: they leave out no row, change no order and know no analysis. Imports `view` only.

mod cells;
pub mod clean;
mod csv;
mod diagram;
mod fit;
mod json;
mod markdown;
mod page;
mod table;
mod text;
pub mod units;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

pub use json::{Envelope, envelope};

use crate::view::{Diagram, Note, View};

/// How a view is written. JSON is made of data, not of views: see [`envelope`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For a terminal or a pager.
    #[default]
    Text,
    /// Exact, for spreadsheets.
    Csv,
    /// For issues and wikis.
    Markdown,
}

/// What the terminal can do. Whoever reads the environment decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// Columns of a line; values below 20 or above 10,000 are taken as these.
    pub width: usize,
    /// Bold, dim, red and yellow under words that say the same.
    pub color: bool,
    /// Without it only ASCII of our own: no block charts, no `…`, `≥` or `·`.
    pub unicode: bool,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self { width: 80, color: false, unicode: true }
    }
}

/// A sentence as machine formats carry it.
#[must_use]
pub fn note(note: &Note) -> String {
    cells::sentence(note, true)
}

/// Writes a page of our own Markdown below a view: as it stands, or made for a terminal.
pub fn page(markdown: &str, format: Format, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => page::write(markdown, style, out),
        _ => out.write_all(markdown.as_bytes()),
    }
}

/// Writes `view` in one of the formats.
pub fn view(view: &View, format: Format, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(view, style, out),
        Format::Markdown => markdown::write(view, out),
        Format::Csv => csv::write(view, out),
    }
}

/// The language in which a diagram is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Graphviz.
    Dot,
    Mermaid,
}

/// Writes a diagram to be drawn by another program.
pub fn diagram(diagram: &Diagram, language: Language, out: &mut dyn Write) -> io::Result<()> {
    match language {
        Language::Dot => diagram::dot(diagram, out),
        Language::Mermaid => diagram::mermaid(diagram, out),
    }
}
