//! `ccaudit.dag-lanes/v1`

use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::dag::{Lane, LaneKind};
use crate::model::{Corpus, EntryRef};
use crate::prices::Pricer;
use crate::view::{Class, Names, dag as words, utc};

/// The lanes of a session: the main thread, then the others as they begin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DagLanes {
    pub session: String,
    pub lanes: Vec<LaneV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LaneV1 {
    /// `main`, `agent`, `sidechain` or `side-request`.
    pub kind: &'static str,
    /// The id of the agent; `null` inside the main transcript.
    pub agent: Option<String>,
    /// The type of the agent, where its meta file names one.
    pub agent_type: Option<String>,
    /// The entry with the tool call that started it; `null` where none is known.
    pub started_in: Option<String>,
    /// The entry of another lane that its first entry hangs on.
    pub hangs_on: Option<String>,
    /// Tokens of its largest prompt.
    pub largest_prompt: u128,
    /// What the session owns of it, advisor calls included.
    pub input: u128,
    pub written: u128,
    pub read: u128,
    pub output: u128,
    pub cost_pico_usd: u128,
    pub unpriced: u64,
    /// In the order of the chain.
    pub responses: Vec<StepV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StepV1 {
    /// `message.id`, else `requestId`; `null` where neither is known.
    pub response: Option<String>,
    /// The uuid of its first entry.
    pub entry: Option<String>,
    /// The response whose prompt it goes on from.
    pub before: Option<String>,
    /// Another session owns it.
    pub inherited: bool,
    pub model: String,
    pub start: Option<String>,
    pub prompt: u128,
    pub read: u64,
    pub output: u64,
}

/// The lanes as data.
#[must_use]
pub fn dag_lanes(
    lanes: &[Lane],
    session: usize,
    corpus: &Corpus,
    pricer: &Pricer<'_>,
    names: &Names,
) -> DagLanes {
    DagLanes {
        session: names.name(Class::Session, &corpus.sessions[session].id),
        lanes: lanes.iter().map(|lane| one(lane, corpus, pricer, names)).collect(),
    }
}

fn one(lane: &Lane, corpus: &Corpus, pricer: &Pricer<'_>, names: &Names) -> LaneV1 {
    let spend = lane.spend(corpus, pricer);
    let node = |at: EntryRef| Some(corpus.entry(at).node).filter(|id| id.is_some());
    let uuid = |at: EntryRef| node(at).map(|id| names.entry(&corpus.nodes, id));
    let id = |row: usize| corpus.strings.get(corpus.responses[row].id);
    let id = |row: usize| id(row).map(|id| names.name(Class::Response, id));
    LaneV1 {
        kind: match lane.kind {
            LaneKind::Main => "main",
            LaneKind::Agent => "agent",
            LaneKind::Sidechain => "sidechain",
            LaneKind::SideRequest => "side-request",
        },
        agent: lane.agent.map(|row| names.name(Class::Agent, &corpus.agents[row].id)),
        agent_type: lane.agent.and_then(|agent| words::agent_type(agent, corpus, names)),
        started_in: lane.call.and_then(uuid),
        hangs_on: lane.hangs_on.and_then(uuid),
        largest_prompt: words::largest_prompt(lane, corpus),
        input: spend.tokens.input,
        written: spend.tokens.written(),
        read: spend.tokens.read,
        output: spend.tokens.output,
        cost_pico_usd: spend.cost,
        unpriced: spend.unpriced,
        responses: lane
            .steps
            .iter()
            .map(|step| {
                let response = &corpus.responses[step.response];
                StepV1 {
                    response: id(step.response),
                    entry: uuid(step.at),
                    before: step.before.and_then(id),
                    inherited: step.inherited,
                    model: names.name(Class::Model, corpus.strings.text(response.model)),
                    start: utc(response.start),
                    prompt: response.usage.prompt(),
                    read: response.usage.read,
                    output: response.usage.output,
                }
            })
            .collect(),
    }
}
