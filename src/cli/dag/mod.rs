//! `ccaudit dag`

mod context;
mod find;
mod lanes;
mod resume;
mod show;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::analysis::dag;
use crate::cli::ctx::{About, Ctx};
use crate::cli::exit::Exit;
use crate::source::Disk;
use crate::view;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit dag                                   all sessions, worst first
  ccaudit dag show 2d308a08                     one of them, turn by turn
  ccaudit dag resume 2d308a08                   what --resume would send of it
  ccaudit dag context 2d308a08                  what the model had in its window
  ccaudit dag lanes 2d308a08                    its main thread and its agents")]
pub(in crate::cli) struct DagArgs {
    /// Sessions shown, 0 for all; machine formats show all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    #[command(subcommand)]
    command: Option<DagCommand>,
}

#[derive(Subcommand, Debug)]
enum DagCommand {
    Show(show::ShowArgs),
    Resume(resume::ResumeArgs),
    Context(context::ContextArgs),
    Lanes(lanes::LanesArgs),
}

impl DagArgs {
    /// The command has findings to judge.
    pub(in crate::cli) const fn has_gate(&self) -> bool {
        self.command.is_none()
    }

    /// The command can write a diagram.
    pub(in crate::cli) const fn draws(&self) -> bool {
        matches!(self.command, Some(DagCommand::Show(_)))
    }
}

/// Which session a command is about.
#[derive(Args, Debug)]
struct SessionArg {
    /// Id of a session, or the start of one; ID@STORE where two stores have the id
    #[arg(value_name = "SESSION")]
    session: String,
}

pub(in crate::cli) fn run(args: &DagArgs, ctx: &Ctx) -> Result<Exit> {
    match &args.command {
        None => list(args.limit, ctx),
        Some(DagCommand::Show(args)) => show::run(args, ctx),
        Some(DagCommand::Resume(args)) => resume::run(args, ctx),
        Some(DagCommand::Context(args)) => context::run(args, ctx),
        Some(DagCommand::Lanes(args)) => lanes::run(args, ctx),
    }
}

fn list(limit: usize, ctx: &Ctx) -> Result<Exit> {
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let names = ctx.names(&corpus, &prices);
    let sessions = dag::list(&corpus, &Disk, &prices);
    let limit = ctx.limit(limit);
    ctx.emit(
        About::tree("ccaudit.dag/v1", &corpus, &names).notes(vec![view::dag::note(&ctx.price_date(&prices))]),
        || view::v1::dag(&sessions, &corpus, &names),
        || view::dag::list(&sessions, &corpus, limit, &names),
    )?;
    match ctx.fail_on() {
        Some(_) => Ok(ctx.gate(&dag::findings(&corpus, &Disk)).1),
        None => Ok(Exit::Done),
    }
}
