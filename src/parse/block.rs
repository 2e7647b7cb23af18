//! A line in blocks of 64 bytes: which bytes end a string, and what else they hold.
//!
//! The only module with `unsafe`: where the processor has AVX2, that is used, and the compiler cannot know it.
#![expect(
    unsafe_code,
    reason = "what is made for AVX2 runs where the processor was asked for it, and reads an array"
)]

use wide::u8x16;

pub(super) const BLOCK: usize = 64;

/// One bit for each byte of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// Ends a string or must not stand in one: a quote that is not escaped, or a control character.
    pub(super) stop: u64,
    /// Follows the backslash of an escape.
    pub(super) escaped: u64,
    /// Of these, what is not one of the short escapes: `u`, or no escape at all.
    pub(super) odd: u64,
    /// Belongs to a character that is not ASCII.
    pub(super) high: u64,
    /// Begins one.
    pub(super) lead: u64,
}

/// What single bytes of a block are.
struct Looked {
    quote: u64,
    backslash: u64,
    control: u64,
    high: u64,
    lead: u64,
}

/// A way to look at the bytes of a block.
pub(super) trait Look: Copy {
    /// The bytes of a block, of which those before are known to escape its first where `carry` is 1.
    fn block(self, bytes: &[u8; BLOCK], carry: &mut u64) -> Block;
}

/// Something that is done faster by a better way to look. Whatever it calls must be inlined into it, as the compiler
/// makes nothing else for the processor at hand.
pub(super) trait Work {
    type Out;
    fn run(self, look: impl Look) -> Self::Out;
}

/// Does it in the best way that the processor has.
pub(super) fn best<W: Work>(work: W) -> W::Out {
    #[cfg(target_arch = "x86_64")]
    if let Some(look) = avx2::Avx2::of_this_processor() {
        return look.run(work);
    }
    work.run(Portable)
}

/// 16 bytes at a time, on any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Look for Portable {
    #[inline(always)]
    fn block(self, bytes: &[u8; BLOCK], carry: &mut u64) -> Block {
        let mut looked = Looked { quote: 0, backslash: 0, control: 0, high: 0, lead: 0 };
        let (lanes, _) = bytes.as_chunks::<16>();
        for (number, lane) in lanes.iter().enumerate() {
            let lane = u8x16::new(*lane);
            let put = |found: u8x16| u64::from(found.to_bitmask()) << (number * 16);
            looked.quote |= put(lane.simd_eq(u8x16::splat(b'"')));
            looked.backslash |= put(lane.simd_eq(u8x16::splat(b'\\')));
            looked.control |= put(lane.min(u8x16::splat(LAST_CONTROL)).simd_eq(lane));
            looked.high |= put(lane.max(u8x16::splat(0x80)).simd_eq(lane));
            looked.lead |= put(lane.max(u8x16::splat(0xC0)).simd_eq(lane));
        }
        looked.block(carry, || {
            let is_short = |byte: &u8| matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't');
            bytes.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(is_short(byte)))
        })
    }
}

/// Bytes up to here are control characters.
const LAST_CONTROL: u8 = 0x1F;

impl Looked {
    /// `short` tells which bytes are the second half of a short escape, if they are one.
    #[inline(always)]
    fn block(&self, carry: &mut u64, short: impl FnOnce() -> u64) -> Block {
        let (mut escaped, mut odd) = (0, 0);
        if self.backslash | *carry != 0 {
            escaped = self::escaped(self.backslash, carry);
            odd = escaped & !short();
        }
        Block { stop: self.quote & !escaped | self.control, escaped, odd, high: self.high, lead: self.lead }
    }
}

/// The bytes that follow the backslash of an escape: of a run of backslashes every second one, and what follows a run of
/// odd length. A run is added to the bit of its start, so that the carry comes out behind it; where that start is at an
/// odd place the pattern of even places is turned around.
#[inline(always)]
fn escaped(backslash: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let backslash = backslash & !*carry;
    let follows = backslash << 1 | *carry;
    let odd_starts = backslash & !EVEN & !follows;
    let (even_runs, overflow) = odd_starts.overflowing_add(backslash);
    *carry = u64::from(overflow);
    (EVEN ^ (even_runs << 1)) & follows
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_min_epu8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setr_epi8, _mm256_shuffle_epi8,
    };

    use super::{BLOCK, Block, LAST_CONTROL, Look, Looked, Work};

    /// 32 bytes at a time. Only made where the processor has what it takes.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        pub(super) fn of_this_processor() -> Option<Self> {
            let has_all = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            has_all.then_some(Self(()))
        }

        #[inline]
        pub(super) fn run<W: Work>(self, work: W) -> W::Out {
            // SAFETY: there is an `Avx2`, so the processor has all that the function was compiled for.
            unsafe { run(self, work) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn run<W: Work>(look: Avx2, work: W) -> W::Out {
        work.run(look)
    }

    impl Look for Avx2 {
        #[inline(always)]
        fn block(self, bytes: &[u8; BLOCK], carry: &mut u64) -> Block {
            // SAFETY: there is an `Avx2`, so the processor has all that the functions were compiled for.
            unsafe { look(bytes).block(carry, || short(bytes)) }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn halves(block: &[u8; BLOCK]) -> (__m256i, __m256i) {
        let start = block.as_ptr().cast::<__m256i>();
        // SAFETY: both halves lie in the array of 64 bytes, and the loads need no alignment.
        unsafe { (_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(low: __m256i, high: __m256i) -> u64 {
        let (low, high) = (_mm256_movemask_epi8(low), _mm256_movemask_epi8(high));
        u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << 32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn look(block: &[u8; BLOCK]) -> Looked {
        let (low, high) = halves(block);
        let is = |byte: u8| {
            let byte = _mm256_set1_epi8(byte.cast_signed());
            bits(_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte))
        };
        let last = _mm256_set1_epi8(LAST_CONTROL.cast_signed());
        let is_control = |lane| _mm256_cmpeq_epi8(_mm256_min_epu8(lane, last), lane);
        let mut looked = Looked {
            quote: is(b'"'),
            backslash: is(b'\\'),
            control: bits(is_control(low), is_control(high)),
            high: bits(low, high),
            lead: 0,
        };
        // All bytes from 0x80 on have the sign; those that go on with a character are below 0xC0.
        if looked.high != 0 {
            let below = _mm256_set1_epi8(0xBFu8.cast_signed());
            looked.lead = bits(_mm256_cmpgt_epi8(low, below), _mm256_cmpgt_epi8(high, below)) & looked.high;
        }
        looked
    }

    /// Bytes that are the second half of a short escape. Their last four bits tell all but two of them apart: those choose
    /// what a byte would have to be.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn short(block: &[u8; BLOCK]) -> u64 {
        const fn wanted(at: usize) -> i8 {
            let byte = match at {
                0x2 => b'"',
                0x4 => b't',
                0x6 => b'f',
                0xC => b'\\',
                0xE => b'n',
                0xF => b'/',
                // No byte that ends in other bits is this one.
                _ => 0xFF,
            };
            byte.cast_signed()
        }
        const W: [i8; 16] = {
            let mut table = [0; 16];
            let mut at = 0;
            while at < 16 {
                table[at] = wanted(at);
                at += 1;
            }
            table
        };
        let table = _mm256_setr_epi8(
            W[0], W[1], W[2], W[3], W[4], W[5], W[6], W[7], W[8], W[9], W[10], W[11], W[12], W[13], W[14],
            W[15], W[0], W[1], W[2], W[3], W[4], W[5], W[6], W[7], W[8], W[9], W[10], W[11], W[12], W[13],
            W[14], W[15],
        );
        let (b, r) = (_mm256_set1_epi8(b'b'.cast_signed()), _mm256_set1_epi8(b'r'.cast_signed()));
        let is_short = |lane| {
            let chosen = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, lane), lane);
            let others = _mm256_or_si256(_mm256_cmpeq_epi8(lane, b), _mm256_cmpeq_epi8(lane, r));
            _mm256_or_si256(chosen, others)
        };
        let (low, high) = halves(block);
        bits(is_short(low), is_short(high))
    }
}

/// The blocks of a line, from left to right.
pub(super) struct Blocks<L> {
    look: L,
    /// Number of the block at hand, and what it holds.
    number: usize,
    block: Block,
    /// Blocks looked at.
    next: usize,
    /// The byte after the last of them is escaped.
    carry: u64,
}

impl<L: Look> Blocks<L> {
    #[inline(always)]
    pub(super) fn new(look: L) -> Self {
        Self { look, number: 0, block: Block::default(), next: 0, carry: 0 }
    }

    /// A block of the line by its number, which never is smaller than one asked for before; `None` behind the end.
    #[inline(always)]
    pub(super) fn block(&mut self, line: &[u8], number: usize) -> Option<Block> {
        while self.next <= number {
            let rest = line.get(self.next * BLOCK..).filter(|rest| !rest.is_empty())?;
            self.block = match rest.first_chunk::<BLOCK>() {
                Some(bytes) => self.look.block(bytes, &mut self.carry),
                None => {
                    let mut padded = [b' '; BLOCK];
                    padded[..rest.len()].copy_from_slice(rest);
                    self.look.block(&padded, &mut self.carry)
                }
            };
            self.number = self.next;
            self.next += 1;
        }
        Some(self.block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, byte by byte.
    fn plain(line: &[u8]) -> Vec<Block> {
        let mut blocks = vec![Block::default(); line.len().div_ceil(BLOCK)];
        let mut is_escaped = false;
        for (at, &byte) in line.iter().enumerate() {
            let (block, bit) = (&mut blocks[at / BLOCK], 1 << (at % BLOCK));
            if is_escaped {
                block.escaped |= bit;
                if !b"\"\\/bfnrt".contains(&byte) {
                    block.odd |= bit;
                }
            }
            if byte < 0x20 || (byte == b'"' && !is_escaped) {
                block.stop |= bit;
            }
            if byte >= 0x80 {
                block.high |= bit;
            }
            if byte >= 0xC0 {
                block.lead |= bit;
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        blocks
    }

    struct All<'l>(&'l [u8]);

    impl Work for All<'_> {
        type Out = Vec<Block>;
        #[inline(always)]
        fn run(self, look: impl Look) -> Vec<Block> {
            let mut blocks = Blocks::new(look);
            (0..).map_while(|number| blocks.block(self.0, number)).collect()
        }
    }

    fn all(line: &[u8]) -> Vec<Block> {
        best(All(line))
    }

    fn portable(line: &[u8]) -> Vec<Block> {
        All(line).run(Portable)
    }

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255 {
            for at in 0..BLOCK + 2 {
                for before in [b"".as_slice(), b"\\", b"\\\\", b"\\\\\\"] {
                    let mut line = vec![b'x'; at];
                    line.extend_from_slice(before);
                    line.extend([byte, b'y', b'"']);
                    assert_eq!(all(&line), plain(&line), "{byte} at {at}");
                    assert_eq!(portable(&line), plain(&line), "{byte} at {at}");
                }
            }
        }
    }

    #[test]
    fn runs_of_backslashes_over_blocks() {
        for start in 0..70 {
            for run in 0..200 {
                let mut line = vec![b'x'; start];
                line.extend(vec![b'\\'; run]);
                line.extend(b"\"u\xC3\xA9\n");
                assert_eq!(all(&line), plain(&line), "{run} from {start}");
                assert_eq!(portable(&line), plain(&line), "{run} from {start}");
            }
        }
        assert_eq!(all(b""), []);
    }
}
