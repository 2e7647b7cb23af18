//! `ccaudit.rules/v1` and `ccaudit.explain-…/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::constants::{self, Constant, FORMULAS, Formula};
use crate::registry::RULES;
use crate::rule::{Rule, Status};

/// A rule with its page.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RulePage {
    pub id: &'static str,
    pub summary: &'static str,
    pub level: &'static str,
    /// Evidence tier: A measured or documented, B reverse-engineered.
    pub tier: &'static str,
    /// `stable`, `preview` or `removed`.
    pub status: &'static str,
    /// Version in which it got this status.
    pub since: &'static str,
    /// Ids of the numbers that it depends on.
    pub constants: Vec<&'static str>,
    /// Markdown.
    pub documentation: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FormulaPage {
    pub id: &'static str,
    pub name: &'static str,
    pub expression: &'static str,
    pub meaning: &'static str,
    pub source: &'static str,
    pub note: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ConstantPage {
    pub id: &'static str,
    pub value: &'static str,
    pub unit: &'static str,
    pub source: &'static str,
    /// Client versions it holds for.
    pub versions: &'static str,
    pub tier: &'static str,
    pub note: &'static str,
}

/// What `explain` knows, one line each.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explainable {
    pub id: &'static str,
    /// `rule`, `formula`, `constant` or `format`.
    pub kind: &'static str,
    pub summary: String,
}

/// Rules, formulas, constants and formats, each in their order.
#[must_use]
pub fn explainable() -> Vec<Explainable> {
    let entry = |id, kind, summary: String| Explainable { id, kind, summary };
    let rules = RULES.iter().map(|rule| entry(rule.id, "rule", rule.summary.to_owned()));
    let formulas = FORMULAS.iter().map(|formula| entry(formula.id, "formula", formula.expression.to_owned()));
    let constants = constants::ALL
        .iter()
        .map(|constant| entry(constant.id, "constant", format!("{} {}", constant.value, constant.unit)));
    let formats = super::schemas().into_iter().map(|(id, _)| {
        // `dag-show` is of a command with two words, `rules-list` is not.
        let name = id.trim_start_matches("ccaudit.").trim_end_matches("/v1");
        let command = match name.split_once('-') {
            Some(("dag", command)) => format!("dag {command}"),
            Some((command, _)) => command.to_owned(),
            None => name.to_owned(),
        };
        entry(id, "format", format!("JSON that ccaudit {command} writes"))
    });
    rules.chain(formulas).chain(constants).chain(formats).collect()
}

#[must_use]
pub fn rule(rule: &Rule) -> RulePage {
    let (status, since) = match rule.status {
        Status::Stable { since } => ("stable", since),
        Status::Preview { since } => ("preview", since),
        Status::Removed { since, .. } => ("removed", since),
    };
    RulePage {
        id: rule.id,
        summary: rule.summary,
        level: rule.level.as_str(),
        tier: rule.tier.as_str(),
        status,
        since,
        constants: rule.constants.to_vec(),
        documentation: rule.doc,
    }
}

#[must_use]
pub const fn formula(formula: &Formula) -> FormulaPage {
    FormulaPage {
        id: formula.id,
        name: formula.name,
        expression: formula.expression,
        meaning: formula.meaning,
        source: formula.source,
        note: formula.note,
    }
}

#[must_use]
pub fn constant(constant: &Constant) -> ConstantPage {
    ConstantPage {
        id: constant.id,
        value: constant.value,
        unit: constant.unit,
        source: constant.source,
        versions: constant.versions,
        tier: constant.tier.as_str(),
        note: constant.note,
    }
}
