//! Every number and formula that somebody could dispute, with its source. Imports nothing of the crate.

mod cache;
mod estimate;
mod formulas;
mod limits;
mod secrets;

pub use cache::{
    CLIENT_BREAK_PERCENT, CLIENT_BREAK_TOKENS, HIT_SHARE_DENOMINATOR, HIT_SHARE_NUMERATOR,
    LOWER_BOUND_CHARACTERS, LOWER_BOUND_TOKENS, TTL_1H_SECONDS, TTL_5M_SECONDS,
};
pub use estimate::{ASCII_EIGHTHS, IMAGE_TOKENS, WIDE_TOKENS};
pub use formulas::{FORMULAS, Formula, find_formula};
pub use limits::{
    CLAUDE_MD_WARNING_CHARACTERS, INDEX_LINES, INDEX_UNITS, RETENTION_DEFAULT_DAYS, RETENTION_MIN_DAYS,
    RETENTION_SOON_DAYS, SLUG_UNITS, STILL_WRITTEN_SECONDS,
};
pub use secrets::{SECRET_NAMES, SECRET_PREFIXES, SECRET_SCHEME_SHORTEST, SECRET_SCHEMES, SECRET_SHORTEST};

/// What a number or a rule rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Measured on real clients, or documented.
    A,
    /// Structure or number found by reverse engineering, or chosen by this tool.
    B,
    /// Somebody's claim. Never decides anything by itself.
    C,
}

impl Tier {
    /// The letter.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }
}

/// A number with its provenance. Code uses the typed constant beside it; a test keeps the two equal.
#[derive(Debug)]
pub struct Constant {
    /// Stable name, in kebab-case.
    pub id: &'static str,
    /// The number, in digits.
    pub value: &'static str,
    pub unit: &'static str,
    /// Where it comes from, with a date where the source has one.
    pub source: &'static str,
    /// Clients it holds for.
    pub versions: &'static str,
    pub tier: Tier,
    /// What it decides here.
    pub note: &'static str,
}

/// All constants: counting, then limits.
pub static ALL: &[&Constant] = &[
    &cache::TTL_5M,
    &cache::TTL_1H,
    &cache::HIT_SHARE,
    &cache::LOWER_BOUND_CHARACTERS_CONSTANT,
    &cache::LOWER_BOUND_TOKENS_CONSTANT,
    &cache::CLIENT_BREAK_PERCENT_CONSTANT,
    &cache::CLIENT_BREAK_TOKENS_CONSTANT,
    &limits::RETENTION_DEFAULT,
    &limits::RETENTION_MIN,
    &limits::RETENTION_SOON,
    &limits::INDEX_LINES_CONSTANT,
    &limits::INDEX_UNITS_CONSTANT,
    &limits::CLAUDE_MD_WARNING,
    &limits::SLUG,
    &limits::STILL_WRITTEN,
    &estimate::ASCII,
    &estimate::WIDE,
    &estimate::IMAGE,
];

/// The constant of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Constant> {
    ALL.iter().copied().find(|constant| constant.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn typed_constants_equal_the_documented_values() {
        let pairs: &[(&str, String)] = &[
            ("cache-ttl-5m", TTL_5M_SECONDS.to_string()),
            ("cache-ttl-1h", TTL_1H_SECONDS.to_string()),
            ("request-hit-share", format!("0.{HIT_SHARE_NUMERATOR}")),
            ("lower-bound-characters", LOWER_BOUND_CHARACTERS.to_string()),
            ("lower-bound-tokens", LOWER_BOUND_TOKENS.to_string()),
            ("client-break-percent", CLIENT_BREAK_PERCENT.to_string()),
            ("client-break-tokens", CLIENT_BREAK_TOKENS.to_string()),
            ("retention-default", RETENTION_DEFAULT_DAYS.to_string()),
            ("retention-min", RETENTION_MIN_DAYS.to_string()),
            ("retention-soon", RETENTION_SOON_DAYS.to_string()),
            ("index-lines", INDEX_LINES.to_string()),
            ("index-units", INDEX_UNITS.to_string()),
            ("claude-md-warning", CLAUDE_MD_WARNING_CHARACTERS.to_string()),
            ("slug-units", SLUG_UNITS.to_string()),
            ("still-written", STILL_WRITTEN_SECONDS.to_string()),
            ("estimate-ascii", format!("{ASCII_EIGHTHS}/8")),
            ("estimate-wide", WIDE_TOKENS.to_string()),
            ("estimate-image", IMAGE_TOKENS.to_string()),
        ];
        assert_eq!(HIT_SHARE_DENOMINATOR, 10);
        assert_eq!(pairs.len(), ALL.len());
        for (id, value) in pairs {
            assert_eq!(find(id).map(|constant| constant.value), Some(value.as_str()), "{id}");
        }
    }

    #[test]
    fn ids_are_unique_and_fields_filled() {
        let ids: BTreeSet<_> = ALL.iter().map(|constant| constant.id).collect();
        assert_eq!(ids.len(), ALL.len());
        for constant in ALL {
            assert!(constant.tier < Tier::C, "{}: a claim decides nothing", constant.id);
            for field in [constant.unit, constant.source, constant.versions, constant.note] {
                assert!(!field.is_empty(), "{}", constant.id);
            }
        }
        let formulas: BTreeSet<_> = FORMULAS.iter().map(|formula| formula.id).collect();
        assert_eq!(formulas.len(), FORMULAS.len());
        assert!(find("no-such-constant").is_none() && find_formula("no-such-formula").is_none());
        assert_eq!(find_formula("prompt-share").map(|formula| formula.id), Some("prompt-share"));
    }
}
