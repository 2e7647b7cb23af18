//! Numbers behind the counting of the prompt cache.

use super::{Constant, Tier};

/// Time to live of a 5-minute cache write. Seconds; API documentation.
pub const TTL_5M_SECONDS: i64 = 300;
/// Time to live of a 1-hour cache write. Seconds; API documentation.
pub const TTL_1H_SECONDS: i64 = 3_600;
/// A response counts as a hit from this share of its prompt on: numerator. Choice of this tool.
pub const HIT_SHARE_NUMERATOR: u128 = 9;
/// Denominator of the same share.
pub const HIT_SHARE_DENOMINATOR: u128 = 10;
/// An answer of more characters than this cannot have [`LOWER_BOUND_TOKENS`] tokens. Characters; choice of this tool.
pub const LOWER_BOUND_CHARACTERS: u64 = 40;
/// Up to this count the output of a longer answer is a lower bound. Tokens; choice of this tool.
pub const LOWER_BOUND_TOKENS: u64 = 10;
/// The client reports a cache break if reads fall by more than this. Per cent; client 2.1.88.
pub const CLIENT_BREAK_PERCENT: u64 = 5;
/// And by at least this. Tokens; client 2.1.88.
pub const CLIENT_BREAK_TOKENS: u64 = 2_000;

pub(super) static TTL_5M: Constant = Constant {
    id: "cache-ttl-5m",
    value: "300",
    unit: "seconds",
    source: "API documentation, prompt caching; transcripts of 2.1.38 and 2.1.39 lose the cache beyond it",
    versions: "all",
    tier: Tier::A,
    note: "idle time after which a 5-minute write has expired; each read starts it anew",
};

pub(super) static TTL_1H: Constant = Constant {
    id: "cache-ttl-1h",
    value: "3600",
    unit: "seconds",
    source: "API documentation, prompt caching; 1-hour sessions of 2.1.39 still hit after 300 to 572 seconds",
    versions: "all",
    tier: Tier::A,
    note: "idle time after which a 1-hour write has expired; each read starts it anew",
};

pub(super) static HIT_SHARE: Constant = Constant {
    id: "request-hit-share",
    value: "0.9",
    unit: "share of the prompt",
    source: "choice of this tool",
    versions: "all",
    tier: Tier::B,
    note: "a response that reads at least this share of its prompt from the cache is a hit in request-share",
};

pub(super) static LOWER_BOUND_CHARACTERS_CONSTANT: Constant = Constant {
    id: "lower-bound-characters",
    value: "40",
    unit: "characters of text, thinking or tool input",
    source: "choice of this tool, after slow streams of 2.1.87 and 1.0 that left output_tokens at 1 (2026-11-30)",
    versions: "clients that write entries while streaming; 1.0 and 2.1.87 seen",
    tier: Tier::B,
    note: "more text than this with 10 output tokens or fewer marks the output as a lower bound",
};

pub(super) static LOWER_BOUND_TOKENS_CONSTANT: Constant = Constant {
    id: "lower-bound-tokens",
    value: "10",
    unit: "tokens",
    source: "choice of this tool, after compaction answers of 11,918 characters and more recorded with 6 to 8 tokens (2.1.39)",
    versions: "clients that write entries while streaming; 1.0 and 2.1.87 seen",
    tier: Tier::B,
    note: "output up to this count, with more than 40 characters in the answer, is a lower bound",
};

pub(super) static CLIENT_BREAK_PERCENT_CONSTANT: Constant = Constant {
    id: "client-break-percent",
    value: "5",
    unit: "per cent of the previous read",
    source: "public analysis of client 2.1.88",
    versions: "2.1.88; others not checked",
    tier: Tier::B,
    note: "the client's own test for a cache break needs a larger fall than this, and client-break-tokens too",
};

pub(super) static CLIENT_BREAK_TOKENS_CONSTANT: Constant = Constant {
    id: "client-break-tokens",
    value: "2000",
    unit: "tokens",
    source: "public analysis of client 2.1.88",
    versions: "2.1.88; others not checked",
    tier: Tier::B,
    note: "the client's own test for a cache break needs at least this fall, and client-break-percent too",
};
