//! Transcripts that the client is about to delete.

use crate::constants::{RETENTION_MIN_DAYS, RETENTION_SOON_DAYS};
use crate::finding::Finding;
use crate::model::{Corpus, FileKind, Location};
use crate::rule::{Confidence, Level, Rule, Status, Tier};
use crate::words::counted;

const DAY_MS: i64 = 86_400_000;

pub static EXPIRING_TRANSCRIPTS: Rule = Rule {
    id: "expiring-transcripts",
    summary: "the client is about to delete transcripts because of their age",
    doc: include_str!("../rule/docs/expiring-transcripts.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &["retention-default", "retention-soon"],
};

pub static RETENTION_BELOW_MINIMUM: Rule = Rule {
    id: "retention-below-minimum",
    summary: "cleanupPeriodDays is smaller than the client accepts",
    doc: include_str!("../rule/docs/retention-below-minimum.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &["retention-min"],
};

/// What the age of the transcripts of one root means for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expiry {
    pub days: i64,
    /// The settings file that sets the days; `None` for the default.
    pub file: Option<String>,
    /// Sessions whose transcript is older than that already.
    pub due: u64,
    /// Sessions that become so within [`RETENTION_SOON_DAYS`].
    pub within_week: u64,
}

/// Per root, in the order given. `now` in milliseconds since 1970.
#[must_use]
pub fn expiry(corpus: &Corpus, now: i64) -> Vec<Expiry> {
    (0..corpus.roots.len()).map(|root| of_root(corpus, root, now)).collect()
}

/// The sweep goes by the time of the last change of the file.
fn of_root(corpus: &Corpus, root: usize, now: i64) -> Expiry {
    let retention = &corpus.settings[root].retention;
    let mut expiry = Expiry { days: retention.days, file: retention.file.clone(), due: 0, within_week: 0 };
    for file in corpus.files.iter().filter(|file| file.root == root && file.kind == FileKind::Main) {
        let Some(modified) = file.modified else { continue };
        let left = modified.saturating_add(retention.days.saturating_mul(DAY_MS)).saturating_sub(now);
        if left < 0 {
            expiry.due += 1;
        } else if left < RETENTION_SOON_DAYS * DAY_MS {
            expiry.within_week += 1;
        }
    }
    expiry
}

/// One finding a root at most.
#[must_use]
pub fn findings(expiry: &[Expiry]) -> Vec<Finding> {
    expiry.iter().filter_map(finding).collect()
}

fn finding(expiry: &Expiry) -> Option<Finding> {
    let Expiry { days, due, within_week: soon, .. } = *expiry;
    let at = expiry.file.as_deref().map(Location::file);
    if days < RETENTION_MIN_DAYS {
        let message = format!(
            "cleanupPeriodDays is {days}: clients before 2.1.89 write no transcripts then, later ones refuse it"
        );
        let finding = RETENTION_BELOW_MINIMUM.at(at, message).confidence(Confidence::Certain);
        return Some(finding.evidence("days", days).fix_sentence("set cleanupPeriodDays to 1 or more"));
    }
    let message = match (soon, due) {
        (0, 0) => return None,
        (0, due) => format!(
            "{} than {} and {} at the next start of a session",
            counted(due, "transcript is older", "transcripts are older"),
            counted(days.unsigned_abs(), "day", "days"),
            if due == 1 { "goes" } else { "go" },
        ),
        (soon, due) => format!(
            "{} within {RETENTION_SOON_DAYS} days{} (cleanupPeriodDays {days})",
            counted(soon, "transcript expires", "transcripts expire"),
            if due == 0 { String::new() } else { format!(", {}", counted(due, "is due", "are due")) },
        ),
    };
    let finding = EXPIRING_TRANSCRIPTS.at(at, message).confidence(Confidence::High);
    let finding = finding.evidence("days", days).evidence("due", due).evidence("soon", soon);
    Some(finding.fix_sentence("raise cleanupPeriodDays in settings.json to keep them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(days: i64, due: u64, within_week: u64) -> Vec<(&'static str, String)> {
        let expiry = Expiry { days, file: None, due, within_week };
        findings(&[expiry]).into_iter().map(|finding| (finding.rule.id, finding.message)).collect()
    }

    #[test]
    fn says_how_many_and_when() {
        assert!(said(30, 0, 0).is_empty() && said(RETENTION_MIN_DAYS, 0, 0).is_empty());
        for (due, soon, part) in [
            (3, 0, "3 transcripts are older than 30 days and go at"),
            (1, 0, "1 transcript is older than 30 days and goes at"),
            (0, 2, "2 transcripts expire within 7 days ("),
            (0, 1, "1 transcript expires within 7 days ("),
            (3, 1, "1 transcript expires within 7 days, 3 are due ("),
            (1, 1_200, "1,200 transcripts expire within 7 days, 1 is due ("),
        ] {
            let [(rule, message)] = said(30, due, soon).try_into().unwrap();
            assert!(rule == "expiring-transcripts" && message.contains(part), "{rule}: {message}");
        }
        for days in [RETENTION_MIN_DAYS - 1, -5, i64::MIN] {
            let [(rule, message)] = said(days, 9, 9).try_into().unwrap();
            assert!(rule == "retention-below-minimum" && message.contains(&days.to_string()), "{message}");
        }
    }
}
