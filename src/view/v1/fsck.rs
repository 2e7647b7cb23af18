//! `ccaudit.fsck/v1`

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{FindingV1, findings};
use crate::analysis::fsck::{FileCheck, FsckReport};
use crate::model::{Corpus, IssueKind};
use crate::view::{Class, Names};

/// Bytes and records of every transcript.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Fsck {
    pub totals: TotalsV1,
    pub files: Vec<FileV1>,
    pub types: Vec<TypeV1>,
    pub drift: Vec<DriftV1>,
    pub findings: Vec<FindingV1>,
}

/// `bytes` = `entry_bytes` + `issue_bytes` + `blank_bytes`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TotalsV1 {
    pub files: u64,
    pub empty_files: u64,
    pub bytes: u64,
    pub entries: u64,
    pub entry_bytes: u64,
    pub issue_bytes: u64,
    pub blank_bytes: u64,
    /// Bytes of the fields that a client repeats on every entry; part of `entry_bytes`.
    pub envelope_bytes: u64,
    pub median_file_bytes: u64,
    pub ninetieth_file_bytes: u64,
    pub largest_file_bytes: u64,
    pub repaired_entries: u64,
    /// Stretches that gave no entry.
    pub losses: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FileV1 {
    pub path: String,
    pub kind: &'static str,
    /// The system let us read it to its end; where not, the counts are those of what was read.
    pub readable: bool,
    pub bytes: u64,
    pub entries: u64,
    pub entry_bytes: u64,
    pub issue_bytes: u64,
    pub blank_bytes: u64,
    pub duplicate_uuids: u64,
    /// Entries by type, of the types that this version does not know.
    pub unknown_types: BTreeMap<String, u64>,
    pub issues: Vec<IssueV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct IssueV1 {
    pub kind: &'static str,
    pub offset: u64,
    pub len: u64,
    /// Ill-formed places or half characters in it; for bytes of no record, the pieces of one line that they are made of.
    pub count: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TypeV1 {
    pub r#type: String,
    /// A type that this version knows by name.
    pub known: bool,
    pub entries: u64,
    pub bytes: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DriftV1 {
    pub r#type: String,
    pub known: bool,
    pub client_version: Option<String>,
    pub entries: u64,
}

/// The report as data.
#[must_use]
pub fn fsck(report: &FsckReport, corpus: &Corpus, names: &Names) -> Fsck {
    let totals = &report.totals;
    Fsck {
        totals: TotalsV1 {
            files: totals.files,
            empty_files: totals.empty_files,
            bytes: totals.bytes,
            entries: totals.entries,
            entry_bytes: totals.entry_bytes,
            issue_bytes: totals.issue_bytes,
            blank_bytes: totals.blank_bytes,
            envelope_bytes: totals.envelope_bytes,
            median_file_bytes: totals.median,
            ninetieth_file_bytes: totals.ninetieth,
            largest_file_bytes: totals.largest,
            repaired_entries: totals.repaired,
            losses: totals.losses,
        },
        files: report.files.iter().map(|check| file(check, corpus, names)).collect(),
        types: report
            .types
            .iter()
            .map(|count| TypeV1 {
                r#type: names.name(Class::Type, &count.name),
                known: count.known,
                entries: count.entries,
                bytes: count.bytes,
            })
            .collect(),
        drift: report
            .drift
            .iter()
            .map(|drift| DriftV1 {
                r#type: names.name(Class::Type, &drift.name),
                known: drift.known,
                client_version: (!drift.version.is_empty())
                    .then(|| names.name(Class::Version, &drift.version)),
                entries: drift.entries,
            })
            .collect(),
        findings: findings(&report.findings, names),
    }
}

fn file(check: &FileCheck, corpus: &Corpus, names: &Names) -> FileV1 {
    let file = corpus.file(check.file);
    let issues = corpus.transcript(check.file).issues.iter();
    FileV1 {
        path: names.path(&file.path),
        kind: file.kind.name(),
        readable: check.readable,
        bytes: check.bytes,
        entries: check.entries,
        entry_bytes: check.entry_bytes,
        issue_bytes: check.issue_bytes,
        blank_bytes: check.blank_bytes,
        duplicate_uuids: check.duplicates,
        unknown_types: check
            .unknown_types
            .iter()
            .map(|(name, count)| (names.name(Class::Type, name), *count))
            .collect(),
        issues: issues
            .map(|issue| IssueV1 {
                kind: issue_name(issue.kind),
                offset: issue.offset,
                len: issue.len,
                count: issue.count,
            })
            .collect(),
    }
}

/// Stable name of an issue: the id of the rule that reports it.
#[must_use]
const fn issue_name(kind: IssueKind) -> &'static str {
    match kind {
        IssueKind::Damaged | IssueKind::Oversized => "damaged-record",
        IssueKind::TornTail => "torn-tail",
        IssueKind::NulRun => "nul-run",
        IssueKind::NoRecord => "no-record",
        IssueKind::NotJsonLines => "not-json-lines",
        IssueKind::Spliced => "spliced-record",
        IssueKind::InvalidUtf8 => "invalid-utf8",
        IssueKind::LoneSurrogate => "lone-surrogate",
        IssueKind::ByteOrderMark => "byte-order-mark",
    }
}
