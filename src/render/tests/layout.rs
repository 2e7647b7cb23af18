use unicode_width::UnicodeWidthStr;

use super::{days, overview, render, stores, text};
use crate::render::{Format, TextStyle};
use crate::view::{Block, Cell, Column, Table, View};

#[test]
fn screens() {
    for (name, view) in [("overview", overview()), ("days", days()), ("stores", stores())] {
        assert_eq!(view.mistakes(), Vec::<String>::new());
        for width in [40, 80, 140] {
            insta::assert_snapshot!(format!("{name}_{width}"), text(&view, width));
        }
        insta::assert_snapshot!(
            format!("{name}_markdown"),
            render(&view, Format::Markdown, TextStyle::default())
        );
        insta::assert_snapshot!(format!("{name}_csv"), render(&view, Format::Csv, TextStyle::default()));
    }
}

#[test]
fn plain_terminals_get_ascii() {
    for view in [overview(), days(), stores()] {
        let style = TextStyle { width: 80, color: false, unicode: false };
        let text = render(&view, Format::Text, style);
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn colour_changes_no_word() {
    for view in [overview(), days()] {
        let style = TextStyle { width: 80, color: true, unicode: true };
        let coloured = render(&view, Format::Text, style);
        assert!(coloured.contains("\x1b["));
        let mut plain = coloured;
        for code in ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m"] {
            plain = plain.replace(code, "");
        }
        assert_eq!(plain.replace(" \n", "\n"), text(&view, 80));
    }
}

#[test]
fn json_is_not_made_of_views() {
    let mut out = Vec::new();
    assert!(crate::render::view(&days(), Format::Json, TextStyle::default(), &mut out).is_err());
    assert!(out.is_empty());
}

/// Many columns, long names in several scripts, the largest numbers there are.
fn wide(columns: usize, droppable: bool) -> View {
    let names = ["x".repeat(300), "日本語のとても長い名前".repeat(20), "👩‍👩‍👧‍👦é".repeat(50), "short".into()];
    let cell = |row: usize, column: usize| match column % 7 {
        0 => Cell::code(names[row % 4].clone()),
        1 => Cell::Tokens(u128::MAX),
        2 => Cell::text(names[(row + 1) % 4].clone()),
        3 => Cell::Count(u128::MAX),
        4 => Cell::MoneyDelta(i128::MIN),
        5 => Cell::Share { num: u128::MAX, den: 1 },
        _ => Cell::Ratio { num: u128::MAX, den: 3 },
    };
    let priority = |column: usize| if droppable { u8::try_from(column).unwrap() } else { 0 };
    let table = Table {
        key: "wide",
        columns: (0..columns)
            .map(|column| Column::right("k", format!("a rather long label {column}"), priority(column)))
            .collect(),
        rows: (0..4).map(|row| (0..columns).map(|column| cell(row, column)).collect()).collect(),
        total: Some(vec![Cell::text("total")]),
        hidden_rows: 1_234,
    };
    let long = "https://example.invalid/".to_owned() + &"a".repeat(400) + " 日本語".repeat(60).as_str();
    let mut blocks =
        vec![Block::Table(table), Block::Note(long.clone().into()), Block::Heading(long.clone())];
    for block in overview().blocks {
        match block {
            Block::Facts(mut facts) => {
                facts[0].label = long.clone();
                facts[1].value = Cell::text(long.clone());
                facts[2].value = Cell::Count(u128::MAX);
                facts[3].remark = long.clone();
                blocks.push(Block::Facts(facts));
            }
            Block::Problems(mut problems) => {
                problems[1].text = long.clone();
                problems[2].command = long.clone();
                blocks.push(Block::Problems(problems));
            }
            block => blocks.push(block),
        }
    }
    View { title: long, blocks }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for view in
        [wide(1, false), wide(2, false), wide(12, false), wide(12, true), overview(), days(), stores()]
    {
        for width in [20, 40, 60, 80, 140] {
            for unicode in [true, false] {
                let text = render(&view, Format::Text, TextStyle { width, color: false, unicode });
                for line in text.lines() {
                    assert!(line.width() <= width, "{} > {width}: {line}", line.width());
                    assert_eq!(line.trim_end(), line, "space at the end");
                }
            }
        }
    }
}

#[test]
fn dropped_columns_are_named_and_the_least_important_go_first() {
    let narrow = text(&days(), 60);
    let named = narrow.lines().find(|line| line.starts_with("left out at this width: ")).unwrap();
    assert!(named.contains("output"), "{narrow}");
    assert!(!named.contains("cost"), "{narrow}");
    assert!(!text(&days(), 140).contains("left out"));
}

#[test]
fn numbers_are_never_cut() {
    let text = text(&wide(12, false), 40).replace(['\n', ' '], "");
    assert!(text.contains("340,282,366,920,938,463,463,374,607,431,768,211,455"));
    assert!(text.contains("-$170,141,183,460,469,231,731,687,303.72"));
}

#[test]
fn wide_characters_align() {
    let row = |name: &str, n| vec![Cell::text(name), Cell::Count(n)];
    let table = Table {
        key: "names",
        columns: vec![Column::left("name", "name", 0), Column::right("n", "n", 0)],
        rows: vec![row("plain", 1), row("日本語", 22), row("👩‍👩‍👧‍👦", 333), row("e\u{301}té", 4_444)],
        ..Table::default()
    };
    let text = text(&View { title: String::new(), blocks: vec![Block::Table(table)] }, 80);
    let widths: Vec<usize> = text.lines().map(UnicodeWidthStr::width).collect();
    assert_eq!(widths, [13; 5], "{text}");
    assert!(text.contains("👩‍👩‍👧‍👦"), "an emoji family stays one");
}

#[test]
fn empty_views_and_tables() {
    assert_eq!(text(&View::default(), 80), "");
    let table = Table { columns: vec![Column::left("a", "first", 0)], ..Table::default() };
    let view = View { title: String::new(), blocks: vec![Block::Table(table)] };
    assert_eq!(text(&view, 80), "first\nnone\n");
    assert_eq!(
        text(&View { title: String::new(), blocks: vec![Block::Table(Table::default())] }, 80),
        "none\n"
    );
}
