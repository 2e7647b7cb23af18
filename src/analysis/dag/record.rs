//! An entry's text, read again. The model keeps none, so it comes from the transcript itself.

use serde_json::Value;

use crate::analysis::secrets::mask;
use crate::model::{Corpus, EntryRef};
use crate::source::Source;

/// The whole record of an entry; `None` where its bytes can no longer be read, or only with repairs.
#[must_use]
pub fn record(source: &dyn Source, corpus: &Corpus, at: EntryRef) -> Option<Value> {
    serde_json::from_slice(&source.entry(corpus, at).ok()?).ok()
}

/// Characters of a text that are shown.
const LONGEST: usize = 160;
/// Bytes of a text that are looked at for them: a credential that begins among them may be long, a text much longer.
const LOOKED_AT: usize = 4_096;

/// What an entry says: text, the names of tools called, results, what was sent for an attachment. On one line and
/// shortened; empty where it says nothing.
#[must_use]
pub fn excerpt(record: &Value) -> String {
    let mut said = Vec::new();
    match record.get("message").and_then(|message| message.get("content")) {
        Some(content) => blocks(content, &mut said),
        None => match record.get("rendered").filter(|sent| sent.is_array()) {
            Some(sent) => sent.as_array().into_iter().flatten().for_each(|sent| {
                blocks(sent.get("content").unwrap_or(&Value::Null), &mut said);
            }),
            None => said.extend(record.get("content").and_then(Value::as_str).map(str::to_owned)),
        },
    }
    cut(&said.join(" "))
}

/// The texts of a string or a list of blocks.
fn blocks(content: &Value, said: &mut Vec<String>) {
    if let Some(text) = content.as_str() {
        said.push(text.to_owned());
    }
    for block in content.as_array().into_iter().flatten() {
        let text = |key: &str| block.get(key).and_then(Value::as_str);
        match text("type") {
            Some("tool_use" | "server_tool_use") => {
                said.push(format!("[calls {}]", text("name").unwrap_or("a tool")));
            }
            Some("tool_result") => said.push(format!(
                "[result] {}",
                block.get("content").map_or_else(String::new, |content| {
                    let mut inner = Vec::new();
                    result(content, &mut inner);
                    inner.join(" ")
                })
            )),
            Some("thinking") => said.push("[thinks]".to_owned()),
            _ => said.extend(text("text").map(str::to_owned)),
        }
    }
}

/// The texts of a tool result, whose blocks hold no further results.
fn result(content: &Value, said: &mut Vec<String>) {
    said.extend(content.as_str().map(str::to_owned));
    let blocks = content.as_array().into_iter().flatten();
    said.extend(blocks.filter_map(|block| block.get("text").and_then(Value::as_str)).map(str::to_owned));
}

/// A text on one line and without what looks like a credential, cut after [`LONGEST`] characters.
pub(super) fn cut(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.extend(word.chars().take(LOOKED_AT));
        if line.len() >= LOOKED_AT {
            break;
        }
    }
    let line = mask(&line);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_looked_at_as_far_as_it_is_shown() {
        assert_eq!(cut(" one\n two\tthree "), "one two three");
        assert_eq!(cut(&"é ".repeat(1_000_000)).chars().count(), LONGEST + 1);
        // A name that goes on and on would be read anew from each of its parts.
        assert_eq!(cut(&"a-".repeat(10_000_000)).chars().count(), LONGEST + 1);
        assert_eq!(cut(&format!("token={} x", "s".repeat(3_000))), "token=<secret> x");
    }
}
