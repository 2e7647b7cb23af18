//! `ccaudit dag show`

use anyhow::{Result, bail};
use clap::Args;

use super::{SessionArg, find};
use crate::analysis::dag::{self, show};
use crate::cli::ctx::{About, Ctx};
use crate::cli::exit::Exit;
use crate::prices::Pricer;
use crate::render;
use crate::source::Disk;
use crate::view;

/// A session as a tree: turns, branches, compactions and agents, with tokens, time and cost
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit dag show 2d308a08                            turn by turn
  ccaudit dag show 2d308a08 --text                     with what was said
  ccaudit dag show 2d308a08 --around cb10721c          the entries of one turn
  ccaudit dag show 2d308a08 --format dot | dot -Tsvg   as a drawing")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    session: SessionArg,

    /// Only this branch, and the way to it
    #[arg(long, value_name = "N")]
    branch: Option<u32>,

    /// Only the turn that holds this entry and those beside it, with its entries
    #[arg(long, value_name = "UUID")]
    around: Option<String>,

    /// Show what was said, shortened, without what looks like a credential
    #[arg(long)]
    text: bool,
}

pub(super) fn run(args: &ShowArgs, ctx: &Ctx) -> Result<Exit> {
    if args.text && ctx.common.share {
        bail!("--text shows what was said, which --share cannot hide: leave out one of them");
    }
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let (session, graph) = args.session.find(&corpus, ctx)?;
    let names = ctx.names(&corpus, &prices).with_entries(&corpus.nodes, &graph.ids());
    let report = dag::report(&corpus, &graph, session.row);
    let mut outline = show::outline(&corpus, &graph, &report);
    if let Some(number) = args.branch {
        let branches = outline.strands.len();
        let row = (number as usize).wrapping_sub(1);
        if row >= branches {
            bail!("--branch {number}: give one from 1 to {branches}, as ccaudit dag show numbers them");
        }
        outline = outline.only(row);
    }
    let node = args.around.as_deref().map(|id| find::entry(&corpus, &graph, id, ctx)).transpose()?;
    let part = match node.map(|node| outline.part_of(node)) {
        None => None,
        Some(Some(part)) => Some(part),
        Some(None) if args.branch.is_some() => {
            bail!("--around: that entry is not on the branch: leave out --branch")
        }
        Some(None) => bail!("--around: that entry belongs to an agent: give one of the main transcript"),
    };
    let pricer = Pricer::new(&corpus, &prices);
    let facts = outline.facts(&corpus, &graph, session.row, &pricer);
    let text = |row: u32| show::text(&corpus, &graph, &Disk, row);
    let shown = view::dag::Shown {
        corpus: &corpus,
        graph: &graph,
        session: session.row,
        head: &show::head(&corpus, &Disk, session.row, &pricer),
        outline: &outline,
        facts: &facts,
        text: args.text.then_some(&text),
        around: part,
        zone: &ctx.zone,
        names: &names,
    };
    if let Some(language) = ctx.diagram() {
        let diagram = view::dag::diagram(&shown);
        ctx.write(|out| render::diagram(&diagram, language, out))?;
        return Ok(Exit::Done);
    }
    let note = view::dag::show_note(&ctx.price_date(&prices));
    ctx.emit(
        About::tree("ccaudit.dag-show/v1", &corpus, &names).notes(vec![note]),
        || view::v1::dag_show(&shown),
        || view::dag::show(&shown),
    )?;
    Ok(Exit::Done)
}
