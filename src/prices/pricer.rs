//! What responses cost at list price.

use std::cell::Cell;

use super::{Cost, PriceTable, Rates, RequestKind};
use crate::model::{Corpus, Response, Sym};

/// Prices responses; most of them in a row share their rates.
pub struct Pricer<'a> {
    corpus: &'a Corpus,
    table: &'a PriceTable,
    /// Prompts of this many tokens and fewer are below every band of the table.
    smallest_band: u128,
    last: Cell<Option<(Question, Option<Rates>)>>,
}

/// All that rates depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Question {
    model: Sym,
    /// Prices change at most once a day.
    day: Option<i64>,
    kind: (bool, bool, bool),
    prompt: u64,
}

const DAY_MS: i64 = 86_400_000;

/// A response's cost and what its prompt would have cost without a cache, in pico-dollars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priced {
    pub cost: Cost,
    pub uncached_prompt: u128,
}

impl<'a> Pricer<'a> {
    #[must_use]
    pub fn new(corpus: &'a Corpus, table: &'a PriceTable) -> Self {
        Self { corpus, table, smallest_band: u128::from(table.smallest_band()), last: Cell::new(None) }
    }

    /// The cost of a response; `None` where the table has no price for its model.
    #[must_use]
    pub fn price(&self, response: &Response) -> Option<Priced> {
        let rates = self.rates(response)?;
        let cost = super::cost(&rates, &response.usage);
        Some(Priced { cost, uncached_prompt: response.usage.prompt() * u128::from(rates.input) })
    }

    fn rates(&self, response: &Response) -> Option<Rates> {
        let prompt = response.usage.prompt();
        let flags = response.flags;
        let question = Question {
            model: response.model,
            day: response.start.ms().map(|ms| ms.div_euclid(DAY_MS)),
            kind: (flags.fast, flags.us_only, flags.batch),
            prompt: if prompt <= self.smallest_band { 0 } else { u64::try_from(prompt).unwrap_or(u64::MAX) },
        };
        if let Some((asked, answer)) = self.last.get()
            && asked == question
        {
            return answer;
        }
        let kind = RequestKind { fast: flags.fast, us_only: flags.us_only, batch: flags.batch };
        let model = self.corpus.strings.text(response.model);
        let answer = self.table.rates(model, response.start.ms(), &kind, question.prompt);
        self.last.set(Some((question, answer)));
        answer
    }
}
