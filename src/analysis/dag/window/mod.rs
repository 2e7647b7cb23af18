//! What the model had in its window at one moment, as far as the transcript tells.
//!
//! The prompt of a request is measured; what it was made of is recorded in part only. The text of entries has no
//! measured size, so their tokens are estimated; what is missing between both is told, not spread over them.

mod parts;

pub use parts::{Basis, PartKind, WindowPart};

use super::graph::{Graph, Parent};
use super::lanes::{Lane, Step, lanes};
use super::report::DagReport;
use super::resume::{self, Choice, End};
use crate::model::{Corpus, EntryRef, FileId};
use crate::source::Source;

/// A window.
#[derive(Clone, Debug)]
pub struct Window {
    /// The node that was asked for.
    pub at: u32,
    /// Row in [`Corpus::responses`] of the answer to this prompt; `None` where none followed.
    pub answer: Option<usize>,
    /// Prompt tokens of that request, as the API counted them.
    pub measured: Option<u128>,
    /// The same of the first request of the lane, or the first after the compaction before this one.
    pub first: Option<u128>,
    /// Tokens of the first prompt beyond what is recorded of it: system prompt and tools, where no snapshot of them
    /// stands in the transcript. Measured prompt less estimated text.
    pub unrecorded: Option<u128>,
    /// The nodes that it was made of, in the order of the chain; prompts that hang beside it last.
    pub rows: Vec<u32>,
    /// Largest first within each kind.
    pub parts: Vec<WindowPart>,
    /// How the chain above ended: broken where earlier entries are missing.
    pub end: End,
    pub choice: Choice,
}

impl Window {
    /// Estimated tokens of all that is recorded.
    #[must_use]
    pub fn recorded(&self) -> u128 {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// What the parts and the unrecorded tokens leave of the measured prompt, or exceed it by: the error of the estimate,
    /// and whatever came and went without a record. Unknown where either is.
    #[must_use]
    pub fn difference(&self) -> Option<i128> {
        let parts = self.recorded() + self.unrecorded?;
        Some(i128::try_from(self.measured?).ok()? - i128::try_from(parts).ok()?)
    }

    /// What the window is known to have held: the measured prompt, else the estimate of all its parts.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.measured.unwrap_or_else(|| self.recorded() + self.unrecorded.unwrap_or(0))
    }
}

/// The window of the request that a node belongs to: that which it answers, or else the first below it.
#[must_use]
pub fn window(corpus: &Corpus, graph: &Graph, source: &dyn Source, session: usize, at: u32) -> Window {
    let file = graph.node(at).at.file;
    let version = corpus.transcript(file).envelope(graph.entry(corpus, at)).version;
    let newest = resume::newest_version(corpus, file);
    let version = corpus.strings.get(version).unwrap_or_else(|| corpus.strings.text(newest));
    let choice = resume::choose(version);
    let lanes = lanes(corpus, graph, session);
    let asked = request(corpus, graph, &lanes, at);
    let live = |request: Option<Request>| {
        let (leaf, limit) =
            request.map_or((Some(at), u32::MAX), |request| (request.above.node(), request.first));
        leaf.map(|leaf| resume::live(corpus, graph, leaf, limit, choice))
    };
    // An answer may hang on nothing, or on an entry that is not there.
    let end_without = |request: Option<Request>| match request.map(|request| request.above) {
        Some(Parent::Missing(_) | Parent::Cut(_)) => End::Broken,
        _ => End::Top,
    };
    let now = live(asked);
    let rows = now.as_ref().map_or(&[][..], |live| live.rows.as_slice());
    let limit = asked.map_or(u32::MAX, |request| request.first);
    let mut parts = parts::of(corpus, graph, source, rows);
    let snapshot = parts::snapshot(corpus, graph, source, file, limit);
    let first = first_of(corpus, graph, &lanes, asked, file);
    let first_prompt = first.map(|first| corpus.responses[first.response].usage.prompt());
    let unrecorded = first.zip(first_prompt).and_then(|(first, prompt)| {
        let before = live(Some(first));
        // What is missing there was part of the prompt as well.
        let end = before.as_ref().map_or_else(|| end_without(Some(first)), |live| live.end);
        if end == End::Broken {
            return None;
        }
        let rows = before.map(|live| live.rows).unwrap_or_default();
        let text = parts::of(corpus, graph, source, &rows).iter().map(|part| part.tokens).sum::<u128>();
        let snapshot = snapshot.iter().map(|part| part.tokens).sum::<u128>();
        Some(prompt.saturating_sub(text + snapshot))
    });
    parts.splice(0..0, snapshot);
    Window {
        at,
        answer: asked.map(|request| request.response),
        measured: asked.map(|request| corpus.responses[request.response].usage.prompt()),
        first: first_prompt,
        unrecorded,
        rows: rows.iter().map(|(row, _)| *row).collect(),
        parts,
        end: now.map_or_else(|| end_without(asked), |live| live.end),
        choice,
    }
}

/// The last answer on the chain of the active leaf, or that leaf where there is none.
#[must_use]
pub fn last_request(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<u32> {
    let is_answer = |row: &&u32| corpus.response_of(graph.node(**row).at).is_some();
    report.active_chain.iter().rfind(is_answer).copied().or(report.active_leaf)
}

/// A request by its answer.
#[derive(Clone, Copy)]
struct Request {
    response: usize,
    /// The first node of the answer.
    first: u32,
    above: Parent,
}

impl Request {
    fn of(corpus: &Corpus, graph: &Graph, response: usize, at: EntryRef) -> Option<Self> {
        let first = graph.find(corpus.entry(at).node)?;
        Some(Self { response, first, above: graph.node(first).parent })
    }
}

fn request(corpus: &Corpus, graph: &Graph, lanes: &[Lane], at: u32) -> Option<Request> {
    let steps = || lanes.iter().flat_map(|lane| &lane.steps);
    let of = |response: usize| {
        let step = steps().find(|step| step.response == response)?;
        Request::of(corpus, graph, response, step.at)
    };
    if let Some(response) = corpus.response_of(graph.node(at).at) {
        return of(response);
    }
    // Nodes come after their parents there, so one pass finds all that hang below.
    let mut below = vec![false; graph.nodes.len()];
    below[at as usize] = true;
    let mut next: Option<u32> = None;
    for &row in graph.top_down() {
        if !graph.node(row).parent.node().is_some_and(|parent| below[parent as usize]) {
            continue;
        }
        below[row as usize] = true;
        let place = graph.node(row).at;
        if place.file == graph.node(at).at.file && corpus.response_of(place).is_some() {
            next = Some(next.map_or(row, |next| next.min(row)));
        }
    }
    of(corpus.response_of(graph.node(next?).at)?)
}

/// The first request with the same beginning as another, in the same lane: the first of the lane, or the first after
/// the compaction before it. Without another, the first of a transcript.
fn first_of(
    corpus: &Corpus,
    graph: &Graph,
    lanes: &[Lane],
    asked: Option<Request>,
    file: FileId,
) -> Option<Request> {
    let of = |step: &Step| Request::of(corpus, graph, step.response, step.at);
    let Some(asked) = asked else { return of(lanes.iter().find(|lane| lane.file == file)?.steps.first()?) };
    let lane = lanes.iter().find(|lane| lane.steps.iter().any(|step| step.response == asked.response))?;
    let top = graph.root_of(asked.first);
    lane.steps.iter().filter_map(of).find(|request| graph.root_of(request.first) == top)
}
