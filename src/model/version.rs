//! Versions of clients.

/// The order of versions: by number, so that 2.1.87 comes before 2.1.247; by text where a part is no number.
#[must_use]
pub fn version_order(version: &str) -> Vec<(u64, &str)> {
    let part = |part| {
        let text = str::trim_start_matches(part, |c: char| c.is_ascii_digit());
        (part[..part.len() - text.len()].parse().unwrap_or(0), text)
    };
    version.split('.').map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_numbers() {
        let sorted =
            ["", "dev", "1.0", "1.0.128", "2.1.9", "2.1.87", "2.1.87-beta", "2.1.247", "2.10.0", "10.0.0"];
        let mut versions = sorted;
        versions.reverse();
        versions.sort_by_key(|version| version_order(version));
        assert_eq!(versions, sorted);
    }
}
