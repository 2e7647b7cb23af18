//! What cannot be done: exit status 2 and one sentence that says what and what to do. What can: 0, or 1 at the gate.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt as _;

use crate::common::{prepare, run, run_in, sample_tree};

/// Runs, expects status 2 and nothing on standard output, and returns the message.
fn refused(mut command: assert_cmd::Command) -> String {
    let out = command.output().unwrap();
    let message = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{command:?}: {message}");
    assert!(out.stdout.is_empty(), "{command:?}");
    message
}

/// One line of ours with everything that must stand in it.
fn says(command: assert_cmd::Command, parts: &[&str]) {
    let message = refused(command);
    assert!(message.starts_with("ccaudit: ") && message.lines().count() == 1, "{message}");
    for part in parts {
        assert!(message.contains(part), "no `{part}` in: {message}");
    }
    assert_eq!(message.matches("os error").count().max(1), 1, "says it twice: {message}");
}

fn with(root: &Path, args: &[&str]) -> assert_cmd::Command {
    let mut command = run_in(root);
    command.args(args);
    command
}

#[test]
fn no_home_folder() {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ccaudit"));
    command.env_clear();
    says(command, &["no home folder", "--root"]);
}

#[test]
fn no_tree() {
    let home = tempfile::tempdir().unwrap();
    let mut command = run();
    command.env("HOME", home.path());
    says(command, &[".claude", "cannot read", "--root"]);
    says(run_in(Path::new("/nowhere/at/all")), &["cannot read /nowhere/at/all", "--root"]);
}

/// What a report can be about has to be there, be it empty; configuration and leftovers alone are no tree.
#[test]
fn nothing_to_read() {
    let nothing =
        ["", "notes.txt", "settings.json", ".claude.json", "CLAUDE.md", "todos/x.json", "rules/x.md"];
    for (file, is_something) in
        nothing.into_iter().chain(["projects/.keep", "projects/-a/x.txt"]).map(|file| (file, false)).chain(
            [
                "projects/-a/s.jsonl",
                "projects/-a/memory/MEMORY.md",
                "projects/-a/s.jsonl.orphaned-1",
                "history.jsonl",
                "file-history/s/f@v1",
            ]
            .map(|file| (file, true)),
        )
    {
        for with_store in [false, true] {
            let tree = tempfile::tempdir().unwrap();
            if with_store {
                fs::create_dir_all(tree.path().join("projects/-empty")).unwrap();
            }
            if !file.is_empty() {
                let file = tree.path().join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            for command in ["overview", "cache", "fsck", "dag"] {
                if is_something {
                    with(tree.path(), &[command]).assert().success();
                } else {
                    let path = tree.path().to_str().unwrap();
                    says(
                        with(tree.path(), &[command]),
                        &["nothing to read in", path, "no transcript", "--root"],
                    );
                }
            }
        }
    }
    // One of several roots that holds nothing is a mistake as well.
    let empty = tempfile::tempdir().unwrap();
    let both = ["cache", "--root", empty.path().to_str().unwrap()];
    says(with(&sample_tree(), &both), &["nothing to read in", "--root"]);
}

/// A tree whose transcripts cannot be looked at must not pass for an empty one, whatever else it holds.
#[cfg(unix)]
#[test]
fn projects_is_no_folder() {
    use std::os::unix::fs::symlink;
    let tree = tempfile::tempdir().unwrap();
    fs::write(tree.path().join("history.jsonl"), "").unwrap();
    with(tree.path(), &["cache"]).assert().success();
    let projects = tree.path().join("projects");
    let makers: [fn(&Path); 3] = [
        |path| fs::write(path, "").unwrap(),
        |path| symlink("/nowhere/at/all", path).unwrap(),
        |path| symlink("projects", path).unwrap(),
    ];
    for make in makers {
        make(&projects);
        says(run_in(tree.path()), &["cannot read", projects.to_str().unwrap(), "make it a folder", "--root"]);
        fs::remove_file(&projects).unwrap();
    }
}

#[test]
fn the_tree_is_found_where_the_environment_says() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".claude")).unwrap();
    fs::write(home.path().join(".claude/history.jsonl"), "").unwrap();
    run().env("HOME", home.path()).assert().success();
    run().env("CLAUDE_CONFIG_DIR", sample_tree()).assert().success();
}

#[test]
fn root_is_a_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    says(run_in(file.path()), &["is not a folder", "--root"]);
}

#[test]
fn root_is_the_projects_folder() {
    says(run_in(&sample_tree().join("projects")), &["nothing to read", "the folder above it"]);
}

#[cfg(unix)]
#[test]
fn root_is_unreadable() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("projects")).unwrap();
    // The binary may lie where only its owner may look.
    let binary = tempfile::tempdir().unwrap();
    fs::copy(env!("CARGO_BIN_EXE_ccaudit"), binary.path().join("ccaudit")).unwrap();
    fs::set_permissions(binary.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(tree.path(), fs::Permissions::from_mode(0o000)).unwrap();
    let binary = binary.path().join("ccaudit");
    let mut command = if fs::read_dir(tree.path()).is_ok() {
        // A superuser reads through any mode.
        let mut command = assert_cmd::Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&binary);
        command
    } else {
        assert_cmd::Command::new(&binary)
    };
    command.env("HOME", "/nowhere").arg("--root").arg(tree.path());
    says(command, &["cannot read", "ermission"]);
    fs::set_permissions(tree.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Whatever is wrong with the words themselves, and what is said to do about it.
#[test]
fn command_lines_that_are_not_understood() {
    let tree = sample_tree();
    for (args, parts) in [
        (&["--rooot", "x"][..], &["unknown flag --rooot", "did you mean --root?", "`ccaudit --help`"][..]),
        (&["cache", "--formt", "json"], &["--formt", "did you mean --format?", "`ccaudit cache --help`"]),
        (&["--by", "day", "cache"], &["unknown flag --by", "'cache --by' exists"]),
        (&["cache", "--limit", "-1"], &["unknown flag -1", "`ccaudit cache --help`"]),
        (&["cache", "--\u{1b}[2J\nx"], &["unknown flag", "\\u{1b}", "`ccaudit cache --help`"]),
        (&["cache", "--format"], &["--format needs a value", "text, json, csv, markdown, dot or mermaid"]),
        (&["cache", "--since"], &["--since needs a value", "--help`"]),
        (&["cache", "--by", "colour"], &["--by does not take colour", "hour, day, week", "version or ttl"]),
        (&["cache", "--by", "da"], &["--by does not take da", "did you mean day?"]),
        (&["--fail-on", "high"], &["--fail-on does not take high", "give note, warning or error"]),
        (&["completions", "bsh"], &["<SHELL> does not take bsh", "did you mean bash?"]),
        (&["cache", "--limit", "x"], &["--limit x", "give a whole number"]),
        (&["fsck", "--limit", "1.5"], &["--limit 1.5", "give a whole number"]),
        (&["cache", "--threads", "0"], &["--threads 0", "from 1 to 65535"]),
        (&["cache", "--threads", "65536"], &["--threads 65536", "from 1 to 65535"]),
        (&["frobnicate"], &["unknown command frobnicate", "`ccaudit --help`"]),
        (&["cahce"], &["unknown command cahce", "did you mean cache?"]),
        (&["help", "cahce"], &["unknown command cahce", "`ccaudit --help`"]),
        (&["completions"], &["<SHELL> is missing", "`ccaudit completions --help`"]),
        (&["dag", "resume"], &["<SESSION> is missing", "`ccaudit dag resume --help`"]),
        (&["cache", "x"], &["unexpected word x", "`ccaudit cache --help`"]),
        (&["cache", "--share=yes"], &["--share takes no value, yes was given", "`ccaudit cache --help`"]),
        (&["cache", "--limit", "1", "--limit", "2"], &["--limit is given twice, give it once"]),
    ] {
        says(with(&tree, args), parts);
    }
    for args in [&["--help"][..], &["cache", "--help"], &["help", "dag"], &["--version"]] {
        let out = with(&tree, args).assert().success();
        assert!(out.get_output().stderr.is_empty() && !out.get_output().stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn bad_flags() {
    let tree = sample_tree();
    says(with(&tree, &["cache", "--by", "day,model,ttl"]), &["--by", "one or two"]);
    says(with(&tree, &["cache", "--by", "day,day"]), &["--by", "twice"]);
    for flag in [["--sort", "cost"], ["--limit", "3"]] {
        says(with(&tree, &["cache", flag[0], flag[1]]), &[flag[0], "--by"]);
    }
    for command in [&["rules"][..], &["explain", "torn-tail"], &["completions", "bash"]] {
        says(with(&tree, &[command, &["--fail-on", "note"]].concat()), &["--fail-on", command[0], "fsck"]);
    }
    says(with(&tree, &["cache", "--since", "soon"]), &["--since", "soon", "2026-08-31", "7d"]);
    says(with(&tree, &["cache", "--until", "2026-02-30"]), &["--until", "2026-02-30"]);
    says(with(&tree, &["cache", "--since", "2026-08-20", "--until", "2026-08-01"]), &["--since", "empty"]);
    for age in ["99999999d", "99999999999999999999w", "9999-12-31T99:99:99Z"] {
        says(with(&tree, &["cache", "--since", age]), &["--since", age, "give"]);
    }
    says(with(&tree, &["cache", "--until", "9999-12-31"]), &["--until", "9999-12-31", "nearer"]);
    says(with(&tree, &["cache", "--project", "x", "--project", "a[b"]), &["--project a[b", "no glob", "[[]"]);
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ccaudit"));
    command.env_clear().env("HOME", "/x").args(["--timezone", "Mars/Olympus", "rules"]);
    says(command, &["--timezone", "Mars/Olympus", "Europe/Berlin"]);
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ccaudit"));
    command.env_clear().env("HOME", "/x").args(["--now", "then", "rules"]);
    says(command, &["--now", "2026-08-31"]);
}

#[test]
fn a_day_that_matches_nothing_is_no_error() {
    let out =
        with(&sample_tree(), &["cache", "--since", "2020-01-01", "--until", "2020-01-02"]).assert().success();
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    assert!(text.starts_with("nothing to add up") && !text.contains(['%', '$']), "{text}");
}

#[test]
fn price_files() {
    let tree = sample_tree();
    says(
        with(&tree, &["cache", "--prices", "/nowhere/prices.toml"]),
        &["price file /nowhere/prices.toml", "--prices"],
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    for (text, part) in [
        ("[[row]]\nmodels = [\"x\"]\nprice = 3\n", "price"),
        ("not toml at all", ":1"),
        ("[[row]]\nmodels = [\"x\"]\ninput = 0.1\n", ":3"),
        ("\u{1b}[31m = 1", ":1"),
    ] {
        fs::write(file.path(), text).unwrap();
        let message = refused(with(&tree, &["cache", "--prices", file.path().to_str().unwrap()]));
        assert!(message.contains(part) && !message.contains('\u{1b}'), "{message}");
    }
    let good = "[[row]]\nmodels = [\"claude-opus-4-6\"]\ninput = 1\noutput = 1\nwrite_5m = 1\nwrite_1h = 1\nread = 1\nsource = \"x\"\n";
    fs::write(file.path(), good).unwrap();
    with(&tree, &["cache", "--prices", file.path().to_str().unwrap()]).assert().success();
}

#[test]
fn ids_that_are_not_there() {
    let mut command = run();
    command.args(["explain", "torn-tial"]);
    says(command, &["torn-tial", "did you mean torn-tail"]);
    let mut command = run();
    command.args(["explain", "prompt-shares"]);
    says(command, &["did you mean prompt-share"]);
    let mut command = run();
    command.args(["explain", "xyzzy\u{1b}[2J"]);
    says(command, &["ccaudit explain lists"]);
}

#[test]
fn sessions_and_entries_that_are_not_there() {
    let tree = sample_tree();
    let session = "2d308a08-c93d-4265-a5e1-aa202eda6540";
    // A slip in the middle, and one letter that several begin with.
    says(
        with(&tree, &["dag", "show", "2d308a09"]),
        &["no session", "2d308a09", session, "ccaudit dag --limit 0"],
    );
    says(with(&tree, &["dag", "2d308a08"]), &["unknown command 2d308a08", "ccaudit dag show 2d308a08"]);
    assert!(!refused(with(&tree, &["dag", "show", "zzz"])).contains("nearest"));
    says(with(&tree, &["dag", "lanes", "9"]), &["sessions start with 9", "more of the id"]);
    let at = ["dag", "context", "2d308a08", "--at", "cb10721d"];
    says(with(&tree, &at), &["no entry", "cb10721d", "cb10721c"]);
    says(with(&tree, &["dag", "show", "2d308a08", "--around", ""]), &["entries", "more of the id"]);
    says(with(&tree, &["dag", "show", "2d308a08", "--branch", "7"]), &["--branch 7", "from 1 to 1"]);
    says(with(&tree, &["dag", "show", "2d308a08", "--text", "--share"]), &["--text", "--share"]);
    says(with(&tree, &["dag", "resume", "2d308a08", "--client", "new"]), &["--client new", "2.1.332"]);
    for command in [&["cache"][..], &["dag"], &["dag", "lanes", "2d308a08"], &["rules"]] {
        says(with(&tree, &[command, &["--format", "dot"]].concat()), &["ccaudit dag show", "--format"]);
    }
}

/// Two stores may hold sessions of one id.
#[test]
fn sessions_of_one_id() {
    let folder = tempfile::tempdir().unwrap();
    let line = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"content":"x"}}"#;
    for store in ["-a", "-b"] {
        let store = folder.path().join("projects").join(store);
        fs::create_dir_all(&store).unwrap();
        fs::write(store.join("twin.jsonl"), line).unwrap();
    }
    says(with(folder.path(), &["dag", "show", "twin"]), &["2 sessions", "twin@-a", "twin@-b"]);
    for name in ["twin@-b", "tw@-b"] {
        with(folder.path(), &["dag", "show", name]).assert().success();
    }
}

#[test]
fn the_gate_decides_between_0_and_1() {
    let tree = sample_tree();
    // The sample has a damaged line, a torn one and lower bounds. The report is printed anyway.
    for (command, level, status) in [
        ("overview", "error", 1),
        ("fsck", "error", 1),
        ("fsck", "note", 1),
        ("cache", "error", 1),
        ("cache", "note", 1),
    ] {
        for format in ["text", "json"] {
            let out = with(&tree, &[command, "--fail-on", level, "--format", format]).assert().code(status);
            let errors = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
            assert!(!out.get_output().stdout.is_empty());
            // Only `cache` does not show what it judges.
            let told = match (command, level) {
                ("cache", "error") => "ccaudit: 1 finding at or above error: ccaudit fsck shows it\n",
                ("cache", _) => "ccaudit: 3 findings at or above note: ccaudit fsck shows them\n",
                _ => "",
            };
            assert_eq!(errors, told, "{command} {level}");
        }
    }
    with(&tree, &["fsck"]).assert().code(0);
    let copy = prepare("byte-order-mark").unwrap();
    for (level, status) in [("error", 0), ("warning", 0), ("note", 1)] {
        with(&copy.path().join("fires"), &["fsck", "--fail-on", level]).assert().code(status);
        with(&copy.path().join("quiet"), &["fsck", "--fail-on", level]).assert().code(0);
    }
}

/// `cache` judges what its report tells of: what was lost and what could not be read, and no other flaw of the bytes.
#[test]
fn what_cache_says_is_missing_fails_it() {
    for (rule, level, status) in [
        ("damaged-record", "error", 1),
        // The copy was written a moment ago.
        ("torn-tail", "note", 1),
        ("nul-run", "warning", 1),
        ("not-json-lines", "warning", 1),
        ("unreadable-file", "error", 1),
        ("byte-order-mark", "note", 0),
        ("duplicate-entry", "note", 0),
        ("no-record", "note", 0),
        ("empty-transcript", "note", 0),
        ("dangling-parent", "note", 0),
    ] {
        let Some(copy) = prepare(rule) else { continue };
        with(&copy.path().join("fires"), &["cache", "--fail-on", level]).assert().code(status);
        with(&copy.path().join("quiet"), &["cache", "--fail-on", level]).assert().code(0);
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_nobodys_fault() {
    let tree = sample_tree();
    for args in [
        &["fsck", "--format", "json"][..],
        &["cache", "--by", "session", "--limit", "0"],
        &["rules", "--format", "json"],
        &["dag"],
        &["completions", "bash"],
        &["cache", "--help"],
        &["--version"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ccaudit"))
            .arg("--root")
            .arg(&tree)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let out = child.wait_with_output().unwrap();
        assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
        out.assert().code(0);
    }
}

#[test]
fn output_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let path = file.to_str().unwrap();
    let out = with(&sample_tree(), &["cache", "--format", "json", "--output", path]).assert().success();
    assert!(out.get_output().stdout.is_empty());
    let whole = fs::read(&file).unwrap();
    let printed = with(&sample_tree(), &["cache", "--format", "json"]).output().unwrap().stdout;
    assert_eq!(whole, printed);
    // Whatever goes wrong later, the old file stays.
    says(with(Path::new("/nowhere"), &["cache", "--output", path]), &["/nowhere"]);
    assert_eq!(fs::read(&file).unwrap(), whole);
    says(
        with(&sample_tree(), &["rules", "-o", "/nowhere/report.txt"]),
        &["cannot write /nowhere/report.txt", "folder"],
    );
    if cfg!(target_os = "linux") {
        // A place that takes nothing.
        says(with(&sample_tree(), &["rules", "-o", "/dev/full"]), &["cannot write /dev/full", "--output"]);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ccaudit"));
        let out = command.arg("rules").stdout(full).stderr(Stdio::piped()).output().unwrap();
        let message = String::from_utf8(out.stderr).unwrap();
        assert!(message.contains("standard output") && message.contains("--output"), "{message}");
        assert_eq!((out.status.code(), message.lines().count()), (Some(2), 1));
    }
    fs::create_dir(folder.path().join("taken")).unwrap();
    let taken = folder.path().join("taken");
    says(with(&sample_tree(), &["rules", "-o", taken.to_str().unwrap()]), &["cannot write"]);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|item| item.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
