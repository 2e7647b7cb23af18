//! ccaudit: offline audit of what Claude Code leaves under `~/.claude`.

pub mod model;
pub mod render;
pub mod view;
