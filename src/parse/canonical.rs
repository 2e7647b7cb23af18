//! The `usage` of a record in one spelling, however it was written and however deep it is.

use std::collections::BTreeMap;

use super::tape::{Node, Value};
use super::{repair, scan, simd};

/// The `usage` object of a record as JSON with sorted keys and no spaces; `None` where the bytes hold none.
#[must_use]
pub fn usage(record: &[u8]) -> Option<String> {
    let mut fixed;
    let mut nodes = Vec::new();
    let plain =
        str::from_utf8(record).ok().and_then(|line| scan::value(line, &mut nodes, &mut Vec::new()).ok());
    if plain.is_none() {
        fixed = repair::value(record).bytes;
        simd::value(&mut fixed, &mut nodes).ok()?;
    }
    Value::root(&nodes).get("message")?.get("usage").map(json)
}

/// What is still to be written, the next of it last.
enum Step<'t, 'i> {
    Value(Value<'t, 'i>),
    Text(&'static str),
    Key(&'i str),
}

/// Does not recurse, so nesting costs no stack.
fn json(value: Value<'_, '_>) -> String {
    let mut out = String::new();
    let mut steps = vec![Step::Value(value)];
    while let Some(step) = steps.pop() {
        let value = match step {
            Step::Value(value) => value,
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Key(key) => {
                out.push_str(&string(key));
                continue;
            }
        };
        match value.node() {
            Some(Node::Object { .. }) => {
                out.push('{');
                steps.push(Step::Text("}"));
                let last: BTreeMap<&str, Value<'_, '_>> = value.pairs().collect();
                for (at, (key, value)) in last.into_iter().enumerate().rev() {
                    steps.extend([Step::Value(value), Step::Text(":"), Step::Key(key)]);
                    steps.extend((at > 0).then_some(Step::Text(",")));
                }
            }
            Some(Node::Array { .. }) => {
                out.push('[');
                steps.push(Step::Text("]"));
                let items: Vec<_> = value.items().collect();
                for (at, item) in items.into_iter().enumerate().rev() {
                    steps.push(Step::Value(item));
                    steps.extend((at > 0).then_some(Step::Text(",")));
                }
            }
            Some(Node::Str(text)) => out.push_str(&string(&text.value())),
            Some(Node::U64(n)) => out.push_str(&n.to_string()),
            Some(Node::I64(n)) => out.push_str(&n.to_string()),
            Some(Node::F64(n)) => out.push_str(&serde_json::Value::from(n).to_string()),
            Some(Node::Bool(is)) => out.push_str(if is { "true" } else { "false" }),
            Some(Node::Null) | None => out.push_str("null"),
        }
    }
    out
}

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_sorted_json() {
        for text in [
            r#"{"b":1,"a":[],"c":{},"é":-0.0,"aa":[1,-2,3.5,1e300,18446744073709551615,-9223372036854775808,null,true]}"#,
            r#"{ "x" : "a\"\\\u0001\n\ud83d\ude00" , "\u0061" : [ [ { "z":0,"y":[1,2] } ] ,false ], "x":"last" }"#,
            r#"{"n":123456789012345678901234567890,"m":1e2,"\"":"\/"}"#,
            "[]",
            "7",
        ] {
            let mut expected: serde_json::Value = serde_json::from_str(text).unwrap();
            expected.sort_all_objects();
            let record = format!(r#"{{"message":{{"usage":1,"usage":{text}}},"type":"assistant"}}"#);
            assert_eq!(usage(record.as_bytes()), Some(expected.to_string()), "{text}");
        }
        assert_eq!(usage(br#"{"message":{}}"#), None);
        assert_eq!(usage(b"{\"message\":"), None);
    }

    #[test]
    fn depth_and_damage_make_no_difference() {
        const LEVELS: usize = 100_000;
        let deep = "[".repeat(LEVELS) + &"]".repeat(LEVELS);
        let record = format!(r#"{{"x":{deep},"message":{{"usage":{{"b":{deep},"a":"\ud800"}}}}}}"#);
        assert_eq!(usage(record.as_bytes()), Some(format!("{{\"a\":\"\u{fffd}\",\"b\":{deep}}}")));
    }
}
