//! What the tables hold: feeds the builder, `query --schema` and the documentation.

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Text,
    /// 64 bits with a sign, in tables; results can be wider.
    Integer,
    Float,
    Boolean,
    /// A result that is null in every row and was given no type.
    Null,
}

impl Type {
    /// Stable name for machine formats.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Boolean => "boolean",
            Self::Null => "null",
        }
    }
}

/// One column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub ty: Type,
    /// What one means; empty for words, flags and plain counts.
    pub unit: &'static str,
    pub meaning: &'static str,
}

/// One table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    pub meaning: &'static str,
    pub columns: &'static [Column],
}

/// Every table, in the order in which they are listed.
pub const TABLES: &[Table] = &[Table {
    name: "responses",
    meaning: "one row per response in scope, advisor calls included",
    columns: &RESPONSES,
}];

const fn text(name: &'static str, meaning: &'static str) -> Column {
    Column { name, ty: Type::Text, unit: "", meaning }
}

const fn integer(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, ty: Type::Integer, unit, meaning }
}

const fn boolean(name: &'static str, meaning: &'static str) -> Column {
    Column { name, ty: Type::Boolean, unit: "", meaning }
}

pub(super) const RESPONSES: [Column; 26] = [
    text("id", "message.id, else the request id; null without both"),
    text("session", "session that owns the response"),
    text("project", "most frequent working directory of the store, or its name"),
    text("store", "folder below projects/"),
    text("file", "transcript that owns the response, below its root"),
    text("agent", "agent whose transcript it is; null for the main thread"),
    text("model", "model that answered"),
    text("version", "client version of the counted entry"),
    integer("start_ms", "ms", "earliest time of its entries, since 1970 UTC, or null"),
    integer("end_ms", "ms", "latest time of its entries, since 1970 UTC, or null"),
    text("day", "day of the start in the zone of the run; null when unknown"),
    integer("input", "tokens", "prompt neither read from the cache nor written to it"),
    integer("write_5m", "tokens", "cache writes with a time to live of 5 minutes"),
    integer("write_1h", "tokens", "cache writes with a time to live of 1 hour"),
    integer("write_unsplit", "tokens", "cache writes without a recorded time to live"),
    integer("read", "tokens", "prompt read from the cache"),
    integer("output", "tokens", "answer, thinking included"),
    integer("searches", "", "web searches"),
    integer("entries", "", "entries with usage folded into it, copies included"),
    integer("inherited_entries", "", "those of them in transcripts of other owners"),
    boolean("lower_bound", "output is at least the number given"),
    boolean("conflicting", "its entries disagree in a prompt-side field"),
    boolean("split_mismatch", "5m + 1h writes differ from the flat count"),
    boolean("advisor", "an advisor call billed inside another response"),
    boolean("priced", "the price table has its model"),
    integer("cost_pico_usd", "pico-USD", "list price; null where unpriced"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_said_once() {
        for table in TABLES {
            let mut names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
            for name in &names {
                assert!(
                    name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_'),
                    "{name}"
                );
            }
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.columns.len(), "{}", table.name);
            for column in table.columns {
                assert!(!column.meaning.is_empty() && !column.meaning.ends_with('.'), "{}", column.name);
                assert!(column.meaning.len() <= 60, "{}: does not fit beside its name", column.name);
                assert_eq!(column.name.ends_with("_pico_usd"), column.unit == "pico-USD", "{}", column.name);
            }
        }
    }
}
