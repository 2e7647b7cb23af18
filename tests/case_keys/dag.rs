//! What the library says about the graphs of a tree.

use ccaudit::analysis::dag::{
    self, Class, DagReport, Fill, FillSource, Graph, Stitch,
    resume::{self, Reason, Resume},
};
use ccaudit::model::{Corpus, Flags, Kind, NodeId, Sym};
use serde_json::{Value, json};

use super::Ours;

/// One session.
struct Session {
    graph: Graph,
    report: DagReport,
    resume: Resume,
}

/// All sessions of a tree. A number of a key is the sum over them, a list goes through them in order.
pub(crate) struct Graphs(Vec<Session>);

impl Graphs {
    pub(crate) fn of(corpus: &Corpus) -> Self {
        let session = |row: usize| {
            let graph = Graph::of(corpus, row);
            let report = dag::report(corpus, &graph, row);
            let version = corpus.sessions[row].main.map(|main| resume::newest_version(corpus, main));
            let version = corpus.strings.text(version.unwrap_or(Sym::NONE));
            let resume = resume::resume(corpus, &graph, resume::choose(version));
            Session { graph, report, resume }
        };
        Self((0..corpus.sessions.len()).map(session).collect())
    }

    pub(crate) fn value(&self, corpus: &Corpus, key: &str) -> Option<Ours> {
        let sum =
            |figure: &dyn Fn(&Session) -> u64| Some(Ours::Is(self.0.iter().map(figure).sum::<u64>().into()));
        let nodes = |rows: &dyn Fn(&Session) -> Vec<u32>| Some(Ours::Is(self.nodes(corpus, rows)));
        let leaf = |row: &dyn Fn(&Session) -> Option<u32>| {
            let rows: Vec<String> = self
                .0
                .iter()
                .filter_map(|session| Some(corpus.nodes.text(session.graph.node(row(session)?).id)))
                .collect();
            Some(Ours::Is(if let [one] = &rows[..] { one.clone().into() } else { json!(rows) }))
        };
        let sidechain =
            |session: &Session, row: u32| session.graph.entry(corpus, row).flags.has(Flags::SIDECHAIN);
        match key {
            "dag.nodes" => sum(&|session| session.report.nodes),
            "dag.null_roots" => sum(&|session| session.report.null_roots.len() as u64),
            "dag.dangling" => sum(&|session| session.report.dangling.len() as u64),
            "dag.dangling_logical" => sum(&|session| {
                session.report.logical.iter().filter(|logical| logical.is_dangling()).count() as u64
            }),
            "dag.leaves" => sum(&|session| session.report.leaves.len() as u64),
            "dag.components" => sum(&|session| session.report.components),
            "dag.forward_references" => sum(&|session| session.report.forward.len() as u64),
            "dag.reachable" => sum(&|session| session.report.active_chain.len() as u64),
            "dag.strict_chain"
            | "dag.conversation_chain"
            | "dag.physical_chain"
            | "dag.main_chain"
            | "dag.active_chain"
            | "strict_chain" => nodes(&|session| session.report.active_chain.clone()),
            "dag.conversation_leaf" | "dag.active_leaf" => leaf(&|session| session.report.active_leaf),
            "dag.logical_chain" => nodes(&|session| {
                let report = &session.report;
                report.active_leaf.map_or_else(Vec::new, |leaf| {
                    dag::logical_chain(corpus, &session.graph, &report.logical, leaf, false)
                })
            }),
            "dag.segments" => sum(&|session| session.report.boundaries.len() as u64 + 1),
            "dag.file_order_logical_parent" => leaf(&|session| {
                session.report.logical.iter().find_map(|logical| match logical.stitch {
                    Stitch::FileOrder(row) => Some(row),
                    _ => None,
                })
            }),
            "dag.real_forks" => sum(&|session| real(session).count() as u64),
            "dag.fork_at" => nodes(&|session| real(session).collect()),
            "dag.abandoned_branch_rows" => sum(&|session| session.report.abandoned.nodes),
            "dag.off_chain_tool_results" => {
                nodes(&|session| session.report.unmatched.off_chain_results.clone())
            }
            "dag.unmatched_tool_uses_on_strict_chain" => {
                Some(Ours::Is(self.names(corpus, |session| &session.report.unmatched.on_chain)))
            }
            "dag.unmatched_tool_uses_overall" => {
                Some(Ours::Is(self.names(corpus, |session| &session.report.unmatched.overall)))
            }
            "dag.main_roots" => sum(&|session| {
                session.report.null_roots.iter().filter(|row| !sidechain(session, **row)).count() as u64
            }),
            "dag.sidechain_roots" => sum(&|session| {
                session.report.null_roots.iter().filter(|row| sidechain(session, **row)).count() as u64
            }),
            "dag.sidechain_runs" => Some(Ours::Is(self.sidechain_runs(corpus))),
            "dag.parent_jumps_over_boundary" => sum(&|session| session.report.jumps.len() as u64),
            "dag.skipped_rows" => nodes(&|session| {
                let parent = |row: u32| session.graph.node(row).parent.node().unwrap();
                session.report.jumps.iter().flat_map(|row| parent(*row) + 1..*row).collect()
            }),
            "dangling_if_attachments_dropped" => sum(&|session| {
                let is = |row: u32| session.graph.entry(corpus, row).kind == Kind::Attachment;
                let nodes = (0u32..).zip(&session.graph.nodes).filter(|(row, _)| !is(*row));
                nodes.filter(|(_, node)| node.parent.node().is_some_and(is)).count() as u64
            }),
            "span_seconds" => {
                let spans: Option<i64> = self.0.iter().map(|session| session.report.span).sum();
                Some(Ours::Is(spans.map(|span| span / 1000).into()))
            }
            "backward_steps" => sum(&|session| session.report.backward_steps),
            "summary_links" => Some(Ours::Is(summary_links(corpus))),
            "context_after_boundary" => nodes(&|session| {
                let sent = session.resume.entries.iter().map(|(at, _)| corpus.entry(*at).node);
                let sent = sent.map(|node| session.graph.find(node).unwrap());
                session.report.boundaries.last().copied().into_iter().chain(sent).collect()
            }),
            "dropped_rows" => nodes(&|session| {
                let dropped =
                    session.resume.dropped.iter().filter(|(_, reason)| *reason == Reason::Compacted);
                dropped.map(|(at, _)| session.graph.find(corpus.entry(*at).node).unwrap()).collect()
            }),
            "current_context" => context(corpus, |context| context.tokens.into()),
            "last_usage_context" => context(corpus, |context| context.last_usage.into()),
            "current_context_source" => context(corpus, |context| match context.source {
                FillSource::Usage => "usage".into(),
                FillSource::PostTokens => "postTokens".into(),
            }),
            _ => None,
        }
    }

    fn nodes(&self, corpus: &Corpus, rows: impl Fn(&Session) -> Vec<u32>) -> Value {
        let ids = self.0.iter().flat_map(|session| {
            rows(session).into_iter().map(|row| corpus.nodes.text(session.graph.node(row).id))
        });
        ids.collect::<Vec<_>>().into()
    }

    fn names(&self, corpus: &Corpus, names: impl Fn(&Session) -> &[Sym]) -> Value {
        let all = self.0.iter().flat_map(names);
        all.map(|name| corpus.strings.text(*name)).collect::<Vec<_>>().into()
    }

    /// The nodes below each root that is a sidechain.
    fn sidechain_runs(&self, corpus: &Corpus) -> Value {
        let mut runs = Vec::new();
        for Session { graph, report, .. } in &self.0 {
            let is = |row: &&u32| graph.entry(corpus, **row).flags.has(Flags::SIDECHAIN);
            for root in report.null_roots.iter().filter(is) {
                let below = (0u32..).zip(&graph.nodes).filter(|(row, _)| graph.root_of(*row) == *root);
                runs.push(below.map(|(_, node)| corpus.nodes.text(node.id)).collect::<Vec<_>>());
            }
        }
        json!(runs)
    }
}

fn real(session: &Session) -> impl Iterator<Item = u32> + '_ {
    let real = session.report.branches.iter().filter(|branch| Class::is_real(branch.class));
    real.map(|branch| branch.at)
}

fn summary_links(corpus: &Corpus) -> Value {
    let name = |file| corpus.session(file).map(|session| session.id.clone());
    let id = |leaf: NodeId| corpus.nodes.text(leaf);
    let links = dag::title_links(corpus).into_iter().map(|link| {
        json!({"in_session": name(link.at.file), "leaf": id(link.leaf), "leaf_session": link.holder.and_then(name)})
    });
    links.collect()
}

/// A figure of the window at the end of the only session.
fn context(corpus: &Corpus, figure: impl Fn(&Fill) -> Value) -> Option<Ours> {
    let [session] = &corpus.sessions[..] else { return None };
    dag::current_context(corpus, session.main?).map(|context| Ours::Is(figure(&context)))
}
