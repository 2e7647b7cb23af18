//! `ccaudit cache` for people: the answer first, then where it comes from.

mod notes;

#[cfg(feature = "tables")]
pub(super) use notes::without_time;
pub use notes::{FEW, notes};

use super::v1::{self, Ratio};
use super::{Block, Cell, Column, Fact, Names, Note, Table, View, groups};
use crate::analysis::cache::{By, CacheReport, Group, course};
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

/// The view of a report. The groups are shown in the order given; `hidden` is how many more there are, before
/// them in time or after them.
#[must_use]
pub fn view(report: &CacheReport, by: &[By], hidden: usize, earlier: bool, names: &Names) -> View {
    let mut blocks = Vec::new();
    if !by.is_empty() {
        let table = groups::table(report, by, names);
        blocks.push(Block::Table(Table { hidden_rows: hidden, hidden_earlier: earlier, ..table }));
        blocks.extend(groups::cost_shares(&report.totals).map(Block::Note));
    } else if report.totals.responses == 0 {
        blocks.push(Block::Lead(NOTHING.into()));
    } else {
        blocks.push(Block::Facts(headline(report)));
        blocks.push(Block::Heading("Hit ratios".into()));
        blocks.push(Block::Table(ratio_table(&report.totals)));
        blocks.push(Block::Heading("Tokens and list price".into()));
        blocks.push(Block::Table(token_table(report)));
    }
    View { blocks }
}

/// What an empty report says.
pub(super) const NOTHING: &str = "nothing to add up: no response of the tree is in scope";

fn headline(report: &CacheReport) -> Vec<Fact> {
    let group = &report.totals;
    let tokens = &group.tokens;
    let times = |id| {
        let (num, den) = group.ratio(id).unwrap_or_default();
        Cell::Times { num, den }
    };
    let savings = times("savings");
    let sent = times("times-sent");
    let distinct = group.ratio("times-sent").unwrap_or_default().1;
    let mut facts = vec![
        fact(
            "prompt_share",
            "Prompt share from cache",
            ratio_share(group, "prompt-share"),
            "read / (read + written + input)",
        ),
        fact("cost_pico_usd", "Spent, list price", cost(group), ""),
        fact("prompt_cost_pico_usd", "of this on prompts", prompt_money(group, group.prompt_cost()), ""),
        fact(
            "uncached_prompt_pico_usd",
            "Prompts without a cache",
            prompt_money(group, group.uncached_prompt),
            Note(vec![savings, Cell::text(" as much, at the input price")]),
        ),
        fact("prompt_tokens", "Prompt tokens sent", Cell::Tokens(tokens.prompt()), "over all requests"),
        fact("distinct_tokens", "Distinct tokens", Cell::Tokens(distinct), "written + input"),
        fact("times_sent", "Each token was sent", sent, "prompt tokens / distinct tokens"),
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
    facts.extend(course_fact(&report.trend, true));
    facts
}

/// A chart of the days, as many to a bar as leave no more bars than fit beside the label.
pub(super) fn course_fact(trend: &[(String, u128)], dated: bool) -> Option<Fact> {
    let course = course(trend, BARS)?;
    let label = match course.step {
        1 => "Prompt tokens by day".to_owned(),
        step => format!("Prompt tokens by {step} days"),
    };
    let remark = match trend {
        [first, .., last] if dated => format!("{} to {}", first.0, last.0),
        _ => String::new(),
    };
    Some(fact("trend", &label, Cell::Spark(course.sums), remark))
}

/// Bars of a course at most.
const BARS: u64 = 50;

fn fact(key: &'static str, label: &str, value: Cell, remark: impl Into<Note>) -> Fact {
    Fact { key, label: label.to_owned(), value, remark: remark.into() }
}

pub(super) fn ratio_share(group: &Group, formula: &str) -> Cell {
    let (num, den) = group.ratio(formula).unwrap_or_default();
    share(num, den)
}

/// What a group cost: at least so much where an output count or a price is missing.
pub(super) fn cost(group: &Group) -> Cell {
    money(group, group.cost.total(), group.lower_bound.responses > 0)
}

/// Money for a part of a group that holds no output.
fn prompt_money(group: &Group, pico: u128) -> Cell {
    money(group, pico, false)
}

fn money(group: &Group, pico: u128, at_least: bool) -> Cell {
    if group.unpriced == group.responses && group.responses > 0 {
        Cell::Unknown
    } else if at_least || group.unpriced > 0 {
        Cell::AtLeastMoney(pico)
    } else {
        Cell::Money(pico)
    }
}

/// Tokens of which some are output.
pub(super) fn with_output(group: &Group, tokens: u128) -> Cell {
    if group.lower_bound.responses > 0 { Cell::AtLeastTokens(tokens) } else { Cell::Tokens(tokens) }
}

/// A number of things and their name.
pub(super) fn counted(n: u64, one: &str, many: &str) -> [Cell; 2] {
    [Cell::Count(u128::from(n)), Cell::text(format!(" {}", if n == 1 { one } else { many }))]
}

pub(super) const fn share(num: u128, den: u128) -> Cell {
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
    Table { key: "ratios", columns, rows, ..Table::default() }
}

/// The row whose count may be a lower bound.
const OUTPUT: &str = "output";

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
            if name == OUTPUT { with_output(group, counted) } else { Cell::Tokens(counted) },
            if of_prompt { share(counted, tokens.prompt()) } else { Cell::Empty },
            self::money(group, money, name == OUTPUT && group.lower_bound.responses > 0),
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
        row(OUTPUT, tokens.output, false, cost.output, lines.output),
    ];
    if tokens.searches > 0 {
        rows.push(row("web searches", tokens.searches, false, cost.search, lines.searches));
    }
    let all = tokens.prompt() + tokens.output;
    let all_lines = lines.prompt() + lines.output;
    let sum = vec![
        Cell::text("total"),
        with_output(group, all),
        Cell::Empty,
        self::cost(group),
        Cell::Empty,
        Cell::Tokens(all_lines),
        Cell::Times { num: all_lines, den: all },
    ];
    Table { key: "tokens", columns, rows, total: Some(sum), ..Table::default() }
}
