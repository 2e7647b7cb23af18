use super::{Format, TextStyle, render};
use crate::render::units::*;
use crate::view::{Block, Cell, Column, Table, View};

const MAX: u128 = u128::MAX;
const DOLLAR: u128 = 1_000_000_000_000;

#[test]
fn counts_and_tokens() {
    for (n, shown) in [(0, "0"), (999, "999"), (1_080, "1,080"), (9_999, "9,999"), (1_234_567, "1,234,567")] {
        assert_eq!(count(n), shown);
    }
    assert_eq!(count(MAX), "340,282,366,920,938,463,463,374,607,431,768,211,455");
    for (n, shown) in [
        (0, "0"),
        (9_999, "9,999"),
        (10_000, "10.0 k"),
        (10_049, "10.0 k"),
        (10_050, "10.1 k"),
        (74_700, "74.7 k"),
        (99_949, "99.9 k"),
        (99_950, "100 k"),
        (214_499, "214 k"),
        (999_499, "999 k"),
        (999_500, "1.00 M"),
        (999_999, "1.00 M"),
        (1_000_000, "1.00 M"),
        (1_004_999, "1.00 M"),
        (1_005_000, "1.01 M"),
        (1_490_000_000, "1.49 B"),
        (999_499_999_999_999, "999 T"),
        (1_000_000_000_000_000, "1,000 T"),
        (MAX, "340,282,366,920,938,463,463,374,607 T"),
    ] {
        assert_eq!(tokens(n), shown);
    }
}

#[test]
fn sizes() {
    for (n, shown) in [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.00 kB"),
        (41_000_000, "41.0 MB"),
        (1_020_000_000, "1.02 GB"),
        (999_999, "1.00 MB"),
        (u64::MAX, "18.4 EB"),
    ] {
        assert_eq!(bytes(n), shown);
    }
}

#[test]
fn dollars() {
    for (pico, shown) in [
        (0, "$0.00"),
        (1, "<$0.0001"),
        (99_999_999, "<$0.0001"),
        (100_000_000, "$0.0001"),
        (12_600_000_000, "$0.0126"),
        (12_649_999_999, "$0.0126"),
        (12_650_000_000, "$0.0127"),
        (999_949_999_999, "$0.9999"),
        (999_950_000_000, "$1.00"),
        (DOLLAR, "$1.00"),
        (1_284_100_000_000_000, "$1,284.10"),
        (1_284_104_999_999_999, "$1,284.10"),
        (1_284_105_000_000_000, "$1,284.11"),
        (MAX, "$340,282,366,920,938,463,463,374,607.43"),
    ] {
        assert_eq!(money(pico), shown);
    }
    assert_eq!(money_delta(0), "$0.00");
    assert_eq!(money_delta(120_000_000_000), "+$0.1200");
    assert_eq!(money_delta(-31_700_000_000_000), "-$31.70");
    assert_eq!(money_delta(i128::MIN), "-$170,141,183,460,469,231,731,687,303.72");
}

#[test]
fn shares() {
    for (num, den, shown) in [
        (0, 1, "0.0 %"),
        (1, 1, "100.0 %"),
        (776, 1_000, "77.6 %"),
        (9_996, 10_000, ">99.9 %"),
        (9_994, 10_000, "99.9 %"),
        (4, 10_000, "<0.1 %"),
        (5, 10_000, "0.1 %"),
        (129, 100, "129.0 %"),
        (MAX - 1, MAX, ">99.9 %"),
        (1, MAX, "<0.1 %"),
        (MAX, MAX, "100.0 %"),
        (MAX / 2, MAX, "50.0 %"),
        (12_345, 1, "1,234,500.0 %"),
    ] {
        assert_eq!(percent(num, den).as_deref(), Some(shown), "{num} / {den}");
    }
    assert_eq!(percent(0, 0), None);
    assert_eq!(percent(7, 0), None);
    assert_eq!(fraction(776, 1_000).as_deref(), Some("0.776000"));
    assert_eq!(fraction(2, 3).as_deref(), Some("0.666667"));
    assert_eq!(fraction(MAX / 3, MAX).as_deref(), Some("0.333333"));
    assert_eq!(fraction(1, 0), None);
}

#[test]
fn factors_and_relations() {
    for (num, den, shown) in [
        (299, 100, "2.99x"),
        (2_995, 1_000, "3.00x"),
        (9_994, 1_000, "9.99x"),
        (9_995, 1_000, "10.0x"),
        (9_996, 100, "100x"),
        (1, 1_000, "<0.01x"),
        (0, 5, "0.00x"),
        (1_234, 1, "1,234x"),
    ] {
        assert_eq!(times(num, den).as_deref(), Some(shown));
    }
    for (num, den, shown) in
        [(171, 1, "171:1"), (45, 10, "4.5:1"), (996, 100, "10:1"), (1, 100, "<0.1:1"), (0, 1, "0.0:1")]
    {
        assert_eq!(ratio(num, den).as_deref(), Some(shown));
    }
    assert_eq!(times(1, 0), None);
    assert_eq!(ratio(1, 0), None);
    assert_eq!(ratio(MAX, 1).as_deref(), Some("340,282,366,920,938,463,463,374,607,431,768,211,455:1"));
}

/// The long division against plain arithmetic wherever that cannot overflow.
#[test]
fn division_is_exact() {
    for num in 0..60_u128 {
        for den in 1..60_u128 {
            let millionths = (num * 2_000_000 + den) / (2 * den);
            let plain = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
            assert_eq!(fraction(num, den).as_deref(), Some(plain.as_str()));
            // The same share of numbers that would overflow when multiplied.
            let big = MAX / 64;
            assert_eq!(fraction(num * big, den * big).as_deref(), Some(plain.as_str()));
        }
    }
}

fn line(cells: Vec<Cell>, format: Format) -> String {
    let columns = ["a", "b", "c"][..cells.len()].iter().map(|key| Column::right(*key, *key, 0)).collect();
    let table = Table { columns, rows: vec![cells], ..Table::default() };
    let view = View { blocks: vec![Block::Table(table)] };
    render(&view, format, TextStyle::default()).lines().nth(1).unwrap().trim().to_owned()
}

#[test]
fn csv_is_exact_and_text_short() {
    let cells = vec![Cell::AtLeastTokens(1_490_000_001), Cell::Money(12_600_000_001), Cell::MoneyDelta(-5)];
    assert_eq!(line(cells.clone(), Format::Csv), "1490000001,12600000001,-5");
    assert_eq!(line(cells, Format::Text), "≥ 1.49 B  $0.0126  -<$0.0001");
    let cells = vec![Cell::Share { num: 2, den: 3 }, Cell::Share { num: 0, den: 0 }, Cell::Unknown];
    assert_eq!(line(cells.clone(), Format::Csv), "0.666667,,unknown");
    assert_eq!(line(cells, Format::Text), "66.7 %  n/a  unknown");
}

#[test]
fn charts() {
    let bars = |values: &[u128]| line(vec![Cell::Spark(values.to_vec())], Format::Text);
    assert_eq!(bars(&[1, 0, 15, 25, 26, 50, 99, 100]), "▁ ▂▂▃▄██");
    assert_eq!(bars(&[0, 0]), "");
    assert_eq!(bars(&[MAX, MAX / 2, 1]), "█▄▁");
}

#[test]
fn lower_bounds_of_money_are_marked() {
    assert_eq!(line(vec![Cell::AtLeastMoney(228_540_000_000_000)], Format::Text), "≥ $228.54");
    assert_eq!(line(vec![Cell::AtLeastMoney(228_540_000_000_000)], Format::Csv), "228540000000000");
}

#[test]
fn ids_are_short_for_people_and_whole_for_programs() {
    let id = Cell::Id { full: "cf19b753-5f0f".to_owned(), short: "cf19b753".to_owned() };
    assert_eq!(line(vec![id.clone()], Format::Text), "cf19b753");
    assert_eq!(line(vec![id], Format::Csv), "cf19b753-5f0f");
}
