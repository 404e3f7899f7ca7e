//! Parts of an array with what is around them, as lanes of the type in which they are computed.
#![forbid(unsafe_code)]

use pulp::Arch;

use crate::cpu::map::load::{Elements, run};
use crate::cpu::map::pool::{Pool, Pools};
use crate::model::expression::half::{from_bf16, from_f16};
use crate::model::expression::lane::Lane;
use crate::model::expression::program::Type;
use crate::model::stencil::Plane;

/// Rows and columns of the plane, which may begin before the array and end behind it.
#[derive(Clone, Copy)]
pub struct Window {
    pub row: isize,
    pub col: isize,
    pub rows: usize,
    pub cols: usize,
}

/// The tile of an input.
pub struct Tile<'a> {
    pub arch: Arch,
    pub plane: &'a Plane,
    pub window: Window,
    pub input: usize,
}

impl Tile<'_> {
    /// Brings the elements of the window to the input's tile in the pool of a type; `outside` is what lies outside.
    pub fn load(&self, elements: Elements, ty: Type, outside: u64, pools: &mut Pools) {
        let at = (self, outside);
        match elements {
            Elements::Bool(from) if ty == Type::U8 => fill(at, from, &mut pools.u8, |x| u8::from(x != 0)),
            Elements::U8(from) if ty == Type::U8 => fill(at, from, &mut pools.u8, |x| x),
            Elements::Bool(from) => fill(at, from, &mut pools.i32, |x| i32::from(x != 0)),
            Elements::I8(from) => fill(at, from, &mut pools.i32, i32::from),
            Elements::I16(from) => fill(at, from, &mut pools.i32, i32::from),
            Elements::I32(from) => fill(at, from, &mut pools.i32, |x| x),
            Elements::I64(from) => fill(at, from, &mut pools.i64, |x| x),
            Elements::U8(from) => fill(at, from, &mut pools.i32, i32::from),
            Elements::U16(from) => fill(at, from, &mut pools.i32, i32::from),
            Elements::U32(from) => fill(at, from, &mut pools.i64, i64::from),
            Elements::U64(from) => fill(at, from, &mut pools.u64, |x| x),
            Elements::F16(from) => fill(at, from, &mut pools.f32, from_f16),
            Elements::Bf16(from) => fill(at, from, &mut pools.f32, from_bf16),
            Elements::F32(from) => fill(at, from, &mut pools.f32, |x| x),
            Elements::F64(from) => fill(at, from, &mut pools.f64, |x| x),
            Elements::OfResult => unreachable!("the result of a stencil is apart from its inputs"),
        }
    }
}

fn fill<S: Copy, T: Lane>(
    (tile, outside): (&Tile, u64),
    from: &[S],
    pool: &mut Pool<T>,
    convert: impl Fn(S) -> T + Copy,
) {
    let (plane, window) = (tile.plane, tile.window);
    let outside = T::from_word(outside);
    for (row, to) in pool.tiles[tile.input].chunks_mut(window.cols).take(window.rows).enumerate() {
        match plane.boundary.source(window.row + row as isize, plane.rows) {
            Some(row) => {
                let from = &from[row * plane.cols..][..plane.cols];
                fill_row(tile, from, to, outside, convert);
            }
            None => to.fill(outside),
        }
    }
}

/// A row of the window from a row of the array.
fn fill_row<S: Copy, T: Copy>(
    tile: &Tile,
    from: &[S],
    to: &mut [T],
    outside: T,
    convert: impl Fn(S) -> T + Copy,
) {
    let first = tile.window.col;
    let before = (first.min(0).unsigned_abs()).min(to.len());
    let inside = from.len().saturating_sub(first.max(0) as usize).min(to.len() - before);
    run(
        tile.arch,
        &from[from.len().min(first.max(0) as usize)..],
        1,
        &mut to[before..before + inside],
        convert,
    );
    let around = (0..before).chain(before + inside..to.len());
    for index in around {
        let source = tile.plane.boundary.source(first + index as isize, from.len());
        to[index] = source.map_or(outside, |source| convert(from[source]));
    }
}
