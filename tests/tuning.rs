//! Launch tuning: every kernel gives the same result with every tuning that it serves, and refuses the others by
//! name.

mod primitives;

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::ptr::null;

use gpumex::context::KernelTuning;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::ops::dot::DotVariant;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::{LifeBoundary, LifeCells, LifeVariant};
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;

use crate::common::{histogram, life, matmul, raytrace, *};

const LEN: usize = 100_003;

/// A kernel, and its result as bytes for the same input every time.
type Case = (&'static str, fn(&Context) -> Vec<u8>);

const LARGE: [usize; 3] = [265, 333, 140];

const CASES: &[Case] = &[
    ("life_arrays", |ctx| life_of(ctx, LifeVariant::Arrays)),
    ("life_shmem_bytes", |ctx| life_of(ctx, LifeVariant::ShmemBytes)),
    ("life_texture_bytes", |ctx| life_of(ctx, LifeVariant::TextureBytes)),
    ("life_shmem", |ctx| life_on_bits(ctx, LifeVariant::Shmem)),
    ("life_texture", |ctx| life_on_bits(ctx, LifeVariant::Texture)),
    ("life_registers", |ctx| life_on_bits(ctx, LifeVariant::Registers)),
    ("life_cluster", |ctx| life_on_bits(ctx, LifeVariant::Cluster)),
    ("matmul_naive", |ctx| product::<f32>(ctx, LARGE, MatmulVariant::Naive)),
    ("matmul_blocked", |ctx| {
        [transposed::<f32>(ctx, MatmulVariant::Blocked), transposed::<f64>(ctx, MatmulVariant::Blocked)]
            .concat()
    }),
    ("matmul_tiled", |ctx| product::<f32>(ctx, LARGE, MatmulVariant::Tiled)),
    ("matmul_tiled_f64", |ctx| product::<f64>(ctx, LARGE, MatmulVariant::Tiled)),
    ("matmul_skinny", |ctx| {
        let thin = product::<f32>(ctx, [1, 3333, 1400], MatmulVariant::Tiled);
        let deep = product::<f64>(ctx, [65, 70, 8200], MatmulVariant::Tiled);
        [thin, deep].concat()
    }),
    ("matmul_tensor", |ctx| product::<f32>(ctx, LARGE, MatmulVariant::Tensor)),
    ("matmul_tf32", |ctx| product::<f32>(ctx, LARGE, MatmulVariant::Tf32)),
    ("matmul_half", halves),
    ("histogram_global", |ctx| counts(ctx, HistogramVariant::Global)),
    ("histogram_strided", |ctx| counts(ctx, HistogramVariant::Strided)),
    ("histogram_shared", |ctx| counts(ctx, HistogramVariant::Shared)),
    ("histogram_bytes", |ctx| counts(ctx, HistogramVariant::Auto)),
    ("histogram_bins", |ctx| {
        let options = HistogramOptions {
            dtype: Dtype::F32 as i32,
            channels: 3,
            lo: -0.9,
            hi: 0.8,
            ..HistogramOptions::default()
        };
        let (data, mut counts) = (random_f32(12, 3 * LEN), Output::<u64>::new(3 * 1000));
        let (from, to) = (data.as_ptr().cast(), counts.as_mut_ptr().cast());
        // SAFETY: 3 * LEN floats, 1000 counters for each of three channels.
        ok(unsafe { gpumex_histogram(ctx.handle, &options, from, 3 * LEN, to, 1000) }, "gpumex_histogram");
        bytes(&counts.written("gpumex_histogram"))
    }),
    ("raytrace_global", |ctx| image(ctx, RaytraceVariant::Global)),
    ("raytrace_read_only", |ctx| image(ctx, RaytraceVariant::ReadOnly)),
    ("raytrace_constant", |ctx| image(ctx, RaytraceVariant::Constant)),
    ("raytrace_binned", |ctx| image(ctx, RaytraceVariant::Binned)),
    ("fill", |ctx| {
        let (mut array, value) = (Output::<u16>::new(LEN), 0xBEEFu16);
        let to = array.as_mut_ptr().cast();
        // SAFETY: LEN elements, one value.
        ok(unsafe { gpumex_fill(ctx.handle, Dtype::U16 as i32, to, LEN, (&raw const value).cast()) }, "fill");
        bytes(&array.written("gpumex_fill"))
    }),
    ("fill_ascending", |ctx| {
        let mut array = Output::<f32>::new(LEN);
        let to = array.as_mut_ptr().cast();
        // SAFETY: LEN elements.
        ok(unsafe { gpumex_fill_ascending(ctx.handle, Dtype::F32 as i32, to, LEN, -7.5, 0.1) }, "ascending");
        bytes(&array.written("gpumex_fill_ascending"))
    }),
    ("random", |ctx| {
        let sorted = [sorted_random::<u8>(ctx), sorted_random::<u16>(ctx), sorted_random::<u32>(ctx)];
        let wide = [sorted_random::<u64>(ctx), sorted_random::<f32>(ctx), sorted_random::<f64>(ctx)];
        let mut array = Output::<f64>::new(LEN);
        let to = array.as_mut_ptr().cast();
        // SAFETY: LEN elements.
        ok(unsafe { gpumex_random(ctx.handle, Dtype::F64 as i32, to, LEN, 11, -1.0, 1.0) }, "random");
        [&bytes(&array.written("gpumex_random")), &sorted.concat(), &wide.concat()]
            .map(|all| &all[..])
            .concat()
    }),
    ("random_normal", |ctx| {
        let (mut doubles, mut singles) = (Output::<f64>::new(LEN), Output::<f32>::new(LEN));
        let (to, also) = (doubles.as_mut_ptr().cast(), singles.as_mut_ptr().cast());
        // SAFETY: LEN elements.
        ok(unsafe { gpumex_random_normal(ctx.handle, Dtype::F64 as i32, to, LEN, 11, 0.5, 2.0) }, "F64");
        // SAFETY: as above.
        ok(unsafe { gpumex_random_normal(ctx.handle, Dtype::F32 as i32, also, LEN, 11, 0.5, 2.0) }, "F32");
        [bytes(&doubles.written("random_normal")), bytes(&singles.written("random_normal"))].concat()
    }),
    ("add", |ctx| {
        let (x, mut y) = (random_f32(1, LEN), Output::holding(&random_f32(2, LEN)));
        let (from, to) = (x.as_ptr().cast(), y.as_mut_ptr().cast());
        let options = AddOptions { dtype: Dtype::F32 as i32, ..AddOptions::default() };
        // SAFETY: LEN floats each.
        ok(unsafe { gpumex_add(ctx.handle, &options, from, to, LEN) }, "gpumex_add");
        bytes(&y.written("gpumex_add"))
    }),
    ("axpy", |ctx| {
        let (x, mut y) = (random_f32(1, LEN), Output::holding(&random_f32(2, LEN)));
        let (from, to, dtype, beta) =
            (x.as_ptr().cast(), y.as_mut_ptr().cast(), Dtype::F32 as i32, [0.3f32].as_ptr().cast());
        let options = AxpyOptions { dtype, beta, ..AxpyOptions::default() };
        // SAFETY: LEN floats each, and one.
        ok(unsafe { gpumex_axpy(ctx.handle, &options, from, to, LEN) }, "gpumex_axpy");
        bytes(&y.written("gpumex_axpy"))
    }),
    ("scale", |ctx| {
        let scaled = [0, 1].map(|factor| {
            let (alpha, mut x) = ([0.3f64], Output::<f64>::new(LEN));
            let to = x.as_mut_ptr().cast();
            let options = ScaleOptions { dtype: Dtype::F64 as i32, factor, ..ScaleOptions::default() };
            // SAFETY: LEN elements, one number.
            unsafe {
                ok(gpumex_fill_ascending(ctx.handle, Dtype::F64 as i32, to, LEN, 1.0, 0.5), "ascending");
                ok(gpumex_scale(ctx.handle, &options, alpha.as_ptr().cast(), to, LEN), "gpumex_scale");
            }
            bytes(&x.written("gpumex_scale"))
        });
        scaled.concat()
    }),
    ("gather", |ctx| {
        let (at, mut result, dtype) = (indices(), Output::<u32>::new(LEN), Dtype::U32 as i32);
        let (from, to) = (at.as_ptr().cast(), result.as_mut_ptr().cast());
        let options = GatherOptions { dtype, index_dtype: dtype, ..GatherOptions::default() };
        // SAFETY: LEN elements, as many indices and results.
        ok(unsafe { gpumex_gather(ctx.handle, &options, from, LEN, from, LEN, to) }, "gpumex_gather");
        bytes(&result.written("gpumex_gather"))
    }),
    ("scatter", |ctx| {
        let (narrow, wide) = (indices(), wide_indices());
        [scattered(ctx, &narrow, &narrow), scattered(ctx, &narrow, &wide), scattered(ctx, &wide, &wide)]
            .concat()
    }),
    ("gather_nd", |ctx| {
        let (at, mut result) = (indices(), Output::<u32>::new(LEN));
        let (vectors, dtypes) = ([at.as_ptr().cast()], [Dtype::U32 as i32]);
        let options = GatherNdOptions {
            dtype: Dtype::U32 as i32,
            shape: &LEN,
            indices: vectors.as_ptr(),
            index_dtypes: dtypes.as_ptr(),
            ..GatherNdOptions::default()
        };
        let (from, to) = (at.as_ptr().cast(), result.as_mut_ptr().cast());
        // SAFETY: LEN elements, indices and results.
        ok(unsafe { gpumex_gather_nd(ctx.handle, &options, from, to) }, "gpumex_gather_nd");
        bytes(&result.written("gpumex_gather_nd"))
    }),
    ("scatter_nd", |ctx| {
        let (values, mut target, shape, step) = (indices(), Output::<u32>::new(2 * LEN), 2 * LEN, 2i64);
        let options = ScatterNdOptions {
            dtype: Dtype::U32 as i32,
            shape: &shape,
            counts: &LEN,
            steps: &step,
            ..ScatterNdOptions::default()
        };
        let (from, to) = (values.as_ptr().cast(), target.as_mut_ptr().cast());
        // SAFETY: LEN elements, twice as many places.
        ok(unsafe { gpumex_scatter_nd(ctx.handle, &options, from, to) }, "gpumex_scatter_nd");
        bytes(&target.written("gpumex_scatter_nd"))
    }),
    ("permute", |ctx| {
        let (values, mut result, shape, order) = (indices(), Output::<u32>::new(LEN), [LEN / 64, 64], [1, 0]);
        let options = PermuteOptions { dtype: Dtype::U32 as i32, rank: 2, ..PermuteOptions::default() };
        let (from, to) = (values.as_ptr().cast(), result.as_mut_ptr().cast());
        // SAFETY: at most LEN elements each.
        let status =
            unsafe { gpumex_permute(ctx.handle, &options, from, shape.as_ptr(), order.as_ptr(), to) };
        ok(status, "gpumex_permute");
        bytes(&result.written("gpumex_permute"))
    }),
    ("map", |ctx| {
        let (a, b, mut result) = (random_f32(21, LEN), random_f32(22, LEN), Output::<f32>::new(LEN));
        let (arrays, dtypes) = ([a.as_ptr().cast(), b.as_ptr().cast()], [Dtype::F32 as i32; 2]);
        let to = result.as_mut_ptr().cast();
        let options = MapOptions {
            dtype: Dtype::F32 as i32,
            dtypes: dtypes.as_ptr(),
            shape: &LEN,
            ..MapOptions::default()
        };
        let text = c"(a < b ? a * 2 : b / a) + a * b";
        // SAFETY: LEN floats each.
        ok(unsafe { gpumex_map(ctx.handle, &options, text.as_ptr(), arrays.as_ptr(), 2, to) }, "gpumex_map");
        bytes(&result.written("gpumex_map"))
    }),
    ("stencil", |ctx| {
        let (a, mut result) = (random_f32(23, LEN), Output::<f32>::new(LEN));
        let (arrays, dtypes) = ([a.as_ptr().cast()], [Dtype::F32 as i32]);
        let to = result.as_mut_ptr().cast();
        let options =
            StencilOptions { dtype: Dtype::F32 as i32, dtypes: dtypes.as_ptr(), ..StencilOptions::default() };
        let text = c"a(-1,0) + a(1,0) * a(0,-3) - a";
        let (rows, cols) = (LEN / 100, 100);
        // SAFETY: LEN floats each.
        let status = unsafe {
            gpumex_stencil(ctx.handle, &options, text.as_ptr(), arrays.as_ptr(), 1, rows, cols, to)
        };
        ok(status, "gpumex_stencil");
        bytes(&result.written("gpumex_stencil")[..rows * cols])
    }),
    ("convolve", |ctx| {
        let (a, mut result) = (random_f32(25, LEN), Output::<f32>::new(LEN));
        let (a, weights): (Vec<f32>, Vec<f32>) =
            (a.iter().map(|x| (x * 64.0).floor()).collect(), vec![1.0; 81]);
        let (from, filter, to) = (a.as_ptr().cast(), weights.as_ptr().cast(), result.as_mut_ptr().cast());
        let options = ConvolveOptions { dtype: Dtype::F32 as i32, ..ConvolveOptions::default() };
        let (rows, cols) = (LEN / 100, 100);
        // SAFETY: LEN floats each, 81 weights.
        let status = unsafe { gpumex_convolve(ctx.handle, &options, from, rows, cols, filter, 9, 9, to) };
        ok(status, "gpumex_convolve");
        bytes(&result.written("gpumex_convolve")[..rows * cols])
    }),
    ("median_filter", |ctx| {
        let (a, mut result) = (random_f32(26, LEN), Output::<f32>::new(LEN));
        let (from, to) = (a.as_ptr().cast(), result.as_mut_ptr().cast());
        let options = MedianFilterOptions { dtype: Dtype::F32 as i32, ..MedianFilterOptions::default() };
        let (rows, cols) = (LEN / 100, 100);
        // SAFETY: LEN floats each.
        let status = unsafe { gpumex_median_filter(ctx.handle, &options, from, rows, cols, 4, 3, to) };
        ok(status, "gpumex_median_filter");
        bytes(&result.written("gpumex_median_filter")[..rows * cols])
    }),
    ("stencil_bytes", |ctx| {
        let (a, mut result) = (random_bytes(24, LEN), Output::<u8>::new(LEN));
        let (arrays, dtypes) = ([a.as_ptr().cast()], [Dtype::U8 as i32]);
        let to = result.as_mut_ptr().cast();
        let options =
            StencilOptions { dtype: Dtype::U8 as i32, dtypes: dtypes.as_ptr(), ..StencilOptions::default() };
        let text = c"max (a(-1,0), min (a(1,2), a(0,-1)))";
        let (rows, cols) = (LEN / 100, 100);
        // SAFETY: LEN bytes each.
        let status = unsafe {
            gpumex_stencil(ctx.handle, &options, text.as_ptr(), arrays.as_ptr(), 1, rows, cols, to)
        };
        ok(status, "gpumex_stencil");
        result.written("gpumex_stencil")[..rows * cols].to_vec()
    }),
    ("dot", |ctx| {
        // Whole numbers: every order of adding gives the same.
        let whole: Vec<f32> = random_bytes(3, LEN).into_iter().map(|byte| f32::from(byte % 4)).collect();
        let wide: Vec<f64> = whole.iter().copied().map(f64::from).collect();
        let each = [DotVariant::Atomic, DotVariant::TwoPass].map(|variant| {
            [0, 1]
                .map(|at| [dot_of(ctx, variant, &whole, at), dot_of(ctx, variant, &wide, at)].concat())
                .concat()
        });
        each.concat()
    }),
    ("words", |ctx| {
        let text: Vec<u8> =
            random_bytes(12, LEN).into_iter().map(|byte| b"aB'cde fg"[usize::from(byte % 9)]).collect();
        let (mut list, from, none) =
            (Output::<u64>::new(3 * LEN), text.as_ptr().cast(), std::ptr::null_mut());
        let [at, lens, counts] = [0, 1, 2].map(|column| list.as_mut_ptr().wrapping_add(column * LEN).cast());
        // SAFETY: LEN bytes, LEN elements each, no summary.
        ok(
            unsafe { gpumex_words(ctx.handle, null(), from, LEN, LEN, at, lens, counts, none) },
            "gpumex_words",
        );
        bytes(&list.written("gpumex_words"))
    }),
];

fn all_cases() -> impl Iterator<Item = Case> {
    CASES.iter().copied().chain(primitives::CASES)
}

#[test]
fn the_primitives_give_what_they_give_on_the_cpu() {
    for (kernel, result) in primitives::CASES {
        let want = result(&Context::cpu());
        assert!(!want.is_empty(), "{kernel}");
        if let Some(ctx) = Context::cuda() {
            assert_same(&result(&ctx), &want, kernel);
        }
    }
}

/// In parts, which tools take at the same time.
macro_rules! every_tuning_that_a_kernel_serves_gives_the_same_result {
    ($($test:ident: $part:literal),*) => {
        const PARTS: usize = [$($part),*].len();
        $(#[test] fn $test() { tunings_agree($part); })*
    };
}
every_tuning_that_a_kernel_serves_gives_the_same_result! {
    tunings_agree_1: 0, tunings_agree_2: 1, tunings_agree_3: 2, tunings_agree_4: 3, tunings_agree_5: 4, tunings_agree_6: 5, tunings_agree_7: 6, tunings_agree_8: 7, tunings_agree_9: 8, tunings_agree_10: 9, tunings_agree_11: 10, tunings_agree_12: 11
}

fn tunings_agree(part: usize) {
    let Some(ctx) = Context::cuda() else { return };
    for (kernel, result) in all_cases().skip(part).step_by(PARTS) {
        let name = CString::new(kernel).expect("a name");
        let want = result(&ctx);
        let mut served = 0;
        let caches = if share() == 1 { 0..4 } else { 0..1 };
        for threads in [0, 32, 64, 96, 128, 256, 384, 512, 992, 1024] {
            for values in [0, 1, 2, 4, 16, 32, 64, 128] {
                for cache in caches.clone() {
                    // Some kernels have one number of threads: a large share leaves none out.
                    if is_not_in_small_share() {
                        continue;
                    }
                    let what = format!("{kernel} with {threads} threads, {values} values, cache {cache}");
                    match set(&ctx, &name, threads, values, cache) {
                        0 => assert_same(&result(&ctx), &want, &what),
                        status => refused(status, Status::InvalidArgument, &[kernel, "serves"], &what),
                    }
                    served += i32::from(get(&ctx, &name) == [threads, values, cache]);
                }
            }
        }
        let fewest = if share() > 3 { 0 } else { caches.len() as i32 }; // those of the cache
        assert!(served >= fewest, "{kernel} served {served} tunings");
        // SAFETY: a C string.
        ok(unsafe { gpumex_tuning_set(ctx.handle, name.as_ptr(), null()) }, kernel);
    }
}

#[test]
fn the_table_lists_every_kernel_once() {
    let Some(ctx) = Context::cuda() else { return };
    let text = text_at(gpumex_tuning_text(ctx.handle));
    let names: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    let known: BTreeSet<&str> = all_cases().map(|(name, _)| name).collect();
    assert_eq!(names.iter().copied().collect::<BTreeSet<_>>(), known, "{text}");
    assert_eq!(names.len(), known.len(), "{text}");
}

#[test]
fn a_context_has_tunings_of_its_own_and_goes_back_to_the_table() {
    let (Some(first), Some(second)) = (Context::cuda(), Context::cuda()) else { return };
    let before = get(&first, c"add");
    ok(set(&first, c"add", 512, 1, 2), "add");
    assert_eq!((get(&first, c"add"), get(&second, c"add")), ([512, 1, 2], before));
    // SAFETY: a C string.
    ok(unsafe { gpumex_tuning_set(first.handle, c"add".as_ptr(), null()) }, "back to the table");
    assert_eq!(get(&first, c"add"), before);
}

/// With as many rows a lane as a tuning asks for: boards that are smaller have fewer.
#[test]
fn boards_that_fill_the_device_agree_whatever_the_height_of_a_tile() {
    let Some(ctx) = Context::cuda() else { return };
    let (rows, cols) = (18_001, 5_281);
    let board = random_bits(11, rows, cols);
    let play =
        |variant, rule| after_on_bits(&ctx, variant, (LifeBoundary::Clamp, rule), &board, [rows, cols], 9);
    for rule in [c"B3/S23", c"B36/S125"] {
        let want = play(LifeVariant::Shmem, rule);
        for (kernel, variant) in
            [(c"life_texture", LifeVariant::Texture), (c"life_registers", LifeVariant::Registers)]
        {
            let [threads, default, cache] = get(&ctx, kernel);
            for rows_a_lane in [2, 4, 8] {
                ok(set(&ctx, kernel, threads, rows_a_lane, cache), format!("{kernel:?}, {rows_a_lane}"));
                assert_same(
                    &play(variant, rule),
                    &want,
                    format!("{variant:?}, {rule:?}, {rows_a_lane} rows a lane"),
                );
            }
            ok(set(&ctx, kernel, threads, default, cache), "the default");
        }
    }
}

#[test]
fn what_is_no_kernel_is_refused_by_name() {
    let Some(ctx) = Context::cuda() else { return };
    refused(set(&ctx, c"addd", 256, 1, 0), Status::InvalidArgument, &["\"addd\"", "life_arrays"], "addd");
    // SAFETY: NULL is refused.
    let status = unsafe { gpumex_tuning_set(ctx.handle, null(), null()) };
    refused(status, Status::NullPointer, &["kernel is NULL"], "no name");
}

#[test]
fn the_cpu_backend_has_nothing_to_tune() {
    let ctx = Context::cpu();
    refused(set(&ctx, c"add", 256, 1, 0), Status::Unsupported, &["CPU backend"], "set");
    assert!(gpumex_tuning_text(ctx.handle).is_null());
}

// -------------------------------------------------------------------------------------------------------------
// the parts

fn set(ctx: &Context, kernel: &CStr, threads: i32, values: i32, cache: i32) -> i32 {
    let tuning = KernelTuning { size: size_of::<KernelTuning>(), threads, values, cache, reserved: 0 };
    // SAFETY: a C string, a struct with its size.
    unsafe { gpumex_tuning_set(ctx.handle, kernel.as_ptr(), &tuning) }
}

fn get(ctx: &Context, kernel: &CStr) -> [i32; 3] {
    let mut tuning = KernelTuning { size: size_of::<KernelTuning>(), ..KernelTuning::default() };
    // SAFETY: a C string, a struct with its size.
    ok(unsafe { gpumex_tuning_get(ctx.handle, kernel.as_ptr(), &mut tuning) }, "gpumex_tuning_get");
    [tuning.threads, tuning.values, tuning.cache]
}

/// Each position but every tenth, which is out of range, once.
fn indices() -> Vec<u32> {
    (0..LEN as u32).map(|i| if i % 10 == 3 { u32::MAX } else { (i * 7) % LEN as u32 }).collect()
}

fn wide_indices() -> Vec<u64> {
    indices().into_iter().map(u64::from).collect()
}

/// The elements, each at the place that its index names.
fn scattered<T: Number, I: Number>(ctx: &Context, elements: &[T], indices: &[I]) -> Vec<u8> {
    let (dtype, index_dtype, mut target) = (T::DTYPE as i32, I::DTYPE as i32, Output::<T>::new(LEN));
    let (from, at, to) = (elements.as_ptr().cast(), indices.as_ptr().cast(), target.as_mut_ptr().cast());
    let options = ScatterOptions { dtype, index_dtype, ..ScatterOptions::default() };
    // SAFETY: LEN elements and indices, as many places.
    ok(unsafe { gpumex_scatter(ctx.handle, &options, from, at, LEN, to, LEN) }, "gpumex_scatter");
    bytes(&target.written("gpumex_scatter"))
}

fn bytes<T: Number>(numbers: &[T]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.bits().to_le_bytes()).collect()
}

fn life_of(ctx: &Context, variant: LifeVariant) -> Vec<u8> {
    life(ctx, variant, &random_board(5, 531 * 277), 531, 277, 21)
}

/// As `life_of`, and a larger board of bits with another rule on a torus.
fn life_on_bits(ctx: &Context, variant: LifeVariant) -> Vec<u8> {
    let (rows, cols) = if share() == 1 { (2051, 3001) } else { (515, 771) };
    let game = (LifeBoundary::Torus, c"B36/S125");
    let next = after_on_bits(ctx, variant, game, &random_bits(10, rows, cols), [rows, cols], 17);
    [life_of(ctx, variant), bytes(&next)].concat()
}

fn random_bits(seed: u64, rows: usize, cols: usize) -> Vec<u64> {
    random_bytes(seed, rows * cols.div_ceil(64) * 8).chunks(8).map(word).collect()
}

/// A board of bits after some generations.
fn after_on_bits(
    ctx: &Context,
    variant: LifeVariant,
    (boundary, rule): (LifeBoundary, &CStr),
    board: &[u64],
    [rows, cols]: [usize; 2],
    generations: u64,
) -> Vec<u64> {
    let options = LifeOptions {
        variant: variant as i32,
        boundary: boundary as i32,
        cells: LifeCells::Bits as i32,
        rule: rule.as_ptr(),
        ..LifeOptions::default()
    };
    let mut next = Output::<u64>::new(board.len());
    let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
    // SAFETY: rows of words each.
    let status = unsafe { gpumex_life(ctx.handle, &options, from, rows, cols, generations, to) };
    ok(status, format!("{variant:?} on bits"));
    next.written("gpumex_life")
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("8 bytes"))
}

/// Of whole numbers, whose sums are exact in any order.
fn product<T: Real>(ctx: &Context, [m, n, k]: [usize; 3], variant: MatmulVariant) -> Vec<u8> {
    bytes(&matmul(ctx, variant, MatmulOrder::Row, [m, n, k], &whole::<T>(6, m * k), &whole(7, k * n)))
}

/// The product of BF16, which have the upper halves of floats, as float.
fn halves(ctx: &Context) -> Vec<u8> {
    let [m, n, k] = LARGE;
    let [a, b] = [(6, m * k), (7, k * n)].map(|(seed, len)| {
        whole::<f32>(seed, len)
            .into_iter()
            .map(|number| (number.to_bits() >> 16) as u16)
            .collect::<Vec<u16>>()
    });
    let (dtype, dtype_c) = (Dtype::Bf16 as i32, Dtype::F32 as i32);
    let options = MatmulOptions { dtype, dtype_c, ..MatmulOptions::default() };
    let mut c = Output::<f32>::new(m * n);
    let (a, b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
    // SAFETY: a holds m*k, b k*n and c m*n elements.
    ok(unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, a, b, to) }, "gpumex_matmul");
    bytes(&c.written("gpumex_matmul"))
}

/// Whole numbers: every order of adding gives the same.
fn whole<T: Real>(seed: u64, len: usize) -> Vec<T> {
    random_bytes(seed, len).into_iter().map(|byte| T::from_f64(f64::from(byte % 16) - 8.0)).collect()
}

fn counts(ctx: &Context, variant: HistogramVariant) -> Vec<u8> {
    bytes(&histogram(ctx, variant, &random_bytes(8, LEN)))
}

fn image(ctx: &Context, variant: RaytraceVariant) -> Vec<u8> {
    raytrace(ctx, variant, &random_spheres(9, 50, 70, 50), 70, 50)
}

/// The product with its operands as they are, and with each of them, or both, transposed.
fn transposed<T: Real>(ctx: &Context, variant: MatmulVariant) -> Vec<u8> {
    let [m, n, k] = LARGE;
    let [a, b] = [(6, m * k), (7, k * n)].map(|(seed, len)| whole::<T>(seed, len));
    let product = |way: i32| {
        let (trans_a, trans_b) = (way & 1, way >> 1);
        let (variant, dtype) = (variant as i32, T::DTYPE as i32);
        let options = MatmulOptions { variant, dtype, trans_a, trans_b, ..MatmulOptions::default() };
        let mut c = Output::<T>::new(m * n);
        let (a, b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
        // SAFETY: a holds m*k, b k*n and c m*n elements.
        ok(unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, a, b, to) }, "gpumex_matmul");
        bytes(&c.written("gpumex_matmul"))
    };
    (0..4).flat_map(product).collect()
}

fn sorted_random<T: Number>(ctx: &Context) -> Vec<u8> {
    let mut array = Output::<T>::new(LEN);
    let to = array.as_mut_ptr().cast();
    // SAFETY: LEN elements.
    ok(
        unsafe { gpumex_random_sorted(ctx.handle, T::DTYPE as i32, to, LEN, 11, 1.0, 100.0) },
        "random_sorted",
    );
    bytes(&array.written("gpumex_random_sorted"))
}

/// The sum of the squares from the element `at` on, of an array in device memory.
fn dot_of<T: Real>(ctx: &Context, variant: DotVariant, x: &[T], at: usize) -> Vec<u8> {
    let options = DotOptions { variant: variant as i32, dtype: T::DTYPE as i32, ..DotOptions::default() };
    let mut array = Placed::holding(ctx, Some(MemoryKind::Device), x);
    let (mut sum, from) = (Output::<T>::new(1), array.as_ptr::<T>().wrapping_add(at).cast());
    let to = sum.as_mut_ptr().cast();
    // SAFETY: x.len() - at elements from there on, one result.
    ok(unsafe { gpumex_dot(ctx.handle, &options, from, from, x.len() - at, to) }, "gpumex_dot");
    bytes(&sum.written("gpumex_dot"))
}
