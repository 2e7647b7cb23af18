//! A view for a terminal: the width is kept, nothing is framed, colour only repeats what words say.

use std::io::{self, Write};

use super::cells::{hidden_problems, sentence, short, words};
use super::clean::{shorten_path, width};
use super::fit::wrap;
use super::{TextStyle, table};
use crate::view::{Block, Cell, Fact, Level, Problem, Spark, View};

/// Spaces before facts and problems, which stand under a heading or a title.
const INDENT: usize = 2;
/// Columns of the longest level word.
const LEVEL: usize = 7;
/// The least width of a text beside its label; below that it goes under it.
const READABLE: usize = 24;
/// The least width of a problem's text with its command beside it; below that the command goes under it.
const PROBLEM: usize = 50;

/// Lines of one view, with what is needed to make more of them.
pub(super) struct Page {
    pub style: TextStyle,
    lines: Vec<String>,
}

/// The few ways in which a line can look.
#[derive(Clone, Copy)]
pub(super) enum Ink {
    Plain,
    Bold,
    Dim,
    Red,
    Yellow,
}

impl Page {
    pub(super) fn new(style: TextStyle) -> Self {
        let style = TextStyle { width: style.width.clamp(20, 10_000), ..style };
        Self { style, lines: Vec::new() }
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        self.lines.iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    pub(super) fn push(&mut self, line: &str, ink: Ink) {
        self.lines.push(self.ink(line.trim_end(), ink));
    }

    /// A paragraph, wrapped and indented.
    pub(super) fn wrapped(&mut self, text: &str, indent: usize, ink: Ink) {
        for line in wrap(&self.words(text), self.style.width.saturating_sub(indent)) {
            let line = format!("{:indent$}{line}", "");
            self.push(&line, ink);
        }
    }

    pub(super) fn words(&self, text: &str) -> String {
        words(text, self.style.unicode).into_owned()
    }

    /// The sign for a middle left out.
    pub(super) fn mark(&self) -> &'static str {
        if self.style.unicode { "…" } else { "..." }
    }

    fn ink(&self, text: &str, ink: Ink) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Dim => "2",
            Ink::Red => "31",
            Ink::Yellow => "33",
            Ink::Plain => "",
        };
        if !self.style.color || code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

pub(super) fn write(view: &View, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(style);
    let style = page.style;
    let mut above: Option<&Block> = None;
    for (index, block) in view.blocks.iter().enumerate() {
        let joined = matches!(
            (above, block),
            (Some(Block::Heading(_)), _) | (Some(Block::Table(_) | Block::Note(_)), Block::Note(_))
        );
        if !page.lines.is_empty() && !joined {
            page.push("", Ink::Plain);
        }
        match block {
            Block::Lead(note) => page.wrapped(&sentence(note, style.unicode), 0, Ink::Bold),
            Block::Heading(text) => page.wrapped(text, indent(view.blocks.get(index + 1)), Ink::Bold),
            Block::Facts(facts) => write_facts(facts, &mut page),
            Block::Table(table) => table::write(table, &mut page),
            Block::Note(note) => {
                let owner = view.blocks[..index].iter().rfind(|block| !matches!(block, Block::Note(_)));
                page.wrapped(&sentence(note, style.unicode), indent(owner), Ink::Dim);
            }
            Block::Problems(problems) => write_problems(problems, &mut page),
        }
        above = Some(block);
    }
    page.print(out)
}

/// Headings and notes stand where the block they belong to stands.
fn indent(owner: Option<&Block>) -> usize {
    if matches!(owner, Some(Block::Facts(_) | Block::Problems(_))) { INDENT } else { 0 }
}

/// A fact as label, value and remark.
type Parts = [String; 3];

/// Two facts to a line where there are many and all of them fit, else one.
fn write_facts(facts: &[Fact], page: &mut Page) {
    let unicode = page.style.unicode;
    let parts: Vec<Parts> = facts
        .iter()
        .map(|fact| {
            let value = short(&fact.value, Spark::of([&fact.value].into_iter()), unicode);
            [page.words(&fact.label), value, sentence(&fact.remark, unicode)]
        })
        .collect();
    let (left, right): (Vec<_>, Vec<_>) = parts.iter().enumerate().partition(|(index, _)| index % 2 == 0);
    let column = |half: &[(usize, &Parts)]| -> Vec<String> {
        let label = widest(half.iter().map(|(_, fact)| &fact[0]));
        half.iter().map(|(_, fact)| one_line(fact, label)).collect()
    };
    let (left, right) = (column(&left), column(&right));
    let (left_width, right_width) = (widest(left.iter()), widest(right.iter()));
    if facts.len() >= 4 && INDENT + left_width + 4 + right_width <= page.style.width {
        for (index, fact) in left.iter().enumerate() {
            let gap = left_width + 4 - width(fact);
            let beside = right.get(index).map_or("", String::as_str);
            page.push(&format!("{:INDENT$}{fact}{:gap$}{beside}", "", ""), Ink::Plain);
        }
        return;
    }
    let label = widest(parts.iter().map(|fact| &fact[0]));
    for (fact, source) in parts.iter().zip(facts) {
        write_fact(fact, label, &source.value, page);
    }
}

/// One fact on a line of its own, its remark below it where both do not fit.
fn write_fact(fact: &Parts, label: usize, source: &Cell, page: &mut Page) {
    let room = page.style.width - INDENT;
    let start = label + 3;
    let line = one_line(fact, label);
    if width(&line) <= room {
        page.push(&format!("{:INDENT$}{line}", ""), Ink::Plain);
        return;
    }
    let [name, value, remark] = fact;
    let bare = one_line(&[name.clone(), value.clone(), String::new()], label);
    if width(&bare) <= room {
        page.push(&format!("{:INDENT$}{bare}", ""), Ink::Plain);
    } else if source.can_wrap() && start + READABLE <= room {
        for (at, line) in wrap(value, room - start).iter().enumerate() {
            let (name, pad) = if at == 0 { (name.as_str(), start - width(name)) } else { ("", start) };
            page.push(&format!("{:INDENT$}{name}{:pad$}{line}", "", ""), Ink::Plain);
        }
    } else {
        page.wrapped(name, INDENT, Ink::Plain);
        match source {
            Cell::Code(_) | Cell::Id { .. } => {
                let value = shorten_path(value, room - INDENT, page.mark()).into_owned();
                page.push(&format!("{:1$}{value}", "", 2 * INDENT), Ink::Plain);
            }
            // Gaps between bars are no places to break at.
            Cell::Spark(_) => {
                let bars: Vec<char> = value.chars().collect();
                for bars in bars.chunks(room - INDENT) {
                    let bars: String = bars.iter().collect();
                    page.push(&format!("{:1$}{bars}", "", 2 * INDENT), Ink::Plain);
                }
            }
            _ => page.wrapped(value, 2 * INDENT, Ink::Plain),
        }
    }
    if !remark.is_empty() {
        page.wrapped(remark, 2 * INDENT, Ink::Dim);
    }
}

fn one_line([name, value, remark]: &Parts, label: usize) -> String {
    let pad = label - width(name) + 3;
    let space = if remark.is_empty() { "" } else { "   " };
    format!("{name}{:pad$}{value}{space}{remark}", "")
}

/// Level and text, then rule and command beside the text or below it; once for neighbours that share both.
fn write_problems(problems: &[Problem], page: &mut Page) {
    let rows: Vec<Parts> = problems
        .iter()
        .map(|problem| [&problem.text, problem.rule, &problem.command].map(|text| page.words(text)))
        .collect();
    let texts = widest(rows.iter().map(|row| &row[0]));
    let rules = widest(rows.iter().map(|row| &row[1]));
    let commands = widest(rows.iter().map(|row| &row[2]));
    let start = INDENT + LEVEL + 2;
    let behind = |width: usize| if width == 0 { 0 } else { width + 3 };
    let side = behind(rules) + behind(commands);
    let beside = page.style.width.saturating_sub(start + side);
    let is_beside = side == 0 || beside >= texts.min(PROBLEM);
    let room = if is_beside { beside.min(texts) } else { page.style.width.saturating_sub(start) };
    let repeats = |at: usize| {
        let (one, next) = (&rows[at - 1], &rows[at]);
        !next[1].is_empty() && one[1..] == next[1..]
    };
    for (at, (problem, [text, rule, command])) in problems.iter().zip(&rows).enumerate() {
        let (is_first, is_last) = (at == 0 || !repeats(at), at + 1 == rows.len() || !repeats(at + 1));
        let ink = match problem.level {
            Level::Error => Ink::Red,
            Level::Warning => Ink::Yellow,
            Level::Note => Ink::Dim,
        };
        let level = page.ink(&format!("{:LEVEL$}", problem.level.word()), ink);
        for (index, line) in wrap(text, room).iter().enumerate() {
            if index > 0 {
                page.push(&format!("{:start$}{line}", ""), Ink::Plain);
            } else if is_beside && is_first {
                let after_text = room - width(line) + if rules == 0 { 0 } else { 3 };
                let after_rule = rules - width(rule) + if commands == 0 { 0 } else { 3 };
                let line = format!("{line}{:after_text$}{rule}{:after_rule$}{command}", "", "");
                page.push(&format!("{:INDENT$}{level}  {line}", ""), Ink::Plain);
            } else {
                page.push(&format!("{:INDENT$}{level}  {line}", ""), Ink::Plain);
            }
        }
        let place = page.words(&problem.place);
        if !place.is_empty() {
            let room = page.style.width.saturating_sub(start);
            let place = shorten_path(&place, room, page.mark()).into_owned();
            page.push(&format!("{:start$}{}", "", page.ink(&place, Ink::Dim)), Ink::Plain);
        }
        if let Some(hidden) = hidden_problems(problem) {
            page.wrapped(&hidden, start, Ink::Plain);
        }
        if !is_beside && is_last {
            let parts = [rule.as_str(), command.as_str()];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let below = parts.join("   ");
            // A command is copied: better a line of its own than one broken in two.
            let lines = if width(&below) <= room { vec![below.as_str()] } else { parts };
            for line in lines.into_iter().filter(|line| !line.is_empty()) {
                page.wrapped(line, start, Ink::Dim);
            }
        }
    }
}

pub(super) fn widest<'a>(texts: impl Iterator<Item = &'a String>) -> usize {
    texts.map(|text| width(text)).max().unwrap_or(0)
}
