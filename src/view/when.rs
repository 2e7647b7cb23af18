//! Points in time.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Cell;
use crate::model::Time;

/// A time in UTC, as RFC 3339 with milliseconds; `None` where there is none.
#[must_use]
pub fn utc(time: Time) -> Option<String> {
    stamp(time).map(|stamp| format!("{stamp:.3}"))
}

/// A time to the minute, as a clock of the zone showed it; unknown where there is none.
#[must_use]
pub fn moment(time: Time, zone: &TimeZone) -> Cell {
    at(time, zone, "%Y-%m-%d %H:%M")
}

/// The same to the second, without its day.
#[must_use]
pub fn clock(time: Time, zone: &TimeZone) -> Cell {
    at(time, zone, "%H:%M:%S")
}

fn at(time: Time, zone: &TimeZone, format: &str) -> Cell {
    let (Some(utc), Some(stamp)) = (utc(time), stamp(time)) else { return Cell::Unknown };
    let local = stamp.to_zoned_datetime(zone.clone()).strftime(format).to_string();
    Cell::Moment { utc, local }
}

fn stamp(time: Time) -> Option<Timestamp> {
    Timestamp::from_millisecond(time.ms()?).ok()
}
