//! Writes the sample tree: `cargo run --example make_sample -- sample-data/dot-claude`.
//!
//! The tree goes to the given folder and the disk that belongs to it to `disk` beside it. Times, ids and numbers are
//! fixed, so every run writes the same bytes. `sample-data/README.md` says what is inside.

mod compact;
mod content;
mod files;
mod gen_ids;
mod instructions;
mod lane;
mod memory;
mod memory_text;
mod rows;
mod session;
mod shop_web;
mod side_files;
mod story;
mod work;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

#[allow(dead_code, reason = "the test includes this file as a module and calls `write` itself")]
fn main() -> Result<()> {
    let Some(tree) = std::env::args_os().nth(1).map(PathBuf::from) else {
        bail!("usage: make_sample FOLDER");
    };
    write(&tree)
}

/// Writes the tree to `tree` and its disk to the folder `disk` beside it. Both are replaced.
pub(crate) fn write(tree: &Path) -> Result<()> {
    let disk = tree.parent().context("the folder needs a parent")?.join("disk");
    let built = story::build();
    for (root, all) in [(tree, &built.tree), (disk.as_path(), &built.disk)] {
        if root.exists() {
            std::fs::remove_dir_all(root).with_context(|| format!("clear {}", root.display()))?;
        }
        for (name, bytes) in all {
            let path = root.join(name);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, bytes).with_context(|| format!("write {}", path.display()))?;
        }
    }
    Ok(())
}
