//! Tokens of text that nobody measured.
//!
//! No public tokenizer gives the counts of these models, so this is a rule with a stated error, used only
//! where no usage figure covers the text, and always labelled an estimate.

use crate::constants::{ASCII_EIGHTHS, IMAGE_TOKENS, WIDE_TOKENS};

/// Estimated tokens of a text of `ascii` ASCII and `wide` other characters with `images` images: the formula
/// `token-estimate`, whose constants state its error.
#[must_use]
pub const fn tokens(ascii: u64, wide: u64, images: u64) -> u64 {
    (ascii * ASCII_EIGHTHS).div_ceil(8) + wide * WIDE_TOKENS + images * IMAGE_TOKENS
}

/// [`tokens`] of a text.
#[must_use]
pub fn of(text: &str) -> u64 {
    let (ascii, wide) = characters(text);
    tokens(ascii, wide, 0)
}

/// ASCII characters and other characters of a text.
#[must_use]
pub fn characters(text: &str) -> (u64, u64) {
    if text.is_ascii() {
        return (text.len() as u64, 0);
    }
    // Short chunks are counted in single bytes, which the compiler makes vector additions of.
    let ascii: u64 = text
        .as_bytes()
        .chunks(u8::MAX as usize)
        .map(|chunk| u64::from(chunk.iter().map(|byte| u8::from(byte.is_ascii())).sum::<u8>()))
        .sum();
    (ascii, text.chars().count() as u64 - ascii)
}

#[cfg(test)]
mod tests {
    #[test]
    fn three_eighths_for_ascii_and_one_for_the_rest() {
        assert_eq!(super::of(""), 0);
        assert_eq!(super::of("abcdefgh"), 3);
        assert_eq!(super::of("abcdefghi"), 4);
        assert_eq!(super::tokens(8, 2, 1), 2_005);
        assert_eq!(super::of("日本語"), 3);
        assert_eq!(super::characters("aé😀"), (1, 2));
    }
}
