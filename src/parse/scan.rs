//! One JSON value → nodes, in one pass over its bytes: the fast reader.
//!
//! It takes nothing but JSON, and all of it but what is odd: keys with escapes, half surrogates, tabs between
//! tokens.
//! Strings are passed over in wide steps and not unescaped; what they amount to is noted on the way.

use super::block::{BLOCK, Blocks, Look, Work, best};
use super::tape::{Node, Text};
use super::{MOST_NODES, Refused};

/// Fills `nodes` with the value that takes all of `line`.
///
/// # Errors
/// [`Refused`] where the line is no JSON value, an odd one, or too many of them.
pub(super) fn value<'i>(
    line: &'i str,
    nodes: &mut Vec<Node<'i>>,
    open: &mut Vec<Open>,
) -> Result<(), Refused> {
    nodes.clear();
    open.clear();
    best(Document { line, nodes, open })
}

/// All of a line, to be read in the best way of the processor.
struct Document<'s, 'i> {
    line: &'i str,
    nodes: &'s mut Vec<Node<'i>>,
    open: &'s mut Vec<Open>,
}

impl Work for Document<'_, '_> {
    type Out = Result<(), Refused>;

    #[inline(always)]
    fn run(self, look: impl Look) -> Self::Out {
        let Self { line, nodes, open } = self;
        let mut scan = Scan { line, bytes: line.as_bytes(), at: 0, blocks: Blocks::new(look), nodes, open };
        scan.document()?;
        if scan.peek().is_some() { Err(Refused::Odd) } else { Ok(()) }
    }
}

/// A container that is not closed yet.
#[derive(Clone, Copy)]
pub(super) struct Open {
    /// Its node's number twice, and one more for an object: there may be very many of these.
    at: u32,
    len: u32,
}

const _: () = assert!(MOST_NODES <= 1 << 31, "node numbers are kept in 31 bits");

impl Open {
    /// `node` is below [`MOST_NODES`].
    fn new(node: usize, is_object: bool) -> Self {
        Self { at: u32::try_from(node).unwrap_or_default() << 1 | u32::from(is_object), len: 0 }
    }

    const fn node(self) -> usize {
        (self.at >> 1) as usize
    }

    const fn is_object(self) -> bool {
        self.at & 1 == 1
    }
}

/// The `\uXXXX` of a string so far.
#[derive(Default)]
struct Units {
    count: u32,
    /// ASCII characters that they take beyond those they stand for.
    less: u32,
    /// Where the last one ended.
    read: usize,
}

struct Scan<'s, 'i, L> {
    line: &'i str,
    bytes: &'i [u8],
    at: usize,
    blocks: Blocks<L>,
    nodes: &'s mut Vec<Node<'i>>,
    open: &'s mut Vec<Open>,
}

impl<'i, L: Look> Scan<'_, 'i, L> {
    /// A value with everything in it. Does not recurse, so nesting costs memory and no stack.
    #[inline(always)]
    fn document(&mut self) -> Result<(), Refused> {
        loop {
            if self.value()? {
                // A container was opened; an empty one is closed at once.
                let is_object = self.open.last().is_some_and(|open| open.is_object());
                let close = if is_object { b'}' } else { b']' };
                if self.peek() == Some(close) {
                    self.at += 1;
                    self.close();
                } else {
                    self.next_item(is_object)?;
                    continue;
                }
            }
            // A value has ended: go on in its container.
            loop {
                let Some(open) = self.open.last() else { return Ok(()) };
                let is_object = open.is_object();
                match self.next().ok_or(Refused::Odd)? {
                    b',' => {
                        self.next_item(is_object)?;
                        break;
                    }
                    b'}' if is_object => self.close(),
                    b']' if !is_object => self.close(),
                    _ => return Err(Refused::Odd),
                }
            }
        }
    }

    /// Counts an item of the innermost container and reads its key, if it has one.
    #[inline(always)]
    fn next_item(&mut self, is_object: bool) -> Result<(), Refused> {
        if let Some(open) = self.open.last_mut() {
            open.len += 1;
        }
        if is_object {
            if self.next() != Some(b'"') {
                return Err(Refused::Odd);
            }
            let key = self.string()?;
            if key.is_escaped {
                return Err(Refused::Odd);
            }
            self.push(Node::Str(key))?;
            if self.next() != Some(b':') {
                return Err(Refused::Odd);
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let span = self.nodes.len() - open.node();
        self.nodes[open.node()] =
            if open.is_object() { Node::Object { len: open.len, span } } else { Node::Array { span } };
    }

    /// A scalar, or the start of a container, which gives true.
    #[inline(always)]
    fn value(&mut self) -> Result<bool, Refused> {
        let first = self.next().ok_or(Refused::Odd)?;
        let node = match first {
            b'"' => Node::Str(self.string()?),
            b'{' | b'[' => {
                let is_object = first == b'{';
                let open = Open::new(self.nodes.len(), is_object);
                self.push(Node::Null)?;
                self.open.push(open);
                return Ok(true);
            }
            b't' => self.word("rue", Node::Bool(true))?,
            b'f' => self.word("alse", Node::Bool(false))?,
            b'n' => self.word("ull", Node::Null)?,
            b'-' | b'0'..=b'9' => self.number(self.at - 1)?,
            _ => return Err(Refused::Odd),
        };
        self.push(node)?;
        Ok(false)
    }

    #[inline]
    fn push(&mut self, node: Node<'i>) -> Result<(), Refused> {
        if self.nodes.len() == MOST_NODES {
            return Err(Refused::TooMany);
        }
        self.nodes.push(node);
        Ok(())
    }

    fn word(&mut self, rest: &str, node: Node<'i>) -> Result<Node<'i>, Refused> {
        if self.bytes[self.at..].starts_with(rest.as_bytes()) {
            self.at += rest.len();
            Ok(node)
        } else {
            Err(Refused::Odd)
        }
    }

    /// The number that starts at `start`, one byte before here.
    fn number(&mut self, start: usize) -> Result<Node<'i>, Refused> {
        self.at = start;
        let negative = self.take(b'-');
        let whole = self.digits();
        if whole.is_empty() || (whole.len() > 1 && whole[0] == b'0') {
            return Err(Refused::Odd);
        }
        let mut is_integer = true;
        if self.take(b'.') {
            is_integer = false;
            if self.digits().is_empty() {
                return Err(Refused::Odd);
            }
        }
        if self.take(b'e') || self.take(b'E') {
            is_integer = false;
            let _sign = self.take(b'-') || self.take(b'+');
            if self.digits().is_empty() {
                return Err(Refused::Odd);
            }
        }
        if is_integer && !negative && whole.len() <= 19 {
            return Ok(Node::U64(whole.iter().fold(0, |n, digit| n * 10 + u64::from(digit - b'0'))));
        }
        let text = &self.line[start..self.at];
        if is_integer {
            let fits =
                if negative { text.parse().map(Node::I64).ok() } else { text.parse().map(Node::U64).ok() };
            // `-0` is a float to other readers.
            return fits.filter(|node| *node != Node::I64(0)).map_or_else(|| float(text), Ok);
        }
        float(text)
    }

    fn digits(&mut self) -> &'i [u8] {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += len;
        &rest[..len]
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// The string whose opening quote was just read.
    #[inline(always)]
    fn string(&mut self) -> Result<Text<'i>, Refused> {
        let start = self.at;
        let mut number = start / BLOCK;
        // Bytes of the first block before the string do not count.
        let mut within = u64::MAX << (start % BLOCK);
        let (mut escapes, mut units, mut units_more) = (0, Units::default(), 0);
        let (mut high, mut wide) = (0, 0);
        loop {
            let block = self.blocks.block(self.bytes, number).ok_or(Refused::Odd)?;
            let stop = block.stop & within;
            // Up to the first stop; all of the block where there is none.
            let inside = within & (stop & stop.wrapping_neg()).wrapping_sub(1);
            if block.escaped & inside != 0 {
                escapes += (block.escaped & inside).count_ones();
                if block.odd & inside != 0 {
                    units_more += self.units(number * BLOCK, block.odd & inside, &mut units)?;
                }
            }
            if block.high & inside != 0 {
                high += (block.high & inside).count_ones();
                wide += (block.lead & inside).count_ones();
            }
            if stop != 0 {
                let end = number * BLOCK + stop.trailing_zeros() as usize;
                if self.bytes[end] != b'"' {
                    return Err(Refused::Odd);
                }
                self.at = end + 1;
                let raw = &self.line[start..end];
                // Each short escape is two characters for one; what units take is known.
                let less = escapes - units.count + units.less;
                // A line is shorter than 2^32 bytes.
                let len = u32::try_from(raw.len()).unwrap_or(u32::MAX);
                return Ok(Text {
                    raw,
                    ascii: len - high - less,
                    wide: wide + units_more,
                    is_escaped: escapes > 0,
                });
            }
            number += 1;
            within = u64::MAX;
        }
    }

    /// Reads the escapes at these bits of a block, which are none of the short ones. Gives how many characters that are
    /// not ASCII they stand for.
    fn units(&mut self, base: usize, mut bits: u64, units: &mut Units) -> Result<u32, Refused> {
        let mut wide = 0;
        while bits != 0 {
            let at = base + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            units.count += 1;
            // The second half of a pair was read with the first.
            if at < units.read {
                continue;
            }
            if self.bytes.get(at) != Some(&b'u') {
                return Err(Refused::Odd);
            }
            self.at = at - 1;
            let (less, more) = self.unit()?;
            units.read = self.at;
            units.less += less;
            wide += more;
        }
        Ok(wide)
    }

    /// A `\uXXXX`, or two of them: how many ASCII characters more they take than they stand for, and how many
    /// other characters they stand for.
    fn unit(&mut self) -> Result<(u32, u32), Refused> {
        let first = hex(self.bytes.get(self.at + 2..self.at + 6))?;
        self.at += 6;
        match first {
            0..0x80 => Ok((5, 0)),
            0xD800..0xDC00 => {
                let low = self.bytes[self.at..].strip_prefix(b"\\u").ok_or(Refused::Odd)?;
                if !(0xDC00..0xE000).contains(&hex(low.get(..4))?) {
                    return Err(Refused::Odd);
                }
                self.at += 6;
                Ok((12, 1))
            }
            0xDC00..0xE000 => Err(Refused::Odd),
            _ => Ok((6, 1)),
        }
    }

    /// The next byte that is no white space.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b' ' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }
}

/// The nearest float; one beyond the largest is no number to other readers.
fn float<'i>(text: &str) -> Result<Node<'i>, Refused> {
    text.parse().ok().filter(|float: &f64| float.is_finite()).map(Node::F64).ok_or(Refused::Odd)
}

fn hex(digits: Option<&[u8]>) -> Result<u32, Refused> {
    let digits = digits.ok_or(Refused::Odd)?;
    digits
        .iter()
        .try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
        .ok_or(Refused::Odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Option<Vec<Node<'_>>> {
        let (mut nodes, mut open) = (Vec::new(), Vec::new());
        value(text, &mut nodes, &mut open).ok().map(|()| nodes)
    }

    #[test]
    fn takes_what_is_json_and_nothing_else() {
        for text in [
            "{}",
            "[]",
            "null",
            "-1",
            "0",
            "1.5e-3",
            "\"\"",
            " [ 1 , {\"a\" : [ ] , \"b\":\"\\u00e9\\ud83d\\ude00\"} ] ",
            "18446744073709551615",
            "-9223372036854775808",
            "99999999999999999999",
            "true",
            "[[[[]]]]",
        ] {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
            assert!(scan(text).is_some(), "{text}");
        }
        for text in [
            "",
            " ",
            "{",
            "}",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{,}",
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "tru",
            "nulls",
            "\"\t\"",
            "\"\\x\"",
            "\"\\",
            "\"\\u",
            "\"\\u12\"",
            "\"\\ud83d\"",
            "\"\\ude00\"",
            "\"\\ud83d\\u0041\"",
            "\"",
            "{\"a\":1 \"b\":2}",
            "[1 2]",
            "{1:2}",
            "1e999",
            "[}",
            "{]",
            "1 2",
        ] {
            assert!(scan(text).is_none(), "{text}");
        }
    }

    #[test]
    fn escapes_are_counted() {
        let nodes = scan("\"a\\n\\u0041\\u00e9\\ud83d\\ude00é\"").unwrap();
        let [Node::Str(text)] = nodes[..] else { panic!("no string") };
        assert_eq!(text.characters(), (3, 3));
        assert_eq!(text.value(), "a\nAé😀é");
    }
}
