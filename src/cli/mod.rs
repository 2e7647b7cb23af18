//! The command line: the only layer that knows clap, the terminal, the clock and the environment.

mod args;
mod cache;
mod ctx;
mod dag;
mod env;
mod exit;
mod fsck;
mod names;
mod output;
mod overview;
mod progress;
#[cfg(feature = "tables")]
mod query;
mod rules;
mod usage;
mod when;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

use args::Common;
use ctx::Ctx;
use env::Env;
use exit::Exit;

/// Offline audit of what Claude Code leaves under ~/.claude
///
/// Reads every transcript, counts each API response once, and reports cache hits, lifetimes, cost and damage.
/// Reads only; opens no network connection; prints no message text unless asked.
#[derive(Parser, Debug)]
#[command(
    name = "ccaudit",
    version,
    max_term_width = 100,
    after_help = "Examples:
  ccaudit                                one screen about ~/.claude
  ccaudit cache --by day --since 7d      cache and cost of the last seven days
  ccaudit fsck                           what is damaged
  ccaudit --root DIR cache               another tree

Exit status: 0 done, 1 findings at or above --fail-on, 2 could not do it.
ccaudit is not affiliated with Anthropic."
)]
struct Cli {
    #[command(flatten)]
    common: Common,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// What the tree holds, what it cost, what needs a look (without a command too)
    Overview(overview::OverviewArgs),
    /// Cache hits, lifetimes, cost and savings
    Cache(cache::CacheArgs),
    /// Bytes and records: what is damaged, and where
    Fsck(fsck::FsckArgs),
    /// Sessions as graphs: branches, losses, what a resume loads, what the model saw
    Dag(dag::DagArgs),
    /// SQL over the parsed tables
    #[cfg(feature = "tables")]
    Query(query::QueryArgs),
    /// What can be found, by rule
    Rules(rules::RulesArgs),
    /// Where a rule, a ratio or a number comes from
    Explain(rules::ExplainArgs),
    /// Completions for a shell
    #[command(after_help = "Examples:
  ccaudit completions bash > ~/.local/share/bash-completion/completions/ccaudit
  ccaudit completions zsh > ~/.zfunc/_ccaudit
  ccaudit completions fish > ~/.config/fish/completions/ccaudit.fish")]
    Completions {
        /// bash, elvish, fish, powershell or zsh
        shell: Shell,
    },
}

impl Command {
    /// The name of a command that has no findings to judge.
    const fn without_gate(&self) -> Option<&'static str> {
        match self {
            Self::Overview(_) | Self::Cache(_) | Self::Fsck(_) => None,
            #[cfg(feature = "tables")]
            Self::Query(_) => Some("query"),
            Self::Dag(args) if args.has_gate() => None,
            Self::Dag(_) => Some("a command about one session"),
            Self::Rules(_) => Some("rules"),
            Self::Explain(_) => Some("explain"),
            Self::Completions { .. } => Some("completions"),
        }
    }
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(error) if error.use_stderr() => {
            say(&usage::sentence(&error));
            return Exit::Failed.into();
        }
        Err(help) => print(&help),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            report(&error);
            Exit::Failed.into()
        }
    }
}

/// The help or the version, as it was asked for.
fn print(help: &clap::Error) -> Result<Exit> {
    // What lies in the buffer would be lost without a word.
    let printed = help.print().and_then(|()| io::stdout().flush());
    printed.context("cannot write to standard output, send it to another place")?;
    Ok(Exit::Done)
}

fn run(cli: Cli) -> Result<Exit> {
    if let Some(name) = cli.command.as_ref().and_then(Command::without_gate)
        && cli.common.fail_on.is_some()
    {
        bail!(
            "--fail-on does not go with {name}, which has no findings: use it with overview, cache, fsck or dag"
        );
    }
    let ctx = Ctx::new(Env::read(), cli.common)?;
    if ctx.diagram().is_some() && !matches!(&cli.command, Some(Command::Dag(args)) if args.draws()) {
        bail!(ctx::NO_DIAGRAM);
    }
    match cli.command {
        None => overview::run(&overview::OverviewArgs::default(), &ctx),
        Some(Command::Overview(args)) => overview::run(&args, &ctx),
        Some(Command::Cache(args)) => cache::run(&args, &ctx),
        Some(Command::Fsck(args)) => fsck::run(&args, &ctx),
        Some(Command::Dag(args)) => dag::run(&args, &ctx),
        #[cfg(feature = "tables")]
        Some(Command::Query(args)) => query::run(&args, &ctx),
        Some(Command::Rules(args)) => rules::rules(&args, &ctx),
        Some(Command::Explain(args)) => rules::explain(&args, &ctx),
        Some(Command::Completions { shell }) => {
            // The generator panics where a write fails, so it writes to memory.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "ccaudit", &mut script);
            ctx.write(|out| out.write_all(&script))?;
            Ok(Exit::Done)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    kinds.into_iter().any(|kind| kind == io::ErrorKind::BrokenPipe)
}

/// One sentence: what went wrong, and what to do. The hint is the outermost context.
fn report(error: &anyhow::Error) {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    say(&causes.join(": "));
}

/// One line on standard error, which may be closed.
fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "ccaudit: {}", crate::render::clean::text(text));
}
