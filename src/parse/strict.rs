//! What simd-json lets pass although it is no JSON.
//!
//! It takes a NUL after a number for the end of its padding, makes U+0000 of a high surrogate that stands
//! alone, and makes some other character of one that is followed by a `\u` outside the low surrogates: that is
//! looked for before it reads. It does not ask what follows a number of 19 digits or more, and cuts the
//! exponent to 32 bits: that is looked for afterwards, where the tape holds such a number at all.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use simd_json::{Node, StaticNode};

static ESCAPE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\\u"));

/// True where the fast reader can be trusted to take the line only if it is JSON. An escaped backslash
/// before a `u` may give a false alarm, which costs time and nothing else.
pub(super) fn is_safe(line: &[u8]) -> bool {
    memchr::memchr(0, line).is_none() && !ESCAPE.find_iter(line).any(|at| is_half(&line[at..]))
}

/// True for the escape of a high surrogate that no low one follows.
fn is_half(escape: &[u8]) -> bool {
    let is = |at: usize, digits: &[u8]| escape.get(at).is_some_and(|digit| digits.contains(digit));
    let low = || is(6, b"\\") && is(7, b"u") && is(8, b"dD") && is(9, b"cdefCDEF");
    is(2, b"dD") && is(3, b"89abAB") && !low()
}

/// True where a number on the tape may be one of those that were not read to the end.
pub(super) fn has_long_number(tape: &[Node<'_>]) -> bool {
    const NINETEEN_DIGITS: u64 = 1_000_000_000_000_000_000;
    tape.iter().any(|node| match node {
        Node::Static(StaticNode::F64(_)) => true,
        Node::Static(StaticNode::U64(n)) => *n >= NINETEEN_DIGITS,
        Node::Static(StaticNode::I64(n)) => n.unsigned_abs() >= NINETEEN_DIGITS,
        _ => false,
    })
}

/// True where something that is no part of a number may follow a long one, or an exponent is very long.
/// Digits in a string may give a false alarm, also after the reader has unescaped the strings in place.
pub(super) fn has_odd_number(line: &[u8]) -> bool {
    /// The shortest run of digits that matters; each holds a byte that is looked at.
    const RUN: usize = 10;
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let mut at = RUN - 1;
    while let Some(byte) = line.get(at) {
        if is_digit(byte) {
            let start = line[..at].iter().rposition(|byte| !is_digit(byte)).map_or(0, |before| before + 1);
            let end = line[at..].iter().position(|byte| !is_digit(byte)).map_or(line.len(), |len| at + len);
            if is_odd(line, start, end) {
                return true;
            }
            at = end;
        }
        at += RUN;
    }
    false
}

fn is_odd(line: &[u8], start: usize, end: usize) -> bool {
    let before = line[..start].iter().rev().find(|byte| !matches!(byte, b'+' | b'-'));
    let is_exponent = matches!(before, Some(b'e' | b'E'));
    let ends = matches!(line.get(end), None | Some(b',' | b'}' | b']' | b':' | b'"' | b' ' | b'\t' | b'\r'));
    let points = || line[start..end].iter().filter(|byte| **byte == b'.').count();
    (end - start >= 10 && is_exponent) || (end - start >= 19 && (!ends || points() > 1))
}

#[cfg(test)]
mod tests {
    use super::{has_odd_number, is_safe};

    #[test]
    fn halves_and_nuls() {
        for safe in [r#""\ud83d\ude00""#, r#""\u00e9\udc00""#, r#""\n\u001b[0m""#, ""] {
            assert!(is_safe(safe.as_bytes()), "{safe}");
        }
        for odd in [r#""\ud83d""#, r#""\uD83D\u0041""#, r#""\uda00\ue000""#, "[1\0]", r"\uDbff"] {
            assert!(!is_safe(odd.as_bytes()), "{odd}");
        }
    }

    #[test]
    fn long_numbers_and_exponents() {
        for plain in
            ["[1234567890123456789]", "1234567890.123456789", "{\"a\":0.1234567890123456789 }", "1e123456789"]
        {
            assert!(!has_odd_number(plain.as_bytes()), "{plain}");
        }
        for odd in [
            "[1234567890123456789x]",
            "[1234567890.123456789\u{1}2]",
            "1e4294967297",
            "0.1234567890123456789.5",
            "1E-4294967295",
            "[7.0e+0000000001]",
        ] {
            assert!(has_odd_number(odd.as_bytes()), "{odd}");
        }
    }
}
