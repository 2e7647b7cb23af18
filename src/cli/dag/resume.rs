//! `ccaudit dag resume`

use anyhow::{Result, bail};
use clap::Args;

use super::SessionArg;
use crate::analysis::dag::resume;
use crate::cli::ctx::{About, Ctx};
use crate::cli::exit::Exit;
use crate::view;

/// The entries that `--resume` would send, in their order, and what is left out and why
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit dag resume 2d308a08                   for the newest client of the session
  ccaudit dag resume 2d308a08 --client 2.1.87   for another one")]
pub(super) struct ResumeArgs {
    #[command(flatten)]
    session: SessionArg,

    /// Client version; the newest that wrote into the session without it
    #[arg(long, value_name = "VERSION")]
    client: Option<String>,

    /// Entries shown, 0 for all; machine formats show all
    #[arg(long, value_name = "N", default_value_t = 40)]
    limit: usize,
}

pub(super) fn run(args: &ResumeArgs, ctx: &Ctx) -> Result<Exit> {
    if let Some(version) = args.client.as_deref().filter(|version| resume::parse(version).is_none()) {
        bail!("--client {version}: give a version as 2.1.332");
    }
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let (session, graph) = args.session.find(&corpus, ctx)?;
    let names = ctx.names(&corpus, &prices).with_entries(&corpus.nodes, &graph.ids());
    let newest = resume::newest_version(&corpus, session.main);
    let version = args.client.as_deref().unwrap_or_else(|| corpus.strings.text(newest));
    let chosen = resume::resume(&corpus, &graph, resume::choose(version));
    let others = resume::others(&corpus, &graph, &chosen);
    let limit = ctx.limit(args.limit);
    ctx.emit(
        About::tree("ccaudit.dag-resume/v1", &corpus, &names),
        || view::v1::dag_resume(&chosen, &others, session.row, &corpus, &names),
        || view::dag::resume(&chosen, &others, session.row, &corpus, limit, &names),
    )?;
    Ok(Exit::Done)
}
