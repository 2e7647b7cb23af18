//! `ccaudit fsck` for people.

use std::collections::BTreeMap;

use super::cache::counted;
use super::{Block, Cell, Class, Column, Fact, Names, Note, Problem, Table, View, problem};
use crate::analysis::fsck::{FileCheck, FsckReport};
use crate::finding::{Finding, places};
use crate::model::{Corpus, IssueKind};
use crate::words;

/// The view of a report: the verdict, the findings, where and what; sizes last. `limit` of each, 0 shows all.
#[must_use]
pub fn view(report: &FsckReport, corpus: &Corpus, limit: usize, names: &Names) -> View {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let mut blocks = vec![Block::Lead(verdict(report))];
    if !report.findings.is_empty() {
        blocks.push(Block::Heading("Findings".into()));
        blocks.push(Block::Problems(problems(&report.findings, limit, names)));
    }
    let bad: Vec<&FileCheck> =
        report.files.iter().filter(|check| !check.issues.is_empty() || check.duplicates > 0).collect();
    if !bad.is_empty() {
        blocks.push(Block::Heading("Files with issues".into()));
        blocks.push(Block::Table(file_table(&bad, corpus, limit, names)));
    }
    if !report.types.is_empty() {
        blocks.push(Block::Heading("Entries by type".into()));
        blocks.push(Block::Table(type_table(report, limit, names)));
    }
    if report.drift.iter().any(|drift| !drift.known) {
        blocks.push(Block::Heading("Types that this version does not know".into()));
        blocks.push(Block::Table(drift_table(report, limit, names)));
    }
    blocks.push(Block::Heading("Bytes".into()));
    blocks.push(Block::Facts(facts(report)));
    View { blocks }
}

/// Is everything there? One sentence.
fn verdict(report: &FsckReport) -> Note {
    let of = |files: usize, what: &str| {
        let [all, transcripts] = counted(report.totals.files, "transcript", "transcripts");
        vec![Cell::Count(files as u128), Cell::text(" of "), all, transcripts, Cell::text(format!(" {what}"))]
    };
    let count = |keep: &dyn Fn(&FileCheck) -> bool| report.files.iter().filter(|check| keep(check)).count();
    if report.files.is_empty() {
        return "nothing to check: the tree holds no transcript".into();
    }
    let unreadable = count(&|check| !check.readable);
    if unreadable > 0 {
        let mut note = of(unreadable, "could not be read");
        let lost = count(&|check| check.losses() > 0);
        if lost > 0 {
            note.push(Cell::text(", "));
            note.push(Cell::Count(lost as u128));
            note.push(Cell::text(" lost something: "));
            note.extend(kinds(report, true));
        }
        return Note(note);
    }
    let lost = count(&|check| check.losses() > 0);
    let issues = count(&|check| !check.issues.is_empty());
    if lost > 0 {
        let mut note = of(lost, "lost something: ");
        note.extend(kinds(report, true));
        Note(note)
    } else if issues > 0 {
        let mut note = vec![Cell::text("nothing is lost; ")];
        note.extend(of(issues, if issues == 1 { "has a flaw: " } else { "have flaws: " }));
        note.extend(kinds(report, false));
        Note(note)
    } else {
        "sound: every byte is part of a record or white space".into()
    }
}

/// How often each kind of issue is there; of losses or of the others.
fn kinds(report: &FsckReport, losses: bool) -> Vec<Cell> {
    let mut sums: BTreeMap<IssueKind, u64> = BTreeMap::new();
    for (kind, (count, _)) in report.files.iter().flat_map(|check| &check.issues) {
        if kind.is_loss() == losses {
            *sums.entry(*kind).or_default() += count;
        }
    }
    let mut cells = Vec::new();
    for (at, (kind, count)) in sums.into_iter().enumerate() {
        let (one, many) = issue_words(kind);
        cells.push(Cell::text(if at == 0 { "" } else { ", " }));
        cells.extend(counted(count, one, many));
    }
    cells
}

/// Findings of a rule in text; more of them say no more.
const OF_A_RULE: usize = 3;

/// The first findings of each rule, with the number of those left out at the last of them.
fn problems(findings: &[Finding], limit: usize, names: &Names) -> Vec<Problem> {
    let mut rules: Vec<(&str, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        match rules.iter_mut().find(|(rule, _)| *rule == finding.rule.id) {
            Some((_, list)) => list.push(finding),
            None => rules.push((finding.rule.id, vec![finding])),
        }
    }
    let mut problems = Vec::new();
    for (_, list) in rules {
        // A limit that somebody raised is for each rule.
        let room = if limit > FEW { limit } else { limit.min(OF_A_RULE) };
        problems.extend(list.iter().take(room).map(|finding| problem(finding, names)));
        if let Some(last) = problems.last_mut() {
            last.more = places(list.iter().skip(room).copied());
        }
    }
    problems
}

/// The limit that nobody asked for.
const FEW: usize = 10;

fn facts(report: &FsckReport) -> Vec<Fact> {
    let totals = &report.totals;
    let part = |key, label: &str, bytes: u64, remark: &str| Fact {
        key,
        label: label.to_owned(),
        value: Cell::Bytes(bytes),
        remark: remark.into(),
    };
    let count = |key, label: &str, n: u64, remark: &str| Fact {
        key,
        label: label.to_owned(),
        value: Cell::Count(u128::from(n)),
        remark: remark.into(),
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
            remark: "of the record bytes: session, version, folder, branch on every entry".into(),
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
            .map(|(kind, (count, first))| {
                let (one, many) = issue_words(*kind);
                format!("{} ({first})", words::counted(*count, one, many))
            })
            .collect();
        if check.duplicates > 0 {
            issues.push(words::counted(check.duplicates, "repeated uuid", "repeated uuids"));
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
    Table { key: "files", columns, rows, hidden_rows, ..Table::default() }
}

/// An issue of a kind and several of them.
const fn issue_words(kind: IssueKind) -> (&'static str, &'static str) {
    match kind {
        IssueKind::Damaged => ("damaged record", "damaged records"),
        IssueKind::Oversized => ("record too long", "records too long"),
        IssueKind::TornTail => ("torn tail", "torn tails"),
        IssueKind::NulRun => ("run of NUL bytes", "runs of NUL bytes"),
        IssueKind::NoRecord => ("line without a record", "lines without a record"),
        IssueKind::NotJsonLines => ("file of another format", "files of another format"),
        IssueKind::Spliced => ("spliced record", "spliced records"),
        IssueKind::InvalidUtf8 => ("place of bad UTF-8", "places of bad UTF-8"),
        IssueKind::LoneSurrogate => ("half character", "half characters"),
        IssueKind::ByteOrderMark => ("byte order mark", "byte order marks"),
    }
}

fn type_table(report: &FsckReport, limit: usize, names: &Names) -> Table {
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
                Cell::text(names.name(Class::Type, &count.name)),
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
    Table { key: "types", columns, rows, total: Some(total), hidden_rows, ..Table::default() }
}

fn drift_table(report: &FsckReport, limit: usize, names: &Names) -> Table {
    let columns = vec![
        Column::left("type", "type", 0),
        Column::left("client_version", "client", 0),
        Column::right("entries", "entries", 0),
    ];
    let row = |drift: &crate::analysis::fsck::Drift| {
        let version = match drift.version.as_str() {
            "" => Cell::Unknown,
            version => Cell::text(names.name(Class::Version, version)),
        };
        vec![
            Cell::text(names.name(Class::Type, &drift.name)),
            version,
            Cell::Count(u128::from(drift.entries)),
        ]
    };
    let unknown = || report.drift.iter().filter(|drift| !drift.known);
    let rows: Vec<_> = unknown().take(limit.max(20)).map(row).collect();
    let hidden_rows = unknown().count() - rows.len();
    Table { key: "drift", columns, rows, hidden_rows, ..Table::default() }
}
