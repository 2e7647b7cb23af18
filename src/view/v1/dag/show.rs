//! `ccaudit.dag-show/v1`

use schemars::JsonSchema;
use serde::Serialize;

use super::list::class;
use crate::analysis::dag::show::{Part, PartKind, Start, State, Strand};
use crate::model::{EntryRef, NodeId, Sym, Time};
use crate::view::dag::{Shown, agent_type, entry_type, mode_name};
use crate::view::{Class, utc};

/// A session as a conversation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DagShow {
    pub session: String,
    pub head: HeadV1,
    pub branches: Vec<StrandV1>,
    /// In reading order: a branch stands right after the part that it hangs on.
    pub parts: Vec<PartV1>,
}

/// Of records that are written again and again the last one counts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HeadV1 {
    pub title: Option<String>,
    /// A title that the client had made up.
    pub generated_title: Option<String>,
    pub mode: Option<String>,
    pub permission_mode: Option<String>,
    pub worktree: Option<String>,
    /// A goal is recorded; its text stands in `goal` where `--text` was given.
    pub has_goal: bool,
    pub goal: Option<String>,
    /// List price of what the session owns, agents included.
    pub cost_pico_usd: u128,
    pub unpriced: u64,
    /// The client's own running total.
    pub client_cost_pico_usd: Option<u128>,
    /// Each time that they change.
    pub folders: Vec<String>,
    pub git_branches: Vec<String>,
    pub versions: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StrandV1 {
    /// The number that `--branch` takes.
    pub branch: u64,
    /// `first`, `root`, `lost`, `circle`, `sidechain`, or the class of the branch point: `retry`, `rewind`,
    /// `queued-prompt`, `two-processes`, `replay`, `fork`.
    pub start: &'static str,
    pub first: String,
    /// The entry that it hangs on.
    pub at: Option<String>,
    /// How many branches it hangs below.
    pub depth: u32,
    /// It is on the chain of the entry that the newest client of the session goes on from.
    pub active: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct PartV1 {
    /// Its place in the whole session.
    pub place: u64,
    /// `opening`, `turn` or `compaction`.
    pub kind: &'static str,
    pub branch: u64,
    /// `active`, `compacted` (it stands before a compaction that the client goes on from), `beyond` (below the entry that
    /// it goes on from), `left-behind`, `unconnected` or `agent`.
    pub state: &'static str,
    pub start: Option<String>,
    pub took_ms: u64,
    /// Responses that first appear in it, inherited ones too.
    pub responses: u64,
    /// Those of them that another session owns.
    pub inherited_responses: u64,
    pub calls: u64,
    /// Of its last response.
    pub prompt: Option<u128>,
    /// What the session owns of its responses, without those of agents.
    pub input: u128,
    pub written: u128,
    pub read: u128,
    pub output: u128,
    pub cost_pico_usd: u128,
    pub unpriced: u64,
    pub agents: Vec<AgentV1>,
    /// In file order.
    pub entries: Vec<NodeV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AgentV1 {
    pub agent: String,
    pub agent_type: Option<String>,
    /// What the session owns of its responses.
    pub responses: u64,
    pub output: u128,
    pub cost_pico_usd: u128,
    pub unpriced: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeV1 {
    pub uuid: String,
    /// The entry that it hangs on, where that is there.
    pub parent: Option<String>,
    pub r#type: String,
    pub time: Option<String>,
    pub offset: u64,
    pub len: u32,
    /// Tokens of its text, estimated.
    pub estimate: u32,
    /// What it says, shortened, where `--text` was given.
    pub text: Option<String>,
}

/// The conversation as data; of `--around` the one part.
#[must_use]
pub fn dag_show(shown: &Shown<'_>) -> DagShow {
    let Shown { corpus, outline, names, .. } = shown;
    let parts = outline.parts.iter().enumerate();
    let parts = parts.filter(|(at, _)| shown.around.is_none_or(|part| part == *at));
    DagShow {
        session: names.name(Class::Session, &corpus.sessions[shown.session].id),
        head: head(shown),
        branches: outline
            .strands
            .iter()
            .enumerate()
            .map(|(row, strand)| branch(row, strand, shown))
            .collect(),
        parts: parts.map(|(at, one)| part(at, one, shown)).collect(),
    }
}

fn head(shown: &Shown<'_>) -> HeadV1 {
    let Shown { corpus, head, names, .. } = shown;
    let named = |text: &Option<String>| text.as_ref().map(|text| names.name(Class::Other, text));
    let text = |sym: &Sym| corpus.strings.text(*sym);
    HeadV1 {
        title: named(&head.title),
        generated_title: named(&head.generated_title),
        mode: head.mode.as_deref().map(|mode| mode_name(mode, names)),
        permission_mode: head.permission_mode.as_deref().map(|mode| mode_name(mode, names)),
        worktree: head.worktree.as_ref().map(|path| names.path(path)),
        has_goal: head.goal.is_some(),
        goal: head.goal.clone().filter(|_| shown.text.is_some()),
        cost_pico_usd: head.spend.cost,
        unpriced: head.spend.unpriced,
        client_cost_pico_usd: head.client_cost,
        folders: head.folders.iter().map(|sym| names.path(text(sym))).collect(),
        git_branches: head.branches.iter().map(|sym| names.name(Class::Other, text(sym))).collect(),
        versions: head.versions.iter().map(|sym| names.name(Class::Version, text(sym))).collect(),
    }
}

fn uuid(shown: &Shown<'_>, id: NodeId) -> String {
    shown.names.entry(&shown.corpus.nodes, id)
}

fn branch(row: usize, strand: &Strand, shown: &Shown<'_>) -> StrandV1 {
    StrandV1 {
        branch: row as u64 + 1,
        start: match strand.start {
            Start::First => "first",
            Start::Root => "root",
            Start::Lost => "lost",
            Start::Circle => "circle",
            Start::Sidechain => "sidechain",
            Start::Arm(fork) => class(fork),
        },
        first: uuid(shown, shown.graph.node(strand.first).id),
        at: strand.at.map(|node| uuid(shown, shown.graph.node(node).id)),
        depth: strand.depth,
        active: strand.active,
    }
}

fn part(at: usize, part: &Part, shown: &Shown<'_>) -> PartV1 {
    let Shown { corpus, names, .. } = shown;
    let facts = &shown.facts[at];
    PartV1 {
        place: part.number as u64,
        kind: match part.kind {
            PartKind::Opening => "opening",
            PartKind::Turn => "turn",
            PartKind::Compaction => "compaction",
        },
        branch: part.strand as u64 + 1,
        state: match shown.outline.state(at) {
            State::Active => "active",
            State::Compacted => "compacted",
            State::Beyond => "beyond",
            State::LeftBehind => "left-behind",
            State::Unconnected => "unconnected",
            State::Agent => "agent",
        },
        start: utc(facts.start.map_or(Time::NONE, Time::from_ms)),
        took_ms: facts.took,
        responses: facts.responses,
        inherited_responses: facts.inherited,
        calls: facts.calls,
        prompt: facts.prompt,
        input: facts.spend.tokens.input,
        written: facts.spend.tokens.written(),
        read: facts.spend.tokens.read,
        output: facts.spend.tokens.output,
        cost_pico_usd: facts.spend.cost,
        unpriced: facts.spend.unpriced,
        agents: facts
            .agents
            .iter()
            .map(|facts| AgentV1 {
                agent: names.name(Class::Agent, &corpus.agents[facts.agent].id),
                agent_type: agent_type(facts.agent, corpus, names),
                responses: facts.spend.responses,
                output: facts.spend.tokens.output,
                cost_pico_usd: facts.spend.cost,
                unpriced: facts.spend.unpriced,
            })
            .collect(),
        entries: part.rows.iter().map(|&row| node(row, shown)).collect(),
    }
}

fn node(row: u32, shown: &Shown<'_>) -> NodeV1 {
    let at: EntryRef = shown.graph.node(row).at;
    let entry = shown.corpus.entry(at);
    let parent = shown.graph.node(row).parent.node();
    NodeV1 {
        uuid: uuid(shown, entry.node),
        parent: parent.map(|parent| uuid(shown, shown.graph.node(parent).id)),
        r#type: entry_type(at, shown.corpus, shown.names),
        time: utc(entry.time),
        offset: entry.offset,
        len: entry.len,
        estimate: entry.estimate,
        text: shown.text.map(|text| text(row)),
    }
}
