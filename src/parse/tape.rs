//! A parsed value as a flat list of nodes, in which a container says how many nodes it spans. `scan` and `simd` write
//! it, `fields` reads it.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;

use crate::model::estimate;

/// A string as it stands between its quotes, not unescaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text<'i> {
    pub(super) raw: &'i str,
    /// ASCII characters of what it says, and other characters.
    pub(super) ascii: u32,
    pub(super) wide: u32,
    /// It has escapes.
    pub(super) is_escaped: bool,
}

impl<'i> Text<'i> {
    pub(super) const EMPTY: Self = Self { raw: "", ascii: 0, wide: 0, is_escaped: false };

    /// A string without escapes.
    pub(super) fn plain(raw: &'i str) -> Self {
        let (ascii, wide) = estimate::characters(raw);
        // A line is shorter than 2^32 bytes.
        let short = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Self { raw, ascii: short(ascii), wide: short(wide), is_escaped: false }
    }

    /// What the string says.
    pub(super) fn value(self) -> Cow<'i, str> {
        if !self.is_escaped {
            return Cow::Borrowed(self.raw);
        }
        // `scan` has looked at the escapes, and strings of `simd` have none, so this cannot fail.
        Cow::Owned(serde_json::from_str(&format!("\"{}\"", self.raw)).unwrap_or_default())
    }

    /// Its ASCII characters and its other characters.
    pub(super) fn characters(self) -> (u64, u64) {
        (u64::from(self.ascii), u64::from(self.wide))
    }
}

/// One node. A container is followed by its items, an object's items by pairs of key and value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Node<'i> {
    Str(Text<'i>),
    /// Pairs, and nodes with this one.
    Object {
        len: u32,
        span: usize,
    },
    Array {
        span: usize,
    },
    U64(u64),
    I64(i64),
    F64(f64),
    Bool(bool),
    Null,
}

/// A value: its node, and those behind it.
#[derive(Clone, Copy)]
pub(super) struct Value<'t, 'i>(&'t [Node<'i>]);

/// A number that should be a token count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Absent,
    Of(u64),
    /// Negative, fractional, of more than 64 bits, or no number.
    Implausible,
}

/// 2^64: floats below it that have no fraction are integers of 64 bits.
const BEYOND: f64 = 18_446_744_073_709_551_616.0;

impl<'t, 'i> Value<'t, 'i> {
    pub(super) const fn root(nodes: &'t [Node<'i>]) -> Self {
        Self(nodes)
    }

    pub(super) fn node(self) -> Option<Node<'i>> {
        self.0.first().copied()
    }

    pub(super) fn text(self) -> Option<Text<'i>> {
        if let Some(Node::Str(text)) = self.node() { Some(text) } else { None }
    }

    pub(super) fn str(self) -> Option<Cow<'i, str>> {
        self.text().map(Text::value)
    }

    pub(super) fn is_true(self) -> bool {
        matches!(self.node(), Some(Node::Bool(true)))
    }

    pub(super) fn is_null(self) -> bool {
        matches!(self.node(), Some(Node::Null))
    }

    pub(super) fn is_object(self) -> bool {
        matches!(self.node(), Some(Node::Object { .. }))
    }

    pub(super) fn count(self) -> Count {
        match self.node() {
            None | Some(Node::Null) => Count::Absent,
            Some(Node::U64(n)) => Count::Of(n),
            Some(Node::I64(n)) => u64::try_from(n).map_or(Count::Implausible, Count::Of),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "integral and in range"
            )]
            Some(Node::F64(n)) if n.fract() == 0.0 && (0.0..BEYOND).contains(&n) => Count::Of(n as u64),
            _ => Count::Implausible,
        }
    }

    /// A finite number.
    pub(super) fn number(self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "money, rounded by the caller")]
        match self.node() {
            Some(Node::F64(n)) => Some(n).filter(|n| n.is_finite()),
            Some(Node::U64(n)) => Some(n as f64),
            Some(Node::I64(n)) => Some(n as f64),
            _ => None,
        }
    }

    /// The pairs of an object in file order, repeated keys included; nothing for any other value.
    pub(super) fn pairs(self) -> impl Iterator<Item = (&'i str, Self)> {
        self.entries().map(|(key, value)| (key.raw, value))
    }

    fn entries(self) -> impl Iterator<Item = (Text<'i>, Self)> {
        let mut rest = if self.is_object() { &self.0[1..self.span()] } else { &[] };
        std::iter::from_fn(move || {
            let Some(Node::Str(key)) = rest.first() else { return None };
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
                    let replaced = value.replaced(len as usize);
                    for (at, (key, value)) in value.entries().enumerate() {
                        if !replaced.contains(&at) {
                            each(Node::Str(key), true);
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
            Some(Node::Object { span, .. } | Node::Array { span }) => *span,
            Some(_) => 1,
            None => 0,
        }
    }
}
