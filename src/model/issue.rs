//! What could not be read as it stands.

/// Why bytes of a transcript are not, or not plainly, an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IssueKind {
    /// Bytes that are no JSON and hold no whole record.
    Damaged,
    /// A line too long to be read whole, or a value with too many others in it.
    Oversized,
    /// The last line stops in the middle and has no newline.
    TornTail,
    /// A run of NUL bytes.
    NulRun,
    /// JSON, but no object with a `type`.
    NoRecord,
    /// The whole file is something else than JSON Lines.
    NotJsonLines,
    /// A whole record that did not have its line to itself; the entry counts.
    Spliced,
    /// Bytes that are no UTF-8; the entry counts, with replacement characters.
    InvalidUtf8,
    /// `\uD800`-style escapes without their other half; the entry counts.
    LoneSurrogate,
    /// A byte order mark; the entry counts.
    ByteOrderMark,
}

impl IssueKind {
    /// True where the bytes of the issue belong to no entry.
    #[must_use]
    pub const fn owns_bytes(self) -> bool {
        matches!(
            self,
            Self::Damaged
                | Self::Oversized
                | Self::TornTail
                | Self::NulRun
                | Self::NoRecord
                | Self::NotJsonLines
                | Self::ByteOrderMark
        )
    }

    /// True where information is lost: a line, or part of one, gave no entry.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Damaged | Self::Oversized | Self::TornTail | Self::NulRun | Self::NotJsonLines)
    }
}

/// One issue of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Issue {
    pub offset: u64,
    pub len: u64,
    pub kind: IssueKind,
    /// How many: surrogates, ill-formed sequences, or pieces of a line that follow each other and belong to no entry.
    pub count: u32,
}
