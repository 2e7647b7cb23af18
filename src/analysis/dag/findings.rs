//! Findings about the graph of a session: at most one of each rule, with a count and the first place.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::branches::{Branch, Class};
use super::graph::{Graph, number_of};
use super::logical::{Stitch, logical_chain};
use super::report::{DagReport, report};
use super::resume::{self, GENERATIONS, Reason};
use super::rules::{
    AGENT_WITHOUT_PARENT, CONFLICTING_COPY, DANGLING_LOGICAL_PARENT, DANGLING_PARENT, JUMP_OVER_BOUNDARY,
    LOST_BRANCH, LOST_ON_RESUME, PARENT_CYCLE, UNANSWERED_TOOL_CALL, VERSION_DEPENDENT_LEAF,
};
use crate::finding::Finding;
use crate::model::{
    Agent, Corpus, Entry, EntryRef, FileKind, Flags, Kind, Location, Session, Sym, Transcript,
};
use crate::rule::{Confidence, Level, Rule};

/// Findings about the graphs of all sessions. Only one graph is held at a time.
#[must_use]
pub fn findings(corpus: &Corpus) -> Vec<Finding> {
    let mut findings = Vec::new();
    for session in 0..corpus.sessions.len() {
        // Without its main transcript everything that an agent names there is missing, which is one fact, not many.
        if corpus.sessions[session].main.is_some() {
            let graph = Graph::of(corpus, session);
            findings.extend(of_session(corpus, &graph, &report(corpus, &graph, session)));
        }
    }
    findings
}

/// Findings about the graph of one session with a main transcript.
#[must_use]
pub fn of_session(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Vec<Finding> {
    let session = &corpus.sessions[report.session];
    let found = [
        dangling_parents(corpus, graph, report),
        dangling_logical_parents(corpus, graph, report),
        cycles(corpus, graph),
        conflicting_copies(corpus, graph),
        lost_branches(corpus, graph, report),
        jumps(corpus, graph, report),
        unanswered_calls(corpus, session, report),
        lost_on_resume(corpus, graph, session),
        version_dependent_leaf(corpus, graph),
        agents_without_parent(corpus, session),
    ];
    found.into_iter().flatten().collect()
}

/// A finding at an entry, which was counted and not guessed.
fn at(rule: &'static Rule, corpus: &Corpus, place: EntryRef, message: String) -> Finding {
    let entry = corpus.entry(place);
    let path = corpus.file(place.file).path.as_str();
    rule.at(Location::bytes(path, entry.offset, u64::from(entry.len)), message)
        .confidence(Confidence::Certain)
}

fn dangling_parents(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<Finding> {
    let first = *report.dangling.first()?;
    let count = report.dangling.len();
    let broken = report.active_leaf.map(|leaf| graph.root_of(leaf));
    let broken = broken.filter(|top| report.dangling.binary_search(top).is_ok());
    let what = if broken.is_some() {
        "the conversation that goes on from the last prompt breaks here"
    } else {
        "the conversation that goes on from the last prompt is whole"
    };
    let place = graph.node(broken.unwrap_or(first)).at;
    let finding = at(&DANGLING_PARENT, corpus, place, format!("parents that are not there: {count}; {what}"))
        .evidence("entries", count)
        .evidence("chain", report.active_chain.len());
    Some(if broken.is_some() {
        finding.level(Level::Error).fix_sentence(
            "resume with client 2.1.247 or newer, which goes on at the entry before in time; older ones load nothing from before this place",
        )
    } else {
        finding.fix_sentence("nothing to do: what hangs here is not loaded on resume")
    })
}

fn dangling_logical_parents(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<Finding> {
    // Where the last entry kept is there, it is known what stands before.
    let dangling = report
        .logical
        .iter()
        .filter(|logical| logical.is_dangling() && !matches!(logical.stitch, Stitch::Segment(_)));
    let kept = |row: u32, named| {
        let place = graph.node(row).at;
        let boundary = corpus.transcript(place.file).boundary(corpus.entry(place));
        boundary.is_some_and(|boundary| {
            boundary.segment.is_some_and(|segment| named == segment.head || named == segment.tail)
                || boundary.preserved.as_ref().is_some_and(|kept| kept.entries.contains(&named))
        })
    };
    let (mut count, mut first, mut first_kept, mut kept_count) = (0u64, None, None, 0u64);
    for logical in dangling {
        count += 1;
        first = first.or(Some(logical.row));
        if kept(logical.row, logical.named) {
            kept_count += 1;
            first_kept = first_kept.or(Some(logical.row));
        }
    }
    let what = if kept_count > 0 { "; it was to be kept" } else { "" };
    let finding = at(
        &DANGLING_LOGICAL_PARENT,
        corpus,
        graph.node(first_kept.or(first)?).at,
        format!("compactions whose entry before them is not there: {count}{what}"),
    )
    .evidence("boundaries", count)
    .evidence("kept", kept_count);
    Some(if kept_count > 0 {
        finding.level(Level::Warning).fix_sentence(
            "what the compaction meant to keep is lost to the model; repeat it in a prompt if it matters",
        )
    } else {
        finding
            .fix_sentence("nothing to do: no client follows this link; only the order before it is a guess")
    })
}

fn cycles(corpus: &Corpus, graph: &Graph) -> Option<Finding> {
    let first = *graph.cycles.first()?;
    let count = graph.cycles.len();
    let message = format!("circles of parents: {count}; each is cut at its first entry");
    Some(at(&PARENT_CYCLE, corpus, graph.node(first).at, message).evidence("cycles", count).fix_sentence(
        "no client writes these: look for a program that edits transcripts; clients before 2.1.247 load nothing from above the circle",
    ))
}

/// Copies within one file are told of by `duplicate-uuid`.
fn conflicting_copies(corpus: &Corpus, graph: &Graph) -> Option<Finding> {
    let says = |place: EntryRef| {
        let entry = corpus.entry(place);
        let answer = corpus.transcript(place.file).answer(entry);
        (entry.kind, entry.time, entry.estimate, answer.map_or(Sym::NONE, |answer| answer.message))
    };
    let mut copies = graph.differing.iter().filter(|copy| {
        let first = graph.find(corpus.entry(**copy).node).map(|row| graph.node(row).at);
        first.is_some_and(|first| first.file != copy.file && says(first) != says(**copy))
    });
    let first = *copies.next()?;
    let count = copies.count() + 1;
    let message = format!("copies of entries of another transcript that say something else: {count}");
    Some(at(&CONFLICTING_COPY, corpus, first, message).evidence("copies", count).fix_sentence(
        "compare both entries before you trust this part; ccaudit takes the one of the main transcript",
    ))
}

/// What a person said and what was answered below each node of the main thread.
struct Talk {
    prompts: Vec<u32>,
    answers: Vec<u32>,
}

impl Talk {
    fn of(corpus: &Corpus, graph: &Graph) -> Self {
        let count = |is: &dyn Fn(&Entry) -> bool| -> Vec<u32> {
            graph.nodes.iter().map(|node| u32::from(is(corpus.entry(node.at)))).collect()
        };
        let mut talk = Self {
            prompts: count(&|entry| entry.flags.has(Flags::HUMAN) && !entry.flags.has(Flags::SIDECHAIN)),
            answers: count(&|entry| {
                entry.kind == Kind::Assistant && !entry.flags.has_any(&[Flags::SIDECHAIN, Flags::API_ERROR])
            }),
        };
        for &row in graph.top_down().iter().rev() {
            if let Some(parent) = graph.node(row).parent.node() {
                talk.prompts[parent as usize] += talk.prompts[row as usize];
                talk.answers[parent as usize] += talk.answers[row as usize];
            }
        }
        talk
    }
}

fn lost_branches(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<Finding> {
    let leaf = report.active_leaf?;
    let is_fork = |branch: &&Branch| matches!(branch.class, Class::Fork | Class::TwoProcesses);
    let mut forks = report.branches.iter().filter(is_fork).peekable();
    forks.peek()?;
    let mut on_chain = vec![false; graph.nodes.len()];
    for row in logical_chain(corpus, graph, &report.logical, leaf) {
        on_chain[row as usize] = true;
    }
    // Records of progress are links of a chain as well.
    for row in graph.ancestors(leaf) {
        on_chain[row as usize] = true;
    }
    let talk = Talk::of(corpus, graph);
    let input = |lead: u32| {
        let entry = graph.entry(corpus, lead);
        entry.kind == Kind::User && !entry.flags.has(Flags::RESULT)
    };
    let (mut count, mut first, mut prompts, mut answers) = (0u64, None, 0, 0);
    for fork in forks.filter(|fork| on_chain[fork.at as usize]) {
        // An input in the place of another is a rewind, whatever kind of input each is.
        let rewound = fork.class == Class::Fork
            && fork
                .arms
                .iter()
                .filter(|arm| on_chain[arm.row as usize])
                .filter_map(|arm| arm.lead)
                .all(input);
        for arm in fork.arms.iter().filter(|arm| !on_chain[arm.row as usize]) {
            let Some(lead) = arm.lead.filter(|&lead| !(rewound && input(lead))) else { continue };
            if talk.prompts[arm.row as usize] > 0 && talk.answers[arm.row as usize] > 0 {
                count += 1;
                first = first.or(Some(lead));
                prompts += talk.prompts[arm.row as usize];
                answers += talk.answers[arm.row as usize];
            }
        }
    }
    let message =
        format!("branches that the conversation does not go on from: {count}, with {prompts} prompts");
    let finding = at(&LOST_BRANCH, corpus, graph.node(first?).at, message)
        .confidence(Confidence::High)
        .evidence("branches", count)
        .evidence("prompts", prompts)
        .evidence("answers", answers);
    Some(finding.fix_sentence(
        "read it with `ccaudit dag show`; do not resume one session in two terminals, fork it (`--fork-session`)",
    ))
}

fn jumps(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<Finding> {
    // Results come when they come, and agents do not know of the compaction.
    let counts = |row: &&u32| {
        let entry = graph.entry(corpus, **row);
        matches!(entry.kind, Kind::User | Kind::Assistant)
            && !entry.flags.has_any(&[Flags::SIDECHAIN, Flags::RESULT])
    };
    let mut jumps = report.jumps.iter().filter(counts);
    let first = *jumps.next()?;
    let count = jumps.count() + 1;
    let message = format!("entries that hang on one from before a compaction that they follow: {count}");
    Some(at(&JUMP_OVER_BOUNDARY, corpus, graph.node(first).at, message).evidence("entries", count).fix_sentence(
        "`ccaudit dag resume` shows what the client would load; compact again if that is what was compacted already",
    ))
}

fn unanswered_calls(corpus: &Corpus, session: &Session, report: &DagReport) -> Option<Finding> {
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
    let message = format!("calls without a result that the conversation went on after: {count}");
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

fn lost_on_resume(corpus: &Corpus, graph: &Graph, session: &Session) -> Option<Finding> {
    let version = corpus.strings.text(resume::newest_version(corpus, session.main?));
    let resume = resume::resume(corpus, graph, resume::choose(version));
    let mut lost = resume.dropped.iter().filter(|(_, reason)| *reason == Reason::QueuedPrompt);
    let first = lost.next()?.0;
    let count = lost.count() + 1;
    let message = format!("prompts that were typed while a tool ran and do not come back: {count}");
    Some(
        at(&LOST_ON_RESUME, corpus, first, message)
            .confidence(Confidence::High)
            .evidence("prompts", count)
            .fix_sentence("say it again after you resume: the model saw it once and will not see it again"),
    )
}

fn version_dependent_leaf(corpus: &Corpus, graph: &Graph) -> Option<Finding> {
    let mut places: Vec<(&str, EntryRef)> = Vec::new();
    for generation in &GENERATIONS {
        let leaf = resume::leaf(corpus, graph, resume::choose(generation.seen));
        places.extend(leaf.map(|leaf| (generation.seen, leaf)));
    }
    let turns: Vec<_> = places.iter().map(|(_, leaf)| turn(corpus, graph, *leaf)).collect();
    let other = turns.iter().position(|turn| *turn != turns[0])?;
    let ((old, _), (new, place)) = (places[0], places[other]);
    // Without a time nothing tells which message is the newest.
    if places.iter().any(|(_, leaf)| corpus.entry(*leaf).time.is_none()) {
        return None;
    }
    let message = format!("client {old} would go on from another message than client {new}");
    Some(
        at(&VERSION_DEPENDENT_LEAF, corpus, place, message)
            .confidence(Confidence::High)
            .evidence("older", old)
            .evidence("newer", new)
            .fix_sentence(
                "resume with the client version that wrote it; `ccaudit dag resume --client` shows each",
            ),
    )
}

/// The prompt or answer that a leaf belongs to: results, commands and records of the client stand for what they follow.
fn turn(corpus: &Corpus, graph: &Graph, leaf: EntryRef) -> Option<(Sym, u32)> {
    let row = graph.find(corpus.entry(leaf).node)?;
    let says = |row: &u32| {
        let entry = graph.entry(corpus, *row);
        entry.flags.has(Flags::HUMAN) || (entry.kind == Kind::Assistant && !entry.flags.has(Flags::API_ERROR))
    };
    let row = graph.ancestors(row).find(says)?;
    let place = graph.node(row).at;
    let answer = corpus.transcript(place.file).answer(corpus.entry(place));
    let message = answer.map_or(Sym::NONE, |answer| answer.message);
    Some((message, if message.is_some() { 0 } else { row }))
}

fn agents_without_parent(corpus: &Corpus, session: &Session) -> Option<Finding> {
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
    let message = format!("agents whose starting call is in no transcript of the session: {count}");
    Some(
        AGENT_WITHOUT_PARENT
            .at(Location::file(corpus.file(first.file).path.as_str()), message)
            .evidence("agents", count)
            .fix_sentence("nothing to do: its tokens and costs count for the session all the same"),
    )
}

/// Calls of the agent tool that no agent is linked to.
fn unclaimed_calls(corpus: &Corpus, session: &Session) -> usize {
    let files = session.agents.iter().map(|&row| corpus.agents[row].file);
    let claimed: HashSet<EntryRef, FixedState> =
        session.agents.iter().filter_map(|&row| corpus.agents[row].call).collect();
    let mut count = 0;
    for file in session.main.into_iter().chain(files) {
        let calls = corpus.transcript(file).calls.iter().filter(|call| {
            matches!(corpus.strings.get(call.name), Some("Agent" | "Task"))
                && !claimed.contains(&EntryRef { file, row: call.entry })
        });
        count += calls.count();
    }
    count
}
