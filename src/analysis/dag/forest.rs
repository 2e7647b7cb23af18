//! Circles out of the links, then what a forest answers in constant time: children and roots.

use super::graph::{Node, Parent, number_of};

/// Children and roots of nodes whose links make no circle.
#[derive(Debug, Default)]
pub(super) struct Forest {
    /// Where the children of each node start in `children`; one more than nodes.
    starts: Vec<u32>,
    children: Vec<u32>,
    roots: Vec<u32>,
    /// Every node after its parent.
    top_down: Vec<u32>,
}

impl Forest {
    pub(super) fn of(nodes: &[Node]) -> Self {
        let mut starts = vec![0u32; nodes.len() + 1];
        for parent in nodes.iter().filter_map(|node| node.parent.node()) {
            starts[parent as usize + 1] += 1;
        }
        for row in 0..nodes.len() {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut children = vec![0; starts[nodes.len()] as usize];
        for (row, node) in nodes.iter().enumerate() {
            if let Some(parent) = node.parent.node() {
                let place = &mut next[parent as usize];
                children[*place as usize] = number_of(row);
                *place += 1;
            }
        }
        let mut forest = Self { starts, children, roots: vec![0; nodes.len()], top_down: Vec::new() };
        forest.descend(nodes);
        forest
    }

    /// Goes down from each root.
    fn descend(&mut self, nodes: &[Node]) {
        let mut order = Vec::with_capacity(nodes.len());
        for (root, node) in nodes.iter().enumerate() {
            if node.parent.node().is_some() {
                continue;
            }
            let mut at = order.len();
            order.push(number_of(root));
            while let Some(&row) = order.get(at) {
                self.roots[row as usize] = number_of(root);
                let (start, end) = self.range(row);
                order.extend_from_slice(&self.children[start..end]);
                at += 1;
            }
        }
        self.top_down = order;
    }

    pub(super) fn top_down(&self) -> &[u32] {
        &self.top_down
    }

    fn range(&self, row: u32) -> (usize, usize) {
        (self.starts[row as usize] as usize, self.starts[row as usize + 1] as usize)
    }

    pub(super) fn children(&self, row: u32) -> &[u32] {
        let (start, end) = self.range(row);
        &self.children[start..end]
    }

    pub(super) fn root_of(&self, row: u32) -> u32 {
        self.roots[row as usize]
    }
}

/// Cuts one link of every circle, that of its first node: it was written first, so it can hang on none of the
/// others. Returns those nodes, in order.
pub(super) fn break_cycles(nodes: &mut [Node]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    // The walk in which a node was first met.
    let mut walk = vec![NEW; nodes.len()];
    let mut cut = Vec::new();
    for start in 0..number_of(nodes.len()) {
        let mut at = Some(start);
        while let Some(row) = at.filter(|&row| walk[row as usize] == NEW) {
            walk[row as usize] = start;
            at = nodes[row as usize].parent.node();
        }
        if let Some(met) = at.filter(|&row| walk[row as usize] == start) {
            let first = first_of_cycle(nodes, met);
            if let Parent::Node(parent) = nodes[first as usize].parent {
                nodes[first as usize].parent = Parent::Cut(parent);
                cut.push(first);
            }
        }
    }
    cut.sort_unstable();
    cut
}

fn first_of_cycle(nodes: &[Node], member: u32) -> u32 {
    let mut first = member;
    let mut at = nodes[member as usize].parent.node();
    while let Some(row) = at.filter(|&row| row != member) {
        first = first.min(row);
        at = nodes[row as usize].parent.node();
    }
    first
}
