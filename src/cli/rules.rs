//! `ccaudit rules` and `ccaudit explain`

use anyhow::{Result, bail};
use clap::Args;

use super::args::Format;
use super::ctx::{About, Ctx};
use super::exit::Exit;
use crate::constants::{self, find_formula};
use crate::registry;
use crate::rule::Rule;
use crate::view::{self, v1};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit rules                        every rule with its level
  ccaudit rules --format json          with the pages of documentation")]
pub(super) struct RulesArgs {}

pub(super) fn rules(_: &RulesArgs, ctx: &Ctx) -> Result<Exit> {
    ctx.emit(
        About::nothing("ccaudit.rules/v1"),
        || registry::RULES.iter().map(|rule| v1::rule(rule)).collect::<Vec<_>>(),
        || view::rules::list(registry::RULES),
    )?;
    Ok(Exit::Done)
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit explain prompt-share         how a ratio is made
  ccaudit explain                      every id, with one line each
  ccaudit explain damaged-record       what a finding means
  ccaudit explain cache-ttl-5m         where a number comes from
  ccaudit explain ccaudit.cache/v1     the JSON Schema of a report")]
pub(super) struct ExplainArgs {
    /// Id of a rule, a formula, a constant or a JSON format; without it all of them are listed
    #[arg(value_name = "ID")]
    id: Option<String>,
}

pub(super) fn explain(args: &ExplainArgs, ctx: &Ctx) -> Result<Exit> {
    let Some(id) = args.id.as_deref() else {
        let entries = v1::explainable();
        ctx.emit(
            About::nothing("ccaudit.explain-list/v1"),
            || &entries,
            || view::rules::explainable(&entries),
        )?;
        return Ok(Exit::Done);
    };
    if let Some(rule) = registry::find(id) {
        explain_rule(rule, ctx)?;
    } else if let Some(formula) = find_formula(id) {
        ctx.emit(
            About::nothing("ccaudit.explain-formula/v1"),
            || v1::formula(formula),
            || view::rules::formula(formula),
        )?;
    } else if let Some(constant) = constants::find(id) {
        ctx.emit(
            About::nothing("ccaudit.explain-constant/v1"),
            || v1::constant(constant),
            || view::rules::constant(constant),
        )?;
    } else if let Some((_, schema)) = v1::schemas().into_iter().find(|(name, _)| *name == id) {
        ctx.write(|out| {
            serde_json::to_writer_pretty(&mut *out, &schema)?;
            writeln!(out)
        })?;
    } else {
        let hint = nearest(id).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        bail!("no rule, formula, constant or format is called {id}{hint} (ccaudit explain lists all ids)");
    }
    Ok(Exit::Done)
}

/// For people the page follows the facts; programs get it as one string.
fn explain_rule(rule: &'static Rule, ctx: &Ctx) -> Result<()> {
    let used: Vec<_> = rule.constants.iter().filter_map(|id| constants::find(id)).collect();
    if matches!(ctx.common.format, Format::Text | Format::Markdown) {
        return ctx.page(&view::rules::rule(rule, &used), rule.doc);
    }
    ctx.emit(About::nothing("ccaudit.explain-rule/v1"), || v1::rule(rule), || view::rules::rule(rule, &used))
}

fn nearest(id: &str) -> Option<&'static str> {
    let formulas = constants::FORMULAS.iter().map(|formula| formula.id);
    let numbers = constants::ALL.iter().map(|constant| constant.id);
    let formats = v1::schemas().into_iter().map(|(name, _)| name);
    registry::suggest(id, formulas.chain(numbers).chain(formats))
}
