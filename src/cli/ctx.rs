//! What every command needs: the resolved flags, the loaded corpus, and where the report goes.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use serde::Serialize;

use super::args::{Color, Common, Filters, Format};
use super::env::Env;
use super::exit::Exit;
use super::progress::Bar;
use super::when;
use super::{names, output};
use crate::error::Error;
use crate::finding::Finding;
use crate::gate;
use crate::load::{self, Options, Silent};
use crate::model::Corpus;
use crate::prices::PriceTable;
use crate::render::{self, Envelope, TextStyle};
use crate::rule::Level;
use crate::scope::{Patterns, Scope, is_glob};
use crate::view::cache::Method;
use crate::view::{self, Block, Names, Note, View, v1};

/// Lines without a terminal are cut for this many columns.
const DEFAULT_WIDTH: usize = 80;
/// What every command says but the one that draws.
pub(super) const NO_DIAGRAM: &str =
    "only `ccaudit dag show` draws diagrams: give --format text, json, csv or markdown";
/// Wider lines are hard to follow.
const WIDEST: usize = 160;

pub(super) struct Ctx {
    pub(super) env: Env,
    pub(super) common: Common,
    pub(super) now: Timestamp,
    pub(super) zone: TimeZone,
}

/// What stands around a report.
pub(super) struct About<'a> {
    /// Name of its JSON format.
    schema: &'static str,
    tree: v1::Tree,
    asked: Option<&'a Filters>,
    /// Sentences above the report: settings that explain missing data.
    head: Vec<Note>,
    /// Sentences below it.
    notes: Vec<Note>,
}

impl<'a> About<'a> {
    /// A report that reads no tree.
    pub(super) const fn nothing(schema: &'static str) -> Self {
        Self { schema, tree: v1::Tree::none(), asked: None, head: Vec::new(), notes: Vec::new() }
    }

    /// A report about a tree.
    pub(super) fn tree(schema: &'static str, corpus: &Corpus, names: &Names) -> Self {
        let head = view::settings::notes(&corpus.settings, names);
        Self { schema, tree: v1::Tree::of(corpus, names), asked: None, head, notes: Vec::new() }
    }

    pub(super) fn filtered(self, asked: &'a Filters) -> Self {
        Self { asked: Some(asked), ..self }
    }

    pub(super) fn notes(self, notes: Vec<Note>) -> Self {
        Self { notes, ..self }
    }
}

impl Ctx {
    pub(super) fn new(env: Env, mut common: Common) -> Result<Self> {
        common.output = common.output.filter(|path| !output::is_standard(path));
        let zone = match &common.timezone {
            Some(name) => TimeZone::get(name).map_err(|_| {
                anyhow!("--timezone {name} is not known: give a name as Europe/Berlin or UTC")
            })?,
            None => env.zone.clone(),
        };
        let now = common.now.as_deref().map_or(Ok(env.now), |text| when::now(text, &zone))?;
        let ctx = Self { env, common, now, zone };
        ctx.refuse_output_below_a_root()?;
        Ok(ctx)
    }

    /// Nothing below a tree is written.
    fn refuse_output_below_a_root(&self) -> Result<()> {
        // Without a root there is nothing to read either, which whoever reads will say.
        let roots = self.roots().unwrap_or_default();
        match &self.common.output {
            Some(path) if roots.iter().any(|root| output::lies_below(path, root)) => bail!(
                "--output {} lies below a folder that is read, where nothing is written: give a place outside of it",
                path.display()
            ),
            _ => Ok(()),
        }
    }

    /// The trees to read: `--root`, else `CLAUDE_CONFIG_DIR`, else `~/.claude`.
    fn roots(&self) -> Result<Vec<PathBuf>> {
        if !self.common.root.is_empty() {
            return Ok(self.common.root.clone());
        }
        if let Some(folder) = &self.env.config_dir {
            return Ok(vec![folder.clone()]);
        }
        let home = self.env.home.as_ref().context("no home folder is set: give the tree with --root DIR")?;
        Ok(vec![home.join(".claude")])
    }

    pub(super) fn load(&self) -> Result<Corpus> {
        let roots = self.roots()?;
        let threads = self.common.threads.map_or(self.env.cores, usize::from);
        let options = Options::with_threads(threads);
        let bar = self.env.shows_progress && !self.common.no_progress;
        let loaded = if bar {
            load::corpus(&roots, &options, &Bar::new())
        } else {
            load::corpus(&roots, &options, &Silent)
        };
        loaded.map_err(|error| anyhow!("{error}; {}", hint(&error)))
    }

    pub(super) fn prices(&self) -> Result<PriceTable> {
        let mut table = PriceTable::builtin();
        if let Some(path) = &self.common.prices {
            let text = std::fs::read_to_string(path).map_err(|error| {
                anyhow!("cannot read the price file {}: {error}; check --prices", path.display())
            })?;
            table.override_with(&text, &path.display().to_string())?;
        }
        Ok(table)
    }

    /// The clock as the time zone shows it.
    pub(super) fn clock(&self) -> ZonedDateTime {
        self.now.to_zoned_datetime(self.zone.clone())
    }

    pub(super) fn scope(&self, filters: &Filters) -> Result<Scope> {
        let patterns = |flag: &str, given: &[String]| {
            Patterns::new(given).map_err(|error| {
                let glob = error.glob().unwrap_or_default();
                anyhow!(
                    "--{flag} {glob} is no glob, {}: put a character that stands for itself in brackets, as [[]",
                    error.kind()
                )
            })
        };
        let clock = self.clock();
        let projects: Vec<String> = filters.project.iter().map(|pattern| self.below_home(pattern)).collect();
        let named = |flag: &str, time: Result<i64>| time.map_err(|error| anyhow!("{flag} {error}"));
        let since = filters.since.as_deref().map(|text| named("--since", when::since(text, &clock)));
        let until = filters.until.as_deref().map(|text| named("--until", when::until(text, &clock)));
        let scope = Scope {
            since: since.transpose()?,
            until: until.transpose()?,
            projects: patterns("project", &projects)?,
            sessions: patterns("session", &filters.session)?,
            models: patterns("model", &filters.model)?,
            zone: self.zone.clone(),
        };
        if let (Some(since), Some(until)) = (scope.since, scope.until)
            && since >= until
        {
            bail!("--since is not before --until, so the range is empty: swap them or widen the range");
        }
        Ok(scope)
    }

    /// A pattern with the home folder in place of a `~` at its start.
    fn below_home(&self, pattern: &str) -> String {
        let home = self.env.home.as_ref().map(|home| home.display().to_string());
        match (home, pattern.strip_prefix('~')) {
            (Some(home), Some(rest)) if rest.is_empty() || rest.starts_with(['/', '\\']) => {
                let home = home.trim_end_matches(['/', '\\']);
                if is_glob(rest) { globset::escape(home) + rest } else { format!("{home}{rest}") }
            }
            _ => pattern.to_owned(),
        }
    }

    /// How names of the tree are printed.
    pub(super) fn names(&self, corpus: &Corpus, prices: &PriceTable) -> Names {
        let home = self.env.home.as_ref().map(|home| home.display().to_string());
        names::of(corpus, prices, home, self.common.share)
    }

    /// The words that stand with every cost figure.
    pub(super) fn method(&self, prices: &PriceTable, filters: &Filters) -> Method {
        let times = [("since", &filters.since), ("until", &filters.until)];
        let mut scope: Vec<String> =
            times.iter().filter_map(|(name, value)| Some(format!("{name} {}", value.as_ref()?))).collect();
        for (name, given) in
            [("project", &filters.project), ("session", &filters.session), ("model", &filters.model)]
        {
            if !given.is_empty() {
                // Names of the tree are not repeated where they are to be hidden.
                let given = if self.common.share { "as given".to_owned() } else { given.join(", ") };
                scope.push(format!("{name} {given}"));
            }
        }
        Method { zone: self.zone_name(), prices: self.price_date(prices), scope: scope.join(" · ") }
    }

    /// The date of the price table, and whose rows replace some of its own.
    pub(super) fn price_date(&self, prices: &PriceTable) -> String {
        match &self.common.prices {
            Some(_) if self.common.share => format!("{} with rows of a file", prices.as_of()),
            Some(file) => format!("{} with rows of {}", prices.as_of(), file.display()),
            None => prices.as_of().to_owned(),
        }
    }

    fn filters(&self, asked: &Filters) -> v1::Filters {
        let patterns = |given: &[String]| match self.common.share {
            true => given.iter().map(|_| "as given".to_owned()).collect(),
            false => given.to_vec(),
        };
        v1::Filters {
            timezone: self.zone_name(),
            now: self.now.to_string(),
            since: asked.since.clone(),
            until: asked.until.clone(),
            projects: patterns(&asked.project),
            sessions: patterns(&asked.session),
            models: patterns(&asked.model),
        }
    }

    /// The name of the time zone, as reports print it.
    pub(super) fn zone_name(&self) -> String {
        self.zone.iana_name().map_or_else(|| self.clock().strftime("%:z").to_string(), ToOwned::to_owned)
    }

    /// What `TZ` says, where it is no time zone and one is needed.
    fn unknown_zone(&self) -> Option<&str> {
        self.env.unknown_zone.as_deref().filter(|_| self.common.timezone.is_none())
    }

    /// True where a person reads the report, so that long lists are cut.
    pub(super) fn is_for_people(&self) -> bool {
        matches!(self.common.format, Format::Text | Format::Markdown)
    }

    /// Rows to show, where `0` stands for all: programs get all of them.
    pub(super) fn limit(&self, rows: usize) -> usize {
        if rows > 0 && self.is_for_people() { rows } else { usize::MAX }
    }

    /// Writes a report in the format asked for. The view and the data are made only if they are needed.
    pub(super) fn emit<T: Serialize>(
        &self,
        mut about: About<'_>,
        data: impl FnOnce() -> T,
        view: impl FnOnce() -> View,
    ) -> Result<()> {
        if let (Some(_), Some(name)) = (about.asked, self.unknown_zone()) {
            about.head.push(format!("TZ={name} is not known, days in UTC").into());
        }
        let format = match self.common.format {
            Format::Json => {
                let About { schema, tree, asked, head, notes } = about;
                let filters = self.filters(asked.unwrap_or(&Filters::default()));
                let notes = head.iter().chain(&notes).map(render::note).collect();
                let envelope = Envelope { schema, tree, filters, notes, data: data() };
                return self.write(|out| render::envelope(out, &envelope));
            }
            Format::Text => render::Format::Text,
            Format::Csv => render::Format::Csv,
            Format::Markdown => render::Format::Markdown,
            // Refused before anything was read, but for the one command that draws.
            Format::Dot | Format::Mermaid => bail!(NO_DIAGRAM),
        };
        let (mut view, style) = (view(), self.style());
        view.blocks.splice(0..0, about.head.into_iter().map(Block::Note));
        view.blocks.extend(about.notes.into_iter().map(Block::Note));
        self.write(|out| render::view(&view, format, style, out))
    }

    /// The language of the diagram that was asked for, if one was.
    pub(super) const fn diagram(&self) -> Option<render::Language> {
        match self.common.format {
            Format::Dot => Some(render::Language::Dot),
            Format::Mermaid => Some(render::Language::Mermaid),
            _ => None,
        }
    }

    /// Writes facts and, below them, a page of Markdown.
    pub(super) fn page(&self, view: &View, page: &str) -> Result<()> {
        let format = if self.common.format == Format::Markdown {
            render::Format::Markdown
        } else {
            render::Format::Text
        };
        let style = self.style();
        self.write(|out| {
            render::view(view, format, style, out)?;
            writeln!(out)?;
            render::page(page, format, style, out)
        })
    }

    fn style(&self) -> TextStyle {
        let terminal = self.env.width.filter(|_| self.common.output.is_none());
        let color = match self.common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal.is_some() && !self.env.no_color,
        };
        let width = terminal.unwrap_or(DEFAULT_WIDTH).min(WIDEST);
        TextStyle { width, color, unicode: self.env.unicode || self.common.output.is_some() }
    }

    /// Writes to standard output or, whole or not at all, to the file of `--output`.
    pub(super) fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        match &self.common.output {
            Some(path) => output::write(path, write).map_err(|error| {
                let (path, reason) = (path.display(), reason(&error));
                anyhow!(
                    "cannot write {path}: {reason}; give a place in a writable folder with --output, or none at all"
                )
            }),
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                write(&mut out)
                    .and_then(|()| out.flush())
                    .context("cannot write to standard output, name a file with --output")
            }
        }
    }

    /// How many findings reach the level of `--fail-on`, and the exit status that it asks for.
    pub(super) fn gate(&self, findings: &[Finding]) -> (u64, Exit) {
        match gate::failing(findings, self.fail_on()) {
            0 => (0, Exit::Done),
            count => (count, Exit::Findings),
        }
    }

    pub(super) fn fail_on(&self) -> Option<Level> {
        self.common.fail_on.map(Into::into)
    }
}

/// What the system said, without the name of the temporary file.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" at path ").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}

/// What to do about a tree that cannot be read.
fn hint(error: &Error) -> &'static str {
    match error {
        Error::NothingToRead(path) if path.ends_with("projects") => "give the folder above it with --root",
        Error::NothingToRead(_) | Error::NotAFolder(_) => {
            "give the folder of Claude Code with --root, usually ~/.claude"
        }
        Error::Io { path, .. } if path.ends_with("projects") => {
            "make it a folder that you may read again, or give another tree with --root"
        }
        Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            "give the folder of Claude Code with --root, usually ~/.claude"
        }
        Error::Io { .. } => "check its permissions, or give another folder with --root",
        Error::Threads { .. } => "try --threads 1",
    }
}
