//! Every rule against its two samples: the one fires it and nothing else, the other is silent.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use ccaudit::analysis::{counting, dag, fsck, retention};
use ccaudit::constants;
use ccaudit::finding::Finding;
use ccaudit::prices::PriceTable;
use ccaudit::registry::RULES;
use ccaudit::rule::{Level, Status};
use ccaudit::source::Disk;
use common::{Kind, corpus, prepare};

/// Samples that cannot show one rule alone: the rule, what else fires, and why.
const ALSO: &[(&str, &str, &str)] = &[];

/// Long after every sample, so that no file counts as still being written.
const LATER: i64 = 4_102_444_800_000;

/// 2020-01-01T00:00:00Z, before every sample but those whose `setup.sh` sets an age, so that no other is old.
const EARLIER: i64 = 1_577_836_800_000;

fn findings(root: &Path) -> Vec<Finding> {
    let corpus = corpus(root);
    let mut findings = fsck::analyze(&corpus, LATER).findings;
    findings.extend(dag::findings(&corpus, &Disk));
    findings.extend(counting::findings(&corpus, &PriceTable::builtin()));
    findings.extend(retention::findings(&retention::expiry(&corpus, EARLIER)));
    findings
}

fn listed(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("{}: {}\n", finding.rule.id, finding.message)).collect()
}

#[test]
fn fires_samples_fire_their_rule_alone() {
    for rule in RULES.iter().filter(|rule| !matches!(rule.status, Status::Removed { .. })) {
        let id = rule.id;
        let Some(copy) = prepare(id) else { continue };
        let found = findings(&copy.path().join(Kind::Fires.folder()));
        let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule.id).collect();
        let also = ALSO.iter().filter(|(rule, _, _)| *rule == id).map(|(_, other, _)| *other);
        let wanted: BTreeSet<&str> = also.chain([id]).collect();
        assert_eq!(rules, wanted, "sample-data/rules/{id}/fires:\n{}", listed(&found));
    }
}

#[test]
fn quiet_samples_are_silent() {
    for rule in RULES {
        let Some(copy) = prepare(rule.id) else { continue };
        let found = findings(&copy.path().join(Kind::Quiet.folder()));
        assert!(found.is_empty(), "sample-data/rules/{}/quiet:\n{}", rule.id, listed(&found));
    }
}

/// What a page promises about a finding beyond its place.
#[test]
fn findings_carry_what_the_pages_say() {
    let evidence = [
        ("agent-without-parent", &["agents"][..]),
        ("conflicting-copy", &["copies"]),
        ("dangling-logical-parent", &["boundaries", "kept"]),
        ("dangling-parent", &["entries", "chain"]),
        ("duplicate-entry", &["entries", "uuids"]),
        ("expiring-transcripts", &["days", "due", "soon"]),
        ("jump-over-boundary", &["entries"]),
        ("lost-branch", &["branches", "prompts", "answers"]),
        ("lost-on-resume", &["prompts"]),
        ("lower-bound-output", &["responses", "output"]),
        ("missing-time", &["responses", "tokens"]),
        ("no-record", &["lines"]),
        ("parent-cycle", &["cycles"]),
        ("retention-below-minimum", &["days"]),
        ("split-mismatch", &["responses", "tokens"]),
        ("unanswered-tool-call", &["calls"]),
        ("unknown-entry-type", &["entries"]),
        ("unpriced-model", &["responses", "tokens"]),
        ("unreadable-file", &["system"]),
        ("version-dependent-leaf", &["older", "newer"]),
    ];
    for (id, names) in evidence {
        let Some(copy) = prepare(id) else { continue };
        for finding in findings(&copy.path().join("fires")) {
            let facts = &finding.evidence;
            for name in names {
                assert!(facts.iter().any(|(fact, _)| fact == name), "{id}: no evidence `{name}`");
            }
            assert!(finding.fix.is_some(), "{id}: does not say what to do");
        }
    }
}

/// One finding a line: an error where the cut record is lost, a warning where both were whole.
#[test]
fn spliced_records_by_what_is_lost() {
    let copy = prepare("spliced-record").unwrap();
    let mut levels: Vec<Level> =
        findings(&copy.path().join("fires")).iter().map(|finding| finding.level).collect();
    levels.sort_unstable();
    assert_eq!(levels, [Level::Warning, Level::Error]);
}

#[test]
fn constants_of_rules_exist() {
    for rule in RULES {
        for id in rule.constants {
            assert!(constants::find(id).is_some(), "rule `{}`: no constant `{id}`", rule.id);
        }
    }
}

/// The price file that the page of `unpriced-model` shows is one.
#[test]
fn the_price_file_in_the_page_is_read() {
    let page = ccaudit::registry::find("unpriced-model").unwrap().doc;
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (file, _) = rest.split_once("```").unwrap();
    PriceTable::builtin().override_with(file, "page").unwrap();
}
