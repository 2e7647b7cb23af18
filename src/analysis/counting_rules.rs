//! Rules about token counts, prices and times.

use crate::rule::{Level, Rule, Status, Tier};

pub static CONFLICTING_USAGE: Rule = Rule {
    id: "conflicting-usage",
    summary: "entries of one response disagree about the prompt",
    doc: include_str!("../rule/docs/conflicting-usage.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static SPLIT_MISMATCH: Rule = Rule {
    id: "split-mismatch",
    summary: "cache writes by lifetime do not add up to the number of all cache writes",
    doc: include_str!("../rule/docs/split-mismatch.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static IMPLAUSIBLE_COUNT: Rule = Rule {
    id: "implausible-count",
    summary: "a token count is negative, fractional or no number",
    doc: include_str!("../rule/docs/implausible-count.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static LOWER_BOUND_OUTPUT: Rule = Rule {
    id: "lower-bound-output",
    summary: "output tokens of some responses are only a lower bound",
    doc: include_str!("../rule/docs/lower-bound-output.md"),
    level: Level::Note,
    tier: Tier::B,
    status: Status::Stable { since: "0.1.0" },
    constants: &["lower-bound-characters", "lower-bound-tokens"],
};

pub static UNPRICED_MODEL: Rule = Rule {
    id: "unpriced-model",
    summary: "a model is not in the price table",
    doc: include_str!("../rule/docs/unpriced-model.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static MISSING_TIME: Rule = Rule {
    id: "missing-time",
    summary: "responses have no usable time",
    doc: include_str!("../rule/docs/missing-time.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};
