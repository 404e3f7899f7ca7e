//! Samples to count, in device memory, and the calls that count them.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use crate::common::*;

/// How samples are spread over [0, most).
#[derive(Clone, Copy, Debug)]
pub enum Spread {
    Random,
    Text,
    Constant,
    Two,
    Sorted,
    /// The square of a uniform number, squared again: most samples are small.
    Skewed,
}

/// `bytes` bytes of device memory.
pub struct Samples {
    pub ctx: Handle,
    pub at: *mut c_void,
    pub bytes: usize,
}

impl Samples {
    pub fn new(ctx: Handle, bytes: usize) -> Samples {
        Samples { ctx, at: malloc(ctx, MemoryKind::Device, bytes), bytes }
    }

    pub fn fill_bytes(&self, spread: Spread) {
        let (ctx, at, bytes) = (self.ctx, self.at, self.bytes);
        let (constant, two) = (77u8, 0xC803u16);
        // SAFETY: the block has `bytes` bytes; values of 8 bytes.
        check(unsafe {
            match spread {
                Spread::Constant => {
                    gpumex_fill(ctx, Dtype::U8 as i32, at, bytes, (&raw const constant).cast())
                }
                Spread::Two => gpumex_fill(ctx, Dtype::U16 as i32, at, bytes / 2, (&raw const two).cast()),
                Spread::Sorted => gpumex_fill_ascending(ctx, Dtype::U32 as i32, at, bytes / 4, 0.0, 8.0),
                _ => gpumex_random(ctx, Dtype::U8 as i32, at, bytes, 7, 0.0, 255.0),
            }
        });
        if matches!(spread, Spread::Text) {
            self.repeat(&english(64 << 20));
        }
    }

    /// Numbers of `dtype`, U32 or F32, in [0, most).
    pub fn fill(&self, dtype: Dtype, spread: Spread, most: f64) {
        let (ctx, at, count) = (self.ctx, self.at, self.bytes / 4);
        let two = |first: f64| match dtype {
            Dtype::F32 => u64::from((first as f32).to_bits()),
            _ => first as u64,
        };
        let constant = two(most * 0.3);
        let pair = constant | two(most * 0.6) << 32;
        // SAFETY: the block has count numbers of 4 bytes.
        check(unsafe {
            match spread {
                Spread::Constant => gpumex_fill(ctx, dtype as i32, at, count, (&raw const constant).cast()),
                Spread::Two => gpumex_fill(ctx, Dtype::U64 as i32, at, count / 2, (&raw const pair).cast()),
                Spread::Sorted => {
                    let step = if dtype == Dtype::U32 { 1.0 } else { most / count as f64 };
                    gpumex_fill_ascending(ctx, dtype as i32, at, count, 0.0, step)
                }
                _ => gpumex_random(ctx, dtype as i32, at, count, 7, 0.0, most),
            }
        });
        if matches!(spread, Spread::Skewed) {
            let mut state = 1u64;
            let mut next = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let uniform = (state >> 11) as f64 / (1u64 << 53) as f64;
                two(uniform.powi(4) * most) as u32
            };
            let block: Vec<u32> = (0..16 << 20).map(|_| next()).collect();
            self.repeat(&block);
        }
    }

    fn repeat<T>(&self, block: &[T]) {
        let len = size_of_val(block);
        for from in (0..self.bytes).step_by(len) {
            copy(
                self.ctx,
                self.at.wrapping_byte_add(from),
                block.as_ptr().cast(),
                len.min(self.bytes - from),
            );
        }
    }
}

/// Blanks and letters, each about as often as in English.
pub fn english(len: usize) -> Vec<u8> {
    let letters = b"                      eeeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddlllluuucccmmmwwffggyypppbbvk.,'\n";
    random(len * 2)
        .chunks_exact(2)
        .map(|pair| letters[usize::from(u16::from_le_bytes([pair[0], pair[1]])) % letters.len()])
        .collect()
}

/// The time of the kernels of one call, in ms; bins of the values themselves where `most` is 0.
pub fn count_ms(
    samples: &Samples,
    dtype: Dtype,
    channels: i32,
    bins: usize,
    most: f64,
    counts: *mut c_void,
) -> f64 {
    let width = match dtype {
        Dtype::U8 => 1,
        _ => 4,
    };
    let options = HistogramOptions { dtype: dtype as i32, channels, hi: most, ..HistogramOptions::default() };
    let len = samples.bytes / width / channels as usize * channels as usize;
    // SAFETY: len samples, channels · bins counters.
    let call = || check(unsafe { gpumex_histogram(samples.ctx, &options, samples.at, len, counts, bins) });
    kernel_ms(samples.ctx, call)
}
