//! Findings about bytes and records.

use std::iter::Peekable;

use super::rules::{
    BROKEN_SYMLINK, BYTE_ORDER_MARK, DAMAGED_RECORD, DUPLICATE_ENTRY, EMPTY_TRANSCRIPT, INVALID_UTF8,
    LONE_SURROGATE, NO_RECORD, NOT_A_FILE, NOT_JSON_LINES, NUL_RUN, SPLICED_RECORD, SYMLINK_LOOP, TORN_TAIL,
    UNKNOWN_ENTRY_TYPE, UNREADABLE_FILE,
};
use super::{Drift, FileCheck, is_empty};
use crate::constants::STILL_WRITTEN_SECONDS;
use crate::finding::{Bounded, Finding, Subject};
use crate::model::{
    Corpus, Entry, Issue, IssueKind, Location, NodeId, SourceFile, Transcript, TreeIssue, TreeIssueKind,
};
use crate::rule::{Confidence, Level, Rule};
use crate::words::{count, counted};

const TWO_WRITERS: &str =
    "two processes may have written at once: do not resume one session in two terminals";

pub(super) fn of(corpus: &Corpus, files: &[FileCheck], drift: &[Drift], now: i64) -> Vec<Finding> {
    let mut findings = Bounded::default();
    findings.extend(corpus.tree_issues.iter().map(tree_issue));
    for check in files {
        let file = corpus.file(check.file);
        let rows = corpus.transcript(check.file);
        let live = is_live(file, now);
        let single = rows.issues.iter().filter(|issue| issue.kind != IssueKind::NoRecord);
        let single = single.filter(|issue| !follows_a_cut(rows, issue));
        let mut above = Above::of(rows.entries.iter().map(|entry| (entry.offset, entry.node)));
        findings.extend(single.map(|issue| {
            let after = above.node(issue.offset);
            let after = if after.is_some() { corpus.nodes.text(after) } else { "start".to_owned() };
            byte_issue(file, rows, issue, live).key(after)
        }));
        whole_file(file, check, &mut findings);
    }
    findings.extend(drift.iter().filter(|drift| !drift.known).map(unknown_type));
    findings.into_vec()
}

/// The findings about what is missing from every report: stretches that gave no entry, and what could not be read.
#[must_use]
pub fn losses(corpus: &Corpus, now: i64) -> Vec<Finding> {
    let unreadable = corpus.tree_issues.iter().filter(|issue| issue.kind == TreeIssueKind::Unreadable);
    let lost = corpus.transcript_files().flat_map(|file| {
        let (file, rows) = (corpus.file(file), corpus.transcript(file));
        let live = is_live(file, now);
        let lost = rows.issues.iter().filter(|issue| issue.kind.is_loss());
        lost.map(move |issue| byte_issue(file, rows, issue, live))
    });
    let mut findings = Bounded::default();
    findings.extend(unreadable.map(tree_issue).chain(lost));
    findings.into_vec()
}

/// True where the client may still be writing.
fn is_live(file: &SourceFile, now: i64) -> bool {
    file.modified.is_some_and(|modified| now.saturating_sub(modified) < STILL_WRITTEN_SECONDS * 1000)
}

fn tree_issue(issue: &TreeIssue) -> Finding {
    let (rule, what, fix): (&'static Rule, &str, &str) = match issue.kind {
        TreeIssueKind::SymlinkLoop => (
            &SYMLINK_LOOP,
            "the link leads back to a folder above it",
            "nothing was read through it; remove the link if it serves nobody",
        ),
        TreeIssueKind::BrokenSymlink => (
            &BROKEN_SYMLINK,
            "the link points to nothing",
            "restore its target, mount the disk it lies on, or remove the link",
        ),
        TreeIssueKind::Unreadable => {
            (&UNREADABLE_FILE, "could not be read", "give yourself read permission, then run this again")
        }
        TreeIssueKind::NotAFile => {
            (&NOT_A_FILE, "is named like a transcript and is none", "move it out of the tree")
        }
    };
    let message = if issue.detail.is_empty() { what.to_owned() } else { format!("{what}: {}", issue.detail) };
    let finding = rule
        .at(Location::file(issue.path.as_str()), message)
        .confidence(Confidence::Certain)
        .fix_sentence(fix);
    if issue.detail.is_empty() { finding } else { finding.evidence("system", &issue.detail) }
}

/// The uuids of the entries of a file, asked for from its start to its end.
struct Above<I: Iterator<Item = (u64, NodeId)>> {
    /// Offsets and uuids of the entries that were not passed yet.
    rest: Peekable<I>,
    /// The last uuid that was passed.
    node: NodeId,
}

impl<I: Iterator<Item = (u64, NodeId)>> Above<I> {
    fn of(entries: I) -> Self {
        Self { rest: entries.peekable(), node: NodeId::NONE }
    }

    /// The last uuid that starts at `offset` or before. Each entry is looked at once for all calls together.
    fn node(&mut self, offset: u64) -> NodeId {
        while let Some((_, node)) = self.rest.next_if(|(at, _)| *at <= offset) {
            if node.is_some() {
                self.node = node;
            }
        }
        self.node
    }
}

/// True where damaged bytes share their line with a whole record: no newline lies between.
fn is_cut(rows: &Transcript, issue: &Issue) -> bool {
    let next = rows.entries.partition_point(|entry| entry.offset < issue.offset);
    let end = |entry: &Entry| entry.offset + u64::from(entry.len);
    issue.kind == IssueKind::Damaged
        && (rows.entries.get(next).is_some_and(|entry| entry.offset == issue.offset + issue.len)
            || next.checked_sub(1).is_some_and(|before| end(&rows.entries[before]) == issue.offset))
}

/// True for a whole record whose line begins with a cut one: the finding about that one tells of both.
fn follows_a_cut(rows: &Transcript, issue: &Issue) -> bool {
    let next = rows.issues.partition_point(|other| other.offset < issue.offset);
    issue.kind == IssueKind::Spliced
        && next.checked_sub(1).map(|before| &rows.issues[before]).is_some_and(|before| {
            before.kind == IssueKind::Damaged && before.offset + before.len == issue.offset
        })
}

fn byte_issue(file: &SourceFile, rows: &Transcript, issue: &Issue, live: bool) -> Finding {
    let cut = is_cut(rows, issue);
    let bytes = counted(issue.len, "byte", "bytes");
    let are = counted(issue.len, "byte is", "bytes are");
    let (rule, message, fix): (&'static Rule, String, &str) = match issue.kind {
        IssueKind::Damaged if cut => (
            &SPLICED_RECORD,
            format!("a cut record of {bytes} shares its line with a whole one; only the whole one counts"),
            TWO_WRITERS,
        ),
        IssueKind::Damaged => (
            &DAMAGED_RECORD,
            format!("{are} no whole record"),
            "what stood there is lost; ccaudit counts everything around it",
        ),
        IssueKind::Oversized => (
            &DAMAGED_RECORD,
            format!("a record of {bytes} is too long, or holds too many values, to be read"),
            "look at the file: no client writes lines of this size",
        ),
        IssueKind::TornTail if live => (
            &TORN_TAIL,
            format!("the last {are} an unfinished record; the file changed a moment ago"),
            "run this again when the session has ended",
        ),
        IssueKind::TornTail => (
            &TORN_TAIL,
            format!("the last {are} an unfinished record"),
            "nothing to do: the client starts a new line after it when the session goes on",
        ),
        IssueKind::NulRun => (
            &NUL_RUN,
            counted(issue.len, "NUL byte", "NUL bytes"),
            "a crash of the machine leaves these; check the disk if it happens again",
        ),
        IssueKind::Spliced => (
            &SPLICED_RECORD,
            format!("a record of {bytes} shares its line with something else; it counts"),
            TWO_WRITERS,
        ),
        IssueKind::InvalidUtf8 => (
            &INVALID_UTF8,
            format!(
                "{} no UTF-8; it counts",
                counted(issue.count, "place in a record is", "places in a record are")
            ),
            "nothing to do: the text shows a replacement character there",
        ),
        IssueKind::LoneSurrogate => (
            &LONE_SURROGATE,
            format!("{} in a record; it counts", counted(issue.count, "half character", "half characters")),
            "nothing to do: a cut through an emoji; strict JSON readers refuse the record",
        ),
        IssueKind::ByteOrderMark => (
            &BYTE_ORDER_MARK,
            "a byte order mark stands before a record; it counts".to_owned(),
            "save the file without a byte order mark if other tools are to read it",
        ),
        IssueKind::NoRecord => (&NO_RECORD, String::new(), ""),
        IssueKind::NotJsonLines => (
            &NOT_JSON_LINES,
            format!("none of its {are} JSON Lines"),
            "move it out of the tree, or unpack it if it is compressed",
        ),
    };
    let location = match issue.kind {
        IssueKind::NotJsonLines => Location::file(file.path.as_str()),
        _ => Location::bytes(file.path.as_str(), issue.offset, issue.len),
    };
    let finding = rule.at(location, message).confidence(Confidence::Certain).fix_sentence(fix);
    match issue.kind {
        IssueKind::Damaged if cut => finding.level(Level::Error),
        IssueKind::TornTail if live => finding.level(Level::Note),
        _ => finding,
    }
}

/// What is reported once for each transcript.
fn whole_file(file: &SourceFile, check: &FileCheck, findings: &mut Bounded) {
    let at = || Location::file(file.path.as_str());
    if let Some((lines, first)) = check.issues.get(&IssueKind::NoRecord) {
        findings.add(
            NO_RECORD
                .at(
                    at(),
                    format!(
                        "{} JSON but no record, the first at byte {first}",
                        counted(*lines, "line is", "lines are")
                    ),
                )
                .confidence(Confidence::Certain)
                .evidence("lines", lines)
                .fix_sentence("look at the line at this offset: another program may write into the file"),
        );
    }
    if check.duplicates > 0 {
        let finding = DUPLICATE_ENTRY
            .at(
                at(),
                format!(
                    "{} {} of the same file, {} with another parent, time or length",
                    counted(check.duplicates, "entry repeats", "entries repeat"),
                    counted(check.repeated_uuids, "uuid", "uuids"),
                    count(check.differing)
                ),
            )
            .confidence(Confidence::Certain)
            .evidence("entries", check.duplicates)
            .evidence("uuids", check.repeated_uuids)
            .fix_sentence("nothing to do: each response counts once all the same");
        findings.add(if check.differing > 0 { finding.level(Level::Warning) } else { finding });
    }
    if is_empty(check) {
        findings.add(
            EMPTY_TRANSCRIPT
                .at(at(), "holds no record")
                .confidence(Confidence::Certain)
                .fix_sentence("nothing to do: the client made the file and wrote nothing into it"),
        );
    }
}

fn unknown_type(drift: &Drift) -> Finding {
    UNKNOWN_ENTRY_TYPE
        .at(None, format!("{} of them", count(drift.entries)))
        .about(Subject::Type { name: drift.name.clone(), version: drift.version.clone() })
        .confidence(Confidence::Certain)
        .key(format!("{} {}", drift.name, drift.version))
        .evidence("entries", drift.entries)
        .fix_sentence("they are kept and counted; a newer ccaudit may know what they mean")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Nodes;

    #[test]
    fn the_last_uuid_above_each_issue() {
        let mut nodes = Nodes::default();
        let uuids = [NodeId::NONE, nodes.intern("a"), NodeId::NONE, NodeId::NONE, nodes.intern("b")];
        let entries: Vec<(u64, NodeId)> = (0..5).map(|at| at * 10 + 5).zip(uuids).collect();
        let mut above = Above::of(entries.iter().copied());
        for offset in [0, 5, 14, 15, 16, 16, 30, 44, 45, 100] {
            let mut before = entries.iter().rev().filter(|(at, _)| *at <= offset);
            let expected = before.find_map(|(_, node)| Some(*node).filter(|node| node.is_some()));
            assert_eq!(above.node(offset), expected.unwrap_or(NodeId::NONE), "{offset}");
        }
    }

    #[test]
    fn each_entry_is_looked_at_once_for_all_issues() {
        const MANY: u64 = 1 << 16;
        let looked_at = std::cell::Cell::new(0);
        let mut above = Above::of((0..MANY).map(|at| {
            looked_at.set(looked_at.get() + 1);
            (at * 2, NodeId::NONE)
        }));
        assert!((0..MANY).all(|at| above.node(at * 2 + 1).is_none()));
        assert_eq!(looked_at.get(), MANY);
    }
}
