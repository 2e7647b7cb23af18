//! Decides whether findings let a run pass. Uses `finding` and `rule`.

use crate::finding::{Finding, places};
use crate::rule::Level;

/// How many places of findings are at or above the level of `--fail-on`; without a level none is.
#[must_use]
pub fn failing(findings: &[Finding], fail_on: Option<Level>) -> u64 {
    fail_on.map_or(0, |level| places(findings.iter().filter(|finding| finding.level >= level)))
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

    #[test]
    fn fails_at_or_above_the_level() {
        let all = [Level::Note, Level::Warning, Level::Warning, Level::Error]
            .map(|level| RULE.at(None, "odd").level(level));
        let levels = [None, Some(Level::Error), Some(Level::Warning), Some(Level::Note)];
        assert_eq!(levels.map(|level| failing(&all, level)), [0, 1, 3, 4]);
        assert_eq!(failing(&all[..1], Some(Level::Warning)), 0);
        assert_eq!(failing(&[], Some(Level::Note)), 0);
    }
}
