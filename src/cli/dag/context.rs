//! `ccaudit dag context`

use anyhow::{Result, bail};
use clap::Args;

use super::{SessionArg, find};
use crate::analysis::dag::{self, window};
use crate::cli::ctx::{About, Ctx};
use crate::cli::exit::Exit;
use crate::source::Disk;
use crate::view;

/// What the model had in its window at one moment, and how much of that is recorded
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit dag context 2d308a08                 at the last request of the session
  ccaudit dag context 2d308a08 --at cb10721c   at the request that this entry answers or led to")]
pub(super) struct ContextArgs {
    #[command(flatten)]
    session: SessionArg,

    /// An answer, or an entry that led to one; the last answer that a client would go on from without it
    #[arg(long, value_name = "UUID")]
    at: Option<String>,
}

pub(super) fn run(args: &ContextArgs, ctx: &Ctx) -> Result<Exit> {
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let (session, graph) = args.session.find(&corpus, ctx)?;
    let names = ctx.names(&corpus, &prices).with_entries(&corpus.nodes, &graph.ids());
    let at = match &args.at {
        Some(id) => Some(find::entry(&corpus, &graph, id, ctx)?),
        None => window::last_request(&corpus, &graph, &dag::report(&corpus, &graph, session.row)),
    };
    let Some(at) = at else {
        bail!("no client would go on from any entry of this session: name one with --at UUID");
    };
    let window = window::window(&corpus, &graph, &Disk, session.row, at);
    ctx.emit(
        About::tree("ccaudit.dag-context/v1", &corpus, &names).notes(vec![view::dag::context_note()]),
        || view::v1::dag_context(&window, session.row, &corpus, &graph, &names),
        || view::dag::context(&window, session.row, &corpus, &graph, &names),
    )?;
    Ok(Exit::Done)
}
