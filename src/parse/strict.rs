//! What simd-json lets pass although it is no JSON, found before it reads.
//!
//! It takes a NUL after a number for the end of its padding, makes U+0000 of a high surrogate that stands
//! alone, and makes some other character of one that is followed by a `\u` outside the low surrogates.

use std::sync::LazyLock;

use memchr::memmem::Finder;

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

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn halves_and_nuls() {
        for safe in [r#""\ud83d\ude00""#, r#""\u00e9\udc00""#, r#""\n\u001b[0m""#, ""] {
            assert!(is_safe(safe.as_bytes()), "{safe}");
        }
        for odd in [r#""\ud83d""#, r#""\uD83D\u0041""#, r#""\uda00\ue000""#, "[1\0]", r"\uDbff"] {
            assert!(!is_safe(odd.as_bytes()), "{odd}");
        }
    }
}
