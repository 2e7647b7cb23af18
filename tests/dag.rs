//! The graph of a session on made-up links: long chains, circles, copies and any order of entries.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use ccaudit::analysis::dag::resume::{self, GENERATIONS};
use ccaudit::analysis::dag::show;
use ccaudit::analysis::dag::window::window;
use ccaudit::analysis::dag::{self, Class, Difference, Graph, LaneKind, Parent};
use ccaudit::model::{
    Answer, Corpus, Entry, EntryRef, FileId, FileKind, Flags, Kind, Message, NO_ROW, NodeId, Session, Side,
    SourceFile, Sym, Time, Transcript,
};
use ccaudit::source::Source;
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
            flags: if made.kind == Kind::User && made.id % 2 == 0 {
                Flags(Flags::TEXT.0 | Flags::HUMAN.0)
            } else {
                Flags::TEXT
            },
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
    let report = dag::report(&corpus, &graph, 0);
    assert_eq!(report.active_chain.len(), LENGTH as usize);
    let outline = show::outline(&corpus, &graph, &report);
    assert_eq!((outline.strands.len(), outline.parts.len()), (1, LENGTH as usize / 2));
    assert_eq!(window(&corpus, &graph, &Nothing, 0, LENGTH - 1).rows.len(), LENGTH as usize);
}

/// Each prompt was taken back and given anew, and that again: branches that hang on branches.
#[test]
fn a_hundred_thousand_branches_in_branches() {
    const DEEP: u32 = 100_000;
    // Prompts 2, 4, 6 … each below the answer before; what goes on is always the arm that was written last.
    let mut all = vec![made(0, None)];
    for step in 0..DEEP {
        all.push(made(2 * step + 2, Some(2 * step)));
    }
    for step in (0..DEEP).rev() {
        all.push(made(2 * (DEEP + step) + 2, Some(2 * step)));
    }
    let corpus = corpus(&all);
    let graph = Graph::of(&corpus, 0);
    let outline = show::outline(&corpus, &graph, &dag::report(&corpus, &graph, 0));
    let deepest = outline.strands.iter().map(|strand| strand.depth).max();
    assert_eq!((outline.parts.len(), deepest), (all.len(), Some(DEEP)));
    let last = outline.strands.iter().position(|strand| strand.depth == DEEP).unwrap();
    assert_eq!(outline.only(last).parts.len(), DEEP as usize + 1);
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
    assert_eq!(dag::differing(&corpus, &graph, &Nothing), [(at(3), Difference::Said)]);
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
            .flat_map(|row| dag::report(&corpus, &Graph::of(&corpus, row), row).branches)
            .map(|branch| branch.class)
            .filter(|class| class.is_real())
            .collect();
        assert_eq!(found, known, "{name}");
    }
}

/// Every response stands in one lane, and goes on from one that is known before it.
#[test]
fn lanes_hold_every_response_once() {
    let trees = common::client_trees().into_values().map(|folder| folder.join(".claude"));
    let real = common::shared().map(|shared| shared.join("real/dot-claude"));
    for tree in trees.chain(real).chain([common::sample_tree()]).filter(|tree| tree.is_dir()) {
        let corpus = common::corpus(&tree);
        let mut owned = vec![0; corpus.responses.len()];
        for session in 0..corpus.sessions.len() {
            let graph = Graph::of(&corpus, session);
            let lanes = dag::lanes(&corpus, &graph, session);
            let steps: Vec<_> = lanes.into_iter().flat_map(|lane| lane.steps).collect();
            let shown: BTreeSet<usize> = steps.iter().map(|step| step.response).collect();
            assert_eq!(shown.len(), steps.len(), "{}", tree.display());
            for step in &steps {
                let known = |before: usize| before != step.response && shown.contains(&before);
                assert!(step.before.is_none_or(known), "{}", tree.display());
                owned[step.response] += usize::from(!step.inherited);
            }
        }
        for (response, count) in corpus.responses.iter().zip(owned) {
            let has_session = corpus.session_of[response.owner.0 as usize].is_some();
            assert_eq!(count, usize::from(!response.flags.advisor && has_session), "{}", tree.display());
        }
    }
}

/// Two agents that a call started, and the request for a summary, which starts on the prompt of the main thread.
#[test]
fn lanes_of_recordings() {
    let lanes = |tree: &str| {
        let folder = common::client_trees().remove(tree).unwrap();
        let corpus = common::corpus(&folder.join(".claude"));
        let session = corpus.sessions.iter().position(|session| !session.agents.is_empty()).unwrap();
        let lanes = dag::lanes(&corpus, &Graph::of(&corpus, session), session);
        let lanes = lanes.into_iter().map(|lane| {
            let first = lane.steps[0].before.is_some();
            (lane.kind, lane.steps.len(), lane.call.is_some(), first)
        });
        lanes.collect::<Vec<_>>()
    };
    assert_eq!(
        lanes("c_subagents"),
        [
            (LaneKind::Main, 4, false, false),
            (LaneKind::Agent, 1, true, false),
            (LaneKind::Agent, 2, true, false)
        ]
    );
    assert_eq!(
        lanes("e_manual@2.1.87"),
        [(LaneKind::Main, 4, false, false), (LaneKind::SideRequest, 1, false, true)]
    );
}

/// Nothing can be read again.
struct Nothing;

impl Source for Nothing {
    fn entry(&self, _: &Corpus, _: EntryRef) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
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
        let outline = show::outline(&corpus, &graph, &report);
        let mut told: Vec<u32> = outline.parts.iter().flat_map(|part| part.rows.iter().copied()).collect();
        told.sort_unstable();
        prop_assert_eq!(told, (0..graph.main).collect::<Vec<_>>());
        for (place, part) in outline.parts.iter().enumerate() {
            prop_assert!(part.rows.is_sorted());
            prop_assert!(part.rows.iter().all(|&row| outline.part_of(row) == Some(place)));
            // What a branch hangs on is told before it.
            let above = outline.strands[part.strand].at.and_then(|node| outline.part_of(node));
            prop_assert!(above.is_none_or(|above| above < place));
        }
        for row in 0..u32::try_from(graph.nodes.len()).unwrap() {
            let mut rows = window(&corpus, &graph, &Nothing, 0, row).rows;
            let count = rows.len();
            rows.sort_unstable();
            rows.dedup();
            prop_assert_eq!(rows.len(), count);
        }
        prop_assert_eq!(report.components as usize, report.null_roots.len() + report.dangling.len() + report.cycles.len());
    }
}
