//! `wrong_answers`: what tools with a known bug print. Ours must be something else.

use serde_json::{Map, Value};

use super::{Facts, Result, Verdict, compare};

pub(super) fn check(facts: &Facts, expect: &Map<String, Value>, wrong: &Value, result: &mut Result) {
    for (name, wrong) in wrong.as_object().unwrap() {
        let path = format!("wrong_answers.{name}");
        match equals(facts, expect, wrong) {
            None => result.unknown.push(path),
            Some(true) => result.failures.push(format!("{path}: ours is the known wrong answer {wrong}")),
            Some(false) => result.compared.push(path),
        }
    }
}

/// Whether ours agrees with all of a wrong answer. An object names what it is about: fields of `usage_total`, else
/// keys of `expect`. A bare number is a cost or the size of the context, where the case has one.
fn equals(facts: &Facts, expect: &Map<String, Value>, wrong: &Value) -> Option<bool> {
    let agrees = |key: &str, value: &Value| {
        facts.value(key, value).map(|ours| matches!(compare(value, &ours), Verdict::Equal))
    };
    let has_leaf = expect.get("dag").is_some_and(|dag| dag.get("active_leaf").is_some());
    match wrong {
        Value::Object(fields) => {
            let usage = facts.usage_total();
            let mut all = true;
            for (key, value) in fields {
                all &= match usage.get(key) {
                    Some(ours) => value == ours,
                    None => agrees(key, value)?,
                };
            }
            Some(all)
        }
        Value::Number(_) if expect.contains_key("computed_cost_usd") => agrees("computed_cost_usd", wrong),
        Value::Number(_) if expect.contains_key("current_context") => agrees("current_context", wrong),
        // A bare id is the leaf from which a tool goes on.
        Value::String(_) if has_leaf => agrees("dag.active_leaf", wrong),
        _ => None,
    }
}
