//! Normal random numbers.
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

/// Where normal numbers come from and lie.
#[derive(Clone, Copy, Debug)]
pub struct Normal {
    pub seed: u64,
    pub mean: f64,
    pub deviation: f64,
}

/// array\[i\] ← a number of seed and i alone, normal with this mean and standard deviation.  array (count) of f32 or f64, anywhere.
///
/// Box and Muller's transform of the keys of `random` (cpu/random_normal.rs has the formula); the bits are the same on every backend
/// and do not depend on count. mean and deviation are rounded to the dtype first. Cost: writes the array once. Errors: INVALID_ARGUMENT
/// (size, mean, deviation), UNSUPPORTED (other dtypes), OUT_OF_MEMORY, CUDA.
pub fn random_normal(
    ctx: &mut Context,
    dtype: Dtype,
    array: Output,
    count: usize,
    normal: Normal,
) -> Result<()> {
    ctx.begin();
    normal.check(dtype)?;
    let mut array = array.view_of(dtype, &[count])?;
    if array.is_empty() {
        return Ok(());
    }
    let Normal { seed, mean, deviation } = normal;
    let work = cost::RANDOM_NORMAL.of(Variant::Auto, Footprint::of(&[&array]));
    ctx.run_auto(work, |engine| match (engine, dtype) {
        (Engine::Cpu(workers), Dtype::F32) => draw_on_cpu::<f32>(workers, &mut array, normal),
        (Engine::Cpu(workers), _) => draw_on_cpu::<f64>(workers, &mut array, normal),
        (Engine::Cuda(device), _) => gpu::random_normal::random_normal(device, array, seed, mean, deviation),
    })
}

fn draw_on_cpu<T: Element + cpu::random_normal::Normal>(
    workers: &cpu::Workers,
    array: &mut DynViewMut,
    Normal { seed, mean, deviation }: Normal,
) -> Result<()> {
    let [mean, deviation] = [mean, deviation].map(T::from_f64);
    cpu::random_normal::random_normal(workers, array.on_host()?, seed, mean, deviation)
}

/// Standard deviations that no number is away from the mean.
const FARTHEST: f64 = 9.0;

impl Normal {
    /// Refuses what the dtype does not have.
    fn check(&self, dtype: Dtype) -> Result<()> {
        let &Normal { mean, deviation, .. } = self;
        let largest = match dtype.required("dtype")? {
            Dtype::F32 => f64::from(f32::MAX),
            Dtype::F64 => f64::MAX,
            other => {
                return Err(Error::unsupported(format!(
                    "dtype is {}; normal numbers are F32 or F64",
                    other.c_name()
                )));
            }
        };
        if deviation >= 0.0 && mean.abs() + FARTHEST * deviation <= largest {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "mean is {mean:?} and deviation is {deviation:?}; for {} deviation is at least 0, and |mean| + 9*deviation is finite",
            dtype.c_name()
        )))
    }
}
