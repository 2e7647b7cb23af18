//! API answers: all entries with the same `message.id`, counted once.

use super::{FileId, Sym, Time, Usage};

/// An entry by its file and its row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryRef {
    pub file: FileId,
    pub row: u32,
}

/// Yes-or-no facts of a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponseFlags {
    /// Its output is at least the number given: see the formula `lower-bound-output`.
    pub lower_bound: bool,
    /// Its entries disagree in a prompt-side field.
    pub conflicting: bool,
    /// 5m + 1h writes differ from the flat write count.
    pub split_mismatch: bool,
    /// A count in one of its entries was no plausible number.
    pub implausible: bool,
    /// Served in fast mode.
    pub fast: bool,
    /// Served by US-only inference.
    pub us_only: bool,
    /// Served by the batch service.
    pub batch: bool,
    /// An advisor call billed inside another response.
    pub advisor: bool,
}

/// One API answer, owned by one file, whatever number of entries and copies record it.
#[derive(Clone, Copy, Debug)]
pub struct Response {
    /// `message.id`, else `requestId`; [`Sym::NONE`] where neither stands in the entry.
    pub id: Sym,
    /// The entry whose usage counts.
    pub counted: EntryRef,
    /// The transcript that owns it; other transcripts show it as inherited.
    pub owner: FileId,
    pub model: Sym,
    /// Client version of the counted entry.
    pub version: Sym,
    pub usage: Usage,
    /// Earliest time of its entries in all files.
    pub start: Time,
    /// Latest time of its entries in the owner.
    pub end: Time,
    /// Entries with usage that tell of it, in all files.
    pub entries: u32,
    /// Those of them that lie in other files than the owner.
    pub inherited: u32,
    /// Estimated tokens of the answer's recorded text, over the distinct entries in the owner.
    pub estimate: u32,
    pub flags: ResponseFlags,
}
