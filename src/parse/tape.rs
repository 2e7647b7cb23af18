//! Walking simd-json's tape: a flat list of nodes in which a container says how many nodes it spans.

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

/// Above this a float no longer names one integer.
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
            Some(Node::Static(StaticNode::F64(n)))
                if n.fract() == 0.0 && (0.0..=EXACT_FLOAT).contains(&n) =>
            {
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

    /// Calls `each` with every string below this value that is not a key.
    pub(super) fn strings(self, mut each: impl FnMut(&'i str)) {
        // Keys are strings on the tape as well, so the walk has to know where they stand.
        let mut stack = vec![self];
        while let Some(value) = stack.pop() {
            match value.node() {
                Some(Node::String(text)) => each(text),
                Some(Node::Object { .. }) => stack.extend(value.pairs().map(|(_, value)| value)),
                Some(Node::Array { .. }) => stack.extend(value.items()),
                _ => {}
            }
        }
    }

    /// Every string node below this value, keys included, and the number of other scalars.
    pub(super) fn nodes(self) -> &'t [Node<'i>] {
        &self.0[..self.span()]
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
