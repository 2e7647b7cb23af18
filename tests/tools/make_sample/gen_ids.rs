//! The fixed clock and the small generator that ids, choices and numbers come from.

/// SplitMix64: small, seeded, the same everywhere.
#[derive(Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// Seeded by a name (FNV-1a), so that a change in one session leaves the others alone.
    pub(crate) fn named(name: &str) -> Self {
        Self(
            name.bytes()
                .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)),
        )
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    pub(crate) fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let last = from.len() as u64 - 1;
        &from[self.range(0, last) as usize]
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.range(1, 100) <= percent
    }

    fn text(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length).map(|_| char::from(*self.pick(alphabet))).collect()
    }

    pub(crate) fn hex(&mut self, length: usize) -> String {
        self.text(b"0123456789abcdef", length)
    }

    pub(crate) fn lower(&mut self, length: usize) -> String {
        self.text(b"abcdefghijklmnopqrstuvwxyz0123456789", length)
    }

    /// A version 4 UUID.
    pub(crate) fn uuid(&mut self) -> String {
        let h = self.hex(30);
        let variant = *self.pick(&['8', '9', 'a', 'b']);
        format!("{}-{}-4{}-{variant}{}-{}", &h[..8], &h[8..12], &h[12..15], &h[15..18], &h[18..30])
    }

    /// An id of the API: the prefix, then 24 characters that begin with `begin`.
    pub(crate) fn api_id(&mut self, prefix: &str, begin: &str) -> String {
        let rest = self.text(b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 24 - begin.len());
        format!("{prefix}{begin}{rest}")
    }

    /// What stands in for the signature of a thinking block.
    pub(crate) fn signature(&mut self) -> String {
        let body = self.text(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 86);
        format!("{body}==")
    }
}

pub(crate) const SECOND: i64 = 1_000;
pub(crate) const MINUTE: i64 = 60 * SECOND;
pub(crate) const DAY: i64 = 24 * 60 * MINUTE;

/// Milliseconds since 1970 of a minute of 2026, UTC.
pub(crate) fn at(month: i64, day: i64, hour: i64, minute: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    const DAYS_TO_2026: i64 = 20_454;
    (DAYS_TO_2026 + BEFORE[month as usize - 1] + day - 1) * DAY + (hour * 60 + minute) * MINUTE
}

/// `2026-08-27T09:00:00.000Z`. Years other than 2026 do not occur.
pub(crate) fn iso(ms: i64) -> String {
    let mut month = 12;
    while at(month, 1, 0, 0) > ms {
        month -= 1;
    }
    let in_month = ms - at(month, 1, 0, 0);
    let (day, of_day) = (in_month / DAY + 1, in_month % DAY);
    let (hour, minute) = (of_day / (60 * MINUTE), of_day / MINUTE % 60);
    let (second, milli) = (of_day / SECOND % 60, of_day % SECOND);
    format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}
