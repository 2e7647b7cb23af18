//! Where in a tree something was seen.

/// A place in a file of a tree. Ordered by path, then by offset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Path of the file relative to its root, with `/` between the parts.
    pub path: String,
    /// Byte offset of the first byte concerned, where the place is smaller than the file.
    pub offset: Option<u64>,
    /// Number of bytes concerned.
    pub len: Option<u64>,
}

impl Location {
    /// The file as a whole.
    #[must_use]
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), offset: None, len: None }
    }

    /// `len` bytes from `offset` on.
    #[must_use]
    pub fn bytes(path: impl Into<String>, offset: u64, len: u64) -> Self {
        Self { path: path.into(), offset: Some(offset), len: Some(len) }
    }
}
