//! What the prompt cache did: hits, lifetimes, cost and what it saved.

mod group;
mod key;
mod law;
mod trend;

use std::collections::BTreeMap;

pub use group::{Group, LowerBound};
pub use key::{By, Key, KeyKind};
pub use law::Law;
pub use trend::{Course, course};

use crate::model::{Corpus, Response, Totals};
use crate::prices::PriceTable;
use crate::prices::Pricer;
use crate::scope::{Kept, Scope};

/// What a report covers and how it is cut.
pub struct CacheOptions<'a> {
    pub scope: &'a Scope,
    pub prices: &'a PriceTable,
    /// Up to two dimensions; none gives totals only.
    pub by: &'a [By],
}

/// Sums over a scope, in all and by group.
#[derive(Debug)]
pub struct CacheReport {
    pub totals: Group,
    /// Sorted by key, unknown keys last.
    pub groups: Vec<Group>,
    /// What adding up the usage of every entry gives, as a short script does.
    pub line_sums: Totals,
    /// Prompt tokens by day, in order, days without any left out.
    pub trend: Vec<(String, u128)>,
    /// Models without a price, with the responses and tokens that are therefore not in any cost.
    pub unpriced: BTreeMap<String, (u64, Totals)>,
    /// Responses left out because a time range was asked for and they have no usable time.
    pub without_time: u64,
    /// Entries of the client itself, which are no responses.
    pub synthetic: u64,
    /// Stretches of transcripts that gave no entry, so that no response can be counted there.
    pub losses: u64,
    /// Files and folders that the system did not let us read.
    pub unreadable: u64,
    /// `costUSD` that old clients recorded in the counted entries, in pico-dollars; `None` where no entry has one.
    pub recorded_cost: Option<u128>,
}

/// Adds up the responses in scope.
#[must_use]
pub fn analyze(corpus: &Corpus, options: &CacheOptions<'_>) -> CacheReport {
    let pricer = Pricer::new(corpus, options.prices);
    let kept: Vec<Kept> =
        corpus.responses.iter().map(|response| options.scope.keeps(corpus, response)).collect();
    let walk = law::walk(corpus, options.scope, &kept);
    let mut totals = Group::new(Vec::new());
    let mut groups: BTreeMap<Vec<Key>, Group> = BTreeMap::new();
    let mut days: BTreeMap<String, u128> = BTreeMap::new();
    let mut unpriced: BTreeMap<String, (u64, Totals)> = BTreeMap::new();
    let mut recorded_cost = None;
    for (row, response) in in_scope(corpus, &kept) {
        let priced = pricer.price(response);
        let law = &walk.laws[row];
        totals.add(response, priced.as_ref(), law);
        if priced.is_none() {
            let model = unpriced.entry(corpus.strings.text(response.model).to_owned()).or_default();
            model.0 += 1;
            model.1 += &response.usage;
        }
        if let Some(day) = options.scope.civil(response.start) {
            *days.entry(day.strftime("%Y-%m-%d").to_string()).or_default() += response.usage.prompt();
        }
        if let Some(cost) = recorded(corpus, response) {
            recorded_cost = Some(recorded_cost.unwrap_or(0) + cost);
        }
        if !options.by.is_empty() {
            let keys = key::keys(corpus, options.scope, response, options.by);
            let group = groups.entry(keys).or_insert_with_key(|keys| Group::new(keys.clone()));
            group.add(response, priced.as_ref(), law);
        }
    }
    if let [By::Session] = options.by {
        for (session, inherited) in &walk.inherited {
            let keys = vec![key::session(corpus, *session)];
            groups.entry(keys).or_insert_with_key(|keys| Group::new(keys.clone())).inherited += inherited;
        }
    }
    CacheReport {
        totals,
        groups: groups.into_values().collect(),
        line_sums: walk.line_sums,
        trend: days.into_iter().collect(),
        unpriced,
        without_time: kept.iter().filter(|kept| **kept == Kept::NoTime).count() as u64,
        synthetic: corpus.synthetic.len() as u64,
        losses: corpus.losses(),
        unreadable: corpus.unreadable(),
        recorded_cost,
    }
}

fn in_scope<'a>(corpus: &'a Corpus, kept: &'a [Kept]) -> impl Iterator<Item = (usize, &'a Response)> {
    corpus.responses.iter().enumerate().filter(|(row, _)| kept[*row] == Kept::Yes)
}

fn recorded(corpus: &Corpus, response: &Response) -> Option<u128> {
    if response.flags.advisor {
        return None;
    }
    let answer = corpus.transcript(response.counted.file).answer(corpus.entry(response.counted))?;
    (answer.recorded_cost != u64::MAX).then_some(u128::from(answer.recorded_cost))
}
