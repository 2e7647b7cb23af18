use serde::Serialize;

use super::{Format, TextStyle, problem, render, text};
use crate::render::clean::{self, shorten, shorten_path, width};
use crate::render::{Envelope, envelope};
use crate::view::{Block, Cell, Column, Fact, Level, Table, View};

const ESCAPE: &str = "\x1b[2Jgone\x07";
const BIDI: &str = "user\u{202e}gnp.exe\u{2066}\u{200f}\u{61c}";
const LINES: &str = "one\r\ntwo\u{2028}three\u{85}";
const HIDDEN: &str = "a\u{200b}b\u{200d}c\u{feff}\u{e0041}\u{ad}";
const MARKUP: &str =
    "<script>alert(1)</script> | `x` *b* _i_ [l](http://e.invalid) \\ ~~s~~ &lt; www.e.invalid";
const MAIL: &str = "by Jane.Doe+x@mail.example.com, see";
const FORMULA: &str = "=cmd|'/C calc'!A0";

/// Each string everywhere where a view can hold one.
fn hostile() -> View {
    let mut blocks = Vec::new();
    for string in [ESCAPE, BIDI, LINES, HIDDEN, MARKUP, MAIL, FORMULA] {
        blocks.push(Block::Heading(string.into()));
        blocks.push(Block::Note(string.into()));
        let remark = string.into();
        blocks.push(Block::Facts(vec![Fact {
            key: "k",
            label: string.into(),
            value: Cell::code(string),
            remark,
        }]));
        blocks.push(Block::Problems(vec![problem(Level::Note, "rule", string, string)]));
        blocks.push(Block::Table(Table {
            columns: vec![Column::left("a", string, 0), Column::left("b", "b", 0)],
            rows: vec![
                vec![Cell::text(string), Cell::code(string)],
                vec![Cell::Id { full: string.into(), short: string.into() }],
            ],
            ..Table::default()
        }));
    }
    blocks.push(Block::Lead((ESCAPE.to_owned() + BIDI + MAIL).into()));
    View { blocks }
}

#[test]
fn nothing_acts_on_the_terminal() {
    for format in [Format::Text, Format::Markdown, Format::Csv] {
        let shown = render(&hostile(), format, TextStyle { width: 140, color: false, unicode: true });
        let bad = |c: char| !matches!(c, '\n' | '\r') && (c == '\u{200d}' || clean::is_hostile(c));
        assert_eq!(shown.chars().find(|&c| bad(c)), None, "{format:?}");
        assert_eq!(
            shown.matches('\r').count(),
            if format == Format::Csv { shown.lines().count() } else { 0 }
        );
        assert!(!shown.contains("example.com"), "{format:?}: {shown}");
    }
    let shown = text(&hostile(), 140);
    assert!(shown.contains("\\u{1b}[2Jgone\\u{7}"), "what was neutralised is still seen");
    assert!(shown.contains("one\\u{d}\\u{a}two\\u{2028}three\\u{85}"));
}

#[test]
fn cleaning_keeps_what_people_write() {
    for fine in ["naïve café", "日本語", "👩‍👩‍👧‍👦 👍🏽 🇩🇪", "עברית", "e\u{301}", "क्‍ष", ""]
    {
        assert_eq!(clean::text(fine), fine);
    }
    assert_eq!(clean::text("\u{301}e"), "\\u{301}e", "a mark may not sit on what stands before");
    assert_eq!(clean::text("a\u{200d}"), "a\\u{200d}");
    assert_eq!(clean::text("👩\u{200d}"), "👩\\u{200d}");
}

#[test]
fn shortening_keeps_whole_characters() {
    assert_eq!(shorten("cf19b753-5f0f", 9, "…"), "cf19…5f0f");
    assert_eq!(shorten("cf19b753", 8, "…"), "cf19b753");
    assert_eq!(shorten("日本語日本語", 6, "…"), "日…語");
    assert_eq!(shorten("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 5, "…"), "👩‍👩‍👧‍👦…👩‍👩‍👧‍👦");
    assert_eq!(shorten("abc", 1, "…"), "a");
    assert_eq!(shorten("abc", 0, "…"), "");
    for max in 0..12 {
        assert!(width(&shorten("a日👩‍👩‍👧‍👦e\u{301}لا語xyz日本", max, "...")) <= max);
    }
}

#[test]
fn paths_lose_their_folders_first() {
    let path = "~/.claude/projects/-Users-dev-shop/0276a600-2f22-4d2b-844c-3feb9c5aa108.jsonl";
    for (max, shown) in [
        (80, path),
        (70, "…/projects/-Users-dev-shop/0276a600-2f22-4d2b-844c-3feb9c5aa108.jsonl"),
        (60, "…/-Users-dev-shop/0276a600-2f22-4d2b-844c-3feb9c5aa108.jsonl"),
        (50, "…/0276a600-2f22-4d2b-844c-3feb9c5aa108.jsonl"),
        (30, "…/0276a600-2f22-…c5aa108.jsonl"),
        (18, "…/0276a600…8.jsonl"),
        (12, "0276a600…onl"),
    ] {
        let short = shorten_path(path, max, "…");
        assert!(width(&short) <= max, "{short}");
        assert_eq!(short, shown, "{max}");
    }
    assert_eq!(shorten_path("C:\\Users\\dev\\notes.txt", 12, "…"), "…\\notes.txt");
    assert_eq!(shorten_path("/a-long-folder/", 10, "…"), "a-long-f…/");
    assert_eq!(shorten_path("cf19b753-5f0f", 9, "…"), "cf19…5f0f");
    for max in 0..40 {
        assert!(width(&shorten_path("/日本語/👩‍👩‍👧‍👦/e\u{301}لا語xyz日本👩‍👩‍👧‍👦.jsonl", max, "...")) <= max);
    }
}

#[test]
fn markdown_has_no_markup_of_others() {
    let view = View {
        blocks: vec![
            Block::Note(MARKUP.into()),
            Block::Note("- no list".into()),
            Block::Note("12. no list".into()),
            Block::Note("# no heading".into()),
            Block::Table(Table {
                columns: vec![Column::left("a", "a|b", 0), Column::right("b", "b", 0)],
                rows: vec![
                    vec![Cell::text("x|y\nz"), Cell::code("p|q`r")],
                    vec![Cell::code("a_b*c"), Cell::Empty],
                ],
                ..Table::default()
            }),
        ],
    };
    insta::assert_snapshot!(render(&view, Format::Markdown, TextStyle::default()));
}

#[test]
fn spreadsheets_run_no_formula() {
    let cells =
        ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "a=1", "x,\"y\"", "two\nlines"];
    let table = Table {
        columns: vec![Column::left("a", "a", 0)],
        rows: cells.iter().map(|cell| vec![Cell::text(*cell)]).chain([vec![Cell::Empty]]).collect(),
        ..Table::default()
    };
    let csv = render(&View { blocks: vec![Block::Table(table)] }, Format::Csv, TextStyle::default());
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(
        lines,
        [
            "a",
            "'=1+1",
            "'+1",
            "'-1",
            "'@SUM(A1)",
            "'\\u{9}=1",
            "'\\u{d}=1",
            "' =1",
            "'＝1",
            "a=1",
            "\"x,\"\"y\"\"\"",
            "two\\u{a}lines",
            "\"\""
        ]
    );
}

#[derive(Serialize)]
struct Data {
    name: String,
    tokens: u128,
    delta: i128,
}

#[test]
fn json_envelope() {
    let data = Data {
        name: [ESCAPE, BIDI, LINES, HIDDEN, MAIL, "日本語\u{7f}\""].concat(),
        tokens: u128::MAX,
        delta: -1,
    };
    let written = |name: &str| {
        let data = Data { name: name.to_owned(), ..data };
        let mut out = Vec::new();
        let notes = vec!["prices of 2026-11-01".to_owned()];
        let whole =
            Envelope { schema: "ccaudit.test/v1", tree: "~/.claude", filters: ["since"], notes, data };
        envelope(&mut out, &whole).unwrap();
        String::from_utf8(out).unwrap()
    };
    let json = written(&data.name);
    assert!(!json.contains(|c: char| c != '\n' && (clean::is_hostile(c) || c == '\u{200d}')));
    insta::assert_snapshot!(json);
    let plain = [ESCAPE, BIDI, LINES, HIDDEN].concat();
    let back = &written(&plain).replace(&u128::MAX.to_string(), "0");
    let back: serde_json::Value = serde_json::from_str(back).unwrap();
    assert_eq!(back["data"]["name"], plain, "escapes change no value");
}

#[test]
fn a_closed_pipe_stays_one() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let whole = Envelope { schema: "s", tree: (), filters: (), notes: Vec::new(), data: () };
    assert_eq!(envelope(&mut Closed, &whole).unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
    let style = TextStyle::default();
    for format in [Format::Text, Format::Markdown, Format::Csv] {
        let error = crate::render::view(&hostile(), format, style, &mut Closed).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    }
}
