//! Sums over a set of responses.

use super::key::Key;
use super::law::Law;
use crate::constants::{HIT_SHARE_DENOMINATOR, HIT_SHARE_NUMERATOR};
use crate::model::{Response, Totals};
use crate::prices::Cost;
use crate::prices::Priced;

/// Responses whose output count is at least the number given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerBound {
    pub responses: u64,
    /// Their recorded output tokens, which are part of the total.
    pub output: u128,
    /// Estimated tokens of the text that stands in their entries.
    pub estimate: u128,
}

/// Sums over the responses that share a key.
#[derive(Clone, Debug)]
pub struct Group {
    /// One key per dimension; none for the totals.
    pub keys: Vec<Key>,
    /// Responses, advisor calls included.
    pub responses: u64,
    /// Entries that were folded into them, copies included.
    pub entries: u64,
    /// Entries of them that are copies in other transcripts.
    pub copied_entries: u64,
    /// Responses that this session shows but another one owns; filled in for sessions only.
    pub inherited: u64,
    pub tokens: Totals,
    /// List price of the priced responses, in pico-dollars.
    pub cost: Cost,
    /// What the prompts of the priced responses would have cost at the input rate, in pico-dollars.
    pub uncached_prompt: u128,
    pub unpriced: u64,
    /// Responses with read >= 0.9 x prompt.
    pub hits: u64,
    /// Responses with a prompt, the denominator of the former.
    pub with_prompt: u64,
    pub law: Law,
    pub lower_bound: LowerBound,
    pub conflicting: u64,
    pub split_mismatches: u64,
}

impl Group {
    pub(super) fn new(keys: Vec<Key>) -> Self {
        Self {
            keys,
            responses: 0,
            entries: 0,
            copied_entries: 0,
            inherited: 0,
            tokens: Totals::default(),
            cost: Cost::default(),
            uncached_prompt: 0,
            unpriced: 0,
            hits: 0,
            with_prompt: 0,
            law: Law::default(),
            lower_bound: LowerBound::default(),
            conflicting: 0,
            split_mismatches: 0,
        }
    }

    pub(super) fn add(&mut self, response: &Response, priced: Option<&Priced>, law: &Law) {
        self.responses += 1;
        self.entries += u64::from(response.entries);
        self.copied_entries += u64::from(response.inherited);
        self.tokens += &response.usage;
        match priced {
            Some(priced) => {
                self.cost += &priced.cost;
                self.uncached_prompt += priced.uncached_prompt;
            }
            None => self.unpriced += 1,
        }
        let (prompt, read) = (response.usage.prompt(), u128::from(response.usage.read));
        if prompt > 0 {
            self.with_prompt += 1;
            if read * HIT_SHARE_DENOMINATOR >= prompt * HIT_SHARE_NUMERATOR {
                self.hits += 1;
            }
        }
        self.law += law;
        if response.flags.lower_bound {
            self.lower_bound.responses += 1;
            self.lower_bound.output += u128::from(response.usage.output);
            self.lower_bound.estimate += u128::from(response.estimate);
        }
        self.conflicting += u64::from(response.flags.conflicting);
        self.split_mismatches += u64::from(response.flags.split_mismatch);
    }

    /// Both terms of a formula; `None` for an id that names no ratio.
    #[must_use]
    pub fn ratio(&self, formula: &str) -> Option<(u128, u128)> {
        let (tokens, law) = (&self.tokens, &self.law);
        Some(match formula {
            "prompt-share" => (tokens.read, tokens.prompt()),
            "read-input" => (tokens.read, tokens.read + tokens.input),
            "request-share" => (u128::from(self.hits), u128::from(self.with_prompt)),
            "expected-read" => (law.expected_read, law.expected),
            "exact-law-rate" => (u128::from(law.exact), u128::from(law.pairs)),
            "ttl-5m-share" => (tokens.write_5m, tokens.written()),
            "new-text-share" => (tokens.input, tokens.prompt()),
            "write-amplification" => (tokens.written(), law.new_tokens),
            "times-sent" => (tokens.prompt(), tokens.written() + tokens.input),
            "savings" => (self.uncached_prompt, self.prompt_cost()),
            "input-output" => (tokens.prompt(), tokens.output),
            _ => return None,
        })
    }

    /// What the priced prompts cost, output and searches left out, in pico-dollars.
    #[must_use]
    pub const fn prompt_cost(&self) -> u128 {
        let cost = &self.cost;
        cost.input + cost.write_5m + cost.write_1h + cost.write_unsplit + cost.read
    }
}
