//! Queries that come with the tool, one file each in `queries/`.

/// A query with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedQuery {
    /// Stem of its file.
    pub name: &'static str,
    /// The file: a comment header and one statement.
    pub sql: &'static str,
}

/// Every query of `queries/`, by name.
pub const NAMED: &[NamedQuery] =
    &[NamedQuery { name: "cache-by-day", sql: include_str!("../../queries/cache-by-day.sql") }];

/// The query of that name, or the name nearest to it.
///
/// # Errors
/// The nearest name, where one is near.
pub fn find(name: &str) -> Result<&'static NamedQuery, Option<&'static str>> {
    let found = NAMED.iter().find(|query| query.name == name);
    found.ok_or_else(|| super::sql::nearest(name, NAMED.iter().map(|query| query.name)))
}

/// What the comment at the top of a query says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header<'a> {
    /// What it answers, one sentence.
    pub question: &'a str,
    /// Columns of the result with their meaning, in order.
    pub columns: Vec<(&'a str, &'a str)>,
    /// A command line.
    pub example: &'a str,
}

impl NamedQuery {
    /// Reads the header: the question, then `Columns:` with a line `name: meaning` for each, then `Example:`.
    #[must_use]
    pub fn header(&self) -> Header<'static> {
        let mut header = Header::default();
        for line in self.sql.lines().map_while(|line| line.strip_prefix("--")) {
            let text = line.trim();
            if let Some(example) = text.strip_prefix("Example:") {
                header.example = example.trim();
            } else if line.starts_with("   ")
                && let Some((name, meaning)) = text.split_once(':')
            {
                header.columns.push((name, meaning.trim()));
            } else if header.question.is_empty() {
                header.question = text;
            }
        }
        header
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_complete() {
        for query in NAMED {
            let header = query.header();
            assert!(header.question.ends_with('?'), "{}: no question", query.name);
            assert!(header.question.len() <= 80, "{}: a long question", query.name);
            assert!(!header.columns.is_empty(), "{}: no columns", query.name);
            let command = format!("ccaudit query {}", query.name);
            assert!(header.example.starts_with(&command), "{}: no example", query.name);
        }
    }

    #[test]
    fn near_names_are_found() {
        assert_eq!(find("cache-by-day").map(|query| query.name), Ok("cache-by-day"));
        assert_eq!(find("cache-by-dya"), Err(Some("cache-by-day")));
        assert_eq!(find("zzz"), Err(None));
    }
}
