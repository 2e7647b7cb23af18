//! The text of a price table, built in or from `--prices`, as patches of rows. Prices are read exactly: a float is refused.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::value::Datetime;

use super::table::{Fast, ONE, Price};
use super::wire::{FileWire, Number, RowWire};

/// USD per million tokens times this is pico-dollars per token; also the scale of multipliers.
const MILLION: u64 = 1_000_000;
/// USD per 1,000 web searches times this is pico-dollars per search.
const SEARCH_SCALE: u64 = 1_000_000_000;
/// Far above any price, low enough that no sum of costs can overflow.
const MAX_USD: u64 = 10_000;
const MAX_TIMES: u64 = 10;
const DAY_MS: i64 = 86_400_000;

/// A price table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}:{line}: {problem}; {remedy}")]
pub struct PriceError {
    /// The file, as the caller named it.
    pub origin: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

/// A table as written; everything optional.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) id: Option<String>,
    pub(super) as_of: Option<String>,
    pub(super) search: Option<u64>,
    pub(super) batch: Option<u64>,
    pub(super) patches: Vec<Patch>,
}

/// One row for one model name, as far as it is given.
#[derive(Debug)]
pub(super) struct Patch {
    pub(super) line: usize,
    pub(super) model: String,
    pub(super) from_ms: Option<i64>,
    pub(super) until_ms: Option<i64>,
    pub(super) price: PricePatch,
    pub(super) above: Option<(Option<u64>, PricePatch)>,
    pub(super) fast: Option<Fast>,
    pub(super) us_geo: Option<u64>,
    pub(super) source: Option<String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PricePatch {
    input: Option<u64>,
    output: Option<u64>,
    write_5m: Option<u64>,
    write_1h: Option<u64>,
    read: Option<u64>,
}

impl PricePatch {
    /// `base` with what is given replaced, or the names of what is missing.
    pub(super) fn over(&self, base: Option<Price>) -> Result<Price, Vec<&'static str>> {
        let mut missing = Vec::new();
        let mut pick = |new: Option<u64>, old: Option<u64>, name| {
            new.or(old).unwrap_or_else(|| {
                missing.push(name);
                0
            })
        };
        let price = Price {
            input: pick(self.input, base.map(|price| price.input), "input"),
            output: pick(self.output, base.map(|price| price.output), "output"),
            write_5m: pick(self.write_5m, base.map(|price| price.write_5m), "write_5m"),
            write_1h: pick(self.write_1h, base.map(|price| price.write_1h), "write_1h"),
            read: pick(self.read, base.map(|price| price.read), "read"),
        };
        if missing.is_empty() { Ok(price) } else { Err(missing) }
    }
}

/// Reads a table.
pub(super) fn parse(text: &str, origin: &str) -> Result<Document, PriceError> {
    let reader = Reader { text, origin };
    let file: FileWire = toml::from_str(text).map_err(|error| reader.refuse_toml(&error))?;
    let mut patches = Vec::with_capacity(file.row.len());
    for row in file.row {
        reader.row(row, &mut patches)?;
    }
    reader.refuse_repeats(&patches)?;
    Ok(Document {
        id: file.id.map(Into::into),
        as_of: file.as_of.map(Into::into),
        search: reader.number(file.web_search.as_ref(), "web_search", SEARCH_SCALE, MAX_USD)?,
        batch: reader.times(file.batch.as_ref(), "batch")?,
        patches,
    })
}

struct Reader<'a> {
    text: &'a str,
    origin: &'a str,
}

impl Reader<'_> {
    fn row(&self, row: Spanned<RowWire>, patches: &mut Vec<Patch>) -> Result<(), PriceError> {
        let start = row.span().start;
        let row = row.into_inner();
        if row.models.get_ref().is_empty() || row.models.get_ref().iter().any(String::is_empty) {
            return Err(self.error(
                row.models.span().start,
                "`models` names no model",
                "list at least one name",
            ));
        }
        let price = self.price([&row.input, &row.output, &row.write_5m, &row.write_1h, &row.read])?;
        let above = match &row.above {
            Some(band) => Some((
                band.prompt,
                self.price([&band.input, &band.output, &band.write_5m, &band.write_1h, &band.read])?,
            )),
            None => None,
        };
        let fast = match &row.fast {
            Some(fast) => Some(Fast {
                times: self.times(Some(&fast.times), "fast.times")?.unwrap_or(ONE),
                from_ms: self.day(fast.from.as_ref())?.unwrap_or(i64::MIN),
                until_ms: self.day(fast.until.as_ref())?.unwrap_or(i64::MAX),
            }),
            None => None,
        };
        let from_ms = self.day(row.from.as_ref())?;
        let until_ms = self.day(row.until.as_ref())?;
        let us_geo = self.times(row.us_geo.as_ref(), "us_geo")?;
        for model in row.models.into_inner() {
            patches.push(Patch {
                line: self.line(start),
                model,
                from_ms,
                until_ms,
                price,
                above,
                fast,
                us_geo,
                source: row.source.clone(),
            });
        }
        Ok(())
    }

    /// In the order input, output, 5-minute write, 1-hour write, read.
    fn price(&self, fields: [&Option<Spanned<Number>>; 5]) -> Result<PricePatch, PriceError> {
        let [input, output, write_5m, write_1h, read] = fields;
        let rate =
            |field: &Option<Spanned<Number>>, name| self.number(field.as_ref(), name, MILLION, MAX_USD);
        Ok(PricePatch {
            input: rate(input, "input")?,
            output: rate(output, "output")?,
            write_5m: rate(write_5m, "write_5m")?,
            write_1h: rate(write_1h, "write_1h")?,
            read: rate(read, "read")?,
        })
    }

    fn times(&self, field: Option<&Spanned<Number>>, name: &str) -> Result<Option<u64>, PriceError> {
        let times = self.number(field, name, MILLION, MAX_TIMES)?;
        match (field, times) {
            (Some(field), Some(0)) => Err(self.error(
                field.span().start,
                &format!("`{name}` is 0"),
                "give a multiplier above 0, or leave the key out",
            )),
            _ => Ok(times),
        }
    }

    /// A number times `scale`, which is a power of ten, without rounding.
    fn number(
        &self,
        field: Option<&Spanned<Number>>,
        name: &str,
        scale: u64,
        max: u64,
    ) -> Result<Option<u64>, PriceError> {
        let Some(field) = field else { return Ok(None) };
        let refuse = |problem: String, remedy: &str| Err(self.error(field.span().start, &problem, remedy));
        let text = match field.get_ref() {
            Number::Integer(value) => value.to_string(),
            Number::Text(text) => text.clone(),
            Number::Float(value) => {
                return refuse(
                    format!("`{name} = {value}` is a binary float, which cannot hold most prices exactly"),
                    &format!("put it in quotes, as in {name} = \"{value}\""),
                );
            }
        };
        if text.starts_with('-') {
            return refuse(format!("`{name}` is negative ({text})"), "give 0 or more");
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return refuse(
                format!("`{name}` is not a decimal number ({text})"),
                "write it like \"0.125\", in digits with at most one point",
            );
        }
        let fraction = fraction.trim_end_matches('0');
        let places = scale.ilog10() as usize;
        if fraction.len() > places {
            return refuse(
                format!("`{name}` has more than {places} decimal places ({text})"),
                "round it yourself, so that the figure used is the figure written",
            );
        }
        match format!("{whole}{fraction:0<places$}").parse::<u64>() {
            Ok(value) if value <= max * scale => Ok(Some(value)),
            _ => refuse(format!("`{name}` is above {max} ({text})"), "check its unit"),
        }
    }

    /// Midnight UTC of a date.
    fn day(&self, field: Option<&Spanned<Datetime>>) -> Result<Option<i64>, PriceError> {
        let Some(field) = field else { return Ok(None) };
        let day = match field.get_ref() {
            Datetime { date: Some(date), time: None, offset: None } => i16::try_from(date.year)
                .ok()
                .zip(i8::try_from(date.month).ok().zip(i8::try_from(date.day).ok()))
                .and_then(|(year, (month, day))| jiff::civil::Date::new(year, month, day).ok()),
            _ => None,
        };
        let Some(day) = day else {
            return Err(self.error(
                field.span().start,
                "this is not a plain date",
                "write it like 2026-10-07",
            ));
        };
        let days = i64::from((day - jiff::civil::date(1970, 1, 1)).get_days());
        Ok(Some(days * DAY_MS))
    }

    fn refuse_repeats(&self, patches: &[Patch]) -> Result<(), PriceError> {
        let mut seen = BTreeMap::new();
        for patch in patches {
            let key = (patch.model.replace('.', "-"), patch.from_ms);
            if let Some(line) = seen.insert(key, patch.line) {
                return Err(PriceError {
                    origin: self.origin.to_owned(),
                    line: patch.line,
                    problem: format!(
                        "`{}` has a row with the same start already, in line {line}",
                        patch.model
                    ),
                    remedy: "join the two rows".to_owned(),
                });
            }
        }
        Ok(())
    }

    fn refuse_toml(&self, error: &toml::de::Error) -> PriceError {
        let problem = error.message().replace('\n', " ");
        let remedy = if problem.starts_with("unknown field") {
            "rename or remove this key"
        } else if problem.starts_with("missing field") {
            "add it"
        } else {
            "correct the TOML here"
        };
        self.error(error.span().map_or(0, |span| span.start), &problem, remedy)
    }

    fn error(&self, offset: usize, problem: &str, remedy: &str) -> PriceError {
        PriceError {
            origin: self.origin.to_owned(),
            line: self.line(offset),
            problem: problem.to_owned(),
            remedy: remedy.to_owned(),
        }
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }
}
