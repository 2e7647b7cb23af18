//! Tool calls without a result, and agents without a call.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::super::graph::number_of;
use super::super::report::DagReport;
use super::super::rules::{AGENT_WITHOUT_PARENT, UNANSWERED_TOOL_CALL};
use super::at;
use crate::finding::Finding;
use crate::model::{
    Agent, Corpus, Entry, EntryRef, FileKind, Flags, Kind, Location, Session, Sym, ToolCall, Transcript,
};
use crate::words;

pub(super) fn unanswered_calls(corpus: &Corpus, session: &Session, report: &DagReport) -> Option<Finding> {
    let open: HashSet<Sym, FixedState> = report.unmatched.overall.iter().copied().collect();
    if open.is_empty() {
        return None;
    }
    let agents = session.agents.iter().map(|&row| corpus.agents[row].file);
    let mut told: HashSet<Sym, FixedState> = HashSet::default();
    let mut first = None;
    for file in session.main.into_iter().chain(agents) {
        let rows = corpus.transcript(file);
        let end = last_turn(rows);
        for call in rows.calls.iter().filter(|call| open.contains(&call.id) && call.entry < end) {
            if told.insert(call.id) {
                first = first.or(Some(EntryRef { file, row: call.entry }));
            }
        }
    }
    let count = told.len();
    let message =
        format!("calls without a result that the conversation went on after: {}", words::count(count as u64));
    Some(at(&UNANSWERED_TOOL_CALL, corpus, first?, message).evidence("calls", count).fix_sentence(
        "nothing to do: clients leave such a call out on resume, or say that it was interrupted",
    ))
}

/// Where the last answer of a transcript begins, if nothing was said after it: its calls may still be running, or
/// were when the client was ended.
fn last_turn(rows: &Transcript) -> u32 {
    let mut messages = rows
        .entries
        .iter()
        .enumerate()
        .map(|(row, entry)| (number_of(row), entry))
        .rev()
        .filter(|(_, entry)| matches!(entry.kind, Kind::User | Kind::Assistant))
        .skip_while(|(_, entry)| entry.flags.has(Flags::RESULT))
        .peekable();
    let id = |entry: &Entry| rows.answer(entry).map_or(Sym::NONE, |answer| answer.message);
    let Some(last) = messages.peek().map(|(_, entry)| *entry) else { return u32::MAX };
    let same = |entry: &Entry| {
        entry.flags.has(Flags::RESULT) || (entry.kind == Kind::Assistant && id(entry) == id(last))
    };
    messages.take_while(|(_, entry)| same(entry)).last().map_or(u32::MAX, |(row, _)| row)
}

pub(super) fn agents_without_parent(corpus: &Corpus, session: &Session) -> Option<Finding> {
    let agents = || session.agents.iter().map(|&row| &corpus.agents[row]);
    // Clients also run agents of their own, which use no tools.
    let is_lone = |agent: &&Agent| {
        agent.call.is_none()
            && corpus.file(agent.file).kind == FileKind::Agent
            && corpus.transcript(agent.file).entries.iter().any(|entry| entry.flags.has(Flags::CALL))
    };
    let mut lone = agents().filter(is_lone);
    let first = lone.next()?;
    let count = lone.count() + 1;
    // A call that was interrupted does not say which agent it started.
    if unclaimed_calls(corpus, session) >= count {
        return None;
    }
    let message = format!(
        "agents whose starting call is in no transcript of the session: {}",
        words::count(count as u64)
    );
    Some(
        AGENT_WITHOUT_PARENT
            .at(Location::file(corpus.file(first.file).path.as_str()), message)
            .evidence("agents", count)
            .fix_sentence("nothing to do: its tokens and costs count for the session all the same"),
    )
}

/// Calls of the agent tool that no agent is linked to; copies of a call are one.
fn unclaimed_calls(corpus: &Corpus, session: &Session) -> usize {
    let files = session.agents.iter().map(|&row| corpus.agents[row].file);
    // One entry may hold several calls, and be that of several agents.
    let mut claimed: HashMap<EntryRef, usize, FixedState> = HashMap::default();
    for at in session.agents.iter().filter_map(|&row| corpus.agents[row].call) {
        *claimed.entry(at).or_default() += 1;
    }
    let (mut known, mut linked) =
        (HashSet::<Sym, FixedState>::default(), HashSet::<Sym, FixedState>::default());
    for file in session.main.into_iter().chain(files) {
        let is_agent = |call: &&ToolCall| matches!(corpus.strings.get(call.name), Some("Agent" | "Task"));
        for call in corpus.transcript(file).calls.iter().filter(is_agent) {
            known.insert(call.id);
            let at = EntryRef { file, row: call.entry };
            if let Some(left) = claimed.get_mut(&at).filter(|left| **left > 0)
                && linked.insert(call.id)
            {
                *left -= 1;
            }
        }
    }
    known.len() - linked.len()
}
