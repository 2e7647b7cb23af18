use unicode_width::UnicodeWidthStr;

use super::{days, fact, overview, problem, render, stores, text};
use crate::render::{Format, TextStyle};
use crate::view::{Block, Cell, Column, Level, Problem, Role, Table, View};

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
        ..Table::default()
    };
    let long = "https://example.invalid/".to_owned() + &"a".repeat(400) + " 日本語".repeat(60).as_str();
    let mut blocks =
        vec![Block::Table(table), Block::Lead(long.clone().into()), Block::Heading(long.clone())];
    for block in overview().blocks {
        match block {
            Block::Facts(mut facts) => {
                facts[0].label = long.clone();
                facts[1].value = Cell::text(long.clone());
                facts[2].value = Cell::Count(u128::MAX);
                facts[3].remark = long.clone().into();
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
    blocks.push(Block::Note(long.into()));
    View { blocks }
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
fn parts_give_way_to_their_sum() {
    let part = |key: &'static str, role| Column::right(key, key, 3).role(role);
    let table = Table {
        columns: vec![
            Column::left("day", "day", 0),
            part("written 5m", Role::Part),
            part("written 1h", Role::Part),
            part("written", Role::Sum),
        ],
        rows: vec![vec![Cell::code("2026-08-21"), Cell::Tokens(1), Cell::Tokens(2), Cell::Tokens(3)]],
        ..Table::default()
    };
    let view = View { blocks: vec![Block::Table(table)] };
    let wide = "day         written 5m  written 1h\n2026-08-21           1           2\n";
    assert_eq!(text(&view, 40), wide);
    assert_eq!(text(&view, 30), "day         written\n2026-08-21        3\n");
    let csv = render(&view, Format::Csv, TextStyle::default());
    assert_eq!(csv, "day,written 5m,written 1h\r\n2026-08-21,1,2\r\n");
    assert!(!render(&view, Format::Markdown, TextStyle::default()).contains("| written |"));
}

#[test]
fn words_wrap_and_ids_do_not() {
    let table = Table {
        columns: vec![Column::left("id", "rule", 0), Column::left("is", "what it reports", 0)],
        rows: vec![
            vec![Cell::code("not-json-lines"), Cell::text("a file named .jsonl holds one JSON document")],
            vec![Cell::code("torn-tail"), Cell::text("short")],
        ],
        total: Some(vec![Cell::text("total"), Cell::Empty]),
        ..Table::default()
    };
    let says = fact("note", "Does not say", Cell::text("what was paid, and not to whom it was paid"), "");
    let view = View { blocks: vec![Block::Table(table), Block::Facts(vec![says])] };
    let shown = "rule            what it reports
not-json-lines  a file named .jsonl
                holds one JSON document
torn-tail       short
total

  Does not say
    what was paid, and not to whom it
    was paid
";
    assert_eq!(text(&view, 40), shown);
    assert!(
        text(&view, 45)
            .ends_with("  Does not say   what was paid, and not to\n                 whom it was paid\n")
    );
}

#[test]
fn what_a_limit_hides_is_said_where_it_would_stand() {
    let table = Table {
        columns: vec![Column::left("day", "day", 0)],
        rows: vec![vec![Cell::code("2026-08-21")]],
        total: Some(vec![Cell::text("total")]),
        hidden_rows: 9,
        hidden_earlier: true,
        ..Table::default()
    };
    let view = View { blocks: vec![Block::Table(table)] };
    assert_eq!(text(&view, 40), "day\n9 earlier (--limit 0 shows all)\n2026-08-21\ntotal\n");

    let one = |text: &str| problem(Level::Note, "some-rule", text, "ccaudit explain some-rule");
    let last = Problem { more: 48, ..one("third") };
    let problems = vec![one("first"), one("second"), last, problem(Level::Note, "other", "fourth", "do it")];
    let view = View { blocks: vec![Block::Problems(problems)] };
    let narrow = "  note     first
  note     second
  note     third
           48 more of some-rule
           (--limit 0 shows all)
           some-rule
           ccaudit explain some-rule
  note     fourth
           other   do it
";
    assert_eq!(text(&view, 36), narrow);
    assert_eq!(text(&view, 120).matches("ccaudit explain some-rule").count(), 1);
    let csv = render(&view, Format::Csv, TextStyle::default());
    assert_eq!(csv.matches("ccaudit explain some-rule").count(), 3);
    assert!(csv.contains("48 more of some-rule"));
}

#[test]
fn an_empty_table_can_be_a_sentence() {
    let columns = vec![Column::left("day", "day", 0)];
    let table = Table { columns, total: Some(vec![Cell::text("total")]), ..Table::default() };
    let view = |table| View { blocks: vec![Block::Table(table)] };
    assert_eq!(text(&view(table.clone()), 40), "day\nnone\ntotal\n");
    let view = view(Table { empty: "nothing was read", ..table });
    assert_eq!(text(&view, 40), "nothing was read\n");
    assert_eq!(render(&view, Format::Markdown, TextStyle::default()), "nothing was read\n");
    assert_eq!(render(&view, Format::Csv, TextStyle::default()), "day\r\n");
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
    let text = text(&View { blocks: vec![Block::Table(table)] }, 80);
    let widths: Vec<usize> = text.lines().map(UnicodeWidthStr::width).collect();
    assert_eq!(widths, [13; 5], "{text}");
    assert!(text.contains("👩‍👩‍👧‍👦"), "an emoji family stays one");
}

#[test]
fn empty_views_and_tables() {
    assert_eq!(text(&View::default(), 80), "");
    let table = Table { columns: vec![Column::left("a", "first", 0)], ..Table::default() };
    let view = View { blocks: vec![Block::Table(table)] };
    assert_eq!(text(&view, 80), "first\nnone\n");
    assert_eq!(text(&View { blocks: vec![Block::Table(Table::default())] }, 80), "none\n");
}
