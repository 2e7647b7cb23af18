//! Limits of the client on what it keeps and loads.

use super::{Constant, Tier};

/// Days after which transcripts are deleted where `cleanupPeriodDays` is not set. Official documentation.
pub const RETENTION_DEFAULT_DAYS: i64 = 30;
/// Smallest `cleanupPeriodDays` that is accepted. Days; official changelog, since 2.1.89.
pub const RETENTION_MIN_DAYS: i64 = 1;
/// Days before their deletion from which transcripts are reported. Choice of this tool.
pub const RETENTION_SOON_DAYS: i64 = 7;
/// Lines of a memory index that are loaded. Measured.
pub const INDEX_LINES: usize = 200;
/// UTF-16 code units of a memory index that are loaded. Measured.
pub const INDEX_UNITS: usize = 25_000;
/// Size from which the client warns about a CLAUDE.md. Characters; client 2.1.87.
pub const CLAUDE_MD_WARNING_CHARACTERS: usize = 40_000;
/// Longest slug that is used whole. UTF-16 code units; measured.
pub const SLUG_UNITS: usize = 200;
/// Age up to which a transcript counts as still being written. Seconds; choice of this tool.
pub const STILL_WRITTEN_SECONDS: i64 = 600;

pub(super) static STILL_WRITTEN: Constant = Constant {
    id: "still-written",
    value: "600",
    unit: "seconds since the last change",
    source: "choice of this tool: longer than a tool call or an answer usually takes",
    versions: "all",
    tier: Tier::B,
    note: "an unfinished last line of a younger file is a note rather than a warning",
};

pub(super) static RETENTION_DEFAULT: Constant = Constant {
    id: "retention-default",
    value: "30",
    unit: "days",
    source: "official documentation; setting cleanupPeriodDays of 2.1.332",
    versions: "all",
    tier: Tier::A,
    note: "age at which the client deletes a transcript, unless cleanupPeriodDays says otherwise",
};

pub(super) static RETENTION_MIN: Constant = Constant {
    id: "retention-min",
    value: "1",
    unit: "days",
    source: "official changelog of 2.1.89; setting cleanupPeriodDays of 2.1.332",
    versions: "2.1.89 and later; before, 0 turned transcripts off",
    tier: Tier::A,
    note: "a smaller cleanupPeriodDays is rejected",
};

pub(super) static RETENTION_SOON: Constant = Constant {
    id: "retention-soon",
    value: "7",
    unit: "days",
    source: "choice of this tool: one week to raise cleanupPeriodDays",
    versions: "all",
    tier: Tier::B,
    note: "a transcript that the client will delete within so many days is reported",
};

pub(super) static INDEX_LINES_CONSTANT: Constant = Constant {
    id: "index-lines",
    value: "200",
    unit: "lines",
    source: "measured on 2.1.87, 2.1.247 and 2.1.332 (2026-11-30): 200 load, 201 are cut",
    versions: "2.1.87 to 2.1.332 seen; 1.0 has no memory",
    tier: Tier::A,
    note: "lines of MEMORY.md beyond it are not loaded; applied before index-units",
};

pub(super) static INDEX_UNITS_CONSTANT: Constant = Constant {
    id: "index-units",
    value: "25000",
    unit: "UTF-16 code units",
    source: "measured on 2.1.87, 2.1.247 and 2.1.332 (2026-11-30): 25,000 load, 25,001 are cut",
    versions: "2.1.87 to 2.1.332 seen; 1.0 has no memory",
    tier: Tier::A,
    note: "MEMORY.md is cut at the last line end before it; not bytes: 12,000 CJK characters load whole",
};

pub(super) static CLAUDE_MD_WARNING: Constant = Constant {
    id: "claude-md-warning",
    value: "40000",
    unit: "characters",
    source: "client 2.1.87; official changelog of 2.1.169 scales it with the window",
    versions: "2.1.87 to 2.1.168; later clients scale it",
    tier: Tier::B,
    note: "the client warns about a CLAUDE.md above it and loads it all the same",
};

pub(super) static SLUG: Constant = Constant {
    id: "slug-units",
    value: "200",
    unit: "UTF-16 code units",
    source: "measured on 2.1.87, 2.1.247 and 2.1.332 (2026-11-30): 30 of 30 long paths",
    versions: "2.1.87 to 2.1.332 seen; 1.0 neither cuts nor hashes",
    tier: Tier::A,
    note: "a longer slug is cut there and ends in a hash of the path",
};
