//! The views of all reports on the sample tree are sound: rows fit their columns, keys are unique and name their unit.

mod common;

use ccaudit::analysis::cache::{self, By, CacheOptions};
use ccaudit::analysis::{counting, dag, fsck, overview};
use ccaudit::constants;
use ccaudit::prices::PriceTable;
use ccaudit::registry::{self, RULES};
use ccaudit::scope::Scope;
use ccaudit::source::Disk;
use ccaudit::view::{self, Block, Names, View};
use ccaudit::world::Facts;
use common::{corpus, sample_tree};
use jiff::tz::TimeZone;

const NOW: i64 = 1_787_832_000_000;

fn views() -> Vec<(String, View)> {
    let corpus = corpus(&sample_tree());
    let (scope, prices, names) = (Scope::all(TimeZone::UTC), PriceTable::builtin(), Names::default());
    let mut views = Vec::new();
    let dimensions = [
        By::Hour,
        By::Day,
        By::Week,
        By::Month,
        By::Project,
        By::Session,
        By::Model,
        By::Agent,
        By::Lane,
        By::Version,
        By::Ttl,
    ];
    let pairs = dimensions.iter().flat_map(|one| [vec![*one], vec![*one, By::Model]]);
    for by in pairs.chain([vec![]]).filter(|by| by != &[By::Model, By::Model]) {
        let report = cache::analyze(&corpus, &CacheOptions { scope: &scope, prices: &prices, by: &by });
        views.push((format!("cache {by:?}"), view::cache::view(&report, &by, 0, false, &names)));
    }
    let mut report = fsck::analyze(&corpus, NOW);
    report.findings.extend(dag::findings(&corpus, &Disk));
    report.findings.extend(counting::findings(&corpus, &prices));
    for limit in [0, 1, 10] {
        views.push((format!("fsck {limit}"), view::fsck::view(&report, &corpus, limit, &names)));
    }
    let world = Facts::collect(None, overview::paths(&corpus));
    let report = overview::analyze(&corpus, &scope, &prices, &world, &Disk, NOW);
    views.push(("overview".to_owned(), view::overview::view(&report, &corpus, &names)));
    views.push(("rules".to_owned(), view::rules::list(RULES)));
    views.push(("explain".to_owned(), view::rules::explainable(&view::v1::explainable())));
    for rule in RULES {
        let used: Vec<_> = rule.constants.iter().filter_map(|id| constants::find(id)).collect();
        views.push((rule.id.to_owned(), view::rules::rule(rule, &used)));
    }
    views.extend(constants::FORMULAS.iter().map(|one| (one.id.to_owned(), view::rules::formula(one))));
    views.extend(constants::ALL.iter().map(|one| (one.id.to_owned(), view::rules::constant(one))));
    views
}

#[test]
fn views_are_sound() {
    for (name, view) in views() {
        assert_eq!(view.mistakes(), Vec::<String>::new(), "{name}");
    }
}

/// What a problem names can be looked up.
#[test]
fn problems_name_rules() {
    for (name, view) in views() {
        for block in &view.blocks {
            let Block::Problems(problems) = block else { continue };
            for problem in problems {
                assert!(
                    problem.rule.is_empty() || registry::find(problem.rule).is_some(),
                    "{name}: {}",
                    problem.rule
                );
                assert!(!problem.text.is_empty() && !problem.command.is_empty(), "{name}: {problem:?}");
            }
        }
    }
}

/// A limit hides findings, never a rule, and says how many.
#[test]
fn every_finding_is_shown_or_counted() {
    let corpus = corpus(&sample_tree());
    let (prices, names) = (PriceTable::builtin(), Names::default());
    let mut report = fsck::analyze(&corpus, NOW);
    report.findings.extend(counting::findings(&corpus, &prices));
    let first = report.findings[0].clone();
    report.findings.extend(std::iter::repeat_n(first, 50));
    let count = |limit| {
        let view = view::fsck::view(&report, &corpus, limit, &names);
        assert!(matches!(view.blocks[0], Block::Lead(_)), "the verdict first");
        let problems = view.blocks.into_iter().find_map(|block| match block {
            Block::Problems(problems) => Some(problems),
            _ => None,
        });
        let problems = problems.unwrap();
        let more: u64 = problems.iter().map(|problem| problem.more).sum();
        assert_eq!(problems.len() as u64 + more, report.findings.len() as u64);
        more
    };
    assert_eq!(count(10), 48);
    assert_eq!(count(0), 0);
    assert!(count(1) >= 50 && count(40) > 0);
}

/// Ids of rules, formulas and constants share one name space: `explain ID` must mean one thing.
#[test]
fn ids_are_unique_among_all_that_can_be_explained() {
    let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    ids.extend(constants::FORMULAS.iter().map(|formula| formula.id));
    ids.extend(constants::ALL.iter().map(|constant| constant.id));
    let count = ids.len();
    let formats = view::v1::schemas();
    let listed = view::v1::explainable();
    assert_eq!(listed.len(), count + formats.len());
    assert!(ids.iter().all(|id| listed.iter().any(|entry| entry.id == *id && !entry.summary.is_empty())));
    ids.sort_unstable();
    let twice: Vec<_> = ids.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert!(count > 40);
}
