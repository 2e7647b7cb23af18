//! The entries that `--resume` would send, in their order, for a client version.
//!
//! The steps follow what real clients were seen to do, one file each: what a compaction kept is put back, a leaf is
//! chosen, its chain is walked up, answers are made whole again, and what cannot be sent is left out.

mod chain;
mod filter;
mod generation;
mod kept;
mod leaf;
mod links;
mod live;
mod order;
mod siblings;

pub(in crate::analysis::dag) use filter::is_snapshot;
pub(in crate::analysis::dag) use live::live;

pub use generation::{Choice, GENERATIONS, Generation, LeafRule, Unanswered, choose, parse};

use super::graph::Graph;
use crate::model::{Corpus, EntryRef, FileId, Sym};
use chain::Chain;
use kept::Kept;
use links::Links;

/// Why an entry is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It is on the chain of the leaf.
    Chain,
    /// It is on the chain because a link that led nowhere was replaced.
    Repaired,
    /// The last compaction kept it.
    Kept,
    /// Another part of an answer on the chain, or the result of a call in it.
    Sibling,
}

/// Why an entry is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It stands before the last compaction, which did not keep it.
    Compacted,
    /// It belongs to an agent.
    Sidechain,
    /// It hangs beside the chain or below its leaf.
    OtherBranch,
    /// A prompt that was typed while a tool ran and sent at once, but hangs beside the chain: it does not come back.
    QueuedPrompt,
    /// The chain broke below it.
    Lost,
    /// Nothing connects it with the chain.
    Unconnected,
    /// A record of the client that is not for the model.
    Bookkeeping,
    /// An attachment without the text that was sent for it.
    NotRendered,
    /// An error of the API.
    ApiError,
    /// A tool call without a result.
    Unanswered,
    /// An answer with nothing but thinking or white space.
    NoContent,
}

/// Something that the client makes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synthesised {
    /// The entry that it follows.
    pub after: EntryRef,
    pub what: MadeUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeUp {
    /// A result that says the call with this id was interrupted.
    Result(Sym),
    /// A prompt: `Continue from where you left off.`
    Continue,
    /// An answer: `No response requested.`
    NoResponse,
}

/// How the walk up from the leaf ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At an entry without a parent.
    Top,
    /// At the last boundary.
    Boundary,
    /// At a link that leads nowhere or in a circle, which this client does not repair.
    Broken,
}

/// What a client would load of a main transcript.
#[derive(Debug)]
pub struct Resume {
    pub choice: Choice,
    /// `None`: the client finds no conversation in the file.
    pub leaf: Option<EntryRef>,
    pub end: End,
    /// In the order in which they are sent.
    pub entries: Vec<(EntryRef, Why)>,
    /// All other nodes of the main transcript, in file order.
    pub dropped: Vec<(EntryRef, Reason)>,
    pub synthesised: Vec<Synthesised>,
}

/// What a client would load of the main transcript of a session.
#[must_use]
pub fn resume(corpus: &Corpus, graph: &Graph, choice: Choice) -> Resume {
    let generation = choice.generation;
    let kept = Kept::of(corpus, graph, choice);
    let links = Links::of(graph, &kept);
    let mut reasons = vec![None; graph.main as usize];
    let Some(leaf) = leaf::choose(corpus, graph, &links, generation) else {
        let chain = Chain { rows: Vec::new(), repaired: Vec::new(), end: End::Top };
        filter::unreached(corpus, graph, &kept, &chain, None, &mut reasons);
        let dropped = listed(graph, &reasons);
        return Resume {
            choice,
            leaf: None,
            end: End::Top,
            entries: Vec::new(),
            dropped,
            synthesised: Vec::new(),
        };
    };
    let chain = chain::walk(corpus, graph, &links, &kept, leaf, generation);
    let whole = siblings::put_back(corpus, graph, &kept, &chain);
    let mut sent: Vec<u32> = whole.iter().map(|(row, _)| *row).collect();
    filter::unreached(corpus, graph, &kept, &chain, Some((leaf, &sent)), &mut reasons);
    filter::unsent(corpus, graph, &mut sent, generation, &mut reasons);
    let mut whys = vec![Why::Chain; graph.main as usize];
    for (row, why) in whole {
        whys[row as usize] = why;
    }
    let synthesised = order::made_up(corpus, graph, &chain.rows, &sent, &reasons, generation);
    let sent = order::on_the_wire(corpus, graph, &sent);
    Resume {
        choice,
        leaf: Some(graph.node(leaf).at),
        end: chain.end,
        entries: sent.iter().map(|&row| (graph.node(row).at, whys[row as usize])).collect(),
        dropped: listed(graph, &reasons),
        synthesised,
    }
}

/// What the other generations of clients would load, where that differs from `chosen`.
#[must_use]
pub fn others(corpus: &Corpus, graph: &Graph, chosen: &Resume) -> Vec<Resume> {
    let entries = |resume: &Resume| resume.entries.iter().map(|(at, _)| *at).collect::<Vec<_>>();
    let all = GENERATIONS.iter().map(|generation| resume(corpus, graph, choose(generation.seen)));
    all.filter(|other| entries(other) != entries(chosen)).collect()
}

fn listed(graph: &Graph, reasons: &[Option<Reason>]) -> Vec<(EntryRef, Reason)> {
    let nodes = graph.nodes.iter().zip(reasons);
    nodes.filter_map(|(node, reason)| reason.map(|reason| (node.at, reason))).collect()
}

/// The entry that a client would go on from, without the rest of what it would load; `None` where it finds no
/// conversation.
#[must_use]
pub fn leaf(corpus: &Corpus, graph: &Graph, choice: Choice) -> Option<EntryRef> {
    let links = Links::of(graph, &Kept::of(corpus, graph, choice));
    leaf::choose(corpus, graph, &links, choice.generation).map(|row| graph.node(row).at)
}

/// The newest client version that wrote into a transcript; [`Sym::NONE`] where no entry names one.
#[must_use]
pub fn newest_version(corpus: &Corpus, file: FileId) -> Sym {
    let versions = corpus.transcript(file).envelopes.iter().map(|envelope| envelope.version);
    let named = versions.filter_map(|version| Some((parse(corpus.strings.get(version)?)?, version)));
    named.max_by_key(|(number, _)| *number).map_or(Sym::NONE, |(_, version)| version)
}
