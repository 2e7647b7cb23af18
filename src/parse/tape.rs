//! Walking simd-json's tape: a flat list of nodes in which a container says how many nodes it spans.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use simd_json::{Node, StaticNode};

/// A value on a tape.
#[derive(Clone, Copy)]
pub(super) struct Value<'t, 'i>(&'t [Node<'i>]);

/// A number that should be a token count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Absent,
    Of(u64),
    /// Negative, fractional, too large to be exact, or no number.
    Implausible,
}

/// From here on a float stands for more than one integer.
const EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

impl<'t, 'i> Value<'t, 'i> {
    pub(super) const fn root(nodes: &'t [Node<'i>]) -> Self {
        Self(nodes)
    }

    fn node(self) -> Option<Node<'i>> {
        self.0.first().copied()
    }

    pub(super) fn str(self) -> Option<&'i str> {
        if let Some(Node::String(text)) = self.node() { Some(text) } else { None }
    }

    pub(super) fn is_true(self) -> bool {
        matches!(self.node(), Some(Node::Static(StaticNode::Bool(true))))
    }

    pub(super) fn is_null(self) -> bool {
        matches!(self.node(), Some(Node::Static(StaticNode::Null)))
    }

    pub(super) fn is_object(self) -> bool {
        matches!(self.node(), Some(Node::Object { .. }))
    }

    pub(super) fn count(self) -> Count {
        match self.node() {
            None | Some(Node::Static(StaticNode::Null)) => Count::Absent,
            Some(Node::Static(StaticNode::U64(n))) => Count::Of(n),
            Some(Node::Static(StaticNode::I64(n))) => u64::try_from(n).map_or(Count::Implausible, Count::Of),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "integral and in range"
            )]
            Some(Node::Static(StaticNode::F64(n))) if n.fract() == 0.0 && (0.0..EXACT_FLOAT).contains(&n) => {
                Count::Of(n as u64)
            }
            _ => Count::Implausible,
        }
    }

    /// A finite number.
    pub(super) fn number(self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "money, rounded by the caller")]
        match self.node() {
            Some(Node::Static(StaticNode::F64(n))) => Some(n).filter(|n| n.is_finite()),
            Some(Node::Static(StaticNode::U64(n))) => Some(n as f64),
            Some(Node::Static(StaticNode::I64(n))) => Some(n as f64),
            _ => None,
        }
    }

    /// The pairs of an object in file order, repeated keys included; nothing for any other value.
    pub(super) fn pairs(self) -> impl Iterator<Item = (&'i str, Self)> {
        let mut rest = if self.is_object() { &self.0[1..self.span()] } else { &[] };
        std::iter::from_fn(move || {
            let Some(Node::String(key)) = rest.first() else { return None };
            let value = Self(&rest[1..]);
            rest = &rest[1 + value.span()..];
            Some((*key, value))
        })
    }

    /// The elements of an array; nothing for any other value.
    pub(super) fn items(self) -> impl Iterator<Item = Self> {
        let is_array = matches!(self.node(), Some(Node::Array { .. }));
        let mut rest = if is_array { &self.0[1..self.span()] } else { &[] };
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let value = Self(rest);
            rest = &rest[value.span()..];
            Some(value)
        })
    }

    /// The value of a key; the last one where it repeats.
    pub(super) fn get(self, key: &str) -> Option<Self> {
        self.pairs().filter(|(name, _)| *name == key).last().map(|(_, value)| value)
    }

    /// Calls `each` with this value, every value below it, and every key; `is_key` tells which. What a later
    /// pair of the same key replaces is left out.
    pub(super) fn walk(self, mut each: impl FnMut(Node<'i>, bool)) {
        let mut stack = vec![self];
        while let Some(value) = stack.pop() {
            let Some(node) = value.node() else { continue };
            each(node, false);
            match node {
                Node::Object { len, .. } => {
                    let replaced = value.replaced(len);
                    for (at, (key, value)) in value.pairs().enumerate() {
                        if !replaced.contains(&at) {
                            each(Node::String(key), true);
                            stack.push(value);
                        }
                    }
                }
                Node::Array { .. } => stack.extend(value.items()),
                _ => {}
            }
        }
    }

    /// The numbers of those pairs of an object of `len` pairs whose key stands again further on.
    fn replaced(self, len: usize) -> BTreeSet<usize> {
        /// Up to here comparing all with all is faster than a table.
        const FEW: usize = 8;
        if len <= FEW {
            let mut keys = [""; FEW];
            for (at, (key, _)) in self.pairs().enumerate() {
                keys[at] = key;
            }
            let keys = &keys[..len];
            return (0..len).filter(|&at| keys[at + 1..].contains(&keys[at])).collect();
        }
        let mut last = HashMap::with_capacity_and_hasher(len, FixedState::default());
        self.pairs().enumerate().filter_map(|(at, (key, _))| last.insert(key, at)).collect()
    }

    /// Nodes that this value takes on the tape.
    fn span(self) -> usize {
        match self.0.first() {
            Some(Node::Object { count, .. } | Node::Array { count, .. }) => count + 1,
            Some(_) => 1,
            None => 0,
        }
    }
}
