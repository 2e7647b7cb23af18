//! One trap each. Every file is also compared with the second reader, bytes and columns; what is asserted
//! here besides was worked out by hand.

use ccaudit::model::{Corpus, Flags, IssueKind, Usage};

use ccaudit::load::Options;

use crate::oracle::tree::{self, only, read};
use crate::oracle::with_deep_stack;

/// A plain record with a `usage` of this text.
fn with_usage(usage: &str) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"u1","sessionId":"s","message":{{"id":"m1","model":"m","stop_reason":"end_turn","usage":{usage}}}}}"#
    )
}

const PLAIN: &str =
    r#"{"type":"user","uuid":"u2","sessionId":"s","message":{"role":"user","content":"hello"}}"#;

/// The kinds of the issues with offset, length and number.
fn issues(corpus: &Corpus) -> Vec<(IssueKind, u64, u64, u32)> {
    only(corpus).issues.iter().map(|issue| (issue.kind, issue.offset, issue.len, issue.count)).collect()
}

fn entries(corpus: &Corpus) -> usize {
    only(corpus).entries.len()
}

/// Reads one record; returns input, output and whether a count was implausible.
fn tokens(record: &str) -> (u64, u64, bool) {
    let corpus = read(format!("{record}\n").as_bytes());
    assert_eq!((issues(&corpus), entries(&corpus)), (vec![], 1), "{record}");
    let response = corpus.responses[0];
    assert!(!only(&corpus).entries[0].flags.has(Flags::REPAIRED));
    (response.usage.input, response.usage.output, response.flags.implausible)
}

/// Reads `input_tokens` written like this.
fn input(number: &str) -> (u64, bool) {
    let (input, output, implausible) =
        tokens(&with_usage(&format!(r#"{{"input_tokens":{number},"output_tokens":7}}"#)));
    assert_eq!(output, 7);
    (input, implausible)
}

/// One issue over a whole file of one line that gives no entry.
fn lost(line: &[u8], kind: IssueKind) {
    let corpus = read(&[line, b"\n"].concat());
    assert_eq!(issues(&corpus), [(kind, 0, line.len() as u64, 1)], "{}", line.escape_ascii());
    assert_eq!(entries(&corpus), 0);
}

mod keys {
    use super::*;

    #[test]
    fn escaped() {
        let record = r#"{"\u0074ype":"assistant","message":{"i\u0064":"m","\u0075sage":{"input\u005ftokens":3,"output_tokens":4}}}"#;
        assert_eq!(tokens(record), (3, 4, false));
    }

    #[test]
    fn spaces_and_tabs() {
        let record = "\t{ \"type\"\t:\r\"assistant\" , \"message\" : {\"usage\" : {\t\"input_tokens\" : 3 ,\"output_tokens\":\t4 } } } \t";
        assert_eq!(tokens(record), (3, 4, false));
    }

    #[test]
    fn repeated_message() {
        let record = r#"{"message":{"id":"a","usage":{"input_tokens":1,"output_tokens":1}},"type":"assistant","message":{"id":"b","usage":{"input_tokens":3,"output_tokens":4}}}"#;
        assert_eq!(tokens(record), (3, 4, false));
    }

    #[test]
    fn repeated_usage_replaces_the_whole_object() {
        let record = r#"{"type":"assistant","message":{"usage":{"input_tokens":1,"output_tokens":9},"usage":{"output_tokens":4}}}"#;
        assert_eq!(tokens(record), (0, 4, false));
    }

    #[test]
    fn repeated_count_even_where_the_first_is_nonsense() {
        assert_eq!(
            tokens(&with_usage(r#"{"input_tokens":-1,"output_tokens":4,"input_tokens":3}"#)),
            (3, 4, false)
        );
        assert_eq!(
            tokens(&with_usage(r#"{"input_tokens":3,"output_tokens":4,"input_tokens":null}"#)),
            (0, 4, false)
        );
    }

    #[test]
    fn repeated_type() {
        let corpus = read(b"{\"type\":\"user\",\"type\":\"assistant\"}\n{\"type\":\"user\",\"type\":7}\n");
        assert_eq!(entries(&corpus), 1);
        assert_eq!(issues(&corpus), [(IssueKind::NoRecord, 35, 24, 1)]);
    }

    #[test]
    fn repeated_in_a_tool_input_and_in_an_attachment() {
        let many: String = (0..40).map(|n| format!(r#""k{}":"{n}","#, n % 20)).collect();
        for pairs in [r#""a":"gone","b":{"c":"gone","c":"kept"},"a":"kept","#, &many] {
            let call = format!(
                r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","input":{{{pairs}"z":1}}}}]}}}}"#
            );
            let attachment = format!(r#"{{"type":"attachment","attachment":{{{pairs}"type":"x"}}}}"#);
            read(format!("{call}\n{attachment}\n").as_bytes());
        }
    }

    #[test]
    fn half_surrogate() {
        let corpus = read(br#"{"\ud800":1,"type":"user","\udc00x":2}"#);
        assert_eq!(issues(&corpus), [(IssueKind::LoneSurrogate, 0, 38, 2)]);
        assert_eq!(entries(&corpus), 1);
    }

    #[test]
    fn no_utf8() {
        let corpus = read(b"{\"\xFF\":1,\"type\":\"user\"}");
        assert_eq!(issues(&corpus), [(IssueKind::InvalidUtf8, 0, 21, 1)]);
        assert_eq!(entries(&corpus), 1);
    }
}

mod numbers {
    use super::*;

    #[test]
    fn integral_floats_are_counts() {
        for (number, value) in
            [("1.0", 1), ("1e2", 100), ("1E+2", 100), ("12.50e1", 125), ("-0.0", 0), ("-0", 0)]
        {
            assert_eq!(input(number), (value, false), "{number}");
        }
    }

    #[test]
    fn nonsense_is_no_count() {
        for number in ["-1", "1.5", "\"12\"", "true", "[]", "{}", "1e-1", "-1e2"] {
            assert_eq!(input(number), (0, true), "{number}");
        }
        assert_eq!(input("null"), (0, false));
    }

    #[test]
    fn large_integers_are_exact_and_so_are_integral_floats_of_64_bits() {
        for (number, value) in [
            ("9007199254740993", 9_007_199_254_740_993),
            ("18446744073709551615", u64::MAX),
            ("9007199254740991.0", 9_007_199_254_740_991),
            ("9007199254740992.0", 9_007_199_254_740_992),
            // No float says this; the nearest with an even last bit is 2^53.
            ("9007199254740993.0", 9_007_199_254_740_992),
            ("9007199254740994.0", 9_007_199_254_740_994),
            ("1e17", 100_000_000_000_000_000),
            ("12345678901234567.5e1", 123_456_789_012_345_680),
            ("1.8446744073709550e19", 18_446_744_073_709_549_568),
            ("18446744073709549568.0", 18_446_744_073_709_549_568),
        ] {
            assert_eq!(input(number), (value, false), "{number}");
        }
        for number in
            ["18446744073709551616", "18446744073709551615.0", "1.8446744073709552e19", "1e300", "-1e17"]
        {
            assert_eq!(input(number), (0, true), "{number}");
        }
    }

    #[test]
    fn thirty_digits() {
        for number in ["123456789012345678901234567890", "-123456789012345678901234567890"] {
            assert_eq!(input(number), (0, true), "{number}");
        }
        let elsewhere =
            r#"{"input_tokens":3,"output_tokens":18446744073709551615,"x":123456789012345678901234567890}"#;
        assert_eq!(tokens(&with_usage(elsewhere)), (3, u64::MAX, false));
    }

    #[test]
    fn long_exponents() {
        assert_eq!(input("0e99999999999999999999"), (0, false));
        assert_eq!(input("1e-99999999999999999999"), (0, false));
        assert_eq!(input("0.0000000000000000000000000000000000000001e42"), (100, false));
    }

    #[test]
    fn beyond_the_largest_float_is_no_json() {
        lost(with_usage(r#"{"input_tokens":1e400}"#).as_bytes(), IssueKind::Damaged);
        lost(with_usage(r#"{"input_tokens":1,"x":-1e400}"#).as_bytes(), IssueKind::Damaged);
    }

    #[test]
    fn exponents_beyond_32_bits() {
        assert_eq!(input("1e-4294967295"), (0, false));
        assert_eq!(input("0e4294967297"), (0, false));
        lost(with_usage(r#"{"input_tokens":1e4294967297}"#).as_bytes(), IssueKind::Damaged);
    }

    #[test]
    fn what_follows_a_long_number() {
        for number in [
            "1234567890123456789x",
            "-1234567890123456789\u{1}2",
            "0.1234567890123456789x",
            "1.234567890123456789e5x",
            "0.1234567890123456789.5",
        ] {
            let line = with_usage(&format!(r#"{{"input_tokens":3,"x":{number}}}"#));
            let corpus = read(format!("{PLAIN}\n{line}\n").as_bytes());
            assert_eq!((entries(&corpus), corpus.responses.len()), (1, 0), "{number}");
        }
        let fine =
            r#"{"input_tokens":3,"x":[1234567890123456789,0.1234567890123456789 ,"1234567890123456789x"]}"#;
        assert_eq!(tokens(&with_usage(fine)), (3, 0, false));
    }

    #[test]
    fn forms_that_are_no_json() {
        for number in
            ["01", "+1", ".5", "5.", "1e", "0x1", "1_000", "NaN", "Infinity", "--1", "1 2", "1\0", "1\x0C"]
        {
            let line = with_usage(&format!(r#"{{"input_tokens":{number}}}"#));
            let corpus = read(format!("{line}\n").as_bytes());
            assert_eq!(entries(&corpus), 0, "{number}");
            assert!(!issues(&corpus).is_empty(), "{number}");
        }
    }

    #[test]
    fn money() {
        let line = |cost: &str| {
            format!(
                "{{\"type\":\"assistant\",\"costUSD\":{cost}}}\n{{\"type\":\"cost-state\",\"totalCostUSD\":{cost}}}\n"
            )
        };
        for (text, pico) in [
            ("0.0123456789", 12_345_678_900),
            ("2", 2_000_000_000_000),
            ("0", 0),
            ("-0.0", 0),
            ("1e-12", 1),
            ("-1", u64::MAX),
            ("1e300", u64::MAX),
            ("123456789012345678901234567890", u64::MAX),
            ("\"1\"", u64::MAX),
            ("null", u64::MAX),
        ] {
            let corpus = read(line(text).as_bytes());
            let rows = only(&corpus);
            assert_eq!((rows.answers[0].recorded_cost, rows.costs[0].total), (pico, pico), "{text}");
        }
    }
}

mod depth {
    use super::*;

    fn nested(levels: usize) -> (u64, u64, bool) {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        let usage = r#"{"input_tokens":3,"output_tokens":4}"#;
        let record =
            format!(r#"{{"ignored":{open}{close},"type":"assistant","message":{{"usage":{usage}}}}}"#);
        with_deep_stack(|| tokens(&record))
    }

    #[test]
    fn three_thousand_arrays() {
        assert_eq!(nested(3_000), (3, 4, false));
    }

    #[test]
    fn two_hundred_thousand_arrays() {
        assert_eq!(nested(200_000), (3, 4, false));
    }

    #[test]
    fn in_a_tool_input_and_beside_a_long_number() {
        let (open, close) = (r#"{"k":["#.repeat(20_000), "]}".repeat(20_000));
        let record = format!(
            r#"{{"type":"assistant","x":123456789012345678901234567890,"message":{{"content":[{{"type":"tool_use","input":{open}{close}}}]}}}}"#
        );
        assert_eq!(issues(&read(record.as_bytes())), []);
    }

    #[test]
    fn never_closed() {
        // Not compared: the second reader takes the square of the depth to refuse this.
        let tree = tree::of(&[("trap.jsonl", "[".repeat(200_000).as_bytes())]);
        let corpus = tree::load(tree.path(), Options::with_threads(1));
        assert_eq!(issues(&corpus), [(IssueKind::TornTail, 0, 200_000, 1)]);
    }

    #[test]
    fn many_damaged_records_in_one_line_take_no_time() {
        let line = format!("{PLAIN}x").repeat(3_000) + &r#"{"type":"#.repeat(20_000);
        let corpus = read(line.as_bytes());
        assert_eq!(entries(&corpus), 3_000);
    }
}

mod decoys {
    use super::*;

    #[test]
    fn a_record_inside_a_tool_input() {
        let inner = with_usage(r#"{"input_tokens":100,"output_tokens":100}"#);
        let record = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","input":{inner}}}],"usage":{{"input_tokens":3,"output_tokens":4}}}}}}"#
        );
        assert_eq!(tokens(&record), (3, 4, false));
    }

    #[test]
    fn a_record_inside_a_string() {
        let inner = serde_json::to_string(&format!("\n{}\n", with_usage(r#"{"input_tokens":100}"#))).unwrap();
        let record = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":{inner}}}],"usage":{{"input_tokens":3,"output_tokens":4}}}}}}"#
        );
        assert_eq!(tokens(&record), (3, 4, false));
    }

    #[test]
    fn trailing_backslashes() {
        for slashes in 1..70 {
            let text = r"\\".repeat(slashes);
            let record = format!(
                r#"{{"type":"assistant","cwd":"{text}","message":{{"usage":{{"input_tokens":3,"output_tokens":4}}}},"x":"{text}\""}}"#
            );
            assert_eq!(tokens(&record), (3, 4, false));
        }
    }

    #[test]
    fn an_escaped_backslash_before_what_looks_like_a_surrogate() {
        let corpus = read(br#"{"type":"user","cwd":"C:\\ud800 \\\\udbff"}"#);
        assert_eq!(issues(&corpus), []);
        assert!(!only(&corpus).entries[0].flags.has(Flags::REPAIRED));
    }

    #[test]
    fn results_of_tools_are_no_part_of_an_answer() {
        let corpus = read(br#"{"type":"assistant","message":{"content":[{"type":"tool_result","content":"abc"},{"type":"text","text":"de"}]}}"#);
        assert_eq!((only(&corpus).answers[0].characters, only(&corpus).entries[0].estimate), (2, 2));
    }

    #[test]
    fn an_empty_message_is_no_prompt() {
        let corpus = read(br#"{"type":"user","message":null}"#);
        assert!(!only(&corpus).entries[0].flags.has(Flags::HUMAN));
    }
}

mod bytes {
    use super::*;

    #[test]
    fn crlf() {
        let corpus = read(format!("{PLAIN}\r\n\r\n{PLAIN}\r\n").as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus), only(&corpus).blank_bytes), (vec![], 2, 6));
    }

    #[test]
    fn line_separators_of_unicode_end_no_line() {
        let corpus = read("{\"type\":\"user\",\"cwd\":\"a\u{2028}b\u{2029}c\u{85}d\"}\n".as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![], 1));
        lost("{\"type\":\"user\"\u{2028}}".as_bytes(), IssueKind::Damaged);
    }

    #[test]
    fn nuls_at_the_start_of_a_line() {
        let corpus = read(format!("\0\0\0{PLAIN}\n").as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::NulRun, 0, 3, 1)], 1));
    }

    #[test]
    fn nuls_at_the_end_of_a_line() {
        let corpus = read(format!("{PLAIN}\0\0\n").as_bytes());
        let end = PLAIN.len() as u64;
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::NulRun, end, 2, 1)], 1));
    }

    #[test]
    fn nuls_inside_a_record() {
        let (head, tail) = PLAIN.split_at(30);
        let corpus = read(format!("{head}\0\0{tail}\n{PLAIN}\n").as_bytes());
        let rest = tail.len() as u64;
        assert_eq!(
            issues(&corpus),
            [
                (IssueKind::Damaged, 0, 30, 1),
                (IssueKind::NulRun, 30, 2, 1),
                (IssueKind::Damaged, 32, rest, 1)
            ]
        );
        assert_eq!(entries(&corpus), 1);
    }

    #[test]
    fn nuls_after_a_number() {
        let corpus = read(format!("{{\"type\":\"user\",\"x\":1\0}}\n{PLAIN}\n").as_bytes());
        assert_eq!(entries(&corpus), 1);
        assert_eq!(issues(&corpus)[1], (IssueKind::NulRun, 20, 1, 1));
    }

    #[test]
    fn nuls_between_lines() {
        let corpus = read(format!("{PLAIN}\n\0\0\0\0\n{PLAIN}\n").as_bytes());
        let at = PLAIN.len() as u64 + 1;
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::NulRun, at, 4, 1)], 2));
    }

    #[test]
    fn an_escaped_nul_is_a_character() {
        let corpus = read(br#"{"type":"user","cwd":"a\u0000b"}"#);
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![], 1));
    }

    #[test]
    fn bom_in_the_first_line_and_in_the_middle() {
        let corpus = read(format!("\u{FEFF}{PLAIN}\n\u{FEFF}{PLAIN}\n").as_bytes());
        let at = PLAIN.len() as u64 + 4;
        let expected = vec![(IssueKind::ByteOrderMark, 0, 3, 1), (IssueKind::ByteOrderMark, at, 3, 1)];
        assert_eq!((issues(&corpus), entries(&corpus)), (expected, 2));
    }

    #[test]
    fn half_surrogates() {
        for (text, halves) in [
            (r"\ud83d", 1),
            (r"\ud83d x", 1),
            (r"\ude00", 1),
            (r"\ud83d\u0041", 1),
            (r"\ud83d\ud83d\ude00", 1),
            (r"\ud800\ue000", 1),
            (r"\udbff\uffff", 1),
            (r"\uD83D\n\uDE00", 2),
        ] {
            let line = format!(r#"{{"type":"user","cwd":"{text}"}}"#);
            let corpus = read(line.as_bytes());
            let len = line.len() as u64;
            assert_eq!(issues(&corpus), [(IssueKind::LoneSurrogate, 0, len, halves)], "{text}");
            assert_eq!(entries(&corpus), 1);
        }
        assert_eq!(issues(&read(br#"{"type":"user","cwd":"\ud83d\ude00 \uD83D\uDE00"}"#)), []);
    }

    #[test]
    fn no_utf8() {
        for (bytes, number) in [
            (&b"\xFF"[..], 1),
            (b"\xE6\x97", 1),
            (b"\xC0\x80", 2),
            (b"\xED\xA0\x80", 3),
            (b"\xF4\x90\x80\x80", 4),
            (b"a\x80b\x80", 2),
        ] {
            let line = [b"{\"type\":\"user\",\"cwd\":\"", bytes, b"\"}"].concat();
            let corpus = read(&line);
            assert_eq!(issues(&corpus), [(IssueKind::InvalidUtf8, 0, line.len() as u64, number)]);
            assert_eq!(entries(&corpus), 1);
        }
    }

    #[test]
    fn control_characters_in_a_string() {
        for byte in 1..0x20u8 {
            if byte != b'\n' {
                lost(&[b"{\"type\":\"user\",\"cwd\":\"", &[byte][..], b"\"}"].concat(), IssueKind::Damaged);
            }
        }
        assert_eq!(entries(&read(b"{\"type\":\"user\",\"cwd\":\"\x7F\"}")), 1);
    }
}

mod lines {
    use super::*;

    #[test]
    fn two_records_without_a_newline() {
        let len = PLAIN.len() as u64;
        let corpus = read(format!("{PLAIN}{PLAIN}\n").as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::Spliced, len, len, 1)], 2));
    }

    #[test]
    fn a_cut_record_and_a_whole_one() {
        for cut in [1, 5, 20, 40, PLAIN.len() - 1] {
            let corpus = read(format!("{}{PLAIN}\n", &PLAIN[..cut]).as_bytes());
            let (at, len) = (cut as u64, PLAIN.len() as u64);
            let expected = vec![(IssueKind::Damaged, 0, at, 1), (IssueKind::Spliced, at, len, 1)];
            assert_eq!((issues(&corpus), entries(&corpus)), (expected, 1), "{cut}");
        }
    }

    #[test]
    fn garbage_before_and_after() {
        let len = PLAIN.len() as u64;
        let corpus = read(format!("rubbish {PLAIN}\n").as_bytes());
        let expected = vec![(IssueKind::Damaged, 0, 7, 1), (IssueKind::Spliced, 8, len, 1)];
        assert_eq!((issues(&corpus), entries(&corpus)), (expected, 1));
        let corpus = read(format!("{PLAIN} rubbish }}\n").as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::Damaged, len + 1, 9, 1)], 1));
        // The end of a record that began before: what looks whole was a part of it.
        for rest in [" } rubbish", ",\"x\":1}", "]}"] {
            let corpus = read(format!("{PLAIN}{rest}\n").as_bytes());
            let all = len + rest.len() as u64;
            assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::Damaged, 0, all, 1)], 0));
        }
    }

    #[test]
    fn a_torn_last_line() {
        let at = PLAIN.len() as u64 + 1;
        let corpus = read(format!("{PLAIN}\n{}", &PLAIN[..30]).as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::TornTail, at, 30, 1)], 1));
        let corpus = read(format!("{PLAIN}\n{}\n", &PLAIN[..30]).as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus)), (vec![(IssueKind::Damaged, at, 30, 1)], 1));
    }

    #[test]
    fn no_final_newline() {
        let corpus = read(PLAIN.as_bytes());
        assert_eq!((issues(&corpus), entries(&corpus), only(&corpus).blank_bytes), (vec![], 1, 0));
    }

    #[test]
    fn no_type() {
        for line in [
            "{}",
            r#"{"uuid":"x"}"#,
            r#"{"type":null}"#,
            r#"{"type":{"type":"user"}}"#,
            "[]",
            "1",
            "null",
            r#""type""#,
        ] {
            lost(line.as_bytes(), IssueKind::NoRecord);
        }
    }

    #[test]
    fn only_spaces() {
        let corpus = read(b"  \t \r\n\n \n ");
        assert_eq!((issues(&corpus), entries(&corpus), only(&corpus).blank_bytes), (vec![], 0, 10));
    }

    #[test]
    fn one_byte() {
        for byte in 0..=255u8 {
            let corpus = read(&[byte]);
            let expected = match byte {
                b'\n' | b'\r' | b'\t' | b' ' => vec![],
                0 => vec![(IssueKind::NulRun, 0, 1, 1)],
                b'0'..=b'9' => vec![(IssueKind::NoRecord, 0, 1, 1)],
                _ => vec![(IssueKind::TornTail, 0, 1, 1)],
            };
            assert_eq!((issues(&corpus), entries(&corpus)), (expected, 0), "{byte}");
        }
    }

    #[test]
    fn empty() {
        let corpus = read(b"");
        assert_eq!((issues(&corpus), entries(&corpus), only(&corpus).bytes), (vec![], 0, 0));
    }

    #[test]
    fn other_files() {
        let utf16: Vec<u8> =
            format!("\u{FEFF}{PLAIN}\n{PLAIN}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let gzip = b"\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03\xAB\x56\x2A\xA9\x2C\x48\x55".to_vec();
        for bytes in [utf16, gzip, b"some\nplain\ntext\n".to_vec()] {
            let corpus = read(&bytes);
            assert_eq!(issues(&corpus), [(IssueKind::NotJsonLines, 0, bytes.len() as u64, 1)]);
            assert_eq!(entries(&corpus), 0);
        }
    }

    #[test]
    fn a_pretty_printed_document() {
        let value: serde_json::Value = serde_json::from_str(&with_usage(r#"{"input_tokens":3}"#)).unwrap();
        let text = serde_json::to_string_pretty(&value).unwrap();
        let corpus = read(text.as_bytes());
        assert_eq!(issues(&corpus), [(IssueKind::NotJsonLines, 0, text.len() as u64, 1)]);
    }

    #[test]
    fn the_sixteen_bit_text_makes_few_issues() {
        let line: Vec<u8> = PLAIN.repeat(50).encode_utf16().flat_map(u16::to_le_bytes).collect();
        let corpus = read(&[PLAIN.as_bytes(), b"\n", &line, b"\n"].concat());
        assert_eq!(entries(&corpus), 1);
        assert!(issues(&corpus).len() < 20);
    }
}

mod identity {
    use super::*;

    #[test]
    fn empty_ids_tell_nothing() {
        let line = |uuid: &str, request: &str| {
            format!(
                r#"{{"type":"assistant","uuid":"{uuid}","requestId":"{request}","message":{{"id":"","model":"m","usage":{{"output_tokens":5}}}}}}"#
            )
        };
        let lines = [line("", ""), line("", ""), line("", "r"), line("u", "r")].join("\n");
        let corpus = read(lines.as_bytes());
        let found: Vec<_> = corpus
            .responses
            .iter()
            .map(|response| (corpus.strings.get(response.id), response.entries))
            .collect();
        assert_eq!(found, [(None, 1), (None, 1), (Some("r"), 2)]);
    }

    #[test]
    fn no_order_of_the_entries_changes_the_one_that_counts() {
        let entry = |second: u8, usage: &str| {
            format!(
                r#"{{"type":"assistant","timestamp":"2026-01-01T00:00:0{second}.000Z","message":{{"id":"m","model":"m","usage":{{"input_tokens":1,"output_tokens":5,{usage}}}}}}}"#
            )
        };
        // By canonical usage the first is the greatest; the first and the third have the same columns. Neither depth nor
        // a need of repair takes an entry out of the comparison.
        let deep = "[".repeat(1_000) + &"]".repeat(1_000);
        for more in [String::new(), format!(r#","z":{deep}"#), r#","z":"\ud800""#.to_owned()] {
            let a = entry(1, &format!(r#""cache_creation":{{"ephemeral_5m_input_tokens":7}},"x":3{more}"#));
            let b = entry(1, r#""cache_creation":{"ephemeral_1h_input_tokens":7},"x":2"#);
            let c = entry(9, &format!(r#""cache_creation":{{"ephemeral_5m_input_tokens":7}},"a":1{more}"#));
            for order in [[&a, &b, &c], [&a, &c, &b], [&b, &a, &c], [&b, &c, &a], [&c, &a, &b], [&c, &b, &a]]
            {
                let text = order.map(String::as_str).join("\n");
                let usage: Usage = read(text.as_bytes()).responses[0].usage;
                assert_eq!((usage.write_5m, usage.write_1h), (7, 0));
            }
        }
    }
}
