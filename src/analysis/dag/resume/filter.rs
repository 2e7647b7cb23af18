//! What is not sent, and why.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::super::graph::Graph;
use super::chain::Chain;
use super::kept::Kept;
use super::{End, Generation, Reason, Unanswered};
use crate::model::{Corpus, EntryRef, Flags, Kind, Sym};

/// Gives a reason to every node of the main transcript that the chain and its answers do not hold.
pub(super) fn unreached(
    corpus: &Corpus,
    graph: &Graph,
    kept: &Kept,
    chain: &Chain,
    held: Option<(u32, &[u32])>,
    reasons: &mut [Option<Reason>],
) {
    let mut is_held = vec![false; reasons.len()];
    for &row in held.iter().flat_map(|(_, rows)| *rows) {
        is_held[row as usize] = true;
    }
    let queued = Queued::of(corpus, graph, &is_held);
    for (row, reason) in (0u32..).zip(reasons).filter(|(row, _)| !is_held[*row as usize]) {
        let entry = graph.entry(corpus, row);
        let below_same_top = held.is_some_and(|(leaf, _)| graph.root_of(leaf) == graph.root_of(row));
        *reason = Some(if entry.flags.has(Flags::SIDECHAIN) {
            Reason::Sidechain
        } else if kept.is_compacted(row) {
            Reason::Compacted
        } else if below_same_top && queued.is_prompt(row) {
            Reason::QueuedPrompt
        } else if below_same_top {
            Reason::OtherBranch
        } else if chain.end == End::Broken {
            Reason::Lost
        } else {
            Reason::Unconnected
        });
    }
}

/// Prompts that were typed while a tool ran: they hang on a call that is sent, or on one another there, and nothing below
/// them is an answer.
pub(super) struct Queued(Vec<bool>);

impl Queued {
    pub(super) fn of(corpus: &Corpus, graph: &Graph, is_held: &[bool]) -> Self {
        let is_held = |row: u32| is_held.get(row as usize).copied().unwrap_or_default();
        let mut answered = vec![false; graph.nodes.len()];
        for &row in graph.top_down().iter().rev() {
            answered[row as usize] |= graph.entry(corpus, row).kind == Kind::Assistant;
            if let Some(parent) = graph.node(row).parent.node().filter(|_| answered[row as usize]) {
                answered[parent as usize] = true;
            }
        }
        // What leads from a call to its prompts: other prompts and attachments, none of them sent.
        let mut beside = vec![false; graph.nodes.len()];
        for &row in graph.top_down() {
            let Some(parent) = graph.node(row).parent.node().filter(|_| !is_held(row)) else { continue };
            let on_call = is_held(parent) && graph.entry(corpus, parent).flags.has(Flags::CALL);
            beside[row as usize] = !answered[row as usize] && (on_call || beside[parent as usize]);
        }
        for row in 0..graph.main {
            beside[row as usize] &= graph.entry(corpus, row).flags.has(Flags::HUMAN);
        }
        Self(beside)
    }

    pub(super) fn is_prompt(&self, row: u32) -> bool {
        self.0[row as usize]
    }
}

/// Takes out what the client does not send although it is on the chain.
pub(super) fn unsent(
    corpus: &Corpus,
    graph: &Graph,
    sent: &mut Vec<u32>,
    generation: &Generation,
    reasons: &mut [Option<Reason>],
) {
    drop_where(sent, reasons, |row| by_itself(corpus, graph, row, generation));
    if generation.unanswered == Unanswered::Drop {
        let open = unanswered(corpus, graph, sent);
        let open: HashSet<u32, FixedState> = open.into_iter().map(|(row, _)| row).collect();
        drop_where(sent, reasons, |row| open.contains(&row).then_some(Reason::Unanswered));
    }
    if generation.drops_lone_thinking {
        let empty = empty_answers(corpus, graph, sent);
        drop_where(sent, reasons, |row| empty.contains(&row).then_some(Reason::NoContent));
    }
}

fn drop_where(sent: &mut Vec<u32>, reasons: &mut [Option<Reason>], reason: impl Fn(u32) -> Option<Reason>) {
    sent.retain(|&row| {
        let reason = reason(row);
        if reason.is_some() {
            reasons[row as usize] = reason;
        }
        reason.is_none()
    });
}

pub(super) fn by_itself(corpus: &Corpus, graph: &Graph, row: u32, generation: &Generation) -> Option<Reason> {
    let at = graph.node(row).at;
    let entry = corpus.entry(at);
    match entry.kind {
        Kind::Assistant if entry.flags.has(Flags::API_ERROR) => Some(Reason::ApiError),
        Kind::Assistant | Kind::User => None,
        // A command of the person, with what it printed, is sent as text.
        Kind::System => {
            let name = corpus.transcript(at.file).side(entry).map_or(Sym::NONE, |side| side.name);
            match corpus.strings.get(name) {
                Some("local_command") => None,
                Some("api_error") => Some(Reason::ApiError),
                _ => Some(Reason::Bookkeeping),
            }
        }
        Kind::Attachment if is_snapshot(corpus, at) => Some(Reason::Bookkeeping),
        Kind::Attachment if generation.sends_recorded_text && !entry.flags.has(Flags::RENDERED) => {
            Some(Reason::NotRendered)
        }
        Kind::Attachment => None,
        _ => Some(Reason::Bookkeeping),
    }
}

/// An attachment that tells of the system prompt and the tools: they are sent with every request, it never is.
pub(in crate::analysis::dag) fn is_snapshot(corpus: &Corpus, at: EntryRef) -> bool {
    let side = corpus.transcript(at.file).side(corpus.entry(at));
    side.is_some_and(|side| corpus.strings.get(side.name) == Some("prompt_snapshot"))
}

/// Calls in these entries whose result is not among them, in order.
pub(super) fn unanswered(corpus: &Corpus, graph: &Graph, sent: &[u32]) -> Vec<(u32, Sym)> {
    let Some(first) = graph.nodes.first() else { return Vec::new() };
    let rows = corpus.transcript(first.at.file);
    let mut place = vec![u32::MAX; rows.entries.len()];
    for &row in sent {
        place[graph.node(row).at.row as usize] = row;
    }
    let results = rows.results.iter().filter(|result| place[result.entry as usize] != u32::MAX);
    let answered: HashSet<Sym, FixedState> = results.map(|result| result.call).collect();
    let calls = rows.calls.iter().filter(|call| {
        rows.entries[call.entry as usize].flags.has(Flags::CALL) && !answered.contains(&call.id)
    });
    let open = calls.map(|call| (place[call.entry as usize], call.id));
    open.filter(|(row, _)| *row != u32::MAX).collect()
}

/// Entries of answers that hold nothing but thinking or white space.
fn empty_answers(corpus: &Corpus, graph: &Graph, sent: &[u32]) -> HashSet<u32, FixedState> {
    let answer = |row: u32| {
        let at = graph.node(row).at;
        let entry = corpus.entry(at);
        let answer = corpus.transcript(at.file).answer(entry)?;
        Some((answer.message, entry.flags.has_any(&Flags::CONTENT)))
    };
    let mut full: HashMap<Sym, bool, FixedState> = HashMap::default();
    for (message, has_content) in sent.iter().filter_map(|&row| answer(row)) {
        *full.entry(message).or_default() |= has_content;
    }
    let is_empty = |row: u32| {
        answer(row).is_some_and(|(message, has_content)| {
            !has_content && (message.is_none() || !full.get(&message).copied().unwrap_or_default())
        })
    };
    sent.iter().copied().filter(|&row| is_empty(row)).collect()
}
