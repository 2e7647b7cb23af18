//! Flags that several commands share. The doc comments are the help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::analysis::cache::By;
use crate::rule::Level;

/// Flags of every command.
#[derive(Args, Clone, Debug)]
pub(super) struct Common {
    /// Folder to read, as ~/.claude; may be given several times
    ///
    /// Without it CLAUDE_CONFIG_DIR is read, and without that ~/.claude. Several roots are counted as one: a
    /// response that stands in two of them counts once.
    #[arg(long, global = true, value_name = "DIR", help_heading = "Input")]
    pub(super) root: Vec<PathBuf>,

    /// Where the disk of the audited machine is mounted
    ///
    /// For a tree copied from another machine: paths that the tree names are looked for below DIR.
    #[arg(long, global = true, value_name = "DIR", help_heading = "Input")]
    pub(super) fs_root: Option<PathBuf>,

    /// Price table whose rows replace the built-in ones of the same model and date
    #[arg(long, global = true, value_name = "FILE", help_heading = "Input")]
    pub(super) prices: Option<PathBuf>,

    /// Threads that read; the result is the same for any number
    #[arg(long, global = true, value_name = "N", help_heading = "Input", value_parser = threads)]
    pub(super) threads: Option<u16>,

    /// Clock of the report, as 2026-08-31 or 2026-08-31T12:00:00Z
    #[arg(long, global = true, value_name = "TIME", help_heading = "Input")]
    pub(super) now: Option<String>,

    /// Time zone in which days are cut, as Europe/Berlin or UTC; the system's without it
    #[arg(long, global = true, value_name = "ZONE", help_heading = "Input")]
    pub(super) timezone: Option<String>,

    /// How the report is written
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Output", default_value = "text")]
    pub(super) format: Format,

    /// Write to FILE, which appears whole or not at all; - is standard output
    #[arg(long, short, global = true, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,

    /// When to colour
    #[arg(long, global = true, value_name = "WHEN", help_heading = "Output", default_value = "auto")]
    pub(super) color: Color,

    /// Replace paths, ids and names by stable pseudonyms, to show the report to others
    #[arg(long, global = true, help_heading = "Output")]
    pub(super) share: bool,

    /// Show no progress bar
    #[arg(long, global = true, help_heading = "Output")]
    pub(super) no_progress: bool,

    /// Exit with 1 if there is a finding of this level or above; for overview, cache, fsck and dag
    ///
    /// cache judges the findings about counts, and those about stretches and files that could not be read.
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Output")]
    pub(super) fail_on: Option<FailOn>,
}

fn threads(text: &str) -> Result<u16, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("give a whole number from 1 to {}", u16::MAX))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a terminal
    Text,
    /// For programs: exact, versioned
    Json,
    /// For spreadsheets: exact, ratios to six places
    Csv,
    /// For issues and wikis
    Markdown,
    /// A diagram for Graphviz; of `dag show` only
    Dot,
    /// A diagram for Mermaid; of `dag show` only
    Mermaid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Note,
    Warning,
    Error,
}

impl From<FailOn> for Level {
    fn from(level: FailOn) -> Self {
        match level {
            FailOn::Note => Self::Note,
            FailOn::Warning => Self::Warning,
            FailOn::Error => Self::Error,
        }
    }
}

/// Flags that narrow what is counted.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Filters")]
pub(super) struct Filters {
    /// Count from here on: a date, a time, `today`, `yesterday`, or an age as 7d, 2w, 3m, 12h
    ///
    /// 7d means the last 7 calendar days, today included; 12h the last 12 hours.
    #[arg(long, value_name = "WHEN")]
    pub(super) since: Option<String>,

    /// Count up to here: a date counts as a whole day
    #[arg(long, value_name = "WHEN")]
    pub(super) until: Option<String>,

    /// Projects by path or folder name: a glob, or a part of the name; may repeat
    ///
    /// A whole path, as ~/projects/shop or C:\shop, and a whole folder name, as -Users-dev-shop, mean that one only.
    #[arg(long, value_name = "GLOB", allow_hyphen_values = true)]
    pub(super) project: Vec<String>,

    /// Sessions by id: a glob, or a part of the id; may repeat
    #[arg(long, value_name = "GLOB", allow_hyphen_values = true)]
    pub(super) session: Vec<String>,

    /// Models by name: a glob, or a part of the name; may repeat
    #[arg(long, value_name = "GLOB", allow_hyphen_values = true)]
    pub(super) model: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Dimension {
    Hour,
    Day,
    Week,
    Month,
    Project,
    Session,
    Model,
    Agent,
    Lane,
    Version,
    Ttl,
}

impl From<Dimension> for By {
    fn from(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Hour => Self::Hour,
            Dimension::Day => Self::Day,
            Dimension::Week => Self::Week,
            Dimension::Month => Self::Month,
            Dimension::Project => Self::Project,
            Dimension::Session => Self::Session,
            Dimension::Model => Self::Model,
            Dimension::Agent => Self::Agent,
            Dimension::Lane => Self::Lane,
            Dimension::Version => Self::Version,
            Dimension::Ttl => Self::Ttl,
        }
    }
}
