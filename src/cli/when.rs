//! Times on the command line.

use anyhow::{Context as _, Result, bail};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _, ZonedDateTime};

/// The first millisecond that a `--since` includes.
pub(super) fn since(text: &str, now: &ZonedDateTime) -> Result<i64> {
    let start = point(text, now)?.and_then(|point| match point {
        Point::Day(day) => start_of(day, now.time_zone()),
        Point::Instant(at) => Some(at),
    });
    Ok(start.with_context(|| beyond(text))?.as_millisecond())
}

/// The first millisecond that an `--until` leaves out: the day after a date, the millisecond after a time.
pub(super) fn until(text: &str, now: &ZonedDateTime) -> Result<i64> {
    let end = point(text, now)?.and_then(|point| match point {
        Point::Day(day) => start_of(day.tomorrow().ok()?, now.time_zone()),
        Point::Instant(at) => at.checked_add(1.millisecond()).ok(),
    });
    Ok(end.with_context(|| beyond(text))?.as_millisecond())
}

fn beyond(text: &str) -> String {
    format!("{text} lies beyond the calendar: give a time nearer to now")
}

/// The clock given with `--now`: a time, or the start of a day.
pub(super) fn now(text: &str, zone: &TimeZone) -> Result<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let day = text.parse::<Date>().ok().filter(|_| text.len() == 10);
    day.and_then(|day| start_of(day, zone))
        .with_context(|| format!("--now {text}: give a date as 2026-08-31 or a time as 2026-08-31T12:00:00Z"))
}

enum Point {
    Day(Date),
    Instant(Timestamp),
}

/// What a text means; `None` where that lies beyond the calendar.
fn point(text: &str, now: &ZonedDateTime) -> Result<Option<Point>> {
    let today = now.date();
    match text {
        "today" => return Ok(Some(Point::Day(today))),
        "yesterday" => return Ok(today.yesterday().ok().map(Point::Day)),
        _ => {}
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(Some(Point::Instant(at)));
    }
    if text.len() == 10
        && let Ok(day) = text.parse::<Date>()
    {
        return Ok(Some(Point::Day(day)));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    if number.is_empty() || !["h", "d", "w", "m"].contains(&unit) {
        bail!(
            "{text}: give a date as 2026-08-31, a time as 2026-08-31T12:00:00Z, `today`, `yesterday`, or an age as 7d, 2w, 3m or 12h"
        );
    }
    let number = number.parse().unwrap_or(i64::MAX);
    let back = |span: Span| today.checked_sub(span).ok().map(Point::Day);
    // N days are today and the N - 1 before it.
    let days = |n: i64| Span::new().try_days(n.max(1) - 1).ok();
    Ok(match unit {
        "h" => Span::new()
            .try_hours(number)
            .ok()
            .and_then(|span| now.timestamp().checked_sub(span).ok())
            .map(Point::Instant),
        "d" => days(number).and_then(back),
        "w" => days(number.saturating_mul(7)).and_then(back),
        _ => Span::new().try_months(number).ok().and_then(back),
    })
}

fn start_of(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    day.to_zoned_datetime(zone.clone()).ok().map(|start| start.timestamp())
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
