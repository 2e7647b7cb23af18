//! Decides whether findings let a run pass. Uses `finding` and `rule`.

use crate::finding::Finding;
use crate::rule::Level;

/// The `--fail-on LEVEL` of a run; without a level everything passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    fail_on: Option<Level>,
}

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    /// So many findings are at or above the gate's level.
    Fail {
        count: usize,
    },
}

impl Gate {
    #[must_use]
    pub fn new(fail_on: Option<Level>) -> Self {
        Self { fail_on }
    }

    #[must_use]
    pub fn judge(&self, findings: &[Finding]) -> Verdict {
        self.judge_counts(&Counts::of(findings))
    }

    /// The same for a run that kept only the counts.
    #[must_use]
    pub fn judge_counts(&self, counts: &Counts) -> Verdict {
        match self.fail_on.map_or(0, |level| counts.at_or_above(level)) {
            0 => Verdict::Pass,
            count => Verdict::Fail { count },
        }
    }
}

/// Findings by level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub note: usize,
    pub warning: usize,
    pub error: usize,
}

impl Counts {
    #[must_use]
    pub fn of(findings: &[Finding]) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            match finding.level {
                Level::Note => counts.note += 1,
                Level::Warning => counts.warning += 1,
                Level::Error => counts.error += 1,
            }
        }
        counts
    }

    #[must_use]
    pub fn get(&self, level: Level) -> usize {
        match level {
            Level::Note => self.note,
            Level::Warning => self.warning,
            Level::Error => self.error,
        }
    }

    #[must_use]
    pub fn at_or_above(&self, level: Level) -> usize {
        Level::ALL.iter().filter(|other| **other >= level).map(|other| self.get(*other)).sum()
    }

    #[must_use]
    pub fn total(&self) -> usize {
        self.note + self.warning + self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Rule, Status, Tier};

    static RULE: Rule = Rule {
        id: "odd-thing",
        summary: "something is odd",
        doc: "",
        level: Level::Note,
        tier: Tier::A,
        status: Status::Stable { since: "0.1.0" },
        constants: &[],
    };

    fn findings() -> Vec<Finding> {
        vec![
            RULE.at(None, "a").level(Level::Note),
            RULE.at(None, "b").level(Level::Warning),
            RULE.at(None, "c").level(Level::Warning),
            RULE.at(None, "d").level(Level::Error),
        ]
    }

    #[test]
    fn counts_by_level() {
        let counts = Counts::of(&findings());
        assert_eq!(counts, Counts { note: 1, warning: 2, error: 1 });
        assert_eq!((counts.total(), counts.at_or_above(Level::Warning)), (4, 3));
    }

    #[test]
    fn fails_at_or_above_the_level() {
        let all = findings();
        let judge = |level| Gate::new(level).judge(&all);
        assert_eq!(judge(None), Verdict::Pass);
        assert_eq!(judge(Some(Level::Error)), Verdict::Fail { count: 1 });
        assert_eq!(judge(Some(Level::Warning)), Verdict::Fail { count: 3 });
        assert_eq!(judge(Some(Level::Note)), Verdict::Fail { count: 4 });
        assert_eq!(Gate::new(Some(Level::Warning)).judge(&all[..1]), Verdict::Pass);
        assert_eq!(Gate::new(Some(Level::Note)).judge(&[]), Verdict::Pass);
    }
}
