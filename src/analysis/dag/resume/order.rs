//! The order on the wire, and what the client adds to it.

use super::super::graph::Graph;
use super::{Generation, MadeUp, Reason, Synthesised, Unanswered, filter};
use crate::model::{Corpus, Flags, Kind};

/// Everything between two answers is one message: results first, then attachments, then the text, and at its end what is
/// sent in the name of the system.
pub(super) fn on_the_wire(corpus: &Corpus, graph: &Graph, sent: &[u32]) -> Vec<u32> {
    let rank = |row: &u32| {
        let entry = graph.entry(corpus, *row);
        match entry.kind {
            Kind::User if entry.flags.has(Flags::RESULT) => 0,
            Kind::Attachment if entry.flags.has(Flags::AS_SYSTEM) => 3,
            Kind::Attachment => 1,
            _ => 2,
        }
    };
    let is_answer = |row: &u32| graph.entry(corpus, *row).kind == Kind::Assistant;
    let mut wire = sent.to_vec();
    for between in wire.split_mut(is_answer) {
        between.sort_by_key(rank);
    }
    wire
}

/// What the client makes up so that the conversation can go on.
pub(super) fn made_up(
    corpus: &Corpus,
    graph: &Graph,
    chain: &[u32],
    sent: &[u32],
    reasons: &[Option<Reason>],
    generation: &Generation,
) -> Vec<Synthesised> {
    let mut made = Vec::new();
    if generation.unanswered == Unanswered::Answer {
        for (row, call) in filter::unanswered(corpus, graph, sent) {
            made.push(Synthesised { after: graph.node(row).at, what: MadeUp::Result(call) });
        }
    }
    let is_message = |row: &&u32| matches!(graph.entry(corpus, **row).kind, Kind::User | Kind::Assistant);
    let Some(&last) = sent.iter().rfind(is_message) else { return made };
    let entry = graph.entry(corpus, last);
    let after = graph.node(last).at;
    let ends_in_error = chain
        .iter()
        .rfind(is_message)
        .is_some_and(|row| graph.entry(corpus, *row).flags.has(Flags::API_ERROR));
    if ends_in_error && generation.takes_errors_for_answers {
        return made;
    }
    let ends_open = entry.kind == Kind::User || made.last().is_some_and(|made| made.after == after);
    let cut_off = reasons.contains(&Some(Reason::Unanswered));
    let in_turn = entry.kind == Kind::User && (cut_off || entry.flags.has(Flags::RESULT));
    let prompt = entry.kind == Kind::User && !in_turn;
    if (in_turn && generation.continues_turns) || (prompt && generation.continues_prompts) {
        made.push(Synthesised { after, what: MadeUp::Continue });
        made.push(Synthesised { after, what: MadeUp::NoResponse });
    } else if ends_open {
        made.push(Synthesised { after, what: MadeUp::NoResponse });
    }
    made
}
