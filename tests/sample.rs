//! `sample-data/` is what the generator writes, byte for byte, and its totals tell the story that they should.

#[path = "tools/make_sample/main.rs"]
mod make_sample;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data")
}

fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root) {
        let entry = entry.expect("readable folder");
        if entry.file_type().is_file() {
            let inside = entry.path().strip_prefix(root).expect("a path below the root");
            let name = inside.to_string_lossy().replace('\\', "/");
            all.insert(name, std::fs::read(entry.path()).expect("readable file"));
        }
    }
    all
}

#[test]
fn regenerates_byte_for_byte() {
    let temp = tempfile::tempdir().unwrap();
    make_sample::write(&temp.path().join("dot-claude")).unwrap();
    for part in ["dot-claude", "disk"] {
        let (made, kept) = (files(&temp.path().join(part)), files(&sample().join(part)));
        assert!(
            made.keys().eq(kept.keys()),
            "{part}: other files; run `cargo run --example make_sample -- sample-data/dot-claude`"
        );
        for (name, bytes) in &made {
            assert!(
                kept[name] == *bytes,
                "{part}/{name} differs; run `cargo run --example make_sample -- sample-data/dot-claude`"
            );
        }
    }
}

/// `expected-totals.json` comes from `tests/tools/sample_totals.py`, which knows nothing of this crate.
#[test]
fn totals_tell_the_story() {
    let text = std::fs::read_to_string(sample().join("expected-totals.json")).unwrap();
    let totals: serde_json::Value = serde_json::from_str(&text).unwrap();
    let ratio = |name: &str| totals["ratios"][name].as_f64().unwrap();
    assert!((0.8940..=0.8949).contains(&ratio("read-input")));
    assert!((0.7755..=0.7764).contains(&ratio("prompt-share")));
    assert!((0.9939..=0.9945).contains(&ratio("ttl-5m-share")));
    assert!((170.5..=171.5).contains(&ratio("prompt-per-output")));
    let input = |session: &serde_json::Value| session["input"].as_u64().unwrap();
    let sessions = totals["sessions"].as_object().unwrap();
    let most = sessions.values().map(input).max().unwrap();
    assert!(
        most * 1000 > totals["usage"]["input"].as_u64().unwrap() * 999,
        "one session holds the uncached input"
    );
}
