//! Copies of entries that say something else than the first.

use serde_json::Value;

use super::graph::Graph;
use super::record::record;
use crate::model::{Corpus, EntryRef, Kind, Sym, Time};
use crate::source::Source;

/// What copies repeat of an entry. What surrounds it (session, version, branch, prompt) may have changed.
const SAID: [&str; 6] = ["type", "subtype", "message", "content", "attachment", "compactMetadata"];

/// How a copy differs from the first entry with its `uuid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// In what it says, or when.
    Said,
    /// In its parent only, in the same file. Agents hang copies elsewhere on purpose.
    Parent,
}

/// Copies that differ, in order. Entries that can no longer be read are compared by what is known of them.
#[must_use]
pub fn differing(corpus: &Corpus, graph: &Graph, source: &dyn Source) -> Vec<(EntryRef, Difference)> {
    let difference = |&copy: &EntryRef| {
        let first = graph.node(graph.find(corpus.entry(copy).node)?).at;
        if facts(corpus, first) != facts(corpus, copy) || say_else(corpus, source, first, copy) {
            return Some((copy, Difference::Said));
        }
        let hangs_elsewhere = corpus.entry(first).parent != corpus.entry(copy).parent;
        (hangs_elsewhere && first.file == copy.file).then_some((copy, Difference::Parent))
    };
    graph.copies.iter().filter_map(difference).collect()
}

/// What is known of an entry without reading it again.
fn facts(corpus: &Corpus, at: EntryRef) -> (Kind, Time, u32, Sym) {
    let entry = corpus.entry(at);
    let answer = corpus.transcript(at.file).answer(entry);
    (entry.kind, entry.time, entry.estimate, answer.map_or(Sym::NONE, |answer| answer.message))
}

fn say_else(corpus: &Corpus, source: &dyn Source, first: EntryRef, copy: EntryRef) -> bool {
    let said = |at: EntryRef| -> Option<Vec<Value>> {
        let record = record(source, corpus, at)?;
        Some(SAID.iter().map(|key| record.get(key).cloned().unwrap_or_default()).collect())
    };
    matches!((said(first), said(copy)), (Some(first), Some(copy)) if first != copy)
}
