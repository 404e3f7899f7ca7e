//! Ray caster on the CPU; the formula is that of ops::raytrace, with its fused multiply-adds spelled out.
//!
//! Algorithm  scene       a sphere, and the arithmetic of a pixel and a sphere;
//!            bins        the spheres by the cells of the picture that they may be seen in, the nearest first: a pyramid of
//!                        grids, of which a sphere takes the one where it lies in at most 2 × 2 cells;
//!            tile        32 × 32 pixels: each sphere of its cells, the nearest first, over 16 pixels at a time in loops without
//!                        branches, which the compiler turns into SIMD for the best instruction set of the machine (pulp);
//!                        ends at the first sphere that lies behind all that is seen;
//!            image       where the tiles lie in the array; each thread takes bands of tiles;
//!            sequential  the plain loop.
//! Cost       About 15 operations a pixel and sphere over it that is not hidden as a whole; 12 to 48 bytes a sphere, at most 11 a
//!            cell of 32 × 32 pixels. A machine without fused multiply-add calls a function for each: slow, and the same bits.
//! Limits     A band is 32 rows, or 32 columns where these lie together: a picture of one band is cast on one core. Spheres of one
//!            height, such as ∞, hide none of each other: a tile looks at all that lie over it.
//! Edges      Rounding is monotonic: what the nearest point of a rectangle to a sphere's centre says of hits and of heights
//!            bounds what its pixels say, without a margin.
#![forbid(unsafe_code)]

mod bins;
mod image;
mod scene;
mod sequential;
#[cfg(test)]
mod tests;
mod tile;

pub use sequential::sequential;

use pulp::{Arch, NullaryFnOnce};

use self::bins::Bins;
use self::image::Band;
use self::tile::Tile;
use super::Workers;
use super::parallel::parallel_for::parallel_for;
use crate::error::{Error, Result};
use crate::interrupt::poll;
use crate::model::raytrace::Picture;

/// image ← the spheres (count, 7).
pub fn raytrace(workers: &Workers, spheres: &[f32], picture: &Picture, image: &mut [u8]) -> Result<()> {
    raytrace_at(Arch::new(), workers, spheres, picture, image)
}

/// `raytrace` with an instruction set of the caller's choice.
fn raytrace_at(
    arch: Arch,
    workers: &Workers,
    spheres: &[f32],
    picture: &Picture,
    image: &mut [u8],
) -> Result<()> {
    let scene = scene_of(spheres)?;
    workers.run(|| {
        let bins = Bins::new(scene, picture)?;
        let bands = image::bands(picture, image)?;
        parallel_for(false, bands.into_iter(), |_, band| {
            arch.dispatch(Cast { scene, bins: &bins, picture, tile: &mut Tile::default(), band });
        })
    })?
}

/// The spheres one by one.
fn scene_of(spheres: &[f32]) -> Result<&[[f32; 7]]> {
    let scene = spheres.as_chunks().0;
    if u32::try_from(scene.len()).is_err() {
        let count = scene.len();
        return Err(Error::unsupported(format!("{count} spheres; the CPU backend takes fewer than 2^32")));
    }
    Ok(scene)
}

/// Casts the tiles of a band; what is inlined here is compiled for each instruction set.
struct Cast<'a> {
    scene: &'a [[f32; 7]],
    bins: &'a Bins,
    picture: &'a Picture,
    tile: &'a mut Tile,
    band: Band<'a>,
}

impl NullaryFnOnce for Cast<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Cast { scene, bins, picture, tile, mut band } = self;
        for (i, j) in band.tiles(picture) {
            tile.begin(picture, i, j);
            let mut spheres = bins.nearest_first(i, j);
            while tile.keep_nearest_of(scene, &mut spheres) {
                poll();
            }
            band.put(picture, i, j, tile.shade(scene));
        }
    }
}
