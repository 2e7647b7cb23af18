//! The only place where a number becomes a string, but for sentences, whose counts `words` writes. Integer arithmetic throughout, rounded half up, once.

use crate::words;

/// Pico-dollars in a dollar.
const PICO: u128 = 1_000_000_000_000;

/// A count with thousands separators: `1,080`.
#[must_use]
pub fn count(n: u128) -> String {
    words::count(n)
}

/// Tokens: exact below 10,000, three digits from there on: `74.7 k`, `1.49 B`.
#[must_use]
pub fn tokens(n: u128) -> String {
    if n < 10_000 { count(n) } else { scaled(n, &["k", "M", "B", "T"]) }
}

/// Bytes in decimal units, `1.02 GB`; exact below 1,000 and in words, because `B` stands for billion elsewhere.
#[must_use]
pub fn bytes(n: u64) -> String {
    match n {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{n} bytes"),
        _ => scaled(u128::from(n), &["kB", "MB", "GB", "TB", "PB", "EB"]),
    }
}

/// Milliseconds in the two largest units that matter: `0.4 s`, `12 s`, `2 min 5 s`, `3 h 0 min`, `12 d 4 h`.
#[must_use]
pub fn duration(ms: u64) -> String {
    let two = |size: u64, unit: &str, rest: u64, smaller: &str| {
        format!("{} {unit} {} {smaller}", count(u128::from(ms / size)), ms % size / rest)
    };
    match ms {
        0..10_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        10_000..60_000 => format!("{} s", ms / 1_000),
        60_000..3_600_000 => two(60_000, "min", 1_000, "s"),
        3_600_000..86_400_000 => two(3_600_000, "h", 60_000, "min"),
        _ => two(86_400_000, "d", 3_600_000, "h"),
    }
}

/// Pico-dollars: `$1,284.10`; four decimals below a dollar, and never zero for what is not.
#[must_use]
pub fn money(pico: u128) -> String {
    let ten_thousandths = div_round(pico, PICO / 10_000);
    if pico == 0 {
        "$0.00".to_owned()
    } else if pico < PICO / 10_000 {
        "<$0.0001".to_owned()
    } else if ten_thousandths < 10_000 {
        format!("$0.{ten_thousandths:04}")
    } else {
        let cents = div_round(pico, PICO / 100);
        format!("${}.{:02}", count(cents / 100), cents % 100)
    }
}

/// A difference in pico-dollars, with its sign: `+$0.1200`, `-$31.70`, `$0.00`.
#[must_use]
pub fn money_delta(pico: i128) -> String {
    let sign = match pico {
        0 => "",
        1.. => "+",
        _ => "-",
    };
    format!("{sign}{}", money(pico.unsigned_abs()))
}

/// A share in percent with one decimal, `None` where there is no whole. Only nothing is `0.0 %`, and no part of
/// a whole is `100.0 %`.
#[must_use]
pub fn percent(num: u128, den: u128) -> Option<String> {
    let tenths = mul_div(num, 1_000, den)?;
    Some(match tenths {
        0 if num > 0 => "<0.1 %".to_owned(),
        1_000.. if num < den => ">99.9 %".to_owned(),
        _ => format!("{}.{} %", count(tenths / 10), tenths % 10),
    })
}

/// A factor with three digits, `2.99x`, `171x`; `None` where it would be infinite.
#[must_use]
pub fn times(num: u128, den: u128) -> Option<String> {
    let hundredths = mul_div(num, 100, den)?;
    Some(match hundredths {
        0 if num > 0 => "<0.01x".to_owned(),
        0..1_000 => format!("{}.{:02}x", hundredths / 100, hundredths % 100),
        _ => match mul_div(num, 10, den)? {
            tenths @ 0..1_000 => format!("{}.{}x", tenths / 10, tenths % 10),
            _ => format!("{}x", count(mul_div(num, 1, den)?)),
        },
    })
}

/// A relation to one, `171:1`; one decimal below ten; `None` where it would be infinite.
#[must_use]
pub fn ratio(num: u128, den: u128) -> Option<String> {
    let tenths = mul_div(num, 10, den)?;
    Some(match tenths {
        0 if num > 0 => "<0.1:1".to_owned(),
        0..100 => format!("{}.{}:1", tenths / 10, tenths % 10),
        _ => format!("{}:1", count(mul_div(num, 1, den)?)),
    })
}

/// A fraction with six decimals for machines, `0.776000`; `None` where there is no whole.
#[must_use]
pub fn fraction(num: u128, den: u128) -> Option<String> {
    let millionths = mul_div(num, 1_000_000, den)?;
    Some(format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000))
}

/// Three digits and the first unit of 1,000 that needs no fourth; the last unit takes all that is larger, with
/// separators. `n` is at least 1,000.
fn scaled(n: u128, units: &[&str]) -> String {
    let mut size = 1_000;
    for unit in units {
        let (hundredths, tenths, whole) =
            (div_round(n, size / 100), div_round(n, size / 10), div_round(n, size));
        if hundredths < 1_000 {
            return format!("{}.{:02} {unit}", hundredths / 100, hundredths % 100);
        } else if tenths < 1_000 {
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        } else if whole < 1_000 || units.last() == Some(unit) {
            return format!("{} {unit}", count(whole));
        }
        size *= 1_000;
    }
    count(n)
}

/// `num / den` rounded half up, without a sum that could overflow.
fn div_round(num: u128, den: u128) -> u128 {
    let (whole, rest) = (num / den, num % den);
    whole + u128::from(rest >= den - rest)
}

/// `num * factor / den` rounded half up, exact for every input whose result fits; larger ones stop at the
/// maximum. `None` for `den` 0.
fn mul_div(num: u128, factor: u128, den: u128) -> Option<u128> {
    let whole = num.checked_div(den)?;
    // The rest times the factor, bit by bit, keeping only what is left of `den`: the product may not fit.
    let step = num % den;
    let (mut quotient, mut rest) = (0_u128, 0_u128);
    for bit in (0..u128::BITS - factor.leading_zeros()).rev() {
        quotient *= 2;
        for add in [rest, if factor >> bit & 1 == 1 { step } else { 0 }] {
            if rest >= den - add {
                rest -= den - add;
                quotient += 1;
            } else {
                rest += add;
            }
        }
    }
    quotient += u128::from(rest > 0 && rest >= den - rest);
    Some(whole.saturating_mul(factor).saturating_add(quotient))
}
