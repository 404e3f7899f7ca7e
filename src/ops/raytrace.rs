//! Orthographic ray caster of spheres.
//!
//! Source: J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; variants: RSE-Sheffield, CUDALab03, exercise 2.
#![forbid(unsafe_code)]

use crate::array::{Input, Output};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
pub use crate::model::raytrace::RaytraceVariant;
use crate::model::raytrace::{Picture, PictureLayout};
use crate::model::variant::OperationVariant;

/// Options of [`raytrace`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: RaytraceVariant,
    /// Red, green and blue alone, without alpha.
    pub is_rgb: bool,
    pub layout: PictureLayout,
}

/// image ← what an eye at z = +∞ sees of the spheres.  spheres (count, 7) f32: r, g, b, radius, x, y, z; image height·width·channels u8.
///
/// Pixel (i, j), i = column, j = row, looks along z from (i − width/2, j − height/2). In f32, round to nearest:
/// dx, dy from the pixel to the centre; d = fma(dy, dy, dx·dx); hit iff radius > 0 and d < radius·radius;
/// dz = √fma(radius, radius, −d); the largest z + dz wins, the first sphere on a tie, NaN never;
/// channel = trunc(clamp((colour · (dz/radius)) · 255, 0, 255)), NaN gives 0; background 0, 0, 0; alpha 255.
/// Cost: the textbook variants test every pixel with every sphere; `Binned` looks at the spheres near a pixel, with 32 bytes of
/// memory a sphere and 16 to 24 a tile of 32 × 32 pixels beside (more than 2^29 spheres or 2^31 pixels a side go as `ReadOnly`).
/// Errors: INVALID_ARGUMENT (size, overlap), OUT_OF_MEMORY, CUDA.
pub fn raytrace(
    ctx: &mut Context,
    options: &Options,
    spheres: Input,
    count: usize,
    width: usize,
    height: usize,
    image: Output,
) -> Result<()> {
    ctx.begin();
    let scene = spheres.view::<f32>(&[count, 7])?;
    let channels = if options.is_rgb { 3 } else { 4 };
    let mut image = image.view::<u8>(&[height, width, channels])?;
    image.apart(&scene)?;
    if image.is_empty() {
        return Ok(());
    }
    let picture = &Picture { width, height, channels, layout: options.layout };
    ctx.run(|engine| match engine.select(options.variant)? {
        Engine::Cpu(workers) if options.variant.is_sequential() => {
            cpu::raytrace::sequential(workers, scene.on_host()?, picture, image.on_host()?)
        }
        Engine::Cpu(workers) => cpu::raytrace::raytrace(workers, scene.on_host()?, picture, image.on_host()?),
        Engine::Cuda(device) => gpu::raytrace::raytrace(device, options.variant, scene, picture, image),
    })
}
