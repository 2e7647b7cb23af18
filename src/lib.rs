//! ccaudit: offline audit of what Claude Code leaves under `~/.claude`.

pub mod analysis;
pub mod finding;
pub mod gate;
pub mod model;
pub mod registry;
pub mod rule;
