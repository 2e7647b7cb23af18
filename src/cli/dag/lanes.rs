//! `ccaudit dag lanes`

use anyhow::Result;
use clap::Args;

use super::SessionArg;
use crate::analysis::dag;
use crate::cli::ctx::{About, Ctx};
use crate::cli::exit::Exit;
use crate::prices::Pricer;
use crate::view;

/// The main thread, each agent with the call that started it, and requests beside the conversation
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit dag lanes 2d308a08                 lanes of one session, as they begin
  ccaudit dag lanes 2d308a08 --format json   with every response in the order of its chain")]
pub(super) struct LanesArgs {
    #[command(flatten)]
    session: SessionArg,
}

pub(super) fn run(args: &LanesArgs, ctx: &Ctx) -> Result<Exit> {
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let (session, graph) = args.session.find(&corpus, ctx)?;
    let names = ctx.names(&corpus, &prices).with_entries(&corpus.nodes, &graph.ids());
    let lanes = dag::lanes(&corpus, &graph, session.row);
    let pricer = Pricer::new(&corpus, &prices);
    ctx.emit(
        About::tree("ccaudit.dag-lanes/v1", &corpus, &names)
            .notes(vec![view::dag::lanes_note(&ctx.price_date(&prices))]),
        || view::v1::dag_lanes(&lanes, session.row, &corpus, &pricer, &names),
        || view::dag::lanes(&lanes, session.row, &corpus, &pricer, &ctx.zone, &names),
    )?;
    Ok(Exit::Done)
}
