//! All entries of a session with a `uuid`, and how they hang together.
//!
//! Agents and summary requests of some clients point into the main transcript, so all transcripts of a session
//! make one graph. Everything is linear in the number of entries, and nothing recurses: a chain may have a
//! million links.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::forest::{self, Forest};
use crate::model::{Corpus, Entry, EntryRef, FileId, Kind, NodeId};

/// What `parentUuid` of an entry leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// `null`: the entry starts something.
    Null,
    /// An id that no entry of the session has.
    Missing(NodeId),
    /// This node.
    Node(u32),
    /// This node, but the link closes a circle and is not followed.
    Cut(u32),
}

impl Parent {
    /// The node that is followed.
    #[must_use]
    pub const fn node(self) -> Option<u32> {
        match self {
            Self::Node(node) => Some(node),
            _ => None,
        }
    }
}

/// An entry with a `uuid`, once, however many copies of it there are.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The first copy: in the main transcript before agents, then in file order.
    pub at: EntryRef,
    pub id: NodeId,
    pub parent: Parent,
}

/// The graph of one session.
#[derive(Debug, Default)]
pub struct Graph {
    /// The main transcript's in file order, then those that only agents have.
    pub nodes: Vec<Node>,
    /// How many of them stand in the main transcript.
    pub main: u32,
    /// Entries without a `uuid`, which are no nodes.
    pub outside: u64,
    /// Further entries with the `uuid` of a node.
    pub copies: Vec<EntryRef>,
    /// Nodes whose parent stands further down in the same file.
    pub forward: Vec<u32>,
    /// Nodes whose link was cut because it closes a circle.
    pub cycles: Vec<u32>,
    index: HashMap<NodeId, u32, FixedState>,
    forest: Forest,
}

impl Graph {
    /// The graph of all transcripts of a session, by its row in [`Corpus::sessions`].
    #[must_use]
    pub fn of(corpus: &Corpus, session: usize) -> Self {
        let session = &corpus.sessions[session];
        let agents = session.agents.iter().map(|&row| corpus.agents[row].file);
        let mut graph = Self::default();
        for (number, file) in session.main.into_iter().chain(agents).enumerate() {
            graph.add(corpus, file);
            if number == 0 && session.main.is_some() {
                graph.main = number_of(graph.nodes.len());
            }
        }
        graph.link();
        graph
    }

    fn add(&mut self, corpus: &Corpus, file: FileId) {
        for (row, entry) in corpus.transcript(file).entries.iter().enumerate() {
            if entry.node.is_none() {
                self.outside += 1;
                continue;
            }
            let at = EntryRef { file, row: number_of(row) };
            let next = number_of(self.nodes.len());
            let first = *self.index.entry(entry.node).or_insert(next);
            if first == next {
                // Links are resolved when all nodes are known: a child may stand before its parent.
                let parent =
                    if entry.parent.is_none() { Parent::Null } else { Parent::Missing(entry.parent) };
                self.nodes.push(Node { at, id: entry.node, parent });
            } else {
                self.copies.push(at);
            }
        }
    }

    fn link(&mut self) {
        for row in 0..self.nodes.len() {
            let node = self.nodes[row];
            let Parent::Missing(id) = node.parent else { continue };
            let Some(&parent) = self.index.get(&id) else { continue };
            self.nodes[row].parent = Parent::Node(parent);
            let above = self.nodes[parent as usize].at;
            if above.file == node.at.file && above.row > node.at.row {
                self.forward.push(number_of(row));
            }
        }
        self.cycles = forest::break_cycles(&mut self.nodes);
        self.forest = Forest::of(&self.nodes);
    }

    /// The ids of all nodes.
    #[must_use]
    pub fn ids(&self) -> Vec<NodeId> {
        self.nodes.iter().map(|node| node.id).collect()
    }

    /// The node with this id.
    #[must_use]
    pub fn find(&self, id: NodeId) -> Option<u32> {
        self.index.get(&id).copied()
    }

    #[must_use]
    pub fn node(&self, row: u32) -> &Node {
        &self.nodes[row as usize]
    }

    /// The first entry of a node.
    #[must_use]
    pub fn entry<'c>(&self, corpus: &'c Corpus, row: u32) -> &'c Entry {
        corpus.entry(self.node(row).at)
    }

    /// `parentUuid` of a node, wherever that leads.
    #[must_use]
    pub fn parent_id(&self, row: u32) -> NodeId {
        match self.node(row).parent {
            Parent::Null => NodeId::NONE,
            Parent::Missing(id) => id,
            Parent::Node(parent) | Parent::Cut(parent) => self.node(parent).id,
        }
    }

    /// The nodes that name this one as their parent, in order.
    #[must_use]
    pub fn children(&self, row: u32) -> &[u32] {
        self.forest.children(row)
    }

    /// All nodes without a parent that is followed, in order. Each is the top of one component.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows(|node| node.parent.node().is_none())
    }

    /// Nodes that start something: `parentUuid` is `null`.
    pub fn null_roots(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows(|node| node.parent == Parent::Null)
    }

    /// Nodes whose parent is nowhere in the session.
    pub fn dangling(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows(|node| matches!(node.parent, Parent::Missing(_)))
    }

    /// Nodes without any child.
    pub fn leaves(&self) -> impl Iterator<Item = u32> + '_ {
        (0..number_of(self.nodes.len())).filter(|&row| self.children(row).is_empty())
    }

    /// A node and all above it, the node first.
    pub fn ancestors(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(row), |&row| self.node(row).parent.node())
    }

    /// The chain that ends in a node, top first, with the records of progress left out.
    #[must_use]
    pub fn chain(&self, corpus: &Corpus, leaf: u32) -> Vec<u32> {
        let mut chain: Vec<u32> =
            self.ancestors(leaf).filter(|&row| self.entry(corpus, row).kind != Kind::Progress).collect();
        chain.reverse();
        chain
    }

    /// The top of the component of a node.
    #[must_use]
    pub fn root_of(&self, row: u32) -> u32 {
        self.forest.root_of(row)
    }

    /// All nodes, each after its parent; backwards, each before it.
    #[must_use]
    pub fn top_down(&self) -> &[u32] {
        self.forest.top_down()
    }

    /// For every node whether it is one of these.
    #[must_use]
    pub fn mask(&self, rows: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut mask = vec![false; self.nodes.len()];
        for row in rows {
            mask[row as usize] = true;
        }
        mask
    }

    fn rows(&self, keep: impl Fn(&Node) -> bool) -> impl Iterator<Item = u32> {
        let kept = self.nodes.iter().enumerate().filter(move |(_, node)| keep(node));
        kept.map(|(row, _)| number_of(row))
    }
}

/// A corpus has fewer than 2^32 entries: their ids are counted in 31 bits.
pub(super) fn number_of(row: usize) -> u32 {
    u32::try_from(row).unwrap_or_else(|_| panic!("more than 2^32 nodes in one session"))
}
