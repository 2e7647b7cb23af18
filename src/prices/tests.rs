mod overrides;

use serde_json::Value;

use super::names::bare;
use super::*;
use crate::model::Usage;

const STANDARD: RequestKind = RequestKind { fast: false, us_only: false, batch: false };
const FAST: RequestKind = RequestKind { fast: true, ..STANDARD };
const US: RequestKind = RequestKind { us_only: true, ..STANDARD };
const BATCH: RequestKind = RequestKind { batch: true, ..STANDARD };
/// 1 USD per million tokens.
const USD: u64 = 1_000_000;

fn ms(time: &str) -> Option<i64> {
    Some(time.parse::<jiff::Timestamp>().unwrap().as_millisecond())
}

fn day(day: &str) -> Option<i64> {
    ms(&format!("{day}T00:00:00Z"))
}

fn rates(model: &str, at: Option<i64>, kind: RequestKind, prompt: u64) -> Option<Rates> {
    PriceTable::builtin().rates(model, at, &kind, prompt)
}

/// Cost of one response in pico-dollars.
fn price_of(model: &str, time: &str, usage: Usage) -> u128 {
    let prompt = usage.input + usage.read + usage.write_5m + usage.write_1h + usage.write_unsplit;
    cost(&rates(model, ms(time), STANDARD, prompt).unwrap(), &usage).total()
}

#[test]
fn built_in_table_parses() {
    let table = PriceTable::from_toml(include_str!("prices.toml"), "prices.toml").unwrap();
    assert_eq!((table.id(), table.as_of()), ("builtin-2026-11-30", "2026-11-30"));
    assert!(table.rows().iter().all(|row| !row.source.is_empty()));
}

#[test]
fn costs_are_exact() {
    let model = "claude-3-7-sonnet-20250219";
    let first = Usage { input: 10, output: 200, write_unsplit: 2_000, ..Usage::default() };
    let second = Usage { input: 5, output: 100, read: 2_000, ..Usage::default() };
    let mut sum = Cost::default();
    for (time, usage) in [("2025-05-02T10:00:10Z", first), ("2025-05-02T10:00:20Z", second)] {
        sum += cost(&rates(model, ms(time), STANDARD, 2_010).unwrap(), &usage);
    }
    assert_eq!(sum.total(), 12_645_000_000);
    assert_eq!(sum.write_unsplit, 7_500_000_000);

    let time = "2026-08-03T10:00:10Z";
    let one_hour = Usage { input: 10, output: 1_000, write_1h: 100_000, ..Usage::default() };
    assert_eq!(price_of("claude-opus-4-6", time, one_hour), 1_025_050_000_000);
    let unsplit = Usage { write_unsplit: 2_000, ..Usage::default() };
    assert_eq!(price_of("claude-sonnet-4-6", time, unsplit), 7_500_000_000);
    let five_minutes = Usage { input: 6, output: 2_745, write_5m: 159_217, ..Usage::default() };
    assert_eq!(price_of("claude-opus-4-7", time, five_minutes), 1_063_761_250_000);
    let searches = Usage { searches: 3, ..Usage::default() };
    assert_eq!(price_of("claude-opus-4-7", time, searches), 3 * PICO_PER_USD / 100);
}

#[test]
fn largest_counts_do_not_overflow() {
    let all = u64::MAX;
    let usage = Usage {
        input: all,
        output: all,
        write_5m: all,
        write_1h: all,
        write_unsplit: all,
        read: all,
        searches: all,
    };
    let one = cost(&rates("claude-opus-4-1", None, STANDARD, all).unwrap(), &usage);
    let mut sum = Cost::default();
    for _ in 0..1_000 {
        sum += one;
    }
    assert_eq!(sum.total(), one.total() * 1_000);
}

#[test]
fn haiku_band_covers_the_whole_request() {
    let below = rates("claude-haiku-5-5", None, STANDARD, 100_000).unwrap();
    let above = rates("claude-haiku-5-5", None, STANDARD, 100_001).unwrap();
    assert_eq!((below.input, below.read, below.write_5m), (100_000, 10_000, 125_000));
    for (low, high) in [
        (below.input, above.input),
        (below.output, above.output),
        (below.write_5m, above.write_5m),
        (below.write_1h, above.write_1h),
        (below.read, above.read),
    ] {
        assert_eq!(low * 5, high);
    }
    assert_eq!(below.search, above.search);
}

#[test]
fn long_context_tiers_end_on_their_day() {
    for (model, last, after, base) in [
        ("claude-sonnet-4-20250514", "2026-04-30T23:59:59Z", "2026-05-01T00:00:00Z", 3),
        ("claude-sonnet-4-5-20250929", "2026-04-30T23:59:59Z", "2026-05-01T00:00:00Z", 3),
        ("claude-sonnet-4-6", "2026-03-12T23:59:59Z", "2026-03-13T00:00:00Z", 3),
        ("claude-opus-4-6", "2026-03-12T23:59:59Z", "2026-03-13T00:00:00Z", 5),
    ] {
        let input = |at, prompt| rates(model, ms(at), STANDARD, prompt).unwrap().input;
        assert_eq!(input(last, 200_000), base * USD, "{model}");
        assert_eq!(input(last, 200_001), 2 * base * USD, "{model}");
        assert_eq!(input(after, 200_001), base * USD, "{model}");
        let output = |prompt| rates(model, ms(last), STANDARD, prompt).unwrap().output;
        assert_eq!(output(200_001) * 2, output(200_000) * 3, "{model}");
        assert_eq!(rates(model, None, STANDARD, 900_000).unwrap().input, base * USD, "{model}: newest row");
    }
}

#[test]
fn reads_are_not_a_tenth_everywhere() {
    for (model, thousandths) in [
        ("claude-opus-5", 100),
        ("claude-sonnet-5", 100),
        ("claude-haiku-5-5", 100),
        ("claude-fable-5", 100),
        ("claude-opus-5-5", 50),
        ("claude-sonnet-5-5", 50),
        ("claude-fable-5-1", 25),
        ("claude-mythos-5-1", 25),
        ("claude-fable-5-2", 25),
        ("claude-mythos-5-2", 25),
        ("claude-3-haiku-20240307", 120),
    ] {
        let rates = rates(model, None, STANDARD, 0).unwrap();
        assert_eq!(rates.read * 1_000, rates.input * thousandths, "{model}");
    }
    let sonnet = |at| rates("claude-sonnet-5-5", day(at), STANDARD, 0).unwrap().read;
    assert_eq!((sonnet("2026-10-06"), sonnet("2026-10-07")), (200_000, 100_000));
}

#[test]
fn writes_are_multiples_of_the_input_price() {
    let table = PriceTable::builtin();
    let mut exceptions = Vec::new();
    for row in table.rows() {
        let band = row.above.map(|band| band.price);
        for price in [Some(row.price), band].into_iter().flatten() {
            assert_eq!(price.write_1h, price.input * 2, "{}", row.model);
            if price.write_5m * 4 != price.input * 5 {
                assert_eq!(price.write_5m * 5, price.input * 6, "{}", row.model);
                exceptions.push(row.model.as_str());
            }
        }
    }
    assert_eq!(exceptions, ["claude-3-haiku"]);
}

#[test]
fn dated_rows_of_a_model_meet_without_gap() {
    let table = PriceTable::builtin();
    for row in table.rows() {
        let next = table.rows().iter().filter(|next| next.model == row.model && next.from_ms > row.from_ms);
        let next = next.map(|next| next.from_ms).min().unwrap_or(i64::MAX);
        assert_eq!(row.until_ms, next, "{}", row.model);
    }
}

#[test]
fn modes_multiply_all_token_rates() {
    let model = "claude-opus-5-5";
    let base = rates(model, None, STANDARD, 0).unwrap();
    let fields = |rates: Rates| [rates.input, rates.output, rates.write_5m, rates.write_1h, rates.read];
    for (kind, percent) in [(FAST, 200), (US, 110), (BATCH, 50), (RequestKind { us_only: true, ..FAST }, 220)]
    {
        let other = rates(model, None, kind, 0).unwrap();
        for (base, other) in fields(base).into_iter().zip(fields(other)) {
            assert_eq!(other * 100, base * percent, "{kind:?}");
        }
        assert_eq!(other.search, base.search);
    }
    // The surcharge begins with 4.6.
    for model in ["claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5"] {
        assert_eq!(rates(model, None, US, 0), rates(model, None, STANDARD, 0), "{model}");
    }
    for model in ["claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-5-5", "claude-mythos-5"] {
        assert_ne!(rates(model, None, US, 0), rates(model, None, STANDARD, 0), "{model}");
    }
    // Geography on top of a band.
    assert_eq!(rates("claude-haiku-5-5", None, US, 100_001).unwrap().read, 55_000);
}

#[test]
fn fast_mode_has_a_price_only_while_it_was_offered() {
    let input = |model, at, prompt| rates(model, at, FAST, prompt).map(|rates| rates.input / USD);
    assert_eq!(input("claude-opus-4-6", day("2026-02-20"), 1), Some(30));
    assert_eq!(input("claude-opus-4-6", day("2026-02-20"), 200_001), Some(60));
    assert_eq!(input("claude-opus-4-6", day("2026-02-06"), 1), None);
    assert_eq!(input("claude-opus-4-7", ms("2026-07-24T12:00:00Z"), 1), Some(30));
    assert_eq!(input("claude-opus-4-7", day("2026-07-25"), 1), None);
    assert_eq!(input("claude-opus-4-8", day("2026-11-30"), 1), Some(10));
    assert_eq!(input("claude-opus-4-8", day("2026-12-01"), 1), None);
    assert_eq!(input("claude-fable-5-2", None, 1), Some(16));
    assert_eq!(input("claude-sonnet-5-5", None, 1), None);
    assert_eq!(rates("claude-opus-5", None, RequestKind { batch: true, ..FAST }, 0), None);
}

#[test]
fn names_lose_prefix_date_and_suffix() {
    for name in [
        "claude-sonnet-4-5",
        "claude-sonnet-4-5[1m]",
        "claude-sonnet-4-5-20250929",
        "claude-sonnet-4-5-20250929[1m]",
        "claude-sonnet-4-5@20250929",
        "claude-sonnet-4-5@default",
        "claude-sonnet-4-5-latest",
        "anthropic/claude-sonnet-4-5-20250929",
        "openrouter/anthropic/claude-sonnet-4-5",
        "anthropic.claude-sonnet-4-5-20250929-v1:0",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]",
        "global.anthropic.claude-sonnet-4-5-20250929-v1",
        "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ] {
        assert_eq!(bare(name), "claude-sonnet-4-5", "{name}");
        assert!(rates(name, None, STANDARD, 0).is_some(), "{name}");
    }
    assert_eq!(rates("anthropic/claude-opus-4.6", None, STANDARD, 0).unwrap().input, 5 * USD);
    assert_eq!(rates("claude-3-5-haiku-20241022", None, STANDARD, 0).unwrap().input, 800_000);
    assert_eq!(rates("claude-opus-4-1-20250805", None, STANDARD, 0).unwrap().input, 15 * USD);
}

#[test]
fn unknown_models_have_no_price() {
    for name in [
        "",
        "<synthetic>",
        "claude",
        "claude-opus",
        "claude-opus-5-9",
        "claude-opus-5-5-5",
        "claude-opus-4-10",
        "claude-opus-5-5-fast",
        "claude-opus-5-5-2026",
        "claude-lab-9",
        "claude-mythos-preview",
        "gpt-5",
        "CLAUDE-OPUS-5-5",
        "[1m]",
        "-v1:0",
        "@",
        "/",
    ] {
        assert_eq!(rates(name, None, STANDARD, 0), None, "{name}");
    }
}

#[test]
fn time_before_the_first_row_takes_the_first_row() {
    assert_eq!(
        rates("claude-opus-4-6", day("2001-01-01"), STANDARD, 200_001).unwrap().input,
        10 * USD,
        "clocks can be wrong, models cannot be older than their release"
    );
}

/// Where the client's own prices differ from the table: client, model asked for, field, reason.
const DISAGREEMENTS: &[(&str, &str, &str, &str)] = &[
    ("1.0.128", "claude-opus-4-1-20250805", "cc_1h", "prices a 1-hour write like a 5-minute one"),
    ("1.0.128", "claude-sonnet-4-5-20250929", "cc_1h", "prices a 1-hour write like a 5-minute one"),
    ("2.1.332", "claude-lab-9", "all", "prices an unknown name like claude-opus-5-5; the table has no price"),
    ("2.1.332", "claude-opus-4-1-20250805", "all", "asks claude-opus-5-5 instead"),
    ("2.1.87", "claude-haiku-4-5-20251001", "cc_1h", "prices a 1-hour write like a 5-minute one"),
    ("2.1.87", "claude-opus-4-6", "cc_1h", "prices a 1-hour write like a 5-minute one"),
    ("2.1.87", "claude-sonnet-4-5-20250929", "cc_1h", "prices a 1-hour write like a 5-minute one"),
    (
        "2.1.87",
        "claude-sonnet-4-5-20250929",
        "in250k_out1k_usd",
        "knows no tier above 200K, which was in force",
    ),
    ("2.1.87", "claude-sonnet-4-5-20250929[1m]", "cc_1h", "prices a 1-hour write like a 5-minute one"),
    (
        "2.1.87",
        "claude-sonnet-4-5-20250929[1m]",
        "in250k_out1k_usd",
        "knows no tier above 200K, which was in force",
    ),
];

/// The measured figures are prices that the client computes, not prices of the day it ran: each client is compared with the
/// table of its own time.
#[test]
fn agrees_with_the_client_but_for_the_listed_cases() {
    let text = include_str!("../../tests/data/client-prices.json");
    let clients: Value = serde_json::from_str(text).unwrap();
    let table = PriceTable::builtin();
    let mut found = Vec::new();
    for (client, models) in clients.as_object().unwrap() {
        let at = match client.as_str() {
            "1.0.128" => day("2025-10-10"),
            "2.1.87" => day("2026-03-30"),
            _ => day("2026-11-30"),
        };
        for (asked, figures) in models.as_object().unwrap() {
            let answered = figures["model"].as_str().unwrap();
            let pico = |field: &str| (figures[field].as_f64().unwrap() * 1e6).round() as u64;
            // Short names such as `opus` are aliases of the client, not names of a transcript.
            let name = if asked.starts_with("claude-") { asked } else { answered };
            let rates = |prompt| table.rates(name, at, &STANDARD, prompt);
            let (Some(small), Some(large)) = (rates(1), rates(250_000)) else {
                found.push((client.as_str(), asked.as_str(), "all"));
                continue;
            };
            let long = (250_000 * u128::from(large.input) + 1_000 * u128::from(large.output)) / 1_000_000;
            let ours = [
                ("input", small.input),
                ("output", small.output),
                ("cache_read", small.read),
                ("cc_5m", small.write_5m),
                ("cc_1h", small.write_1h),
                ("in250k_out1k_usd", u64::try_from(long).unwrap()),
            ];
            let differing: Vec<_> =
                ours.iter().filter(|(field, ours)| pico(field) != *ours).map(|(field, _)| *field).collect();
            if differing.len() == ours.len() {
                found.push((client, asked, "all"));
            } else {
                found.extend(differing.into_iter().map(|field| (client.as_str(), asked.as_str(), field)));
            }
        }
    }
    found.sort_unstable();
    let listed: Vec<_> =
        DISAGREEMENTS.iter().map(|(client, model, field, _)| (*client, *model, *field)).collect();
    assert_eq!(found, listed);
}
