//! A file as read by the crate against the same bytes as read here.

use ccaudit::model::{IssueKind, Transcript};

use super::observe::Names;
use super::{Row, derive, observe, parse};

/// How many lines of which sort were compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub records: usize,
    pub others: usize,
    pub refused: usize,
}

/// Panics where the crate has read anything else than the bytes say.
pub fn file(bytes: &[u8], transcript: &Transcript, names: Names<'_>) -> Compared {
    account(bytes, transcript);
    let mut compared = Compared::default();
    if transcript.issues.iter().any(|issue| issue.kind == IssueKind::NotJsonLines) {
        assert!(transcript.entries.is_empty());
        assert!(lines(bytes).all(|(_, line)| parse(line).is_none()), "a file with JSON in it was given up");
        return compared;
    }
    let observed = observe::rows(transcript, names);
    let mut rest = observed.as_slice();
    for (offset, line) in lines(bytes) {
        let len = line.len() as u64;
        let count = rest.iter().take_while(|row| row.offset < offset + len).count();
        let (here, after) = rest.split_at(count);
        rest = after;
        let value = parse(line);
        let issues = transcript.issues.iter().filter(|issue| (offset..offset + len).contains(&issue.offset));
        let issues: Vec<_> = issues.collect();
        if let Some(value) = value {
            let expected: Vec<Row> = derive::row(&value, offset, len, false).into_iter().collect();
            assert_eq!(here, expected, "{}", String::from_utf8_lossy(line));
            if expected.is_empty() {
                compared.others += 1;
                let [issue] = issues[..] else { panic!("{issues:?}") };
                assert_eq!((issue.kind, issue.offset, issue.len), (IssueKind::NoRecord, offset, len));
            } else {
                compared.records += 1;
                assert!(issues.is_empty(), "{issues:?}: {}", String::from_utf8_lossy(line));
            }
        } else {
            compared.refused += 1;
            assert!(!issues.is_empty(), "no issue: {}", String::from_utf8_lossy(line));
            for row in here {
                let start = usize::try_from(row.offset).unwrap();
                let bytes = &bytes[start..start + usize::try_from(row.len).unwrap()];
                let value = parse(&repaired(bytes)).unwrap();
                assert_eq!(Some(row), derive::row(&value, row.offset, row.len, true).as_ref());
            }
        }
    }
    assert!(rest.is_empty());
    compared
}

/// Lines without the white space around them, with their offsets; blank ones are left out.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut offset = 0;
    bytes.split(|byte| *byte == b'\n').filter_map(move |line| {
        let start = offset;
        offset += line.len() as u64 + 1;
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let first = line.iter().position(|byte| !is_blank(byte))?;
        let last = line.iter().rposition(|byte| !is_blank(byte))?;
        Some((start + first as u64, &line[first..=last]))
    })
}

/// Every byte belongs to one entry, to one issue that owns bytes, or is white space.
fn account(bytes: &[u8], transcript: &Transcript) {
    let entries = transcript.entries.iter().map(|entry| (entry.offset, u64::from(entry.len)));
    assert!(transcript.entries.is_sorted_by(|a, b| a.offset < b.offset));
    assert!(transcript.issues.is_sorted());
    let issues = transcript.issues.iter().filter(|issue| issue.kind.owns_bytes());
    let mut stretches: Vec<(u64, u64)> =
        entries.chain(issues.map(|issue| (issue.offset, issue.len))).collect();
    stretches.sort_unstable();
    let mut at = 0;
    let mut blanks = 0;
    for (offset, len) in stretches.into_iter().chain([(bytes.len() as u64, 0)]) {
        assert!(at <= offset, "{offset} lies in two stretches");
        let between = &bytes[usize::try_from(at).unwrap()..usize::try_from(offset).unwrap()];
        assert!(between.iter().all(|byte| b" \t\r\n".contains(byte)), "{:?} at {at}", between.escape_ascii());
        blanks += between.len() as u64;
        at = offset + len;
    }
    assert_eq!(at, bytes.len() as u64);
    assert_eq!(blanks, transcript.blank_bytes);
    assert_eq!(transcript.bytes, bytes.len() as u64);
    let outside = transcript.issues.iter().find(|issue| issue.offset + issue.len > at);
    assert_eq!(outside, None);
}

/// U+FFFD for what is no UTF-8 and for escapes of half a character.
fn repaired(bytes: &[u8]) -> Vec<u8> {
    let text: Vec<char> = String::from_utf8_lossy(bytes).chars().collect();
    let unit = |at: usize| {
        let digits: String = text.get(at + 2..at + 6)?.iter().collect();
        let is_escape = text[at..].starts_with(&['\\', 'u']) && !digits.starts_with('+');
        is_escape.then(|| u32::from_str_radix(&digits, 16).ok()).flatten()
    };
    let mut fixed = String::new();
    let mut at = 0;
    while at < text.len() {
        let taken = match unit(at) {
            Some(0xD800..0xDC00) if matches!(unit(at + 6), Some(0xDC00..0xE000)) => 12,
            Some(0xD800..0xE000) => {
                fixed.push('\u{FFFD}');
                at += 6;
                continue;
            }
            _ if text[at] == '\\' => 2,
            _ => 1,
        };
        let end = (at + taken).min(text.len());
        fixed.extend(&text[at..end]);
        at = end;
    }
    fixed.into_bytes()
}
