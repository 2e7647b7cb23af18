//! Which entry a client goes on from.

use super::super::graph::Graph;
use super::links::Links;
use super::{Generation, LeafRule};
use crate::model::{Corpus, Flags, Kind};

/// `None` where a client finds no conversation.
pub(super) fn choose(corpus: &Corpus, graph: &Graph, links: &Links, generation: &Generation) -> Option<u32> {
    match generation.leaf {
        LeafRule::Newest => newest(corpus, graph),
        LeafRule::LastInFile => {
            let last = last_leaf(corpus, graph, links)?;
            Some(pointed_at(corpus, graph, links, last).unwrap_or(last))
        }
    }
}

const fn is_message(kind: Kind) -> bool {
    matches!(kind, Kind::User | Kind::Assistant)
}

/// The latest message of the main thread; of several the last in the file.
fn newest(corpus: &Corpus, graph: &Graph) -> Option<u32> {
    let messages = (0..graph.main).filter(|&row| {
        let entry = graph.entry(corpus, row);
        is_message(entry.kind) && !entry.flags.has(Flags::SIDECHAIN)
    });
    messages.max_by_key(|&row| (graph.entry(corpus, row).time, row))
}

/// The last leaf in file order that has a message of the main thread at or above it.
fn last_leaf(corpus: &Corpus, graph: &Graph, links: &Links) -> Option<u32> {
    let parents = parents_of_conversation(corpus, graph, links);
    // Nodes known to have no such message above them: each is passed once.
    let mut barren = vec![false; graph.main as usize];
    let is_leaf = |row: &u32| !parents[*row as usize] && graph.entry(corpus, *row).kind != Kind::Progress;
    (0..graph.main).rev().filter(is_leaf).find(|&leaf| {
        let mut at = Some(leaf);
        while let Some(row) = at.filter(|&row| !barren[row as usize]) {
            let entry = graph.entry(corpus, row);
            if is_message(entry.kind) {
                return !entry.flags.has(Flags::SIDECHAIN);
            }
            barren[row as usize] = true;
            at = links.get(row).row();
        }
        false
    })
}

/// Nodes that something else than records of progress hangs on. Such records lead on to what they hang on.
fn parents_of_conversation(corpus: &Corpus, graph: &Graph, links: &Links) -> Vec<bool> {
    let mut parents = vec![false; graph.main as usize];
    for row in 0..graph.main {
        if graph.entry(corpus, row).kind == Kind::Progress {
            continue;
        }
        let mut at = links.get(row).row();
        while let Some(parent) = at.filter(|&parent| !parents[parent as usize]) {
            parents[parent as usize] = true;
            let bridges = graph.entry(corpus, parent).kind == Kind::Progress;
            at = if bridges { links.get(parent).row() } else { None };
        }
    }
    parents
}

/// Where the last `last-prompt` record that names a known entry points, if that replaces the leaf: it does where the
/// person chose it, or where the leaf does not hang below it.
fn pointed_at(corpus: &Corpus, graph: &Graph, links: &Links, last: u32) -> Option<u32> {
    let rows = corpus.transcript(graph.nodes.first()?.at.file);
    let prompts = rows.entries.iter().rev().filter(|entry| entry.kind == Kind::LastPrompt);
    let (target, explicit) = prompts
        .filter_map(|entry| {
            let target = graph.find(rows.side(entry)?.target)?;
            (target < graph.main).then_some((target, entry.flags.has(Flags::EXPLICIT)))
        })
        .next()?;
    if explicit {
        return Some(target);
    }
    let mut seen = vec![false; graph.main as usize];
    let mut at = Some(last);
    while let Some(row) = at {
        if row == target {
            return None;
        }
        if std::mem::replace(&mut seen[row as usize], true) {
            break;
        }
        at = links.get(row).row();
    }
    Some(target)
}
