//! Formats, widths, colour, and what must not change the bytes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{run, run_in, sample_tree};

const REPORTS: &[&[&str]] = &[
    &["overview"],
    &["cache"],
    &["cache", "--by", "session"],
    &["cache", "--by", "day,model", "--limit", "0"],
    &["fsck"],
    &["dag"],
    &["dag", "show", "2d308a08"],
    &["dag", "show", "98da43d7", "--text"],
    &["dag", "show", "2d308a08", "--text", "--around", "cb10721c"],
    &["dag", "resume", "2d308a08"],
    &["dag", "context", "2d308a08"],
    &["dag", "lanes", "98da43d7"],
    &["rules"],
    &["explain", "lower-bound-output"],
    &["explain", "savings"],
    &["explain", "index-lines"],
];

fn print(args: &[&str], more: &[&str]) -> String {
    let out = run_in(&sample_tree()).args(args).args(more).assert().success().get_output().clone();
    assert!(out.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Columns of a line; the few signs of ours are one column wide each.
fn columns(line: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(line)
}

#[test]
fn text_fits_80_columns_where_there_is_no_terminal() {
    for args in REPORTS {
        for line in print(args, &[]).lines() {
            // An example of a rule's page is a copy of a file's line.
            let is_example = args == &["explain", "lower-bound-output"] && line.starts_with("    ");
            assert!(columns(line) <= 80 || is_example, "{args:?}: {line}");
            assert_eq!(line, line.trim_end(), "{args:?}");
        }
    }
}

#[test]
fn csv_is_rectangular_within_a_block() {
    for args in REPORTS {
        let text = print(args, &["--format", "csv"]);
        assert!(text.contains("\r\n") && !text.replace("\r\n", "").contains(['\r', '\n']), "{args:?}");
        for block in text.split("\r\n\r\n") {
            let widths: BTreeSet<usize> =
                block.split("\r\n").filter(|row| !row.is_empty()).map(|row| fields(row).len()).collect();
            assert_eq!(widths.len(), 1, "{args:?}: {block}");
        }
    }
}

/// Fields of a row of CSV, quotes left in place.
fn fields(row: &str) -> Vec<&str> {
    let mut quoted = false;
    row.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .collect()
}

#[test]
fn csv_totals_equal_json_totals() {
    let csv = print(&["cache", "--by", "session"], &["--format", "csv"]);
    let table = csv.split("\r\n\r\n").find(|block| block.starts_with("session")).unwrap();
    let mut rows = table.split("\r\n");
    let at = rows.next().unwrap().split(',').position(|key| key == "read").unwrap();
    let sum: u64 =
        rows.filter(|row| !row.is_empty()).map(|row| fields(row)[at].parse::<u64>().unwrap()).sum();
    let json: Value =
        serde_json::from_str(&print(&["cache", "--by", "session"], &["--format", "json"])).unwrap();
    assert_eq!(json["data"]["totals"]["read"], sum);
}

#[test]
fn markdown_tables_are_tables() {
    for args in REPORTS {
        let text = print(args, &["--format", "markdown"]);
        let mut width = None;
        for line in text.lines() {
            if !line.starts_with('|') {
                width = None;
                continue;
            }
            let bars = line.replace("\\|", "").matches('|').count();
            assert_eq!(*width.get_or_insert(bars), bars, "{args:?}: {line}");
        }
    }
}

#[test]
fn json_is_one_document_and_the_exit_status_is_that_of_text() {
    for args in REPORTS {
        let document: Value = serde_json::from_str(&print(args, &["--format", "json"])).unwrap();
        assert!(document["schema"].as_str().unwrap().ends_with("/v1"), "{args:?}");
        assert_eq!(document["filters"]["now"], "2026-08-27T12:00:00Z");
    }
}

#[test]
fn threads_time_zone_and_locale_change_nothing() {
    let reports: [&[&str]; 3] = [&["overview"], &["cache", "--by", "session,day"], &["fsck"]];
    for args in reports {
        for format in ["text", "json"] {
            let plain = print(args, &["--format", format, "--threads", "2"]);
            for threads in ["1", "7"] {
                assert!(
                    plain == print(args, &["--format", format, "--threads", threads]),
                    "{args:?} {format} {threads}"
                );
            }
            let elsewhere = run_in(&sample_tree())
                .args(args)
                .args(["--format", format])
                .envs([
                    ("TZ", "Asia/Kathmandu"),
                    ("LC_ALL", "de_DE.ISO-8859-1"),
                    ("LANG", "C"),
                    ("COLUMNS", "300"),
                ])
                .output()
                .unwrap();
            assert!(elsewhere.stdout == plain.as_bytes(), "{args:?} {format}: TZ or locale");
        }
    }
}

#[test]
fn days_follow_the_time_zone() {
    let run = |zone: &str, how: &str| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ccaudit"));
        command.env_clear().env("HOME", "/x").arg("--root").arg(sample_tree());
        command.args(["--now", "2026-08-27T12:00:00Z", "cache", "--by", "day", "--format", "csv"]);
        match how {
            "TZ" => command.env("TZ", zone),
            _ => command.args(["--timezone", zone]),
        };
        String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
    };
    let kathmandu = run("Asia/Kathmandu", "--timezone");
    assert_eq!(run("Asia/Kathmandu", "TZ"), kathmandu);
    assert_ne!(run("America/Los_Angeles", "--timezone"), kathmandu);
}

#[test]
fn colour_only_where_it_is_asked_for_or_seen() {
    for args in REPORTS {
        assert!(!print(args, &[]).contains('\u{1b}'), "{args:?}");
        assert!(!print(args, &["--color", "never"]).contains('\u{1b}'), "{args:?}");
    }
    let coloured = print(&["fsck"], &["--color", "always"]);
    assert!(coloured.contains("\u{1b}[31m"));
    let mut plain = String::new();
    for (at, part) in coloured.split('\u{1b}').enumerate() {
        plain.push_str(if at == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(plain, print(&["fsck"], &[]), "colour adds nothing but colour");
    assert!(!print(&["fsck"], &["--color", "always", "--format", "json"]).contains('\u{1b}'));
}

/// On a terminal, through `script`, which makes one.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_filled_and_not_overrun() {
    use std::io::Write as _;
    if std::process::Command::new("script").arg("--version").output().is_err() {
        writeln!(std::io::stderr(), "skipped: script is not installed").unwrap();
        return;
    }
    let on_terminal = |columns: &str, more: &[(&str, &str)], args: &str| {
        let folder = tempfile::tempdir().unwrap();
        let command = format!(
            "{} --root {} --timezone UTC --now 2026-08-27T12:00:00Z {args}",
            env!("CARGO_BIN_EXE_ccaudit"),
            sample_tree().display()
        );
        let out = std::process::Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin"), ("HOME", "/x"), ("LANG", "C.UTF-8"), ("TERM", "xterm")])
            .env("SHELL", "/bin/sh")
            .env("COLUMNS", columns)
            .envs(more.iter().copied())
            .current_dir(folder.path())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(out.stdout).unwrap().replace("\r\n", "\n")
    };
    let bare = |text: &str| {
        let mut plain = String::new();
        for (at, part) in text.split('\u{1b}').enumerate() {
            plain.push_str(if at == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) });
        }
        plain
    };
    let mut widest = Vec::new();
    for columns_given in [80, 140] {
        for args in ["", "cache", "cache --by session", "fsck", "rules"] {
            let text = on_terminal(&columns_given.to_string(), &[], args);
            assert!(text.contains('\u{1b}'), "colour on a terminal: {args}");
            let width = bare(&text).lines().map(columns).max().unwrap();
            assert!(width <= columns_given, "{args}: {width} columns of {columns_given}");
            widest.push(width);
        }
    }
    assert!(widest.iter().any(|width| *width > 100), "a wide terminal is used");
    assert!(!on_terminal("80", &[("NO_COLOR", "1")], "fsck").contains('\u{1b}'));
    assert!(!on_terminal("80", &[("TERM", "dumb")], "fsck").contains('\u{1b}'));
    assert!(on_terminal("80", &[("NO_COLOR", "1")], "fsck --color always").contains('\u{1b}'));
    let ascii = on_terminal("80", &[("LANG", "C"), ("NO_COLOR", "1")], "cache --by session");
    assert!(ascii.is_ascii(), "a terminal without UTF-8 gets ASCII: {ascii}");
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let out = run().args(["completions", shell]).assert().success().get_output().stdout.clone();
        let text = String::from_utf8(out).unwrap();
        assert!(text.len() > 1000 && text.contains("fsck") && text.contains("fail-on"), "{shell}");
    }
}

#[test]
fn help_has_examples_that_work_and_fits() {
    let dag = ["dag", "dag show", "dag resume", "dag context", "dag lanes"];
    for command in ["", "overview", "cache", "fsck", "rules", "explain", "completions"].into_iter().chain(dag)
    {
        let mut args: Vec<&str> = command.split_whitespace().collect();
        args.push("--help");
        let out = run().args(&args).env("COLUMNS", "300").assert().success().get_output().stdout.clone();
        let text = String::from_utf8(out).unwrap();
        let (_, examples) =
            text.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}: no examples"));
        for line in text.lines() {
            assert!(columns(line) <= 100, "{command}: {line}");
        }
        for line in examples.lines().take_while(|line| line.starts_with("  ccaudit")) {
            // The command ends where its description or another program begins.
            let line = line.trim_start();
            let end = line.find("   ").unwrap_or(line.len()).min(line.find(" | ").unwrap_or(line.len()));
            let end = end.min(line.find(" > ").unwrap_or(line.len()));
            let words: Vec<&str> = line[..end]
                .split_whitespace()
                .skip(1)
                .filter(|word| *word != "--root" && *word != "DIR")
                .collect();
            let status = run_in(&sample_tree()).args(&words).output().unwrap().status;
            assert!(matches!(status.code(), Some(0 | 1)), "{command}: example `{line}` ends with {status}");
        }
    }
}

#[test]
fn a_schema_is_printed_by_its_name() {
    let out = run().args(["explain", "ccaudit.cache/v1"]).assert().success().get_output().stdout.clone();
    let schema: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(schema["properties"]["data"]["$ref"], "#/$defs/Cache");
}

/// What is missing from the figures is told beside them, in every format.
#[test]
fn cache_tells_what_is_missing() {
    let store = |root: &std::path::Path| {
        let store = root.join("projects/-x");
        std::fs::create_dir_all(&store).unwrap();
        store
    };
    let of = |root: &std::path::Path, format: &str| {
        let out = run_in(root).args(["cache", "--format", format]).assert().success();
        String::from_utf8(out.get_output().stdout.clone()).unwrap()
    };
    let line = "{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"s\"}\n";
    let unreadable = crate::common::prepare("unreadable-file").map(|copy| (copy.path().join("fires"), copy));
    for format in ["text", "json", "csv", "markdown"] {
        for (rest, note) in [
            ("{\"a", Some("1 stretch of the transcripts gave no entry (ccaudit fsck)")),
            ("x\n{\"a", Some("2 stretches of the transcripts gave no entry (ccaudit fsck)")),
            ("[]\n", None),
        ] {
            let tree = tempfile::tempdir().unwrap();
            std::fs::write(store(tree.path()).join("s.jsonl"), format!("{line}{rest}")).unwrap();
            let text = of(tree.path(), format);
            match note {
                Some(note) => assert!(text.contains(note), "{format}: {text}"),
                None => assert!(!text.contains("gave no entry"), "{format}: {text}"),
            }
            assert!(!text.contains("could not be read"), "{format}: {text}");
        }
        if let Some((root, _)) = &unreadable {
            let text = of(root, format);
            assert!(text.contains("1 path could not be read (ccaudit fsck)"), "{format}: {text}");
        }
    }
}

/// A version between two seen ones takes the rules of the older; where those of the newer give another result, both stand
/// there. The broken link in this session is one that only newer clients repair.
#[test]
fn a_resume_by_an_unseen_version_shows_both_results() {
    let resume = |client: &str, format: &str| {
        print(&["dag", "resume", "0b991187", "--client", client, "--limit", "0"], &["--format", format])
    };
    let between = resume("2.1.200", "text");
    assert!(
        between.contains("assumed") && between.contains("In the order sent by client 2.1.247"),
        "{between}"
    );
    assert!(!resume("2.1.87", "text").contains("In the order sent by client"));
    let document: Value = serde_json::from_str(&resume("2.1.200", "json")).unwrap();
    let differs = document["data"]["differs"].as_array().unwrap();
    let next = differs.iter().find(|other| other["is_next"] == true).unwrap();
    let newer: Value = serde_json::from_str(&resume("2.1.247", "json")).unwrap();
    let sent: Vec<&Value> =
        newer["data"]["entries"].as_array().unwrap().iter().map(|entry| &entry["uuid"]).collect();
    assert_eq!(next["sent"].as_array().unwrap().iter().collect::<Vec<_>>(), sent);
    assert!(sent.len() > document["data"]["entries"].as_array().unwrap().len());
}
