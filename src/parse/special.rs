//! Where the bytes stand that mean something inside a string, 64 bytes at a time.

use wide::u8x16;

/// The quotes, backslashes and control characters of a line, looked up from left to right.
#[derive(Default)]
pub(super) struct Specials {
    /// Start of the block that `mask` is about.
    base: usize,
    /// One bit for each byte of the block; 0 also before the first block was looked at.
    mask: u64,
    /// One past the bytes that were looked at.
    end: usize,
}

const BLOCK: usize = 64;

impl Specials {
    /// Where the first of them from `at` on stands. `at` never goes back to before the last answer's
    /// question.
    #[inline]
    pub(super) fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let at = at.max(self.base);
        if at < self.end {
            let rest = self.mask >> (at - self.base);
            if rest != 0 {
                return Some(at + rest.trailing_zeros() as usize);
            }
        }
        self.look_on(bytes, at.max(self.end))
    }

    /// The first one from `at` on, where the next block starts.
    fn look_on(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let (blocks, tail) = rest.as_chunks::<BLOCK>();
        for (number, block) in blocks.iter().enumerate() {
            let mask = mask(block);
            if mask != 0 {
                return Some(self.found(at + number * BLOCK, BLOCK, mask));
            }
        }
        let mut padded = [b' '; BLOCK];
        padded[..tail.len()].copy_from_slice(tail);
        let mask = mask(&padded);
        (mask != 0).then(|| self.found(at + blocks.len() * BLOCK, tail.len(), mask))
    }

    fn found(&mut self, base: usize, len: usize, mask: u64) -> usize {
        *self = Self { base, mask, end: base + len };
        base + mask.trailing_zeros() as usize
    }
}

/// One bit for each byte that is a quote, a backslash or a control character.
#[inline]
fn mask(block: &[u8; BLOCK]) -> u64 {
    let (lanes, _) = block.as_chunks::<16>();
    let last_control = u8x16::splat(0x1F);
    lanes.iter().enumerate().fold(0, |mask, (number, lane)| {
        let lane = u8x16::new(*lane);
        let is_control = lane.min(last_control).simd_eq(lane);
        let found = lane.simd_eq(u8x16::splat(b'"')) | lane.simd_eq(u8x16::splat(b'\\')) | is_control;
        mask | u64::from(found.to_bitmask()) << (number * 16)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found_in_order() {
        for len in 0..200 {
            for byte in [b'"', b'\\', 0x00, 0x1F] {
                let mut bytes = vec![b'x'; len];
                bytes.extend([byte, 0xFF, b'"', 0x7F, b'\\']);
                let mut specials = Specials::default();
                for at in 0..=len {
                    assert_eq!(specials.next(&bytes, at), Some(len), "{byte} after {len} from {at}");
                }
                assert_eq!(specials.next(&bytes, len + 1), Some(len + 2));
                assert_eq!(specials.next(&bytes, len + 3), Some(len + 4));
                assert_eq!(specials.next(&bytes, len + 5), None);
            }
        }
        assert_eq!(Specials::default().next(b"\x20\x21\x23\x7F\x80\xFF[]", 0), None);
        assert_eq!(Specials::default().next(b"", 0), None);
    }
}
