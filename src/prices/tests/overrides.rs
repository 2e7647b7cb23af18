//! Files of rows that lie over the built-in table.

use super::*;

#[test]
fn override_replaces_single_fields() {
    let mut table = PriceTable::builtin();
    let before = table.rows().len();
    let text = "[[row]]\nmodels = [\"claude-fable-5-2\"]\nread = \"0.3\"\n";
    table.override_with(text, "my.toml").unwrap();
    let read = |model| table.rates(model, None, &STANDARD, 0).unwrap();
    assert_eq!((read("claude-fable-5-2").read, read("claude-fable-5-2").input), (300_000, 8 * USD));
    assert_eq!(read("claude-mythos-5-2").read, 200_000, "the other model of the same built-in row");
    assert_eq!(table.rows().len(), before);
    assert_eq!(table.id(), "builtin-2026-11-30+override");
    assert!(table.rows().iter().any(|row| row.source == "my.toml"));
    table.override_with(text, "my.toml").unwrap();
    assert_eq!(table.id(), "builtin-2026-11-30+override");
}

/// Days around every date of the table, all kinds of requests, prompts on both sides of every band.
#[test]
fn the_built_in_table_over_itself_changes_nothing() {
    let text = include_str!("../prices.toml");
    let (builtin, mut table) = (PriceTable::builtin(), PriceTable::builtin());
    table.override_with(text, "prices.toml").unwrap();
    assert_eq!((table.id(), table.as_of()), (builtin.id(), builtin.as_of()));
    let document: toml::Table = text.parse().unwrap();
    let rows = document["row"].as_array().unwrap();
    let models: Vec<&str> = rows
        .iter()
        .flat_map(|row| row["models"].as_array().unwrap())
        .map(|name| name.as_str().unwrap())
        .collect();
    let dates = text.lines().flat_map(|line| line.split(|c: char| !(c.is_ascii_digit() || c == '-')));
    let mut times = vec![None];
    for date in
        dates.filter(|word| word.len() == 10).filter_map(|word| word.parse::<jiff::civil::Date>().ok())
    {
        let start = day(&date.to_string()).unwrap();
        times.extend([Some(start - 1), Some(start)]);
    }
    assert!(models.len() > 30 && times.len() > 60, "{} {}", models.len(), times.len());
    for model in models {
        for &at in &times {
            for kind in [STANDARD, FAST, US, BATCH] {
                for prompt in [0, 100_000, 100_001, 200_000, 200_001] {
                    let expected = builtin.rates(model, at, &kind, prompt);
                    assert_eq!(table.rates(model, at, &kind, prompt), expected, "{model} {at:?} {kind:?}");
                }
            }
        }
    }
}

#[test]
fn an_override_reaches_one_period_or_all() {
    let read = |text: &str| {
        let mut table = PriceTable::builtin();
        table.override_with(text, "my.toml").unwrap();
        // The two periods of Sonnet 5.5 and of Sonnet 4.5.
        [
            ("claude-sonnet-5-5", "2026-10-06"),
            ("claude-sonnet-5-5", "2026-10-07"),
            ("claude-sonnet-4-5", "2026-04-30"),
            ("claude-sonnet-4-5", "2026-05-01"),
        ]
        .map(|(model, at)| table.rates(model, day(at), &STANDARD, 0).unwrap().read)
    };
    let models = "[[row]]\nmodels = [\"claude-sonnet-5-5\", \"claude-sonnet-4-5\"]\n";
    let one = "[[row]]\nmodels = [\"claude-sonnet-5-5\"]\n";
    assert_eq!(read(""), [200_000, 100_000, 300_000, 300_000]);
    assert_eq!(read(&format!("{models}read = 9")), [9 * USD; 4]);
    assert_eq!(read(&format!("{one}until = 2026-10-07\nread = 9")), [9 * USD, 100_000, 300_000, 300_000]);
    assert_eq!(read(&format!("{one}from = 2026-10-07\nread = 9")), [200_000, 9 * USD, 300_000, 300_000]);
    // The first row of a model may have a start.
    let of_both = format!("{models}until = 2026-05-01\nread = 9");
    assert_eq!(read(&of_both.replace("\"claude-sonnet-5-5\", ", "")), [200_000, 100_000, 9 * USD, 300_000]);
    // In either order the row for one period wins over the one for all.
    let (all, late) = (format!("{one}read = 9\n"), format!("{one}from = 2026-10-07\nread = 8\n"));
    for text in [format!("{all}{late}"), format!("{late}{all}")] {
        assert_eq!(read(&text)[..2], [9 * USD, 8 * USD], "{text}");
    }
    // A new model in two periods, the later one first.
    let rates = "input = 1\noutput = 1\nwrite_5m = 1\nwrite_1h = 1\n";
    let row =
        |dates: &str, read: u64| format!("[[row]]\nmodels = [\"mine\"]\n{dates}\n{rates}read = {read}\n");
    let mut table = PriceTable::builtin();
    table.override_with(&(row("from = 2026-10-07", 2) + &row("until = 2026-10-07", 3)), "my.toml").unwrap();
    let read = |at| table.rates("mine", day(at), &STANDARD, 0).unwrap().read;
    assert_eq!([read("2026-10-06"), read("2026-10-07")], [3 * USD, 2 * USD]);
}

#[test]
fn override_is_dated_and_adds_rows() {
    let mut table = PriceTable::builtin();
    let text = r#"
        id = "ours"
        as_of = "2027-02-01"
        web_search = "12.5"
        [[row]]
        models = ["claude-opus-5.5"]
        from = 2027-01-01
        input = 3
        output = 15
        write_5m = "3.75"
        write_1h = 6
        read = "0.15"
        [[row]]
        models = ["claude-haiku-5-5"]
        from = 2026-10-07
        above = { prompt = 150000 }
        [[row]]
        models = ["gateway-*"]
        until = 2027-01-01
        input = 1
        output = 2
        write_5m = 1
        write_1h = 1
        read = "0.000001"
        [[row]]
        models = ["us.anthropic.claude-opus-5-5-v1:0"]
        input = "4.4"
        output = 22
        write_5m = "5.5"
        write_1h = "8.8"
        read = "0.22"
    "#;
    table.override_with(text, "my.toml").unwrap();
    let rates = |model, at, prompt| table.rates(model, at, &STANDARD, prompt);
    let input = |model, at, prompt| rates(model, at, prompt).unwrap().input;
    assert_eq!((table.id(), table.as_of()), ("ours", "2027-02-01"));
    assert_eq!(input("claude-opus-5-5", day("2026-12-31"), 0), 4 * USD);
    assert_eq!(input("claude-opus-5-5", day("2027-01-01"), 0), 3 * USD);
    assert_eq!(input("claude-haiku-5-5", None, 150_000), 100_000);
    assert_eq!(input("claude-haiku-5-5", None, 150_001), 500_000);
    assert_eq!(rates("gateway-7", None, 0).unwrap().read, 1);
    assert_eq!(rates("gateway-7", day("2027-01-01"), 0), None, "no price after the last row");
    assert_eq!(input("us.anthropic.claude-opus-5-5-v1:0", day("2027-03-01"), 0), 4_400_000);
    assert_eq!(input("eu.anthropic.claude-opus-5-5-v1:0", day("2027-03-01"), 0), 3 * USD);
    assert_eq!(rates("claude-opus-5-5", None, 0).unwrap().search, 12_500_000_000);
}

#[test]
fn bad_files_are_refused_with_line_and_remedy() {
    let row = "[[row]]\nmodels = [\"claude-opus-5\"]\n";
    let cases: &[(String, &str)] = &[
        (
            format!("{row}input = 0.1\n"),
            "my.toml:3: `input = 0.1` is a binary float, which cannot hold most prices exactly; put it in quotes, as in input = \"0.1\"",
        ),
        (format!("{row}input = -1\n"), "my.toml:3: `input` is negative (-1); give 0 or more"),
        (format!("{row}input = \"-0.5\"\n"), "my.toml:3: `input` is negative (-0.5); give 0 or more"),
        (
            format!("{row}input = \"5 USD\"\n"),
            "my.toml:3: `input` is not a decimal number (5 USD); write it like \"0.125\", in digits with at most one point",
        ),
        (
            format!("{row}input = \"1e3\"\n"),
            "my.toml:3: `input` is not a decimal number (1e3); write it like \"0.125\", in digits with at most one point",
        ),
        (
            format!("{row}read = \"0.30000000000000004\"\n"),
            "my.toml:3: `read` has more than 6 decimal places (0.30000000000000004); round it yourself, so that the figure used is the figure written",
        ),
        (format!("{row}input = 5000000\n"), "my.toml:3: `input` is above 10000 (5000000); check its unit"),
        (
            format!("{row}us_geo = 0\n"),
            "my.toml:3: `us_geo` is 0; give a multiplier above 0, or leave the key out",
        ),
        (
            format!("{row}from = 2026-10-07T10:00:00Z\n"),
            "my.toml:3: this is not a plain date; write it like 2026-10-07",
        ),
        (
            format!("{row}until = 2026-01-01\n"),
            "my.toml:1: `until` is not after `from`; swap or correct the dates",
        ),
        (
            format!("{row}above = {{ input = 3 }}\n"),
            "my.toml:1: `above` is incomplete; add output, write_5m, write_1h, read, prompt",
        ),
        (
            format!("\n{row}{row}"),
            "my.toml:4: `claude-opus-5` has a row with the same start already, in line 2; join the two rows",
        ),
        (
            "[[row]]\nmodels = [\"mine\"]\ninput = 1\nread = 0\n".to_owned(),
            "my.toml:1: the table has no row of `mine` to take other rates from; add output, write_5m, write_1h",
        ),
        (
            format!("{row}from = 2031-01-01\ninput = 1\noutput = 1\n"),
            "my.toml:1: no row of `claude-opus-5` starts at this `from`, and a new one needs every rate; add write_5m, write_1h, read",
        ),
        ("[[row]]\nmodels = []\n".to_owned(), "my.toml:2: `models` names no model; list at least one name"),
    ];
    for (text, message) in cases {
        let mut table = PriceTable::builtin();
        let error = table.override_with(text, "my.toml").unwrap_err();
        assert_eq!(error.to_string(), *message);
        assert_eq!(table.id(), "builtin-2026-11-30", "nothing changes on an error");
    }
    for (text, line, start, remedy) in [
        (format!("{row}inptu = 1\n"), 3, "unknown field `inptu`", "rename or remove this key"),
        (format!("{row}input = true\n"), 3, "invalid type: boolean", "correct the TOML here"),
        (format!("{row}input = \n"), 3, "", "correct the TOML here"),
        ("[[row]]\ninput = 1\n".to_owned(), 1, "missing field `models`", "add it"),
        ("[rows]\n".to_owned(), 1, "unknown field `rows`", "rename or remove this key"),
    ] {
        let error = PriceTable::builtin().override_with(&text, "my.toml").unwrap_err();
        assert_eq!((error.line, error.remedy.as_str()), (line, remedy), "{error}");
        assert!(error.problem.starts_with(start) && !error.to_string().contains('\n'), "{error}");
    }
}
