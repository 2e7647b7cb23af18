//! `ccaudit fsck` for people.

use super::{Block, Cell, Column, Fact, Names, Note, Problem, Table, View, level};
use crate::analysis::fsck::{FileCheck, FsckReport};
use crate::finding::{Finding, Fix};
use crate::model::{Corpus, IssueKind};

/// The view of a report: bytes first, then files with issues, types and findings; `limit` of each, 0 shows all.
#[must_use]
pub fn view(report: &FsckReport, corpus: &Corpus, limit: usize, names: &Names) -> View {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let mut blocks = vec![Block::Facts(facts(report))];
    blocks.push(Block::Heading("Findings".into()));
    if report.findings.is_empty() {
        blocks.push(Block::Note("none: every byte is part of a record or white space".into()));
    } else {
        blocks.push(Block::Problems(
            report.findings.iter().take(limit).map(|finding| problem(finding, names)).collect(),
        ));
        let hidden = report.findings.len().saturating_sub(limit);
        if hidden > 0 {
            blocks.push(Block::Note(hidden_note(hidden)));
        }
    }
    let bad: Vec<&FileCheck> =
        report.files.iter().filter(|check| !check.issues.is_empty() || check.duplicates > 0).collect();
    if !bad.is_empty() {
        blocks.push(Block::Heading("Files with issues".into()));
        blocks.push(Block::Table(file_table(&bad, corpus, limit, names)));
    }
    blocks.push(Block::Heading("Entries by type".into()));
    blocks.push(Block::Table(type_table(report, limit)));
    if report.drift.iter().any(|drift| !drift.known) {
        blocks.push(Block::Heading("Types that this version does not know".into()));
        blocks.push(Block::Table(drift_table(report)));
    }
    View { title: String::new(), blocks }
}

fn hidden_note(hidden: usize) -> Note {
    Note(vec![Cell::Count(hidden as u128), Cell::text(" more (--limit 0 shows all)")])
}

fn facts(report: &FsckReport) -> Vec<Fact> {
    let totals = &report.totals;
    let part = |key, label: &str, bytes: u64, remark: &str| Fact {
        key,
        label: label.to_owned(),
        value: Cell::Bytes(bytes),
        remark: remark.to_owned(),
    };
    let count = |key, label: &str, n: u64, remark: &str| Fact {
        key,
        label: label.to_owned(),
        value: Cell::Count(u128::from(n)),
        remark: remark.to_owned(),
    };
    vec![
        count("transcripts", "Transcripts", totals.files, ""),
        count("entries", "Entries", totals.entries, ""),
        count(
            "repaired_entries",
            "Repaired entries",
            totals.repaired,
            "read after a repair, or pieced out of a damaged line",
        ),
        count("losses", "Stretches lost", totals.losses, "bytes that gave no entry"),
        part("bytes", "Bytes", totals.bytes, "= records + issues + white space"),
        part("entry_bytes", "in records", totals.entry_bytes, ""),
        part("issue_bytes", "in issues", totals.issue_bytes, ""),
        part("blank_bytes", "white space", totals.blank_bytes, "newlines and blanks between records"),
        Fact {
            key: "envelope_share",
            label: "Repeated envelope".to_owned(),
            value: Cell::Share {
                num: u128::from(totals.envelope_bytes),
                den: u128::from(totals.entry_bytes),
            },
            remark: "of the record bytes: session, version, folder, branch on every entry".to_owned(),
        },
        part("median_file_bytes", "Middle file", totals.median, ""),
        part(
            "ninetieth_file_bytes",
            "Ninetieth percentile",
            totals.ninetieth,
            "nine of ten files are no larger",
        ),
        part("largest_file_bytes", "Largest file", totals.largest, ""),
    ]
}

/// A finding as a line.
#[must_use]
pub fn problem(finding: &Finding, names: &Names) -> Problem {
    let place = finding.location.as_ref().map_or_else(String::new, |location| {
        let path = names.path(&location.path);
        match location.offset {
            Some(offset) => format!("{path} at byte {offset}: "),
            None => format!("{path}: "),
        }
    });
    let command = match &finding.fix {
        Some(Fix::Command(command)) => names.text(command),
        Some(Fix::Sentence(sentence)) => names.text(sentence),
        None => String::new(),
    };
    let text = format!("{place}{}", names.text(&finding.message));
    Problem { level: level(finding.level), rule: finding.rule.id, text, command }
}

fn file_table(bad: &[&FileCheck], corpus: &Corpus, limit: usize, names: &Names) -> Table {
    let columns = vec![
        Column::left("path", "file", 0),
        Column::right("entries", "entries", 1),
        Column::right("bytes", "size", 2),
        Column::right("issue_bytes", "in issues", 1),
        Column::left("issues", "issues (first at byte)", 0),
    ];
    let row = |check: &&FileCheck| {
        let mut issues: Vec<String> = check
            .issues
            .iter()
            .map(|(kind, (count, first))| format!("{count} {} ({first})", words(*kind)))
            .collect();
        if check.duplicates > 0 {
            issues.push(format!("{} repeated uuids", check.duplicates));
        }
        vec![
            Cell::code(names.path(&corpus.file(check.file).path)),
            Cell::Count(u128::from(check.entries)),
            Cell::Bytes(check.bytes),
            Cell::Bytes(check.issue_bytes),
            Cell::text(issues.join(", ")),
        ]
    };
    let mut order: Vec<&&FileCheck> = bad.iter().collect();
    order.sort_by_key(|check| std::cmp::Reverse((check.losses(), check.issue_bytes)));
    let rows: Vec<_> = order.into_iter().take(limit).map(row).collect();
    let hidden_rows = bad.len() - rows.len();
    Table { key: "files", columns, rows, total: None, hidden_rows }
}

const fn words(kind: IssueKind) -> &'static str {
    match kind {
        IssueKind::Damaged => "damaged",
        IssueKind::Oversized => "too long",
        IssueKind::TornTail => "torn tail",
        IssueKind::NulRun => "NUL runs",
        IssueKind::NoRecord => "no record",
        IssueKind::NotJsonLines => "not JSON Lines",
        IssueKind::Spliced => "spliced",
        IssueKind::InvalidUtf8 => "bad UTF-8",
        IssueKind::LoneSurrogate => "half characters",
        IssueKind::ByteOrderMark => "byte order mark",
    }
}

fn type_table(report: &FsckReport, limit: usize) -> Table {
    let columns = vec![
        Column::left("type", "type", 0),
        Column::right("entries", "entries", 0),
        Column::right("bytes", "size", 0),
        Column::right("share_of_bytes", "of size", 1),
        Column::right("mean_bytes", "mean size", 2),
    ];
    let all: u64 = report.types.iter().map(|count| count.bytes).sum();
    let rows: Vec<_> = report
        .types
        .iter()
        .take(limit.max(20))
        .map(|count| {
            vec![
                Cell::text(count.name.as_str()),
                Cell::Count(u128::from(count.entries)),
                Cell::Bytes(count.bytes),
                Cell::Share { num: u128::from(count.bytes), den: u128::from(all) },
                count.bytes.checked_div(count.entries).map_or(Cell::NotAvailable, Cell::Bytes),
            ]
        })
        .collect();
    let entries = report.types.iter().map(|count| u128::from(count.entries)).sum();
    let total = vec![Cell::text("total"), Cell::Count(entries), Cell::Bytes(all), Cell::Empty, Cell::Empty];
    let hidden_rows = report.types.len() - rows.len();
    Table { key: "types", columns, rows, total: Some(total), hidden_rows }
}

fn drift_table(report: &FsckReport) -> Table {
    let columns = vec![
        Column::left("type", "type", 0),
        Column::left("client_version", "client", 0),
        Column::right("entries", "entries", 0),
    ];
    let row = |drift: &crate::analysis::fsck::Drift| {
        let version =
            if drift.version.is_empty() { Cell::Unknown } else { Cell::text(drift.version.as_str()) };
        vec![Cell::text(drift.name.as_str()), version, Cell::Count(u128::from(drift.entries))]
    };
    let rows = report.drift.iter().filter(|drift| !drift.known).map(row).collect();
    Table { key: "drift", columns, rows, total: None, hidden_rows: 0 }
}
