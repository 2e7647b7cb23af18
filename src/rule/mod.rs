//! What a rule is. Uses `constants` for the tiers of evidence.
//!
//! A rule is one `static` beside the analysis that fires it, one line in `registry.rs`, one page in `docs/` and two
//! samples in `sample-data/rules/<id>/`. Its id is API: configurations and baselines hold it, so a rule that is given
//! up stays in the registry as [`Status::Removed`].

use std::error::Error;
use std::fmt;
use std::str::FromStr;

pub use crate::constants::Tier;

/// One kind of problem.
#[derive(Debug)]
pub struct Rule {
    /// Kebab-case, named for the problem so that `allow ID` reads well.
    pub id: &'static str,
    /// One sentence, lowercase, without a full stop.
    pub summary: &'static str,
    /// The page that `explain` prints, in Markdown.
    pub doc: &'static str,
    /// Level of a finding unless the place at hand calls for another one.
    pub level: Level,
    /// What the rule rests on.
    pub tier: Tier,
    pub status: Status,
    /// Ids of the disputable numbers that decide whether the rule fires.
    pub constants: &'static [&'static str],
}

// Two rules with one id cannot be registered, so the id stands for the whole.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

/// Life of a rule, with the version of this crate in which it got there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Stable {
        since: &'static str,
    },
    /// Off unless asked for; may still change its mind.
    Preview {
        since: &'static str,
    },
    /// Never fires; kept so that old configurations get an answer.
    Removed {
        since: &'static str,
        reason: &'static str,
    },
}

/// A name that is none of those allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    pub what: &'static str,
    pub given: String,
    pub allowed: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown {} `{}`; one of: {}",
            self.what,
            self.given.escape_debug(),
            self.allowed.join(", ")
        )
    }
}

impl Error for UnknownName {}

/// An enum whose values are ordered as written and have one name each, for reading and printing alike.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $what:literal, $($(#[$value_doc:meta])* $value:ident = $text:literal),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$value_doc])* $value,)+
        }

        impl $name {
            /// All values, lowest first.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                let known = Self::ALL.iter().find(|value| value.as_str() == text);
                known.copied().ok_or_else(|| UnknownName {
                    what: $what,
                    given: text.to_owned(),
                    allowed: Self::ALL.iter().map(|value| value.as_str()).collect(),
                })
            }
        }
    };
}

named! {
    /// How bad a finding is.
    Level, "level",
    /// Odd, nothing is lost.
    Note = "note",
    /// Something is lost, wrong or in doubt, and the rest is sound.
    Warning = "warning",
    /// Records are gone, or the audit could not see what it was asked about.
    Error = "error",
}

named! {
    /// How sure one finding is; only the place at hand knows.
    Confidence, "confidence",
    Low = "low",
    Medium = "medium",
    High = "high",
    /// Read off the bytes, no inference.
    Certain = "certain",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for level in Level::ALL {
            assert_eq!(level.as_str().parse(), Ok(*level));
        }
        assert_eq!("certain".parse(), Ok(Confidence::Certain));
    }

    #[test]
    fn levels_are_ordered() {
        assert!(Level::Note < Level::Warning && Level::Warning < Level::Error);
        assert!(Confidence::Low < Confidence::Certain);
    }

    #[test]
    fn unknown_name_lists_the_allowed_ones() {
        let error = "fatal\u{1b}".parse::<Level>().unwrap_err();
        assert_eq!(error.to_string(), r"unknown level `fatal\u{1b}`; one of: note, warning, error");
    }
}
