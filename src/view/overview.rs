//! `ccaudit overview` for people: one screen.

use std::collections::BTreeMap;

use super::cache::Method;
use super::{Block, Cell, Fact, Names, Note, Problem, View, level};
use crate::analysis::overview::OverviewReport;
use crate::finding::Finding;
use crate::model::Corpus;
use crate::rule::Rule;

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
    View { title: String::new(), blocks }
}

fn head(report: &OverviewReport, corpus: &Corpus, names: &Names) -> Note {
    let roots: Vec<String> = corpus.roots.iter().map(|root| names.path(root)).collect();
    let mut note = vec![Cell::text(format!("{}   ", roots.join(", ")))];
    let mut count = |n: u64, word: &str| {
        note.extend([
            Cell::Count(u128::from(n)),
            Cell::text(format!(" {word}{} · ", if n == 1 { "" } else { "s" })),
        ]);
    };
    count(report.sessions, "session");
    count(report.stores, "store");
    count(report.agents, "agent");
    note.extend([
        Cell::Count(u128::from(report.memories)),
        Cell::text(if report.memories == 1 { " memory · " } else { " memories · " }),
    ]);
    note.extend([
        Cell::Count(u128::from(report.entries)),
        Cell::text(" entries · "),
        Cell::Bytes(report.bytes),
    ]);
    if let Some((first, last)) = &report.days {
        note.push(Cell::text(format!(" · {first} to {last}")));
    }
    match report.versions.as_slice() {
        [] => {}
        [only] => note.push(Cell::text(format!(" · client {only}"))),
        [first, .., last] => note.push(Cell::text(format!(" · clients {first} to {last}"))),
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
        remark: remark.to_owned(),
    };
    let (there, missing, unknown) = report.projects;
    let mut facts = vec![
        fact("cost_pico_usd", "Spent, list price", Cell::Money(group.cost.total()), ""),
        fact(
            "prompt_share",
            "Prompt share from cache",
            Cell::Share { num: tokens.read, den: tokens.prompt() },
            "read / (read + written + input)",
        ),
        fact(
            "read_input",
            "Read against input",
            Cell::Share { num: tokens.read, den: tokens.read + tokens.input },
            "read / (read + input)",
        ),
        fact(
            "ttl_5m_share",
            "Written for 5 minutes",
            Cell::Share { num: tokens.write_5m, den: tokens.written() },
            "",
        ),
        fact(
            "ttl_1h_share",
            "Written for 1 hour",
            Cell::Share { num: tokens.write_1h, den: tokens.written() },
            "",
        ),
        fact("responses", "Responses", Cell::Count(u128::from(group.responses)), ""),
        fact("prompts", "Prompts typed", Cell::Count(u128::from(report.prompts)), ""),
        fact(
            "times_sent",
            "Each token was sent",
            Cell::Times { num: tokens.prompt(), den: tokens.written() + tokens.input },
            "prompt / (written + input)",
        ),
    ];
    if report.cache.trend.len() > 1 {
        let bars = report.cache.trend.iter().map(|(_, tokens)| *tokens).collect();
        facts.push(fact("trend", "Prompt tokens by day", Cell::Spark(bars), ""));
    }
    if missing > 0 {
        let remark = format!("of {} project folders", there + missing + unknown);
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
        _ => (format!("{} places: {}", findings.len(), rule.summary), String::new()),
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
    Problem { level: level(first.level), rule: rule.id, text, place, command }
}

/// The sentences under the screen.
#[must_use]
pub fn notes(report: &OverviewReport, method: &Method, names: &Names) -> Vec<Note> {
    super::cache::notes(&report.cache, method, names)
}
