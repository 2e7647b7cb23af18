//! A table for a terminal: a header line and aligned columns, or lists where it is too narrow for columns.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};

use super::cells::{grid, hidden_rows, words};
use super::clean::{shorten, width};
use super::fit::{self, Demand, GAP, wrap};
use super::text::{Ink, Page, widest};
use crate::view::{Align, Cell, Table};

pub(super) fn write(table: &Table, page: &mut Page) {
    let unicode = page.style.unicode;
    let labels: Vec<String> = table.columns.iter().map(|column| page.words(&column.label)).collect();
    let mut cells = grid(table, unicode);
    let mut demands = Vec::with_capacity(labels.len());
    for (index, (column, label)) in table.columns.iter().zip(&labels).enumerate() {
        if column.align == Align::Right {
            align_units(table, index, &mut cells);
        }
        demands.push(demand(table, index, label, &cells));
    }
    let fit = fit::columns(&demands, page.style.width);
    match &fit.widths {
        Some(widths) => write_columns(table, &labels, &cells, &fit.shown, widths, page),
        None => write_lists(table, &labels, &cells, &fit.shown, page),
    }
    let dropped: Vec<&str> = (0..labels.len())
        .filter(|index| !fit.shown.contains(index))
        .map(|index| {
            if labels[index].is_empty() { table.columns[index].key.as_ref() } else { labels[index].as_str() }
        })
        .collect();
    if !dropped.is_empty() {
        page.wrapped(&format!("left out at this width: {}", dropped.join(", ")), 0, Ink::Dim);
    }
}

/// Puts the digits of `0` over those of `2.9 M`.
fn align_units(table: &Table, index: usize, cells: &mut [Vec<String>]) {
    let is_tokens = |cell: Option<&Cell>| matches!(cell, Some(Cell::Tokens(_) | Cell::AtLeastTokens(_)));
    let sources: Vec<_> =
        table.rows.iter().chain(&table.total).map(|row| is_tokens(row.get(index))).collect();
    let has_unit = |text: &str| text.ends_with(['k', 'M', 'B', 'T']);
    if !sources.iter().zip(cells.iter()).any(|(tokens, row)| *tokens && has_unit(&row[index])) {
        return;
    }
    for (tokens, row) in sources.iter().zip(cells) {
        if *tokens && !has_unit(&row[index]) {
            row[index].push_str("  ");
        }
    }
}

fn demand(table: &Table, index: usize, label: &str, cells: &[Vec<String>]) -> Demand {
    let mut demand = Demand {
        natural: width(label),
        rigid: 0,
        label: width(label),
        priority: table.columns[index].priority,
    };
    let mut elastic = false;
    for (source, row) in table.rows.iter().chain(&table.total).zip(cells) {
        let cell = width(&row[index]);
        demand.natural = demand.natural.max(cell);
        if source.get(index).is_some_and(Cell::can_shorten) {
            elastic = true;
        } else {
            demand.rigid = demand.rigid.max(cell);
        }
    }
    if !elastic {
        demand.rigid = demand.natural;
    }
    demand
}

fn write_columns(
    table: &Table,
    labels: &[String],
    cells: &[Vec<String>],
    shown: &[usize],
    widths: &[usize],
    page: &mut Page,
) {
    let pick = |row: &[String]| -> Vec<String> {
        let cut = |(&index, &room): (&usize, &usize)| shorten(&row[index], room, page.mark()).into_owned();
        shown.iter().zip(widths).map(cut).collect()
    };
    let mut grid = Grid::new();
    grid.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    grid.set_header(pick(labels));
    for row in cells {
        grid.add_row(pick(row));
    }
    for (at, &index) in shown.iter().enumerate() {
        if let Some(column) = grid.column_mut(at) {
            let gap = if at + 1 == shown.len() { 0 } else { GAP as u16 };
            column.set_padding((0, gap));
            column.set_cell_alignment(match table.columns[index].align {
                Align::Left => CellAlignment::Left,
                Align::Right => CellAlignment::Right,
            });
        }
    }
    for (at, line) in grid.lines().enumerate() {
        let is_total = at > table.rows.len();
        if is_total {
            write_hidden(table, page);
        }
        page.push(&line, if at == 0 || is_total { Ink::Bold } else { Ink::Plain });
    }
    if table.rows.is_empty() {
        page.push("none", Ink::Plain);
    }
    if table.total.is_none() {
        write_hidden(table, page);
    }
}

/// One column to a line, rows separated by empty lines.
fn write_lists(table: &Table, labels: &[String], cells: &[Vec<String>], shown: &[usize], page: &mut Page) {
    let room = page.style.width;
    let label_width = widest(shown.iter().map(|&index| &labels[index])).min(room / 2);
    let sources: Vec<_> = table.rows.iter().chain(&table.total).collect();
    for (at, row) in cells.iter().enumerate() {
        let is_total = at == table.rows.len();
        if is_total {
            write_hidden(table, page);
        }
        if at > 0 {
            page.push("", Ink::Plain);
        }
        for &index in shown {
            let label = shorten(&labels[index], label_width, page.mark());
            let can_shorten = sources[at].get(index).is_some_and(Cell::can_shorten);
            let start = label_width + GAP;
            let value = row[index].trim_end();
            let pad = start - width(&label);
            let line = if can_shorten || start + width(value) <= room {
                format!("{label}{:pad$}{}", "", shorten(value, room - start, page.mark()))
            } else {
                // A number too long for its place: below its label, on several lines if need be, but whole.
                page.push(&label, Ink::Plain);
                for line in wrap(value, room - GAP) {
                    page.push(&format!("{:GAP$}{line}", ""), Ink::Plain);
                }
                continue;
            };
            page.push(&line, if is_total { Ink::Bold } else { Ink::Plain });
        }
    }
    if table.total.is_none() {
        write_hidden(table, page);
    }
}

fn write_hidden(table: &Table, page: &mut Page) {
    if table.hidden_rows > 0 {
        let line = hidden_rows(table.hidden_rows);
        page.wrapped(&words(&line, page.style.unicode), 0, Ink::Dim);
    }
}
