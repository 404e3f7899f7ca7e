//! Ray caster on the CPU; the formula is that of ops::raytrace, with its fused multiply-adds spelled out.
//!
//! Algorithm  Rows in parallel. A row first drops the spheres that none of its pixels can hit (exactly: rounding is monotonic, so
//!            d = fma(dy, dy, dx²) ≥ dy² rounded), then walks the rest for 16 pixels at a time in a loop without branches, which
//!            the compiler turns into SIMD for the best instruction set of the machine (pulp); where that has no fused
//!            multiply-add, `mul_add` is a library call: slow, and the same bits.
//! Cost       About 10 operations a pixel and sphere of its row.
#![forbid(unsafe_code)]

use pulp::Arch;
use rayon::prelude::*;

use super::{Workers, reserved};
use crate::error::{Error, Result};
use crate::raytrace::{Picture, PictureLayout};

const LANES: usize = 16;

#[derive(Clone, Copy)]
struct Sphere {
    colour: [f32; 3],
    radius: f32,
    x: f32,
    y: f32,
    z: f32,
}

impl Sphere {
    fn new(s: &[f32]) -> Sphere {
        Sphere { colour: [s[0], s[1], s[2]], radius: s[3], x: s[4], y: s[5], z: s[6] }
    }
}

/// The nearest hits of neighbouring pixels so far; a height of NaN is none.
struct Hits<const N: usize> {
    height: [f32; N],
    dz: [f32; N],
    sphere: [u32; N],
}

/// image (height, width, 4) ← the spheres (count, 7).
pub fn raytrace(workers: &Workers, spheres: &[f32], picture: &Picture, image: &mut [u8]) -> Result<()> {
    let (width, height) = size_of(picture)?;
    let spheres = collect(spheres)?;
    let arch = Arch::new();
    workers.run(|| {
        let list = || reserved(spheres.len());
        image.par_chunks_mut(width * 4).enumerate().try_for_each_init(list, |row_spheres, (j, row)| {
            let row_spheres = row_spheres.as_mut().map_err(|error| error.clone())?;
            let oy = origin(j, height);
            row_spheres.clear();
            row_spheres.extend(spheres.iter().copied().filter(|s| is_reachable(oy - s.y, s.radius)));
            arch.dispatch(|| {
                for (block, pixels) in row.chunks_mut(4 * LANES).enumerate() {
                    let ox: [f32; LANES] = std::array::from_fn(|lane| origin(block * LANES + lane, width));
                    cast(row_spheres, &ox, oy, pixels);
                }
            });
            Ok(())
        })
    })?
}

/// The plain loop over pixels and spheres.
pub fn sequential(workers: &Workers, spheres: &[f32], picture: &Picture, image: &mut [u8]) -> Result<()> {
    let (width, height) = size_of(picture)?;
    let spheres = collect(spheres)?;
    let arch = Arch::new();
    workers.run_sequential(|| {
        arch.dispatch(|| {
            for (index, pixel) in image.chunks_exact_mut(4).enumerate() {
                let (i, j) = (index % width, index / width);
                let mut hits = Hits { height: [f32::NAN], dz: [0.0], sphere: [0] };
                for (index, sphere) in spheres.iter().enumerate() {
                    keep_nearest(&mut hits, sphere, index as u32, &[origin(i, width)], origin(j, height));
                }
                shade(&spheres, &hits, pixel);
            }
        });
    });
    Ok(())
}

fn size_of(picture: &Picture) -> Result<(usize, usize)> {
    if picture.channels != 4 || picture.layout != PictureLayout::Interleaved {
        return Err(Error::unsupported("pictures are RGBA, interleaved"));
    }
    Ok((picture.width, picture.height))
}

fn collect(spheres: &[f32]) -> Result<Vec<Sphere>> {
    let count = spheres.len() / 7;
    if u32::try_from(count).is_err() {
        return Err(Error::unsupported(format!("{count} spheres; the CPU backend takes fewer than 2^32")));
    }
    let mut list = reserved(count)?;
    list.extend(spheres.chunks_exact(7).map(Sphere::new));
    Ok(list)
}

/// Where the ray of column i of `width` starts.
#[inline(always)]
fn origin(i: usize, width: usize) -> f32 {
    i as f32 - width as f32 * 0.5
}

/// Whether a ray that passes the centre at `distance` in one direction may hit; exact, since d is never below
/// distance² rounded.
#[inline(always)]
fn is_reachable(distance: f32, radius: f32) -> bool {
    radius > 0.0 && distance * distance < radius * radius
}

/// Casts one block of neighbouring pixels.
#[inline(always)]
fn cast(spheres: &[Sphere], ox: &[f32; LANES], oy: f32, pixels: &mut [u8]) {
    let mut hits = Hits { height: [f32::NAN; LANES], dz: [0.0; LANES], sphere: [0; LANES] };
    for (index, sphere) in spheres.iter().enumerate() {
        let nearest = sphere.x.clamp(ox[0], ox[LANES - 1]);
        if is_reachable(nearest - sphere.x, sphere.radius) {
            keep_nearest(&mut hits, sphere, index as u32, ox, oy);
        }
    }
    shade(spheres, &hits, pixels);
}

#[inline(always)]
fn keep_nearest<const N: usize>(hits: &mut Hits<N>, sphere: &Sphere, index: u32, ox: &[f32; N], oy: f32) {
    let radius = sphere.radius;
    let dy = oy - sphere.y;
    for (lane, ox) in ox.iter().enumerate() {
        let dx = ox - sphere.x;
        let d = dy.mul_add(dy, dx * dx);
        let dz = radius.mul_add(radius, -d).sqrt();
        let height = sphere.z + dz;
        let is_hit = (radius > 0.0) & (d < radius * radius) & !height.is_nan();
        let wins = is_hit & (hits.height[lane].is_nan() | (height > hits.height[lane]));
        hits.height[lane] = if wins { height } else { hits.height[lane] };
        hits.dz[lane] = if wins { dz } else { hits.dz[lane] };
        hits.sphere[lane] = if wins { index } else { hits.sphere[lane] };
    }
}

#[inline(always)]
fn shade<const N: usize>(spheres: &[Sphere], hits: &Hits<N>, pixels: &mut [u8]) {
    for (lane, pixel) in pixels.chunks_exact_mut(4).enumerate() {
        let colour = if hits.height[lane].is_nan() {
            [0; 3]
        } else {
            let sphere = &spheres[hits.sphere[lane] as usize];
            let brightness = hits.dz[lane] / sphere.radius;
            sphere.colour.map(|c| (c * brightness * 255.0) as u8) // `as` truncates, clamps to 0…255 and takes NaN to 0
        };
        pixel.copy_from_slice(&[colour[0], colour[1], colour[2], 255]);
    }
}
