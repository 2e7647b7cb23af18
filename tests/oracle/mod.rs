//! A second reader of transcripts, on `serde_json` and the meaning of the fields. It shares no code with the
//! crate, so that where both agree neither has got there by the other's mistake.
#![allow(dead_code, unreachable_pub, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but does not see that this is one")]

pub mod compare;
pub mod derive;
pub mod observe;
pub mod tree;

use serde::Deserialize;
use serde_json::Value;

/// A sum of money; two readers of decimal fractions may differ in the last bit.
#[derive(Clone, Copy, Debug)]
pub struct Cost(pub u64);

impl PartialEq for Cost {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.0.max(other.0) != u64::MAX && self.0.abs_diff(other.0) <= self.0 >> 50)
    }
}

pub type Text = Option<String>;

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub offset: u64,
    pub len: u64,
    pub kind: String,
    pub flags: u32,
    pub time: Option<i64>,
    pub node: Text,
    pub parent: Text,
    /// Session, version, working directory, branch, agent.
    pub envelope: [Text; 5],
    pub estimate: u64,
    pub detail: Detail,
    /// Id and name.
    pub calls: Vec<(Text, Text)>,
    pub results: Vec<(Text, bool)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    Answer {
        message: Text,
        request: Text,
        model: Text,
        stop: Text,
        usage: Option<Usage>,
        characters: u64,
        cost: Cost,
    },
    Message {
        source: Text,
        prompt: Text,
        agent: Text,
    },
    Side {
        name: Text,
        target: Text,
        title: Text,
        boundary: Option<Boundary>,
        cost: Option<Cost>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    pub manual: Option<bool>,
    /// Before, after, dropped.
    pub tokens: [Option<u64>; 3],
    /// Head, anchor, tail.
    pub segment: Option<[Text; 3]>,
    /// Anchor, entries, all.
    pub preserved: Option<(Text, Vec<Text>, Vec<Text>)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    /// Input, output, flat write, 5m, 1h, read, searches.
    pub counts: [u64; 7],
    pub has_flat: bool,
    pub has_split: bool,
    /// Speed, geography, tier.
    pub service: [Text; 3],
    /// Model; input, output, 5m, 1h, unsplit, read, searches.
    pub advisors: Vec<(Text, [u64; 7])>,
}

/// A JSON value, however deep.
pub fn parse(bytes: &[u8]) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

/// Runs `work` where a value of hundreds of thousands of levels does not exhaust the stack.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 31).spawn_scoped(scope, work).unwrap();
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
