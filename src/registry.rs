//! Every rule, in one explicit order. Uses the statics of the analyses and `rule`.

use crate::analysis::counting_rules as counting;
use crate::analysis::dag::rules as dag;
use crate::analysis::fsck::rules as fsck;
use crate::analysis::retention;
use crate::rule::{Rule, Status};

/// All rules, removed ones included: files first, then lines, entries, the graph they make, what is
/// counted, then what is about to go.
pub static RULES: &[&Rule] = &[
    // Files.
    &fsck::UNREADABLE_FILE,
    &fsck::NOT_A_FILE,
    &fsck::SYMLINK_LOOP,
    &fsck::BROKEN_SYMLINK,
    &fsck::NOT_JSON_LINES,
    &fsck::EMPTY_TRANSCRIPT,
    // Bytes and lines.
    &fsck::DAMAGED_RECORD,
    &fsck::SPLICED_RECORD,
    &fsck::TORN_TAIL,
    &fsck::NUL_RUN,
    &fsck::INVALID_UTF8,
    &fsck::LONE_SURROGATE,
    &fsck::BYTE_ORDER_MARK,
    // Entries.
    &fsck::NO_RECORD,
    &fsck::UNKNOWN_ENTRY_TYPE,
    &fsck::DUPLICATE_ENTRY,
    // The graph of a session.
    &dag::DANGLING_PARENT,
    &dag::DANGLING_LOGICAL_PARENT,
    &dag::PARENT_CYCLE,
    &dag::CONFLICTING_COPY,
    &dag::LOST_BRANCH,
    &dag::JUMP_OVER_BOUNDARY,
    &dag::UNANSWERED_TOOL_CALL,
    &dag::THINKING_ONLY_ORPHAN,
    &dag::LOST_ON_RESUME,
    &dag::VERSION_DEPENDENT_LEAF,
    &dag::AGENT_WITHOUT_PARENT,
    // Counting.
    &counting::CONFLICTING_USAGE,
    &counting::SPLIT_MISMATCH,
    &counting::IMPLAUSIBLE_COUNT,
    &counting::LOWER_BOUND_OUTPUT,
    &counting::UNPRICED_MODEL,
    &counting::MISSING_TIME,
    // Retention.
    &retention::EXPIRING_TRANSCRIPTS,
    &retention::RETENTION_BELOW_MINIMUM,
];

/// The rule of exactly this id, removed or not.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

/// The id that was probably meant, if one is near enough to ask "did you mean". Rules come first, then `others`.
#[must_use]
pub fn suggest(given: &str, others: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    /// Below this the offer is more confusing than none; by trial on words of the ids and on slips of the finger.
    const NEAR: f64 = 0.8;
    let given = given.trim().to_lowercase().replace(['_', ' '], "-");
    let rules =
        RULES.iter().filter(|rule| !matches!(rule.status, Status::Removed { .. })).map(|rule| rule.id);
    let mut best: Option<(f64, &'static str)> = None;
    for id in rules.chain(others) {
        let mut score = strsim::jaro_winkler(&given, id);
        if id.split('-').any(|word| word == given) {
            score = score.max(NEAR);
        }
        // Only a better score replaces: of equals the first stays.
        if score >= NEAR && best.is_none_or(|(top, _)| score > top) {
            best = Some((score, id));
        }
    }
    best.map(|(_, id)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_by_exact_id_only() {
        assert_eq!(find("torn-tail").map(|rule| rule.id), Some("torn-tail"));
        assert_eq!(find("Torn-tail"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn suggests_what_was_meant() {
        assert_eq!(suggest("torn_tail", []), Some("torn-tail"));
        assert_eq!(suggest("damaged-records", []), Some("damaged-record"));
        assert_eq!(suggest("surrogate", []), Some("lone-surrogate"));
        assert_eq!(suggest("duplicate", []), Some("duplicate-entry"));
        assert_eq!(suggest("unpriced-modle", []), Some("unpriced-model"));
        assert_eq!(suggest("symlnik-loop", []), Some("symlink-loop"));
    }

    #[test]
    fn suggests_nothing_for_something_else() {
        for given in ["", "x", "cache-break", "E501", "please"] {
            assert_eq!(suggest(given, []), None, "{given}");
        }
    }
}
