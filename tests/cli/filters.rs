//! What is counted: filters, the prices and the time zone that a report names.

use std::fs;

use serde_json::Value;

use crate::common::{run_in, sample_tree};

fn responses(args: &[&str]) -> u64 {
    let mut command = run_in(&sample_tree());
    command.env("HOME", "/Users/dev").args(["cache", "--format", "json"]).args(args);
    let out = command.assert().success();
    let document: Value = serde_json::from_slice(&out.get_output().stdout).unwrap();
    document["data"]["totals"]["responses"].as_u64().unwrap()
}

fn printed(args: &[&str]) -> String {
    let out = run_in(&sample_tree()).args(args).assert().success();
    String::from_utf8(out.get_output().stdout.clone()).unwrap()
}

#[test]
fn projects_by_path_folder_and_word() {
    let shop = responses(&["--project", "/Users/dev/projects/shop-web"]);
    assert!(shop > 0 && shop < responses(&[]));
    for same in [
        "~/projects/shop-web",
        "~/projects/shop-web/",
        "~/projects/shop-w*",
        "-Users-dev-projects-shop-web",
        "*shop-web",
        "shop-web",
    ] {
        assert_eq!(responses(&["--project", same]), shop, "{same}");
    }
    for other in ["/Users/dev/projects/sho", "~/projects/sho", "-Users-dev-projects-sho", "a}b", "C:\\Users"]
    {
        assert_eq!(responses(&["--project", other]), 0, "{other}");
    }
    assert_eq!(responses(&["--project", "-none", "--session", "-none", "--model", "-none"]), 0);
}

#[test]
fn the_overview_says_what_filters_do_not_narrow() {
    let whole = "of the whole tree";
    assert!(printed(&["overview", "--session", "2d308a08"]).replace('\n', " ").contains(whole));
    assert!(!printed(&["overview"]).contains(whole));
}

#[test]
fn filters_that_match_nothing_are_told() {
    let note = "no response matches the filters";
    for command in ["cache", "overview"] {
        for format in ["text", "json", "csv", "markdown"] {
            let text = printed(&[command, "--model", "zzz", "--format", format]);
            assert!(text.contains(note), "{command} {format}: {text}");
        }
        assert!(
            !printed(&[command]).contains(note) && !printed(&[command, "--model", "opus"]).contains(note)
        );
    }
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("projects/-x")).unwrap();
    fs::write(tree.path().join("projects/-x/s.jsonl"), "").unwrap();
    let out = run_in(tree.path()).arg("cache").assert().success();
    assert!(!String::from_utf8_lossy(&out.get_output().stdout).contains(note), "there are no filters");
}

#[test]
fn reports_name_the_price_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    for head in ["as_of = 2027-02-01\nid = 2027-02-01", "as_of = \"2027-02-01\"\nid = \"ours\""] {
        let row = "[[row]]\nmodels = [\"claude-opus-4-6\"]\ninput = 1\n";
        fs::write(&file, format!("{head}\n{row}")).unwrap();
        let run = |more: &[&str]| {
            let mut command = run_in(&sample_tree());
            command
                .current_dir(folder.path())
                .args(["cache", "--format", "csv", "--prices", "p.toml"])
                .args(more);
            String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
        };
        let text = run(&[]);
        assert!(text.contains("prices of 2027-02-01 with rows of p.toml"), "{text}");
        let text = run(&["--share"]);
        assert!(text.contains("2027-02-01 with rows of a file") && !text.contains("p.toml"), "{text}");
    }
    for wrong in ["as_of = 3", "id = true"] {
        fs::write(&file, wrong).unwrap();
        let mut command = run_in(&sample_tree());
        let out = command.args(["cache", "--prices", file.to_str().unwrap()]).assert().code(2);
        let message = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(message.contains(":1: ") && message.contains("quotes"), "{message}");
    }
}

#[test]
fn an_unknown_zone_is_told() {
    let run = |zone: &str, more: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ccaudit"));
        command.env_clear().env("HOME", "/nowhere").env("TZ", zone).arg("--root").arg(sample_tree());
        let out = command.args(["cache", "--format", "csv"]).args(more).assert().success();
        String::from_utf8(out.get_output().stdout.clone()).unwrap()
    };
    let text = run("Foo/Bar", &[]);
    assert!(text.contains("TZ=Foo/Bar is not known") && text.contains("days in UTC"), "{text}");
    for (zone, more) in [("Foo/Bar", &["--timezone", "Europe/Berlin"][..]), ("Europe/Berlin", &[]), ("", &[])]
    {
        assert!(!run(zone, more).contains("not known"), "{zone} {more:?}");
    }
}

/// The rules of retention are seen by the gate of `overview`, and by its screen.
#[test]
fn retention_is_judged() {
    let judged = |id: &str, kind: &str, level: &str| {
        let copy = crate::common::prepare(id).unwrap();
        let root = copy.path().join(kind);
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ccaudit"));
        command.env_clear().env("HOME", "/nowhere").arg("--root").arg(&root);
        let out = command.args(["overview", "--now", "2020-01-01", "--timezone", "UTC", "--fail-on", level]);
        let out = out.output().unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap())
    };
    for (id, level, above) in
        [("expiring-transcripts", "note", "warning"), ("retention-below-minimum", "warning", "error")]
    {
        let (status, text) = judged(id, "fires", level);
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains(&format!("ccaudit explain {id}")), "{text}");
        assert_eq!(judged(id, "fires", above).0, Some(0));
        assert_eq!(judged(id, "quiet", "note").0, Some(0));
    }
}

#[test]
fn everything_that_can_be_explained_is_listed() {
    let text = printed(&["explain", "--format", "csv"]);
    for id in ["expiring-transcripts", "prompt-share", "retention-soon", "ccaudit.cache/v1"] {
        assert!(text.lines().any(|line| line.starts_with(&format!("{id},"))), "{id}: {text}");
    }
}
