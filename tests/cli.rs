//! The binary as a user meets it: exit status, messages, formats, and what must never be printed.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

#[path = "cli/errors.rs"]
mod errors;
#[path = "cli/filters.rs"]
mod filters;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/hostile.rs"]
mod hostile;
#[cfg(unix)]
#[path = "cli/output.rs"]
mod output;
#[path = "cli/share.rs"]
mod share;
#[path = "cli/words.rs"]
mod words;

mod common;
