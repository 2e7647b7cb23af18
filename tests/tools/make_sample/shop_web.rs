//! The sessions of `shop-web` that show something particular.

use serde_json::{Value, json};

use super::content::{ENDINGS, STEPS};
use super::files;
use super::gen_ids::{MINUTE, SECOND, at};
use super::memory::Memory;
use super::rows::{Client, Tool, stale_note};
use super::session::{REFUSED, Reply, Session};
use super::story::{MEMORY, OPUS, SHOP_WEB};
use super::work::{ending, growth, long_pause, short_pause, step, stretch, turn, turn_with};

fn said(text: &str, tools: Vec<Tool>, grow: u64, output: u64) -> Reply {
    Reply { text: Some(text.to_owned()), tools, grow, output, ..Reply::default() }
}

fn recall(memory: &Memory, now: i64) -> Tool {
    Tool::read(&format!("{MEMORY}/{}.md", memory.name), &memory.file, &stale_note(memory.age(now)))
}

fn named<'a>(memories: &'a [Memory], name: &str) -> &'a Memory {
    memories.iter().find(|m| m.name == name).unwrap_or(&memories[0])
}

/// Reaches a read of exactly 65,612 and adds 9,072 to it; reads memories; writes one with its index line.
pub(crate) fn history(s: &mut Session, memories: &[Memory], index_before: &str) {
    turn(s, 0, 4, Some(44_870));
    let pause = short_pause(s);
    s.prompt("What do we know about refund limits and coupons? Check the memory first.", pause);
    let now = s.now;
    let tools =
        ["refund-limits", "two-coupons-one-cent", "money-is-cents"].map(|n| recall(named(memories, n), now));
    s.reply(said("Three notes look relevant.", tools.into(), 1_240, 388));
    let mut grow = 2_100;
    while s.lane.cached() + grow + 2_600 < 65_612 {
        step(s, grow);
        grow = growth(s);
    }
    if s.lane.cached() + 2_600 < 65_612 {
        step(s, (65_612 - s.lane.cached()) / 2);
    }
    step(s, 65_612 - s.lane.cached());
    let path = format!("{}/src/orders/history.ts", s.place.cwd);
    let tools = vec![Tool::read(&path, &files::body("src/orders/history.ts"), "")];
    s.reply(said("The notes agree with the code. Now the history itself.", tools, 9_072, 452));
    ending(s, 1_310);
    s.end_turn();
    stretch(s, 9, 0);
    let memory = named(memories, "order-history-page-size");
    let pause = memory.modified - 4 * SECOND - s.now;
    s.prompt("Remember why we load twenty orders: we measured it yesterday with three phones.", pause);
    let path = format!("{MEMORY}/{}.md", memory.name);
    s.reply(said(
        "I write that down with the reason.",
        vec![Tool::write(&path, &memory.written, &memory.file)],
        1_370,
        540,
    ));
    let last = index_before.trim_end().rsplit('\n').next().unwrap_or("");
    let edit = Tool::edit(
        &format!("{MEMORY}/MEMORY.md"),
        index_before,
        last,
        &format!("{last}\n{}", memory.line.trim_end()),
    );
    s.reply(said("And its line in the index.", vec![edit], 830, 176));
    ending(s, 420);
    s.end_turn();
    stretch(s, 14, 35);
    s.cost_state();
}

/// Climbs to the threshold, is compacted once in the middle of a turn, and goes on.
pub(crate) fn long_refactoring(s: &mut Session) {
    turn(s, 0, 6, Some(61_200));
    while s.lane.cached() < 138_000 {
        let pause = if s.rng.chance(70) { long_pause(s) } else { short_pause(s) };
        let count = s.rng.range(6, 9);
        turn(s, pause, count, None);
    }
    let pause = short_pause(s);
    turn(s, pause, 24, None);
    stretch(s, 12, 60);
    s.cost_state();
}

/// A file far too large is read again after each compaction, until the person stops it.
pub(crate) fn thrashing(s: &mut Session) {
    turn(s, 0, 5, Some(58_400));
    let pause = short_pause(s);
    s.prompt("Compare the whole catalogue export with the price labels, all of it.", pause);
    let path = format!("{}/fixtures/catalog-dump.json", s.place.cwd);
    let body = files::body("fixtures/catalog-dump.json");
    for round in 0..11_u64 {
        super::compact::if_full(s);
        let have = s.lane.cached();
        let full = have > 140_000 && super::compact::counted(s) < super::compact::THRESHOLD;
        let grow = if full { 170_400 - have } else { 41_700 + 130 * round };
        let text = *s.rng.pick(&STEPS);
        s.reply(said(text, vec![Tool::read(&path, &body, "")], grow, 260 + 7 * round));
    }
    interrupt(s, "npm run compare-catalog -- --all", 1_900);
    s.prompt("Stop. Only compare the first hundred entries, with a script.", 70 * SECOND);
    for _ in 0..5 {
        super::compact::if_full(s);
        let grow = growth(s);
        step(s, grow);
    }
    ending(s, 900);
    s.end_turn();
    s.cost_state();
}

/// The person presses Esc while a command runs.
fn interrupt(s: &mut Session, command: &str, grow: u64) {
    super::compact::if_full(s);
    let mut tool = Tool::bash(command, "Run it on everything", "");
    tool.result = json!("The user doesn't want to proceed with this tool use. The tool use was rejected.");
    tool.detail = json!(REFUSED);
    s.reply(said("Running the comparison on the whole file.", vec![tool], grow, 214));
    let stopped = s.rows.iter().rev().find(|r| r["type"] == "assistant").map(|r| r["message"]["id"].clone());
    let body = json!({ "type": "user", "message": { "role": "user", "content": [{ "type": "text", "text": "[Request interrupted by user for tool use]" }] }, "interruptedMessageId": stopped });
    s.next(body);
}

/// Three agents: two at once, one later under another model. Returns them with what belongs in their `meta.json`.
pub(crate) fn delegation(s: &mut Session) -> Vec<(Session, Value)> {
    turn(s, 0, 5, Some(46_310));
    let mut done = Vec::new();
    let first = [
        (
            "Find unused exports",
            "List every export under src/shared that nothing imports, with the file it stands in.",
            11,
        ),
        (
            "Check date parsing",
            "Find each place that parses a date without the shared helper and say how it differs.",
            9,
        ),
    ];
    delegate(
        s,
        "Let two agents look at the shared folder, one for exports, one for dates.",
        &first,
        "general-purpose",
        OPUS,
        &mut done,
    );
    stretch(s, 13, 60);
    let second = [(
        "Map the discount order",
        "Describe in which order discounts are applied, from the form to the total. Read only.",
        12,
    )];
    delegate(
        s,
        "Have an explorer write down how the discount order is decided.",
        &second,
        "Explore",
        "claude-sonnet-5-5",
        &mut done,
    );
    stretch(s, 9, 60);
    s.cost_state();
    done
}

fn delegate(
    s: &mut Session,
    prompt: &str,
    tasks: &[(&str, &str, u64)],
    kind: &'static str,
    model: &'static str,
    done: &mut Vec<(Session, Value)>,
) {
    let pause = short_pause(s);
    s.prompt(prompt, pause);
    let (mut tools, mut agents) = (Vec::new(), Vec::new());
    for (title, task, count) in tasks {
        let mut agent = s.start_agent(kind, model, s.now + 9 * SECOND);
        let call = s.rng.api_id("toolu_", "01");
        let id = agent.agent.as_ref().map_or_else(String::new, |a| a.id.clone());
        let output = format!("/tmp/claude-501/-Users-dev-projects-shop-web/{}/tasks/{id}.output", s.id);
        tools.push(Tool {
            name: "Agent",
            input: json!({ "description": title, "prompt": task, "subagent_type": kind }),
            result: json!([{ "type": "text", "text": format!("Async agent launched successfully.\nagentId: {id}\noutput_file: {output}") }]),
            detail: json!({ "isAsync": true, "status": "async_launched", "agentId": id, "description": title, "resolvedModel": model, "prompt": task, "outputFile": output, "canReadOutputFile": true, "canContinueAgent": true }),
            id: Some(call.clone()),
        });
        agent.next(json!({ "type": "user", "message": { "role": "user", "content": task } }));
        agent.attach(super::rows::environment(SHOP_WEB.cwd), None);
        agent.announce_model();
        agent.announce();
        let start = agent.rng.range(19_400, 24_800);
        step(&mut agent, start);
        for _ in 0..count - 2 {
            let grow = growth(&mut agent);
            step(&mut agent, grow);
        }
        ending(&mut agent, 1_100);
        let meta = json!({ "agentType": kind, "isBuiltIn": true, "description": title, "toolUseId": call, "spawnDepth": 1, "requestShape": "background", "requestNonInteractive": false, "model": model, "finished": true });
        agents.push((agent, meta, id, call, *title));
    }
    s.reply(said("I start that in the background.", tools, 620, 418));
    ending(s, 540);
    s.end_turn();
    agents.sort_by_key(|(agent, ..)| agent.now);
    for (agent, meta, id, call, title) in agents {
        s.now = agent.now.max(s.now) + 350;
        let text = format!(
            "<task-notification>\n<task-id>{id}</task-id>\n<tool-use-id>{call}</tool-use-id>\n<status>completed</status>\n<summary>Agent \"{title}\" completed</summary>\n<result>{}</result>\n</task-notification>",
            ENDINGS[3]
        );
        let (enqueue, dequeue) = (super::gen_ids::iso(s.now - 20), super::gen_ids::iso(s.now - 4));
        s.side(json!({ "type": "queue-operation", "operation": "enqueue", "timestamp": enqueue, "sessionId": s.id, "content": text }));
        s.side(json!({ "type": "queue-operation", "operation": "dequeue", "timestamp": dequeue, "sessionId": s.id }));
        s.notification(&text);
        ending(s, 1_480);
        s.end_turn();
        s.billed.extend(agent.billed.iter().copied());
        done.push((agent, meta));
    }
}

/// A model switch, changed tools, and the first request of the next morning.
pub(crate) fn two_days(s: &mut Session) {
    turn(s, 0, 6, Some(48_950));
    stretch(s, 8, 50);
    s.model = "claude-sonnet-5-5";
    turn(s, 150 * SECOND, 6, None);
    // Back after more than five minutes away from it: its cache is gone, too.
    s.model = OPUS;
    turn(s, 240 * SECOND, 5, None);
    s.cost_state();
    s.now = at(8, 26, 7, 41);
    turn_with(s, "Good morning. Where did we stop, and what is left?", 0, 7, None);
    s.lane.tools_changed = Some(14_208);
    let pause = short_pause(s);
    turn_with(s, "I have connected the ticket server. Use it for the list of open points.", pause, 6, None);
    stretch(s, 6, 40);
    s.cost_state();
}

/// A rewind, an interrupted turn, and a last line that is still being written.
pub(crate) fn today(s: &mut Session) {
    turn(s, 0, 5, Some(45_720));
    let pause = short_pause(s);
    turn(s, pause, 5, None);
    let (parent, cached, live) = (s.parent.clone(), s.lane.cached(), s.live);
    let pause = short_pause(s);
    turn_with(s, "Store the amounts as strings after all.", pause, 4, None);
    s.parent = parent;
    s.live = live;
    s.lane.rewind_to(cached);
    let (text, count) = ("No, leave the amounts as they are and only add the check at the border.", 7);
    s.prompt(text, MINUTE);
    s.side(json!({ "type": "last-prompt", "leafUuid": "00000000-0000-0000-0000-000000000000", "explicit": true, "sessionId": s.id }));
    for _ in 0..count - 1 {
        let grow = growth(s);
        step(s, grow);
    }
    ending(s, 700);
    s.end_turn();
    let pause = long_pause(s);
    s.prompt("Run the comparison with the production export.", pause);
    interrupt(s, "npm run compare -- --production", 1_450);
    s.prompt("Not on production. Use the fixture.", 40 * SECOND);
    for _ in 0..5 {
        let grow = growth(s);
        step(s, grow);
    }
    let text = Some(ENDINGS[15].to_owned());
    s.reply(Reply { thinking: true, text, grow: 980, output: 402, ..Reply::default() });
}

/// Prints more than the client keeps in the transcript. Returns the name and the text of the file that holds it.
pub(crate) fn big_output(s: &mut Session) -> (String, String) {
    turn(s, 0, 4, Some(43_260));
    let text: String = (1..=740)
        .map(|n| format!("{n:>4}  src/catalog/search.ts  case {:>3}  ok  {} ms\n", n % 97, 3 + n * 7 % 41))
        .collect();
    let name = format!("{}.txt", s.rng.lower(9));
    let path =
        format!("/Users/dev/.claude/projects/-Users-dev-projects-shop-web/{}/tool-results/{name}", s.id);
    let mut tool = Tool::bash("npm run search-cases -- --verbose", "Run all search cases", &text[..30_000]);
    let size = text.len();
    tool.result = json!(format!(
        "<persisted-output>\nOutput too large ({:.1}KB). Full output saved to: {path}\n\nPreview (first 2KB):\n{}\n...\n</persisted-output>",
        size as f64 / 1024.0,
        &text[..2_000]
    ));
    tool.detail["persistedOutputPath"] = json!(path);
    tool.detail["persistedOutputSize"] = json!(size);
    let pause = short_pause(s);
    s.prompt("Run every search case and keep the whole list.", pause);
    s.reply(said("This prints a lot.", vec![tool], 700, 188));
    ending(s, 1_020);
    s.end_turn();
    stretch(s, 10, 50);
    s.cost_state();
    (name, text)
}

/// Writes a memory and forgets the index.
pub(crate) fn writes_without_index(s: &mut Session, memories: &[Memory]) {
    turn(s, 0, 5, Some(42_310));
    stretch(s, 16, 70);
    let memory = named(memories, "staging-basket-resets");
    let pause = memory.modified - 4 * SECOND - s.now;
    s.prompt("Note that baskets on staging are emptied each night.", pause);
    let path = format!("{MEMORY}/{}.md", memory.name);
    s.reply(said("Noted.", vec![Tool::write(&path, &memory.written, &memory.file)], 1_180, 402));
    ending(s, 380);
    s.end_turn();
    stretch(s, 8, 70);
}

/// The rows of a fork: what is on the chain, under another session id.
pub(crate) fn fork(from: &Session, name: &str) -> Session {
    let mut s = Session::new(name, from.place, from.client, from.model, from.now + 80 * SECOND);
    let mut on_chain = Vec::new();
    let mut at = from.parent.clone();
    while let Some(uuid) = at {
        at = from
            .rows
            .iter()
            .find(|r| r["uuid"] == uuid.as_str())
            .and_then(|r| r["parentUuid"].as_str())
            .map(str::to_owned);
        on_chain.push(uuid);
    }
    s.side(json!({ "type": "mode", "mode": "normal", "sessionId": s.id }));
    for row in from.rows.iter().filter(|r| on_chain.iter().any(|u| r["uuid"] == u.as_str())) {
        let mut copy = row.clone();
        copy["sessionId"] = json!(s.id);
        s.rows.push(copy);
    }
    s.parent = from.parent.clone();
    s.lane = from.lane.clone();
    s.billed.clone_from(&from.billed);
    s.turn = from.turn;
    s.live = on_chain.len() as u64;
    debug_assert!(s.client == Client::V332);
    s
}
