//! Bytes → rows. Total: every stretch of bytes becomes an entry, an issue or blank space.
//!
//! [`Reader`] is the one way in. Lines go through simd-json on a reused tape; the few that it refuses, or that
//! `strict` does not trust it with, go to `recover`, which finds out what can be saved.

mod fields;
mod part;
mod recover;
mod repair;
mod strict;
mod tape;
mod text;
mod time;

use simd_json::{Buffers, Tape};

pub use part::{Part, remap};

use crate::model::IssueKind;

/// What the bytes of a record are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// A line as it stands in the file.
    Line,
    /// A copy of a stretch that is known to be JSON, without anything that the fast reader misreads.
    Piece { repaired: bool },
}

/// Room for the tape of a record longer than this is given back after it.
const KEEP: usize = 8 << 20;

/// Reads the lines of one stretch of a file.
#[derive(Default)]
pub struct Reader {
    buffers: Buffers,
    tape: Vec<simd_json::Node<'static>>,
    part: Part,
}

/// The fast reader refused a line; its bytes may have been changed, so the caller passes the original ones
/// to [`Reader::recover`].
#[derive(Debug, PartialEq, Eq)]
pub struct Refused;

impl Reader {
    /// Reads one line without its newline, `offset` bytes into the file. Changes the bytes.
    ///
    /// # Errors
    /// [`Refused`] where the line is not exactly one JSON value; nothing was added then.
    pub fn line(&mut self, line: &mut [u8], offset: u64) -> Result<(), Refused> {
        let end = line.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
        let start = line[..end].iter().position(|byte| !is_space(*byte)).unwrap_or(end);
        let blank = (line.len() - (end - start)) as u64;
        if start < end {
            self.value(&mut line[start..end], offset + start as u64)?;
        }
        self.part.rows.blank_bytes += blank;
        Ok(())
    }

    /// Reads a line that [`Reader::line`] refused. `terminated` says whether a newline follows it.
    pub fn recover(&mut self, line: &[u8], offset: u64, terminated: bool) {
        self.part.rows.slow_lines += 1;
        recover::line(self, line, offset, terminated);
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

    /// Reads one JSON value that fills `bytes`.
    fn value(&mut self, bytes: &mut [u8], offset: u64) -> Result<(), Refused> {
        let len = bytes.len();
        if strict::is_safe(bytes) { self.read(bytes, offset, len, Origin::Line) } else { Err(Refused) }
    }

    /// Reads a copy, free of what `strict` looks for, of the JSON value that takes `len` bytes of the file.
    fn read(&mut self, bytes: &mut [u8], offset: u64, len: usize, origin: Origin) -> Result<(), Refused> {
        let mut tape = Tape(std::mem::take(&mut self.tape)).reset();
        let parsed = simd_json::fill_tape(bytes, &mut self.buffers, &mut tape).map_err(|_| Refused);
        let before = parsed.is_ok().then(|| {
            let before = strict::has_long_number(&tape.0).then(|| self.part.mark());
            let repaired = origin == Origin::Piece { repaired: true };
            let small = u32::try_from(len).unwrap_or(u32::MAX);
            let root = tape::Value::root(&tape.0);
            if fields::record(root, offset, small, repaired, &mut self.part) == fields::Outcome::NoRecord {
                self.part.issue(IssueKind::NoRecord, offset, len as u64, 1);
            }
            before
        });
        self.tape = tape.reset().0;
        // Only now are the bytes free to be looked at.
        if let Some(Some(before)) = before
            && origin == Origin::Line
            && strict::has_odd_number(bytes)
        {
            self.part.rewind(&before);
            return Err(Refused);
        }
        if len > KEEP {
            self.tape = Vec::new();
            self.buffers = Buffers::default();
        }
        parsed
    }
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}
