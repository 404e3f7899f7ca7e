//! A square of pixels while it is cast.
#![forbid(unsafe_code)]

use std::array::from_fn;

use super::bins::{Entry, SHIFT};
use super::scene::{Sphere, d, origin};
use crate::model::raytrace::Picture;

pub const SIDE: usize = 1 << SHIFT; // pixels: a tile is one of the smallest cells
const LANES: usize = 16; // of a block, which is a part of a row
const ROW: usize = SIDE / LANES; // blocks
const BLOCKS: usize = SIDE * ROW;
const NONE: u32 = u32::MAX;
const TOGETHER: usize = 8; // spheres

/// The channels red, green and blue of a tile, row by row.
pub type Colours = [[u8; SIDE * SIDE]; 3];

/// The nearest hits so far of neighbouring pixels.
#[derive(Clone, Copy)]
struct Hits {
    height: [f32; LANES],
    dz: [f32; LANES],
    sphere: [u32; LANES],
}

/// A height of −∞ loses to every hit, NONE to every sphere of that height.
const NOTHING: Hits = Hits { height: [f32::NEG_INFINITY; LANES], dz: [0.0; LANES], sphere: [NONE; LANES] };

pub struct Tile {
    ox: [f32; SIDE],
    oy: [f32; SIDE],
    /// The first column and row, and the picture's size.
    at: [usize; 2],
    size: [usize; 2],
    blocks: [Hits; BLOCKS],
    /// The smallest height of each block.
    floors: [f32; BLOCKS],
    colours: Colours,
}

impl Default for Tile {
    fn default() -> Tile {
        Tile {
            ox: [0.0; SIDE],
            oy: [0.0; SIDE],
            at: [0; 2],
            size: [0; 2],
            blocks: [NOTHING; BLOCKS],
            floors: [0.0; BLOCKS],
            colours: [[0; SIDE * SIDE]; 3],
        }
    }
}

impl Tile {
    /// Goes to the pixels from (i, j) on; nothing is hit yet.
    #[inline(always)]
    pub fn begin(&mut self, picture: &Picture, i: usize, j: usize) {
        self.at = [i, j];
        self.size = [picture.width, picture.height];
        self.ox = from_fn(|column| origin(i + column, picture.width));
        self.oy = from_fn(|row| origin(j + row, picture.height));
        self.blocks = [NOTHING; BLOCKS];
        // What lies outside of the picture keeps nothing waiting.
        self.floors = from_fn(|block| {
            let is_inside = i + block % ROW * LANES < picture.width && j + block / ROW < picture.height;
            if is_inside { f32::NEG_INFINITY } else { f32::INFINITY }
        });
    }

    /// No pixel has hit anything lower.
    #[inline(always)]
    fn lowest(&self) -> f32 {
        smallest(&self.floors)
    }

    /// Takes the next spheres; whether the others may be seen.
    #[inline(always)]
    pub fn keep_nearest_of(&mut self, scene: &[[f32; 7]], spheres: &mut impl Iterator<Item = Entry>) -> bool {
        // Read together, so that one does not wait for another where they are not in the cache.
        let mut next = [(Entry::default(), [0.0; 7]); TOGETHER];
        let mut count = 0;
        for (to, entry) in next.iter_mut().zip(spheres) {
            *to = (entry, scene[entry.sphere as usize]);
            count += 1;
        }
        for (entry, sphere) in &next[..count] {
            if entry.bound() < self.lowest() {
                return false;
            }
            self.keep_nearest(&Sphere::new(sphere), entry.sphere);
        }
        count == TOGETHER
    }

    #[inline(always)]
    fn keep_nearest(&mut self, sphere: &Sphere, number: u32) {
        let [dx, dy] = [(sphere.x, &self.ox), (sphere.y, &self.oy)]
            .map(|(centre, origins)| centre.clamp(origins[0], origins[SIDE - 1]) - centre);
        let nearest = d(dx, dy);
        let Some(seen) = sphere.extent(self.size[0], self.size[1]) else { return };
        if !sphere.is_hit(nearest) {
            return;
        }
        let bound = sphere.bound(nearest);
        let within = |pixel: usize, at: usize| pixel.max(at).min(at + SIDE - 1) - at;
        let (left, right) = (within(seen.left, self.at[0]) / LANES, within(seen.right, self.at[0]) / LANES);
        let (top, bottom) = (within(seen.top, self.at[1]), within(seen.bottom, self.at[1]));
        for row in top..=bottom {
            for part in left..=right {
                let block = row * ROW + part;
                if bound >= self.floors[block] {
                    let ox = from_fn(|lane| self.ox[part * LANES + lane]);
                    self.blocks[block].keep_nearest(sphere, number, &ox, self.oy[row]);
                    self.floors[block] = smallest(&self.blocks[block].height);
                }
            }
        }
    }

    /// The colours of what is hit.
    #[inline(always)]
    pub fn shade(&mut self, scene: &[[f32; 7]]) -> &Colours {
        for (block, hits) in self.blocks.iter().enumerate() {
            let of_block = hits.shade(scene);
            for (channel, values) in self.colours.iter_mut().zip(of_block) {
                channel[block * LANES..][..LANES].copy_from_slice(&values);
            }
        }
        &self.colours
    }
}

impl Hits {
    #[inline(always)]
    fn keep_nearest(&mut self, sphere: &Sphere, number: u32, ox: &[f32; LANES], oy: f32) {
        let dy = oy - sphere.y;
        for (lane, ox) in ox.iter().enumerate() {
            let d = d(ox - sphere.x, dy);
            let dz = sphere.dz(d);
            let height = sphere.z + dz;
            let is_first = (height == self.height[lane]) & (number < self.sphere[lane]);
            let wins = sphere.is_hit(d) & ((height > self.height[lane]) | is_first);
            self.height[lane] = if wins { height } else { self.height[lane] };
            self.dz[lane] = if wins { dz } else { self.dz[lane] };
            self.sphere[lane] = if wins { number } else { self.sphere[lane] };
        }
    }

    #[inline(always)]
    fn shade(&self, scene: &[[f32; 7]]) -> [[u8; LANES]; 3] {
        let (mut colours, mut radius) = ([[0.0; LANES]; 3], [1.0; LANES]);
        for lane in 0..LANES {
            if let Some(&[r, g, b, of_sphere, ..]) = scene.get(self.sphere[lane] as usize) {
                (colours[0][lane], colours[1][lane], colours[2][lane]) = (r, g, b);
                radius[lane] = of_sphere;
            }
        }
        let mut bytes = [[0; LANES]; 3];
        for (channel, colour) in bytes.iter_mut().zip(&colours) {
            for lane in 0..LANES {
                channel[lane] = byte(colour[lane] * (self.dz[lane] / radius[lane]) * 255.0);
            }
        }
        bytes
    }
}

/// Truncated, within 0 to 255; NaN is 0. `value as u8`, which compilers leave one by one.
#[inline(always)]
pub fn byte(value: f32) -> u8 {
    const UNIT: f32 = 8_388_608.0; // 2^23: the last bit of its neighbours is 1
    let positive = if value > 0.0 { value } else { 0.0 };
    let clamped = if positive < 255.0 { positive } else { 255.0 };
    let rounded = clamped + UNIT;
    rounded.to_bits() as u8 - u8::from(rounded - UNIT > clamped)
}

#[inline(always)]
fn smallest<const N: usize>(values: &[f32; N]) -> f32 {
    let mut values = *values;
    let mut len = N;
    while len > 1 {
        len /= 2;
        for k in 0..len {
            values[k] = if values[k + len] < values[k] { values[k + len] } else { values[k] };
        }
    }
    values[0]
}
