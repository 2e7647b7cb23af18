//! Times on the command line.

use anyhow::{Context as _, Result, bail};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _, ZonedDateTime};

/// The first millisecond that a `--since` includes.
pub(super) fn since(text: &str, now: &ZonedDateTime) -> Result<i64> {
    Ok(match point(text, now)? {
        Point::Day(day) => start_of(day, now.time_zone())?,
        Point::Instant(at) => at,
    }
    .as_millisecond())
}

/// The first millisecond that an `--until` leaves out: the day after a date, the millisecond after a time.
pub(super) fn until(text: &str, now: &ZonedDateTime) -> Result<i64> {
    Ok(match point(text, now)? {
        Point::Day(day) => {
            start_of(day.tomorrow().context("the day after is out of range")?, now.time_zone())?
        }
        Point::Instant(at) => at.checked_add(1.millisecond()).context("the time is out of range")?,
    }
    .as_millisecond())
}

/// The clock given with `--now`: a time, or the start of a day.
pub(super) fn now(text: &str, zone: &TimeZone) -> Result<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let day = text.parse::<Date>().ok().filter(|_| text.len() == 10);
    let day = day.with_context(|| {
        format!("--now {text}: give a date as 2026-08-31 or a time as 2026-08-31T12:00:00Z")
    })?;
    start_of(day, zone)
}

enum Point {
    Day(Date),
    Instant(Timestamp),
}

fn point(text: &str, now: &ZonedDateTime) -> Result<Point> {
    let today = now.date();
    match text {
        "today" => return Ok(Point::Day(today)),
        "yesterday" => return Ok(Point::Day(today.yesterday().context("yesterday is out of range")?)),
        _ => {}
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(Point::Instant(at));
    }
    if text.len() == 10
        && let Ok(day) = text.parse::<Date>()
    {
        return Ok(Point::Day(day));
    }
    let form = "give a date as 2026-08-31, a time as 2026-08-31T12:00:00Z, `today`, `yesterday`, or an age as 7d, 2w, 3m or 12h";
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let Ok(number) = number.parse::<i64>() else { bail!("{text}: {form}") };
    let back = |span: std::result::Result<Span, jiff::Error>| -> Result<Date> {
        let span = span.with_context(|| format!("{text} is too long"))?;
        today.checked_sub(span).with_context(|| format!("{text} is too long"))
    };
    // N days are today and the N - 1 before it.
    let days = number.max(1) - 1;
    Ok(match unit {
        "h" => Point::Instant(
            now.timestamp()
                .checked_sub(Span::new().try_hours(number).with_context(|| format!("{text} is too long"))?)
                .with_context(|| format!("{text} is too long"))?,
        ),
        "d" => Point::Day(back(Span::new().try_days(days))?),
        "w" => Point::Day(back(Span::new().try_days(number.saturating_mul(7).max(1) - 1))?),
        "m" => Point::Day(back(Span::new().try_months(number))?),
        _ => bail!("{text}: {form}"),
    })
}

fn start_of(day: Date, zone: &TimeZone) -> Result<Timestamp> {
    Ok(day
        .to_zoned_datetime(zone.clone())
        .with_context(|| format!("{day} does not exist in this time zone"))?
        .timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> ZonedDateTime {
        let at: Timestamp = "2026-08-27T22:30:00Z".parse().unwrap();
        at.to_zoned_datetime(TimeZone::get("Europe/Berlin").unwrap())
    }

    fn utc(ms: i64) -> String {
        Timestamp::from_millisecond(ms).unwrap().to_string()
    }

    #[test]
    fn ages_count_calendar_days_of_the_zone() {
        // In Berlin it is 2026-08-28 already, and summer time.
        assert_eq!(utc(since("1d", &clock()).unwrap()), "2026-08-27T22:00:00Z");
        assert_eq!(utc(since("7d", &clock()).unwrap()), "2026-08-21T22:00:00Z");
        assert_eq!(utc(since("1w", &clock()).unwrap()), "2026-08-21T22:00:00Z");
        assert_eq!(utc(since("12h", &clock()).unwrap()), "2026-08-27T10:30:00Z");
        assert_eq!(utc(since("today", &clock()).unwrap()), "2026-08-27T22:00:00Z");
        assert_eq!(utc(since("yesterday", &clock()).unwrap()), "2026-08-26T22:00:00Z");
    }

    #[test]
    fn a_date_is_a_whole_day() {
        assert_eq!(utc(since("2026-08-01", &clock()).unwrap()), "2026-07-31T22:00:00Z");
        assert_eq!(utc(until("2026-08-01", &clock()).unwrap()), "2026-08-01T22:00:00Z");
        assert_eq!(utc(until("2026-08-01T00:00:00Z", &clock()).unwrap()), "2026-08-01T00:00:00.001Z");
    }

    #[test]
    fn nonsense_says_what_is_accepted() {
        for text in ["", "soon", "7x", "2026-13-01", "99999999999999999999d", "9223372036854775807w"] {
            assert!(since(text, &clock()).is_err(), "{text}");
        }
    }
}
