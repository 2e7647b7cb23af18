//! The groups of `ccaudit cache --by`, one to a row.

use super::cache::{NOTHING, cost, ratio_share, share, with_output};
use super::dag::lane_kind;
use super::{Cell, Class, Column, Names, Note, Role, Table};
use crate::analysis::cache::{By, CacheReport, Group, Key, KeyKind};

pub(super) fn table(report: &CacheReport, by: &[By], names: &Names) -> Table {
    let titled = report
        .groups
        .iter()
        .any(|group| group.keys.iter().any(|key| !key.title.is_empty() || key.lane.is_some()));
    let inherited = report.groups.iter().any(|group| group.inherited > 0);
    let mut columns: Vec<Column> = by.iter().map(|by| Column::left(by.name(), by.name(), 0)).collect();
    if titled {
        columns.push(Column::left("title", "title", 1));
    }
    columns.push(Column::right("responses", "responses", 5));
    if inherited {
        columns.push(Column::right("inherited_responses", "inherited", 8));
    }
    columns.extend([
        Column::right("input", "input", 6),
        Column::right("write_5m", "written 5m", 7).role(Role::Part),
        Column::right("write_1h", "written 1h", 7).role(Role::Part),
        Column::right("write_unsplit", "unsplit", 7).role(Role::Part),
        Column::right("written", "written", 3).role(Role::Sum),
        Column::right("read", "read", 2),
        Column::right("output", "output", 4),
        Column::right("prompt_share", "share", 0),
        Column::right("cost_pico_usd", "cost", 0),
        Column::left("weight", "", 9).role(Role::Chart),
    ]);
    let row = |group: &Group, label: Option<&str>| {
        let mut cells: Vec<Cell> = match label {
            Some(label) => {
                by.iter().enumerate().map(|(at, _)| Cell::text(if at == 0 { label } else { "" })).collect()
            }
            None => group.keys.iter().map(|key| key_cell(key, names)).collect(),
        };
        if titled {
            let titles: Vec<String> = group
                .keys
                .iter()
                .map(|key| key_name(key, names).1)
                .filter(|title| !title.is_empty())
                .collect();
            cells.push(Cell::text(titles.join(", ")));
        }
        cells.push(Cell::Count(u128::from(group.responses)));
        if inherited {
            cells.push(Cell::Count(u128::from(group.inherited)));
        }
        let tokens = &group.tokens;
        cells.extend([
            Cell::Tokens(tokens.input),
            Cell::Tokens(tokens.write_5m),
            Cell::Tokens(tokens.write_1h),
            Cell::Tokens(tokens.write_unsplit),
            Cell::Tokens(tokens.written()),
            Cell::Tokens(tokens.read),
            with_output(group, tokens.output),
            ratio_share(group, "prompt-share"),
            cost(group),
            if label.is_some() { Cell::Empty } else { Cell::Spark(vec![group.cost.total()]) },
        ]);
        cells
    };
    let rows: Vec<Vec<Cell>> = report.groups.iter().map(|group| row(group, None)).collect();
    let total = Some(row(&report.totals, Some("total")));
    Table { key: "groups", columns, rows, total, empty: NOTHING, ..Table::default() }
}

/// A key as a cell; ids are long and known by their first characters.
fn key_cell(key: &Key, names: &Names) -> Cell {
    let full = key_name(key, names).0;
    let class = match key.kind {
        KeyKind::Session if !key.unknown => Class::Session,
        KeyKind::Agent if !key.unknown => Class::Agent,
        _ => return Cell::Code(full),
    };
    Cell::Id { full, short: names.short(class, &key.text) }
}

/// What a key is called: its name and its title.
#[must_use]
pub(super) fn key_name(key: &Key, names: &Names) -> (String, String) {
    if key.unknown {
        return ("unknown".to_owned(), String::new());
    }
    let title = match key.by {
        By::Lane => key.lane.map_or("", lane_kind).to_owned(),
        _ if key.title.is_empty() => String::new(),
        _ => names.name(Class::Other, &key.title),
    };
    let name = match key.by {
        _ if key.kind == KeyKind::Session => names.name(Class::Session, &key.text),
        _ if key.kind == KeyKind::Agent => names.name(Class::Agent, &key.text),
        By::Project if key.text.contains(['/', '\\']) => names.path(&key.text),
        By::Project => names.name(Class::Store, &key.text),
        By::Model => names.name(Class::Model, &key.text),
        By::Version => names.name(Class::Version, &key.text),
        _ => key.text.clone(),
    };
    // An agent's type is one of the client's own or a user's; a shared report shows neither name.
    (name, title)
}

/// How the cost is made up, in one line; `None` where nothing has a price.
pub(super) fn cost_shares(group: &Group) -> Option<Note> {
    let cost = &group.cost;
    let total = cost.total();
    if total == 0 {
        return None;
    }
    let mut parts: Vec<(u128, &str)> = vec![
        (cost.read, "read"),
        (cost.write_5m, "written 5m"),
        (cost.write_1h, "written 1h"),
        (cost.write_unsplit, "written unsplit"),
        (cost.output, "output"),
        (cost.input, "input"),
        (cost.search, "searches"),
    ];
    parts.retain(|(part, _)| *part > 0);
    parts.sort_by_key(|(part, _)| std::cmp::Reverse(*part));
    let mut note = vec![Cell::text("cost: ")];
    for (at, (part, name)) in parts.into_iter().enumerate() {
        let gap = if at == 0 { "" } else { " · " };
        note.extend([Cell::text(format!("{gap}{name} ")), share(part, total)]);
    }
    if let Some((num, den)) = group.ratio("savings").filter(|(_, den)| *den > 0) {
        note.extend([
            Cell::text(" · prompts without a cache: "),
            Cell::Times { num, den },
            Cell::text(" as much"),
        ]);
    }
    Some(Note(note))
}
