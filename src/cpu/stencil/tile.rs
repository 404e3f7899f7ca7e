//! Parts of an array with what is around them, as lanes of the type in which they are computed.
#![forbid(unsafe_code)]

use pulp::Arch;

use crate::cpu::map::load::Elements;
use crate::cpu::map::pool::{Pool, Pools};
use crate::cpu::window::Window;
use crate::model::expression::half::{from_bf16, from_f16};
use crate::model::expression::lane::Lane;
use crate::model::expression::program::Type;
use crate::model::stencil::Plane;

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
    let (to, outside) = (&mut *pool.tiles[tile.input], T::from_word(outside));
    tile.window.load((tile.arch, tile.plane), from, (to, tile.window.cols), outside, convert);
}
