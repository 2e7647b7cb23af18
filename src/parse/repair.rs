//! What JavaScript reads and `simd` refuses or misreads, made acceptable without a change of meaning: bytes that are
//! no UTF-8, half surrogates, long numbers.

/// A repaired copy and what had to be done.
pub(super) struct Repaired {
    pub(super) bytes: Vec<u8>,
    /// Ill-formed UTF-8 sequences, each replaced by U+FFFD.
    pub(super) ill_formed: u32,
    /// Surrogate escapes without their other half, each replaced by U+FFFD.
    pub(super) surrogates: u32,
    /// Values and keys, or a few more.
    pub(super) nodes: usize,
}

/// Repairs one JSON value.
pub(super) fn value(bytes: &[u8]) -> Repaired {
    let (bytes, ill_formed) = well_formed(bytes);
    let mut repaired =
        Repaired { bytes: Vec::with_capacity(bytes.len() + 2), ill_formed, surrogates: 0, nodes: 1 };
    let mut rest = bytes.as_slice();
    let mut in_string = false;
    while let [first, ..] = rest {
        let taken = match first {
            b'\\' if in_string => repaired.escape(rest),
            b'"' => {
                in_string = !in_string;
                repaired.copy(&rest[..1])
            }
            b'0'..=b'9' if !in_string => repaired.number(rest),
            // Behind each of these a value or a key may stand, and nowhere else but at the start.
            b'[' | b'{' | b',' | b':' if !in_string => {
                repaired.nodes += 1;
                repaired.copy(&rest[..1])
            }
            _ => repaired.copy(&rest[..1]),
        };
        rest = &rest[taken..];
    }
    repaired
}

/// A copy with U+FFFD for every ill-formed sequence, and their number.
fn well_formed(bytes: &[u8]) -> (Vec<u8>, u32) {
    let mut copy = Vec::with_capacity(bytes.len());
    let mut count = 0;
    for chunk in bytes.utf8_chunks() {
        copy.extend_from_slice(chunk.valid().as_bytes());
        if !chunk.invalid().is_empty() {
            copy.extend_from_slice("\u{FFFD}".as_bytes());
            count += 1;
        }
    }
    (copy, count)
}

impl Repaired {
    fn copy(&mut self, bytes: &[u8]) -> usize {
        self.bytes.extend_from_slice(bytes);
        bytes.len()
    }

    /// An escape sequence at the start of `rest`; returns the bytes it takes.
    fn escape(&mut self, rest: &[u8]) -> usize {
        match unit(rest) {
            Some(0xD800..=0xDBFF) if matches!(unit(&rest[6..]), Some(0xDC00..=0xDFFF)) => {
                self.copy(&rest[..12])
            }
            Some(0xD800..=0xDFFF) => {
                self.surrogates += 1;
                self.bytes.extend_from_slice(b"\\ufffd");
                6
            }
            _ => self.copy(&rest[..rest.len().min(2)]),
        }
    }

    /// A number at the start of `rest`, its sign already copied. What is no 64-bit integer is written as the
    /// nearest float, as other readers take it: simd-json refuses long integers and misreads long exponents.
    fn number(&mut self, rest: &[u8]) -> usize {
        let len = rest
            .iter()
            .take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
            .count();
        let negative = self.bytes.last() == Some(&b'-');
        let float = std::str::from_utf8(&rest[..len])
            .ok()
            .filter(|digits| !is_integer(digits, negative))
            .and_then(|digits| digits.parse::<f64>().ok());
        match float {
            // Refused, unlike some of the longer ways to write it.
            Some(float) if float.is_infinite() => self.bytes.extend_from_slice(b"1e999"),
            Some(float) => self.bytes.extend_from_slice(format!("{float:e}").as_bytes()),
            None => self.bytes.extend_from_slice(&rest[..len]),
        }
        len
    }
}

fn is_integer(digits: &str, negative: bool) -> bool {
    const MOST_NEGATIVE: u64 = 1 << 63;
    digits.parse::<u64>().is_ok_and(|n| !negative || n <= MOST_NEGATIVE)
}

/// The code unit of a `\uXXXX` at the start of `rest`.
fn unit(rest: &[u8]) -> Option<u32> {
    let hex = rest.strip_prefix(b"\\u")?.get(..4)?;
    hex.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(input: &[u8]) -> (String, u32, u32) {
        let repaired = value(input);
        (String::from_utf8(repaired.bytes).unwrap(), repaired.ill_formed, repaired.surrogates)
    }

    #[test]
    fn only_lone_surrogates_are_replaced() {
        let input = br#""x \ud99c y \udc00 z \ud83d\ude00 \\ud83d ok \ud83d""#;
        let expected = r#""x \ufffd y \ufffd z \ud83d\ude00 \\ud83d ok \ufffd""#;
        assert_eq!(text(input), (expected.to_owned(), 0, 3));
    }

    #[test]
    fn bytes_that_are_no_text() {
        assert_eq!(text(b"\"a\xFFb\xE6\x97\""), ("\"a\u{FFFD}b\u{FFFD}\"".to_owned(), 2, 0));
    }

    #[test]
    fn what_is_no_integer_of_64_bits_becomes_a_float() {
        for (number, expected) in [
            ("123456789012345678901", "1.2345678901234568e20"),
            ("-99999999999999999999", "-1e20"),
            ("9999999999999999999", "9999999999999999999"),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("-9223372036854775809", "-9.223372036854776e18"),
            ("0e99999999999999999999", "0e0"),
            ("1.5", "1.5e0"),
            ("1e400", "1e999"),
            ("\"99999999999999999999\"", "\"99999999999999999999\""),
        ] {
            assert_eq!(text(number.as_bytes()).0, expected);
        }
    }
}
