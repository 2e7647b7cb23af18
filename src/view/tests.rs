use std::collections::BTreeMap;

use super::{Block, Cell, Class, Column, Names, Table, View, mask};

const SHOP: &str = "/Users/dev/projects/shop";

fn names(share: bool) -> Names {
    let strings = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let sessions = (0..112).map(|n| format!("{n:08x}-aaaa")).collect();
    let known = [
        (Class::Path, strings(&[SHOP, "/Users/dev/old-api", SHOP])),
        (Class::Store, strings(&["-Users-dev-projects-shop", "-Users-dev-old-api"])),
        (Class::Session, sessions),
    ];
    Names::new(Some("/Users/dev/".into()), share, known)
}

#[test]
fn home_is_a_tilde() {
    let names = names(false);
    assert_eq!(names.path("/Users/dev/projects/shop"), "~/projects/shop");
    assert_eq!(names.path("/Users/dev"), "~");
    assert_eq!(names.path("/Users/developer/x"), "/Users/developer/x");
    assert_eq!(names.text("moved to /Users/dev/projects/shop-web."), "moved to ~/projects/shop-web.");
    assert_eq!(names.text("at \"/Users/dev/a\":3, (/Users/dev)"), "at \"~/a\":3, (~)");
    let windows = Names::new(Some("C:\\Users\\dev".into()), false, []);
    assert_eq!(windows.path("C:\\Users\\dev\\shop"), "~\\shop");
    assert_eq!(Names::new(Some("/".into()), false, []).path("/etc"), "/etc");
    assert_eq!(Names::default().path("/Users/dev"), "/Users/dev");
}

#[test]
fn pseudonyms_are_ranks() {
    let names = names(true);
    assert_eq!(names.path(SHOP), "path-2");
    assert_eq!(names.path("/Users/dev/old-api"), "path-1");
    assert_eq!(names.name(Class::Store, "-Users-dev-projects-shop"), "store-2");
    assert_eq!(names.name(Class::Session, "00000002-aaaa"), "session-003");
    assert_eq!(names.short(Class::Session, "00000002-aaaa"), "session-003");
}

#[test]
fn pseudonyms_reveal_nothing_of_the_unknown() {
    let names = names(true);
    assert_eq!(names.name(Class::Agent, "acme-reviewer"), "agent-unlisted");
    assert_eq!(names.name(Class::Other, "Acme merger"), "name-unlisted");
    assert_eq!(names.path("/Users/dev/acme"), "path-unlisted");
    assert_eq!(names.path("/Users/dev/projects/shop/src/acme.rs"), "path-2/…");
    assert_eq!(names.path("acme"), "path-unlisted");
    assert_eq!(names.path(""), "path-unlisted");
}

#[test]
fn sentences_lose_their_names() {
    let names = names(true);
    let sentence =
        "-> /Users/dev/projects/shop (0.92), not /Users/dev/acme/x; session 00000002-aaaa, 5m/1h, /compact";
    assert_eq!(
        names.text(sentence),
        "-> path-2 (0.92), not path-unlisted; session session-003, 5m/1h, /compact"
    );
    assert_eq!(
        names.text("projects/-Users-dev-old-api/00000003-aaaa.jsonl: torn"),
        "projects/store-1/session-004.jsonl: torn"
    );
    assert_eq!(names.text("C:\\Users\\acme is gone, ~/acme too"), "path-unlisted is gone, path-unlisted too");
}

#[test]
fn order_and_repetition_of_the_list_change_nothing() {
    let list = |names: &[&str]| vec![(Class::Agent, names.iter().map(|&name| name.to_owned()).collect())];
    let one = Names::new(None, true, list(&["b", "a", "c"]));
    let two = Names::new(None, true, list(&["c", "c", "b", "a", "a"]));
    for name in ["a", "b", "c", "d"] {
        assert_eq!(one.name(Class::Agent, name), two.name(Class::Agent, name));
    }
}

#[test]
fn short_names_still_differ() {
    let known = |names: &[&str]| vec![(Class::Session, names.iter().map(|&name| name.to_owned()).collect())];
    let apart = Names::new(None, false, known(&["cf19b753-1", "5f0f1b0c-2"]));
    assert_eq!(apart.short(Class::Session, "cf19b753-1"), "cf19b753");
    let close = Names::new(None, false, known(&["cf19b753-1a", "cf19b753-1b"]));
    assert_eq!(close.short(Class::Session, "cf19b753-1a"), "cf19b753-1a");
}

#[test]
fn e_mail_addresses_never_show() {
    for (text, shown) in [
        ("jane@example.com", "<e-mail>"),
        ("<jane.doe+x@mail.example.co.uk>, ok", "<<e-mail>>, ok"),
        ("a@b.cc and d@e.ff.", "<e-mail> and <e-mail>."),
        ("/home/jane@example.com/x", "/home/<e-mail>/x"),
        ("jane@example.com-2026", "<e-mail>"),
        ("müller@bücher.example", "<e-mail>"),
        ("left-pad@1.3.0 @user user@host @ x@", "left-pad@1.3.0 @user user@host @ x@"),
        ("", ""),
    ] {
        assert_eq!(mask(text), shown);
    }
    assert_eq!(names(false).name(Class::Other, "fix-for-jane@example.com"), "<e-mail>");
    assert_eq!(names(false).path("/Users/dev/jane@example.com/a"), "~/<e-mail>/a");
}

/// The forms are those of the AWS documentation on resource names.
#[test]
fn account_numbers_never_show() {
    for (text, shown) in [
        (
            "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.x-v1:0",
            "arn:aws:bedrock:us-east-1:<account>:inference-profile/us.x-v1:0",
        ),
        ("bedrock/arn:aws-cn:iam::123456789012:root", "bedrock/arn:aws-cn:iam::<account>:root"),
        ("arn:aws-us-gov:sns:r:123456789012", "arn:aws-us-gov:sns:r:<account>"),
        ("a ARN:AWS:sns:r:123456789012", "a ARN:AWS:sns:r:<account>"),
        (
            "arn:a:b:c:123456789012:x, arn:a:b:c:210987654321:y",
            "arn:a:b:c:<account>:x, arn:a:b:c:<account>:y",
        ),
        ("arn:aws:s3:::bucket arn:a:b:c:1234: arn:", "arn:aws:s3:::bucket arn:a:b:c:1234: arn:"),
        ("arn:aws:iam::123456789012:user/jane@example.com", "arn:aws:iam::<account>:user/<e-mail>"),
    ] {
        assert_eq!(mask(text), shown);
        assert_eq!(names(false).name(Class::Model, text), shown);
    }
}

#[test]
fn a_shared_report_shows_public_names_only() {
    let strings = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let known = [
        (Class::Model, strings(&["acme-1", "acme-2"])),
        (Class::Version, strings(&["2.1.332", "acme-7", "3-acme"])),
    ];
    let public = BTreeMap::from([("eu/claude-x-1".to_owned(), "claude-x-1".to_owned())]);
    let names = Names::new(None, true, known).with_public(public);
    for (class, name, shown) in [
        (Class::Model, "eu/claude-x-1", "claude-x-1"),
        (Class::Model, "acme-2", "model-2"),
        (Class::Model, "eu/claude-x-2", "model-unlisted"),
        (Class::Version, "2.1.332", "2.1.332"),
        (Class::Version, "1.0", "1.0"),
        (Class::Version, "acme-7", "version-3"),
        (Class::Version, "3-acme", "version-2"),
        (Class::Version, "2.1.332-acme", "version-unlisted"),
        (Class::Version, "123456789012", "version-unlisted"),
        (Class::Version, "1.123456789012", "version-unlisted"),
    ] {
        assert_eq!(names.name(class, name), shown);
    }
    assert_eq!(Names::default().name(Class::Version, "2.1.332-acme"), "2.1.332-acme");
}

#[test]
fn mistakes_of_views_are_found() {
    let table = Table {
        key: "t",
        columns: vec![Column::right("cost", "cost", 0), Column::right("cost", "size", 0)],
        rows: vec![vec![Cell::Money(1), Cell::Bytes(1)], vec![Cell::Empty]],
        ..Table::default()
    };
    let view = View { blocks: vec![Block::Table(table)] };
    assert_eq!(
        view.mistakes(),
        [
            "cost: the key does not end in pico_usd",
            "cost: the key does not end in bytes",
            "t: row 1 has 1 cells for 2 columns",
            "cost: the key is used twice"
        ]
    );
}
