//! The token estimate against what was measured: how much a prompt grew from one request to the next, and the
//! text that came in between.

mod common;

use std::collections::HashSet;
use std::fs;

use ccaudit::model::estimate;
use serde_json::Value;

/// Smaller growths are mostly the envelope of a message.
const LEAST_TOKENS: u64 = 200;
const LEAST_CHARACTERS: u64 = 800;

#[test]
fn error_is_as_stated() {
    let Some(shared) = common::shared() else { return };
    let mut growths = Vec::new();
    for path in walkdir::WalkDir::new(shared.join("real/dot-claude")).sort_by_file_name() {
        let path = path.unwrap();
        if path.path().extension().is_some_and(|extension| extension == "jsonl") {
            growths.extend(growths_of(&String::from_utf8_lossy(&fs::read(path.path()).unwrap())));
        }
    }
    assert_eq!(growths.len(), 1_782);
    let sum = |pick: fn(&(u64, u64)) -> u64| growths.iter().map(pick).sum::<u64>() as f64;
    let total = sum(|growth| growth.1) / sum(|growth| growth.0);
    assert!((0.98..1.0).contains(&total), "the sum is {total} of what was measured");
    let mut ratios: Vec<f64> = growths.iter().map(|growth| growth.1 as f64 / growth.0 as f64).collect();
    ratios.sort_by(f64::total_cmp);
    let (low, high) = (ratios[ratios.len() / 10], ratios[ratios.len() * 9 / 10]);
    assert!((0.62..0.64).contains(&low) && (1.14..1.16).contains(&high), "8 of 10 lie in {low}..{high}");
}

/// Measured and estimated tokens that came between two requests of one model.
fn growths_of(transcript: &str) -> Vec<(u64, u64)> {
    let mut growths = Vec::new();
    let mut seen = HashSet::new();
    let mut last: Option<(u64, String)> = None;
    let (mut ascii, mut wide, mut has_image) = (0, 0, false);
    for entry in transcript.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        if entry["isSidechain"] == true {
            continue;
        }
        let subtype = entry["subtype"].as_str().unwrap_or_default();
        if subtype == "compact_boundary" || subtype == "microcompact_boundary" {
            last = None;
        }
        let message = &entry["message"];
        if entry["type"] == "assistant" {
            let model = message["model"].as_str().unwrap_or_default();
            if model == "<synthetic>" || !message["usage"].is_object() {
                continue;
            }
            if seen.insert(message["id"].to_string()) {
                let prompt = prompt(&message["usage"]);
                if let Some((before, of)) = &last
                    && of == model
                    && !has_image
                    && prompt > before + LEAST_TOKENS
                    && ascii + wide > LEAST_CHARACTERS
                {
                    growths.push((prompt - before, estimate::tokens(ascii, wide, 0)));
                }
                last = Some((prompt, model.to_owned()));
                (ascii, wide, has_image) = (0, 0, false);
            }
        } else if entry["type"] != "user" {
            continue;
        }
        for text in texts(&message["content"], &mut has_image) {
            let characters = estimate::characters(&text);
            ascii += characters.0;
            wide += characters.1;
        }
    }
    growths
}

fn prompt(usage: &Value) -> u64 {
    ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
        .iter()
        .filter_map(|key| usage[key].as_u64())
        .sum()
}

/// The text of a message that goes into the next prompt: thinking does not.
fn texts(content: &Value, has_image: &mut bool) -> Vec<String> {
    if let Some(text) = content.as_str() {
        return vec![text.to_owned()];
    }
    let mut found = Vec::new();
    for block in content.as_array().into_iter().flatten() {
        match block["type"].as_str() {
            Some("text") => found.extend(block["text"].as_str().map(ToOwned::to_owned)),
            Some("tool_use") => found.push(block["input"].to_string()),
            Some("tool_result") => found.extend(texts(&block["content"], has_image)),
            Some("image") => *has_image = true,
            _ => {}
        }
    }
    found
}
