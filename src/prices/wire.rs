//! The price file as serde sees it. A key that is not here is an error.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use toml::Spanned;
use toml::value::Datetime;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileWire {
    pub(super) id: Option<Word>,
    pub(super) as_of: Option<Word>,
    pub(super) web_search: Option<Spanned<Number>>,
    pub(super) batch: Option<Spanned<Number>>,
    #[serde(default)]
    pub(super) row: Vec<Spanned<RowWire>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowWire {
    pub(super) models: Spanned<Vec<String>>,
    pub(super) from: Option<Spanned<Datetime>>,
    pub(super) until: Option<Spanned<Datetime>>,
    pub(super) input: Option<Spanned<Number>>,
    pub(super) output: Option<Spanned<Number>>,
    pub(super) write_5m: Option<Spanned<Number>>,
    pub(super) write_1h: Option<Spanned<Number>>,
    pub(super) read: Option<Spanned<Number>>,
    pub(super) above: Option<BandWire>,
    pub(super) fast: Option<FastWire>,
    pub(super) us_geo: Option<Spanned<Number>>,
    pub(super) source: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BandWire {
    pub(super) prompt: Option<u64>,
    pub(super) input: Option<Spanned<Number>>,
    pub(super) output: Option<Spanned<Number>>,
    pub(super) write_5m: Option<Spanned<Number>>,
    pub(super) write_1h: Option<Spanned<Number>>,
    pub(super) read: Option<Spanned<Number>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FastWire {
    pub(super) times: Spanned<Number>,
    pub(super) from: Option<Spanned<Datetime>>,
    pub(super) until: Option<Spanned<Datetime>>,
}

/// A word; a day may stand without quotes.
#[derive(Deserialize)]
#[serde(untagged, expecting = "text in quotes was expected")]
pub(super) enum Word {
    Text(String),
    Day(Datetime),
}

impl From<Word> for String {
    fn from(word: Word) -> Self {
        match word {
            Word::Text(text) => text,
            Word::Day(day) => day.to_string(),
        }
    }
}

/// A number as written; judged later, where its line is known.
pub(super) enum Number {
    Integer(i64),
    Float(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyNumber;
        impl Visitor<'_> for AnyNumber {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number in quotes or a whole number")
            }

            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number::Integer(value))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number::Float(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Number, E> {
                Ok(Number::Text(value.to_owned()))
            }
        }
        deserializer.deserialize_any(AnyNumber)
    }
}
