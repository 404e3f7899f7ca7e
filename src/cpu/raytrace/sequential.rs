//! The plain loop over pixels and spheres, on one core.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::image::put_pixel;
use super::scene::{Sphere, d, origin};
use super::tile::byte;
use super::{Workers, scene_of};
use crate::error::Result;
use crate::raytrace::Picture;

/// image ← the spheres (count, 7).
pub fn sequential(workers: &Workers, spheres: &[f32], picture: &Picture, image: &mut [u8]) -> Result<()> {
    let scene = scene_of(spheres)?;
    workers.run_sequential(|| {
        Arch::new().dispatch(|| {
            for j in 0..picture.height {
                for i in 0..picture.width {
                    let (ox, oy) = (origin(i, picture.width), origin(j, picture.height));
                    put_pixel(picture, image, i, j, colour(scene, ox, oy));
                }
            }
        });
    });
    Ok(())
}

#[inline(always)]
fn colour(scene: &[[f32; 7]], ox: f32, oy: f32) -> [u8; 3] {
    let (mut nearest, mut height, mut height_dz) = (None, f32::NAN, 0.0);
    for sphere in scene.iter().map(Sphere::new) {
        let d = d(ox - sphere.x, oy - sphere.y);
        let dz = sphere.dz(d);
        let sphere_height = sphere.z + dz;
        let is_nearer = !sphere_height.is_nan() & (height.is_nan() | (sphere_height > height));
        if sphere.is_hit(d) & is_nearer {
            (nearest, height, height_dz) = (Some(sphere), sphere_height, dz);
        }
    }
    nearest.map_or([0; 3], |sphere| sphere.colour.map(|c| byte(c * (height_dz / sphere.radius) * 255.0)))
}
