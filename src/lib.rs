//! ccaudit: offline audit of what Claude Code leaves under `~/.claude`.

pub mod constants;
pub mod model;
pub mod parse;
pub mod prices;
pub mod render;
pub mod view;
