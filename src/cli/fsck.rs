//! `ccaudit fsck`

use anyhow::Result;
use clap::Args;

use super::ctx::{About, Ctx};
use super::exit::Exit;
use crate::analysis::{counting, dag, fsck};
use crate::finding;
use crate::source::Disk;
use crate::view;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ccaudit fsck                        what is damaged, and where
  ccaudit fsck --limit 0              every finding
  ccaudit fsck --fail-on warning      exit 1 if a transcript lost something
  ccaudit explain damaged-record      what a finding means")]
pub(super) struct FsckArgs {
    /// Findings and files shown, 0 for all; machine formats show all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
}

pub(super) fn run(args: &FsckArgs, ctx: &Ctx) -> Result<Exit> {
    let prices = ctx.prices()?;
    let corpus = ctx.load()?;
    let names = ctx.names(&corpus, &prices);
    let mut report = fsck::analyze(&corpus, ctx.now.as_millisecond());
    report.findings.extend(dag::findings(&corpus, &Disk));
    report.findings.extend(counting::findings(&corpus, &prices));
    finding::sort(&mut report.findings);
    let limit = if ctx.is_for_people() { args.limit } else { 0 };
    ctx.emit(
        About::tree("ccaudit.fsck/v1", &corpus, &names)
            .notes(vec!["what a rule means and what to do: ccaudit explain RULE".into()]),
        || view::v1::fsck(&report, &corpus, &names),
        || view::fsck::view(&report, &corpus, limit, &names),
    )?;
    Ok(ctx.gate(&report.findings).1)
}
