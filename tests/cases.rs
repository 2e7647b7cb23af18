//! Every case of `tests/cases/`, and of the folders that `CCAUDIT_CASES` names: each key of its `expected.json`
//! against what the library reports.
//!
//! `CCAUDIT_CASES` is a list as in `PATH`; each item is one case or a folder of cases.

mod case_keys;
mod common;

use std::io::{self, Write};
use std::time::Instant;

use case_keys::{Case, Facts, Probe};

/// Keys that the library cannot answer yet: in which cases (first letters of their ids; `*` for all), the key, and
/// the capability that will bring the answer. A key that no comparison knows and that is not here fails the run, and
/// so does a line that is not needed any more.
const NOT_YET: &[(&str, &str, &str)] = &[
    ("*", "ttl_change", "cache ttl"),
    ("*", "cache_breaks", "cache breaks"),
    ("*", "compactions[].arithmetic_ok", "replay compaction"),
    ("*", "compactions[].last_usage_context", "replay compaction"),
    ("*", "compactions[].threshold", "replay compaction"),
    ("*", "compactions[].explained", "replay compaction"),
    ("*", "wrong_answers.threshold_167000", "replay compaction"),
    ("*", "compactions[].percent_of_window", "replay compaction"),
    ("*", "compactions[].finding", "replay compaction"),
    ("*", "compactions[].fits_window", "replay compaction"),
    ("*", "mean_pre_tokens", "replay compaction"),
    ("*", "spread", "replay compaction"),
    ("*", "override_percent", "replay compaction"),
    ("*", "override_expected_tokens", "replay compaction"),
    ("D", "finding", "replay compaction"),
    ("*", "max_context", "replay compaction"),
    ("D", "percent_of_window", "replay compaction"),
    ("*", "failed_compactions", "replay compaction"),
    ("*", "microcompactions", "replay compaction"),
    ("H", "finding", "stores"),
    ("*", "slugs", "stores"),
    ("*", "collisions", "stores"),
    ("*", "path_length", "stores"),
    ("*", "slug_length", "stores"),
    ("*", "suffix", "stores"),
    ("*", "orphan_dirs", "stores"),
    ("*", "live_dirs", "stores"),
    ("*", "history_dead_paths", "stores"),
    ("*", "memory_dir_of", "stores"),
    ("*", "dirs_without_sessions", "stores"),
    ("*", "alias_pairs", "stores"),
    ("*", "misplaced_sessions", "stores"),
    ("*", "misplaced_memory_dirs", "stores"),
    ("*", "cwds", "stores"),
    ("*", "due_now", "stores"),
    ("*", "due_within_14_days", "stores"),
    ("*", "safe", "stores"),
    ("*", "meaning", "stores"),
    ("*", "applies", "stores"),
    ("*", "index_entries", "stores"),
    ("*", "session_files", "stores"),
    ("*", "both", "stores"),
    ("*", "files_without_entry", "stores"),
    ("*", "entries_without_file", "stores"),
    ("*", "history_entries", "stores"),
    ("*", "with_transcript", "stores"),
    ("*", "without_transcript", "stores"),
    ("*", "without_session_id", "stores"),
    ("*", "first_day_utc", "stores"),
    ("*", "last_day_utc", "stores"),
    ("*", "missing_sessions", "stores"),
    ("*", "explained_by_retention", "stores"),
    ("*", "index.lines", "memory"),
    ("*", "index.line_truncated", "memory"),
    ("*", "index.char_truncated", "memory"),
    ("*", "index.loaded_lines", "memory"),
    ("*", "index.cut_entries", "memory"),
    ("*", "index.first_cut", "memory"),
    ("*", "recall_pool", "memory"),
    ("*", "dangling", "memory"),
    ("*", "weak_mentions", "memory"),
    ("*", "orphans", "memory"),
    ("*", "linked", "memory"),
    ("*", "recall_pool_files", "memory"),
    ("*", "nested_indexes", "memory"),
    ("F", "files", "memory"),
    ("F", "findings", "memory"),
    ("*", "index.entries", "memory"),
    ("*", "index.inline_content_lines", "memory"),
    ("*", "index.headings", "memory"),
    ("*", "duplicate_names", "memory"),
    ("*", "linked_twice", "memory"),
    ("*", "conflict_copies", "memory"),
    ("*", "identical_bodies", "memory"),
    ("*", "split_memory", "memory"),
    ("*", "resolved", "memory"),
    ("*", "case_mismatch", "memory"),
    ("*", "outside", "memory"),
    ("*", "ignored_in_code_or_comment", "memory"),
    ("*", "age_days", "memory"),
    ("*", "stale_warning", "memory"),
];

#[test]
fn every_key_of_every_case() {
    #[allow(clippy::disallowed_methods, reason = "tests read their own environment")]
    let folders = case_keys::handed(std::env::var_os("CCAUDIT_CASES"));
    let (mut failures, mut ids, mut compared) = (Vec::new(), Vec::new(), 0);
    let mut waiting = vec![0; NOT_YET.len()];
    for folder in folders {
        let Some(case) = Case::prepare(&folder) else {
            say(&format!("skipped: this machine cannot set up {}", folder.display()));
            continue;
        };
        let facts = Facts::of(&case);
        let mut result = case_keys::check(&case, &facts);
        result.failures.extend(case_keys::unnoticed(&case, &facts));
        compared += result.compared.len();
        failures.extend(result.failures.iter().map(|failure| format!("{}: {failure}", case.id)));
        for key in &result.unknown {
            match NOT_YET.iter().position(|(cases, name, _)| name == key && applies(cases, &case.id)) {
                Some(line) => waiting[line] += 1,
                None => failures.push(format!("{}: no comparison knows `{key}`", case.id)),
            }
        }
        ids.push(case.id);
    }
    // Without all cases a line may only seem to be needed no more.
    if case_keys::listed().iter().all(|id| ids.contains(id)) {
        for ((cases, key, capability), _) in NOT_YET.iter().zip(&waiting).filter(|(_, keys)| **keys == 0) {
            failures
                .push(format!("NOT_YET ({cases}, {key}, {capability}): no case needs this line any more"));
        }
    }
    say(&summary(ids.len(), compared, &waiting));
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

fn applies(cases: &str, id: &str) -> bool {
    cases == "*" || cases.split(' ').any(|first| id.starts_with(first))
}

fn summary(cases: usize, compared: usize, waiting: &[usize]) -> String {
    let mut capabilities: Vec<(&str, usize)> = Vec::new();
    for ((_, _, capability), keys) in NOT_YET.iter().zip(waiting) {
        match capabilities.iter_mut().find(|(name, _)| name == capability) {
            Some((_, sum)) => *sum += keys,
            None => capabilities.push((capability, *keys)),
        }
    }
    let list: Vec<String> = capabilities.iter().map(|(name, keys)| format!("{name} {keys}")).collect();
    let not_yet = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    format!("{cases} cases, {compared} keys compared, not yet covered: {not_yet}")
}

/// Reads one tree and says what that took; [`Probe`] starts it in a process of its own.
#[test]
fn probe() {
    #[allow(clippy::disallowed_methods, reason = "tests read their own environment")]
    let Some(tree) = std::env::var_os(case_keys::PROBE_TREE) else { return };
    let start = Instant::now();
    let corpus = case_keys::load(tree.as_ref());
    let seconds = start.elapsed().as_secs_f64();
    assert!(!corpus.files.is_empty());
    say(&format!("\nseconds {seconds}"));
    if let Some(megabytes) = Probe::peak_megabytes() {
        say(&format!("megabytes {megabytes}"));
    }
}

/// To where it is seen also when the test passes.
fn say(line: &str) {
    let mut out = io::stderr().lock();
    writeln!(out, "{line}").expect("stderr takes a line");
}
