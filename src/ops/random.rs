//! Uniform random numbers, and sorted ones.
//!
//! Source of the generator: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
//! SC'11.
#![forbid(unsafe_code)]

use super::cost;
use crate::array::{DynViewMut, Element, Footprint, Output};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;

/// Where random numbers come from and lie.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    pub seed: u64,
    pub lo: f64,
    pub hi: f64,
}

/// array\[i\] ← a number of seed and i alone, uniform in \[lo, hi\] for integers, in \[lo, hi) for floats.
/// array (count) of the dtype, anywhere.
///
/// Element i has the 64-bit key k of Philox4x32-10: key words (seed mod 2^32, seed div 2^32), counter words (b mod
/// 2^32, b div 2^32, 0, 0) with b = ⌊i/2⌋; of its words x0 … x3 an even i takes x0 + x1·2^32, an odd one x2 +
/// x3·2^32. Integers: lo + ⌊k·(hi − lo + 1)/2^64⌋. Floats: lo + u·(hi − lo), each operation rounded, u the upper
/// 24 (f32) or 53 (f64) bits of k as a fraction of 1; what reaches hi is the next number below it. The bits are
/// the same on every backend and do not depend on count. lo and hi are rounded to the dtype first.
///
/// Cost: writes the array once, about ten products of 32 bits an element. Errors: INVALID_ARGUMENT (size;
/// integers: lo ≤ hi, values of the dtype; floats: lo < hi, hi − lo within the dtype), UNSUPPORTED, OUT_OF_MEMORY,
/// CUDA.
pub fn random(ctx: &mut Context, dtype: Dtype, array: Output, count: usize, uniform: Uniform) -> Result<()> {
    ctx.begin();
    uniform.check(dtype)?;
    draw(ctx, dtype, array, count, uniform, false)
}

/// array ← the numbers of [`random`], ascending.
///
/// Cost: that of `random` and a sort; on CUDA memory for the keys. Errors: as `random`.
pub fn random_sorted(
    ctx: &mut Context,
    dtype: Dtype,
    array: Output,
    count: usize,
    uniform: Uniform,
) -> Result<()> {
    ctx.begin();
    uniform.check(dtype)?;
    draw(ctx, dtype, array, count, uniform, true)
}

fn draw(
    ctx: &mut Context,
    dtype: Dtype,
    array: Output,
    count: usize,
    uniform: Uniform,
    is_sorted: bool,
) -> Result<()> {
    let mut array = array.view_of(dtype, &[count])?;
    if array.is_empty() {
        return Ok(());
    }
    let Uniform { seed, lo, hi } = uniform;
    let cost = if is_sorted { cost::RANDOM_SORTED } else { cost::RANDOM };
    let work = cost.of(Variant::Auto, Footprint::of(&[&array]));
    ctx.run_auto(work, |engine| match (engine, is_sorted) {
        (Engine::Cpu(workers), _) => {
            dispatch_dtype!(dtype, draw_on_cpu(workers, &mut array, uniform))?;
            match (is_sorted, dtype.size()) {
                (false, _) => Ok(()),
                (true, 1) => cpu::random::sort::<u8>(workers, array.on_host()?, kind_of(dtype)),
                (true, 2) => cpu::random::sort::<u16>(workers, array.on_host()?, kind_of(dtype)),
                (true, 4) => cpu::random::sort::<u32>(workers, array.on_host()?, kind_of(dtype)),
                (true, _) => cpu::random::sort::<u64>(workers, array.on_host()?, kind_of(dtype)),
            }
        }
        (Engine::Cuda(device), true) => gpu::random::random_sorted(device, array, seed, lo, hi),
        (Engine::Cuda(device), false) => gpu::random::random(device, array, seed, lo, hi),
    })
}

fn kind_of(dtype: Dtype) -> cpu::random::Kind {
    match dtype {
        Dtype::F32 | Dtype::F64 => cpu::random::Kind::Float,
        _ if dtype.is_signed_integer() => cpu::random::Kind::Signed,
        _ => cpu::random::Kind::Unsigned,
    }
}

fn draw_on_cpu<T: Element + cpu::random::Uniform>(
    workers: &cpu::Workers,
    array: &mut DynViewMut,
    Uniform { seed, lo, hi }: Uniform,
) -> Result<()> {
    cpu::random::random(workers, array.on_host()?, seed, T::from_f64(lo), T::from_f64(hi))
}

impl Uniform {
    /// Refuses an interval that the dtype does not have.
    fn check(&self, dtype: Dtype) -> Result<()> {
        super::dtypes::check_numbers(dtype)?;
        let &Uniform { lo, hi, .. } = self;
        if dtype.integers().is_some() {
            super::held("lo", super::whole("lo", lo, dtype)?, dtype)?;
            super::held("hi", super::whole("hi", hi, dtype)?, dtype)?;
            return match lo <= hi {
                true => Ok(()),
                false => {
                    Err(Error::invalid(format!("lo is {lo} and hi is {hi}; for {} lo <= hi", dtype.c_name())))
                }
            };
        }
        let (from, to, largest) = match dtype {
            Dtype::F32 => (f64::from(lo as f32), f64::from(hi as f32), f64::from(f32::MAX)),
            _ => (lo, hi, f64::MAX),
        };
        match from < to && to - from <= largest {
            true => Ok(()),
            false => Err(Error::invalid(format!(
                "lo is {lo:?} and hi is {hi:?}; for {} they are finite numbers with lo < hi, and hi - lo is one as well",
                dtype.c_name()
            ))),
        }
    }
}
