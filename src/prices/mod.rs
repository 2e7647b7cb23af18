//! List prices by date, and what a response costs at them. Pure arithmetic on integers; imports `model` only.
//!
//! Money is counted in pico-dollars (1e-12 USD): 1 USD per million tokens is 1,000,000 pico-dollars per token, and every
//! published rate and multiplier is a whole number of them. Nothing is rounded before it is printed.

mod names;
mod parse;
mod pricer;
mod table;
#[cfg(test)]
mod tests;
mod wire;

use std::ops::AddAssign;

use crate::model::Usage;

pub use parse::PriceError;
pub use pricer::{Priced, Pricer};
pub use table::PriceTable;

/// Pico-dollars in one US dollar.
pub const PICO_PER_USD: u128 = 1_000_000_000_000;

/// What about a request changes its rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RequestKind {
    /// It ran in fast mode (`usage.speed` is `fast`).
    pub fast: bool,
    /// It was bound to the United States (`usage.inference_geo` is `us`).
    pub us_only: bool,
    /// It came through the batch API (`usage.service_tier` is `batch`).
    pub batch: bool,
}

/// What one token of each kind costs in one request, multipliers included. Pico-dollars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Per prompt token outside the cache.
    pub input: u64,
    /// Per answer token.
    pub output: u64,
    /// Per token written with a time to live of 5 minutes.
    pub write_5m: u64,
    /// Per token written with a time to live of 1 hour.
    pub write_1h: u64,
    /// Per token read from the cache.
    pub read: u64,
    /// Per web search.
    pub search: u64,
}

/// Cost by kind. Pico-dollars; a list-price equivalent, not a bill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub input: u128,
    pub write_5m: u128,
    pub write_1h: u128,
    /// Writes without a recorded time to live, at the 5-minute rate.
    pub write_unsplit: u128,
    pub read: u128,
    pub output: u128,
    pub search: u128,
}

impl Cost {
    /// Sum over all kinds.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.input
            + self.write_5m
            + self.write_1h
            + self.write_unsplit
            + self.read
            + self.output
            + self.search
    }
}

impl AddAssign<&Self> for Cost {
    fn add_assign(&mut self, other: &Self) {
        self.input += other.input;
        self.write_5m += other.write_5m;
        self.write_1h += other.write_1h;
        self.write_unsplit += other.write_unsplit;
        self.read += other.read;
        self.output += other.output;
        self.search += other.search;
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        *self += &other;
    }
}

/// Cost of one response.
#[must_use]
pub fn cost(rates: &Rates, usage: &Usage) -> Cost {
    let at = |tokens: u64, rate: u64| u128::from(tokens) * u128::from(rate);
    Cost {
        input: at(usage.input, rates.input),
        write_5m: at(usage.write_5m, rates.write_5m),
        write_1h: at(usage.write_1h, rates.write_1h),
        write_unsplit: at(usage.write_unsplit, rates.write_5m),
        read: at(usage.read, rates.read),
        output: at(usage.output, rates.output),
        search: at(usage.searches, rates.search),
    }
}
