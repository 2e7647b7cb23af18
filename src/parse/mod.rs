//! Bytes → rows. Total: every stretch of bytes becomes an entry, an issue or blank space.
//!
//! [`Reader`] is the one way in. Lines go through `scan`; the few that it refuses go to `recover`, which finds
//! out what can be saved and reads it through simd-json.

mod content;
mod fields;
mod part;
mod recover;
mod repair;
mod scan;
mod simd;
mod special;
mod tape;
mod text;
mod time;

pub use part::{Part, remap};

use crate::model::IssueKind;

/// Room for the nodes of a record with more of them is given back after it.
const KEEP: usize = 1 << 16;

/// Reads the lines of one stretch of a file.
#[derive(Default)]
pub struct Reader {
    nodes: Vec<tape::Node<'static>>,
    open: Vec<scan::Open>,
    part: Part,
}

/// These bytes are not one JSON value, or an odd one; nothing was added.
#[derive(Debug, PartialEq, Eq)]
struct Refused;

impl Reader {
    /// Reads one line without its newline, `offset` bytes into the file. `terminated` says whether a newline
    /// follows.
    pub fn line(&mut self, line: &[u8], offset: u64, terminated: bool) {
        let end = line.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
        let start = line[..end].iter().position(|byte| !is_space(*byte)).unwrap_or(end);
        if start < end && self.fast(&line[start..end], offset + start as u64).is_err() {
            self.part.rows.slow_lines += 1;
            return recover::line(self, line, offset, terminated);
        }
        self.part.rows.blank_bytes += (line.len() - (end - start)) as u64;
    }

    /// Counts bytes of newlines.
    pub fn newline(&mut self) {
        self.part.rows.blank_bytes += 1;
    }

    /// Reports a line that was too long to be handed over.
    pub fn oversized(&mut self, offset: u64, len: u64) {
        self.part.issue(IssueKind::Oversized, offset, len, 1);
    }

    /// What was read so far; the reader starts anew.
    pub fn take(&mut self) -> Part {
        std::mem::take(&mut self.part)
    }

    /// Reads one plain JSON value that fills `bytes`.
    fn fast(&mut self, bytes: &[u8], offset: u64) -> Result<(), Refused> {
        let line = simdutf8::basic::from_utf8(bytes).map_err(|_| Refused)?;
        let mut nodes = recycle(std::mem::take(&mut self.nodes));
        let read = scan::value(line, &mut nodes, &mut self.open);
        if read.is_ok() {
            self.record(&nodes, offset, bytes.len(), false);
        }
        self.keep(nodes);
        read
    }

    /// Reads a repaired copy of the JSON value that takes `len` bytes of the file.
    fn slow(&mut self, bytes: &mut [u8], offset: u64, len: usize, repaired: bool) -> Result<(), Refused> {
        let mut nodes = recycle(std::mem::take(&mut self.nodes));
        let read = simd::value(bytes, &mut nodes);
        if read.is_ok() {
            self.record(&nodes, offset, len, repaired);
        }
        self.keep(nodes);
        read
    }

    fn record(&mut self, nodes: &[tape::Node<'_>], offset: u64, len: usize, repaired: bool) {
        let small = u32::try_from(len).unwrap_or(u32::MAX);
        let root = tape::Value::root(nodes);
        if fields::record(root, offset, small, repaired, &mut self.part) == fields::Outcome::NoRecord {
            self.part.issue(IssueKind::NoRecord, offset, len as u64, 1);
        }
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
