//! Bytes → rows. Total: every stretch of bytes becomes an entry, an issue or blank space.
//!
//! [`Reader`] is the one way in. Lines go through `scan`; the few that it refuses go to `recover`, which finds
//! out what can be saved and reads it through simd-json.

mod block;
mod canonical;
mod content;
mod fields;
mod join;
mod part;
mod recover;
mod repair;
mod scan;
mod simd;
mod tape;
mod text;
mod time;

pub use canonical::usage as canonical_usage;
pub use join::{Whole, remap};
pub use part::Part;

use crate::model::IssueKind;
use fields::Outcome;

/// Room for the nodes of a record with more of them is given back after it.
const KEEP: usize = 1 << 16;

/// A line with more values and keys than this is not read: each takes 40 bytes of memory and may be one byte of the
/// file. Records have hundreds.
const MOST_NODES: usize = 1 << 22;

/// Reads the lines of one stretch of a file.
#[derive(Default)]
pub struct Reader {
    nodes: Vec<tape::Node<'static>>,
    open: Vec<scan::Open>,
    part: Part,
}

/// Why bytes were not read; nothing was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    /// They are not one JSON value, or an odd one.
    Odd,
    /// They begin with more than [`MOST_NODES`] values and keys.
    TooMany,
}

impl Reader {
    /// Reads one line without its newline, `offset` bytes into the file. `terminated` says whether a newline
    /// follows.
    pub fn line(&mut self, line: &[u8], offset: u64, terminated: bool) {
        let end = line.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
        let start = line[..end].iter().position(|byte| !is_space(*byte)).unwrap_or(end);
        if start < end {
            let here = offset + start as u64;
            match self.fast(&line[start..end], here, false) {
                Ok(Outcome::Entry) => {}
                Ok(Outcome::NoRecord) => {
                    self.part.issue(IssueKind::NoRecord, here, (end - start) as u64, 1);
                }
                Err(Refused::Odd) => {
                    self.part.rows.slow_lines += 1;
                    return recover::line(self, line, offset, terminated);
                }
                Err(Refused::TooMany) => self.oversized(here, (end - start) as u64),
            }
        }
        self.part.rows.blank_bytes += (line.len() - (end - start)) as u64;
    }

    /// Counts bytes of newlines.
    pub fn newline(&mut self) {
        self.part.rows.blank_bytes += 1;
    }

    /// Reports a line that was too long to be handed over, or holds too much.
    pub fn oversized(&mut self, offset: u64, len: u64) {
        self.part.issue(IssueKind::Oversized, offset, len, 1);
    }

    /// What was read so far; the reader starts anew.
    pub fn take(&mut self) -> Part {
        let mut part = std::mem::take(&mut self.part);
        part.freeze();
        part
    }

    /// Reads one plain JSON value that fills `bytes`.
    fn fast(&mut self, bytes: &[u8], offset: u64, repaired: bool) -> Result<Outcome, Refused> {
        let line = simdutf8::basic::from_utf8(bytes).map_err(|_| Refused::Odd)?;
        let mut nodes = recycle(std::mem::take(&mut self.nodes));
        let read = scan::value(line, &mut nodes, &mut self.open);
        let read = read.map(|()| self.record(&nodes, offset, bytes.len(), repaired));
        self.keep(nodes);
        if self.open.capacity() > KEEP {
            self.open = Vec::new();
        }
        read
    }

    /// Reads a repaired copy of the JSON value that takes `len` bytes of the file.
    fn slow(
        &mut self,
        bytes: &mut [u8],
        offset: u64,
        len: usize,
        repaired: bool,
    ) -> Result<Outcome, Refused> {
        let mut nodes = recycle(std::mem::take(&mut self.nodes));
        let read = simd::value(bytes, &mut nodes);
        let read = read.map(|()| self.record(&nodes, offset, len, repaired));
        self.keep(nodes);
        read
    }

    fn record(&mut self, nodes: &[tape::Node<'_>], offset: u64, len: usize, repaired: bool) -> Outcome {
        let small = u32::try_from(len).unwrap_or(u32::MAX);
        fields::record(tape::Value::root(nodes), offset, small, repaired, &mut self.part)
    }

    fn keep(&mut self, nodes: Vec<tape::Node<'_>>) {
        if nodes.len() <= KEEP {
            self.nodes = recycle(nodes);
        }
    }
}

/// The same allocation for nodes of another line.
fn recycle<'new>(mut nodes: Vec<tape::Node<'_>>) -> Vec<tape::Node<'new>> {
    nodes.clear();
    // Nothing is mapped: the collection keeps the room of an empty vector of the same layout.
    nodes.into_iter().map(|_| tape::Node::Null).collect()
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

#[cfg(test)]
mod tests {
    use std::mem::size_of;

    use super::*;

    fn read(line: &[u8], terminated: bool) -> (Part, Reader) {
        let mut reader = Reader::default();
        reader.line(line, 10, terminated);
        (reader.take(), reader)
    }

    fn issues(part: &Part) -> Vec<(IssueKind, u64, u64)> {
        part.rows.issues.iter().map(|issue| (issue.kind, issue.offset, issue.len)).collect()
    }

    #[test]
    fn a_line_costs_no_more_than_its_limit() {
        assert!(MOST_NODES * (size_of::<tape::Node<'_>>() + size_of::<scan::Open>()) <= 160 << 20);
        const LEN: usize = 20 << 20;
        let wide = |item: &str| format!("[{}0]", item.repeat(LEN / item.len()));
        let lines = [
            "[".repeat(LEN),
            "[".repeat(LEN / 2) + &"]".repeat(LEN / 2),
            "{\"a\":".repeat(LEN / 5),
            wide("0,"),
            wide("[],"),
            wide("{\"a\":0},"),
        ];
        for line in lines {
            let (part, reader) = read(format!(" {line}\t").as_bytes(), true);
            assert_eq!(issues(&part), [(IssueKind::Oversized, 11, line.len() as u64)]);
            assert_eq!((part.rows.blank_bytes, part.rows.entries.len()), (2, 0));
            assert!(reader.nodes.capacity() <= 2 * KEEP && reader.open.capacity() <= KEEP);
        }
    }

    /// The limit counts values and keys, not bytes; what needs repairs has the same one.
    #[test]
    fn the_limit_is_that_of_both_readers() {
        // The record, three keys and their values, and the last zero.
        let record = |tail: &str, more: usize| {
            let zeros = "0,".repeat(MOST_NODES - 8 + more);
            format!("{{\"type\":\"user\",\"x\":[{zeros}0],\"y\":{tail}}}")
        };
        let long = format!("\"{}\"", "[,:{\\\"".repeat(MOST_NODES / 4));
        for tail in ["\"\"", &long, "\"\\ud800\"", "1e5"] {
            let line = record(tail, 0);
            let (part, _) = read(line.as_bytes(), true);
            assert_eq!(part.rows.entries.len(), 1, "{}", &tail[..2]);
            let line = record(tail, 1);
            let (part, _) = read(line.as_bytes(), true);
            assert_eq!(issues(&part), [(IssueKind::Oversized, 10, line.len() as u64)]);
        }
        // One that only the slow reader gets to see, behind another record.
        let plain = "{\"type\":\"user\",\"uuid\":\"u\"}";
        for more in [0, 2] {
            let second = record("0", more);
            let (part, _) = read(format!("{plain}{second}").as_bytes(), true);
            let (at, len) = (10 + plain.len() as u64, second.len() as u64);
            let kind = if more == 0 { IssueKind::Spliced } else { IssueKind::Oversized };
            assert_eq!(issues(&part), [(kind, at, len)]);
        }
    }
}
