//! A course over days as few equal steps, for a small chart.

use jiff::civil::Date;

/// Sums over `step` days each, the last step ending on the last day; only the first may be cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Days to a step.
    pub step: u64,
    pub sums: Vec<u128>,
}

/// Days as `YYYY-MM-DD` in order, those left out being zero, in at most `most` steps. `None` for less than two days.
#[must_use]
pub fn course(trend: &[(String, u128)], most: u64) -> Option<Course> {
    let days = trend.iter().map(|(day, sum)| Some((day.parse::<Date>().ok()?, *sum)));
    let days: Vec<(Date, u128)> = days.collect::<Option<_>>()?;
    let last = days.last()?.0;
    // Days before the last one.
    let age = |day: Date| u64::try_from((last - day).get_days()).unwrap_or(0);
    let span = age(days.first()?.0) + 1;
    if span < 2 {
        return None;
    }
    let step = span.div_ceil(most.max(1));
    let mut sums = vec![0; usize::try_from(span.div_ceil(step)).ok()?];
    for (day, sum) in days {
        let at = usize::try_from(age(day) / step).ok()?;
        if let Some(slot) = sums.iter_mut().rev().nth(at) {
            *slot += sum;
        }
    }
    Some(Course { step, sums })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(days: &[(&str, u128)]) -> Vec<(String, u128)> {
        days.iter().map(|(day, sum)| ((*day).to_owned(), *sum)).collect()
    }

    #[test]
    fn days_without_anything_are_there() {
        let trend = days(&[("2026-02-27", 1), ("2026-03-02", 5)]);
        assert_eq!(course(&trend, 60), Some(Course { step: 1, sums: vec![1, 0, 0, 5] }));
        assert_eq!(course(&trend, 3), Some(Course { step: 2, sums: vec![1, 5] }));
        assert_eq!(course(&trend[..1], 60), None);
        assert_eq!(course(&[], 60), None);
    }

    #[test]
    fn steps_are_few_and_lose_nothing() {
        let trend = days(&[("0001-01-01", 7), ("2026-03-01", 2), ("9999-12-31", 1)]);
        for most in 1..70 {
            let course = course(&trend, most).unwrap();
            assert!(course.sums.len() as u64 <= most);
            assert_eq!(course.sums.iter().sum::<u128>(), 10);
            assert!(course.sums[0] >= 7 && *course.sums.last().unwrap() >= 1);
        }
    }
}
