//! Ray caster: `raytrace` and `gpumex_raytrace`.

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::numbered::NumberedEnum;
use crate::model::raytrace::PictureLayout;
use crate::ops::raytrace::{self, Options, RaytraceVariant};

/// Options of `gpumex_raytrace`. Set `size` to `sizeof(gpumex_raytrace_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RaytraceOptions {
    /// sizeof(gpumex_raytrace_options)
    pub size: usize,
    /// a `gpumex_raytrace_variant`
    pub variant: i32,
    /// 0 or 4: red, green, blue, alpha; 3: without alpha
    pub channels: i32,
    /// a `gpumex_picture_layout`: 0 channels interleaved, 1 a plane each, row-major, 2 a plane each, column-major
    pub layout: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(RaytraceOptions, reserved);

/// rgba <- orthographic ray cast of `count` spheres, each 7 floats r,g,b,radius,x,y,z (colours 0 to 1), origin at the image centre.
///
/// Pixel (i,j), i = column, j = row, looks along z from (i - width/2.0, j - height/2.0). In float32, round to nearest, no flush
/// to zero: dx, dy from the pixel to the sphere's centre; d = fma(dy,dy, dx*dx); hit iff radius > 0 and d < radius*radius;
/// dz = sqrt(fma(radius,radius, -d)); the largest z + dz wins, the first sphere on a tie, NaN never;
/// channel = trunc(clamp((colour * (dz/radius)) * 255, 0, 255)), NaN gives 0; background 0,0,0; alpha 255.
/// rgba is height*width*4 bytes, row-major. spheres may be NULL when count = 0, rgba when the image has no pixels.
///
/// Runs on the default context; callable from any thread, calls take turns. The image is bit-identical on every backend.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (size, overlap, alignment), OUT_OF_MEMORY, CUDA; rgba is unspecified after one.
/// Source: J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; RSE-Sheffield, CUDALab03.
#[cfg(feature = "plain-names")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raytrace(
    spheres: *const f32,
    count: usize,
    width: usize,
    height: usize,
    rgba: *mut u8,
) -> i32 {
    guard("raytrace", || {
        // SAFETY: the caller's promise in the documentation above.
        let (spheres, rgba) =
            unsafe { (Input::from_raw("spheres", spheres.cast()), Output::from_raw("rgba", rgba.cast())) };
        handle::with_default(|ctx| {
            raytrace::raytrace(ctx, &Options::default(), spheres, count, width, height, rgba)
        })
    })
}

/// image <- ray cast as `raytrace`, on a context of the caller's and with options.
///
/// image: height*width*channels bytes. options: NULL for the defaults. Variants, the same picture bit for bit: SEQUENTIAL (the plain
/// loop, CPU backend); GLOBAL, READ_ONLY, CONSTANT (every pixel goes through all spheres; more than 64 KB of constant memory
/// hold: in chunks); BINNED (every tile goes through the spheres that may be seen in it, and what is hidden is left out; takes 32
/// bytes of device memory a sphere and 16 to 24 a tile of 32 x 32 pixels for the call). AUTO is BINNED.
///
/// channels: 0 or 4 for red, green, blue, alpha (255); 3 without alpha. planar: 0 the channels of a pixel beside each other, at
/// (j*width + i)*channels + c; 1 a plane each, row-major, (c*height + j)*width + i; 2 a plane each, column-major, MATLAB's
/// height x width x channels, (c*width + i)*height + j.
/// Errors: as `raytrace`, INVALID_ARGUMENT (not a live context, an array that is too short, another device's memory),
/// UNSUPPORTED (an option this version does not serve, device memory on the CPU backend, after fork), BUSY (another
/// thread is in `ctx`).
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
