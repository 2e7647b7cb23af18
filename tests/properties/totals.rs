//! Any tree: no order of files or lines, no copy and no cut changes what was used and who owns it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ccaudit::load::Options;
use ccaudit::model::{Corpus, Totals};
use proptest::prelude::*;

use crate::config;
use crate::oracle::tree;

/// An entry of an answer.
#[derive(Clone, Debug)]
struct Block {
    response: u8,
    uuid: u32,
    second: u8,
    output: u8,
    input: u8,
    /// Flat, 5m and 1h writes.
    writes: (u8, u8, u8),
    stopped: bool,
    text: u8,
    model: u8,
    advisor: bool,
}

fn block() -> impl Strategy<Value = Block> {
    let writes = (0..3u8, 0..3u8, 0..3u8);
    let shape = (0..12u8, any::<u32>(), 0..60u8, 0..20u8, 0..3u8);
    let rest = (any::<bool>(), 0..80u8, 0..3u8, prop::bool::weighted(0.1));
    (shape, writes, rest).prop_map(
        |((response, uuid, second, output, input), writes, (stopped, text, model, advisor))| Block {
            response,
            uuid,
            second,
            output,
            input,
            writes,
            stopped,
            text,
            model,
            advisor,
        },
    )
}

impl Block {
    fn line(&self, session: &str) -> String {
        let Self { response, uuid, second, output, input, writes: (flat, five, hour), text, model, .. } =
            self;
        let stop = if self.stopped { r#","stop_reason":"end_turn""# } else { "" };
        let text = "x".repeat(usize::from(*text));
        let advisor = if self.advisor { r#"{"type":"advisor","model":"m9","output_tokens":9}"# } else { "" };
        format!(
            r#"{{"type":"assistant","uuid":"u{uuid}","sessionId":"{session}","timestamp":"2026-01-01T00:00:{second:02}.000Z","message":{{"id":"r{response}","model":"m{model}"{stop},"content":[{{"type":"text","text":"{text}"}}],"usage":{{"input_tokens":{input},"output_tokens":{output},"cache_creation_input_tokens":{flat},"cache_creation":{{"ephemeral_5m_input_tokens":{five},"ephemeral_1h_input_tokens":{hour}}},"iterations":[{advisor}]}}}}}}"#
        )
    }
}

/// What must not change: by model the tokens, those of lower bounds apart; and the number of responses.
type Sums = BTreeMap<(String, bool, bool), (usize, Totals)>;

fn sums(corpus: &Corpus) -> BTreeMap<String, String> {
    let mut sums = Sums::new();
    for response in &corpus.responses {
        let model = corpus.strings.text(response.model).to_owned();
        let sum = sums.entry((model, response.flags.lower_bound, response.flags.advisor)).or_default();
        sum.0 += 1;
        sum.1 += &response.usage;
    }
    sums.into_iter().map(|(key, sum)| (format!("{key:?}"), format!("{sum:?}"))).collect()
}

fn load(files: &[(String, Vec<String>)]) -> Corpus {
    let texts: Vec<(String, String)> =
        files.iter().map(|(name, lines)| (format!("{name}.jsonl"), lines.join("\n") + "\n")).collect();
    let files: Vec<(&str, &[u8])> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let folder = tree::of(&files);
    tree::load(folder.path(), Options::with_threads(1))
}

fn named(files: &[Vec<Block>]) -> Vec<(String, Vec<String>)> {
    let name = |number: usize| format!("session-{number}");
    let lines = |number: usize| files[number].iter().map(|block| block.line(&name(number))).collect();
    (0..files.len()).map(|number| (name(number), lines(number))).collect()
}

fn blocks() -> impl Strategy<Value = Vec<Vec<Block>>> {
    prop::collection::vec(prop::collection::vec(block(), 0..8), 1..4)
}

proptest! {
    #![proptest_config(config(150, "tests/regressions/totals.txt"))]

    #[test]
    fn one_response_for_each_id(files in blocks()) {
        let corpus = load(&named(&files));
        let ids: BTreeSet<u8> = files.iter().flatten().map(|block| block.response).collect();
        let found: Vec<_> = corpus.responses.iter().filter(|response| !response.flags.advisor).collect();
        prop_assert_eq!(found.len(), ids.len());
        let entries: u32 = found.iter().map(|response| response.entries).sum();
        prop_assert_eq!(entries as usize, files.iter().map(Vec::len).sum::<usize>());
        for id in ids {
            let highest = files.iter().flatten().filter(|block| block.response == id).map(|block| block.output).max();
            let name = format!("r{id}");
            let response = found.iter().find(|response| corpus.strings.get(response.id) == Some(&name)).unwrap();
            prop_assert_eq!(Some(response.usage.output), highest.map(u64::from));
        }
    }

    #[test]
    fn names_of_files_change_no_total(files in blocks(), order in Just([0, 1, 2]).prop_shuffle()) {
        let before = named(&files);
        let mut after = before.clone();
        for (file, number) in after.iter_mut().zip(order) {
            file.0 = format!("other-{number}");
        }
        prop_assert_eq!(sums(&load(&before)), sums(&load(&after)));
    }

    #[test]
    fn order_of_lines_changes_no_total(files in blocks(), seed in any::<prop::sample::Index>()) {
        let before = named(&files);
        let mut after = before.clone();
        for (_, lines) in &mut after {
            lines.reverse();
            if !lines.is_empty() {
                let by = seed.index(lines.len());
                lines.rotate_left(by);
            }
        }
        prop_assert_eq!(sums(&load(&before)), sums(&load(&after)));
    }

    #[test]
    fn a_copy_of_a_file_changes_no_total(files in blocks(), which in any::<prop::sample::Index>()) {
        let before = named(&files);
        let mut after = before.clone();
        for name in ["a-copy", "z-copy"] {
            after.push((name.to_owned(), before[which.index(before.len())].1.clone()));
        }
        prop_assert_eq!(sums(&load(&before)), sums(&load(&after)));
    }

    #[test]
    fn a_file_cut_in_two_changes_no_total(files in blocks(), at in any::<prop::sample::Index>()) {
        let before = named(&files);
        let mut after = before.clone();
        for (number, (_, lines)) in before.iter().enumerate() {
            let cut = at.index(lines.len() + 1);
            after.push((format!("{number}-second-half"), lines[cut..].to_vec()));
            after[number].1.truncate(cut);
        }
        prop_assert_eq!(sums(&load(&before)), sums(&load(&after)));
    }

    /// A session and its forks: shared entries with the session id rewritten, then entries of their own. The
    /// owner is the one that went on first, whatever the files are called.
    #[test]
    fn the_owner_does_not_depend_on_names(
        shared in prop::collection::vec(block(), 1..5),
        starts in Just([10u8, 20, 30]).prop_shuffle(),
        order in Just(["a", "b", "c"]).prop_shuffle(),
        marked in prop::option::of(0..3usize),
    ) {
        let file = |number: usize| {
            let name = order[number];
            let mut lines: Vec<String> = shared.iter().map(|block| block.line(name)).collect();
            // Forks of some clients say that they are; then it is not the time that decides.
            if marked.is_some_and(|original| original != number) {
                for line in &mut lines {
                    *line = line.replacen('{', r#"{"forkedFrom":{"sessionId":"q"},"#, 1);
                }
            }
            lines.push(format!(
                r#"{{"type":"user","uuid":"own-{number}","sessionId":"{name}","timestamp":"2026-01-02T00:00:{}.000Z"}}"#,
                starts[number]
            ));
            (name.to_owned(), lines)
        };
        let corpus = load(&[file(0), file(1), file(2)]);
        let first = (0..3).min_by_key(|&number| starts[number]).unwrap();
        let expected = format!("{}.jsonl", order[marked.unwrap_or(first)]);
        for response in &corpus.responses {
            let owner = &corpus.file(response.owner).path;
            prop_assert!(owner.ends_with(&expected), "{owner}, not {expected}");
        }
    }
}

#[test]
fn a_tree_read_twice_counts_once() {
    let folder = tree::of(&[("s.jsonl", Block::line(&sample(), "s").as_bytes())]);
    let copy = tree::of(&[("s.jsonl", Block::line(&sample(), "s").as_bytes())]);
    let roots = [folder.path().to_owned(), copy.path().to_owned()];
    let both = ccaudit::load::corpus(&roots, &Options::with_threads(2), &ccaudit::load::Silent).unwrap();
    assert_eq!((both.responses.len(), both.responses[0].entries, both.responses[0].inherited), (1, 2, 1));
    assert!(fs::exists(folder.path()).unwrap());
}

fn sample() -> Block {
    Block {
        response: 1,
        uuid: 1,
        second: 1,
        output: 1,
        input: 1,
        writes: (0, 0, 0),
        stopped: true,
        text: 1,
        model: 1,
        advisor: false,
    }
}
