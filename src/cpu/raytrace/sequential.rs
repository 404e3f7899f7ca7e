//! The plain loop over pixels and spheres, on one core.
#![forbid(unsafe_code)]

use pulp::{Arch, NullaryFnOnce};

use super::image::put_pixel;
use super::scene::{Sphere, d, origin};
use super::tile::byte;
use super::{Workers, scene_of};
use crate::error::Result;
use crate::interrupt::{in_pieces, poll};
use crate::model::raytrace::Picture;

/// image ← the spheres (count, 7).
pub fn sequential(workers: &Workers, spheres: &[f32], picture: &Picture, image: &mut [u8]) -> Result<()> {
    let scene = scene_of(spheres)?;
    workers.run_sequential(|| Arch::new().dispatch(Loop { scene, picture, image }));
    Ok(())
}

/// What is inlined here is compiled for each instruction set.
struct Loop<'a> {
    scene: &'a [[f32; 7]],
    picture: &'a Picture,
    image: &'a mut [u8],
}

impl NullaryFnOnce for Loop<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Loop { scene, picture, image } = self;
        for j in 0..picture.height {
            poll(); // where there are no spheres as well
            for i in 0..picture.width {
                let (ox, oy) = (origin(i, picture.width), origin(j, picture.height));
                put_pixel(picture, image, i, j, colour(scene, ox, oy));
            }
        }
    }
}

#[inline(always)]
fn colour(scene: &[[f32; 7]], ox: f32, oy: f32) -> [u8; 3] {
    let (mut nearest, mut height, mut height_dz) = (None, f32::NAN, 0.0);
    in_pieces(scene.len(), |range| {
        for sphere in scene[range].iter().map(Sphere::new) {
            let d = d(ox - sphere.x, oy - sphere.y);
            if !sphere.is_hit(d) {
                continue;
            }
            let dz = sphere.dz(d);
            let sphere_height = sphere.z + dz;
            if !sphere_height.is_nan() && (height.is_nan() || sphere_height > height) {
                (nearest, height, height_dz) = (Some(sphere), sphere_height, dz);
            }
        }
    });
    nearest.map_or([0; 3], |sphere| sphere.colour.map(|c| byte(c * (height_dz / sphere.radius) * 255.0)))
}
