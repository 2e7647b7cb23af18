//! Bytes of a file, line by line, through one reused buffer.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Lines longer than this are passed over and reported: a limit on memory, far above any line seen.
pub const LONGEST_LINE: usize = 512 << 20;

/// A buffer larger than this is given back after the line that needed it.
const KEEP: usize = 2 << 20;

/// One line, or what is left of the file after the last newline.
pub enum Line<'a> {
    /// The bytes without the newline, their offset in the file, and whether a newline follows.
    Whole { bytes: &'a mut [u8], offset: u64, terminated: bool },
    /// A line longer than [`LONGEST_LINE`]: its offset, its length and whether a newline follows.
    Oversized { offset: u64, len: u64, terminated: bool },
}

/// Reads the lines that start in `start..end` of a file, in order; the last one may reach beyond `end`.
/// Returns the number of bytes that belong to them, newlines included.
///
/// # Errors
/// What the system says when the file cannot be opened or read.
pub fn lines(
    path: &Path,
    start: u64,
    end: u64,
    block: usize,
    buffer: &mut Vec<u8>,
    mut each: impl FnMut(Line<'_>),
) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut cursor = Cursor { offset: start, filled: 0, ended: false };
    let block = block.clamp(1, LONGEST_LINE);
    buffer.resize(buffer.len().max(block), 0);
    if start > 0 {
        // A line that starts before `start` belongs to the stretch before; it ends at the next newline from
        // the last byte of that stretch on.
        file.seek(SeekFrom::Start(start - 1))?;
        cursor.offset = start - 1;
        loop {
            cursor.fill(&mut file, buffer)?;
            if let Some(newline) = memchr::memchr(b'\n', &buffer[..cursor.filled]) {
                cursor.drop_front(newline + 1, buffer);
                break;
            }
            cursor.drop_front(cursor.filled, buffer);
            // Beyond `end` there is nothing to look for: the line before may be longer than many stretches.
            if cursor.ended || cursor.offset >= end {
                return Ok(0);
            }
        }
    }
    let first = cursor.offset;
    while cursor.offset < end {
        cursor.fill(&mut file, buffer)?;
        if cursor.filled == 0 && cursor.ended {
            break;
        }
        let taken = cursor.whole_lines(end, buffer, &mut each);
        cursor.drop_front(taken, buffer);
        if taken == 0 {
            cursor.long_line(&mut file, buffer, &mut each)?;
        }
    }
    if buffer.len() > KEEP {
        buffer.truncate(block);
        buffer.shrink_to_fit();
    }
    Ok(cursor.offset.saturating_sub(first))
}

/// Bytes of a file by location: an entry's text, read again.
///
/// # Errors
/// What the system says, among others that the file has become shorter.
pub fn bytes(path: &Path, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = vec![0; len];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

struct Cursor {
    /// Offset in the file of the first byte of the buffer.
    offset: u64,
    /// Bytes of the buffer that hold data.
    filled: usize,
    ended: bool,
}

impl Cursor {
    /// Fills the buffer as far as the file goes.
    fn fill(&mut self, file: &mut File, buffer: &mut [u8]) -> io::Result<()> {
        while self.filled < buffer.len() && !self.ended {
            match file.read(&mut buffer[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(n) => self.filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn drop_front(&mut self, n: usize, buffer: &mut [u8]) {
        buffer.copy_within(n..self.filled, 0);
        self.filled -= n;
        self.offset += n as u64;
    }

    /// Hands out the lines that lie in the buffer as a whole; returns the bytes they take.
    fn whole_lines(&self, end: u64, buffer: &mut [u8], each: &mut impl FnMut(Line<'_>)) -> usize {
        let mut at = 0;
        while self.offset + (at as u64) < end {
            let Some(len) = memchr::memchr(b'\n', &buffer[at..self.filled]) else { break };
            let offset = self.offset + at as u64;
            each(Line::Whole { bytes: &mut buffer[at..at + len], offset, terminated: true });
            at += len + 1;
        }
        at
    }

    /// The buffer holds no newline: the line is the last one, or longer than the buffer.
    fn long_line(
        &mut self,
        file: &mut File,
        buffer: &mut Vec<u8>,
        each: &mut impl FnMut(Line<'_>),
    ) -> io::Result<()> {
        if self.ended {
            let offset = self.offset;
            each(Line::Whole { bytes: &mut buffer[..self.filled], offset, terminated: false });
            self.drop_front(self.filled, buffer);
        } else if buffer.len() <= LONGEST_LINE {
            // One byte more than the longest line: its newline. Whatever the block, the limit is the same.
            buffer.resize((buffer.len() * 2).min(LONGEST_LINE + 1), 0);
        } else {
            let offset = self.offset;
            let terminated = loop {
                if let Some(newline) = memchr::memchr(b'\n', &buffer[..self.filled]) {
                    self.drop_front(newline, buffer);
                    break true;
                }
                self.drop_front(self.filled, buffer);
                self.fill(file, buffer)?;
                if self.filled == 0 {
                    break false;
                }
            };
            each(Line::Oversized { offset, len: self.offset - offset, terminated });
            if terminated {
                self.drop_front(1, buffer);
            }
        }
        Ok(())
    }
}
