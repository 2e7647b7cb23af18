//! The rows of one stretch of a file while it is being read.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::model::{Entry, Envelope, Issue, IssueKind, NodeId, Nodes, Strings, Sym, Transcript, UsageRow};

/// What was read of a stretch of a file, with handles of its own.
#[derive(Default)]
pub struct Part {
    pub rows: Transcript,
    pub strings: Strings,
    pub nodes: Nodes,
    envelopes: HashMap<Envelope, u32, FixedState>,
}

impl Part {
    pub(super) fn sym(&mut self, text: Option<&str>) -> Sym {
        text.map_or(Sym::NONE, |text| self.strings.intern(text))
    }

    pub(super) fn node(&mut self, id: Option<&str>) -> NodeId {
        id.map_or(NodeId::NONE, |id| self.nodes.intern(id))
    }

    pub(super) fn envelope(&mut self, envelope: Envelope) -> u32 {
        let rows = &mut self.rows.envelopes;
        if let Some(last) = self.rows.entries.last()
            && rows.get(last.envelope as usize) == Some(&envelope)
        {
            return last.envelope;
        }
        *self.envelopes.entry(envelope).or_insert_with(|| {
            rows.push(envelope);
            row(rows.len() - 1)
        })
    }

    /// The row of a usage object; the same as that of the entry before where nothing changed, as it is for
    /// all blocks of one answer.
    pub(super) fn usage(&mut self, usage: UsageRow) -> u32 {
        if self.rows.usages.last() != Some(&usage) {
            self.rows.usages.push(usage);
        }
        row(self.rows.usages.len() - 1)
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.rows.entries.push(entry);
    }

    pub(super) fn issue(&mut self, kind: IssueKind, offset: u64, len: u64, count: u32) {
        self.rows.issues.push(Issue { offset, len, kind, count });
    }

    /// Adds a stretch of the line at `line` that belongs to no entry. One that follows another of its kind makes it
    /// longer: a line may hold millions of them.
    pub(super) fn lost(&mut self, line: u64, kind: IssueKind, offset: u64, len: u64) {
        let entry = self.rows.entries.last().map_or(0, |entry| entry.offset + 1);
        match self.rows.issues.last_mut() {
            Some(last) if last.kind == kind && last.offset >= line.max(entry) => {
                // Only white space lies between.
                self.rows.blank_bytes -= offset - (last.offset + last.len);
                last.len = offset + len - last.offset;
                last.count = last.count.saturating_add(1);
            }
            _ => self.issue(kind, offset, len, 1),
        }
    }

    /// Gives back the memory that only reading needs: there may be very many parts.
    pub(super) fn freeze(&mut self) {
        self.rows.shrink();
        self.strings.freeze();
        self.nodes.freeze();
        self.envelopes = HashMap::default();
    }

    /// Number of the entry that is pushed next.
    pub(super) fn next_row(&self) -> u32 {
        row(self.rows.entries.len())
    }
}

/// A row number. One file has fewer than 2^32 entries: the shortest takes two bytes and a newline, and a
/// file of 12 GB of them would not fit in memory as rows.
pub(super) fn row(n: usize) -> u32 {
    u32::try_from(n).unwrap_or_else(|_| panic!("more than 2^32 rows in one file"))
}
