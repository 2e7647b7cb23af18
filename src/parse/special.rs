//! Where quotes, backslashes and control characters stand in a line, 64 bytes at a time.

use wide::u8x16;

/// The quotes and backslashes of a line, looked up from left to right.
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
    /// Where the first quote or backslash from `at` on stands. `at` never goes back to before the last answer's
    /// question.
    #[inline]
    pub(super) fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let mut at = at.max(self.base);
        loop {
            if at < self.end {
                let rest = self.mask >> (at - self.base);
                if rest != 0 {
                    return Some(at + rest.trailing_zeros() as usize);
                }
                at = self.end;
            }
            let block = bytes.get(at..).filter(|rest| !rest.is_empty())?;
            self.base = at;
            self.end = at + BLOCK.min(block.len());
            self.mask = if let Some(block) = block.first_chunk() {
                mask(block)
            } else {
                let mut padded = [b' '; BLOCK];
                padded[..block.len()].copy_from_slice(block);
                mask(&padded)
            };
        }
    }
}

/// One bit for each byte that is a quote or a backslash.
#[inline]
fn mask(block: &[u8; BLOCK]) -> u64 {
    let (lanes, _) = block.as_chunks::<16>();
    lanes.iter().enumerate().fold(0, |mask, (number, lane)| {
        let lane = u8x16::new(*lane);
        let found = lane.simd_eq(u8x16::splat(b'"')) | lane.simd_eq(u8x16::splat(b'\\'));
        mask | u64::from(found.to_bitmask()) << (number * 16)
    })
}

/// True where a control character stands anywhere. JSON has none inside strings, and between its tokens the
/// few that it may have are rare enough to be left to the exact reader.
pub(super) fn has_control(bytes: &[u8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit of a byte is set where the byte is below 0x20; a borrow can set it wrongly only above such
    // a byte.
    let below = |word: u64| word.wrapping_sub(ONES * 0x20) & !word & (ONES << 7);
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    // No early exit inside a block: the compiler makes vector operations of it.
    let in_block = |block: &[u8; BLOCK]| {
        let (words, _) = block.as_chunks::<8>();
        words.iter().fold(0, |any, word| any | below(u64::from_le_bytes(*word))) != 0
    };
    blocks.iter().any(in_block) || rest.iter().any(|byte| *byte < 0x20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found_in_order() {
        for len in 0..200 {
            for byte in [b'"', b'\\'] {
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

    #[test]
    fn control_characters_are_seen_wherever_they_stand() {
        for len in 0..200 {
            let mut bytes = vec![0xC3; len];
            bytes.extend([b' ', 0x7F, 0x80, 0xFF, b'~']);
            assert!(!has_control(&bytes), "{len}");
            for byte in 0..0x20 {
                for at in [0, len / 2, len] {
                    let mut bytes = bytes.clone();
                    bytes[at] = byte;
                    assert!(has_control(&bytes), "{byte} at {at} of {len}");
                }
            }
        }
    }
}
