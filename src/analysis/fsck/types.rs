//! Entries by type: which there are, how many bytes they take, and in which client versions they appear.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use crate::model::{Corpus, Entry, Kind, Sym, Transcript};

/// Entries of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeCount {
    pub name: String,
    /// A type that this tool knows by name.
    pub known: bool,
    pub entries: u64,
    pub bytes: u64,
}

/// Entries of one type written by one client version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    pub name: String,
    pub known: bool,
    /// Empty where no entry of the file names a version.
    pub version: String,
    pub entries: u64,
}

/// Entries of unknown types in one transcript.
pub(super) fn unknown(corpus: &Corpus, rows: &Transcript) -> BTreeMap<String, u64> {
    let mut types = BTreeMap::new();
    for entry in rows.entries.iter().filter(|entry| entry.kind == Kind::Other) {
        *types.entry(corpus.strings.text(other(rows, entry)).to_owned()).or_default() += 1;
    }
    types
}

/// The name of an unknown type.
fn other(rows: &Transcript, entry: &Entry) -> Sym {
    match entry.kind {
        Kind::Other => rows.side(entry).map_or(Sym::NONE, |side| side.name),
        _ => Sym::NONE,
    }
}

type Cell = (Kind, Sym, Sym);

/// Counts all entries by type, and by type and version.
pub(super) fn count(corpus: &Corpus) -> (Vec<TypeCount>, Vec<Drift>) {
    let mut cells: HashMap<Cell, (u64, u64), FixedState> = HashMap::default();
    for file in corpus.transcript_files() {
        count_file(corpus.transcript(file), &mut cells);
    }
    let mut types: BTreeMap<String, TypeCount> = BTreeMap::new();
    let mut drift: BTreeMap<(String, String), Drift> = BTreeMap::new();
    for ((kind, other, version), (entries, bytes)) in sorted(cells) {
        let known = kind != Kind::Other;
        let name = kind.name().unwrap_or_else(|| corpus.strings.text(other)).to_owned();
        let version = corpus.strings.text(version).to_owned();
        let total = types.entry(name.clone()).or_insert(TypeCount {
            name: name.clone(),
            known,
            entries: 0,
            bytes: 0,
        });
        total.entries += entries;
        total.bytes += bytes;
        let cell = drift.entry((name.clone(), version.clone())).or_insert(Drift {
            name,
            known,
            version,
            entries: 0,
        });
        cell.entries += entries;
    }
    let mut types: Vec<TypeCount> = types.into_values().collect();
    types.sort_by(|a, b| b.entries.cmp(&a.entries).then_with(|| a.name.cmp(&b.name)));
    (types, drift.into_values().collect())
}

fn sorted(cells: HashMap<Cell, (u64, u64), FixedState>) -> Vec<(Cell, (u64, u64))> {
    let mut cells: Vec<_> = cells.into_iter().collect();
    cells.sort_unstable();
    cells
}

/// Side records name no version: they were written by the client that wrote the entry before them, or the
/// first one after them at the start of a file.
fn count_file(rows: &Transcript, cells: &mut HashMap<Cell, (u64, u64), FixedState>) {
    let named = |entry: &Entry| Some(rows.envelope(entry).version).filter(|version| version.is_some());
    let mut version = rows.entries.iter().find_map(named).unwrap_or(Sym::NONE);
    for entry in &rows.entries {
        version = named(entry).unwrap_or(version);
        let cell = cells.entry((entry.kind, other(rows, entry), version)).or_default();
        cell.0 += 1;
        cell.1 += u64::from(entry.len);
    }
}
