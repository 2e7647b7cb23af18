//! Responses without the usual ids, and many entries of one response.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ccaudit::analysis::cache::{self, By, CacheOptions, CacheReport};
use ccaudit::analysis::fsck;
use ccaudit::load::{self, Options, Silent};
use ccaudit::model::{Corpus, IssueKind, Totals};
use ccaudit::prices::{Cost, PriceTable};
use ccaudit::scope::{Patterns, Scope};
use jiff::tz::TimeZone;
use tempfile::TempDir;

const ALPHA: &str = "-home-dev-alpha/00000000-0000-4000-8000-000000000001.jsonl";

/// The report on a tree with one transcript of these lines.
fn report(lines: &str) -> CacheReport {
    of_files(&[(ALPHA, lines)], &[])
}

fn of_files(files: &[(&str, &str)], by: &[By]) -> CacheReport {
    let tree = tree(files);
    let corpus = corpus(&[tree.path().to_owned()]);
    let (scope, prices) = (Scope::all(TimeZone::UTC), PriceTable::builtin());
    cache::analyze(&corpus, &CacheOptions { scope: &scope, prices: &prices, by })
}

fn tree(files: &[(&str, &str)]) -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    for (path, lines) in files {
        let path = tree.path().join("projects").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, lines).unwrap();
    }
    tree
}

fn corpus(roots: &[PathBuf]) -> Corpus {
    load::corpus(roots, &Options::with_threads(1), &Silent).unwrap()
}

fn answer(ids: &str, uuid: usize, usage: &str) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"u{uuid}","message":{{{ids}"model":"claude-opus-4-6","stop_reason":"end_turn","usage":{{{usage}}}}}}}"#
    )
}

/// Without `message.id` and `requestId` an entry is a response by its uuid; it has its place in the line sums
/// and in the prefix law like any other.
#[test]
fn responses_without_ids_count_everywhere() {
    let first = r#""input_tokens":3,"output_tokens":20,"cache_read_input_tokens":100,"cache_creation_input_tokens":50"#;
    let second = r#""input_tokens":5,"output_tokens":30,"cache_read_input_tokens":150,"cache_creation_input_tokens":0"#;
    let report = report(&format!("{}\n{}\n", answer("", 1, first), answer("", 2, second)));
    let sums = Totals { input: 8, output: 50, read: 250, write_unsplit: 50, ..Totals::default() };
    assert_eq!(report.totals.responses, 2);
    assert_eq!(report.totals.tokens, sums);
    assert_eq!(report.line_sums, sums);
    assert_eq!((report.totals.law.pairs, report.totals.law.exact, report.totals.law.expected), (1, 1, 150));
}

/// A gateway may give all its answers one id: then they are one response, however many there are.
#[test]
fn one_id_on_many_entries_is_one_response() {
    const ENTRIES: usize = 20_000;
    let mut lines = String::new();
    for uuid in 0..ENTRIES {
        let usage = format!(r#""input_tokens":3,"output_tokens":{uuid}"#);
        writeln!(lines, "{}", answer(r#""id":"msg_all","#, uuid, &usage)).unwrap();
    }
    let report = report(&lines);
    assert_eq!((report.totals.responses, report.totals.entries), (1, ENTRIES as u64));
    assert_eq!(report.totals.tokens.output, (ENTRIES - 1) as u128);
    assert_eq!(report.line_sums.input, 3 * ENTRIES as u128);
}

/// Which of two equal entries counts is for what they say to decide, never for the name of their file.
#[test]
fn advisors_do_not_depend_on_file_names() {
    let with = |uuid, tokens: u64| {
        let usage = format!(
            r#""input_tokens":10,"output_tokens":5,"iterations":[{{"type":"advisor_message","model":"claude-opus-4-6","input_tokens":{tokens},"output_tokens":1}}]"#
        );
        answer(r#""id":"msg_1","#, uuid, &usage) + "\n"
    };
    let (small, large) = (with(1, 100), with(2, 2_000));
    for (first, second) in [(&small, &large), (&large, &small)] {
        let report = of_files(&[("-a/1.jsonl", first), ("-a/2.jsonl", second)], &[]);
        assert_eq!(report.totals.tokens.input, 2_010);
    }
}

/// The version of a response is that of its owner, whatever the copy in a fork is called.
#[test]
fn a_copy_gives_no_version() {
    let line = |session: &str, version: &str, fork: &str| {
        let ids = r#""id":"msg_1","#;
        let line = answer(ids, 1, r#""input_tokens":10,"output_tokens":5"#);
        line.replacen('{', &format!(r#"{{"sessionId":"{session}","version":"{version}",{fork}"#), 1) + "\n"
    };
    for name in ["0s", "zs"] {
        let fork = line(name, "2.0.0", r#""forkedFrom":{"sessionId":"s1","messageUuid":"u1"},"#);
        let files = [("-a/s1.jsonl", line("s1", "1.0.0", "")), (&*format!("-a/{name}.jsonl"), fork)];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, lines)| (*path, lines.as_str())).collect();
        let report = of_files(&files, &[By::Version]);
        assert_eq!(
            report.groups.iter().map(|group| group.keys[0].text.as_str()).collect::<Vec<_>>(),
            ["1.0.0"]
        );
        let sessions = of_files(&files, &[By::Session]);
        let shown: Vec<_> = sessions
            .groups
            .iter()
            .map(|group| (group.keys[0].text.as_str(), group.responses, group.inherited))
            .collect();
        let mut wanted = [("s1", 1, 0), (name, 0, 1)];
        wanted.sort_unstable();
        assert_eq!(shown, wanted);
    }
}

/// Where only the versions differ, the newer one counts, wherever it stands.
#[test]
fn the_version_of_a_response_does_not_depend_on_place() {
    let line = |uuid, version: &str| {
        let line = answer(r#""id":"msg_1","#, uuid, r#""input_tokens":10,"output_tokens":5"#);
        line.replacen('{', &format!(r#"{{"timestamp":"2026-01-01T00:00:00.000Z",{version}"#), 1) + "\n"
    };
    for (older, newer) in [
        (r#""version":"2.1.1","#, r#""version":"2.1.2","#),
        (r#""version":"2.1.87","#, r#""version":"2.1.247","#),
        (r#""version":"9.0.0","#, r#""version":"10.0.0","#),
        (r#""version":"2.1.01","#, r#""version":"2.1.1","#),
        ("", r#""version":"1.0.0","#),
    ] {
        let wanted = newer.split('"').nth(3).unwrap();
        for lines in [line(1, older) + &line(2, newer), line(1, newer) + &line(2, older)] {
            let report = of_files(&[(ALPHA, &lines)], &[By::Version]);
            assert_eq!((report.groups.len(), report.groups[0].keys[0].text.as_str()), (1, wanted), "{lines}");
        }
    }
}

/// One lifetime against the other costs a different price: the entries do not agree.
#[test]
fn lifetimes_are_part_of_the_prompt() {
    let write = |uuid, name: &str| {
        let usage = format!(
            r#""input_tokens":1,"output_tokens":5,"cache_creation":{{"ephemeral_{name}_input_tokens":1000}}"#
        );
        answer(r#""id":"msg_1","#, uuid, &usage) + "\n"
    };
    let lines = write(1, "5m") + &write(2, "1h");
    let corpus = corpus(&[tree(&[(ALPHA, &lines)]).path().to_owned()]);
    assert!(corpus.responses[0].flags.conflicting);
}

/// A tree that is named twice is read once.
#[test]
fn a_root_counts_once() {
    let tree = tree(&[(ALPHA, &answer(r#""id":"msg_1","#, 1, r#""input_tokens":1"#))]);
    let again = tree.path().join("projects/..");
    let corpus = corpus(&[tree.path().to_owned(), again, tree.path().to_owned()]);
    assert_eq!((corpus.files.len(), corpus.sessions.len(), corpus.roots.len()), (1, 1, 1));
}

/// Trees that share a folder share its sessions and answers, with ids or without any.
#[cfg(unix)]
#[test]
fn what_two_roots_share_counts_once() {
    let nameless = r#"{"type":"assistant","message":{"stop_reason":"end_turn","usage":{"output_tokens":7}}}"#;
    let first = tree(&[(ALPHA, &format!("{nameless}\n{nameless}\n"))]);
    let second = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(first.path().join("projects"), second.path().join("projects")).unwrap();
    let (first, second) = (first.path().to_owned(), second.path().to_owned());
    for roots in [[first.clone(), second.clone()], [second, first]] {
        let corpus = corpus(&roots);
        let output: u64 = corpus.responses.iter().map(|response| response.usage.output).sum();
        assert_eq!((output, corpus.sessions.len(), corpus.roots.len(), corpus.settings.len()), (14, 1, 2, 2));
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let line = answer(r#""id":"msg_1","#, 1, r#""input_tokens":1"#);
    let report = report(&format!("{line}\n{}\n{line}\n", &line[..40]));
    assert_eq!((report.totals.responses, report.losses, report.unreadable), (1, 1, 0));
}

/// A transcript that is cut within an answer gives the same day and the same price.
#[test]
fn cutting_a_transcript_moves_no_answer() {
    let line = |uuid, time: &str| {
        let usage = r#""input_tokens":0,"output_tokens":5,"cache_read_input_tokens":1000000"#;
        let line = answer(r#""id":"msg_1","#, uuid, usage);
        line.replace("claude-opus-4-6", "claude-sonnet-5-5").replacen(
            '{',
            &format!(r#"{{"timestamp":"{time}","#),
            1,
        ) + "\n"
    };
    let (before, after) = (line(1, "2026-10-06T23:59:59.900Z"), line(2, "2026-10-07T00:00:00.100Z"));
    let whole = report(&(before.clone() + &after));
    assert_ne!(whole.totals.cost, Cost::default());
    for files in
        [[("-a/1.jsonl", &before), ("-a/2.jsonl", &after)], [("-a/1.jsonl", &after), ("-a/2.jsonl", &before)]]
    {
        let cut = of_files(&files.map(|(path, lines)| (path, lines.as_str())), &[]);
        assert_eq!((cut.totals.cost, cut.trend), (whole.totals.cost, whole.trend.clone()));
    }
}

/// An indented document is one issue, whatever values stand alone on its lines.
#[test]
fn an_indented_document_is_no_transcript() {
    let document =
        "{\n  \"tags\": [\n    \"a\",\n    \"b\"\n  ],\n  \"n\": [\n    1,\n    2\n  ],\n  \"o\": {}\n}\n";
    let corpus = corpus(&[tree(&[(ALPHA, document)]).path().to_owned()]);
    let issues = &corpus.transcripts[0].issues;
    assert_eq!(
        issues.iter().map(|issue| (issue.kind, issue.len)).collect::<Vec<_>>(),
        [(IssueKind::NotJsonLines, document.len() as u64)]
    );
}

/// The answer counts as written out when its tool input has more than 40 characters of compact JSON.
/// NULs say nothing about what stood in their place, however many lines they fill.
#[test]
fn nuls_are_no_other_format() {
    let kinds = |text: &str| -> Vec<IssueKind> {
        let corpus = corpus(&[tree(&[(ALPHA, text)]).path().to_owned()]);
        corpus.transcripts.iter().flat_map(|rows| &rows.issues).map(|issue| issue.kind).collect()
    };
    use IssueKind::{Damaged, NotJsonLines, NulRun, TornTail};
    assert_eq!(kinds("\0\n\0\n"), [NulRun; 2]);
    assert_eq!(kinds(&"\0\0\n".repeat(50)), [NulRun; 50]);
    assert_eq!(kinds("\0"), [NulRun]);
    // One line that they broke.
    assert_eq!(kinds("{\"type\":\"user\",\0\0\"uuid\":\"u\"}\n"), [Damaged, NulRun, Damaged]);
    assert_eq!(kinds("\0\n{\"type\":\0\"us"), [NulRun, Damaged, NulRun, TornTail]);
    // Two lines of something else, with NULs or without.
    assert_eq!(kinds("\0\nPK\0\u{3}\nx\0y\n"), [NotJsonLines]);
    let wide: String = "{\"type\":\"user\"}\n".repeat(2).chars().flat_map(|c| [c, '\0']).collect();
    assert_eq!(kinds(&wide), [NotJsonLines]);
}

#[test]
fn tool_input_has_the_length_of_its_json() {
    let inputs = [
        r#"{"command":"ls"}"#,
        r#"{"a":[],"b":{},"c":[1,[2]],"d":""}"#,
        r#"{"a":{},"b":true,"c":null,"d":-1}"#,
        r#"["0123456789","0123456789"]"#,
    ];
    for input in inputs {
        for (length, is_written_out) in [(40, false), (41, true)] {
            let padding = "x".repeat(length - input.len());
            let input = input.replacen('"', &format!("\"{padding}"), 1);
            let line = format!(
                r#"{{"type":"assistant","uuid":"u","message":{{"id":"m","model":"claude-opus-4-6","stop_reason":"tool_use","content":[{{"type":"tool_use","id":"t","name":"N","input":{input}}}],"usage":{{"input_tokens":1,"output_tokens":1}}}}}}"#
            );
            let corpus = corpus(&[tree(&[(ALPHA, &line)]).path().to_owned()]);
            assert_eq!(corpus.responses[0].flags.lower_bound, is_written_out, "{input}");
        }
    }
}

#[test]
fn unknown_types_are_told_by_file() {
    let line = |name: &str| format!("{{\"type\":\"{name}\",\"uuid\":\"{name}\"}}\n");
    let lines = line("zzz") + &line("user") + &line("aaa") + &line("zzz");
    let other = line("user");
    let corpus = corpus(&[tree(&[(ALPHA, &lines), ("-z/2.jsonl", &other)]).path().to_owned()]);
    let report = fsck::analyze(&corpus, 0);
    let types: Vec<Vec<(&str, u64)>> = report
        .files
        .iter()
        .map(|check| check.unknown_types.iter().map(|(name, count)| (name.as_str(), *count)).collect())
        .collect();
    assert_eq!(types, [vec![("aaa", 1), ("zzz", 2)], vec![]]);
}

/// What a fork inherits is cut by time as everything is, and asked for by the name of the fork.
#[test]
fn inherited_responses_are_those_in_scope() {
    let line = |session: &str, id: usize, day: usize| {
        let line = answer(&format!(r#""id":"msg_{id}","#), id, r#""input_tokens":10"#);
        let head = format!(r#"{{"sessionId":"{session}","timestamp":"2026-11-0{day}T00:00:00Z","#);
        line.replacen('{', &head, 1) + "\n"
    };
    // The fork shows both of the other's answers, one of them twice and in turn.
    let own = line("s1", 1, 3) + &line("s1", 2, 4);
    let fork = (line("s2", 1, 3) + &line("s2", 2, 4)).repeat(2);
    let fork = fork.replace(r#"{"sessionId""#, r#"{"forkedFrom":{"messageUuid":"u"},"sessionId""#);
    let tree = tree(&[("-a/s1.jsonl", &own), ("-a/s2.jsonl", &fork)]);
    let corpus = corpus(&[tree.path().to_owned()]);
    let prices = PriceTable::builtin();
    let shown = |scope: Scope| -> Vec<(String, u64, u64)> {
        let report =
            cache::analyze(&corpus, &CacheOptions { scope: &scope, prices: &prices, by: &[By::Session] });
        let row = |group: &cache::Group| (group.keys[0].text.clone(), group.responses, group.inherited);
        report.groups.iter().map(row).collect()
    };
    let only = |session: &str| Scope {
        sessions: Patterns::new(&[session.to_owned()]).unwrap(),
        ..Scope::all(TimeZone::UTC)
    };
    let since = Scope { since: Some(1_793_750_400_000), ..Scope::all(TimeZone::UTC) };
    let row = |session: &str, responses, inherited| (session.to_owned(), responses, inherited);
    assert_eq!(shown(Scope::all(TimeZone::UTC)), [row("s1", 2, 0), row("s2", 0, 2)]);
    assert_eq!(shown(since), [row("s1", 1, 0), row("s2", 0, 1)]);
    assert_eq!(shown(only("s1")), [row("s1", 2, 0)]);
    assert_eq!(shown(only("s2")), [row("s2", 0, 2)]);
}
