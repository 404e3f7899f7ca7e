//! Ray casting of spheres.

use gpumex_core::ops;

use super::array::{input, output};
use super::options::options;
use super::{Array, ArrayMut, Context, PictureLayout, RaytraceVariant};
use crate::Result;

options! {
    /// Options of [`Context::raytrace_with`].
    RaytraceOptions {
        /// How it is computed.
        variant: RaytraceVariant,
        /// Red, green and blue alone, without alpha.
        rgb: bool,
        /// The order of pixels and channels.
        layout: PictureLayout,
    }
}

impl Context {
    /// image (height, width, 4) ← spheres, each of 7 numbers: r, g, b (0 to 1), radius, x, y, z (pixels from the centre of the image).
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let white = [1.0, 1.0, 1.0, 4.0, 0.0, 0.0, 0.0];
    /// let mut image = [0; 4 * 4 * 4];
    /// ctx.raytrace(&white, (4, 4), &mut image)?;
    /// assert_eq!(image[4 * (2 * 4 + 2)..][..4], [255, 255, 255, 255]); // the pixel in the middle
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn raytrace(
        &self,
        spheres: &(impl Array<Elem = f32> + ?Sized),
        (width, height): (usize, usize),
        image: &mut (impl ArrayMut<Elem = u8> + ?Sized),
    ) -> Result<()> {
        self.raytrace_with(spheres, (width, height), image, &RaytraceOptions::new())
    }

    /// As [`Context::raytrace`], with options.
    pub fn raytrace_with(
        &self,
        spheres: &(impl Array<Elem = f32> + ?Sized),
        (width, height): (usize, usize),
        image: &mut (impl ArrayMut<Elem = u8> + ?Sized),
        options: &RaytraceOptions,
    ) -> Result<()> {
        let count = spheres.len().div_ceil(7); // one that is not whole is refused as too short
        let &RaytraceOptions { variant, rgb, layout } = options;
        let options = ops::raytrace::Options { variant, is_rgb: rgb, layout };
        self.call("raytrace", |ctx| {
            let (spheres, image) = (input("spheres", spheres), output("image", image));
            ops::raytrace::raytrace(ctx, &options, spheres, count, width, height, image)
        })
    }
}
