//! Memory files and their indexes, including the drift that the sample shows on purpose.

use super::gen_ids::{DAY, Rng, at, iso};
use super::memory_text::{SHOP, SHOP_WEB, SIGHTINGS, Topic};

/// Memories that no line of the index names.
pub(crate) const GHOSTS: [&str; 2] = ["staging-basket-resets", "label-printer-offline"];
/// The index line whose file is gone.
const DANGLING: &str = "- [August freeze](deploy-freeze-august.md) — no deploys from 2026-08-14 to 2026-08-17 while the warehouse moves, ask the shop lead for an exception\n";

/// One memory as it lies on disk and as a tool wrote it.
pub(crate) struct Memory {
    pub(crate) name: &'static str,
    pub(crate) file: String,
    /// What the model passed to the Write tool, before the client rewrote the front matter.
    pub(crate) written: String,
    pub(crate) line: String,
    pub(crate) modified: i64,
}

impl Memory {
    /// Whole days between its last change and `now`.
    pub(crate) fn age(&self, now: i64) -> i64 {
        ((now - self.modified) / DAY).max(0)
    }
}

fn build(topic: &Topic, length: usize, origin: Option<&str>) -> Memory {
    let mut rng = Rng::named(topic.name);
    let (month, day, hour) = topic.when;
    let modified = at(month, day, hour, 0) + (rng.range(0, 3_599_000) as i64);
    let mut body = format!("{}\n\n**Why:** {}\n\n**How to apply:** {}\n", topic.fact, topic.why, topic.how);
    let mut next = rng.range(0, 11) as usize;
    let mut seen = modified - 9 * DAY;
    for turn in 0.. {
        if body.len() + 60 >= length {
            break;
        }
        if turn == 0 {
            body.push_str("\nSeen:\n");
        }
        let sentence = SIGHTINGS[next].replace("PLACE", topic.seen[(turn + turn / 12) % 3]);
        body.push_str(&format!("- {}: {sentence}\n", &iso(seen)[..10]));
        (next, seen) = ((next + 5) % 12, seen + DAY / 2);
    }
    let head = format!("---\nname: {}\ndescription: {}\n", topic.name, topic.about);
    let written = format!("{head}type: {}\n---\n\n{body}", topic.kind);
    let file = match origin {
        None => written.clone(),
        Some(id) => format!(
            "{head}metadata:\n  node_type: memory\n  type: {}\n  originSessionId: {id}\n  modified: {}\n---\n\n{body}",
            topic.kind,
            iso(modified)
        ),
    };
    let line = format!("- [{}]({}.md) — {}\n", topic.title, topic.name, topic.hook);
    Memory { name: topic.name, file, written, line, modified }
}

/// The memories of `shop-web`; `origin` names the session that wrote one, if a transcript of the sample did.
pub(crate) fn shop_web(origin: impl Fn(&str) -> Option<String>) -> Vec<Memory> {
    SHOP_WEB
        .iter()
        .map(|topic| {
            let length = 1_426 + Rng::named(topic.title).range(0, 620) as usize;
            // Memories from before July come from an older client, which kept the flat layout.
            let old = topic.when.0 < 7;
            let mut rng = Rng::named(&format!("origin {}", topic.name));
            let id = origin(topic.name).unwrap_or_else(|| rng.uuid());
            build(topic, length, (!old).then_some(id.as_str()))
        })
        .collect()
}

/// The memories of the orphaned store.
pub(crate) fn shop() -> Vec<Memory> {
    SHOP.iter().map(|topic| build(topic, 900, None)).collect()
}

/// The index of `shop-web`: every memory but the ghosts, and one line for a file that is gone.
pub(crate) fn index(all: &[Memory], without: &str) -> String {
    let mut out = String::new();
    for (at, memory) in all.iter().filter(|m| !GHOSTS.contains(&m.name) && m.name != without).enumerate() {
        if at == 7 {
            out.push_str(DANGLING);
        }
        out.push_str(&memory.line);
    }
    out
}
