//! The operations as calls with arrays that a test places.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::{LifeBoundary, LifeCells, LifeVariant};
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;

use super::arrays::*;
use crate::common::*;

/// An operation with the contents of its inputs: arrays of bytes go in, one comes out.
pub struct Operation {
    pub what: String,
    /// how the sentences call it, and its arrays
    pub name: &'static str,
    pub inputs: Vec<(&'static str, Vec<u8>)>,
    pub output: (&'static str, usize),
    /// whether the output may be the first input
    pub is_in_place: bool,
    call: Box<Call>,
}

type Call = dyn Fn(Handle, &[*mut c_void], *mut c_void) -> i32;

impl Operation {
    pub fn call(&self, ctx: &Context, inputs: &[*mut c_void], output: *mut c_void) -> i32 {
        (self.call)(ctx.handle, inputs, output)
    }

    /// The result, with each array at its place; the inputs have to stay as they were.
    #[track_caller]
    pub fn result(&self, ctx: &Context, from: &[Place], to: Place) -> Vec<u8> {
        let what = format!("{} on {:?}, from {from:?} to {to:?}", self.what, ctx.backend);
        let hold = |((_, bytes), place): (&(_, Vec<u8>), &Place)| Array::holding(ctx, *place, bytes);
        let mut inputs: Vec<Array> = self.inputs.iter().zip(from).map(hold).collect();
        let mut output = Array::poison(ctx, to, self.output.1);
        let addresses: Vec<*mut c_void> = inputs.iter_mut().map(Array::at).collect();
        ok(self.call(ctx, &addresses, output.at()), &what);
        for (input, (name, bytes)) in inputs.iter_mut().zip(&self.inputs) {
            assert_same(&input.bytes(), bytes, format!("{what}: {name}"));
        }
        output.bytes()
    }

    #[track_caller]
    pub fn result_on_host(&self, ctx: &Context) -> Vec<u8> {
        self.result(ctx, &vec![Place::Host; self.inputs.len()], Place::Host)
    }
}

pub fn life(variant: LifeVariant, rows: usize, cols: usize, generations: u64) -> Operation {
    let board = random_board(11, rows * cols);
    Operation {
        what: format!("gpumex_life, {variant:?}, {rows} x {cols}, {generations} generations"),
        name: "gpumex_life",
        inputs: vec![("board", board)],
        output: ("next", rows * cols),
        is_in_place: true,
        call: Box::new(move |ctx, inputs, next| {
            let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
            // SAFETY: rows*cols bytes each, or it is refused.
            unsafe { gpumex_life(ctx, &options, inputs[0], rows, cols, generations, next) }
        }),
    }
}

/// As `life`, on boards of bits round a torus.
pub fn life_bits(variant: LifeVariant, rows: usize, cols: usize, generations: u64) -> Operation {
    let bytes = rows * cols.div_ceil(64) * 8;
    Operation {
        what: format!("gpumex_life on bits, {variant:?}, {rows} x {cols}, {generations} generations"),
        inputs: vec![("board", random_bytes(16, bytes))],
        output: ("next", bytes),
        call: Box::new(move |ctx, inputs, next| {
            let (cells, boundary) = (LifeCells::Bits as i32, LifeBoundary::Torus as i32);
            let options = LifeOptions { variant: variant as i32, cells, boundary, ..LifeOptions::default() };
            // SAFETY: rows of words each, or it is refused.
            unsafe { gpumex_life(ctx, &options, inputs[0], rows, cols, generations, next) }
        }),
        ..life(variant, 0, 0, 0)
    }
}

/// The variants that work on bits.
pub const ON_BITS: [LifeVariant; 5] = [
    LifeVariant::Auto,
    LifeVariant::Shmem,
    LifeVariant::Texture,
    LifeVariant::Registers,
    LifeVariant::Cluster,
];

fn matmul(variant: MatmulVariant, dtype: Dtype, order: MatmulOrder) -> Operation {
    let [m, n, k] = [33, 17, 29];
    let numbers = |seed, len| match dtype {
        Dtype::F32 => bytes_of(&random_f32(seed, len)),
        _ => bytes_of(&random_f32(seed, len).into_iter().map(f64::from).collect::<Vec<_>>()),
    };
    let width = if dtype == Dtype::F32 { 4 } else { 8 };
    Operation {
        what: format!("gpumex_matmul, {variant:?}, {dtype:?}, {order:?}"),
        name: "gpumex_matmul",
        inputs: vec![("A", numbers(12, m * k)), ("B", numbers(13, k * n))],
        output: ("C", m * n * width),
        is_in_place: false,
        call: Box::new(move |ctx, inputs, c| {
            let (variant, dtype, order) = (variant as i32, dtype as i32, order as i32);
            let options = MatmulOptions { variant, dtype, order, ..MatmulOptions::default() };
            // SAFETY: m*k, k*n and m*n elements, or it is refused.
            unsafe { gpumex_matmul(ctx, &options, m, n, k, inputs[0], inputs[1], c) }
        }),
    }
}

fn histogram(variant: HistogramVariant, len: usize) -> Operation {
    Operation {
        what: format!("gpumex_histogram, {variant:?}, {len} bytes"),
        name: "gpumex_histogram",
        inputs: vec![("data", random_bytes(14, len))],
        output: ("counts", 256 * 8),
        is_in_place: false,
        call: Box::new(move |ctx, inputs, counts| {
            let options = HistogramOptions { variant: variant as i32, ..HistogramOptions::default() };
            // SAFETY: len bytes and 256 counters, or it is refused.
            unsafe { gpumex_histogram(ctx, &options, inputs[0], len, counts, 256) }
        }),
    }
}

fn raytrace(variant: RaytraceVariant, count: usize) -> Operation {
    let (width, height) = (41, 23);
    Operation {
        what: format!("gpumex_raytrace, {variant:?}, {count} spheres"),
        name: "gpumex_raytrace",
        inputs: vec![("spheres", bytes_of(&random_spheres(15, count, width, height)))],
        output: ("image", width * height * 4),
        is_in_place: false,
        call: Box::new(move |ctx, inputs, image| {
            let options = RaytraceOptions { variant: variant as i32, ..RaytraceOptions::default() };
            // SAFETY: count spheres and height*width*4 bytes, or it is refused.
            unsafe { gpumex_raytrace(ctx, &options, inputs[0].cast(), count, width, height, image.cast()) }
        }),
    }
}

/// Each operation once.
pub fn operations() -> Vec<Operation> {
    vec![
        life(LifeVariant::Auto, 61, 67, 5),
        life_bits(LifeVariant::Auto, 61, 67, 5),
        matmul(MatmulVariant::Auto, Dtype::F32, MatmulOrder::Row),
        matmul(MatmulVariant::Auto, Dtype::F64, MatmulOrder::Column),
        histogram(HistogramVariant::Auto, 70_001),
        raytrace(RaytraceVariant::Auto, 100),
    ]
}

/// Every variant that a context serves.
pub fn all_operations(ctx: &Context) -> Vec<Operation> {
    let lives = ctx.variants().into_iter().flat_map(|variant| [0, 1, 4].map(|n| life(variant, 33, 70, n)));
    let on_bits = ON_BITS.into_iter().flat_map(|variant| [0, 1, 4].map(|n| life_bits(variant, 33, 70, n)));
    let (f32, f64) = (Dtype::F32, Dtype::F64);
    let orders = [(f32, MatmulOrder::Row), (f64, MatmulOrder::Row), (f32, MatmulOrder::Column)];
    let products = ctx
        .variants()
        .into_iter()
        .filter(|&variant| variant != MatmulVariant::Cublas)
        .flat_map(|variant| orders.map(|(dtype, order)| (variant, dtype, order)))
        .filter(|&(variant, dtype, _)| variant != MatmulVariant::Tf32 || dtype == f32)
        .map(|(variant, dtype, order)| matmul(variant, dtype, order));
    let counts = ctx.variants().into_iter().map(|variant| histogram(variant, 5003));
    let pictures =
        ctx.variants().into_iter().flat_map(|variant| [7, 2400, 5000].map(|n| raytrace(variant, n)));
    lives.chain(on_bits).chain(products).chain(counts).chain(pictures).collect()
}
