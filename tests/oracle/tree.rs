//! Trees on the disk: small ones made for a test, and those of the reference material.

use std::fs;
use std::path::{Path, PathBuf};

use ccaudit::load::{self, Options, Silent};
use ccaudit::model::{Corpus, Transcript};
use tempfile::TempDir;

use super::compare::{self, Compared};
use super::observe::Names;

/// The folder of a tree with one store that holds these transcripts.
pub fn of(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("projects/-home-dev-trap");
    fs::create_dir_all(&store).unwrap();
    for (name, bytes) in files {
        fs::write(store.join(name), bytes).unwrap();
    }
    folder
}

pub fn load(root: &Path, options: Options) -> Corpus {
    load::corpus(&[root.to_owned()], &options, &Silent).unwrap()
}

/// Reads one transcript as the only one of a tree, and compares it with what the bytes say.
pub fn read(bytes: &[u8]) -> Corpus {
    let tree = of(&[("trap.jsonl", bytes)]);
    let corpus = load(tree.path(), Options::with_threads(1));
    super::with_deep_stack(|| compare(&corpus));
    corpus
}

/// The transcript of a tree that has one.
pub fn only(corpus: &Corpus) -> &Transcript {
    corpus.transcript(corpus.transcript_files().next().unwrap())
}

/// Compares every transcript of a corpus with its file.
pub fn compare(corpus: &Corpus) -> Compared {
    let names = Names { strings: &corpus.strings, nodes: &corpus.nodes };
    let mut sum = Compared::default();
    for file in corpus.transcript_files() {
        let bytes = fs::read(&corpus.file(file).disk).unwrap();
        let Compared { records, others, refused } = compare::file(&bytes, corpus.transcript(file), names);
        sum.records += records;
        sum.others += others;
        sum.refused += refused;
    }
    sum
}

/// Every folder below `folder` that has a `projects` folder.
pub fn roots(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        if folder.join("projects").is_dir() {
            found.push(folder);
            continue;
        }
        let items = fs::read_dir(&folder).unwrap().map(Result::unwrap);
        todo.extend(items.filter(|item| item.file_type().unwrap().is_dir()).map(|item| item.path()));
    }
    found.sort();
    found
}
