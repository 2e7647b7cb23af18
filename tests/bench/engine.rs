//! Times the reading of a tree, stage by stage: the best of several rounds, each stage with all before it.
//!
//! `CCAUDIT_BENCH_TREE` names the tree; without it a small one is written to a temporary folder.
//! `CCAUDIT_BENCH_ROUNDS` is the number of rounds.

use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ccaudit::load::{Options, Silent};
use ccaudit::model::SourceFile;
use ccaudit::parse::Reader;
use ccaudit::read::{self, Line};
use ccaudit::{discover, load};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    // `cargo test --all-targets` runs this without `--bench`: then it only has to work.
    let in_earnest = std::env::args().any(|argument| argument == "--bench");
    let rounds = match variable("CCAUDIT_BENCH_ROUNDS") {
        Some(rounds) => rounds.parse::<usize>()?.max(1),
        None if in_earnest => 7,
        None => 1,
    };
    let written = tempfile::tempdir()?;
    let root = match variable("CCAUDIT_BENCH_TREE") {
        Some(root) => PathBuf::from(root),
        None => {
            write_tree(written.path(), if in_earnest { 20_000_000 } else { 1_000_000 })?;
            written.path().to_owned()
        }
    };
    time_stages(&root, rounds)
}

#[expect(clippy::disallowed_methods, reason = "a benchmark has no command line of its own")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn time_stages(root: &Path, rounds: usize) -> Outcome<()> {
    let transcripts = transcripts(root)?;
    let bytes: u64 = transcripts.iter().map(|file| file.len).sum();
    let threads = std::thread::available_parallelism()?.get();
    let one = Options::with_threads(1);
    let all = Options::with_threads(threads);
    let roots = [root.to_owned()];
    let whole = |options: &Options| -> Outcome<usize> {
        let corpus = load::corpus(&roots, options, &Silent)?;
        Ok(corpus.transcripts.iter().map(|rows| rows.entries.len()).sum())
    };

    let stages: [(&str, Stage<'_>); 6] = [
        ("list files", Box::new(|| Ok(black_box(self::transcripts(root)?).len()))),
        ("read bytes", Box::new(|| read_bytes(&transcripts, one.block))),
        ("split lines", Box::new(|| split_lines(&transcripts, one.block))),
        ("parse lines", Box::new(|| parse_lines(&transcripts, one.block))),
        ("load, 1 thread", Box::new(|| whole(&one))),
        ("load, all threads", Box::new(|| whole(&all))),
    ];

    let mut best = [Duration::MAX; 6];
    let mut counts = [0; 6];
    // Stage after stage in each round, so that load that comes and goes hits all of them.
    for _ in 0..rounds {
        for (at, (_, stage)) in stages.iter().enumerate() {
            let start = Instant::now();
            counts[at] = black_box(stage()?);
            best[at] = best[at].min(start.elapsed());
        }
    }
    if counts[3..].iter().any(|entries| *entries != counts[3]) {
        return Err(format!("the stages disagree on the number of entries: {:?}", &counts[3..]).into());
    }

    let mut out = io::stdout().lock();
    let megabytes = bytes as f64 / 1e6;
    writeln!(
        out,
        "{megabytes:.1} MB in {} transcripts, {} lines, {} entries; best of {rounds}, {threads} threads",
        transcripts.len(),
        counts[2],
        counts[3],
    )?;
    writeln!(out, "{:<18} {:>9} {:>9}", "stage", "ms", "MB/s")?;
    for ((name, _), time) in stages.iter().zip(best) {
        let seconds = time.as_secs_f64();
        let rate = if *name == "list files" { String::new() } else { format!("{:.0}", megabytes / seconds) };
        writeln!(out, "{}", format!("{name:<18} {:>9.1} {rate:>9}", seconds * 1e3).trim_end())?;
    }
    Ok(())
}

/// Runs once and returns how many files, bytes, lines or entries it met.
type Stage<'a> = Box<dyn Fn() -> Outcome<usize> + 'a>;

fn transcripts(root: &Path) -> Outcome<Vec<SourceFile>> {
    let found = discover::trees(&[root])?;
    Ok(found.files.into_iter().filter(|file| file.kind.is_transcript()).collect())
}

/// The floor: what the system needs to hand over the bytes.
fn read_bytes(files: &[SourceFile], block: usize) -> Outcome<usize> {
    let mut buffer = vec![0; block];
    let mut bytes = 0;
    for file in files {
        let mut file = File::open(&file.disk)?;
        loop {
            let n = file.read(&mut buffer)?;
            if n == 0 {
                break;
            }
            bytes += black_box(&buffer[..n]).len();
        }
    }
    Ok(bytes)
}

fn split_lines(files: &[SourceFile], block: usize) -> Outcome<usize> {
    let mut buffer = Vec::new();
    let mut lines = 0;
    for file in files {
        read::lines(&file.disk, 0, file.len, block, &mut buffer, |line| {
            black_box(&line);
            lines += 1;
        })?;
    }
    Ok(lines)
}

/// One part per file, as `load` makes them of files that it does not split.
fn parse_lines(files: &[SourceFile], block: usize) -> Outcome<usize> {
    let mut buffer = Vec::new();
    let mut reader = Reader::default();
    let mut entries = 0;
    for file in files {
        read::lines(&file.disk, 0, file.len, block, &mut buffer, |line| {
            if let Line::Whole { bytes, offset, terminated } = line {
                reader.line(bytes, offset, terminated);
            }
        })?;
        entries += black_box(reader.take()).rows.entries.len();
    }
    Ok(entries)
}

/// Writes about `bytes` of transcripts; the same ones every time.
fn write_tree(root: &Path, bytes: u64) -> Outcome<()> {
    let mut random = Random(20_261_130);
    let mut written = 0;
    let mut number = 0;
    while written < bytes {
        let store = root.join(format!("projects/-home-dev-work-project-{}", number % 5));
        let id = random.uuid();
        let mut session = Session::new(&mut random, &store.join(format!("{id}.jsonl")), &id, None)?;
        // Sizes with a heavy tail: most sessions are short, a few make up most of the bytes.
        let size = 100_000 << session.random.below(6);
        written += session.write(size)?;
        if number % 4 == 0 {
            let agent = random.id("a", 16);
            let path = store.join(format!("{id}/subagents/agent-{agent}.jsonl"));
            written += Session::new(&mut random, &path, &id, Some(agent))?.write(size / 5)?;
        }
        number += 1;
    }
    Ok(())
}

struct Session<'a> {
    random: &'a mut Random,
    out: BufWriter<File>,
    written: u64,
    id: String,
    agent: Option<String>,
    parent: Value,
    /// Milliseconds since the start of 2026.
    time: u64,
    /// Tokens in the cache.
    cached: u64,
}

impl<'a> Session<'a> {
    fn new(random: &'a mut Random, path: &Path, id: &str, agent: Option<String>) -> io::Result<Self> {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        let out = BufWriter::new(File::create(path)?);
        let time = random.below(28 * 86_400_000);
        Ok(Self {
            random,
            out,
            written: 0,
            id: id.to_owned(),
            agent,
            parent: Value::Null,
            time,
            cached: 9000,
        })
    }

    fn write(&mut self, size: u64) -> io::Result<u64> {
        while self.written < size {
            self.prompt()?;
            for _ in 0..self.random.below(12) {
                self.response()?;
            }
            self.turn_end()?;
        }
        self.out.flush()?;
        Ok(self.written)
    }

    fn line(&mut self, value: &Value) -> io::Result<()> {
        let text = value.to_string();
        self.written += text.len() as u64 + 1;
        writeln!(self.out, "{text}")
    }

    /// An entry with the fields that every entry repeats, then `own`; the next entry's parent.
    fn entry(&mut self, kind: &str, own: Value) -> io::Result<()> {
        self.time += 200 + self.random.below(9000);
        let uuid = self.random.uuid();
        let mut entry = json!({
            "parentUuid": self.parent, "isSidechain": self.agent.is_some(), "userType": "external",
            "cwd": "/home/dev/work/project", "sessionId": self.id, "version": "2.1.32", "gitBranch": "main",
        });
        if let Some(agent) = &self.agent {
            entry["agentId"] = json!(agent);
        }
        entry["type"] = json!(kind);
        if let Value::Object(own) = own {
            for (key, value) in own {
                entry[key] = value;
            }
        }
        entry["uuid"] = json!(uuid);
        entry["timestamp"] = json!(self.timestamp());
        self.parent = json!(uuid);
        self.line(&entry)
    }

    fn timestamp(&self) -> String {
        let (day, ms) = (self.time / 86_400_000 % 28 + 1, self.time % 86_400_000);
        let (h, m, s) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        format!("2026-01-{day:02}T{h:02}:{m:02}:{s:02}.{:03}Z", ms % 1000)
    }

    fn prompt(&mut self) -> io::Result<()> {
        if self.random.one_in(2) {
            let id = self.random.uuid();
            let name = self.random.id("", 16);
            let backup = json!({"backupFileName": name, "version": 1, "backupTime": self.timestamp()});
            let snapshot = json!({"messageId": id, "trackedFileBackups": {"src/lib.rs": backup}});
            let kind = "file-history-snapshot";
            self.line(
                &json!({"type": kind, "messageId": id, "snapshot": snapshot, "isSnapshotUpdate": false}),
            )?;
        }
        let text = self.random.text(600);
        let content =
            if self.random.one_in(5) { json!([{"type": "text", "text": text}]) } else { json!(text) };
        let message = json!({"role": "user", "content": content});
        self.entry("user", json!({"message": message, "permissionMode": "default", "todos": []}))
    }

    /// One to four entries of one response, and the result of each tool call.
    fn response(&mut self) -> io::Result<()> {
        let message = self.random.id("msg_01", 22);
        let request = self.random.id("req_011C", 21);
        let model = ["claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929"][self.random.below(2) as usize];
        let write = self.random.below(6000);
        let (write_5m, write_1h) = if self.random.one_in(2) { (write, 0) } else { (0, write) };
        let usage = json!({
            "input_tokens": 1 + self.random.below(12), "cache_creation_input_tokens": write,
            "cache_read_input_tokens": self.cached,
            "cache_creation": {"ephemeral_5m_input_tokens": write_5m, "ephemeral_1h_input_tokens": write_1h},
            "output_tokens": 1 + self.random.below(900), "service_tier": "standard",
        });
        self.cached = (self.cached + write) % 180_000;
        let mut calls = Vec::new();
        let blocks = 1 + self.random.below(4);
        for block in 0..blocks {
            let (content, stop) = match (block, self.random.below(3)) {
                (0, 0 | 1) => (self.thinking(), Value::Null),
                (_, 0) => (json!({"type": "text", "text": self.random.text(700)}), json!("end_turn")),
                _ => {
                    let id = self.random.id("toolu_01", 22);
                    let name = ["Read", "Bash", "Edit", "Task"][self.random.below(4) as usize];
                    calls.push((id.clone(), name));
                    (
                        json!({"type": "tool_use", "id": id, "name": name, "input": self.input(name)}),
                        json!("tool_use"),
                    )
                }
            };
            let stop = if block + 1 == blocks { stop } else { Value::Null };
            let message = json!({
                "model": model, "id": message, "type": "message", "role": "assistant", "content": [content],
                "stop_reason": stop, "stop_sequence": null, "usage": usage,
            });
            self.entry("assistant", json!({"message": message, "requestId": request}))?;
        }
        for (id, name) in calls {
            self.result(&id, name)?;
        }
        Ok(())
    }

    fn thinking(&mut self) -> Value {
        let (text, signature) = (self.random.text(900), self.random.id("", 600));
        json!({"type": "thinking", "thinking": text, "signature": signature})
    }

    fn input(&mut self, name: &str) -> Value {
        match name {
            "Bash" => json!({"command": self.random.text(120), "description": self.random.text(40)}),
            "Edit" => json!({
                "file_path": SOURCE, "old_string": self.random.text(300),
                "new_string": self.random.text(300),
            }),
            // Keys of entries where none is meant.
            "Task" => json!({
                "prompt": self.random.text(500), "type": "assistant", "uuid": self.random.uuid(),
                "message": {"id": "msg_none", "usage": {"input_tokens": 7_777_777}},
            }),
            _ => json!({"file_path": SOURCE}),
        }
    }

    fn result(&mut self, call: &str, name: &str) -> io::Result<()> {
        // Few results are large, and those make up most of the bytes.
        let size = if self.random.one_in(20) { 10_000 << self.random.below(5) } else { 1500 };
        let (content, own) = if self.random.one_in(500) {
            let data = self.random.id("", 400_000);
            let source = json!({"type": "base64", "data": data, "media_type": "image/png"});
            (json!([{"type": "image", "source": source}]), json!({"type": "image", "file": {"base64": data}}))
        } else {
            let text = self.random.text(size);
            let own = match name {
                "Read" => json!({"type": "text", "file": {"filePath": SOURCE, "content": text}}),
                "Bash" => json!({"stdout": text, "stderr": "", "interrupted": false}),
                "Edit" => json!({"oldString": self.random.text(300), "originalFile": self.random.text(6000)}),
                // The usage of an agent in an entry that is no response.
                _ => json!({"status": "completed", "content": text, "usage": {"output_tokens": 500}}),
            };
            (json!(text), own)
        };
        let block = json!({"tool_use_id": call, "type": "tool_result", "content": content});
        self.entry("user", json!({"message": {"role": "user", "content": [block]}, "toolUseResult": own}))
    }

    fn turn_end(&mut self) -> io::Result<()> {
        let duration = self.random.below(99_999);
        self.entry("system", json!({"subtype": "turn_duration", "durationMs": duration, "isMeta": false}))?;
        let last = self.random.text(90);
        let id = self.id.clone();
        self.line(&json!({"type": "last-prompt", "lastPrompt": last, "sessionId": id}))
    }
}

const SOURCE: &str = "/home/dev/work/project/src/lib.rs";

/// SplitMix64: the same numbers every time, on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn uuid(&mut self) -> String {
        let (a, b) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
            a >> 32,
            a >> 16 & 0xFFFF,
            a & 0xFFF,
            b >> 52,
            b & 0xFFFF_FFFF_FFFF
        )
    }

    fn id(&mut self, prefix: &str, len: usize) -> String {
        const DIGITS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789";
        let digits = (0..len).map(|_| char::from(DIGITS[self.below(DIGITS.len() as u64) as usize]));
        prefix.chars().chain(digits.collect::<Vec<_>>()).collect()
    }

    /// Up to twice `mean` bytes of what terminals and files hold: code, prose, quotes, paths, other scripts.
    fn text(&mut self, mean: u64) -> String {
        const PIECES: [&str; 16] = [
            "let result = parse(&input)?;\n",
            "    if (value.type === \"usage\") {\n        return cache;\n    }\n",
            "the function returns what the session holds, ",
            "error: unused variable `index`\n",
            "C:\\Users\\dev\\project\\\n",
            "\u{1b}[32m   Compiling\u{1b}[0m parser v0.3.1\n",
            "{\"type\":\"assistant\",\"message\":{\"id\":\"msg_1\",\"usage\":{\"input_tokens\":999999}}}\n",
            "| name | 12.5 | \u{2713} |\r\n",
            "gr\u{f6}\u{df}e d\u{e9}j\u{e0} vu ",
            "\u{65e5}\u{672c}\u{8a9e} \u{43f}\u{440}\u{43e}\u{432}\u{435}\u{440}\u{43a}\u{430} ",
            "\u{1f680} build \u{2192} test\n",
            "// a comment about buffers, streams and handles\n",
            "  \"dependencies\": {\"serde\": \"1.0\"},\n",
            "12:30:01 INFO request=4711 status=200\n",
            "\t\tawait stream.next()\n",
            "and then the test passes. ",
        ];
        let len = 1 + self.below(2 * mean) as usize;
        let mut text = String::with_capacity(len + 100);
        while text.len() < len {
            text.push_str(PIECES[self.below(PIECES.len() as u64) as usize]);
        }
        text
    }
}
