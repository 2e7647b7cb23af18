//! Answers that were cut off before they said anything.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::super::graph::Graph;
use super::super::rules::THINKING_ONLY_ORPHAN;
use super::at;
use crate::finding::Finding;
use crate::model::{Corpus, Flags, Kind, Sym};
use crate::words;

pub(super) fn thinking_only_orphans(corpus: &Corpus, graph: &Graph) -> Option<Finding> {
    let mut answers: HashMap<Sym, (u32, bool), FixedState> = HashMap::default();
    let mut last = Sym::NONE;
    for row in 0..graph.main {
        let place = graph.node(row).at;
        let entry = corpus.entry(place);
        if entry.flags.has_any(&[Flags::SIDECHAIN, Flags::API_ERROR]) {
            continue;
        }
        match corpus.transcript(place.file).answer(entry) {
            Some(answer) if answer.message.is_some() => {
                last = answer.message;
                let says = entry.flags.has_any(&Flags::CONTENT) || !entry.flags.has(Flags::THINKING);
                answers.entry(answer.message).or_insert((row, false)).1 |= says;
            }
            _ if entry.kind == Kind::User => last = Sym::NONE,
            _ => {}
        }
    }
    // The last answer of a transcript may still be on its way.
    let silent = answers.iter().filter(|(message, (_, says))| !says && **message != last);
    let rows: Vec<u32> = silent.map(|(_, (row, _))| *row).collect();
    let first = graph.node(*rows.iter().min()?).at;
    let count = rows.len();
    let message = format!("answers that hold nothing but thinking: {}", words::count(count as u64));
    Some(
        at(&THINKING_ONLY_ORPHAN, corpus, first, message)
            .evidence("answers", count)
            .fix_sentence("nothing to do: clients from 2.1.87 on leave such an answer out on resume"),
    )
}
