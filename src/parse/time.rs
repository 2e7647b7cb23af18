//! Timestamps of entries.

use crate::model::Time;

/// An RFC 3339 time. The form that clients write (`2026-08-03T10:00:05.000Z`) is read directly, every other
/// one by the time library. That takes times up to 9999-12-30T22:00Z, so that each has its day in every time zone;
/// what comes after is no usable time.
pub(super) fn parse(text: &str) -> Option<Time> {
    fast(text.as_bytes())
        .or_else(|| text.parse::<jiff::Timestamp>().ok().map(|time| time.as_millisecond()))
        .map(Time::from_ms)
}

fn fast(text: &[u8]) -> Option<i64> {
    let [
        y1,
        y2,
        y3,
        y4,
        b'-',
        m1,
        m2,
        b'-',
        d1,
        d2,
        b'T',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
        b'.',
        f1,
        f2,
        f3,
        b'Z',
    ] = *text
    else {
        return None;
    };
    let number = |digits: &[u8]| {
        digits
            .iter()
            .try_fold(0i64, |sum, &digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))
    };
    let (year, month, day) = (number(&[y1, y2, y3, y4])?, number(&[m1, m2])?, number(&[d1, d2])?);
    let (hour, minute, second) = (number(&[h1, h2])?, number(&[n1, n2])?, number(&[s1, s2])?);
    // The years that the time library takes as a whole.
    let valid =
        (1970..9999).contains(&year) && (1..=12).contains(&month) && hour < 24 && minute < 60 && second < 60;
    if !valid || day < 1 || day > days_in(year, month) {
        return None;
    }
    let seconds = (days_from_1970(year, month, day) * 24 + hour) * 3600 + minute * 60 + second;
    Some(seconds * 1000 + number(&[f1, f2, f3])?)
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, counted in years that start in March so that the leap day comes last.
const fn days_from_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_time_library() {
        for text in [
            "1970-01-01T00:00:00.000Z",
            "2000-02-29T23:59:59.999Z",
            "2026-08-03T10:00:05.000Z",
            "2026-12-31T23:59:59.001Z",
            "2100-03-01T00:00:00.000Z",
        ] {
            let expected = text.parse::<jiff::Timestamp>().unwrap().as_millisecond();
            assert_eq!(fast(text.as_bytes()), Some(expected), "{text}");
        }
    }

    #[test]
    fn every_time_has_a_day_in_every_zone() {
        let zones = ["UTC", "Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin", "America/St_Johns"];
        let zones = zones.map(|zone| jiff::tz::TimeZone::get(zone).unwrap());
        for (text, known) in [
            ("0000-01-01T00:00:00Z", true),
            ("1969-12-31T23:59:59.999Z", true),
            ("2024-02-29T23:59:60Z", true),
            ("2026-08-03t10:00:05z", true),
            ("9998-12-31T23:59:59.999Z", true),
            ("9999-12-30T21:59:59.999Z", true),
            ("9999-12-31T23:59:59Z", false),
        ] {
            let time = parse(text).and_then(Time::ms);
            assert_eq!(time.is_some(), known, "{text}");
            for zone in &zones {
                let day = |ms| {
                    jiff::Timestamp::from_millisecond(ms).unwrap().to_zoned_datetime(zone.clone()).date()
                };
                assert_eq!(time.map(day).is_some(), known, "{text}");
            }
        }
    }

    #[test]
    fn other_forms_and_nonsense() {
        let with_offset = parse("2026-03-24T00:10:00.123+02:00").and_then(Time::ms);
        assert_eq!(with_offset, parse("2026-03-23T22:10:00.123Z").and_then(Time::ms));
        for text in ["", "yesterday", "2026-02-30T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "1785751205"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
