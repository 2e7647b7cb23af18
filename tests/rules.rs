//! What every rule must have, and where to put it if it has not.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ccaudit::registry::{RULES, find};
use ccaudit::rule::{Level, Status, Tier};
use common::{Kind, folders, prepare, sample_root, samples};

const HEADINGS: [&str; 4] = ["What it reports", "Why it matters", "Example", "What to do"];

fn is_kebab(id: &str) -> bool {
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    id.starts_with(|c: char| c.is_ascii_lowercase()) && id.split('-').all(word)
}

/// Ids are API. A rule that is given up becomes `Status::Removed`; its line here stays.
#[test]
fn ids_as_published() {
    let mut ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
    ids.sort_unstable();
    let published = [
        "agent-without-parent",
        "broken-symlink",
        "byte-order-mark",
        "conflicting-copy",
        "conflicting-usage",
        "damaged-record",
        "dangling-logical-parent",
        "dangling-parent",
        "duplicate-entry",
        "empty-transcript",
        "expiring-transcripts",
        "implausible-count",
        "invalid-utf8",
        "jump-over-boundary",
        "lone-surrogate",
        "lost-branch",
        "lost-on-resume",
        "lower-bound-output",
        "missing-time",
        "no-record",
        "not-a-file",
        "not-json-lines",
        "nul-run",
        "parent-cycle",
        "retention-below-minimum",
        "spliced-record",
        "split-mismatch",
        "symlink-loop",
        "thinking-only-orphan",
        "torn-tail",
        "unanswered-tool-call",
        "unknown-entry-type",
        "unpriced-model",
        "unreadable-file",
        "version-dependent-leaf",
    ];
    assert_eq!(ids, published);
}

#[test]
fn ids_are_unique_kebab_case() {
    let mut seen = BTreeSet::new();
    for rule in RULES {
        assert!(is_kebab(rule.id), "`{}` is not kebab-case", rule.id);
        assert!(seen.insert(rule.id), "`{}` is registered twice", rule.id);
        assert_eq!(find(rule.id), Some(*rule));
    }
}

#[test]
fn summaries_are_fragments() {
    for rule in RULES {
        let (id, summary) = (rule.id, rule.summary);
        assert!(!summary.is_empty() && summary.chars().count() <= 90, "{id}: summary of 1 to 90 characters");
        assert!(summary.starts_with(char::is_lowercase), "{id}: summary begins in lower case");
        assert!(!summary.ends_with('.'), "{id}: summary has no full stop");
    }
}

#[test]
fn docs_have_the_headings() {
    for rule in RULES {
        let page = format!("src/rule/docs/{}.md", rule.id);
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&page));
        assert_eq!(text.ok().as_deref(), Some(rule.doc), "`{}` must include {page}", rule.id);

        let mut headings: Vec<_> = rule.doc.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        if headings.last() == Some(&"Source") {
            headings.pop();
        } else {
            assert!(rule.constants.is_empty(), "{page}: uses constants, so it needs `## Source`");
        }
        assert_eq!(headings, HEADINGS, "headings of {page}");

        for section in rule.doc.split("## ").skip(1) {
            let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
            assert!(!body.trim().is_empty(), "{page}: nothing below `## {heading}`");
        }
        for id in rule.constants {
            assert!(rule.doc.contains(&format!("`{id}`")), "{page}: does not name the constant `{id}`");
        }
    }
}

#[test]
fn docs_name_only_rules_that_exist() {
    let pages = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rule/docs")).unwrap();
    for page in pages {
        let path = page.unwrap().path();
        let id = path.file_stem().unwrap().to_str().unwrap();
        assert!(find(id).is_some(), "src/rule/docs/{id}.md: no rule `{id}` in src/registry.rs");
    }
}

#[test]
fn claims_decide_nothing() {
    for rule in RULES {
        assert!(rule.tier != Tier::C || rule.level == Level::Note, "{}: tier C is a note at most", rule.id);
    }
}

#[test]
fn both_samples_exist() {
    let samples = samples();
    for rule in RULES.iter().filter(|rule| !matches!(rule.status, Status::Removed { .. })) {
        for kind in Kind::ALL {
            let there = samples.iter().any(|(id, other, _)| id == rule.id && *other == kind);
            let (id, folder) = (rule.id, kind.folder());
            assert!(there, "rule `{id}` has no {folder} sample: add sample-data/rules/{id}/{folder}/");
        }
    }
}

#[test]
fn samples_belong_to_rules() {
    for id in folders(&sample_root()) {
        assert!(find(&id).is_some(), "sample-data/rules/{id}/: no rule `{id}` in src/registry.rs");
    }
}

#[test]
fn samples_can_be_prepared() {
    for rule in RULES {
        let Some(copy) = prepare(rule.id) else { continue };
        for kind in Kind::ALL {
            let projects = copy.path().join(kind.folder()).join("projects");
            assert!(projects.is_dir(), "sample-data/rules/{}/{}/ has no projects/", rule.id, kind.folder());
        }
    }
}

#[cfg(unix)]
#[test]
fn unreadable_sample_is_unreadable() {
    let Some(copy) = prepare("unreadable-file") else { return };
    let readable = |kind: Kind| {
        let store = copy.path().join(kind.folder()).join("projects/-home-dev-alpha");
        fs::read_dir(store).unwrap().map(|file| fs::read(file.unwrap().path())).filter(Result::is_ok).count()
    };
    assert_eq!((readable(Kind::Fires), readable(Kind::Quiet)), (1, 2));
}
