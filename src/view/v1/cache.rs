//! `ccaudit.cache/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::cache::{CacheReport, Group, Key};
use crate::constants::{FORMULAS, Formula};
use crate::model::Totals;
use crate::prices::{Cost, PriceTable};
use crate::view::groups::key_name;
use crate::view::{Class, Names};

/// What the prompt cache did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cache {
    pub prices: Prices,
    /// Responses in scope.
    pub responses: u64,
    /// Sums of all of them.
    pub totals: Numbers,
    /// Dimensions of the groups.
    pub by: Vec<&'static str>,
    pub groups: Vec<GroupV1>,
    /// What adding up the usage of every entry gives.
    pub line_sums: Tokens,
    /// Prompt tokens by day.
    pub trend: Vec<Day>,
    /// Models that are in no cost figure.
    pub unpriced: Vec<Unpriced>,
    /// Responses left out of a time range because they have no usable time.
    pub without_time: u64,
    /// Entries that the client made up.
    pub synthetic_entries: u64,
    /// Stretches of transcripts that gave no entry.
    pub losses: u64,
    /// Files and folders that could not be read.
    pub unreadable: u64,
    /// `costUSD` of old clients, in pico-dollars.
    pub recorded_cost_pico_usd: Option<u128>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Prices {
    pub id: String,
    pub as_of: String,
}

impl From<&PriceTable> for Prices {
    fn from(table: &PriceTable) -> Self {
        Self { id: table.id().to_owned(), as_of: table.as_of().to_owned() }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct GroupV1 {
    pub keys: Vec<KeyV1>,
    #[serde(flatten)]
    pub numbers: Numbers,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct KeyV1 {
    pub by: &'static str,
    /// `null` where the tree does not say.
    pub value: Option<String>,
    /// Title of a session or type of an agent.
    pub title: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Day {
    pub day: String,
    pub prompt_tokens: u128,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Unpriced {
    pub model: String,
    pub responses: u64,
    pub tokens: Tokens,
}

/// Tokens, each in one field only.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tokens {
    pub input: u128,
    pub write_5m: u128,
    pub write_1h: u128,
    /// Writes without a recorded lifetime.
    pub write_unsplit: u128,
    pub read: u128,
    pub output: u128,
    pub web_searches: u128,
}

impl From<&Totals> for Tokens {
    fn from(totals: &Totals) -> Self {
        Self {
            input: totals.input,
            write_5m: totals.write_5m,
            write_1h: totals.write_1h,
            write_unsplit: totals.write_unsplit,
            read: totals.read,
            output: totals.output,
            web_searches: totals.searches,
        }
    }
}

/// Sums over a set of responses.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Numbers {
    pub responses: u64,
    /// Entries folded into the responses.
    pub entries: u64,
    /// Entries of them that are copies in other transcripts.
    pub copied_entries: u64,
    /// Responses that this session shows and another one owns; 0 unless grouped by session.
    pub inherited_responses: u64,
    pub input: u128,
    pub write_5m: u128,
    pub write_1h: u128,
    pub write_unsplit: u128,
    pub read: u128,
    pub output: u128,
    pub web_searches: u128,
    /// input + writes + read
    pub prompt: u128,
    pub ratios: Vec<Ratio>,
    pub cost: CostV1,
    pub unpriced_responses: u64,
    pub lower_bound: LowerBoundV1,
    pub conflicting_responses: u64,
    pub split_mismatches: u64,
}

/// A ratio with both its terms; `null` in place of a value would invite division by zero, so only the terms are given.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Ratio {
    /// Id of the formula: `ccaudit explain ID`.
    pub formula: &'static str,
    pub numerator: u128,
    pub denominator: u128,
}

/// List-price equivalents in pico-dollars.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CostV1 {
    pub input_pico_usd: u128,
    pub write_5m_pico_usd: u128,
    pub write_1h_pico_usd: u128,
    pub write_unsplit_pico_usd: u128,
    pub read_pico_usd: u128,
    pub output_pico_usd: u128,
    pub search_pico_usd: u128,
    pub total_pico_usd: u128,
    /// The prompts of the priced responses at the input rate.
    pub uncached_prompt_pico_usd: u128,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LowerBoundV1 {
    pub responses: u64,
    /// Recorded output tokens of these responses, part of `output`.
    pub output: u128,
    /// Estimated tokens of their recorded text.
    pub estimate: u128,
}

/// The report as data.
#[must_use]
pub fn cache(report: &CacheReport, by: &[&'static str], prices: &PriceTable, names: &Names) -> Cache {
    Cache {
        prices: prices.into(),
        responses: report.totals.responses,
        totals: numbers(&report.totals),
        by: by.to_vec(),
        groups: report
            .groups
            .iter()
            .map(|group| GroupV1 {
                keys: group.keys.iter().map(|key| key_v1(key, names)).collect(),
                numbers: numbers(group),
            })
            .collect(),
        line_sums: (&report.line_sums).into(),
        trend: report
            .trend
            .iter()
            .map(|(day, tokens)| Day { day: day.clone(), prompt_tokens: *tokens })
            .collect(),
        unpriced: report
            .unpriced
            .iter()
            .map(|(model, (responses, tokens))| Unpriced {
                model: names.name(Class::Model, model),
                responses: *responses,
                tokens: tokens.into(),
            })
            .collect(),
        without_time: report.without_time,
        losses: report.losses,
        unreadable: report.unreadable,
        synthetic_entries: report.synthetic,
        recorded_cost_pico_usd: report.recorded_cost,
    }
}

fn key_v1(key: &Key, names: &Names) -> KeyV1 {
    let (value, title) = key_name(key, names);
    KeyV1 {
        by: key.by.name(),
        value: (!key.unknown).then_some(value),
        title: (!title.is_empty()).then_some(title),
    }
}

pub(super) fn numbers(group: &Group) -> Numbers {
    let tokens = &group.tokens;
    Numbers {
        responses: group.responses,
        entries: group.entries,
        copied_entries: group.copied_entries,
        inherited_responses: group.inherited,
        input: tokens.input,
        write_5m: tokens.write_5m,
        write_1h: tokens.write_1h,
        write_unsplit: tokens.write_unsplit,
        read: tokens.read,
        output: tokens.output,
        web_searches: tokens.searches,
        prompt: tokens.prompt(),
        ratios: ratios(group),
        cost: cost(&group.cost, group.uncached_prompt),
        unpriced_responses: group.unpriced,
        lower_bound: LowerBoundV1 {
            responses: group.lower_bound.responses,
            output: group.lower_bound.output,
            estimate: group.lower_bound.estimate,
        },
        conflicting_responses: group.conflicting,
        split_mismatches: group.split_mismatches,
    }
}

fn cost(cost: &Cost, uncached_prompt: u128) -> CostV1 {
    CostV1 {
        input_pico_usd: cost.input,
        write_5m_pico_usd: cost.write_5m,
        write_1h_pico_usd: cost.write_1h,
        write_unsplit_pico_usd: cost.write_unsplit,
        read_pico_usd: cost.read,
        output_pico_usd: cost.output,
        search_pico_usd: cost.search,
        total_pico_usd: cost.total(),
        uncached_prompt_pico_usd: uncached_prompt,
    }
}

/// Every ratio of a group, the default one first.
#[must_use]
pub fn ratios(group: &Group) -> Vec<Ratio> {
    let ratio = |formula: &&'static Formula| {
        let (numerator, denominator) = group.ratio(formula.id)?;
        Some(Ratio { formula: formula.id, numerator, denominator })
    };
    FORMULAS.iter().filter_map(ratio).collect()
}
