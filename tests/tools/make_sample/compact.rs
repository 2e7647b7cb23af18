//! Automatic compaction: when the counted tokens reach the threshold, and which rows it leaves behind.

use serde_json::{Value, json};

use super::gen_ids::SECOND;
use super::lane::Usage;
use super::rows::{self, Client};
use super::session::Session;

/// A window of 200,000, less 20,000 for the summary, less 13,000.
pub(crate) const THRESHOLD: u64 = 167_000;
/// System prompt and tools, which stay in the cache.
const BASE: u64 = 21_406;

/// Characters of the results that came after the last answer.
fn newer(s: &Session) -> u64 {
    let rows = s.rows.iter().rev().take_while(|row| row["type"] != "assistant");
    rows.filter_map(|row| row["message"]["content"][0]["content"].as_str())
        .map(|text| text.chars().count() as u64)
        .sum()
}

/// What the client compares with the threshold before it sends the next request.
pub(crate) fn counted(s: &Session) -> u64 {
    let last = s.billed.last().map_or(0, |(_, u)| u.prompt() + u.output);
    let per_token = if s.client == Client::V332 { 3 } else { 4 };
    last + newer(s) / per_token
}

/// Compacts if the threshold is reached.
pub(crate) fn if_full(s: &mut Session) {
    if counted(s) >= THRESHOLD {
        now(s);
    }
}

fn now(s: &mut Session) {
    const SLUGS: [&str; 5] = [
        "quiet-folding-heron",
        "amber-drifting-maple",
        "steady-humming-otter",
        "pale-winding-brook",
        "brisk-turning-sparrow",
    ];
    let last = s.billed.last().map_or_else(Usage::default, |(_, u)| *u);
    let pre = last.prompt() + last.output + newer(s) / 4;
    let logical = s.parent.clone();
    let kept = s.last_answer.clone();
    let leaf = json!({ "type": "last-prompt", "lastPrompt": s.prompts.last().map(|(_, p)| p.clone()), "leafUuid": logical, "sessionId": s.id });
    s.side(leaf);
    // The request for the summary reads the whole conversation. No row shows it, only `cost-state` does.
    let summary = Usage {
        input: 3,
        read: s.lane.cached(),
        write_5m: 1_630,
        output: s.rng.range(2_900, 4_100),
        hidden: true,
        ..Usage::default()
    };
    s.billed.push((s.model, summary));
    let took = s.rng.range(31, 58) as i64 * SECOND;
    s.now += took;
    s.lane.used(s.now);
    let post = s.rng.range(7_800, 11_400);
    s.dropped += pre - post;
    s.slug = Some(s.slug.unwrap_or(SLUGS[(pre % 5) as usize]));
    let anchor = s.rng.uuid();
    let mut metadata = json!({ "trigger": "auto", "preTokens": pre, "postTokens": post, "cumulativeDroppedTokens": s.dropped, "durationMs": took,
        "preservedSegment": { "headUuid": kept.first(), "anchorUuid": anchor, "tailUuid": kept.last() },
        "preservedMessages": { "anchorUuid": anchor, "uuids": kept, "allUuids": kept } });
    if s.client == Client::V332 {
        metadata["preCompactOrganizationsCoverStart"] = json!(false);
        metadata["runningTurnPrompt"] = json!({});
    }
    s.live = kept.len() as u64;
    let body = json!({ "logicalParentUuid": logical, "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "level": "info", "isMeta": false, "compactMetadata": metadata });
    s.chain(body, None);
    if s.client == Client::V332 {
        s.announce();
    }
    let text = summary_text(s);
    let mut body = json!({ "type": "user", "message": { "role": "user", "content": text }, "isVisibleInTranscriptOnly": true, "isCompactSummary": true });
    if s.client == Client::V332 {
        body["turnOrigin"] = json!("human");
    }
    let uuid = s.next(body);
    rename(s, &uuid, &anchor);
    let files: Vec<(String, String)> = s.read.iter().rev().skip(1).take(5).rev().cloned().collect();
    for (path, content) in files {
        let lines = content.split('\n').count();
        let shown = path.trim_start_matches(s.place.cwd).trim_start_matches('/').to_owned();
        let attachment = json!({ "type": "file", "filename": path, "content": { "type": "text", "file": { "filePath": path, "content": content, "numLines": lines, "startLine": 1, "totalLines": lines } }, "displayPath": shown });
        let rendered = format!(
            "<system-reminder>\nResult of calling the Read tool:\n{}\n</system-reminder>",
            super::files::numbered(&content)
        );
        s.attach(attachment, Some(("user", rendered)));
    }
    if s.client == Client::V332 {
        let cwd = s.place.cwd;
        s.attach(rows::environment(cwd), None);
        s.announce_model();
    }
    s.lane.reset_to(BASE);
}

/// Gives the last row the id that the boundary has already announced.
fn rename(s: &mut Session, from: &str, to: &str) {
    if let Some(row) = s.rows.last_mut().filter(|row| row["uuid"] == from) {
        row["uuid"] = Value::String(to.to_owned());
    }
    s.parent = Some(to.to_owned());
}

fn summary_text(s: &Session) -> String {
    let asked: Vec<&str> = s.prompts.iter().rev().take(3).rev().map(|(_, p)| p.as_str()).collect();
    let files: Vec<&str> = s.read.iter().rev().take(6).map(|(path, _)| path.as_str()).collect();
    format!(
        "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n1. Primary Request and Intent:\n   {}\n\n2. Files:\n   - {}\n\n3. State:\n   The changes that were agreed are made and their tests pass. The question that was asked last is not answered yet.\n\n4. Next step:\n   Go on with the last request, without repeating what is done.",
        asked.join("\n   "),
        files.join("\n   - ")
    )
}
