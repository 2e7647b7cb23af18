//! Odd values, and repaired ones, through simd-json: it knows every spelling of a key and a number.

use simd_json::{Buffers, Node as Simd, StaticNode, Tape};

use super::tape::{Node, Text};
use super::{Refused, strict};

/// Fills `nodes` with the value that takes all of `bytes`, which are changed.
///
/// # Errors
/// [`Refused`] where the bytes are no JSON value, or one that simd-json cannot be trusted with.
pub(super) fn value<'i>(bytes: &'i mut [u8], nodes: &mut Vec<Node<'i>>) -> Result<(), Refused> {
    nodes.clear();
    if !strict::is_safe(bytes) {
        return Err(Refused);
    }
    // Odd values are too few for a buffer to be worth keeping.
    let mut tape = Tape(Vec::new());
    simd_json::fill_tape(bytes, &mut Buffers::default(), &mut tape).map_err(|_| Refused)?;
    nodes.extend(tape.0.iter().map(node));
    Ok(())
}

fn node<'i>(node: &Simd<'i>) -> Node<'i> {
    match *node {
        Simd::String(text) => Node::Str(Text::plain(text)),
        Simd::Object { len, count } => {
            Node::Object { len: u32::try_from(len).unwrap_or(u32::MAX), span: count + 1 }
        }
        Simd::Array { count, .. } => Node::Array { span: count + 1 },
        Simd::Static(StaticNode::U64(n)) => Node::U64(n),
        Simd::Static(StaticNode::I64(n)) => Node::I64(n),
        Simd::Static(StaticNode::F64(n)) => Node::F64(n),
        Simd::Static(StaticNode::Bool(is)) => Node::Bool(is),
        Simd::Static(StaticNode::Null) => Node::Null,
    }
}
