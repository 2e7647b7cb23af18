//! `ccaudit dag`

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use super::ctx::{About, Ctx};
use super::exit::Exit;
use crate::analysis::dag::{self, Graph, resume};
use crate::model::Corpus;
use crate::view;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit dag                                   all sessions, worst first
  ccaudit dag resume 2d308a08                   what --resume would send of one of them
  ccaudit dag resume 2d308a08 --client 2.1.87   the same for another client")]
pub(super) struct DagArgs {
    /// Sessions shown, 0 for all; machine formats show all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    #[command(subcommand)]
    command: Option<DagCommand>,
}

#[derive(Subcommand, Debug)]
enum DagCommand {
    /// The entries that `--resume` would send, in their order, and what is left out and why
    #[command(after_help = "Examples:
  ccaudit dag resume 2d308a08                   for the newest client of the session
  ccaudit dag resume 2d308a08 --client 2.1.87   for another one")]
    Resume {
        /// Id of a session, or the start of one
        #[arg(value_name = "SESSION")]
        session: String,

        /// Client version; the newest that wrote into the session without it
        #[arg(long, value_name = "VERSION")]
        client: Option<String>,

        /// Entries shown, 0 for all; machine formats show all
        #[arg(long, value_name = "N", default_value_t = 40)]
        limit: usize,
    },
}

pub(super) fn run(args: &DagArgs, ctx: &Ctx) -> Result<Exit> {
    match &args.command {
        None => list(args.limit, ctx),
        Some(DagCommand::Resume { session, client, limit }) => {
            resume(session, client.as_deref(), *limit, ctx)
        }
    }
}

fn list(limit: usize, ctx: &Ctx) -> Result<Exit> {
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let names = ctx.names(&corpus, &prices);
    let reports = dag::reports(&corpus);
    let limit = if ctx.is_for_people() { limit } else { 0 };
    ctx.emit(
        About::tree("ccaudit.dag/v1", &corpus, &names).notes(vec![view::dag::note()]),
        || view::v1::dag(&reports, &corpus, &names),
        || view::dag::list(&reports, &corpus, limit, &names),
    )?;
    Ok(Exit::Done)
}

fn resume(session: &str, client: Option<&str>, limit: usize, ctx: &Ctx) -> Result<Exit> {
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let names = ctx.names(&corpus, &prices);
    let row = find(&corpus, session)?;
    let Some(main) = corpus.sessions[row].main else {
        bail!("session {session} has no transcript of its own, only agents");
    };
    let version = match client {
        Some(version) if resume::parse(version).is_none() => {
            bail!("--client {version}: give a version as 2.1.332");
        }
        Some(version) => version,
        None => corpus.strings.text(resume::newest_version(&corpus, main)),
    };
    let graph = Graph::of(&corpus, row);
    let chosen = resume::resume(&corpus, &graph, resume::choose(version));
    let others = resume::others(&corpus, &graph, &chosen);
    let limit = if ctx.is_for_people() { limit } else { 0 };
    ctx.emit(
        About::tree("ccaudit.dag-resume/v1", &corpus, &names),
        || view::v1::dag_resume(&chosen, &others, row, &corpus, &names),
        || view::dag::resume(&chosen, &others, row, &corpus, limit, &names),
    )?;
    Ok(Exit::Done)
}

/// The session with this id, or the only one whose id starts with it.
fn find(corpus: &Corpus, id: &str) -> Result<usize> {
    let all = || corpus.sessions.iter().enumerate().filter(|(_, session)| session.main.is_some());
    let named = |row: &usize| corpus.sessions[*row].id.as_str();
    let mut found: Vec<usize> = all().filter(|(_, session)| session.id == id).map(|(row, _)| row).collect();
    if found.is_empty() {
        found = all().filter(|(_, session)| session.id.starts_with(id)).map(|(row, _)| row).collect();
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let near = all().map(|(row, _)| row).max_by(|a, b| {
                let like = |row: &usize| strsim::jaro_winkler(id, named(row));
                like(a).total_cmp(&like(b)).then_with(|| named(b).cmp(named(a)))
            });
            let hint = near.map_or_else(String::new, |row| format!("; the nearest is {}", named(&row)));
            bail!("no session is called {id}{hint} (ccaudit dag --limit 0 lists them)")
        }
        several => {
            let ids: Vec<&str> = several.iter().take(5).map(named).collect();
            bail!("{} sessions start with {id}: {}; give more of the id", several.len(), ids.join(", "))
        }
    }
}
