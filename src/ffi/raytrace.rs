//! Ray caster: `gpumex_raytrace`.

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::numbered::NumberedEnum;
use crate::model::raytrace::PictureLayout;
use crate::ops::raytrace::{self, Options, RaytraceVariant};

/// @brief Options of gpumex_raytrace: GPUMEX_RAYTRACE_OPTIONS_INIT or GPUMEX_OPTIONS (raytrace,
/// ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RaytraceOptions {
    /// sizeof(gpumex_raytrace_options).
    pub size: usize,
    /// A gpumex_raytrace_variant.
    pub variant: i32,
    /// 4 (or 0): red, green, blue, alpha; 3: without alpha.
    pub channels: i32,
    /// A gpumex_picture_layout.
    pub layout: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(RaytraceOptions, reserved);

/// @brief Orthographic ray casting of spheres onto an image of 3 or 4 channels.
///
/// Pixel (i, j), i = column, j = row, looks along z from (i - width/2.0, j - height/2.0). In
/// float32, round to nearest, no flush to zero: dx, dy from the pixel to the sphere's centre; d =
/// fma(dy,dy, dx*dx); hit iff radius > 0 and d < radius*radius; dz = sqrt(fma(radius,radius, -d));
/// the largest z + dz wins, -infinity too where there is no other hit, the first sphere on a tie,
/// NaN never; channel = trunc(clamp((colour * (dz/radius)) * 255, 0, 255)), NaN gives 0; background
/// 0,0,0; alpha 255. The image is bit-identical on every backend and with every variant.
/// @param ctx The context that runs it.
/// @param options variant, channels, layout; NULL: AUTO, RGBA, interleaved. SEQUENTIAL is CPU only.
///   GLOBAL, READ_ONLY and CONSTANT test every sphere for every pixel; BINNED (AUTO) the spheres of
///   the pixel's tile.
/// @param spheres count spheres of 7 floats each: r, g, b (0 to 1), radius, x, y, z (pixels, origin
///   at the image centre).
/// @param count Number of spheres.
/// @param width Columns of the image.
/// @param height Rows of the image.
/// @param image Receives height*width*channels bytes in options->layout (gpumex_picture_layout).
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; a size that
///   exceeds the address space; an array that is misaligned, overlaps an output, is too short or
///   belongs to another device); UNSUPPORTED (channels other than 0, 3 and 4; SEQUENTIAL on CUDA;
///   device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and
///   CANCELLED the outputs are unspecified.
/// @note Cost: AUTO tests the spheres near each tile of 32 x 32 pixels, the textbook kernels all of
///   them for each pixel.
/// @note Memory: CPU at most `48*count + width*height/96`; CUDA at most `32*count +
///   width*height/64 + 4194304`; arrays on the host `28*count + (channels == 3 ? 3 :
///   4)*width*height`.
/// @see J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; RSE-Sheffield, CUDALab03.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_raytrace(
    ctx: *mut Context,
    options: *const RaytraceOptions,
    spheres: *const f32,
    count: usize,
    width: usize,
    height: usize,
    image: *mut u8,
) -> i32 {
    guard("gpumex_raytrace", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, spheres, image) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("spheres", spheres.cast()),
                Output::from_raw("image", image.cast()),
            )
        };
        options::serves("channels", options.channels, &[0, 3, 4])?;
        let options = Options {
            variant: RaytraceVariant::from_c("options.variant", options.variant)?,
            is_rgb: options.channels == 3,
            layout: PictureLayout::from_c("options.layout", options.layout)?,
        };
        handle::with(ctx, |ctx| raytrace::raytrace(ctx, &options, spheres, count, width, height, image))
    })
}
