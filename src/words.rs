//! Numbers in sentences.

/// A count with thousands separators: `1,080`.
#[must_use]
pub fn count(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things and what is said of it: `1 line is`, `1,080 lines are`.
#[must_use]
pub fn counted(n: impl Into<u128>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_agree() {
        for (n, text) in [
            (0u64, "0 lines are"),
            (1, "1 line is"),
            (2, "2 lines are"),
            (999, "999 lines are"),
            (1_000, "1,000 lines are"),
            (u64::MAX, "18,446,744,073,709,551,615 lines are"),
        ] {
            assert_eq!(counted(n, "line is", "lines are"), text);
        }
    }
}
