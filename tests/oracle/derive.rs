//! One JSON value → the columns that it should give.

use serde_json::Value;

use super::{Boundary, Cost, Detail, Row, Text, Usage};

pub const SIDECHAIN: u32 = 1;
pub const META: u32 = 1 << 1;
pub const SUMMARY: u32 = 1 << 2;
pub const API_ERROR: u32 = 1 << 3;
pub const FORKED: u32 = 1 << 4;
pub const HUMAN: u32 = 1 << 5;
pub const REPAIRED: u32 = 1 << 6;
pub const IMPLAUSIBLE: u32 = 1 << 7;
pub const BAD_TIME: u32 = 1 << 8;
pub const TEXT: u32 = 1 << 9;
pub const THINKING: u32 = 1 << 10;
pub const CALL: u32 = 1 << 11;
pub const RESULT: u32 = 1 << 12;
pub const OTHER_BLOCK: u32 = 1 << 13;
pub const EXPLICIT: u32 = 1 << 14;
pub const RENDERED: u32 = 1 << 15;
pub const AS_SYSTEM: u32 = 1 << 16;

/// The types that the crate knows by name.
const KNOWN: &str = "user assistant system attachment progress summary custom-title ai-title last-prompt \
    task-summary tag agent-name agent-color agent-setting pr-link mode permission-mode queue-operation \
    worktree-state content-replacement file-history-snapshot file-history-delta attribution-snapshot \
    speculation-accept marble-origami-commit marble-origami-snapshot cost-state atis-latch bridge-session \
    frame-link fork-context-ref artifact-autoreact-ledger artifact-comment-monitor continued-in \
    ended-by-model relocated history-suppression api-request api-request-blob api-request-shape \
    api-request-resumed tools-used";

const BY_CLIENT: [&str; 8] = [
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-caveat>",
    "<task-notification>",
    "<bash-input>",
    "<bash-stdout>",
    "[Request interrupted",
];

/// The row of a record; `None` for a value that is no record.
pub fn row(value: &Value, offset: u64, len: u64, repaired: bool) -> Option<Row> {
    let kind = value.get("type")?.as_str()?;
    let body = &value["message"];
    let mut facts = Facts::default();
    facts.content(&body["content"]);
    let mut flags = flags(value, kind, &facts) | blocks(&body["content"]) | recorded(value, kind);
    if repaired {
        flags |= REPAIRED;
    }
    let detail = match kind {
        "assistant" => answer(value, &facts, &mut flags),
        "user" => Detail::Message {
            source: text(&value["sourceToolAssistantUUID"]),
            prompt: text(&value["promptId"]),
            agent: text(&value["toolUseResult"]["agentId"]),
        },
        _ => side(value, kind, &mut facts),
    };
    let time = time(&value["timestamp"]);
    if time.is_none() && !value["timestamp"].is_null() {
        flags |= BAD_TIME;
    }
    Some(Row {
        offset,
        len,
        kind: kind.to_owned(),
        flags,
        time,
        node: text(&value["uuid"]),
        parent: text(&value["parentUuid"]),
        envelope: ["sessionId", "version", "cwd", "gitBranch", "agentId"].map(|key| text(&value[key])),
        estimate: ((facts.narrow * 3).div_ceil(8) + facts.wide + 2000 * facts.pictures)
            .min(u64::from(u32::MAX)),
        detail,
        calls: facts.calls,
        results: facts.results,
    })
}

fn text(value: &Value) -> Text {
    value.as_str().map(str::to_owned)
}

fn time(value: &Value) -> Option<i64> {
    value.as_str()?.parse::<jiff::Timestamp>().ok().map(|time| time.as_millisecond())
}

fn flags(value: &Value, kind: &str, facts: &Facts) -> u32 {
    let mut flags = 0;
    for (key, flag) in [("isSidechain", SIDECHAIN), ("isMeta", META), ("isCompactSummary", SUMMARY)] {
        if value[key] == Value::Bool(true) {
            flags |= flag;
        }
    }
    let by_machine = flags != 0;
    if kind == "assistant" && value["isApiErrorMessage"] == Value::Bool(true) {
        flags |= API_ERROR;
    }
    if value["forkedFrom"].is_object() {
        flags |= FORKED;
    }
    let said = facts.first.trim_start();
    let human = kind == "user"
        && !by_machine
        && facts.results.is_empty()
        && matches!(value["origin"]["kind"].as_str(), None | Some("human"))
        && !value["message"].is_null()
        && !BY_CLIENT.iter().any(|start| said.starts_with(start));
    if human { flags | HUMAN } else { flags }
}

/// Which kinds of blocks there are.
fn blocks(content: &Value) -> u32 {
    let says = |text: &Value| text.as_str().is_some_and(|text| text.chars().any(|c| !c.is_whitespace()));
    let of = |block: &Value| match block["type"].as_str() {
        Some("text") if says(&block["text"]) => TEXT,
        Some("text") => 0,
        Some("thinking" | "redacted_thinking") => THINKING,
        Some("tool_use") => CALL,
        Some("tool_result") => RESULT,
        _ => OTHER_BLOCK,
    };
    let listed = content.as_array().into_iter().flatten().map(of).fold(0, |all, flag| all | flag);
    if says(content) { listed | TEXT } else { listed }
}

/// What only one kind of record has.
fn recorded(value: &Value, kind: &str) -> u32 {
    match kind {
        "last-prompt" if value["explicit"] == Value::Bool(true) => EXPLICIT,
        "attachment" => {
            let sent = value["rendered"].as_array().is_some_and(|items| !items.is_empty());
            let system = value["renderedRole"] == "system";
            (if sent { RENDERED } else { 0 }) | (if system { AS_SYSTEM } else { 0 })
        }
        _ => 0,
    }
}

fn answer(value: &Value, facts: &Facts, flags: &mut u32) -> Detail {
    let body = &value["message"];
    let usage = body["usage"].is_object().then(|| usage(&body["usage"], flags));
    Detail::Answer {
        message: text(&body["id"]),
        request: text(&value["requestId"]),
        model: text(&body["model"]),
        stop: text(&body["stop_reason"]),
        usage,
        characters: facts.answer.min(u64::from(u32::MAX)),
        cost: cost(&value["costUSD"]),
    }
}

/// Input, output, flat write, 5m, 1h, read, searches; whether there is a flat write.
fn counts(usage: &Value, flags: &mut u32) -> ([u64; 7], bool) {
    let split = &usage["cache_creation"];
    let fields = [
        &usage["input_tokens"],
        &usage["output_tokens"],
        &usage["cache_creation_input_tokens"],
        &split["ephemeral_5m_input_tokens"],
        &split["ephemeral_1h_input_tokens"],
        &usage["cache_read_input_tokens"],
        &usage["server_tool_use"]["web_search_requests"],
    ];
    let found = fields.map(|field| {
        count(field).unwrap_or_else(|()| {
            *flags |= IMPLAUSIBLE;
            None
        })
    });
    (found.map(Option::unwrap_or_default), found[2].is_some())
}

/// A count, none, or nonsense.
fn count(value: &Value) -> Result<Option<u64>, ()> {
    if value.is_null() {
        return Ok(None);
    }
    if let Some(n) = value.as_u64() {
        return Ok(Some(n));
    }
    // As short as may be a float shows whether it is an integer, and with a given number of decimals which one.
    let float = value.as_f64().filter(|float| *float >= 0.0).ok_or(())?;
    if float.to_string().contains('.') {
        return Err(());
    }
    format!("{:.0}", float.abs()).parse().map(Some).map_err(|_| ())
}

fn usage(value: &Value, flags: &mut u32) -> Usage {
    let (counts, has_flat) = counts(value, flags);
    let mut advisors = Vec::new();
    for item in value["iterations"].as_array().into_iter().flatten() {
        if item["type"].as_str().is_some_and(|kind| kind.starts_with("advisor")) {
            let ([input, output, flat, five, hour, read, searches], _) = self::counts(item, flags);
            let unsplit = u128::from(flat).saturating_sub(u128::from(five) + u128::from(hour));
            let unsplit = u64::try_from(unsplit).unwrap();
            advisors.push((text(&item["model"]), [input, output, five, hour, unsplit, read, searches]));
        }
    }
    Usage {
        counts,
        has_flat,
        has_split: value["cache_creation"].is_object(),
        service: ["speed", "inference_geo", "service_tier"].map(|key| text(&value[key])),
        advisors,
    }
}

fn cost(value: &Value) -> Cost {
    let pico = value.as_f64().map(|dollars| (dollars * 1e12).round()).filter(|pico| *pico >= 0.0);
    Cost(pico.map_or(u64::MAX, |pico| {
        if pico < 1e19 { format!("{}", pico.abs()).parse().unwrap() } else { u64::MAX }
    }))
}

fn side(value: &Value, kind: &str, facts: &mut Facts) -> Detail {
    let (mut name, mut target, mut title, mut boundary, mut total) = (None, None, None, None, None);
    match kind {
        "system" => {
            name = text(&value["subtype"]);
            target = text(&value["logicalParentUuid"]);
            if value["subtype"] == "compact_boundary" {
                let meta = &value["compactMetadata"];
                let tokens = |key: &str| count(&meta[key]).ok().flatten();
                boundary = Some(Boundary {
                    manual: meta["trigger"].as_str().map(|trigger| trigger == "manual"),
                    tokens: ["preTokens", "postTokens", "cumulativeDroppedTokens"].map(tokens),
                    segment: Some(&meta["preservedSegment"])
                        .filter(|segment| segment.is_object())
                        .map(|segment| ["headUuid", "anchorUuid", "tailUuid"].map(|key| text(&segment[key]))),
                    preserved: Some(&meta["preservedMessages"]).filter(|kept| kept.is_object()).map(|kept| {
                        let list = |key: &str| {
                            let items = kept[key].as_array().into_iter().flatten();
                            items.map(text).filter(Option::is_some).collect()
                        };
                        (text(&kept["anchorUuid"]), list("uuids"), list("allUuids"))
                    }),
                });
            }
        }
        "attachment" => {
            name = text(&value["attachment"]["type"]);
            let rendered = value["rendered"].as_array().is_some_and(|items| !items.is_empty());
            facts.strings(if rendered { &value["rendered"] } else { &value["attachment"] });
        }
        "custom-title" => title = text(&value["customTitle"]),
        "agent-name" => title = text(&value["agentName"]),
        "last-prompt" | "summary" => target = text(&value["leafUuid"]),
        "cost-state" => total = Some(cost(&value["totalCostUSD"])),
        _ if !KNOWN.split_whitespace().any(|known| known == kind) => name = Some(kind.to_owned()),
        _ => {}
    }
    Detail::Side { name, target, title, boundary, cost: total }
}

/// What the content of a message holds.
#[derive(Default)]
struct Facts {
    narrow: u64,
    wide: u64,
    pictures: u64,
    /// Characters of text, thinking and tool input.
    answer: u64,
    first: String,
    calls: Vec<(Text, Text)>,
    results: Vec<(Text, bool)>,
}

impl Facts {
    fn measure(&mut self, text: &str) -> u64 {
        let all = text.chars().count() as u64;
        let narrow = text.chars().filter(char::is_ascii).count() as u64;
        self.narrow += narrow;
        self.wide += all - narrow;
        all
    }

    fn content(&mut self, content: &Value) {
        if let Some(text) = content.as_str() {
            self.first = text.to_owned();
            self.answer += self.measure(text);
        }
        for block in content.as_array().into_iter().flatten() {
            match block["type"].as_str().unwrap_or_default() {
                "text" => {
                    let text = block["text"].as_str().unwrap_or_default();
                    if self.first.is_empty() {
                        self.first = text.to_owned();
                    }
                    self.answer += self.measure(text);
                }
                "thinking" => self.answer += self.measure(block["thinking"].as_str().unwrap_or_default()),
                "tool_use" | "server_tool_use" => {
                    self.calls.push((text(&block["id"]), text(&block["name"])));
                    if let Some(input) = block.get("input") {
                        self.input(input);
                    }
                }
                "tool_result" => self.result(block),
                "image" | "document" => self.pictures += 1,
                _ => {}
            }
        }
    }

    /// Compact JSON without escapes: a separator per value and key but the first of each, quotes, digits, `true`, `null`.
    fn input(&mut self, input: &Value) {
        let mut todo = vec![input];
        while let Some(value) = todo.pop() {
            let narrow = match value {
                Value::Null | Value::Bool(_) => 5,
                Value::Number(n) if n.is_f64() => 9,
                Value::Number(n) => 1 + n.to_string().len() as u64,
                Value::String(text) => {
                    self.answer += self.measure(text);
                    3
                }
                Value::Array(items) => {
                    todo.extend(items);
                    if items.is_empty() { 3 } else { 2 }
                }
                Value::Object(pairs) => {
                    for (key, value) in pairs {
                        self.answer += self.measure(key) + 3;
                        self.narrow += 3;
                        todo.push(value);
                    }
                    if pairs.is_empty() { 3 } else { 2 }
                }
            };
            self.narrow += narrow;
            self.answer += narrow;
        }
        self.narrow -= 1;
        self.answer -= 1;
    }

    fn result(&mut self, block: &Value) {
        self.results.push((text(&block["tool_use_id"]), block["is_error"] == Value::Bool(true)));
        self.measure(block["content"].as_str().unwrap_or_default());
        for item in block["content"].as_array().into_iter().flatten() {
            if matches!(item["type"].as_str(), Some("image" | "document")) {
                self.pictures += 1;
            } else {
                self.measure(item["text"].as_str().unwrap_or_default());
            }
        }
    }

    fn strings(&mut self, value: &Value) {
        let mut todo = vec![value];
        while let Some(value) = todo.pop() {
            match value {
                Value::String(text) => {
                    self.measure(text);
                }
                Value::Array(items) => todo.extend(items),
                Value::Object(pairs) => todo.extend(pairs.values()),
                _ => {}
            }
        }
    }
}
