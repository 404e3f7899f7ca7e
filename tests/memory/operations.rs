//! Every operation with its arrays at every place, by every allocator: the result is that of host arrays.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::choice::Choice;
use gpumex::ffi::*;
use gpumex::memory::{Allocator, MemoryKind};
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::{MatmulDtype, MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;

use crate::arrays::*;
use crate::common::{supplier::Supplier, *};

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

type Call = dyn Fn(Token, &[*mut c_void], *mut c_void) -> i32;

impl Operation {
    pub fn call(&self, ctx: &Context, inputs: &[*mut c_void], output: *mut c_void) -> i32 {
        (self.call)(ctx.token, inputs, output)
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

fn life(variant: LifeVariant, rows: usize, cols: usize, generations: u64) -> Operation {
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

fn matmul(variant: MatmulVariant, dtype: MatmulDtype, order: MatmulOrder) -> Operation {
    let [m, n, k] = [33, 17, 29];
    let numbers = |seed, len| match dtype {
        MatmulDtype::F32 => bytes_of(&random_f32(seed, len)),
        _ => bytes_of(&random_f32(seed, len).into_iter().map(f64::from).collect::<Vec<_>>()),
    };
    let width = if dtype == MatmulDtype::F32 { 4 } else { 8 };
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
        matmul(MatmulVariant::Auto, MatmulDtype::F32, MatmulOrder::Row),
        matmul(MatmulVariant::Auto, MatmulDtype::F64, MatmulOrder::Column),
        histogram(HistogramVariant::Auto, 70_001),
        raytrace(RaytraceVariant::Auto, 100),
    ]
}

/// Every variant that a context serves.
fn all_operations(ctx: &Context) -> Vec<Operation> {
    let lives = ctx.variants().into_iter().flat_map(|variant| [0, 1, 4].map(|n| life(variant, 33, 70, n)));
    let (f32, f64) = (MatmulDtype::F32, MatmulDtype::F64);
    let orders = [(f32, MatmulOrder::Row), (f64, MatmulOrder::Row), (f32, MatmulOrder::Column)];
    let products = ctx
        .variants()
        .into_iter()
        .flat_map(|variant| orders.map(|(dtype, order)| matmul(variant, dtype, order)));
    let counts = ctx.variants().into_iter().map(|variant| histogram(variant, 5003));
    let pictures = ctx.variants().into_iter().flat_map(|variant| [7, 2400].map(|n| raytrace(variant, n)));
    lives.chain(products).chain(counts).chain(pictures).collect()
}

/// One place for each of `count` arrays, in every combination.
fn combinations(count: usize) -> Vec<Vec<Place>> {
    let digit = |number: usize, at: usize| PLACES[number / 4usize.pow(at as u32) % 4];
    (0..4usize.pow(count as u32)).map(|number| (0..count).map(|at| digit(number, at)).collect()).collect()
}

#[test]
fn every_operation_takes_every_array_at_every_place() {
    for ctx in backends() {
        for operation in all_operations(&ctx) {
            let want = operation.result_on_host(&ctx);
            for places in combinations(operation.inputs.len() + 1) {
                let (to, from) = places.split_last().expect("an output at least");
                let what = format!("{} on {:?}, {from:?} to {to:?}", operation.what, ctx.backend);
                assert_same(&operation.result(&ctx, from, *to), &want, what);
            }
        }
        assert_eq!(stats_of(ctx.token).allocated, 0, "{:?}: every temporary was given back", ctx.backend);
    }
}

#[test]
fn what_works_in_place_does_so_at_every_place() {
    for ctx in backends() {
        for operation in all_operations(&ctx).iter().filter(|operation| operation.is_in_place) {
            let want = operation.result_on_host(&ctx);
            for place in PLACES {
                let mut both = Array::holding(&ctx, place, &operation.inputs[0].1);
                let what = format!("{} on {:?}, in place at {place:?}", operation.what, ctx.backend);
                let at = both.at();
                ok(operation.call(&ctx, &[at], at), &what);
                assert_same(&both.bytes(), &want, what);
            }
        }
    }
}

/// Blocks are aligned to 512 bytes, which textures want; parts of them are not.
#[test]
fn arrays_may_start_anywhere_within_a_block() {
    for ctx in backends() {
        for variant in ctx.variants::<LifeVariant>() {
            for (generations, offset) in [(1, 1), (2, 77), (3, 256)] {
                let operation = life(variant, 33, 70, generations);
                let (want, cells) = (operation.result_on_host(&ctx), 33 * 70);
                let [board, next] =
                    [0, 1].map(|_| Memory::new(ctx.token, MemoryKind::Device, cells + offset));
                let [from, to] = [&board, &next].map(|memory| memory.at.wrapping_byte_add(offset));
                copy(ctx.token, from, operation.inputs[0].1.as_ptr().cast(), cells);
                let what = format!("{} on {:?}, {offset} bytes off", operation.what, ctx.backend);
                ok(operation.call(&ctx, &[from], to), &what);
                ok(operation.call(&ctx, &[from], from), format!("{what}, in place"));
                for array in [to, from] {
                    let mut got = vec![0u8; cells];
                    copy(ctx.token, got.as_mut_ptr().cast(), array, cells);
                    assert_same(&got, &want, &what);
                }
            }
        }
    }
}

#[test]
fn all_operations_work_with_every_allocator() {
    let supplier = Supplier::default();
    for ctx in backends() {
        let want: Vec<Vec<u8>> = operations().iter().map(|one| one.result_on_host(&ctx)).collect();
        for &allocator in Allocator::ALL {
            let status = match allocator {
                Allocator::Custom => supplier.select(ctx.token),
                _ => gpumex_allocator_select(ctx.token, allocator as i32),
            };
            if allocator == Allocator::Pool && ctx.backend == gpumex::settings::Backend::Cpu {
                assert_ne!(status, 0, "POOL on the CPU backend");
                continue;
            }
            let what = format!("{allocator:?} on {:?}", ctx.backend);
            ok(status, &what);
            for (operation, want) in operations().iter().zip(&want) {
                for place in PLACES {
                    let from = vec![place; operation.inputs.len()];
                    let name = format!("{}, {what}, {place:?}", operation.what);
                    assert_same(&operation.result(&ctx, &from, place), want, name);
                }
            }
            let stats = stats_of(ctx.token);
            assert_eq!((stats.allocator, stats.allocated), (allocator as i32, 0), "{what}");
            assert!(
                stats.misses > 0 && (allocator == Allocator::Caching) == (stats.hits > 0),
                "{what}: {stats:?}"
            );
        }
    }
    let book = supplier.book();
    assert!(
        book.given > 0 && book.given == book.taken_back,
        "{} given, {} back",
        book.given,
        book.taken_back
    );
}

#[test]
fn no_options_are_the_defaults_for_memory_of_the_device_too() {
    for ctx in backends() {
        let data = Memory::new(ctx.token, MemoryKind::Device, 1000);
        let mut counts = [0u64; 256];
        copy(ctx.token, data.at, [5u8; 1000].as_ptr().cast(), 1000);
        // SAFETY: 1000 bytes, 256 counters.
        let status =
            unsafe { gpumex_histogram(ctx.token, null(), data.at, 1000, counts.as_mut_ptr().cast(), 256) };
        ok(status, "gpumex_histogram");
        assert_eq!((counts[5], counts.iter().sum::<u64>()), (1000, 1000), "{:?}", ctx.backend);
    }
}
