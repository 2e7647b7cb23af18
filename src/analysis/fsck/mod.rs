//! Bytes and records: what every file holds, and what of it could not be read.

mod findings;
pub mod rules;
mod types;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::FixedState;

pub use findings::losses;
pub use types::{Drift, TypeCount};

use crate::finding::{self, Finding};
use crate::model::{Corpus, Entry, FileId, FileKind, IssueKind, NodeId, Transcript, TreeIssueKind};

/// What a transcript holds.
#[derive(Clone, Debug)]
pub struct FileCheck {
    pub file: FileId,
    /// The system let us read it to its end.
    pub readable: bool,
    pub bytes: u64,
    pub entries: u64,
    /// Bytes of whole records.
    pub entry_bytes: u64,
    /// Bytes of issues that belong to no record.
    pub issue_bytes: u64,
    /// White space and newlines.
    pub blank_bytes: u64,
    /// Issues by kind, with their number and the offset of the first.
    pub issues: BTreeMap<IssueKind, (u64, u64)>,
    /// Entries of types that this tool does not know, by type.
    pub unknown_types: BTreeMap<String, u64>,
    /// Entries whose uuid stood in the file before.
    pub duplicates: u64,
    /// Uuids of these.
    pub repeated_uuids: u64,
    /// Copies of these that differ from the first in time, parent or length.
    pub differing: u64,
}

impl FileCheck {
    /// Lines or parts of lines that gave no entry.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.issues.iter().filter(|(kind, _)| kind.is_loss()).map(|(_, (count, _))| count).sum()
    }
}

/// Sums over all transcripts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByteTotals {
    pub files: u64,
    pub empty_files: u64,
    pub bytes: u64,
    pub entries: u64,
    pub entry_bytes: u64,
    pub issue_bytes: u64,
    pub blank_bytes: u64,
    /// Bytes of the fields that a client repeats on every entry.
    pub envelope_bytes: u64,
    /// Size of the middle one, of the one that nine of ten do not exceed, and of the largest.
    pub median: u64,
    pub ninetieth: u64,
    pub largest: u64,
    /// Entries that had to be repaired or pieced together.
    pub repaired: u64,
    /// Lines that gave no entry, or only a part of them did.
    pub losses: u64,
}

/// The report of `fsck`.
#[derive(Debug)]
pub struct FsckReport {
    /// In path order.
    pub files: Vec<FileCheck>,
    pub totals: ByteTotals,
    /// By type, most entries first.
    pub types: Vec<TypeCount>,
    /// Entries by type and client version.
    pub drift: Vec<Drift>,
    /// In output order; about bytes and records only.
    pub findings: Vec<Finding>,
}

/// Looks at every byte that was read. `now` in milliseconds since 1970 tells whether a file may still be
/// being written.
#[must_use]
pub fn analyze(corpus: &Corpus, now: i64) -> FsckReport {
    let unreadable: BTreeSet<(usize, &str)> = corpus
        .tree_issues
        .iter()
        .filter(|issue| issue.kind == TreeIssueKind::Unreadable)
        .map(|issue| (issue.root, issue.path.as_str()))
        .collect();
    let readable = |file: FileId| {
        let file = corpus.file(file);
        !unreadable.contains(&(file.root, file.path.as_str()))
    };
    let files: Vec<FileCheck> =
        corpus.transcript_files().map(|file| check(corpus, file, readable(file))).collect();
    let (types, drift) = types::count(corpus);
    let mut findings = findings::of(corpus, &files, &drift, now);
    finding::sort(&mut findings);
    FsckReport { totals: totals(corpus, &files), files, types, drift, findings }
}

fn check(corpus: &Corpus, file: FileId, readable: bool) -> FileCheck {
    let rows = corpus.transcript(file);
    let mut issues: BTreeMap<IssueKind, (u64, u64)> = BTreeMap::new();
    for issue in &rows.issues {
        issues.entry(issue.kind).or_insert((0, issue.offset)).0 += 1;
    }
    let Duplicates { copies, uuids, differing } = duplicates(rows);
    FileCheck {
        file,
        readable,
        bytes: rows.bytes,
        entries: rows.entries.len() as u64,
        entry_bytes: rows.entries.iter().map(|entry| u64::from(entry.len)).sum(),
        issue_bytes: rows.issues.iter().filter(|issue| issue.kind.owns_bytes()).map(|issue| issue.len).sum(),
        blank_bytes: rows.blank_bytes,
        issues,
        unknown_types: types::unknown(corpus, rows),
        duplicates: copies,
        repeated_uuids: uuids,
        differing,
    }
}

#[derive(Default)]
struct Duplicates {
    copies: u64,
    uuids: u64,
    differing: u64,
}

fn duplicates(rows: &Transcript) -> Duplicates {
    /// The first entry of a uuid, and whether it came again.
    type First<'a> = (&'a Entry, bool);
    let mut firsts: HashMap<NodeId, First<'_>, FixedState> =
        HashMap::with_capacity_and_hasher(rows.entries.len(), FixedState::default());
    let mut found = Duplicates::default();
    for entry in rows.entries.iter().filter(|entry| entry.node.is_some()) {
        let (first, again) = firsts.entry(entry.node).or_insert((entry, false));
        if std::ptr::eq(*first, entry) {
            continue;
        }
        found.copies += 1;
        found.uuids += u64::from(!*again);
        *again = true;
        let differs = (first.time, first.parent, first.len) != (entry.time, entry.parent, entry.len);
        found.differing += u64::from(differs);
    }
    found
}

fn totals(corpus: &Corpus, files: &[FileCheck]) -> ByteTotals {
    let mut totals =
        ByteTotals { files: files.len() as u64, losses: corpus.losses(), ..ByteTotals::default() };
    let mut sizes: Vec<u64> = files.iter().map(|check| check.bytes).collect();
    sizes.sort_unstable();
    let at =
        |num: usize, den: usize| sizes.get((sizes.len().saturating_sub(1)) * num / den).copied().unwrap_or(0);
    (totals.median, totals.ninetieth, totals.largest) = (at(1, 2), at(9, 10), at(1, 1));
    for check in files {
        let rows = corpus.transcript(check.file);
        totals.empty_files += u64::from(is_empty(check));
        totals.bytes += check.bytes;
        totals.entries += check.entries;
        totals.entry_bytes += check.entry_bytes;
        totals.issue_bytes += check.issue_bytes;
        totals.blank_bytes += check.blank_bytes;
        totals.envelope_bytes += rows.envelope_bytes;
        let repaired = |entry: &&crate::model::Entry| entry.flags.has(crate::model::Flags::REPAIRED);
        totals.repaired += rows.entries.iter().filter(repaired).count() as u64;
    }
    totals
}

/// No bytes, or white space only.
const fn is_empty(check: &FileCheck) -> bool {
    check.readable && check.bytes == check.blank_bytes
}

/// True where the name says that an agent wrote it.
#[must_use]
pub const fn is_agent(kind: FileKind) -> bool {
    kind.is_transcript() && !matches!(kind, FileKind::Main)
}
