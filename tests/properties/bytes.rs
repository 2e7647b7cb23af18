//! Any bytes: nothing panics, every byte is accounted for, what is JSON gives its columns, and the way a file
//! is cut up for reading makes no difference.

use std::sync::OnceLock;

use ccaudit::load::Options;
use ccaudit::parse::Reader;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::oracle::compare;
use crate::oracle::observe::{self, Names};
use crate::oracle::tree;
use crate::{config, real_lines};

/// Bytes that a reader of JSON could stumble over.
const ODD: [&[u8]; 42] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"\"",
    b"\\",
    b"\\\\",
    b"\\u",
    b"\\ud83d",
    b"\\ude00",
    b"\\u0000",
    b"\\uD800\\uE000",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"-",
    b"0",
    b"01",
    b"1.",
    b"1e400",
    b"1e2",
    b"1e17",
    b"9007199254740993.0",
    b"1.8446744073709551e19",
    b".5",
    b"99999999999999999999",
    b"0e99999999999999999999",
    b"1e4294967297",
    b"1234567890123456789",
    b"0.12345678901234567890",
    b"null",
    b"tru",
    b"\xFF",
    b"\xE6\x97",
    b"\xEF\xBB\xBF",
    b"\x0C",
    b"\x1F",
    b"{\"type\":\"user\",\"uuid\":\"q\",\"sessionId\":\"s\"}",
];

#[derive(Clone, Debug)]
enum Change {
    Flip(Index, u8),
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    InsertOdd(Index, usize),
    /// In the place of a number, so that its form is tried and not only its place.
    Number(Index, usize),
    Delete(Index, usize),
    Repeat(Index, usize),
    /// The rest of another line instead of the rest of this one.
    Splice(Index, usize, Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        1 => (at(), 0..8u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        1 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        3 => (at(), 0..ODD.len()).prop_map(|(at, odd)| Change::InsertOdd(at, odd)),
        3 => (at(), 0..ODD.len()).prop_map(|(at, odd)| Change::Number(at, odd)),
        1 => (at(), 1..40usize).prop_map(|(at, len)| Change::Delete(at, len)),
        1 => (at(), 1..200usize).prop_map(|(at, len)| Change::Repeat(at, len)),
        1 => (at(), 0..1_000usize, at()).prop_map(|(at, line, from)| Change::Splice(at, line, from)),
    ]
}

impl Change {
    fn make(&self, line: &mut Vec<u8>) {
        if line.is_empty() {
            return;
        }
        let len = line.len();
        match self {
            Self::Flip(at, bit) => line[at.index(len)] ^= 1 << bit,
            Self::Set(at, byte) => line[at.index(len)] = *byte,
            Self::Insert(at, bytes) => insert(line, at.index(len + 1), bytes),
            Self::InsertOdd(at, odd) => insert(line, at.index(len + 1), ODD[*odd]),
            Self::Number(at, odd) => {
                let from = at.index(len);
                if let Some(start) =
                    line[from..].iter().position(u8::is_ascii_digit).map(|found| from + found)
                {
                    let digits = line[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    line.splice(start..start + digits, ODD[*odd].iter().copied());
                }
            }
            Self::Delete(at, count) => {
                let start = at.index(len);
                line.drain(start..(start + count).min(len));
            }
            Self::Repeat(at, count) => {
                let start = at.index(len);
                let bytes = line[start..(start + count).min(len)].to_vec();
                insert(line, start, &bytes);
            }
            Self::Splice(at, other, from) => {
                let lines = real_lines();
                let other = &lines[other % lines.len()];
                line.truncate(at.index(len));
                line.extend_from_slice(&other[from.index(other.len())..]);
            }
        }
    }
}

fn insert(line: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    line.splice(at..at, bytes.iter().copied());
}

/// A line of real shape, changed in a few places or not at all.
fn line() -> impl Strategy<Value = Vec<u8>> {
    (0..real_lines().len(), prop::collection::vec(change(), 0..4)).prop_map(|(line, changes)| {
        let mut line = real_lines()[line].clone();
        changes.iter().for_each(|change| change.make(&mut line));
        line
    })
}

/// Some lines, with a final newline or without.
fn file() -> impl Strategy<Value = Vec<u8>> {
    (prop::collection::vec(line(), 0..6), any::<bool>()).prop_map(|(lines, ends)| {
        let mut bytes = lines.join(&b'\n');
        if ends {
            bytes.push(b'\n');
        }
        bytes
    })
}

/// Letters of JSON in no sensible order, and any other bytes.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => (0..ODD.len()).prop_map(|odd| ODD[odd].to_vec()),
        2 => prop::collection::vec(any::<u8>(), 0..4),
        2 => Just(b"{\"type\":\"".to_vec()),
        1 => Just(b"{\"parentUuid\":null,\"sessionId\":\"s\",\"uuid\":\"u\",\"type\":\"user\"}".to_vec()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A number in any form that JSON knows, near the limits of integers and floats more often than not.
fn number() -> impl Strategy<Value = String> {
    let digits = prop_oneof![
        "(0|[1-9][0-9]{0,24})",
        (0..64u32, -2..=2i128).prop_map(|(bits, more)| ((1i128 << bits) + more).max(0).to_string()),
        (-2..=2i128).prop_map(|more| ((1i128 << 64) + more).to_string()),
    ];
    (prop_oneof![9 => Just(""), 1 => Just("-")], digits, "(|[.][0-9]{1,4}|[.]0)", "(|[eE][+-]?[0-9]{1,2})")
        .prop_map(|(sign, digits, fraction, exponent)| format!("{sign}{digits}{fraction}{exponent}"))
}

/// Reads bytes as the loader does, and compares with the second reader.
fn check(bytes: &[u8]) {
    let mut reader = Reader::default();
    let mut offset = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let terminated = line.ends_with(b"\n");
        let text = &line[..line.len() - usize::from(terminated)];
        reader.line(text, offset, terminated);
        if terminated {
            reader.newline();
        }
        offset += line.len() as u64;
    }
    let mut part = reader.take();
    part.rows.bytes = offset;
    part.rows.issues.sort();
    compare::file(bytes, &part.rows, Names { strings: &part.strings, nodes: &part.nodes });
}

proptest! {
    #![proptest_config(config(2_500, "tests/regressions/bytes.txt"))]

    #[test]
    fn changed_lines_are_read_as_the_second_reader_reads_them(bytes in file()) {
        check(&bytes);
    }

    #[test]
    fn soup_is_read_as_the_second_reader_reads_it(bytes in soup()) {
        check(&bytes);
    }

    /// By the fast reader, and by the one for lines that need a repair.
    #[test]
    fn numbers_are_counts_where_they_are_for_the_second_reader(numbers in prop::collection::vec(number(), 3)) {
        let [input, output, tokens] = &numbers[..] else { unreachable!() };
        for half in ["", "\\ud800"] {
            check(format!(
                r#"{{"type":"assistant","cwd":"{half}","message":{{"usage":{{"input_tokens":{input},"output_tokens":{output}}}}}}}
{{"type":"system","cwd":"{half}","subtype":"compact_boundary","compactMetadata":{{"preTokens":{tokens}}}}}"#
            ).as_bytes());
        }
    }

    #[test]
    fn any_bytes_are_accounted_for(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }
}

/// One pool of folders: making one for each case would take most of the time.
fn tree_with(name: &str, files: &[Vec<u8>]) -> std::path::PathBuf {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let root = ROOT.get_or_init(|| tempfile::tempdir().unwrap()).path().join(name);
    let store = root.join("projects/-home-dev-x");
    std::fs::create_dir_all(store.join("s0/subagents")).unwrap();
    for (number, name) in ["s0.jsonl", "s1.jsonl", "s0/subagents/agent-a.jsonl"].iter().enumerate() {
        std::fs::write(store.join(name), files.get(number).map_or(&b""[..], Vec::as_slice)).unwrap();
    }
    root
}

proptest! {
    #![proptest_config(config(60, "tests/regressions/cuts.txt"))]

    #[test]
    fn cutting_a_file_up_for_reading_makes_no_difference(
        files in prop::collection::vec(file(), 1..4),
        splits in prop::collection::vec(prop_oneof![20..200u64, 200..5_000u64, Just(16 << 20)], 3),
        blocks in prop::collection::vec(prop_oneof![1..16usize, 16..3_000usize, Just(256 << 10)], 3),
        threads in 1..=4usize,
    ) {
        let root = tree_with("cuts", &files);
        let whole = observe::everything(&tree::load(&root, Options::with_threads(1)));
        for (&split, &block) in splits.iter().zip(&blocks) {
            let options = Options { threads, split, block };
            prop_assert_eq!(&observe::everything(&tree::load(&root, options)), &whole, "{:?}", options);
        }
    }
}

proptest! {
    #![proptest_config(config(6, "tests/regressions/seams.txt"))]

    /// Every place where a file could be cut: one byte before an entry, at it, and beyond it among them.
    #[test]
    fn no_seam_makes_a_difference(lines in prop::collection::vec(line(), 2..4)) {
        let mut short: Vec<Vec<u8>> = lines;
        short.iter_mut().for_each(|line| line.truncate(150));
        let root = tree_with("seams", &[short.join(&b'\n')]);
        let whole = observe::everything(&tree::load(&root, Options::with_threads(1)));
        let len = short.iter().map(|line| line.len() as u64 + 1).sum::<u64>();
        for split in (1..8).chain((8..len + 2).step_by(7)) {
            let options = Options { threads: 2, split, block: 64 };
            prop_assert_eq!(&observe::everything(&tree::load(&root, options)), &whole, "{:?}", options);
        }
    }
}
