//! The parser against a second reader, on every tree at hand and on hand-made traps.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that helpers are tests"
)]
#![allow(clippy::explicit_write, reason = "printing macros are kept out of this package")]

mod common;
#[path = "oracle/mod.rs"]
mod oracle;
#[path = "oracle/traps.rs"]
mod traps;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ccaudit::load::{self, Options, Silent};
use oracle::compare::Compared;
use oracle::tree;

/// Compares every tree below a folder, and says how much that was.
fn compare_below(folder: &Path) -> Compared {
    let roots = tree::roots(folder);
    let mut sum = Compared::default();
    for root in &roots {
        let Ok(corpus) = load::corpus(std::slice::from_ref(root), &Options::with_threads(2), &Silent) else {
            continue;
        };
        let Compared { records, others, refused } = oracle::with_deep_stack(|| tree::compare(&corpus));
        sum.records += records;
        sum.others += others;
        sum.refused += refused;
    }
    writeln!(io::stderr(), "{}: {} trees, {sum:?}", folder.display(), roots.len()).unwrap();
    sum
}

fn in_package(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

#[test]
fn samples_of_the_rules() {
    assert!(compare_below(&in_package("sample-data/rules")).records > 100);
}

#[test]
fn cases() {
    let folder = in_package("tests/cases");
    if folder.is_dir() {
        compare_below(&folder);
    }
}

#[test]
fn reference_material() {
    let Some(shared) = common::shared() else { return };
    for folder in ["cases", "client", "real"] {
        assert!(compare_below(&shared.join(folder)).records > 100);
    }
}
