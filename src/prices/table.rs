//! The table: which row, band and multipliers hold for a request.

use globset::{Glob, GlobMatcher};

use super::parse::{self, Document, Patch, PriceError};
use super::{Rates, RequestKind, names};

/// The multiplier 1; multipliers are kept in millionths.
pub(super) const ONE: u64 = 1_000_000;

const BUILTIN: &str = include_str!("prices.toml");

/// Dated list prices.
#[derive(Clone, Debug)]
pub struct PriceTable {
    id: String,
    as_of: String,
    /// Pico-dollars per web search.
    search: u64,
    batch: u64,
    rows: Vec<Row>,
}

/// What one model costs in one period.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) model: String,
    /// It came with this version of the tool.
    builtin: bool,
    glob: Option<GlobMatcher>,
    pub(super) from_ms: i64,
    pub(super) until_ms: i64,
    pub(super) price: Price,
    pub(super) above: Option<Band>,
    pub(super) fast: Option<Fast>,
    pub(super) us_geo: u64,
    pub(super) source: String,
}

/// Pico-dollars per token, before multipliers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) write_5m: u64,
    pub(super) write_1h: u64,
    pub(super) read: u64,
}

/// Other rates for requests whose prompt exceeds a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) prompt: u64,
    pub(super) price: Price,
}

/// The multiplier of fast mode, while it was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fast {
    pub(super) times: u64,
    pub(super) from_ms: i64,
    pub(super) until_ms: i64,
}

/// How a name meets a row; the closer meeting wins whatever the dates of the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meeting {
    Pattern,
    /// The bare name of the model.
    Model,
    /// The whole name with its provider or snapshot date.
    Verbatim,
}

impl PriceTable {
    /// The table that comes with this version of the tool.
    #[must_use]
    pub fn builtin() -> Self {
        // The text is part of the binary, so a failure could only be ours; the first test of this module reads it.
        let mut table =
            Self::from_toml(BUILTIN, "prices.toml").expect("the built-in price table is well formed");
        table.rows.iter_mut().for_each(|row| row.builtin = true);
        table
    }

    pub(super) fn from_toml(text: &str, origin: &str) -> Result<Self, PriceError> {
        let mut table =
            Self { id: String::new(), as_of: String::new(), search: 0, batch: ONE, rows: Vec::new() };
        table.apply(parse::parse(text, origin)?, origin)?;
        Ok(table)
    }

    /// Lays the rows of a file over this table, in whatever order they stand in it. A row replaces what it gives in the
    /// row of the same model and `from`. Without `from` that is the first row of the model if it gives `until`, and
    /// every row if it gives neither. It adds a row where there is none. On an error nothing changes.
    ///
    /// # Errors
    /// If the text is not a price table. `origin` is the file's name for the message.
    pub fn override_with(&mut self, toml_text: &str, origin: &str) -> Result<(), PriceError> {
        let mut document = parse::parse(toml_text, origin)?;
        if document.id.is_none() && !self.id.ends_with("+override") {
            document.id = Some(format!("{}+override", self.id));
        }
        let mut table = self.clone();
        table.apply(document, origin)?;
        *self = table;
        Ok(())
    }

    /// Name of the table; ends in `+override` if rows of a file without an `id` of its own lie over it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Day on which the prices were last compared with their sources, as `YYYY-MM-DD`.
    #[must_use]
    pub fn as_of(&self) -> &str {
        &self.as_of
    }

    /// Prompts of at most this many tokens lie below every band.
    #[must_use]
    pub fn smallest_band(&self) -> u64 {
        self.rows.iter().filter_map(|row| row.above).map(|band| band.prompt).min().unwrap_or(u64::MAX)
    }

    #[cfg(test)]
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Rates of one request, or none if no price is known: an unknown model, a time after the last row, fast mode where
    /// none is on offer or together with batch. `prompt_tokens` is input, reads and writes together. Without a time the
    /// newest row holds. US-only inference of a model that has no surcharge for it costs what it always costs.
    #[must_use]
    pub fn rates(
        &self,
        model: &str,
        at_ms: Option<i64>,
        request: &RequestKind,
        prompt_tokens: u64,
    ) -> Option<Rates> {
        let row = self.row(model, at_ms)?;
        let fast = match (request.fast, row.fast) {
            (false, _) => ONE,
            (true, Some(fast)) if !request.batch && at_ms.is_none_or(|at| fast.holds(at)) => fast.times,
            (true, _) => return None,
        };
        let geo = if request.us_only { row.us_geo } else { ONE };
        let batch = if request.batch { self.batch } else { ONE };
        let price = match row.above {
            Some(band) if prompt_tokens > band.prompt => band.price,
            _ => row.price,
        };
        let scale = |rate| multiply(rate, [fast, geo, batch]);
        Some(Rates {
            input: scale(price.input),
            output: scale(price.output),
            write_5m: scale(price.write_5m),
            write_1h: scale(price.write_1h),
            read: scale(price.read),
            search: self.search,
        })
    }

    /// The name of a model in the public lists, without provider, account, region and date. Names that stand only in a
    /// file of overrides are nobody else's business.
    #[must_use]
    pub fn public_name(&self, model: &str) -> Option<&str> {
        let bare = names::bare(model);
        let listed = |row: &&Row| row.builtin && row.meets(model, bare).is_some();
        self.rows.iter().find(listed).map(|row| row.model.as_str())
    }

    fn row(&self, model: &str, at_ms: Option<i64>) -> Option<&Row> {
        let bare = names::bare(model);
        let mut best: Option<(Meeting, &Row)> = None;
        let mut first: Option<(Meeting, &Row)> = None;
        for row in &self.rows {
            let Some(meeting) = row.meets(model, bare) else { continue };
            if at_ms.is_none_or(|at| row.from_ms <= at && at < row.until_ms)
                && best.is_none_or(|(met, other)| (met, other.from_ms) <= (meeting, row.from_ms))
            {
                best = Some((meeting, row));
            }
            if first.is_none_or(|(met, other)| met < meeting || met == meeting && row.from_ms < other.from_ms)
            {
                first = Some((meeting, row));
            }
        }
        // A response cannot be older than its model, so a time before the first row is a wrong clock.
        best.or_else(|| first.filter(|(_, row)| at_ms.is_some_and(|at| at < row.from_ms))).map(|(_, row)| row)
    }

    fn apply(&mut self, mut document: Document, origin: &str) -> Result<(), PriceError> {
        if let Some(id) = document.id {
            self.id = id;
        }
        if let Some(as_of) = document.as_of {
            self.as_of = as_of;
        }
        self.search = document.search.unwrap_or(self.search);
        self.batch = document.batch.unwrap_or(self.batch);
        // Rows without `from` first: what they give for every row is not to win over what another gives for one.
        document.patches.sort_by_key(|patch| patch.from_ms);
        for patch in document.patches {
            let of_model = |row: &&mut Row| names::same(&row.model, &patch.model);
            let first = self.rows.iter_mut().filter(of_model).map(|row| row.from_ms).min();
            let mut found = false;
            for row in self.rows.iter_mut().filter(of_model) {
                let meant = match (patch.from_ms, patch.until_ms) {
                    (Some(from), _) => row.from_ms == from,
                    (None, Some(_)) => Some(row.from_ms) == first,
                    (None, None) => true,
                };
                if meant {
                    row.merge(&patch, origin)?;
                    found = true;
                }
            }
            if !found {
                self.rows.push(Row::new(&patch, first.is_some(), origin)?);
            }
        }
        Ok(())
    }
}

impl Row {
    /// `is_known` says whether the table has rows of the model that start at other times.
    fn new(patch: &Patch, is_known: bool, origin: &str) -> Result<Self, PriceError> {
        let glob = if patch.model.contains(['*', '?']) {
            let glob = Glob::new(&patch.model).map_err(|error| {
                refuse(
                    patch,
                    origin,
                    &format!("`{}` is no pattern: {}", patch.model, error.kind()),
                    "use * or ?",
                )
            })?;
            Some(glob.compile_matcher())
        } else {
            None
        };
        let price = patch.price.over(None).map_err(|missing| {
            let problem = if is_known {
                format!("no row of `{}` starts at this `from`, and a new one needs every rate", patch.model)
            } else {
                format!("the table has no row of `{}` to take other rates from", patch.model)
            };
            refuse(patch, origin, &problem, &format!("add {}", missing.join(", ")))
        })?;
        let mut row = Self {
            model: patch.model.clone(),
            builtin: false,
            glob,
            from_ms: patch.from_ms.unwrap_or(i64::MIN),
            until_ms: i64::MAX,
            price,
            above: None,
            fast: None,
            us_geo: ONE,
            source: String::new(),
        };
        row.merge(patch, origin)?;
        Ok(row)
    }

    fn merge(&mut self, patch: &Patch, origin: &str) -> Result<(), PriceError> {
        self.until_ms = patch.until_ms.unwrap_or(self.until_ms);
        if self.until_ms <= self.from_ms {
            return Err(refuse(patch, origin, "`until` is not after `from`", "swap or correct the dates"));
        }
        self.price = patch.price.over(Some(self.price)).unwrap_or(self.price);
        if let Some((prompt, price)) = patch.above {
            let band = price.over(self.above.map(|band| band.price));
            match (prompt.or(self.above.map(|band| band.prompt)), band) {
                (Some(prompt), Ok(price)) => self.above = Some(Band { prompt, price }),
                (prompt, band) => {
                    let mut missing = band.err().unwrap_or_default();
                    missing.extend(prompt.is_none().then_some("prompt"));
                    let remedy = format!("add {}", missing.join(", "));
                    return Err(refuse(patch, origin, "`above` is incomplete", &remedy));
                }
            }
        }
        self.fast = patch.fast.or(self.fast);
        self.us_geo = patch.us_geo.unwrap_or(self.us_geo);
        match &patch.source {
            Some(source) => self.source.clone_from(source),
            None => origin.clone_into(&mut self.source),
        }
        Ok(())
    }

    fn meets(&self, model: &str, bare: &str) -> Option<Meeting> {
        if names::same(&self.model, bare) {
            Some(Meeting::Model)
        } else if self.model == model {
            Some(Meeting::Verbatim)
        } else {
            let glob = self.glob.as_ref()?;
            (glob.is_match(model) || glob.is_match(bare)).then_some(Meeting::Pattern)
        }
    }
}

impl Fast {
    fn holds(&self, at_ms: i64) -> bool {
        self.from_ms <= at_ms && at_ms < self.until_ms
    }
}

fn refuse(patch: &Patch, origin: &str, problem: &str, remedy: &str) -> PriceError {
    PriceError {
        origin: origin.to_owned(),
        line: patch.line,
        problem: problem.to_owned(),
        remedy: remedy.to_owned(),
    }
}

/// A rate times multipliers. Exact for every published price; a product that is no whole number of pico-dollars, possible
/// only with figures of an override file, is rounded half up once.
fn multiply(rate: u64, times: [u64; 3]) -> u64 {
    if times == [ONE; 3] {
        return rate;
    }
    let product = times.into_iter().fold(u128::from(rate), |product, times| product * u128::from(times));
    let unit = u128::from(ONE).pow(3);
    u64::try_from((product + unit / 2) / unit).unwrap_or(u64::MAX)
}
