//! The whole story: which sessions there are, when they run, and the numbers they have to add up to.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::content::{LOAD_PROMPTS, LOAD_STEPS};
use super::files;
use super::gen_ids::{MINUTE, Rng, SECOND, at};
use super::instructions;
use super::memory::{self, Memory};
use super::rows::{Client, Tool};
use super::session::{Place, Reply, Session};
use super::shop_web as web;
use super::side_files;
use super::work::{self, stretch, turn};

pub(crate) const OPUS: &str = "claude-opus-5-5";
pub(crate) const MEMORY: &str = "/Users/dev/.claude/projects/-Users-dev-projects-shop-web/memory";
pub(crate) const SHOP_WEB: Place =
    Place { cwd: "/Users/dev/projects/shop-web", branch: "main", files: &files::SHOP };
pub(crate) const GATEWAY: Place =
    Place { cwd: "/Users/dev/projects/api-gateway", branch: "load-limits", files: &files::GATEWAY };
/// The path of `shop-web` before the project was renamed.
pub(crate) const SHOP: Place = Place { cwd: "/Users/dev/projects/shop", branch: "main", files: &files::SHOP };

/// Per ten thousand: the share of reads in reads and uncached input, and of one-hour writes in all writes.
const READ_INPUT: u64 = 8_945;
const ONE_HOUR: u64 = 57;
/// Prompt tokens per output token.
const PROMPT_PER_OUTPUT: u64 = 171;

pub(crate) struct Built {
    pub(crate) tree: BTreeMap<String, Vec<u8>>,
    pub(crate) disk: BTreeMap<String, Vec<u8>>,
}

/// What all sessions of the tree add up to.
#[derive(Default)]
struct Sum {
    read: u64,
    write: u64,
    input: u64,
    output: u64,
}

impl Sum {
    fn add(&mut self, responses: &[(&'static str, super::lane::Usage)]) {
        for (_, u) in responses {
            self.read += u.read;
            self.write += u.write();
            self.input += u.input;
            self.output += u.output;
        }
    }
}

struct Tree {
    files: BTreeMap<String, Vec<u8>>,
    sum: Sum,
    history: Vec<(i64, String, &'static str, String)>,
}

fn slug(place: Place) -> String {
    place.cwd.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

impl Tree {
    fn add(&mut self, s: &Session, bytes: Vec<u8>) {
        let folder = format!("projects/{}", slug(s.place));
        let name = match &s.agent {
            None => format!("{folder}/{}.jsonl", s.id),
            Some(agent) => format!("{folder}/{}/subagents/agent-{}.jsonl", s.id, agent.id),
        };
        self.files.insert(name, bytes);
        for (when, text) in &s.prompts {
            self.history.push((*when, text.clone(), s.place.cwd, s.id.clone()));
        }
    }

    /// Adds a session and what it was billed, without the summary requests that no row shows.
    fn session(&mut self, s: &Session) {
        self.count(s, 0);
        self.add(s, s.bytes());
    }

    fn count(&mut self, s: &Session, inherited: usize) {
        let shown: Vec<_> = s.billed.iter().skip(inherited).filter(|(_, u)| !u.hidden).copied().collect();
        self.sum.add(&shown);
    }

    fn put(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        self.files.insert(name.to_owned(), text.into());
    }
}

pub(crate) fn build() -> Built {
    let mut tree = Tree { files: BTreeMap::new(), sum: Sum::default(), history: Vec::new() };
    let id_of = |name: &str| Rng::named(name).uuid();
    let memories = memory::shop_web(|name| match name {
        "order-history-page-size" => Some(id_of("history page size")),
        "staging-basket-resets" => Some(id_of("staging baskets")),
        _ => None,
    });
    let index = memory::index(&memories, "");
    let index_before = memory::index(&memories, "order-history-page-size");

    let mut last_closed = shop_web(&mut tree, &memories, &index, &index_before);
    shop_web_old_client(&mut tree, &memories);
    shop(&mut tree);
    last_closed.push(gateway(&mut tree));

    let folder = format!("projects/{}/memory", slug(SHOP_WEB));
    for m in &memories {
        tree.put(&format!("{folder}/{}.md", m.name), m.file.as_str());
    }
    tree.put(&format!("{folder}/MEMORY.md"), index);
    let old = memory::shop();
    let folder = format!("projects/{}/memory", slug(SHOP));
    for m in &old {
        tree.put(&format!("{folder}/{}.md", m.name), m.file.as_str());
    }
    tree.put(&format!("{folder}/MEMORY.md"), old.iter().map(|m| m.line.as_str()).collect::<String>());
    tree.put("CLAUDE.md", instructions::USER);
    tree.put("settings.json", side_files::settings());
    tree.put(".claude.json", side_files::global(&last_closed));
    tree.put(
        &format!("projects/{}/sessions-index.json", slug(SHOP_WEB)),
        side_files::sessions_index(&last_closed[0]),
    );
    side_files::left_behind(&mut tree.files);
    tree.history.sort();
    let history: String = tree
        .history
        .iter()
        .map(|(when, text, cwd, id)| format!("{}\n", json!({ "display": text, "pastedContents": {}, "timestamp": when, "project": cwd, "sessionId": id })))
        .collect();
    tree.put("history.jsonl", history);
    Built { tree: tree.files, disk: side_files::disk() }
}

/// A session of the newest client in `shop-web`, with the instruction files in its context.
fn modern(name: &str, start: i64, index: &str) -> Session {
    let mut s = Session::new(name, SHOP_WEB, Client::V332, OPUS, start);
    s.instructions = vec![
        ("/Users/dev/.claude/CLAUDE.md".to_owned(), "User", instructions::USER.trim_end().to_owned()),
        (format!("{}/CLAUDE.md", SHOP_WEB.cwd), "Project", instructions::project().trim_end().to_owned()),
        (format!("{MEMORY}/MEMORY.md"), "AutoMem", index.trim_end().to_owned()),
    ];
    s
}

fn shop_web(tree: &mut Tree, memories: &[Memory], index: &str, index_before: &str) -> Vec<Session> {
    let mut s = modern("checkout totals", at(8, 20, 8, 12), index_before);
    turn(&mut s, 0, 6, Some(77_373));
    stretch(&mut s, 34, PAUSES);
    s.cost_state();
    tree.session(&s);

    let mut s = modern("history page size", at(8, 21, 8, 47), index_before);
    web::history(&mut s, memories, index_before);
    tree.session(&s);

    let mut s = modern("long refactoring", at(8, 22, 12, 5), index);
    web::long_refactoring(&mut s);
    tree.session(&s);

    let mut s = modern("catalogue comparison", at(8, 24, 9, 30), index);
    web::thrashing(&mut s);
    tree.session(&s);

    let mut s = modern("shared folder", at(8, 24, 14, 2), index);
    for (agent, meta) in web::delegation(&mut s) {
        let name = agent.agent.as_ref().map_or("", |a| a.id.as_str());
        tree.put(
            &format!("projects/{}/{}/subagents/agent-{name}.meta.json", slug(SHOP_WEB), s.id),
            meta.to_string(),
        );
        // Its responses are in the parent's bill already.
        tree.add(&agent, agent.bytes());
    }
    tree.session(&s);

    let mut s = modern("search cases", at(8, 25, 8, 20), index);
    let (name, text) = web::big_output(&mut s);
    tree.put(&format!("projects/{}/{}/tool-results/{name}", slug(SHOP_WEB), s.id), text);
    tree.session(&s);

    let mut s = modern("address form", at(8, 25, 10, 11), index);
    turn(&mut s, 0, 6, Some(44_020));
    stretch(&mut s, 6, 0);
    s.cost_state();
    tree.session(&s);
    let inherited = s.billed.len();
    let mut fork = web::fork(&s, "address form, another way");
    let title = json!({ "type": "custom-title", "customTitle": "Address form, second attempt", "sessionId": fork.id });
    turn(&mut fork, 20 * SECOND, 6, None);
    stretch(&mut fork, 9, PAUSES);
    fork.side(title);
    fork.cost_state();
    tree.count(&fork, inherited);
    tree.add(&fork, fork.bytes());

    let mut two_days = modern("ticket server", at(8, 25, 16, 20), index);
    web::two_days(&mut two_days);
    tree.session(&two_days);

    let mut s = modern("border checks", at(8, 27, 9, 4), index);
    web::today(&mut s);
    tree.count(&s, 0);
    let mut bytes = s.bytes();
    let last = s.rows.last().map_or(0, |row| row.to_string().len());
    bytes.truncate(bytes.len() - 1 - last / 3);
    tree.add(&s, bytes);
    vec![two_days]
}

/// How many of a hundred turns begin after a pause of more than five minutes.
const PAUSES: u64 = 82;

fn shop_web_old_client(tree: &mut Tree, memories: &[Memory]) {
    let mut s = Session::new("staging baskets", SHOP_WEB, Client::V247, "claude-opus-5", at(8, 12, 12, 50));
    web::writes_without_index(&mut s, memories);
    tree.session(&s);

    let mut s = Session::new("confirmation page", SHOP_WEB, Client::V247, "claude-opus-5", at(8, 14, 9, 16));
    turn(&mut s, 0, 6, Some(40_770));
    stretch(&mut s, 40, PAUSES);
    tree.session(&s);

    let mut s = Session::new("price labels", SHOP_WEB, Client::V247, "claude-opus-5", at(8, 18, 13, 33));
    turn(&mut s, 0, 5, Some(41_950));
    stretch(&mut s, 36, PAUSES);
    tree.count(&s, 0);
    let bytes = damaged(&s);
    tree.add(&s, bytes);
}

/// A result in the middle of the file breaks off where the machine lost power; the next line follows it normally.
fn damaged(s: &Session) -> Vec<u8> {
    let middle = s.rows.len() / 2;
    let victim = (middle..s.rows.len()).find(|&i| s.rows[i]["toolUseResult"].is_object()).unwrap_or(middle);
    let mut out = Vec::new();
    for (i, row) in s.rows.iter().enumerate() {
        let text = row.to_string();
        let keep = if i == victim { text.len() * 3 / 5 } else { text.len() };
        out.extend_from_slice(&text.as_bytes()[..keep]);
        out.push(b'\n');
    }
    out
}

/// The old sessions, from before the project was renamed.
fn shop(tree: &mut Tree) {
    let old = [
        ("first basket", Client::V87, "claude-opus-4-6", at(6, 3, 8, 55), 21_480, 24),
        ("gift orders", Client::V247, "claude-opus-5", at(6, 17, 13, 10), 27_650, 22),
        ("partner feed", Client::V247, "claude-opus-5", at(7, 2, 9, 40), 29_130, 20),
    ];
    for (name, client, model, start, first, count) in old {
        let mut s = Session::new(name, SHOP, client, model, start);
        turn(&mut s, 0, 5, Some(first));
        stretch(&mut s, count, PAUSES);
        tree.session(&s);
    }
}

fn gateway(tree: &mut Tree) -> Session {
    let mut s = Session::new("limit window", GATEWAY, Client::V247, "claude-opus-5", at(8, 19, 10, 25));
    turn(&mut s, 0, 5, Some(24_310));
    stretch(&mut s, 26, PAUSES);
    tree.session(&s);

    // One short session with one-hour writes, as large as their share says.
    let mut s = Session::new("probe interval", GATEWAY, Client::V332, OPUS, at(8, 26, 15, 2));
    s.lane.one_hour = true;
    let later = 7 * 1_150;
    let hours = tree.sum.write * ONE_HOUR / (10_000 - ONE_HOUR);
    s.prompt("How often does the probe ask each backend, and where is that set?", 0);
    work::step(&mut s, hours - later);
    for at in 0..7 {
        if at == 4 {
            work::ending(&mut s, 1_150);
            s.end_turn();
            s.prompt("Make it a setting with the old value as the default.", 11 * MINUTE);
        } else if at < 6 {
            work::step(&mut s, 1_150);
        } else {
            work::ending(&mut s, 1_150);
        }
    }
    s.end_turn();
    s.cost_state();
    tree.session(&s);

    let s = load_test(tree);
    tree.session(&s);
    let title = json!({ "customTitle": "gateway load test", "by": "user", "at": super::gen_ids::iso(s.started + 6 * MINUTE) });
    tree.put(&format!("projects/{}/{}/custom-title.json", slug(GATEWAY), s.id), title.to_string());
    s
}

/// The session through a gateway that knows no prompt caching: all uncached input of the tree, and the rest of the output.
fn load_test(tree: &Tree) -> Session {
    const COUNT: u64 = 52;
    let input = tree.sum.read * (10_000 - READ_INPUT) / READ_INPUT - tree.sum.input;
    let prompt = tree.sum.read + tree.sum.write + tree.sum.input + input;
    let output = prompt / PROMPT_PER_OUTPUT - tree.sum.output;
    let mut s = Session::new("gateway load test", GATEWAY, Client::V332, OPUS, at(8, 26, 9, 8));
    let title = json!({ "type": "custom-title", "customTitle": "gateway load test", "sessionId": s.id });
    let weights: Vec<u64> = (0..COUNT).map(|n| 420 + 13 * n).collect();
    let all: u64 = weights.iter().sum();
    let (mut given, mut said) = (0, 0);
    for (n, weight) in weights.iter().enumerate() {
        let first = n % 9 == 0;
        if first {
            let pause = if n == 0 { 0 } else { work::short_pause(&mut s) };
            s.prompt(LOAD_PROMPTS[n / 9], pause);
        }
        let last = n as u64 + 1 == COUNT;
        let input = if last { input - given } else { input * weight / all };
        let output = if last { output - said } else { output / COUNT + (n as u64 * 37) % 61 - 30 };
        (given, said) = (given + input, said + output);
        let text = Some(LOAD_STEPS[n % 8].to_owned());
        let over = n % 9 == 8 || last;
        let tools = if over { Vec::new() } else { vec![sample(n)] };
        s.reply(Reply { text, tools, output, uncached: Some(input), ..Reply::default() });
        if over {
            s.end_turn();
            if n == 8 {
                s.side(title.clone());
            }
        }
    }
    s.side(title);
    s.cost_state();
    s
}

fn sample(n: usize) -> Tool {
    let rows: Vec<String> = ["/v1/catalog", "/v1/cart", "/v1/orders", "/v1/account"]
        .iter()
        .enumerate()
        .map(|(i, route)| {
            format!(
                "{route:<13} {:>5} req  p50 {:>3} ms  p95 {:>4} ms  refused {:>3}",
                1_800 + 37 * n - 211 * i,
                18 + i * 4 + n % 7,
                61 + i * 23 + n * 3,
                (n * i) % 19
            )
        })
        .collect();
    let value: Value = json!(rows.join("\n"));
    Tool::bash("make load-sample WINDOW=60s", "Read one minute of samples", value.as_str().unwrap_or(""))
}
