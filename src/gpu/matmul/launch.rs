//! The launch of each variant.

use std::ptr::null;

use super::super::Device;
use super::super::Float;
use super::super::runtime::device::check_launch;
use super::super::runtime::kernels::{
    MatmulArgs, gpumexk_matmul_blocked_f32, gpumexk_matmul_blocked_f64, gpumexk_matmul_naive_f32,
    gpumexk_matmul_naive_f64, gpumexk_matmul_skinny_f32, gpumexk_matmul_skinny_f64,
    gpumexk_matmul_skinny_scratch, gpumexk_matmul_tensor_f32, gpumexk_matmul_tensor_scratch,
    gpumexk_matmul_tf32_f32, gpumexk_matmul_tf32_scratch, gpumexk_matmul_tiled_f32, gpumexk_matmul_tiled_f64,
};
use super::super::runtime::memory::Buffer;
use super::super::runtime::tuning::Kernel;
use super::auto;
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::matmul::MatmulVariant;

/// Enqueues the product of matrices of T on the device.
pub fn launch<T: Float>(device: &Device, variant: MatmulVariant, product: &MatmulArgs) -> Result<()> {
    let is_f32 = T::DTYPE == Dtype::F32;
    match variant {
        MatmulVariant::Auto | MatmulVariant::Sequential => {
            launch::<T>(device, auto::choose(device.compute(), T::DTYPE, product)?, product)
        }
        MatmulVariant::Naive => naive(device, is_f32, product),
        MatmulVariant::Blocked => blocked(device, is_f32, product),
        MatmulVariant::Tensor if is_f32 => tensor(device, product),
        MatmulVariant::Tf32 if auto::is_for_tf32(product) || device.tunings().is_set(Kernel::MatmulTf32) => {
            tf32(device, product)
        }
        MatmulVariant::Tf32 => {
            check_tensor_cores(device)?;
            launch::<T>(device, auto::choose(device.compute(), T::DTYPE, product)?, product)
        }
        MatmulVariant::Tiled | MatmulVariant::Tensor if auto::is_skinny(T::DTYPE, product) => {
            skinny(device, is_f32, product)
        }
        MatmulVariant::Tiled | MatmulVariant::Tensor => tiled(device, is_f32, product, null()),
        MatmulVariant::Cublas => {
            device.refuse_capture("the workspace of cuBLAS belongs to the context")?;
            device.cublas()?.multiply::<T>(device, product)
        }
    }
}

fn naive(device: &Device, is_f32: bool, product: &MatmulArgs) -> Result<()> {
    let tuning = device.tuning(Kernel::MatmulNaive);
    // SAFETY: the matrices hold what `product` says, of f32 or f64.
    device.launch(|stream| unsafe {
        match is_f32 {
            true => gpumexk_matmul_naive_f32(product, &tuning, stream),
            false => gpumexk_matmul_naive_f64(product, &tuning, stream),
        }
    })
}

fn blocked(device: &Device, is_f32: bool, product: &MatmulArgs) -> Result<()> {
    let tuning = device.tuning(Kernel::MatmulBlocked);
    // SAFETY: as above.
    device.launch(|stream| unsafe {
        match is_f32 {
            true => gpumexk_matmul_blocked_f32(product, &tuning, stream),
            false => gpumexk_matmul_blocked_f64(product, &tuning, stream),
        }
    })
}

/// `only_if`: null, or a word on the device that is 0 where nothing is to be done; f32 alone.
fn tiled(device: &Device, is_f32: bool, product: &MatmulArgs, only_if: *const u32) -> Result<()> {
    let kernel = if is_f32 { Kernel::MatmulTiled } else { Kernel::MatmulTiledF64 };
    let tuning = device.tuning(kernel);
    // SAFETY: as above; the word outlives the kernels.
    device.launch(|stream| unsafe {
        match is_f32 {
            true => gpumexk_matmul_tiled_f32(product, only_if, &tuning, stream),
            false => gpumexk_matmul_tiled_f64(product, &tuning, stream),
        }
    })
}

fn skinny(device: &Device, is_f32: bool, product: &MatmulArgs) -> Result<()> {
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_matmul_skinny_scratch(product, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let tuning = device.tuning(Kernel::MatmulSkinny);
    // SAFETY: as above, and scratch of as many bytes as asked for.
    device.launch(|stream| unsafe {
        match is_f32 {
            true => gpumexk_matmul_skinny_f32(product, scratch.as_ptr().cast(), &tuning, stream),
            false => gpumexk_matmul_skinny_f64(product, scratch.as_ptr().cast(), &tuning, stream),
        }
    })
}

/// What the split into three parts cannot represent, the device itself has multiplied by the tiles.
fn tensor(device: &Device, product: &MatmulArgs) -> Result<()> {
    check_tensor_cores(device)?;
    let tuning = device.tuning(Kernel::MatmulTensor);
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_matmul_tensor_scratch(product, &tuning, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let mut flagged = 0;
    // SAFETY: as above, and scratch of as many bytes as asked for; writes one int.
    device.launch(|stream| unsafe {
        gpumexk_matmul_tensor_f32(product, scratch.as_ptr().cast(), &mut flagged, &tuning, stream)
    })?;
    match flagged {
        0 => Ok(()),
        _ => tiled(device, true, product, scratch.as_ptr().cast()),
    }
}

fn tf32(device: &Device, product: &MatmulArgs) -> Result<()> {
    check_tensor_cores(device)?;
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_matmul_tf32_scratch(product, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let tuning = device.tuning(Kernel::MatmulTf32);
    // SAFETY: as above, and scratch of as many bytes as asked for.
    device.launch(|stream| unsafe {
        gpumexk_matmul_tf32_f32(product, scratch.as_ptr().cast(), &tuning, stream)
    })
}

fn check_tensor_cores(device: &Device) -> Result<()> {
    match device.compute() {
        (8.., _) => Ok(()),
        (major, minor) => Err(Error::unsupported(format!(
            "options.variant is GPUMEX_MATMUL_VARIANT_TENSOR or GPUMEX_MATMUL_VARIANT_TF32, which need compute capability 8.0; {} has {major}.{minor}",
            device.name()
        ))),
    }
}
