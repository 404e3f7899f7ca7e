//! The spheres by the cells of the picture that they may be seen in.
#![forbid(unsafe_code)]

use std::iter;

use super::super::parallel::chunks::parts;
use super::super::parallel::parallel_for::parallel_for;
use super::super::parallel::sort::sort_unstable_by_key;
use super::super::zeros;
use super::scene::{Extent, Sphere};
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::raytrace::Picture;

/// Cells of the finest level have 1 << SHIFT pixels a side.
pub const SHIFT: u32 = 5;
const CHUNK: usize = 1 << 12; // spheres that a thread takes at a time
pub const MAX_CELLS: usize = 1 << 21; // of the finest level

/// A sphere in a cell. In the order of the fields: by cells, in a cell by the bound downwards.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    cell: u32,
    order: u32, // the bits of the bound, so that it falls as the bound rises
    pub sphere: u32,
}

impl Entry {
    fn new(cell: usize, bound: f32, sphere: u32) -> Entry {
        let bits = bound.to_bits();
        let order = if bits >> 31 == 0 { !(bits | 1 << 31) } else { bits };
        Entry { cell: cell as u32, order, sphere }
    }

    /// What `Sphere::bound` says of every ray.
    #[inline(always)]
    pub fn bound(&self) -> f32 {
        f32::from_bits(if self.order >> 31 == 0 { !self.order & !(1 << 31) } else { self.order })
    }

    fn key(&self) -> u64 {
        u64::from(self.cell) << 32 | u64::from(self.order)
    }
}

/// A grid of cells of 2^shift × 2^shift pixels, numbered by rows from `first` on.
#[derive(Clone, Copy)]
pub struct Level {
    shift: u32,
    columns: usize,
    first: usize,
}

impl Level {
    /// Which pixel (i, j) is in.
    #[inline(always)]
    fn cell(&self, i: usize, j: usize) -> usize {
        self.first + (j >> self.shift) * self.columns + (i >> self.shift)
    }

    /// Whether pixels lie in at most 2 × 2 cells.
    fn suits(&self, pixels: &Extent) -> bool {
        let is_narrow = |first: usize, last: usize| (last >> self.shift) - (first >> self.shift) <= 1;
        is_narrow(pixels.left, pixels.right) && is_narrow(pixels.top, pixels.bottom)
    }
}

/// Every level has twice the cells' side of the one before; the last has one cell. A sphere lies on the first level where it is
/// in at most 2 × 2 cells.
pub struct Bins {
    levels: Vec<Level>,
    entries: Vec<Entry>,
    /// Where the entries of each cell begin, and where the last ones end.
    starts: Vec<usize>,
}

impl Bins {
    pub fn new(scene: &[[f32; 7]], picture: &Picture) -> Result<Bins> {
        let (levels, cells) = levels(picture);
        let mut entries = entries(scene, picture, &levels)?;
        sort_unstable_by_key(false, &mut entries, &Entry::key);
        let mut starts = zeros(cells + 1)?;
        in_pieces(entries.len(), |range| {
            for entry in &entries[range] {
                starts[entry.cell as usize + 1] += 1;
            }
        });
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        Ok(Bins { levels, entries, starts })
    }

    /// The spheres that pixels of the tile from (i, j) on may hit, and others; by their bounds downwards.
    #[inline(always)]
    pub fn nearest_first(&self, i: usize, j: usize) -> impl Iterator<Item = Entry> {
        let mut lists = [&[][..]; usize::BITS as usize];
        let mut count = 0;
        for level in &self.levels {
            let cell = level.cell(i, j);
            lists[count] = &self.entries[self.starts[cell]..self.starts[cell + 1]];
            count += usize::from(!lists[count].is_empty());
        }
        iter::from_fn(move || {
            let lists = &mut lists[..count];
            let next = lists.iter_mut().filter(|list| !list.is_empty()).min_by_key(|list| list[0].order)?;
            let (&entry, rest) = next.split_first()?;
            *next = rest;
            Some(entry)
        })
    }
}

/// The levels, and how many cells they have.
pub fn levels(picture: &Picture) -> (Vec<Level>, usize) {
    let (mut levels, mut cells) = (Vec::new(), 0);
    let mut shift = SHIFT;
    loop {
        let [columns, rows] = [picture.width, picture.height].map(|side| ((side - 1) >> shift) + 1);
        if columns.saturating_mul(rows) <= MAX_CELLS {
            levels.push(Level { shift, columns, first: cells });
            cells += columns * rows;
        }
        if columns == 1 && rows == 1 {
            return (levels, cells);
        }
        shift += 1;
    }
}

/// The entries of all spheres, in any order.
fn entries(scene: &[[f32; 7]], picture: &Picture, levels: &[Level]) -> Result<Vec<Entry>> {
    let mut counts = zeros(scene.len().div_ceil(CHUNK))?;
    let cells = |sphere| cells(&sphere, picture, levels);
    parallel_for(false, scene.chunks(CHUNK).zip(&mut counts), |_, (chunk, count)| {
        *count = chunk.iter().map(Sphere::new).flat_map(cells).count();
    })?;
    let mut entries = zeros::<Entry>(counts.iter().sum())?;
    let parts = parts(&mut entries, counts.iter().copied())?;
    parallel_for(false, scene.chunks(CHUNK).zip(parts), |chunk, (spheres, part)| {
        let numbered = spheres.iter().map(Sphere::new).zip((chunk * CHUNK) as u32..);
        let made = numbered.flat_map(|(sphere, number)| {
            let bound = sphere.highest();
            cells(sphere).map(move |cell| Entry::new(cell, bound, number))
        });
        part.iter_mut().zip(made).for_each(|(to, entry)| *to = entry);
    })?;
    Ok(entries)
}

/// The cells that a sphere is entered in, 4 at most.
fn cells(sphere: &Sphere, picture: &Picture, levels: &[Level]) -> impl Iterator<Item = usize> + use<> {
    let seen = if sphere.can_be_hit() { sphere.extent(picture.width, picture.height) } else { None };
    let level = seen
        .and_then(|pixels| levels.iter().find(|level| level.suits(&pixels)).map(|&level| (level, pixels)));
    level.into_iter().flat_map(|(level, Extent { left, right, top, bottom })| {
        let (first, last) = (level.cell(left, top), level.cell(right, top));
        let rows = (bottom >> level.shift) - (top >> level.shift);
        (0..=rows).flat_map(move |row| (first..=last).map(move |cell| cell + row * level.columns))
    })
}
