//! Compares the keys of a case's `expected.json` with what the library reports. Keys are known by name, never by
//! the case they stand in.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod case;
mod dag;
mod facts;
mod wrong;

use serde_json::{Map, Value};

pub(crate) use case::{Case, PROBE_TREE, Probe, handed, listed};
pub(crate) use facts::{Facts, load};

/// What the library says about a key.
pub(crate) enum Ours {
    /// This value, exactly.
    Is(Value),
    /// An object that may say more than the case asks for.
    Fields(Value),
    /// An object whose keys are data: none may be missing, none too many. Its values are [`Ours::Fields`].
    Map(Value),
    /// Money in pico-dollars; the case gives dollars.
    Pico(u128),
    /// Something measured, of which the case gives the least.
    AtLeast(f64),
    /// Something measured, of which the case gives the most.
    AtMost(f64),
}

/// Objects of `expect` that only group keys.
const GROUPS: [&str; 2] = ["dag", "index"];

/// Keys of `expected.json` beside `expect`: what the case is about, and what the test is given.
const INPUTS: [&str; 13] = [
    "id",
    "topic",
    "client_version",
    "how",
    "expect",
    "wrong_answers",
    "prices_per_mtok",
    "timezone",
    "now",
    "context_window",
    "existing_paths",
    "fs_root",
    "max_lines",
];

/// What became of the keys of one case.
#[derive(Default)]
pub(crate) struct Result {
    pub(crate) compared: Vec<String>,
    /// Keys that no comparison knows.
    pub(crate) unknown: Vec<String>,
    pub(crate) failures: Vec<String>,
}

/// Compares every key of a case.
pub(crate) fn check(case: &Case, facts: &Facts) -> Result {
    let mut result = Result::default();
    for key in case.expected.as_object().unwrap().keys() {
        if !INPUTS.contains(&key.as_str()) && key != "max_chars" {
            result.failures.push(format!("`{key}` beside `expect` is an input that the test does not know"));
        }
    }
    result.keys(facts, "", case.expected["expect"].as_object().unwrap());
    if let Some(wrong) = case.expected.get("wrong_answers") {
        wrong::check(facts, case.expected["expect"].as_object().unwrap(), wrong, &mut result);
    }
    result.failures.extend(facts.unaccounted_bytes());
    result
}

/// Values of a case that could be something else without any comparison noticing: there must be none.
pub(crate) fn unnoticed(case: &Case, facts: &Facts) -> Vec<String> {
    let mut unnoticed = Vec::new();
    for (key, value) in case.expected["expect"].as_object().unwrap() {
        let accepts = |value: Value| {
            let mut result = Result::default();
            result.keys(facts, "", &Map::from_iter([(key.clone(), value)]));
            !result.compared.is_empty() && result.failures.is_empty() && result.unknown.is_empty()
        };
        if !accepts(value.clone()) {
            continue;
        }
        for leaf in leaves(value) {
            let with = |other: Value| {
                let mut changed = value.clone();
                *changed.pointer_mut(&leaf).unwrap() = other;
                changed
            };
            // Two values, for what is compared with a limit.
            let others: [Value; 2] = [(-1).into(), 1_000_000_000_000_000_u64.into()];
            if others.into_iter().all(|other| accepts(with(other))) {
                unnoticed.push(format!("{key}{leaf}: could be anything"));
            }
        }
    }
    unnoticed
}

/// Pointers to the values of a value that hold no others.
fn leaves(value: &Value) -> Vec<String> {
    let below = |name: &str, value: &Value| {
        let name = name.replace('~', "~0").replace('/', "~1");
        leaves(value).into_iter().map(move |leaf| format!("/{name}{leaf}")).collect::<Vec<_>>()
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().flat_map(|(name, value)| below(name, value)).collect()
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().flat_map(|(at, value)| below(&at.to_string(), value)).collect()
        }
        _ => vec![String::new()],
    }
}

impl Result {
    fn keys(&mut self, facts: &Facts, prefix: &str, expected: &Map<String, Value>) {
        for (key, value) in expected {
            match value {
                // The values of the tree after a setup with that many repeats, which is what was loaded.
                Value::Object(inner) if key.starts_with("after_setup_repeat_") => {
                    self.keys(facts, prefix, inner);
                }
                Value::Object(inner) if GROUPS.contains(&key.as_str()) => {
                    self.keys(facts, &format!("{prefix}{key}."), inner);
                }
                Value::Array(items) if facts.items(key).is_some() && items.iter().all(Value::is_object) => {
                    self.items(facts, key, items);
                }
                _ => {
                    self.key(&format!("{prefix}{key}"), value, facts.value(&format!("{prefix}{key}"), value))
                }
            }
        }
    }

    /// A list of things that each have keys of their own.
    fn items(&mut self, facts: &Facts, key: &str, expected: &[Value]) {
        let ours = facts.items(key).unwrap();
        let list = format!("{key}[]");
        self.key(&list, &expected.len().into(), Some(Ours::Is(ours.len().into())));
        for (expected, ours) in expected.iter().zip(ours) {
            for (field, value) in expected.as_object().unwrap() {
                let ours = ours.get(field).map(|ours| Ours::Is(ours.clone()));
                self.key(&format!("{list}.{field}"), value, ours);
            }
        }
    }

    fn key(&mut self, path: &str, expected: &Value, ours: Option<Ours>) {
        let Some(ours) = ours else { return self.unknown.push(path.to_owned()) };
        match compare(expected, &ours) {
            Verdict::Equal => self.compared.push(path.to_owned()),
            Verdict::Differs(ours) => {
                self.compared.push(path.to_owned());
                self.failures.push(format!("{path}: {ours} instead of {expected}"));
            }
            Verdict::Unknown(fields) => {
                self.unknown.extend(fields.iter().map(|field| format!("{path}.{field}")));
            }
        }
    }
}

pub(crate) enum Verdict {
    Equal,
    /// Our value.
    Differs(String),
    /// Fields of the expected object that ours does not have.
    Unknown(Vec<String>),
}

pub(crate) fn compare(expected: &Value, ours: &Ours) -> Verdict {
    let judge = |equal: bool, ours: String| if equal { Verdict::Equal } else { Verdict::Differs(ours) };
    match ours {
        Ours::Is(ours) => judge(same(expected, ours), ours.to_string()),
        Ours::Pico(ours) => judge(
            expected.as_f64().is_some_and(|dollars| pico(dollars) == *ours),
            format!("{ours} pico-dollars"),
        ),
        Ours::AtLeast(ours) => {
            judge(expected.as_f64().is_some_and(|least| *ours >= least), format!("{ours}, too little,"))
        }
        Ours::AtMost(ours) => {
            judge(expected.as_f64().is_some_and(|most| *ours <= most), format!("{ours}, too much,"))
        }
        Ours::Fields(ours) => fields(expected, ours),
        Ours::Map(ours) => {
            let (Some(wanted), Some(have)) = (expected.as_object(), ours.as_object()) else {
                return Verdict::Differs(ours.to_string());
            };
            if !wanted.keys().all(|key| have.contains_key(key)) || wanted.len() != have.len() {
                return Verdict::Differs(ours.to_string());
            }
            for (key, wanted) in wanted {
                match fields(wanted, &have[key]) {
                    Verdict::Equal => {}
                    other => return other,
                }
            }
            Verdict::Equal
        }
    }
}

/// Every field of the expected object is in ours and equal; anything else is compared as it stands.
fn fields(expected: &Value, ours: &Value) -> Verdict {
    let (Some(wanted), Some(have)) = (expected.as_object(), ours.as_object()) else {
        return if same(expected, ours) { Verdict::Equal } else { Verdict::Differs(ours.to_string()) };
    };
    let unknown: Vec<String> = wanted.keys().filter(|key| !have.contains_key(*key)).cloned().collect();
    if !unknown.is_empty() {
        return Verdict::Unknown(unknown);
    }
    if wanted.iter().all(|(key, wanted)| same(wanted, &have[key])) {
        Verdict::Equal
    } else {
        Verdict::Differs(ours.to_string())
    }
}

/// Equal as values: 0 is 0.0.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        _ => a == b,
    }
}

/// Dollars as written in a case; exact below 9,000 USD.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "prices are small and positive")]
pub(crate) fn pico(dollars: f64) -> u128 {
    (dollars * 1e12).round() as u128
}
