//! `ccaudit overview` for people: one screen.

use std::collections::BTreeMap;

use super::cache::{FEW, Method, cost, counted, course_fact, ratio_share};
use super::{Block, Cell, Class, Fact, Names, Note, Problem, View, level};
use crate::analysis::overview::OverviewReport;
use crate::finding::{Finding, places};
use crate::model::Corpus;
use crate::rule::Rule;
use crate::words;

/// The view of a report. Findings are summed up by rule, each with the command that shows them.
#[must_use]
pub fn view(report: &OverviewReport, corpus: &Corpus, names: &Names) -> View {
    let mut blocks = vec![Block::Note(head(report, corpus, names))];
    blocks.push(Block::Facts(facts(report)));
    let problems = problems(&report.findings, names);
    if problems.is_empty() {
        blocks.push(Block::Note("nothing needs a look".into()));
    } else {
        blocks.push(Block::Heading("Needs a look".into()));
        blocks.push(Block::Problems(problems));
    }
    blocks.push(Block::Note(
        "next: ccaudit cache --by day · ccaudit cache --by session · ccaudit fsck · ccaudit --help".into(),
    ));
    View { blocks }
}

fn head(report: &OverviewReport, corpus: &Corpus, names: &Names) -> Note {
    let roots: Vec<String> = corpus.roots.iter().map(|root| names.path(root)).collect();
    let mut note = vec![Cell::text(format!("{}   ", roots.join(", ")))];
    let mut count = |n: u64, one: &str, many: &str| {
        note.extend(counted(n, one, many));
        note.push(Cell::text(" · "));
    };
    count(report.sessions, "session", "sessions");
    count(report.stores, "store", "stores");
    count(report.agents, "agent", "agents");
    count(report.memories, "memory", "memories");
    count(report.entries, "entry", "entries");
    note.push(Cell::Bytes(report.bytes));
    if let Some((first, last)) = &report.days {
        note.push(Cell::text(format!(" · {first} to {last}")));
    }
    let version = |version| names.name(Class::Version, version);
    match report.versions.as_slice() {
        [] => {}
        [only] => note.push(Cell::text(format!(" · client {}", version(only)))),
        [first, .., last] => {
            note.push(Cell::text(format!(" · clients {} to {}", version(first), version(last))));
        }
    }
    Note(note)
}

fn facts(report: &OverviewReport) -> Vec<Fact> {
    let group = &report.cache.totals;
    let tokens = &group.tokens;
    let fact = |key, label: &str, value: Cell, remark: &str| Fact {
        key,
        label: label.to_owned(),
        value,
        remark: remark.into(),
    };
    let written = |num| Cell::Share { num, den: tokens.written() };
    let (sent, distinct) = group.ratio("times-sent").unwrap_or_default();
    let (there, missing, unknown) = report.projects;
    let mut facts = vec![
        fact("cost_pico_usd", "Spent, list price", cost(group), ""),
        fact(
            "prompt_share",
            "Prompt share from cache",
            ratio_share(group, "prompt-share"),
            "read / (read + written + input)",
        ),
        fact("read_input", "Read against input", ratio_share(group, "read-input"), "read / (read + input)"),
        fact("ttl_5m_share", "Written for 5 minutes", written(tokens.write_5m), ""),
        fact("ttl_1h_share", "Written for 1 hour", written(tokens.write_1h), ""),
        fact("responses", "Responses", Cell::Count(u128::from(group.responses)), ""),
        fact("prompts", "Prompts typed", Cell::Count(u128::from(report.prompts)), ""),
        fact(
            "times_sent",
            "Each token was sent",
            Cell::Times { num: sent, den: distinct },
            "prompt / (written + input)",
        ),
    ];
    if tokens.write_unsplit > 0 {
        let unknown = written(tokens.write_unsplit);
        facts.insert(5, fact("ttl_unknown_share", "Written, lifetime unknown", unknown, ""));
    }
    facts.extend(course_fact(&report.cache.trend, false));
    if missing > 0 {
        let all = there + missing + unknown;
        let remark = format!("of {}", words::counted(all, "project folder", "project folders"));
        facts.push(fact(
            "projects_missing",
            "Project paths not found",
            Cell::Count(u128::from(missing)),
            &remark,
        ));
    }
    facts
}

/// One line a rule, worst first; several findings of a rule are counted.
fn problems(findings: &[Finding], names: &Names) -> Vec<Problem> {
    let mut rules: BTreeMap<(std::cmp::Reverse<crate::rule::Level>, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        rules.entry((std::cmp::Reverse(finding.level), finding.rule.id)).or_default().push(finding);
    }
    rules.into_values().map(|findings| sum_up(&findings, names)).collect()
}

fn sum_up(findings: &[&Finding], names: &Names) -> Problem {
    let first = findings[0];
    let rule: &'static Rule = first.rule;
    let (text, place) = match findings {
        [only] => {
            let problem = super::problem(only, names);
            (problem.text, problem.place)
        }
        _ => (
            format!(
                "{}: {}",
                words::counted(places(findings.iter().copied()), "place", "places"),
                rule.summary
            ),
            String::new(),
        ),
    };
    let command = match rule.id {
        "unpriced-model" => "ccaudit cache --by model".to_owned(),
        "missing-time" => "ccaudit cache --by day".to_owned(),
        "lower-bound-output" => "ccaudit cache --by version".to_owned(),
        "conflicting-usage"
        | "split-mismatch"
        | "implausible-count"
        | "expiring-transcripts"
        | "retention-below-minimum" => format!("ccaudit explain {}", rule.id),
        _ => "ccaudit fsck".to_owned(),
    };
    Problem { level: level(first.level), rule: rule.id, text, place, command, more: 0 }
}

/// The sentences under the screen.
#[must_use]
pub fn notes(report: &OverviewReport, method: &Method, names: &Names) -> Vec<Note> {
    let mut notes = super::cache::notes(&report.cache, method, FEW, names);
    if !method.scope.is_empty() {
        let whole = "the filters narrow tokens, cost and ratios; sizes, prompts and what needs a look are of the whole tree";
        notes.push(whole.into());
    }
    notes
}
