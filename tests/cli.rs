//! The binary as a user meets it: exit status, messages, formats, and what must never be printed.

#[path = "cli/errors.rs"]
mod errors;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/share.rs"]
mod share;

mod common;
