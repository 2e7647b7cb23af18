//! ccaudit: offline audit of what Claude Code leaves under `~/.claude`.

pub mod constants;
pub mod model;
pub mod parse;
pub mod prices;
pub mod render;
pub mod view;
pub mod analysis;
pub mod finding;
pub mod gate;
pub mod model;
pub mod registry;
pub mod rule;
