//! A view as GitHub-flavoured Markdown in which nothing from a tree acts as markup.

use std::io::{self, Write};

use super::cells::{grid, hidden_problems, hidden_rows, sentence, short};
use super::clean;
use crate::view::{Align, Block, Cell, Fact, Problem, Role, Spark, Table, View};

pub(super) fn write(view: &View, out: &mut dyn Write) -> io::Result<()> {
    for (index, block) in view.blocks.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        match block {
            Block::Heading(text) => writeln!(out, "## {}", escape(text))?,
            Block::Facts(facts) => write_facts(facts, out)?,
            Block::Table(table) => write_table(table, out)?,
            Block::Lead(note) => writeln!(out, "**{}**", escape(&sentence(note, true)))?,
            Block::Note(note) => writeln!(out, "{}", paragraph(&sentence(note, true)))?,
            Block::Problems(problems) => write_problems(problems, out)?,
        }
    }
    Ok(())
}

fn write_facts(facts: &[Fact], out: &mut dyn Write) -> io::Result<()> {
    for fact in facts {
        let value = cell(&fact.value, &short(&fact.value, Spark::of([&fact.value].into_iter()), true));
        let remark = escape(&sentence(&fact.remark, true));
        // Apart from the value, lest it be read as its unit.
        let gap = if remark.is_empty() { "" } else { " · " };
        writeln!(out, "- {}: {value}{gap}{remark}", paragraph(&fact.label))?;
    }
    Ok(())
}

fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    if table.rows.is_empty() && !table.empty.is_empty() {
        return writeln!(out, "{}", paragraph(table.empty));
    }
    let shown = || table.columns.iter().filter(|column| column.role != Role::Sum);
    write_row(shown().map(|column| escape(&column.label)), out)?;
    write_row(shown().map(|column| rule(column.align).to_owned()), out)?;
    for (at, (texts, row)) in grid(table, true).iter().zip(table.rows.iter().chain(&table.total)).enumerate()
    {
        let shown = texts.iter().enumerate().filter(|(index, _)| table.columns[*index].role != Role::Sum);
        let cells = shown.map(|(index, text)| {
            let text = row.get(index).map_or_else(String::new, |source| cell(source, text));
            if at == table.rows.len() && !text.is_empty() { format!("**{text}**") } else { text }
        });
        write_row(cells, out)?;
    }
    if let Some(hidden) = hidden_rows(table) {
        writeln!(out, "\n{}", escape(&hidden))?;
    }
    Ok(())
}

fn write_problems(problems: &[Problem], out: &mut dyn Write) -> io::Result<()> {
    write_row(["level", "finding", "place", "rule", "command"].map(str::to_owned).into_iter(), out)?;
    write_row(std::iter::repeat_n("---".to_owned(), 5), out)?;
    for problem in problems {
        let level = problem.level.word().to_owned();
        let row =
            [level, escape(&problem.text), code(&problem.place), code(problem.rule), code(&problem.command)];
        write_row(row.into_iter(), out)?;
        if let Some(hidden) = hidden_problems(problem) {
            let row = [String::new(), escape(&hidden), String::new(), String::new(), String::new()];
            write_row(row.into_iter(), out)?;
        }
    }
    Ok(())
}

fn rule(align: Align) -> &'static str {
    match align {
        Align::Left => "---",
        Align::Right => "---:",
    }
}

fn write_row(cells: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "|")?;
    for cell in cells {
        write!(out, " {}{}|", cell, if cell.is_empty() { "" } else { " " })?;
    }
    writeln!(out)
}

/// `text` is what the cell reads as, already clean.
fn cell(source: &Cell, text: &str) -> String {
    match source {
        Cell::Code(_) | Cell::Id { .. } => code(text),
        // Gaps in a course stay gaps.
        Cell::Spark(bars) if bars.len() > 1 => code(text),
        _ => escape(text),
    }
}

/// A code span where the content cannot end it; otherwise plain escaped text.
fn code(text: &str) -> String {
    let text = clean::text(text);
    let is_plain = text.trim() == text && !text.is_empty() && !text.contains(['`', '|', '\\']);
    if is_plain { format!("`{text}`") } else { escape(&text) }
}

/// Text inside a line or a table cell.
fn escape(text: &str) -> String {
    let text = clean::text(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        // GitHub turns bare addresses into links; a name from a tree must not become one.
        let is_link = (c == ':' && after.starts_with("//")) || (c == '@' && !after.is_empty());
        if is_link || "\\`*_[]<>|~&#".contains(c) {
            out.push('\\');
        }
        out.push(c);
        rest = after;
        if c == 'w' && out.ends_with("www") && rest.starts_with('.') {
            out.push('\\');
        }
    }
    out
}

/// Text at the start of a line, where a few more signs would begin a list or a heading.
fn paragraph(text: &str) -> String {
    let text = escape(text);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let at = if text.starts_with(['-', '+', '=']) {
        0
    } else if digits > 0 && text[digits..].starts_with(['.', ')']) {
        digits
    } else {
        return text;
    };
    format!("{}\\{}", &text[..at], &text[at..])
}
