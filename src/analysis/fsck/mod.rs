//! The state of the bytes: damaged, cut, foreign or unreadable files and records.

pub mod rules;
