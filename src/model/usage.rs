//! Token counts of responses. Integers throughout; money is made of them elsewhere.

use std::ops::AddAssign;

/// The tokens of one response, each counted once and in one field only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Usage {
    /// Prompt tokens that were neither read from the cache nor written to it.
    pub input: u64,
    /// Answer tokens, thinking included.
    pub output: u64,
    /// Cache writes with a time to live of 5 minutes.
    pub write_5m: u64,
    /// Cache writes with a time to live of 1 hour.
    pub write_1h: u64,
    /// Cache writes that the record does not assign to a time to live; priced at the 5-minute rate.
    pub write_unsplit: u64,
    /// Prompt tokens read from the cache.
    pub read: u64,
    /// Web searches, billed per request.
    pub searches: u64,
}

impl Usage {
    /// The writes of a record: its split where it has one, and what the flat count holds beyond the split as
    /// unsplit. A split larger than the flat count wins over it (some gateways leave the flat count at 0).
    #[must_use]
    pub fn with_writes(flat: u64, write_5m: u64, write_1h: u64) -> Self {
        let write_unsplit = flat.saturating_sub(write_5m.saturating_add(write_1h));
        Self { write_5m, write_1h, write_unsplit, ..Self::default() }
    }

    /// Tokens written to the cache, whatever their time to live.
    #[must_use]
    pub fn written(&self) -> u128 {
        u128::from(self.write_5m) + u128::from(self.write_1h) + u128::from(self.write_unsplit)
    }

    /// Everything the model was given to read: input, cache reads and cache writes.
    #[must_use]
    pub fn prompt(&self) -> u128 {
        u128::from(self.input) + u128::from(self.read) + self.written()
    }
}

/// Sums of [`Usage`]; wide enough that hostile counts cannot overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub input: u128,
    pub output: u128,
    pub write_5m: u128,
    pub write_1h: u128,
    pub write_unsplit: u128,
    pub read: u128,
    pub searches: u128,
}

impl Totals {
    /// Tokens written to the cache, whatever their time to live.
    #[must_use]
    pub fn written(&self) -> u128 {
        self.write_5m + self.write_1h + self.write_unsplit
    }

    /// Everything the model was given to read: input, cache reads and cache writes.
    #[must_use]
    pub fn prompt(&self) -> u128 {
        self.input + self.read + self.written()
    }
}

impl AddAssign<&Usage> for Totals {
    fn add_assign(&mut self, usage: &Usage) {
        self.input += u128::from(usage.input);
        self.output += u128::from(usage.output);
        self.write_5m += u128::from(usage.write_5m);
        self.write_1h += u128::from(usage.write_1h);
        self.write_unsplit += u128::from(usage.write_unsplit);
        self.read += u128::from(usage.read);
        self.searches += u128::from(usage.searches);
    }
}

impl AddAssign<&Self> for Totals {
    fn add_assign(&mut self, other: &Self) {
        self.input += other.input;
        self.output += other.output;
        self.write_5m += other.write_5m;
        self.write_1h += other.write_1h;
        self.write_unsplit += other.write_unsplit;
        self.read += other.read;
        self.searches += other.searches;
    }
}

impl From<&Usage> for Totals {
    fn from(usage: &Usage) -> Self {
        let mut totals = Self::default();
        totals += usage;
        totals
    }
}
