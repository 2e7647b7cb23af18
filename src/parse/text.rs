//! Questions about text that is measured and then forgotten.

use super::tape::{Node, Text, Value};

/// Texts that the client writes into user entries by itself start with one of these.
const CLIENT_TEXTS: [&str; 8] = [
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-caveat>",
    "<task-notification>",
    "<bash-input>",
    "<bash-stdout>",
    "[Request interrupted",
];

/// White space only, or nothing. Hardly any text is looked at further than its first byte.
pub(super) fn is_blank(text: Text<'_>) -> bool {
    match text.raw.bytes().next() {
        None => true,
        Some(first) if first.is_ascii_graphic() && first != b'\\' => false,
        Some(_) => text.value().trim().is_empty(),
    }
}

pub(super) fn is_written_by_client(text: &str) -> bool {
    let text = text.trim_start();
    CLIENT_TEXTS.iter().any(|prefix| text.starts_with(prefix))
}

/// ASCII and other characters of a value written as compact JSON, escapes not counted: two quotes for each
/// string, a separator for each node, the digits of each integer, 8 for any other number.
pub(super) fn json_characters(value: Value<'_, '_>) -> (u64, u64) {
    let (mut ascii, mut wide) = (0, 0);
    value.walk(|node, _| {
        ascii += 1;
        match node {
            Node::Str(text) => {
                let characters = text.characters();
                ascii += characters.0 + 2;
                wide += characters.1;
            }
            Node::Bool(_) | Node::Null => ascii += 4,
            Node::U64(n) => ascii += digits(n),
            // `-0` is no integer to other readers.
            Node::I64(0) | Node::F64(_) => ascii += 8,
            Node::I64(n) => ascii += 1 + digits(n.unsigned_abs()),
            // Its first child has no separator before it.
            Node::Object { span, .. } | Node::Array { span } => ascii += if span == 1 { 2 } else { 1 },
        }
    });
    // Nor has the whole.
    (ascii - 1, wide)
}

const fn digits(n: u64) -> u64 {
    match n.checked_ilog10() {
        Some(log) => log as u64 + 1,
        None => 1,
    }
}
