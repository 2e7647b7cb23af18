//! Answers made whole: the walk passes one of several parallel calls only.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::super::graph::Graph;
use super::Why;
use super::chain::Chain;
use super::kept::Kept;
use crate::model::{Corpus, Flags, Kind, Sym};

/// The chain with the other entries of its answers, in block order, and the results of their calls, in file order.
pub(super) fn put_back(corpus: &Corpus, graph: &Graph, kept: &Kept, chain: &Chain) -> Vec<(u32, Why)> {
    let mut on_chain = vec![false; graph.main as usize];
    for &row in &chain.rows {
        on_chain[row as usize] = true;
    }
    let answers = Answers::of(corpus, graph, chain);
    let why = |row: u32| {
        if !on_chain[row as usize] {
            Why::Sibling
        } else if kept.boundary.is_some_and(|boundary| row < boundary) && kept.holds(row) {
            Why::Kept
        } else {
            Why::Chain
        }
    };
    let mut done = vec![false; graph.main as usize];
    let mut whole = Vec::with_capacity(chain.rows.len());
    for &row in &chain.rows {
        if std::mem::replace(&mut done[row as usize], true) {
            continue;
        }
        let Some(parts) = answers.parts.get(&message(corpus, graph, row)) else {
            whole.push((row, why(row)));
            continue;
        };
        // What stands before a compaction only comes back where it was kept.
        let allowed = |part: &u32| {
            on_chain[*part as usize]
                || kept.holds(row)
                || kept.boundary.is_none_or(|boundary| *part > boundary)
        };
        let parts: Vec<u32> = parts.iter().copied().filter(allowed).collect();
        let mut results: Vec<u32> =
            parts.iter().flat_map(|part| answers.results.get(part).into_iter().flatten().copied()).collect();
        results.sort_unstable();
        results.dedup();
        for part in parts.into_iter().chain(results) {
            if part == row || !std::mem::replace(&mut done[part as usize], true) {
                whole.push((part, why(part)));
            }
        }
    }
    let mut repaired = chain.repaired.clone();
    repaired.sort_unstable();
    for (row, why) in &mut whole {
        if *why == Why::Chain && repaired.binary_search(row).is_ok() {
            *why = Why::Repaired;
        }
    }
    whole
}

/// The answers of a chain.
struct Answers {
    /// The entries of each answer.
    parts: HashMap<Sym, Vec<u32>, FixedState>,
    /// The results that hang on each of them.
    results: HashMap<u32, Vec<u32>, FixedState>,
}

impl Answers {
    fn of(corpus: &Corpus, graph: &Graph, chain: &Chain) -> Self {
        let mut answers = Self { parts: HashMap::default(), results: HashMap::default() };
        for &row in &chain.rows {
            let id = message(corpus, graph, row);
            if id.is_some() {
                answers.parts.entry(id).or_default();
            }
        }
        for row in 0..graph.main {
            if let Some(parts) = answers.parts.get_mut(&message(corpus, graph, row)) {
                parts.push(row);
                answers.results.entry(row).or_default();
            }
        }
        for row in 0..graph.main {
            let at = graph.node(row).at;
            let entry = corpus.entry(at);
            if entry.kind != Kind::User || !entry.flags.has(Flags::RESULT) {
                continue;
            }
            let source =
                corpus.transcript(at.file).message(entry).and_then(|message| graph.find(message.source));
            let parent = graph.find(entry.parent);
            for on in parent.into_iter().chain(source.filter(|_| source != parent)) {
                if let Some(results) = answers.results.get_mut(&on) {
                    results.push(row);
                }
            }
        }
        answers
    }
}

/// `message.id` of an assistant entry.
fn message(corpus: &Corpus, graph: &Graph, row: u32) -> Sym {
    let at = graph.node(row).at;
    corpus.transcript(at.file).answer(corpus.entry(at)).map_or(Sym::NONE, |answer| answer.message)
}
