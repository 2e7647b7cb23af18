//! The layers of `src/`: which module may use which, and what only some of them may touch.
//!
//! The sources are read as text, comments and strings left out; a name that a macro makes is not seen.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// A module of `src/` and the others that it may name. Whatever is not listed is forbidden; `tables` is a feature.
const MAY_USE: &[(&str, &[&str])] = &[
    // What everything rests on.
    ("constants", &[]),
    ("error", &[]),
    ("model", &["constants"]),
    ("prices", &["model", "constants"]),
    ("scope", &["model"]),
    ("words", &[]),
    // From the disk to the corpus.
    ("discover", &["model", "error"]),
    ("read", &["model", "error"]),
    ("parse", &["model", "constants"]),
    ("source", &["model", "read"]),
    ("load", &["discover", "read", "parse", "source", "model", "constants", "error"]),
    ("world", &[]),
    ("tables", &["model", "prices", "scope", "constants", "error"]),
    // What can be wrong and what is.
    ("rule", &["constants"]),
    ("finding", &["rule", "model", "constants"]),
    // `world` and `source` for their traits only: what touches a disk is made by `cli`.
    (
        "analysis",
        &["model", "scope", "tables", "prices", "rule", "finding", "constants", "world", "source", "words"],
    ),
    ("registry", &["rule", "analysis"]),
    ("gate", &["finding", "rule", "registry", "error"]),
    // What people and programs get to see.
    ("view", &["analysis", "tables", "finding", "rule", "registry", "constants", "model", "prices", "words"]),
    ("render", &["view", "words"]),
    ("cli", EVERYTHING),
];

const EVERYTHING: &[&str] = &["*"];

/// Text that may stand only in files whose path begins with one of these.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("println!", &["src/cli/"]),
    ("print!", &["src/cli/"]),
    ("eprintln!", &["src/cli/"]),
    ("eprint!", &["src/cli/"]),
    ("dbg!", &[]),
    ("todo!", &[]),
    ("rayon", &["src/load/"]),
    ("std::env", &["src/cli/env.rs"]),
    ("env::var", &["src/cli/env.rs"]),
    ("current_dir", &["src/cli/env.rs"]),
    ("SystemTime::now", &["src/cli/env.rs"]),
    ("Instant::now", &["src/cli/"]),
    ("Timestamp::now", &["src/cli/env.rs"]),
    ("ZonedDateTime::now", &["src/cli/env.rs"]),
    ("Zoned::now", &["src/cli/env.rs"]),
    ("TimeZone::system", &["src/cli/env.rs"]),
    ("TimeZone::try_system", &["src/cli/env.rs"]),
    ("std::fs", &["src/discover", "src/read", "src/load/", "src/source", "src/world", "src/cli/"]),
    ("File::open", &["src/discover", "src/read", "src/load/", "src/source", "src/world", "src/cli/"]),
    ("clap", &["src/cli/"]),
    ("anyhow", &["src/cli/"]),
    ("process::exit", &[]),
    ("unsafe", &["src/parse/block"]),
    ("static mut", &[]),
];

/// Lines from which a file is worth splitting, and the most that a file may have.
const LONG: usize = 300;
const TOO_LONG: usize = 500;

struct Source {
    path: String,
    /// Name of the top-level module.
    module: String,
    /// The text without comments and strings.
    code: String,
    lines: usize,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for item in walkdir::WalkDir::new(root.join("src")).sort_by_file_name() {
        let item = item.unwrap();
        if item.path().extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let path = item.path().strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let first = path.split('/').nth(1).unwrap();
        let module = first.strip_suffix(".rs").unwrap_or(first).to_owned();
        let text = fs::read_to_string(item.path()).unwrap();
        all.push(Source { path, module, code: bare(&text), lines: text.lines().count() });
    }
    all
}

/// Rust without comments, strings and character literals; line feeds stay.
fn bare(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while at < chars.len() {
        let rest = &chars[at..];
        let start = at;
        match rest {
            ['/', '/', ..] => at += rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => {
                let mut depth = 0;
                loop {
                    match &chars[at..] {
                        ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
                        ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
                        [] => break,
                        _ => at += 1,
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            ['r', '"' | '#', ..] if !out.ends_with(is_word) => {
                let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
                if rest.get(1 + hashes) == Some(&'"') {
                    let end: String = format!("\"{}", "#".repeat(hashes));
                    let tail: String = rest[2 + hashes..].iter().collect();
                    let len = tail.find(&end).map_or(tail.len(), |found| found + end.len());
                    at += 2 + hashes + tail[..len].chars().count();
                } else {
                    out.push('r');
                    at += 1;
                }
            }
            ['"', ..] => {
                at += 1;
                while at < chars.len() && chars[at] != '"' {
                    at += if chars[at] == '\\' { 2 } else { 1 };
                }
                at += 1;
                out.push_str("\"\"");
            }
            ['\'', '\\', ..] => at += 2 + rest[2..].iter().skip(1).position(|c| *c == '\'').unwrap() + 2,
            ['\'', _, '\'', ..] => at += 3,
            [c, ..] => {
                out.push(*c);
                at += 1;
            }
            [] => break,
        }
        if at > start + 1 {
            out.extend(chars[start..at.min(chars.len())].iter().filter(|c| **c == '\n'));
        }
    }
    out
}

/// Does `word` stand in the code, not as a part of another word?
fn has_word(code: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word))
}

/// The modules that follow each `crate::` of the code, groups in braces included.
fn used(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    for (at, _) in code.match_indices(prefix) {
        let rest = code[at + prefix.len()..].trim_start();
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut begins = true;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && !c.is_whitespace() => {
                    found.insert(word(&group[at..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    found.remove("");
    found
}

#[test]
fn every_module_has_its_row() {
    let table: BTreeSet<&str> = MAY_USE.iter().map(|(module, _)| *module).collect();
    for source in sources() {
        let root = matches!(source.module.as_str(), "lib" | "main");
        assert!(root || table.contains(source.module.as_str()), "{}: no row in MAY_USE", source.path);
    }
    for (module, uses) in MAY_USE {
        for other in uses.iter().filter(|other| **other != "*") {
            assert!(table.contains(other), "MAY_USE: {module} may use {other}, which has no row");
        }
    }
}

#[test]
fn modules_use_only_what_they_may() {
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(may) = table.get(source.module.as_str()).filter(|may| **may != EVERYTHING) else { continue };
        let mut uses = used(&source.code, "crate::");
        if source.path.matches('/').count() == 1
            || source.path.ends_with("/mod.rs") && source.path.matches('/').count() == 2
        {
            // Here `super` is the root of the crate.
            uses.extend(
                used(&source.code, "super::").into_iter().filter(|name| table.contains_key(name.as_str())),
            );
        }
        for other in uses {
            let known = table.contains_key(other.as_str());
            if known && other != source.module && !may.contains(&other.as_str()) {
                wrong.push(format!("{} uses {other}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "not allowed by MAY_USE:\n{}", wrong.join("\n"));
}

/// Later rows use earlier ones only, so there is no circle.
#[test]
fn the_table_has_no_circle() {
    for (at, (module, uses)) in MAY_USE.iter().enumerate() {
        for other in uses.iter().filter(|other| **other != "*") {
            let place = MAY_USE.iter().position(|(name, _)| name == other).unwrap();
            assert!(place < at, "{module} uses {other}, which stands below it");
        }
    }
}

#[test]
fn some_things_stand_in_one_place() {
    let mut wrong = Vec::new();
    for source in sources() {
        for (word, places) in ONLY_IN {
            if has_word(&source.code, word) && !places.iter().any(|place| source.path.starts_with(place)) {
                wrong.push(format!("{}: {word}", source.path));
            }
        }
    }
    // A unit test may make a file for itself.
    wrong.retain(|line| !line.ends_with("tests.rs: std::fs"));
    assert!(wrong.is_empty(), "not here:\n{}", wrong.join("\n"));
}

#[test]
fn files_are_short() {
    let mut all = sources();
    all.retain(|source| source.lines > LONG);
    for source in &all {
        writeln!(io::stderr(), "warning: {} has {} lines", source.path, source.lines).unwrap();
    }
    let too_long: Vec<_> =
        all.iter().filter(|source| source.lines > TOO_LONG).map(|source| source.path.as_str()).collect();
    assert!(too_long.is_empty(), "more than {TOO_LONG} lines, split it: {}", too_long.join(", "));
}

#[test]
fn the_reader_sees_code_only() {
    let code = bare(
        "a // crate::x\n/* crate::y /* */ */ b(\"crate::z \\\" crate::w\", r#\"crate::q\"#, '\"', '\\'') 'life",
    );
    assert!(!code.contains("crate"), "{code}");
    assert!(code.contains('b') && code.contains("life"), "{code}");
    let uses = used("use crate::{a::{b, c}, d}; crate::e::f(); crate :: g", "crate::");
    assert_eq!(uses.into_iter().collect::<Vec<_>>(), ["a", "d", "e"]);
    assert!(has_word("unsafe {", "unsafe") && !has_word("unsafe_code", "unsafe"));
}
