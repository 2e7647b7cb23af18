//! What README.md shows is what the program prints. `UPDATE=1 cargo test --test docs` rewrites it.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use assert_cmd::cargo::cargo_bin;
use ccaudit::constants::FORMULAS;
use ccaudit::registry::RULES;
use ccaudit::rule::Status;
use tempfile::TempDir;

/// Added to every command; README.md names them too.
const FLAGS: &str =
    "--root sample-data/dot-claude --fs-root sample-data/disk --now 2026-08-27T20:00:00Z --timezone UTC";
/// 2026-08-27T20:00:00Z, the modification time of each sample file here: git keeps none.
const NOW: u64 = 1_787_860_800;
const WIDTH: usize = 100;

/// A folder with a copy of the sample tree.
struct Sample(TempDir);

impl Sample {
    fn new() -> Self {
        let sample = Self(tempfile::tempdir().unwrap());
        for part in ["dot-claude", "disk"] {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(part);
            common::copy_tree(&from, &sample.0.path().join("sample-data").join(part)).unwrap();
        }
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW);
        for item in walkdir::WalkDir::new(sample.0.path()).into_iter().map(Result::unwrap) {
            if item.file_type().is_file() {
                File::open(item.path()).unwrap().set_modified(time).unwrap();
            }
        }
        sample
    }

    /// Runs the program as in an empty environment without a terminal.
    fn run<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Output {
        let mut command = Command::new(cargo_bin!("ccaudit"));
        command.args(words).current_dir(self.0.path()).env_clear().env("HOME", "/home/nobody");
        command.output().unwrap()
    }

    fn screen(&self, arguments: &str) -> String {
        let words = arguments.split_whitespace().chain(FLAGS.split_whitespace());
        let output = self.run(words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "ccaudit {arguments}: {}: {errors}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    fn help(&self, command: &str) -> String {
        self.screen(&format!("{command} --help"))
    }
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    fs::read_to_string(path()).unwrap()
}

/// Commands as `ccaudit --help` lists them: name and summary.
fn commands(help: &str) -> Vec<(String, String)> {
    let (_, after) = help.split_once("Commands:\n").unwrap();
    let lines = after.lines().take_while(|line| !line.is_empty());
    let pairs = lines.filter_map(|line| line.trim().split_once("  "));
    let pairs = pairs.map(|(name, summary)| (name.to_owned(), summary.trim().to_owned()));
    pairs.filter(|(name, _)| name != "help").collect()
}

/// README.md with each checked part as it should be.
fn fresh(text: &str, sample: &Sample) -> String {
    let text = screens(text, sample);
    let text = part(&text, "commands", |old| command_list(old, &commands(&sample.help(""))));
    let text = part(&text, "formulas", |_| formula_table());
    part(&text, "rules", |_| rule_table())
}

/// Each ```` ```console ```` block holds one command and what it prints.
fn screens(text: &str, sample: &Sample) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```\n").unwrap();
        let first = block.lines().next().unwrap();
        let arguments = first.strip_prefix("$ ccaudit").expect("a screen begins with `$ ccaudit`");
        write!(out, "{before}```console\n{first}\n{}```\n", sample.screen(arguments)).unwrap();
        rest = after;
    }
    out + rest
}

/// Replaces what stands between `<!-- name -->` and `<!-- /name -->`.
fn part(text: &str, name: &str, make: impl FnOnce(&str) -> String) -> String {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let (before, rest) = text.split_once(&open).unwrap();
    let (old, after) = rest.split_once(&close).unwrap();
    format!("{before}{open}{}{close}{after}", make(old))
}

/// A build without SQL does not know `query`; its line stays as it was.
fn command_list(old: &str, commands: &[(String, String)]) -> String {
    let line = |(name, summary): &(String, String)| format!("- `ccaudit {name}`: {summary}\n");
    let mut lines: Vec<String> = commands.iter().map(line).collect();
    if !commands.iter().any(|(name, _)| name == "query") {
        let at = old.lines().position(|line| line.starts_with("- `ccaudit query`"));
        if let Some(at) = at {
            let kept = old.lines().nth(at).unwrap();
            lines.insert(at.min(lines.len()), format!("{kept}\n"));
        }
    }
    lines.concat()
}

fn formula_table() -> String {
    let mut table = String::from("| id | is |\n| --- | --- |\n");
    for formula in FORMULAS {
        writeln!(table, "| `{}` | {} |", formula.id, formula.expression).unwrap();
    }
    table
}

fn rule_table() -> String {
    let mut table = String::from("| rule | level | reports |\n| --- | --- | --- |\n");
    for rule in RULES.iter().filter(|rule| !matches!(rule.status, Status::Removed { .. })) {
        let (id, level) = (rule.id, rule.level.as_str());
        writeln!(table, "| [`{id}`](src/rule/docs/{id}.md) | {level} | {} |", rule.summary).unwrap();
    }
    table
}

#[test]
fn readme_shows_what_is_printed() {
    let kept = readme();
    let made = fresh(&kept, &Sample::new());
    #[allow(clippy::disallowed_methods, reason = "tests read their own environment")]
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path(), made).unwrap();
        return;
    }
    for (number, (kept, made)) in kept.lines().zip(made.lines()).enumerate() {
        let line = number + 1;
        assert_eq!(kept, made, "README.md line {line}; UPDATE=1 cargo test --test docs rewrites it");
    }
    assert_eq!(kept.lines().count(), made.lines().count(), "README.md ends too early or too late");
}

#[test]
fn screens_fit() {
    let text = readme();
    assert!(text.contains(FLAGS), "README.md does not name the flags of its screens");
    let blocks: Vec<&str> = text.split("```console\n").skip(1).collect();
    assert!(!blocks.is_empty());
    for line in blocks.iter().flat_map(|block| block.lines().take_while(|line| *line != "```")) {
        assert!(line.chars().count() <= WIDTH, "wider than {WIDTH} columns: {line}");
    }
}

#[test]
fn readme_names_every_flag() {
    let (text, sample) = (readme(), Sample::new());
    for (command, _) in commands(&sample.help("")) {
        for word in sample.help(&command).split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
            if word.len() > 2 && word.starts_with("--") && word != "--help" {
                assert!(text.contains(word), "README.md says nothing of {word} of ccaudit {command}");
            }
        }
    }
}

/// CI takes the command from README.md.
#[test]
fn readme_has_one_test_command() {
    let text = readme();
    let (_, after) = text.split_once("<!-- test command -->\n```sh\n").unwrap();
    let (command, _) = after.split_once("\n```\n").unwrap();
    assert_eq!(command, "cargo test");
    assert_eq!(text.matches("<!-- test command -->").count(), 1);
}
