//! A table for a terminal: a header line and aligned columns, or lists where it is too narrow for columns.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};

use super::cells::{grid, hidden_rows};
use super::clean::{shorten, shorten_path, width};
use super::fit::{self, Demand, Fit, GAP, wrap};
use super::text::{Ink, Page, widest};
use crate::view::{Align, Cell, Role, Table};

pub(super) fn write(table: &Table, page: &mut Page) {
    if table.rows.is_empty() && !table.empty.is_empty() {
        page.wrapped(table.empty, 0, Ink::Plain);
        return;
    }
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
    let (fit, left_out) = fit(table, &demands, page.style.width);
    match &fit.widths {
        Some(widths) => write_columns(table, &labels, &cells, &fit.shown, widths, page),
        None => write_lists(table, &labels, &cells, &fit.shown, page),
    }
    let dropped: Vec<&str> = left_out
        .into_iter()
        .map(|index| {
            if labels[index].is_empty() { table.columns[index].key.as_ref() } else { labels[index].as_str() }
        })
        .collect();
    if !dropped.is_empty() {
        page.wrapped(&format!("left out at this width: {}", dropped.join(", ")), 0, Ink::Dim);
    }
}

/// The columns that stay, and those that are missed: no charts, and no parts whose sum stands there.
fn fit(table: &Table, demands: &[Demand], room: usize) -> (Fit, Vec<usize>) {
    let among = |but: Role| {
        let candidates: Vec<usize> =
            (0..demands.len()).filter(|&index| table.columns[index].role != but).collect();
        let picked: Vec<Demand> = candidates.iter().map(|&index| demands[index]).collect();
        let mut fit = fit::columns(&picked, room);
        for index in &mut fit.shown {
            *index = candidates[*index];
        }
        let is_missed =
            |index: &usize| !fit.shown.contains(index) && table.columns[*index].role != Role::Chart;
        let left_out: Vec<usize> = candidates.into_iter().filter(is_missed).collect();
        (fit, left_out)
    };
    let (fit, left_out) = among(Role::Sum);
    let has_sum = table.columns.iter().any(|column| column.role == Role::Sum);
    if has_sum && left_out.iter().any(|&index| table.columns[index].role == Role::Part) {
        return among(Role::Part);
    }
    (fit, left_out)
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
        label: width(label).max(table.columns[index].least),
        priority: table.columns[index].priority,
        wraps: wraps(table, index),
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

/// Does the column break its cells into lines? Only words at the end of a row do.
fn wraps(table: &Table, index: usize) -> bool {
    let mut cells = table.rows.iter().chain(&table.total).filter_map(|row| row.get(index));
    index + 1 == table.columns.len()
        && table.columns[index].align == Align::Left
        && cells.all(|cell| cell.can_wrap() || *cell == Cell::Empty)
}

/// A cell in `room` columns: paths lose folders, other names their middle.
fn fitted(source: Option<&Cell>, text: &str, room: usize, mark: &str) -> String {
    match source {
        Some(Cell::Code(_)) => shorten_path(text, room, mark).into_owned(),
        _ => shorten(text, room, mark).into_owned(),
    }
}

fn write_columns(
    table: &Table,
    labels: &[String],
    cells: &[Vec<String>],
    shown: &[usize],
    widths: &[usize],
    page: &mut Page,
) {
    // Asked once: the answer depends on all rows.
    let wrapped: Vec<bool> = (0..table.columns.len()).map(|index| wraps(table, index)).collect();
    let pick = |row: &[String], sources: Option<&Vec<Cell>>| -> Vec<Vec<String>> {
        let cut = |(&index, &room): (&usize, &usize)| {
            if wrapped[index] && sources.is_some() {
                return wrap(&row[index], room);
            }
            let source = sources.and_then(|row| row.get(index));
            vec![fitted(source, &row[index], room, page.mark())]
        };
        shown.iter().zip(widths).map(cut).collect()
    };
    let mut grid = Grid::new();
    grid.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    grid.set_header(pick(labels, None).concat());
    // Lines of the grid to each row of the table.
    let mut heights = Vec::with_capacity(cells.len());
    for (row, sources) in cells.iter().zip(table.rows.iter().chain(&table.total)) {
        let row = pick(row, Some(sources));
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            grid.add_row(row.iter().map(|lines| lines.get(line).map_or("", String::as_str)));
        }
        heights.push(height);
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
    let total_at = 1 + heights.iter().take(table.rows.len()).sum::<usize>();
    for (at, line) in grid.lines().enumerate() {
        let is_total = at >= total_at;
        if at == total_at {
            write_hidden(table, false, page);
        }
        page.push(&line, if at == 0 || is_total { Ink::Bold } else { Ink::Plain });
        if at == 0 {
            write_hidden(table, true, page);
        }
        if at == 0 && table.rows.is_empty() {
            page.push("none", Ink::Plain);
        }
    }
    if table.columns.is_empty() {
        page.push("none", Ink::Plain);
    }
    if table.total.is_none() {
        write_hidden(table, false, page);
    }
}

/// One column to a line, rows separated by empty lines.
fn write_lists(table: &Table, labels: &[String], cells: &[Vec<String>], shown: &[usize], page: &mut Page) {
    let room = page.style.width;
    let wrapped: Vec<bool> = (0..table.columns.len()).map(|index| wraps(table, index)).collect();
    let label_width = widest(shown.iter().map(|&index| &labels[index])).min(room / 2);
    let sources: Vec<_> = table.rows.iter().chain(&table.total).collect();
    write_hidden(table, true, page);
    for (at, row) in cells.iter().enumerate() {
        let is_total = at == table.rows.len();
        if is_total {
            write_hidden(table, false, page);
        }
        if at > 0 {
            page.push("", Ink::Plain);
        }
        for &index in shown {
            let label = shorten(&labels[index], label_width, page.mark());
            let source = sources[at].get(index);
            let start = label_width + GAP;
            let value = row[index].trim_end();
            let pad = start - width(&label);
            let ink = if is_total { Ink::Bold } else { Ink::Plain };
            let line = if source.is_some_and(Cell::can_wrap) && wrapped[index] {
                for (at, line) in wrap(value, room - start).iter().enumerate() {
                    let (label, pad) = if at == 0 { (label.as_ref(), pad) } else { ("", start) };
                    page.push(&format!("{label}{:pad$}{line}", ""), ink);
                }
                continue;
            } else if source.is_some_and(Cell::can_shorten) || start + width(value) <= room {
                format!("{label}{:pad$}{}", "", fitted(source, value, room - start, page.mark()))
            } else {
                // A number too long for its place: below its label, on several lines if need be, but whole.
                page.push(&label, Ink::Plain);
                for line in wrap(value, room - GAP) {
                    page.push(&format!("{:GAP$}{line}", ""), Ink::Plain);
                }
                continue;
            };
            page.push(&line, ink);
        }
    }
    if table.total.is_none() {
        write_hidden(table, false, page);
    }
}

/// Rows that come before all others are missed there.
fn write_hidden(table: &Table, above: bool, page: &mut Page) {
    if let Some(line) = hidden_rows(table).filter(|_| table.hidden_earlier == above) {
        page.wrapped(&line, 0, Ink::Dim);
    }
}
