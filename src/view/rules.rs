//! `ccaudit rules` and `ccaudit explain` for people.

use super::v1::Explainable;
use super::{Block, Cell, Column, Fact, Note, Table, View};
use crate::constants::{Constant, Formula};
use crate::rule::{Rule, Status};

/// All rules in a table.
#[must_use]
pub fn list(rules: &[&Rule]) -> View {
    let columns = vec![
        Column::left("id", "rule", 0),
        Column::left("level", "level", 0),
        Column::left("tier", "tier", 2),
        Column::left("summary", "what it reports", 0),
    ];
    let row = |rule: &&Rule| {
        vec![
            Cell::code(rule.id),
            Cell::text(rule.level.as_str()),
            Cell::text(rule.tier.as_str()),
            Cell::text(rule.summary),
        ]
    };
    let table = Table { key: "rules", columns, rows: rules.iter().map(row).collect(), ..Table::default() };
    let note = "tier A is measured or documented, B reverse-engineered · a rule's page: ccaudit explain ID";
    View { blocks: vec![Block::Table(table), Block::Note(note.into())] }
}

/// Everything that can be explained, in a table.
#[must_use]
pub fn explainable(entries: &[Explainable]) -> View {
    let columns =
        vec![Column::left("id", "id", 0), Column::left("kind", "kind", 0), Column::left("summary", "is", 0)];
    let row = |entry: &Explainable| {
        vec![Cell::code(entry.id), Cell::text(entry.kind), Cell::text(entry.summary.as_str())]
    };
    let rows = entries.iter().map(row).collect();
    let table = Table { key: "ids", columns, rows, ..Table::default() };
    let note = "more about one: ccaudit explain ID";
    View { blocks: vec![Block::Table(table), Block::Note(note.into())] }
}

/// A rule's facts; its page is Markdown and printed as it stands.
#[must_use]
pub fn rule(rule: &Rule, constants: &[&Constant]) -> View {
    let status = match rule.status {
        Status::Stable { since } => format!("stable since {since}"),
        Status::Preview { since } => format!("preview since {since}"),
        Status::Removed { since, reason } => format!("removed in {since}: {reason}"),
    };
    let mut blocks = vec![Block::Facts(vec![
        fact("id", "Rule", rule.id),
        fact("summary", "Reports", rule.summary),
        fact("level", "Level", rule.level.as_str()),
        fact("tier", "Evidence", rule.tier.as_str()),
        fact("status", "Status", &status),
    ])];
    for constant in constants {
        blocks.push(Block::Heading(format!("Constant {}", constant.id)));
        blocks.push(Block::Facts(constant_facts(constant)));
    }
    View { blocks }
}

#[must_use]
pub fn formula(formula: &Formula) -> View {
    let facts = vec![
        fact("id", "Formula", formula.id),
        fact("name", "Name", formula.name),
        fact("expression", "Is", formula.expression),
        fact("meaning", "Says", formula.meaning),
        fact("note", "Does not say", formula.note),
        fact("source", "Source", formula.source),
    ];
    View { blocks: vec![Block::Facts(facts)] }
}

#[must_use]
pub fn constant(constant: &Constant) -> View {
    View { blocks: vec![Block::Facts(constant_facts(constant))] }
}

fn constant_facts(constant: &Constant) -> Vec<Fact> {
    vec![
        fact("id", "Constant", constant.id),
        fact("value", "Value", &format!("{} {}", constant.value, constant.unit)),
        fact("tier", "Evidence", constant.tier.as_str()),
        fact("versions", "Clients", constant.versions),
        fact("source", "Source", constant.source),
        fact("note", "Decides", constant.note),
    ]
}

fn fact(key: &'static str, label: &str, value: &str) -> Fact {
    Fact { key, label: label.to_owned(), value: Cell::text(value), remark: Note::default() }
}
