//! The graph of a session on made-up links: long chains, circles, copies and any order of entries.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::path::PathBuf;

use ccaudit::analysis::dag::resume::{self, GENERATIONS};
use ccaudit::analysis::dag::{self, Class, Graph, Parent};
use ccaudit::model::{
    Answer, Corpus, Entry, EntryRef, FileId, FileKind, Flags, Kind, Message, NO_ROW, NodeId, Session, Side,
    SourceFile, Sym, Time, Transcript,
};
use proptest::prelude::*;

/// A made-up entry: its id, that of its parent, what it is, and when.
#[derive(Clone, Copy, Debug)]
struct Made {
    id: u32,
    parent: Option<u32>,
    kind: Kind,
    time: i64,
}

const fn made(id: u32, parent: Option<u32>) -> Made {
    Made { id, parent, kind: Kind::User, time: id as i64 }
}

/// A corpus with one session and one transcript.
fn corpus(all: &[Made]) -> Corpus {
    let mut corpus = Corpus::default();
    let mut rows = Transcript::default();
    for (row, made) in (0u32..).zip(all) {
        let node = corpus.nodes.intern(&format!("n{}", made.id));
        let parent = made.parent.map_or(NodeId::NONE, |id| corpus.nodes.intern(&format!("n{id}")));
        let detail = match made.kind {
            Kind::User => {
                rows.messages.push(Message { source: NodeId::NONE, prompt: Sym::NONE, agent: Sym::NONE });
                rows.messages.len() - 1
            }
            Kind::Assistant => {
                rows.answers.push(Answer {
                    message: corpus.strings.intern(&format!("msg{}", made.id / 3)),
                    request: Sym::NONE,
                    model: Sym::NONE,
                    stop_reason: Sym::NONE,
                    response: NO_ROW,
                    usage: NO_ROW,
                    characters: 0,
                    recorded_cost: u64::MAX,
                });
                rows.answers.len() - 1
            }
            kind => {
                let boundary = kind == Kind::System && made.time % 2 == 0;
                let row = if boundary { u32::try_from(rows.boundaries.len()).unwrap() } else { NO_ROW };
                if boundary {
                    rows.boundaries.push(ccaudit::model::Boundary::default());
                }
                let (name, target, title) = (Sym::NONE, NodeId::NONE, Sym::NONE);
                rows.sides.push(Side { name, target, title, row, is_cost: false });
                rows.sides.len() - 1
            }
        };
        rows.entries.push(Entry {
            offset: u64::from(row),
            time: Time::from_ms(made.time),
            len: 1,
            node,
            parent,
            envelope: NO_ROW,
            detail: u32::try_from(detail).unwrap(),
            estimate: 0,
            kind: made.kind,
            flags: Flags::TEXT,
        });
    }
    corpus.files.push(SourceFile {
        root: 0,
        path: "projects/-srv/made.jsonl".to_owned(),
        disk: PathBuf::new(),
        kind: FileKind::Main,
        len: 0,
        modified: None,
        store: None,
        session: None,
    });
    corpus.transcripts.push(rows);
    corpus.session_of.push(Some(0));
    corpus.agent_of.push(None);
    corpus.sessions.push(Session {
        id: "made".to_owned(),
        store: 0,
        main: Some(FileId(0)),
        agents: Vec::new(),
        title: Sym::NONE,
    });
    corpus
}

#[test]
fn a_chain_of_a_million_entries() {
    const LENGTH: u32 = 1_000_000;
    let all: Vec<Made> = (0..LENGTH).map(|id| made(id, id.checked_sub(1))).collect();
    let corpus = corpus(&all);
    let graph = Graph::of(&corpus, 0);
    assert_eq!((graph.roots().count(), graph.leaves().count()), (1, 1));
    assert_eq!(graph.root_of(LENGTH - 1), 0);
    for generation in &GENERATIONS {
        let resume = resume::resume(&corpus, &graph, resume::choose(generation.seen));
        assert_eq!(resume.entries.len(), LENGTH as usize, "{}", generation.seen);
    }
    assert_eq!(dag::report(&corpus, &graph, 0).active_chain.len(), LENGTH as usize);
}

/// Every link leads nowhere, so that each step of the newest clients is a repair.
#[test]
fn a_hundred_thousand_repairs() {
    const LENGTH: u32 = 100_000;
    let all: Vec<Made> = (0..LENGTH).map(|id| made(id, Some(id + LENGTH))).collect();
    let corpus = corpus(&all);
    let graph = Graph::of(&corpus, 0);
    assert_eq!(graph.dangling().count(), LENGTH as usize);
    let resume = resume::resume(&corpus, &graph, resume::choose("2.1.332"));
    assert_eq!(resume.entries.len(), LENGTH as usize);
    let resume = resume::resume(&corpus, &graph, resume::choose("2.1.87"));
    assert_eq!((resume.entries.len(), resume.end), (1, resume::End::Broken));
}

#[test]
fn circles_are_cut_at_their_first_node() {
    // 1 → 3 → 2 → 1, with 4 below; 5 is its own parent.
    let all = [made(1, Some(3)), made(2, Some(1)), made(3, Some(2)), made(4, Some(3)), made(5, Some(5))];
    let corpus = corpus(&all);
    let graph = Graph::of(&corpus, 0);
    assert_eq!(graph.cycles, [0, 4]);
    assert_eq!(graph.node(0).parent, Parent::Cut(2));
    assert_eq!(graph.ancestors(3).collect::<Vec<_>>(), [3, 2, 1, 0]);
    assert_eq!(graph.roots().collect::<Vec<_>>(), [0, 4]);
    assert_eq!(graph.forward, [0]);
}

#[test]
fn copies_are_folded_and_those_that_differ_are_counted() {
    let copy = made(1, None);
    let changed = Made { time: 9, ..copy };
    let corpus = corpus(&[copy, made(2, Some(1)), copy, changed]);
    let graph = Graph::of(&corpus, 0);
    let at = |row| EntryRef { file: FileId(0), row };
    assert_eq!((graph.nodes.len(), &graph.copies[..]), (2, &[at(2), at(3)][..]));
    assert_eq!(graph.differing, [at(3)]);
}

/// What was done in the recordings is known: the branch points of some of them.
#[test]
fn branch_points_of_recordings() {
    const KNOWN: [(&str, &[Class]); 6] = [
        ("i_rewind", &[Class::Rewind]),
        ("i_queue_esc", &[Class::QueuedPrompt]),
        ("f_branch", &[Class::TwoProcesses]),
        ("f_branch@2.1.87", &[Class::Retry]),
        ("s_leaf2_end_old_nolp@2.1.247", &[Class::Retry]),
        ("b_tools", &[]),
    ];
    let Some(shared) = common::shared() else { return };
    for (name, known) in KNOWN {
        let corpus = common::corpus(&shared.join("client").join(name).join(".claude"));
        let found: Vec<Class> = (0..corpus.sessions.len())
            .flat_map(|row| dag::branches(&corpus, &Graph::of(&corpus, row)))
            .map(|branch| branch.class)
            .filter(|class| class.is_real())
            .collect();
        assert_eq!(found, known, "{name}");
    }
}

fn any_entry() -> impl Strategy<Value = Made> {
    let kinds = prop::sample::select(vec![
        Kind::User,
        Kind::User,
        Kind::Assistant,
        Kind::Assistant,
        Kind::Attachment,
        Kind::Progress,
        Kind::System,
    ]);
    (0..40u32, prop::option::of(0..45u32), kinds, 0..30i64).prop_map(|(id, parent, kind, time)| Made {
        id,
        parent,
        kind,
        time,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the links: every node is under one root, once, and every client sends or drops each entry once.
    #[test]
    fn any_entries_in_any_order(all in prop::collection::vec(any_entry(), 0..40)) {
        let corpus = corpus(&all);
        let graph = Graph::of(&corpus, 0);
        let mut order = graph.top_down().to_vec();
        order.sort_unstable();
        let everything: Vec<u32> = (0..u32::try_from(graph.nodes.len()).unwrap()).collect();
        prop_assert_eq!(order, everything);
        prop_assert_eq!(graph.nodes.len() + graph.copies.len(), all.len());
        for &row in graph.top_down() {
            prop_assert_eq!(graph.ancestors(row).last(), Some(graph.root_of(row)));
        }
        let nodes: Vec<EntryRef> = graph.nodes.iter().map(|node| node.at).collect();
        for generation in &GENERATIONS {
            let resume = resume::resume(&corpus, &graph, resume::choose(generation.seen));
            let sent = resume.entries.iter().map(|(at, _)| *at);
            let mut both: Vec<EntryRef> = sent.chain(resume.dropped.iter().map(|(at, _)| *at)).collect();
            both.sort_unstable();
            prop_assert_eq!(&both, &nodes);
        }
        let report = dag::report(&corpus, &graph, 0);
        prop_assert_eq!(report.entries as usize, all.len());
        prop_assert_eq!(report.components as usize, report.null_roots.len() + report.dangling.len() + report.cycles.len());
    }
}
