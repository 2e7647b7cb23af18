//! `ccaudit cache`

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::args::{Dimension, Filters};
use super::ctx::{About, Ctx};
use super::exit::Exit;
use crate::analysis::cache::{self, By, CacheOptions, Group};
use crate::analysis::{counting, fsck};
use crate::view;
use crate::words::counted;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit cache                                 ratios, tokens and cost of everything
  ccaudit cache --by day --since 7d             the last seven days
  ccaudit cache --by project,model --limit 0    two dimensions, all rows
  ccaudit cache --by session --sort share       worst cache first
  ccaudit cache --format json | jq .data.totals")]
pub(super) struct CacheArgs {
    /// Cut the figures by one or two dimensions, separated by a comma
    #[arg(long, value_name = "DIMENSION", value_delimiter = ',', num_args = 1..)]
    by: Vec<Dimension>,

    /// Order of the rows; time for --by hour, day, week and month, else cost
    #[arg(long, value_name = "KEY")]
    sort: Option<Sort>,

    /// Rows shown, 0 for all; without it 10, or the last 31 in order of time; machine formats show all
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    #[command(flatten)]
    filters: Filters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Dearest first
    Cost,
    /// Most prompt and output tokens first
    Tokens,
    /// Most cache reads first
    Read,
    /// Most responses first
    Responses,
    /// Lowest prompt share first
    Share,
    /// By name or time
    Key,
}

pub(super) fn run(args: &CacheArgs, ctx: &Ctx) -> Result<Exit> {
    if args.by.len() > 2 {
        bail!("--by takes one or two dimensions");
    }
    if let [one, two] = args.by.as_slice()
        && one == two
    {
        bail!("--by names one dimension twice: give it once, or another one beside it");
    }
    if args.by.is_empty() && (args.sort.is_some() || args.limit.is_some()) {
        bail!("--sort and --limit are for the rows of --by: add --by DIMENSION, as in --by session");
    }
    let by: Vec<By> = args.by.iter().map(|dimension| (*dimension).into()).collect();
    let scope = ctx.scope(&args.filters)?;
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let names = ctx.names(&corpus, &prices);
    let mut report = cache::analyze(&corpus, &CacheOptions { scope: &scope, prices: &prices, by: &by });
    let by_time = by.first().is_some_and(|by| by.is_time());
    let sort = args.sort.unwrap_or(if by_time { Sort::Key } else { Sort::Cost });
    order(&mut report.groups, sort);
    let limit = args.limit.unwrap_or(match (ctx.is_for_people(), sort == Sort::Key && by_time) {
        (false, _) => 0,
        (true, true) => 31,
        (true, false) => 10,
    });
    let hidden = cut(&mut report.groups, limit, sort == Sort::Key && by_time);
    let unpriced = if args.limit == Some(0) { usize::MAX } else { view::cache::FEW };
    let method = ctx.method(&prices, &args.filters);
    let names_of_by: Vec<&'static str> = by.iter().map(|by| by.name()).collect();
    ctx.emit(
        About::tree("ccaudit.cache/v1", &corpus, &names)
            .filtered(&args.filters)
            .notes(view::cache::notes(&report, &method, unpriced, &names)),
        || view::v1::cache(&report, &names_of_by, &prices, &names),
        || view::cache::view(&report, &by, hidden, sort == Sort::Key && by_time, &names),
    )?;
    let Some(level) = ctx.fail_on() else { return Ok(Exit::Done) };
    // What the report tells of: its counts, and what is missing from them.
    let mut judged = counting::findings(&corpus, &prices);
    judged.extend(fsck::losses(&corpus, ctx.now.as_millisecond()));
    let (count, exit) = ctx.gate(&judged);
    if exit == Exit::Findings {
        let findings = counted(count, "finding", "findings");
        let them = if count == 1 { "it" } else { "them" };
        super::say(&format!("{findings} at or above {level}: ccaudit fsck shows {them}"));
    }
    Ok(exit)
}

/// Leaves `limit` rows, the last ones of a series in time; returns how many went.
fn cut(groups: &mut Vec<Group>, limit: usize, keep_last: bool) -> usize {
    let hidden = if limit == 0 { 0 } else { groups.len().saturating_sub(limit) };
    if keep_last {
        groups.drain(..hidden);
    } else {
        groups.truncate(groups.len() - hidden);
    }
    hidden
}

/// Rows in the order asked for; equal ones by key.
fn order(groups: &mut [Group], sort: Sort) {
    use std::cmp::Reverse;
    match sort {
        Sort::Key => groups.sort_by(|a, b| a.keys.cmp(&b.keys)),
        Sort::Cost => groups.sort_by_cached_key(|group| (Reverse(group.cost.total()), group.keys.clone())),
        Sort::Tokens => groups.sort_by_cached_key(|group| {
            (Reverse(group.tokens.prompt() + group.tokens.output), group.keys.clone())
        }),
        Sort::Read => groups.sort_by_cached_key(|group| (Reverse(group.tokens.read), group.keys.clone())),
        Sort::Responses => groups.sort_by_cached_key(|group| (Reverse(group.responses), group.keys.clone())),
        Sort::Share => groups.sort_by_cached_key(|group| {
            let (read, prompt) = (group.tokens.read, group.tokens.prompt());
            // Millionths of the share; groups without a prompt come last.
            ((read * 1_000_000).checked_div(prompt).unwrap_or(u128::MAX), group.keys.clone())
        }),
    }
}
