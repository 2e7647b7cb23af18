//! Builds one transcript row by row, as the client of that version would have written it.

use serde_json::{Map, Value, json};

use super::gen_ids::{MINUTE, Rng, SECOND, iso};
use super::lane::{Lane, Usage};
use super::rows::{self, Client, Tool};

/// Where a session runs.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) cwd: &'static str,
    pub(crate) branch: &'static str,
    pub(crate) files: &'static [&'static str],
}

/// What stands for the result of a call that the person did not let happen.
pub(crate) const REFUSED: &str = "User rejected tool use";

/// One answer of the model.
#[derive(Default)]
pub(crate) struct Reply {
    pub(crate) thinking: bool,
    pub(crate) text: Option<String>,
    pub(crate) tools: Vec<Tool>,
    /// Tokens that the conversation has grown by since the last request.
    pub(crate) grow: u64,
    pub(crate) output: u64,
    /// Uncached prompt tokens, for the gateway.
    pub(crate) uncached: Option<u64>,
    /// No block ever gets the final usage.
    pub(crate) unfinished: bool,
}

pub(crate) struct Agent {
    pub(crate) id: String,
    pub(crate) kind: &'static str,
}

pub(crate) struct Session {
    pub(crate) id: String,
    /// The title that the client makes up after the first turn.
    title: String,
    pub(crate) place: Place,
    pub(crate) client: Client,
    pub(crate) rng: Rng,
    pub(crate) rows: Vec<Value>,
    pub(crate) parent: Option<String>,
    pub(crate) now: i64,
    pub(crate) started: i64,
    pub(crate) model: &'static str,
    pub(crate) lane: Lane,
    /// Responses and, after a compaction, the summary request that no row shows.
    pub(crate) billed: Vec<(&'static str, Usage)>,
    pub(crate) agent: Option<Agent>,
    pub(crate) slug: Option<&'static str>,
    pub(crate) instructions: Vec<(String, &'static str, String)>,
    pub(crate) prompts: Vec<(i64, String)>,
    pub(crate) turn: u64,
    /// Rows of the live conversation, for `messageCount`.
    pub(crate) live: u64,
    /// Rows of the last answer and its results, for what a compaction keeps.
    pub(crate) last_answer: Vec<String>,
    pub(crate) read: Vec<(String, String)>,
    pub(crate) dropped: u64,
    prompt_id: String,
    pub(crate) turn_began: i64,
}

impl Session {
    pub(crate) fn new(name: &str, place: Place, client: Client, model: &'static str, start: i64) -> Self {
        let mut rng = Rng::named(name);
        let id = rng.uuid();
        Self {
            id,
            title: name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect(),
            place,
            client,
            rows: Vec::new(),
            parent: None,
            now: start,
            started: start,
            model,
            lane: Lane::new(model),
            billed: Vec::new(),
            agent: None,
            slug: None,
            instructions: Vec::new(),
            prompts: Vec::new(),
            turn: 0,
            live: 0,
            last_answer: Vec::new(),
            read: Vec::new(),
            dropped: 0,
            prompt_id: rng.uuid(),
            turn_began: start,
            rng,
        }
    }

    /// The transcript of an agent that this session starts at `start`.
    pub(crate) fn start_agent(&mut self, kind: &'static str, model: &'static str, start: i64) -> Self {
        let id = format!("a{}", self.rng.hex(16));
        let mut agent = Self::new(&id, self.place, self.client, model, start);
        agent.id.clone_from(&self.id);
        agent.prompt_id.clone_from(&self.prompt_id);
        agent.agent = Some(Agent { id, kind });
        agent
    }

    pub(crate) fn side(&mut self, row: Value) {
        self.rows.push(row);
    }

    /// A row of the chain; `body` begins with what is particular to it.
    pub(crate) fn chain(&mut self, body: Value, parent: Option<String>) -> String {
        let uuid = self.rng.uuid();
        let mut row = Map::new();
        row.insert("parentUuid".into(), parent.map_or(Value::Null, Value::String));
        row.insert("isSidechain".into(), json!(self.agent.is_some()));
        if let Some(agent) = &self.agent {
            row.insert("agentId".into(), json!(agent.id));
        }
        if let Value::Object(fields) = body {
            row.extend(fields);
        }
        row.insert("uuid".into(), json!(uuid));
        row.insert("timestamp".into(), json!(iso(self.now)));
        row.insert("userType".into(), json!("external"));
        row.insert("entrypoint".into(), json!("cli"));
        row.insert("cwd".into(), json!(self.place.cwd));
        row.insert("sessionId".into(), json!(self.id));
        row.insert("version".into(), json!(self.client.version()));
        row.insert("gitBranch".into(), json!(self.place.branch));
        if let Some(slug) = self.slug {
            row.insert("slug".into(), json!(slug));
        }
        self.rows.push(Value::Object(row));
        self.parent = Some(uuid.clone());
        self.live += 1;
        uuid
    }

    pub(crate) fn next(&mut self, body: Value) -> String {
        let parent = self.parent.clone();
        self.chain(body, parent)
    }

    pub(crate) fn attach(&mut self, attachment: Value, rendered: Option<(&str, String)>) -> String {
        let mut body = json!({ "attachment": attachment, "type": "attachment" });
        if let (Some((role, text)), Client::V332) = (rendered, self.client) {
            body["rendered"] = json!([{ "content": text }]);
            body["renderedRole"] = json!(role);
        }
        self.next(body)
    }

    /// What is said at the start of the context, and again after a compaction.
    pub(crate) fn announce(&mut self) {
        if !self.instructions.is_empty() {
            let (attachment, text) = rows::instructions(&self.instructions);
            self.attach(attachment, Some(("user", text)));
        }
        self.attach(json!({ "type": "session_context", "context": {} }), None);
        let day = iso(self.now)[..10].to_owned();
        let text = format!("<system-reminder>\nToday's date is {day}.\n</system-reminder>");
        self.attach(json!({ "type": "date", "date": day }), Some(("system", text)));
    }

    pub(crate) fn announce_model(&mut self) {
        let name = if self.model.contains("sonnet") { "Sonnet 5.5" } else { "Opus 5.5" };
        let attachment = rows::model(self.model, name);
        let text = format!(
            "<system-reminder>\nYou are powered by the model named {name}. The exact model ID is {}.\n</system-reminder>",
            self.model
        );
        self.attach(attachment, Some(("system", text)));
    }

    fn modes(&mut self) {
        if self.client != Client::V87 {
            self.side(json!({ "type": "mode", "mode": "normal", "sessionId": self.id }));
        }
        self.side(
            json!({ "type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": self.id }),
        );
    }

    /// A typed prompt after `pause` milliseconds, on top of the last row.
    pub(crate) fn prompt(&mut self, text: &str, pause: i64) -> String {
        self.now += pause;
        self.turn_began = self.now;
        self.turn += 1;
        self.prompt_id = self.rng.uuid();
        self.prompts.push((self.now, text.to_owned()));
        let first = self.turn == 1;
        if first {
            self.modes();
            if self.client != Client::V87 {
                self.side(json!({ "type": "atis-latch", "atis": "", "sessionId": self.id }));
            }
        }
        let place_of_snapshot = self.rows.len();
        let mut body = json!({ "promptId": self.prompt_id, "type": "user", "message": { "role": "user", "content": text }, "permissionMode": "acceptEdits" });
        if self.client != Client::V87 {
            body["origin"] = json!({ "kind": "human" });
            body["promptSource"] = json!("typed");
        }
        if self.client == Client::V332 {
            body["turnOrigin"] = json!("human");
            body["turnPosition"] = json!({ "promptIndex": self.turn, "turnIndex": self.turn });
        }
        let uuid = self.next(body);
        let snapshot = json!({ "type": "file-history-snapshot", "messageId": uuid, "snapshot": { "messageId": uuid, "trackedFileBackups": {}, "timestamp": iso(self.now) }, "isSnapshotUpdate": false });
        self.rows.insert(place_of_snapshot, snapshot);
        if first && self.client == Client::V332 {
            let cwd = self.place.cwd;
            self.attach(rows::environment(cwd), None);
            self.announce_model();
            self.announce();
        } else if self.client == Client::V247 {
            let left = 15_000_000 - self.billed.iter().map(|(_, u)| u.prompt()).sum::<u64>();
            self.attach(json!({ "type": "total_tokens_reminder", "text": format!("<total_tokens>{left} tokens left</total_tokens>") }), None);
        }
        uuid
    }

    /// A row that the machine adds on behalf of the person, with `promptSource` system.
    pub(crate) fn notification(&mut self, text: &str) {
        self.prompt_id = self.rng.uuid();
        let body = json!({ "promptId": self.prompt_id, "type": "user", "message": { "role": "user", "content": text }, "permissionMode": "acceptEdits",
            "origin": { "kind": "task-notification", "producer": "session-task" }, "promptSource": "system", "turnOrigin": "task_notification", "queueSkipAttachments": true });
        self.next(body);
    }

    /// One response with all its rows and the results of its tools. Returns its usage.
    pub(crate) fn reply(&mut self, reply: Reply) -> Usage {
        let began = self.now;
        self.now += (self.rng.range(4, 26) * 1000 + self.rng.range(0, 999)) as i64;
        let mut usage = match reply.uncached {
            Some(input) => Usage { input, uncached: true, ..Usage::default() },
            None => self.lane.next(began, reply.grow, self.model),
        };
        usage.output = if reply.unfinished { 1 } else { reply.output };
        usage.thinking = if reply.thinking { reply.output / 4 } else { 0 };
        let mut blocks: Vec<Value> = Vec::new();
        if reply.thinking {
            let text =
                if self.client == Client::V87 { "Compare the two paths first, then decide." } else { "" };
            blocks.push(json!({ "type": "thinking", "thinking": text, "signature": self.rng.signature() }));
        }
        blocks.extend(reply.text.map(|text| json!({ "type": "text", "text": text })));
        let mut ids: Vec<String> = Vec::new();
        for tool in &reply.tools {
            let id = tool.id.clone().unwrap_or_else(|| self.rng.api_id("toolu_", "01"));
            blocks.push(json!({ "type": "tool_use", "id": id, "name": tool.name, "input": tool.input }));
            ids.push(id);
        }
        let answer = self.answer_rows(
            blocks,
            &usage,
            if ids.is_empty() { "end_turn" } else { "tool_use" },
            reply.unfinished,
        );
        let calls = answer[answer.len() - ids.len()..].to_vec();
        self.last_answer = answer;
        self.lane.used(self.now);
        self.billed.push((self.model, usage));
        self.results(reply.tools, &ids, &calls);
        usage
    }

    fn answer_rows(
        &mut self,
        blocks: Vec<Value>,
        usage: &Usage,
        stop: &str,
        unfinished: bool,
    ) -> Vec<String> {
        let message_id = self.rng.api_id("msg_", "01");
        let request_id = self.rng.api_id("req_", "011C");
        let count = blocks.len();
        let mut uuids = Vec::new();
        for (at, block) in blocks.into_iter().enumerate() {
            let early = self.client == Client::V87 && (at + 1 < count || unfinished);
            let (stop, counts) = match early {
                true => (Value::Null, rows::usage_at_start(usage)),
                false => (json!(stop), rows::usage(usage, self.client)),
            };
            let mut message = json!({ "id": message_id, "type": "message", "role": "assistant", "model": self.model, "content": [block],
                "stop_reason": stop, "stop_sequence": null, "usage": counts });
            if let Some(missed) = usage.missed {
                message["diagnostics"] = json!({ "cache_miss_reason": { "type": "tools_changed", "cache_missed_input_tokens": missed } });
            }
            let mut body = json!({ "message": message });
            if self.client == Client::V332 {
                body["message"]["stop_details"] = Value::Null;
                body["apiBlockIndex"] = json!(at);
            }
            if !usage.uncached {
                body["requestId"] = json!(request_id);
            }
            if self.client == Client::V332 {
                body["requestedModel"] = json!(self.model);
                body["promptCacheRequested"] = json!(if self.lane.one_hour { "1h" } else { "5m" });
            }
            if let (Some(agent), true) = (&self.agent, self.client == Client::V332) {
                body["attributionAgent"] = json!(agent.kind);
            }
            body["type"] = json!("assistant");
            if self.client != Client::V87 {
                body["effort"] = json!("medium");
            }
            uuids.push(self.next(body));
            self.now += self.rng.range(2, 60) as i64;
        }
        uuids
    }

    /// The results, in the order in which the tools finished: the first one last, where there are several.
    fn results(&mut self, mut tools: Vec<Tool>, ids: &[String], calls: &[String]) {
        let mut order: Vec<usize> = (0..tools.len()).collect();
        order.rotate_left(usize::from(tools.len() > 1));
        for at in order {
            self.now += (self.rng.range(1, 9) * 100 + self.rng.range(0, 99)) as i64;
            let tool = &mut tools[at];
            if tool.name == "Read" {
                let text = tool.detail["file"]["content"].as_str().unwrap_or("").to_owned();
                let path = tool.input["file_path"].as_str().unwrap_or("").to_owned();
                self.read.retain(|(known, _)| *known != path);
                self.read.push((path, text));
            }
            let mut block = json!({ "tool_use_id": ids[at], "type": "tool_result", "content": tool.result });
            let refused = tool.detail == REFUSED;
            if tool.name == "Bash" {
                block["is_error"] = json!(refused);
            }
            let mut body = json!({ "promptId": self.prompt_id, "type": "user", "message": { "role": "user", "content": [block] } });
            if self.agent.is_none() || self.client != Client::V332 {
                body["toolUseResult"] = tool.detail.take();
            }
            if refused {
                body["toolDenialKind"] = json!("user-rejected");
            }
            body["sourceToolAssistantUUID"] = json!(calls[at]);
            let uuid = self.chain(body, Some(calls[at].clone()));
            self.last_answer.push(uuid);
        }
    }

    /// What the client writes when a turn is over.
    pub(crate) fn end_turn(&mut self) {
        if self.client != Client::V87 {
            self.now += 40;
            let (took, count) = (self.now - self.turn_began, self.live);
            self.next(json!({ "type": "system", "subtype": "turn_duration", "durationMs": took, "messageCount": count, "isMeta": false }));
        }
        let Some((_, prompt)) = self.prompts.last() else { return };
        if self.turn == 1 && self.client != Client::V87 {
            self.rows.push(json!({ "type": "ai-title", "aiTitle": self.title, "sessionId": self.id }));
        }
        let shown: String = prompt.replace('\n', " ").chars().take(200).collect();
        let mut row = json!({ "type": "last-prompt", "lastPrompt": shown });
        if self.client != Client::V87 {
            row["leafUuid"] = json!(self.parent);
        }
        row["sessionId"] = json!(self.id);
        self.side(row);
        self.modes();
    }

    /// Totals in the client's own words, at list price.
    pub(crate) fn cost(&self) -> (f64, Map<String, Value>) {
        let mut models = Map::new();
        let mut total = 0;
        for model in ["claude-opus-5-5", "claude-sonnet-5-5"] {
            let of: Vec<&Usage> = self.billed.iter().filter(|(m, _)| *m == model).map(|(_, u)| u).collect();
            if of.is_empty() {
                continue;
            }
            let sum = |f: fn(&Usage) -> u64| of.iter().map(|u| f(u)).sum::<u64>();
            let (input, output, read) = (sum(|u| u.input), sum(|u| u.output), sum(|u| u.read));
            let (five, hour) = (sum(|u| u.write_5m), sum(|u| u.write_1h));
            let rates: [u64; 5] =
                if model == "claude-opus-5-5" { [40, 200, 2, 50, 80] } else { [20, 100, 1, 25, 40] };
            // Opus reads cost 0.2 and Sonnet reads 0.1 dollars per million tokens; everything in 1e-7 dollars.
            let cost =
                input * rates[0] + output * rates[1] + read * rates[2] + five * rates[3] + hour * rates[4];
            total += cost;
            models.insert(model.into(), json!({ "inputTokens": input, "outputTokens": output, "thinkingTokens": sum(|u| u.thinking), "cacheReadInputTokens": read,
                "cacheCreationInputTokens": five + hour, "cacheCreationEphemeral5mInputTokens": five, "cacheCreationEphemeral1hInputTokens": hour,
                "webSearchRequests": 0, "costUSD": cost as f64 / 1e7 }));
        }
        (total as f64 / 1e7, models)
    }

    pub(crate) fn cost_state(&mut self) {
        let (total, models) = self.cost();
        let api = self.billed.len() as i64 * 11 * SECOND + 417;
        self.side(json!({ "type": "cost-state", "sessionId": self.id, "totalCostUSD": total, "totalAPIDuration": api, "totalAPIDurationWithoutRetries": api - 96,
            "totalToolDuration": api / 7, "totalLinesAdded": 12 * self.turn, "totalLinesRemoved": 5 * self.turn, "totalDuration": self.now - self.started + MINUTE,
            "startTime": self.started - 4 * SECOND, "modelUsage": models, "hasUnknownModelCost": false }));
    }

    /// The file's bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for row in &self.rows {
            out.extend_from_slice(row.to_string().as_bytes());
            out.push(b'\n');
        }
        out
    }
}
