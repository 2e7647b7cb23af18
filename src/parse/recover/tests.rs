//! What is saved of damaged lines, and what is reported.

use super::*;
use crate::model::Issue;

fn issues(line: &[u8], terminated: bool) -> Vec<(IssueKind, u64, u64)> {
    let mut reader = Reader::default();
    reader.line(line, 0, terminated);
    let rows = reader.take().rows;
    assert_eq!(rows.entries.len(), rows.issues.iter().filter(|issue| !issue.kind.owns_bytes()).count());
    rows.issues.iter().map(|issue| (issue.kind, issue.offset, issue.len)).collect()
}

/// JSON that no reader takes for a record is looked at once, not once for each record-like part of it.
#[test]
fn json_that_cannot_be_read_is_lost_as_a_whole() {
    const LEVELS: usize = 50_000;
    let keys = "\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"";
    let deep = "{\"parentUuid\":".repeat(LEVELS) + "1e999" + &"}".repeat(LEVELS - 1) + "," + keys + "}";
    let len = deep.len() as u64;
    let plain = format!("{{{keys}}}");
    for terminated in [true, false] {
        assert_eq!(issues(deep.as_bytes(), terminated), [(IssueKind::Damaged, 0, len)]);
        assert_eq!(
            issues(format!("{deep}{plain}").as_bytes(), terminated),
            [(IssueKind::Damaged, 0, len), (IssueKind::Spliced, len, plain.len() as u64)]
        );
    }
}

/// A whole record in a tool's input or result is a part of its record, whatever breaks that one.
#[test]
fn parts_of_a_cut_record_are_no_records() {
    let inner = "{\"parentUuid\":null,\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"}";
    let outer = format!("{{\"type\":\"user\",\"rows\":[{inner},{inner}],\"x\":\"abc\",\"uuid\":\"v\"}}");
    let broken = [
        outer[..outer.len() - 1].to_owned(),
        outer.replace("abc", "a\u{1}c"),
        outer.replace("abc\"", "a"),
        outer.replace("{\"type\":\"user\",\"rows\"", "rows\""),
        outer[..outer.find("],").unwrap()].to_owned(),
    ];
    for line in broken {
        let torn = [(IssueKind::TornTail, 0, line.len() as u64)];
        assert_eq!(issues(line.as_bytes(), false), torn, "{line}");
    }
    let nul = outer.replace("abc", "a\0c");
    let kinds: Vec<_> = issues(nul.as_bytes(), true).iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, [IssueKind::Damaged, IssueKind::NulRun, IssueKind::Damaged]);
}

/// Wherever a record is broken in front of one of its parts, and by whatever, the part is no record of its own.
#[test]
fn parts_behind_a_break_are_no_records() {
    let inner = "{\"parentUuid\":null,\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"}";
    let outers = [
        format!("{{\"type\":\"user\",\"uuid\":\"v\",\"message\":{inner},\"cwd\":\"/x\"}}"),
        format!("{{\"type\":\"user\",\"uuid\":\"v\",\"message\":{{\"x\":{inner}}},\"cwd\":\"/x\"}}"),
        format!("{{\"type\":\"user\",\"uuid\":\"v\",\"rows\":[{{\"a\":1}},{inner},{inner}],\"cwd\":\"/x\"}}"),
        format!("{{\"type\":\"user\",\"uuid\":\"v\",\"rows\": [ {inner} ] }}"),
    ];
    let mut reader = Reader::default();
    for outer in outers {
        let start = outer.find(inner).unwrap();
        for cut in 0..=start {
            for gap in ["\n", "\0\0\0\0", "\0 \0", " \u{1}\u{1}", "\n\0"] {
                // Bytes that were overwritten, and bytes that came in between.
                for lost in [0, (start - cut).min(8)] {
                    let text = format!("{}{gap}{}", &outer[..cut], &outer[cut + lost..]);
                    let mut offset = 0;
                    for line in text.split('\n') {
                        reader.line(line.as_bytes(), offset, true);
                        offset += line.len() as u64 + 1;
                    }
                    let entries = reader.take().rows.entries;
                    // Before the whole record there may be something else.
                    let whole = text.ends_with(&outer);
                    assert_eq!(entries.len(), usize::from(whole), "{text:?}");
                }
            }
        }
    }
}

/// Wherever a record was cut, the one that was written behind it is read, whatever its first key is.
#[test]
fn records_behind_a_cut_one_are_read() {
    let cut =
        "{\"parentUuid\":null,\"a\":[1,[2,{\"b\":{}}]],\"c\":{\"d\":null},\"sessionId\":\"s\",\"e\":\"f\"}";
    let records = [
        "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"u\"}",
        "{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"s\"}",
        "{\"type\":\"file-history-snapshot\",\"messageId\":\"m\",\"snapshot\":{}}",
        "{\"parentUuid\":null,\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"}",
    ];
    for record in records {
        for at in 1..cut.len() {
            let line = format!("{}{record}", &cut[..at]);
            let found = issues(line.as_bytes(), true);
            let spliced = (IssueKind::Spliced, at as u64, record.len() as u64);
            assert_eq!(found, [(IssueKind::Damaged, 0, at as u64), spliced], "{line}");
        }
    }
}

/// A line may hold millions of pieces that are no records, so those that follow each other are one issue.
#[test]
fn what_follows_each_other_is_one_issue() {
    const MANY: usize = 10_000;
    let record = "{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"}";
    for (piece, kind) in [
        ("{\"a\":1}", IssueKind::NoRecord),
        ("{\"a\":\"\\ud800\"}", IssueKind::NoRecord),
        ("{\"a\":1e999}", IssueKind::Damaged),
    ] {
        for gap in ["", " ", " \t "] {
            let text = |times: usize| [piece].repeat(times).join(gap);
            let (few, many) = (text(2), text(MANY));
            // Before and behind a record, and in a line of its own.
            let mut reader = Reader::default();
            let line = format!("{few}{gap}{record}{gap}{many}{gap}");
            reader.line(line.as_bytes(), 0, true);
            reader.line(many.as_bytes(), line.len() as u64 + 1, true);
            let rows = reader.take().rows;
            let len = |text: &str| text.len() as u64;
            let behind = len(&few) + len(record) + 2 * len(gap);
            let issue = |offset, len, kind, count| Issue { offset, len, kind, count };
            assert_eq!(
                rows.issues,
                [
                    issue(0, len(&few), kind, 2),
                    issue(len(&few) + len(gap), len(record), IssueKind::Spliced, 1),
                    issue(behind, len(&many), kind, 10_000),
                    issue(len(&line) + 1, len(&many), kind, 10_000),
                ]
            );
            assert_eq!((rows.entries.len(), rows.blank_bytes), (1, 3 * len(gap)), "{piece}{gap}");
        }
    }
}

/// However many NULs a line holds, what lies between them is read, and what is none is few issues.
#[test]
fn records_behind_many_nuls_are_read() {
    const MANY: usize = 1_000;
    let record = "{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"}";
    let len = record.len() as u64;
    let read = |line: &str| {
        let mut reader = Reader::default();
        reader.line(line.as_bytes(), 0, true);
        let rows = reader.take().rows;
        let bytes = rows.entries.iter().map(|entry| u64::from(entry.len));
        let bytes = bytes.chain(rows.issues.iter().map(|issue| issue.len)).sum::<u64>();
        assert_eq!(bytes + rows.blank_bytes, line.len() as u64);
        (rows.entries.iter().map(|entry| entry.offset).collect::<Vec<_>>(), rows.issues)
    };
    let (entries, nuls) = read(&format!("{record}\0\0").repeat(MANY));
    assert!(entries.iter().copied().eq((0..1_000).map(|n| n * (len + 2))));
    assert!(nuls.iter().all(|issue| issue.kind == IssueKind::NulRun && issue.len == 2) && nuls.len() == MANY);
    for rubbish in ["1\0\0 x \0{\0\u{feff}\0[]", "{\0\"\0t\0", "\0 ", "\0\u{feff}", "\0x", "\0{}"] {
        let rubbish = rubbish.repeat(MANY);
        let (entries, issues) = read(&format!("{record}{rubbish}\0{record}{rubbish}\0 \0{record}"));
        let second = len + rubbish.len() as u64 + 1;
        assert_eq!(entries, [0, second, 2 * second + 2], "{rubbish:.20}");
        assert!(issues.len() < 50, "{} {:.20}", issues.len(), rubbish);
    }
}

#[test]
fn every_look_is_charged() {
    let record = "{\"parentUuid\":null,\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"}";
    let line = format!("{record}x").repeat(100) + &"{\"parentUuid\":[".repeat(1_000);
    let mut stretch = Stretch::new(line.as_bytes(), 0, 0, true, false);
    let before = stretch.budget;
    assert_eq!(stretch.whole(0), Some(record.len()));
    assert_eq!(stretch.budget, before - record.len());
    assert_eq!(stretch.whole(record.len()), None);
    assert_eq!(stretch.budget, before - record.len() - 1);
    stretch.budget = 1;
    assert_eq!(stretch.next_record(1), Some(record.len() + 1));
    assert_eq!((stretch.budget, stretch.whole(0), stretch.next_record(1)), (0, None, None));
}
