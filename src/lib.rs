//! ccaudit: offline audit of what Claude Code leaves under `~/.claude`.
//!
//! ```text
//! files ─ discover ─ read ─ parse ─▶ Corpus ─▶ tables ─┐
//!                  (load, rayon)       └───────────────┴▶ analysis ─▶ view ─▶ render
//!         constants, words: numbers with their sources, and numbers in sentences
//!         world, source: facts about the disk and an entry's text, handed to analyses as traits
//!         rule, finding, registry, gate: what can be wrong, what is wrong, and whether that fails a run
//! ```
//!
//! Analyses are pure: a report from data and options, no clock, no environment, no output. `cli` alone knows
//! the terminal and the clock. `tests/layers.rs` holds the import table.

pub mod analysis;
pub mod cli;
pub mod constants;
pub mod discover;
pub mod error;
pub mod finding;
pub mod gate;
pub mod load;
pub mod model;
pub mod parse;
pub mod prices;
pub mod read;
pub mod registry;
pub mod render;
pub mod rule;
pub mod scope;
pub mod source;
#[cfg(feature = "tables")]
pub mod tables;
pub mod view;
pub mod words;
pub mod world;
