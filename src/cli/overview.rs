//! `ccaudit overview`, which is also what `ccaudit` alone does.

use anyhow::Result;
use clap::Args;

use super::args::Filters;
use super::ctx::{About, Ctx};
use super::exit::Exit;
use crate::analysis::overview;
use crate::source::Disk;
use crate::view;
use crate::world::Facts;

#[derive(Args, Debug, Default)]
#[command(after_help = "Examples:
  ccaudit                              the same
  ccaudit overview --since 30d         figures of the last 30 days
  ccaudit overview --share             to show to others")]
pub(super) struct OverviewArgs {
    #[command(flatten)]
    filters: Filters,
}

pub(super) fn run(args: &OverviewArgs, ctx: &Ctx) -> Result<Exit> {
    let scope = ctx.scope(&args.filters)?;
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let names = ctx.names(&corpus, &prices);
    let world = Facts::collect(ctx.common.fs_root.as_deref(), overview::paths(&corpus));
    let report = overview::analyze(&corpus, &scope, &prices, &world, &Disk, ctx.now.as_millisecond());
    let method = ctx.method(&prices, &args.filters);
    ctx.emit(
        About::tree("ccaudit.overview/v1", &corpus, &names)
            .filtered(&args.filters)
            .notes(view::overview::notes(&report, &method, &names)),
        || view::v1::overview(&report, &corpus, &prices, &names),
        || view::overview::view(&report, &corpus, &names),
    )?;
    Ok(ctx.gate(&report.findings).1)
}
