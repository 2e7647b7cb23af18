//! The samples of `sample-data/rules/`, shared by several test programs.
#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use ccaudit::load::{self, Options, Silent};
use ccaudit::model::{Corpus, FileId};
use tempfile::TempDir;

/// What a sample is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Fires,
    Quiet,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Fires, Self::Quiet];

    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Fires => "fires",
            Self::Quiet => "quiet",
        }
    }
}

pub(crate) fn sample_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/rules")
}

/// Every sample as committed: rule id, kind, and the folder that stands for `~/.claude`; sorted.
/// Some need [`prepare`] before they are complete.
pub(crate) fn samples() -> Vec<(String, Kind, PathBuf)> {
    let mut found = Vec::new();
    for id in folders(&sample_root()) {
        for kind in Kind::ALL {
            let path = sample_root().join(&id).join(kind.folder());
            if path.is_dir() {
                found.push((id.clone(), kind, path));
            }
        }
    }
    found
}

/// Names of the folders in a folder, sorted.
pub(crate) fn folders(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir());
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A copy of both samples of a rule (`fires/` and `quiet/` in the returned folder) after its `setup.sh`, if it has one.
/// `None` where this machine cannot make the sample.
pub(crate) fn prepare(id: &str) -> Option<TempDir> {
    let copy = tempfile::tempdir().unwrap();
    copy_tree(&sample_root().join(id), copy.path()).unwrap();
    if copy.path().join("setup.sh").exists() {
        if cfg!(not(unix)) {
            return None;
        }
        let status = Command::new("sh").arg("setup.sh").current_dir(copy.path()).status().unwrap();
        if status.code() == Some(77) {
            return None;
        }
        assert!(status.success(), "sample-data/rules/{id}/setup.sh: {status}");
    }
    Some(copy)
}

pub(crate) fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The folder with the reference material, where `CCAUDIT_SHARED` names one. Without it the caller is skipped,
/// visibly; a name that leads nowhere is an error, so that a build never passes by looking at nothing.
pub(crate) fn shared() -> Option<PathBuf> {
    #[allow(clippy::disallowed_methods, reason = "tests read their own environment")]
    let Some(folder) = std::env::var_os("CCAUDIT_SHARED") else {
        let mut out = io::stderr().lock();
        writeln!(out, "skipped: CCAUDIT_SHARED does not name the reference material").unwrap();
        return None;
    };
    let folder = PathBuf::from(folder);
    assert!(folder.is_dir(), "CCAUDIT_SHARED names {}, which is no folder", folder.display());
    Some(folder)
}

/// Trees that real clients wrote, by name: those of `tests/client/`, and all that the reference material has.
pub(crate) fn client_trees() -> BTreeMap<String, PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client");
    let mut trees = BTreeMap::new();
    for folder in [Some(own), shared().map(|shared| shared.join("client"))].into_iter().flatten() {
        for name in folders(&folder) {
            let path = folder.join(&name);
            trees.entry(name).or_insert(path);
        }
    }
    trees
}

/// Transcripts of which not every byte belongs to an entry, an issue or the white space between, one sentence each.
pub(crate) fn unaccounted_bytes(corpus: &Corpus) -> Vec<String> {
    let check = |file: FileId| {
        let (source, rows) = (corpus.file(file), corpus.transcript(file));
        let entries: u64 = rows.entries.iter().map(|entry| u64::from(entry.len)).sum();
        let issues = rows.issues.iter().filter(|issue| issue.kind.owns_bytes());
        let known = entries + issues.map(|issue| issue.len).sum::<u64>() + rows.blank_bytes;
        (known != source.len)
            .then(|| format!("{}: {known} of {} bytes are accounted for", source.path, source.len))
    };
    corpus.transcript_files().filter_map(check).collect()
}

/// A tree as the library reads it.
pub(crate) fn corpus(root: &Path) -> Corpus {
    load::corpus(&[root.to_owned()], &Options::with_threads(2), &Silent).unwrap()
}

/// The made-up `~/.claude` of `sample-data/`.
pub(crate) fn sample_tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/dot-claude")
}

/// The binary with nothing of this machine in its environment: an empty home folder, a fixed clock and time zone.
pub(crate) fn run() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ccaudit"));
    command.env_clear().env("HOME", "/nowhere/home").args([
        "--now",
        "2026-08-27T12:00:00Z",
        "--timezone",
        "UTC",
    ]);
    command
}

/// The binary on a tree.
pub(crate) fn run_in(root: &Path) -> assert_cmd::Command {
    let mut command = run();
    command.arg("--root").arg(root);
    command
}
