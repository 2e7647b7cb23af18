//! Lines that are an odd JSON value, or not exactly one: which whole records lie in them, and what is lost.

#[cfg(test)]
mod tests;

use serde::de::IgnoredAny;
use serde_json::Deserializer;

use super::fields::Outcome;
use super::{MOST_NODES, Reader, Refused, is_space, repair};
use crate::model::IssueKind;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// NUL runs in a row, without an entry between them, that are reported one by one. More are text of 16-bit
/// characters, or no text: they and what lies between them are one stretch of damage. Records behind it count.
const SINGLE_NUL_RUNS: usize = 8;

/// Reads a line piece by piece. Every byte goes into an entry, an issue or the count of blanks.
pub(super) fn line(reader: &mut Reader, line: &[u8], offset: u64, terminated: bool) {
    let mut at = 0;
    let mut runs = 0;
    while at < line.len() {
        let rest = &line[at..];
        let here = offset + at as u64;
        let nuls = rest.iter().take_while(|byte| **byte == 0).count();
        if nuls > 0 {
            runs += 1;
            let kind = if runs > SINGLE_NUL_RUNS { IssueKind::Damaged } else { IssueKind::NulRun };
            reader.part.lost(offset, kind, here, nuls as u64);
            at += nuls;
            continue;
        }
        let len = memchr::memchr(0, rest).unwrap_or(rest.len());
        let open_end = !terminated && at + len == line.len();
        let entries = reader.part.rows.entries.len();
        Stretch::new(&rest[..len], here, offset, len == line.len(), open_end).read(reader);
        if reader.part.rows.entries.len() > entries {
            runs = 0;
        }
        at += len;
    }
}

/// A stretch without NULs.
struct Stretch<'a> {
    bytes: &'a [u8],
    offset: u64,
    /// Where its line starts.
    line: u64,
    /// It is a whole line.
    whole_line: bool,
    /// The file ends with it, without a newline.
    open_end: bool,
    marks: Option<Marks>,
    /// Bytes that the search for records may still look at: a few times the stretch, whatever it holds.
    budget: usize,
}

/// Where the keys that tell a record last stand.
#[derive(Clone, Copy)]
struct Marks {
    kind: usize,
    id: usize,
}

impl<'a> Stretch<'a> {
    const fn new(bytes: &'a [u8], offset: u64, line: u64, whole_line: bool, open_end: bool) -> Self {
        let budget = bytes.len().saturating_mul(10).saturating_add(1 << 16);
        Self { bytes, offset, line, whole_line, open_end, marks: None, budget }
    }

    fn read(mut self, reader: &mut Reader) {
        let between_nuls = !self.whole_line;
        if let Some(rest) = self.bytes.strip_prefix(BOM).filter(|_| self.offset == self.line) {
            reader.part.issue(IssueKind::ByteOrderMark, self.offset, BOM.len() as u64, 1);
            self.offset += BOM.len() as u64;
            self.bytes = rest;
            self.whole_line = false;
        }
        let bytes = self.bytes;
        let mut at = 0;
        let mut pieces = 0;
        while at < bytes.len() {
            if is_space(bytes[at]) {
                reader.part.rows.blank_bytes += 1;
                at += 1;
                continue;
            }
            let rest = &bytes[at..];
            let here = self.offset + at as u64;
            let first = self.whole_line && pieces == 0;
            // Of the values that are no objects only one that ends its line is more than debris, and of those between
            // NULs none but a record.
            let ends_line = |len| !between_nuls && is_blank(&rest[len..]);
            let is_record = |len| bytes[at] == b'{' && (pieces > 0 || !goes_on_as_part(&rest[len..]));
            let whole = self.whole(at).filter(|&len| is_record(len) || ends_line(len));
            if let Some(len) = whole {
                match piece(reader, &rest[..len], here, first && is_blank(&rest[len..])) {
                    Ok(Outcome::Entry) if pieces == 0 => {}
                    Ok(Outcome::Entry) => reader.part.issue(IssueKind::Spliced, here, len as u64, 1),
                    Ok(Outcome::NoRecord) => {
                        let kind = if between_nuls { IssueKind::Damaged } else { IssueKind::NoRecord };
                        reader.part.lost(self.line, kind, here, len as u64);
                    }
                    // Whatever looks like a record in it is a part of it.
                    Err(kind) => reader.part.lost(self.line, kind, here, len as u64),
                }
                at += len;
            } else {
                let start = at;
                at = self.next_record(at + 1).unwrap_or(bytes.len());
                let end =
                    bytes[..at].iter().rposition(|byte| !is_space(*byte)).map_or(start + 1, |last| last + 1);
                let torn = self.open_end && at == bytes.len();
                let kind = if torn { IssueKind::TornTail } else { IssueKind::Damaged };
                reader.part.lost(self.line, kind, here, (end - start) as u64);
                reader.part.rows.blank_bytes += (at - end) as u64;
            }
            pieces += 1;
        }
    }

    /// Where the next whole record starts, from `from` on.
    ///
    /// A brace inside a cut record may open one of its own parts rather than the next record, and a part may
    /// be a whole record itself, in a tool's input or result. So a candidate has to look like a record, and one
    /// that stands where a value may stand, or behind bytes of no text, must not go on as a part does.
    fn next_record(&mut self, from: usize) -> Option<usize> {
        let bytes = self.bytes;
        let Marks { kind, id } = *self.marks.get_or_insert_with(|| Marks::of(bytes));
        for at in memchr::memmem::find_iter(&bytes[from..], b"{\"").map(|found| from + found) {
            if at >= kind || at >= id {
                return None;
            }
            if let Some(len) = self.whole(at)
                && !self.is_part(at, len)
            {
                return Some(at);
            }
            if self.budget == 0 {
                return None;
            }
        }
        None
    }

    /// Whether the value is rather a part of the cut record before it.
    fn is_part(&self, at: usize, len: usize) -> bool {
        let (value, rest) = self.bytes[at..].split_at(len);
        match self.bytes[..at].iter().rfind(|byte| !is_space(**byte)) {
            Some(b':' | b',' | b'[' | ..0x20) if goes_on_as_part(rest) => true,
            Some(b':' | b',' | b'[') => {
                let Marks { kind, id } = Marks::of(value);
                // The file may have been cut right here; a record that follows a cut one was written with its end.
                kind == 0 || id == 0 || (self.open_end && is_blank(rest))
            }
            _ => false,
        }
    }

    /// Length of the JSON value that starts at `at`; `None` as well where enough was looked at.
    fn whole(&mut self, at: usize) -> Option<usize> {
        if self.budget == 0 {
            return None;
        }
        let whole = whole_value(&self.bytes[at..]);
        let (Ok(looked_at) | Err(looked_at)) = whole;
        self.budget = self.budget.saturating_sub(looked_at);
        whole.ok()
    }
}

impl Marks {
    fn of(bytes: &[u8]) -> Self {
        let last = |key: &[u8]| memchr::memmem::rfind(bytes, key).unwrap_or(0);
        let ids: [&[u8]; 4] = [b"\"sessionId\"", b"\"uuid\"", b"\"leafUuid\"", b"\"messageId\""];
        Self { kind: last(b"\"type\""), id: ids.into_iter().map(last).max().unwrap_or(0) }
    }
}

/// Reads one JSON value with whatever repairs it needs. One that stands `alone` on its line and only holds what
/// `scan` finds odd is not a repaired one.
///
/// # Errors
/// What to report where it cannot be read after all.
fn piece(reader: &mut Reader, bytes: &[u8], offset: u64, alone: bool) -> Result<Outcome, IssueKind> {
    match reader.fast(bytes, offset, !alone) {
        Ok(outcome) => return Ok(outcome),
        Err(Refused::TooMany) => return Err(IssueKind::Oversized),
        Err(Refused::Odd) => {}
    }
    let mut fixed = repair::value(bytes);
    if fixed.nodes > MOST_NODES {
        return Err(IssueKind::Oversized);
    }
    let repaired = !alone || fixed.ill_formed > 0 || fixed.surrogates > 0;
    let outcome = reader.slow(&mut fixed.bytes, offset, bytes.len(), repaired);
    let outcome = outcome.map_err(|_| IssueKind::Damaged)?;
    for (kind, count) in
        [(IssueKind::InvalidUtf8, fixed.ill_formed), (IssueKind::LoneSurrogate, fixed.surrogates)]
    {
        if count > 0 && outcome == Outcome::Entry {
            reader.part.issue(kind, offset, bytes.len() as u64, count);
        }
    }
    Ok(outcome)
}

/// Whether what follows a value goes on with the record that the value is a part of. Where the bytes before it are lost,
/// nothing else tells the two apart.
fn goes_on_as_part(rest: &[u8]) -> bool {
    matches!(rest.iter().find(|byte| !is_space(**byte)), Some(b',' | b'}' | b']'))
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_space(*byte))
}

/// Length of the JSON value at the start of `bytes`, or how many bytes had to be looked at to see that there
/// is none. Does not recurse and does not judge UTF-8.
fn whole_value(bytes: &[u8]) -> Result<usize, usize> {
    let mut values = Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(values.byte_offset()),
        // A line has no newline in it, so the column is the place.
        Some(Err(error)) => Err(error.column().max(1)),
        None => Err(1),
    }
}
