//! Odd values, and repaired ones, through simd-json: it knows every spelling of a key.
//!
//! By itself it takes some things that are no JSON: half surrogates, junk behind a long number, exponents
//! beyond 32 bits. What comes here was seen to be JSON before, and repaired of these. It takes much memory for each
//! value, so what comes here has no more of them than `scan` takes.

use simd_json::{Buffers, Node as Simd, StaticNode, Tape};

use super::Refused;
use super::tape::{Node, Text};

/// Fills `nodes` with the value that takes all of `bytes`, which are changed.
///
/// # Errors
/// [`Refused`] where simd-json does not take them.
pub(super) fn value<'i>(bytes: &'i mut [u8], nodes: &mut Vec<Node<'i>>) -> Result<(), Refused> {
    nodes.clear();
    // Odd values are too few for a buffer to be worth keeping.
    let mut tape = Tape(Vec::new());
    simd_json::fill_tape(bytes, &mut Buffers::default(), &mut tape).map_err(|_| Refused::Odd)?;
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
