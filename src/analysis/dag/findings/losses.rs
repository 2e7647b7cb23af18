//! What of the conversation would not come back, or not where it is looked for.

use super::super::branches::{Branch, Class};
use super::super::graph::Graph;
use super::super::logical::logical_chain;
use super::super::report::DagReport;
use super::super::resume::{self, GENERATIONS, Reason};
use super::super::rules::{JUMP_OVER_BOUNDARY, LOST_BRANCH, LOST_ON_RESUME, VERSION_DEPENDENT_LEAF};
use super::at;
use crate::finding::Finding;
use crate::model::{Corpus, Entry, EntryRef, Flags, Kind, Session, Sym};
use crate::rule::Confidence;
use crate::words;
use crate::words::counted;

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

pub(super) fn lost_branches(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<Finding> {
    let leaf = report.active_leaf?;
    let is_fork = |branch: &&Branch| matches!(branch.class, Class::Fork | Class::TwoProcesses);
    let mut forks = report.branches.iter().filter(is_fork).peekable();
    forks.peek()?;
    // Records of progress are links of a chain as well.
    // No finding rests on a guess.
    let chain = logical_chain(corpus, graph, &report.logical, leaf, false);
    let on_chain = graph.mask(chain.into_iter().chain(graph.ancestors(leaf)));
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
    let message = format!(
        "branches that the conversation does not go on from: {}, with {}",
        words::count(count),
        counted(prompts, "prompt", "prompts")
    );
    let finding = at(&LOST_BRANCH, corpus, graph.node(first?).at, message)
        .confidence(Confidence::High)
        .evidence("branches", count)
        .evidence("prompts", prompts)
        .evidence("answers", answers);
    Some(finding.fix_sentence(
        "read what is lost in the transcript; do not resume one session in two terminals, fork it (`--fork-session`)",
    ))
}

pub(super) fn jumps(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<Finding> {
    // Results come when they come, and agents do not know of the compaction.
    let counts = |row: &&u32| {
        let entry = graph.entry(corpus, **row);
        matches!(entry.kind, Kind::User | Kind::Assistant)
            && !entry.flags.has_any(&[Flags::SIDECHAIN, Flags::RESULT])
    };
    let mut jumps = report.jumps.iter().filter(counts);
    let first = *jumps.next()?;
    let count = jumps.count() + 1;
    let message = format!(
        "entries that hang on one from before a compaction that they follow: {}",
        words::count(count as u64)
    );
    Some(at(&JUMP_OVER_BOUNDARY, corpus, graph.node(first).at, message).evidence("entries", count).fix_sentence(
        "`ccaudit dag resume` shows what the client would load; compact again if that is what was compacted already",
    ))
}

pub(super) fn lost_on_resume(corpus: &Corpus, graph: &Graph, session: &Session) -> Option<Finding> {
    let version = corpus.strings.text(resume::newest_version(corpus, session.main?));
    let resume = resume::resume(corpus, graph, resume::choose(version));
    let mut lost = resume.dropped.iter().filter(|(_, reason)| *reason == Reason::QueuedPrompt);
    let first = lost.next()?.0;
    let count = lost.count() + 1;
    let message = format!(
        "prompts that were typed while a tool ran and do not come back: {}",
        words::count(count as u64)
    );
    Some(
        at(&LOST_ON_RESUME, corpus, first, message)
            .confidence(Confidence::High)
            .evidence("prompts", count)
            .fix_sentence("say it again after you resume: the model saw it once and will not see it again"),
    )
}

pub(super) fn version_dependent_leaf(corpus: &Corpus, graph: &Graph) -> Option<Finding> {
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
