//! What holds for any bytes and any tree, on random ones.
//!
//! `CCAUDIT_FACTOR` multiplies the number of cases.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

#[path = "properties/bytes.rs"]
mod bytes;
#[path = "oracle/mod.rs"]
mod oracle;
#[path = "properties/totals.rs"]
mod totals;

use std::path::Path;

use proptest::test_runner::{Config, FileFailurePersistence};

/// Settings for a test of `cases` cases; what fails is kept below `tests/regressions/`.
fn config(cases: u32, seeds: &'static str) -> Config {
    #[allow(clippy::disallowed_methods, reason = "tests read their own environment")]
    let factor = std::env::var("CCAUDIT_FACTOR").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    Config {
        cases: cases.saturating_mul(factor),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        max_shrink_iters: 2_000,
        ..Config::default()
    }
}

/// Lines of real shape: those of the samples, and some that hold what the samples do not.
fn real_lines() -> &'static [Vec<u8>] {
    static LINES: std::sync::LazyLock<Vec<Vec<u8>>> = std::sync::LazyLock::new(|| {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folders = ["sample-data/rules", "tests/cases"].map(|folder| package.join(folder));
        let roots =
            folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| oracle::tree::roots(folder));
        let mut lines: Vec<Vec<u8>> = EXTRA.iter().map(|line| line.as_bytes().to_vec()).collect();
        for root in roots {
            // Some cases have nothing to read.
            let Ok(found) = ccaudit::discover::trees(&[&root]) else { continue };
            for file in found.files {
                if file.kind.is_transcript() {
                    let bytes = std::fs::read(file.disk).unwrap();
                    let fit = |line: &&[u8]| (1..4_000).contains(&line.len());
                    lines.extend(bytes.split(|byte| *byte == b'\n').filter(fit).map(<[u8]>::to_vec));
                }
            }
        }
        lines.sort();
        lines.dedup();
        lines
    });
    &LINES
}

const EXTRA: [&str; 7] = [
    r#"{"type":"assistant","uuid":"a","timestamp":"2026-08-03T10:00:05.000Z","sessionId":"s","requestId":"r","costUSD":0.0125,"message":{"id":"m","model":"x","stop_reason":"end_turn","content":[{"type":"thinking","thinking":"hm \ud83d\ude00"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls","n":[1,-2,3.5,null,true,-0],"command":"pwd"}}],"usage":{"input_tokens":3,"output_tokens":1e2,"cache_creation_input_tokens":10,"cache_read_input_tokens":5.0,"cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":6},"server_tool_use":{"web_search_requests":1},"service_tier":"standard","speed":"fast","inference_geo":"us","iterations":[{"type":"advisor_call","model":"y","input_tokens":7,"output_tokens":8},{"type":"message","input_tokens":3}]}}}"#,
    r#"{"type":"user","uuid":"b","parentUuid":"a","isSidechain":false,"promptId":"p","sourceToolAssistantUUID":"a","toolUseResult":{"agentId":"z"},"message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":"out\u00e9"},{"type":"image"}]}]}}"#,
    r#"{"type":"system","subtype":"compact_boundary","logicalParentUuid":"b","compactMetadata":{"trigger":"auto","preTokens":155000,"postTokens":2e3,"cumulativeDroppedTokens":12345678901234567890123}}"#,
    r#"{"type":"attachment","attachment":{"type":"file","text":["one",{"two":"three"}]},"rendered":[{"content":"four"}]}"#,
    r#"{"type":"cost-state","totalCostUSD":12.345678901}"#,
    r#"{"type":"custom-title","customTitle":"a title","sessionId":"s"}"#,
    r#"{ "\u0074ype" : "brand-new" , "timestamp" : "2026-03-24T00:10:00.123+02:00" , "isMeta" : true, "forkedFrom":{} }"#,
];
