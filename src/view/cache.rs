//! `ccaudit cache` for people: the answer first, then where it comes from.

use super::v1::{self, Ratio};
use super::{Block, Cell, Class, Column, Fact, Names, Note, Table, View};
use crate::analysis::cache::{By, CacheReport, Group, Key};
use crate::constants::find_formula;

/// Words that stand with every number of the report.
#[derive(Clone, Debug)]
pub struct Method {
    pub zone: String,
    pub prices: String,
    /// What the filters leave, in words; empty for everything.
    pub scope: String,
}

impl Method {
    /// Says so where filters leave none of the responses.
    pub(super) fn nothing_matches(&self, responses: u64) -> Option<Note> {
        (responses == 0 && !self.scope.is_empty()).then(|| "no response matches the filters".into())
    }
}

/// The view of a report. The groups are shown in the order given; `hidden` is how many more there are.
#[must_use]
pub fn view(report: &CacheReport, by: &[By], hidden: usize, names: &Names) -> View {
    let mut blocks = Vec::new();
    if by.is_empty() {
        blocks.push(Block::Facts(headline(report)));
        blocks.push(Block::Heading("Hit ratios".into()));
        blocks.push(Block::Table(ratio_table(&report.totals)));
        blocks.push(Block::Heading("Tokens and list price".into()));
        blocks.push(Block::Table(token_table(report)));
    } else {
        blocks.push(Block::Table(group_table(report, by, hidden, names)));
        blocks.push(Block::Note(cost_shares(&report.totals)));
    }
    View { title: String::new(), blocks }
}

fn headline(report: &CacheReport) -> Vec<Fact> {
    let group = &report.totals;
    let tokens = &group.tokens;
    let distinct = tokens.written() + tokens.input;
    let mut facts = vec![
        fact(
            "prompt_share",
            "Prompt share from cache",
            share(tokens.read, tokens.prompt()),
            "read / (read + written + input)",
        ),
        fact("cost_pico_usd", "Spent, list price", Cell::Money(group.cost.total()), ""),
        fact("prompt_cost_pico_usd", "of this on prompts", Cell::Money(group.prompt_cost()), ""),
        fact(
            "uncached_prompt_pico_usd",
            "Prompts without a cache",
            Cell::Money(group.uncached_prompt),
            "all of them at the input price",
        ),
        fact(
            "savings",
            "The cache made them",
            Cell::Times { num: group.uncached_prompt, den: group.prompt_cost() },
            "cheaper",
        ),
        fact("prompt_tokens", "Prompt tokens sent", Cell::Tokens(tokens.prompt()), "over all requests"),
        fact("distinct_tokens", "Distinct tokens", Cell::Tokens(distinct), "written + input"),
        fact(
            "times_sent",
            "Each token was sent",
            Cell::Times { num: tokens.prompt(), den: distinct },
            "prompt tokens / distinct tokens",
        ),
        fact(
            "input_output",
            "Prompt to output",
            Cell::Ratio { num: tokens.prompt(), den: tokens.output },
            "tokens read to write one",
        ),
        fact(
            "split_mismatches",
            "5m + 1h off the total",
            Cell::Count(u128::from(group.split_mismatches)),
            "responses whose writes by lifetime do not add up",
        ),
    ];
    if report.trend.len() > 1 {
        let (first, last) = (&report.trend[0].0, &report.trend[report.trend.len() - 1].0);
        let bars = report.trend.iter().map(|(_, tokens)| *tokens).collect();
        facts.push(fact("trend", "Prompt tokens by day", Cell::Spark(bars), &format!("{first} to {last}")));
    }
    facts
}

fn fact(key: &'static str, label: &str, value: Cell, remark: &str) -> Fact {
    Fact { key, label: label.to_owned(), value, remark: remark.to_owned() }
}

const fn share(num: u128, den: u128) -> Cell {
    Cell::Share { num, den }
}

fn ratio_table(group: &Group) -> Table {
    let columns = vec![
        Column::left("formula", "formula", 0),
        Column::right("value", "value", 0),
        Column::left("expression", "is", 1),
    ];
    let row = |ratio: Ratio| {
        let cell = match ratio.formula {
            "times-sent" | "savings" | "write-amplification" => {
                Cell::Times { num: ratio.numerator, den: ratio.denominator }
            }
            "input-output" => Cell::Ratio { num: ratio.numerator, den: ratio.denominator },
            _ => share(ratio.numerator, ratio.denominator),
        };
        let expression = find_formula(ratio.formula).map_or("", |formula| formula.expression);
        vec![Cell::code(ratio.formula), cell, Cell::text(expression)]
    };
    let rows = v1::ratios(group).into_iter().map(row).collect();
    Table { key: "ratios", columns, rows, total: None, hidden_rows: 0 }
}

fn token_table(report: &CacheReport) -> Table {
    let group = &report.totals;
    let (tokens, cost, lines) = (&group.tokens, &group.cost, &report.line_sums);
    let columns = vec![
        Column::left("kind", "tokens", 0),
        Column::right("tokens", "counted", 0),
        Column::right("share_of_prompt", "of prompt", 2),
        Column::right("cost_pico_usd", "list price", 0),
        Column::right("share_of_cost", "of cost", 3),
        Column::right("line_sum", "by line", 1),
        Column::right("factor", "factor", 1),
    ];
    let total = cost.total();
    let row = |name: &str, counted: u128, of_prompt: bool, money: u128, line: u128| {
        vec![
            Cell::text(name),
            Cell::Tokens(counted),
            if of_prompt { share(counted, tokens.prompt()) } else { Cell::Empty },
            Cell::Money(money),
            share(money, total),
            Cell::Tokens(line),
            Cell::Times { num: line, den: counted },
        ]
    };
    let mut rows = vec![
        row("input", tokens.input, true, cost.input, lines.input),
        row("written 5m", tokens.write_5m, true, cost.write_5m, lines.write_5m),
        row("written 1h", tokens.write_1h, true, cost.write_1h, lines.write_1h),
        row("written unsplit", tokens.write_unsplit, true, cost.write_unsplit, lines.write_unsplit),
        row("read", tokens.read, true, cost.read, lines.read),
        row("output", tokens.output, false, cost.output, lines.output),
    ];
    if tokens.searches > 0 {
        rows.push(row("web searches", tokens.searches, false, cost.search, lines.searches));
    }
    let all = tokens.prompt() + tokens.output;
    let all_lines = lines.prompt() + lines.output;
    let sum = vec![
        Cell::text("total"),
        Cell::Tokens(all),
        Cell::Empty,
        Cell::Money(total),
        Cell::Empty,
        Cell::Tokens(all_lines),
        Cell::Times { num: all_lines, den: all },
    ];
    Table { key: "tokens", columns, rows, total: Some(sum), hidden_rows: 0 }
}

fn group_table(report: &CacheReport, by: &[By], hidden_rows: usize, names: &Names) -> Table {
    let titled = report.groups.iter().any(|group| group.keys.iter().any(|key| !key.title.is_empty()));
    let inherited = report.groups.iter().any(|group| group.inherited > 0);
    let mut columns: Vec<Column> = by.iter().map(|by| Column::left(by.name(), by.name(), 0)).collect();
    if titled {
        columns.push(Column::left("title", "title", 7));
    }
    columns.push(Column::right("responses", "responses", 3));
    if inherited {
        columns.push(Column::right("inherited_responses", "inherited", 8));
    }
    columns.extend([
        Column::right("input", "input", 4),
        Column::right("write_5m", "written 5m", 2),
        Column::right("write_1h", "written 1h", 5),
        Column::right("write_unsplit", "unsplit", 9),
        Column::right("read", "read", 2),
        Column::right("output", "output", 3),
        Column::right("prompt_share", "share", 0),
        Column::right("cost_pico_usd", "cost", 0),
        Column::left("weight", "", 6),
    ]);
    let row = |group: &Group, label: Option<&str>| {
        let mut cells: Vec<Cell> = match label {
            Some(label) => {
                by.iter().enumerate().map(|(at, _)| Cell::text(if at == 0 { label } else { "" })).collect()
            }
            None => group.keys.iter().map(|key| Cell::code(key_name(key, names, true).0)).collect(),
        };
        if titled {
            let titles: Vec<String> = group
                .keys
                .iter()
                .map(|key| key_name(key, names, true).1)
                .filter(|title| !title.is_empty())
                .collect();
            cells.push(Cell::text(titles.join(", ")));
        }
        cells.push(Cell::Count(u128::from(group.responses)));
        if inherited {
            cells.push(Cell::Count(u128::from(group.inherited)));
        }
        let tokens = &group.tokens;
        let output = if group.lower_bound.responses > 0 {
            Cell::AtLeastTokens(tokens.output)
        } else {
            Cell::Tokens(tokens.output)
        };
        cells.extend([
            Cell::Tokens(tokens.input),
            Cell::Tokens(tokens.write_5m),
            Cell::Tokens(tokens.write_1h),
            Cell::Tokens(tokens.write_unsplit),
            Cell::Tokens(tokens.read),
            output,
            share(tokens.read, tokens.prompt()),
            if group.unpriced == group.responses && group.responses > 0 {
                Cell::Unknown
            } else {
                Cell::Money(group.cost.total())
            },
            if label.is_some() { Cell::Empty } else { Cell::Spark(vec![group.cost.total()]) },
        ]);
        cells
    };
    let rows: Vec<Vec<Cell>> = report.groups.iter().map(|group| row(group, None)).collect();
    Table { key: "groups", columns, rows, total: Some(row(&report.totals, Some("total"))), hidden_rows }
}

/// What a key is called: its name and its title.
#[must_use]
pub fn key_name(key: &Key, names: &Names, short: bool) -> (String, String) {
    if key.unknown {
        return ("unknown".to_owned(), String::new());
    }
    let title = if key.title.is_empty() { String::new() } else { names.name(Class::Other, &key.title) };
    let name = match key.by {
        By::Session if short => names.short(Class::Session, &key.text),
        By::Session => names.name(Class::Session, &key.text),
        By::Project if key.text.contains(['/', '\\']) => names.path(&key.text),
        By::Project => names.name(Class::Store, &key.text),
        By::Agent if !key.is_agent() => key.text.clone(),
        By::Agent if short => names.short(Class::Agent, &key.text),
        By::Agent => names.name(Class::Agent, &key.text),
        By::Model => names.name(Class::Model, &key.text),
        _ => key.text.clone(),
    };
    // An agent's type is one of the client's own or a user's; a shared report shows neither name.
    (name, title)
}

/// How the cost is made up, in one line.
fn cost_shares(group: &Group) -> Note {
    let cost = &group.cost;
    let total = cost.total();
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
    note.extend([
        Cell::text(" · prompts without a cache would be "),
        Cell::Times { num: group.uncached_prompt, den: group.prompt_cost() },
        Cell::text(" as dear"),
    ]);
    Note(note)
}

/// The sentences under a report: how each number was made, and what is not in it.
#[must_use]
pub fn notes(report: &CacheReport, method: &Method, names: &Names) -> Vec<Note> {
    let group = &report.totals;
    let mut notes = Vec::new();
    let bound = &group.lower_bound;
    if bound.responses > 0 {
        notes.push(Note(vec![
            Cell::text("the output of "),
            Cell::Count(u128::from(bound.responses)),
            Cell::text(" responses is a lower bound: "),
            Cell::Tokens(bound.output),
            Cell::text(" tokens recorded, by the length of their text about "),
            Cell::Tokens(bound.estimate),
            Cell::text(" (ccaudit explain lower-bound-output)"),
        ]));
    }
    for (model, (responses, tokens)) in &report.unpriced {
        let model =
            if model.is_empty() { "without a model".to_owned() } else { names.name(Class::Model, model) };
        notes.push(Note(vec![
            Cell::text(format!("unpriced: {model}, ")),
            Cell::Count(u128::from(*responses)),
            Cell::text(" responses with "),
            Cell::Tokens(tokens.prompt() + tokens.output),
            Cell::text(" tokens are in no cost figure (--prices FILE)"),
        ]));
    }
    if report.without_time > 0 {
        notes.push(Note(vec![
            Cell::Count(u128::from(report.without_time)),
            Cell::text(" responses have no usable time and are left out of the range"),
        ]));
    }
    notes.extend(method.nothing_matches(group.responses));
    if let Some(recorded) = report.recorded_cost {
        notes.push(Note(vec![
            Cell::text("the client itself recorded "),
            Cell::Money(recorded),
            Cell::text(" (costUSD) for these; it is not added"),
        ]));
    }
    let scope = if method.scope.is_empty() { String::new() } else { format!(" · {}", method.scope) };
    notes.push(Note(vec![
        Cell::Count(u128::from(group.entries)),
        Cell::text(" entries → "),
        Cell::Count(u128::from(group.responses)),
        Cell::text(" responses, "),
        Cell::Count(u128::from(group.copied_entries)),
        Cell::text(format!(
            " of the entries copies · list-price equivalents, no bill · prices of {} · days in {}{scope} · meaning of a formula: ccaudit explain ID",
            method.prices, method.zone
        )),
    ]));
    notes
}
