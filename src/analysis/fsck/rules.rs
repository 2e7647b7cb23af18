//! Rules about files, bytes and records. What loses data is a warning or an error, what is only odd a note.

use crate::rule::{Level, Rule, Status, Tier};

pub static UNREADABLE_FILE: Rule = Rule {
    id: "unreadable-file",
    summary: "a file of the tree could not be read",
    doc: include_str!("../../rule/docs/unreadable-file.md"),
    level: Level::Error,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static NOT_A_FILE: Rule = Rule {
    id: "not-a-file",
    summary: "something named like a transcript is a folder, pipe, socket or device",
    doc: include_str!("../../rule/docs/not-a-file.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static SYMLINK_LOOP: Rule = Rule {
    id: "symlink-loop",
    summary: "a symbolic link leads back to a folder that contains it, or to itself",
    doc: include_str!("../../rule/docs/symlink-loop.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static BROKEN_SYMLINK: Rule = Rule {
    id: "broken-symlink",
    summary: "a symbolic link points to something that is not there",
    doc: include_str!("../../rule/docs/broken-symlink.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static NOT_JSON_LINES: Rule = Rule {
    id: "not-json-lines",
    summary: "a file named .jsonl holds one JSON document or another format",
    doc: include_str!("../../rule/docs/not-json-lines.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static EMPTY_TRANSCRIPT: Rule = Rule {
    id: "empty-transcript",
    summary: "a transcript holds no bytes, or white space only",
    doc: include_str!("../../rule/docs/empty-transcript.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static DAMAGED_RECORD: Rule = Rule {
    id: "damaged-record",
    summary: "a stretch of a transcript is no JSON and no whole record could be taken from it",
    doc: include_str!("../../rule/docs/damaged-record.md"),
    level: Level::Error,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static SPLICED_RECORD: Rule = Rule {
    id: "spliced-record",
    summary: "two records share one line",
    doc: include_str!("../../rule/docs/spliced-record.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static TORN_TAIL: Rule = Rule {
    id: "torn-tail",
    summary: "the last line of a transcript stops in the middle of a record",
    doc: include_str!("../../rule/docs/torn-tail.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &["still-written"],
};

pub static NUL_RUN: Rule = Rule {
    id: "nul-run",
    summary: "a stretch of a transcript is NUL bytes",
    doc: include_str!("../../rule/docs/nul-run.md"),
    level: Level::Warning,
    tier: Tier::B,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static INVALID_UTF8: Rule = Rule {
    id: "invalid-utf8",
    summary: "a record holds bytes that are not UTF-8",
    doc: include_str!("../../rule/docs/invalid-utf8.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static LONE_SURROGATE: Rule = Rule {
    id: "lone-surrogate",
    summary: "a string holds one half of a surrogate pair",
    doc: include_str!("../../rule/docs/lone-surrogate.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static BYTE_ORDER_MARK: Rule = Rule {
    id: "byte-order-mark",
    summary: "a transcript begins with a byte order mark",
    doc: include_str!("../../rule/docs/byte-order-mark.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static NO_RECORD: Rule = Rule {
    id: "no-record",
    summary: "a line is valid JSON but no record",
    doc: include_str!("../../rule/docs/no-record.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static UNKNOWN_ENTRY_TYPE: Rule = Rule {
    id: "unknown-entry-type",
    summary: "entries have a type that this version does not know",
    doc: include_str!("../../rule/docs/unknown-entry-type.md"),
    level: Level::Note,
    tier: Tier::B,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static DUPLICATE_ENTRY: Rule = Rule {
    id: "duplicate-entry",
    summary: "a uuid stands more than once in one file",
    doc: include_str!("../../rule/docs/duplicate-entry.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};
