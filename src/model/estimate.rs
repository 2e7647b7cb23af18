//! Tokens of text that nobody measured.
//!
//! No public tokenizer gives the counts of these models, so this is a rule with a stated error, used only
//! where no usage figure covers the text, and always labelled an estimate.

/// Tokens that the client reckons with for an image or a document, whatever its size.
pub const IMAGE: u64 = 2_000;

/// Estimated tokens of `ascii` ASCII characters and `wide` other characters: a quarter token for each of the
/// former, one token for each of the latter, rounded up.
#[must_use]
pub const fn tokens(ascii: u64, wide: u64) -> u64 {
    ascii.div_ceil(4) + wide
}

/// [`tokens`] of a text.
#[must_use]
pub fn of(text: &str) -> u64 {
    let (ascii, wide) = characters(text);
    tokens(ascii, wide)
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
    fn a_quarter_for_ascii_and_one_for_the_rest() {
        assert_eq!(super::of(""), 0);
        assert_eq!(super::of("abcd"), 1);
        assert_eq!(super::of("abcde"), 2);
        assert_eq!(super::of("日本語"), 3);
        assert_eq!(super::characters("aé😀"), (1, 2));
    }
}
