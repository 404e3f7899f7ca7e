//! N-D indexing, indexed assignment and permutation of 8192 x 8192 bytes, floats and doubles: GB/s read and written.
//!
//!   cargo bench --bench indexing          on CUDA, in device memory: medians of the kernels' times
//!   cargo bench --bench indexing cpu      on the CPU backend, of 4096 x 4096
//!
//! Peer is the copy of as many bytes (gpumex_copy: the driver's own on CUDA) in the same process.

mod common;

use std::env;
use std::ffi::c_void;
use std::ptr::null;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use common::*;

/// What is taken of the rows and columns of a matrix: start, step, whether it wraps, which index vector.
type Taken = [(i64, i64, i32, Option<usize>); 2];

const ALL: (i64, i64, i32, Option<usize>) = (0, 1, 0, None);
const CASES: [(&str, Taken); 10] = [
    ("all", [ALL, ALL]),
    ("A(:, q), q random", [ALL, (0, 1, 0, Some(1))]),
    ("A(p, :), p neighbours", [(0, 1, 0, Some(0)), ALL]),
    ("A(p, q), p neighbours, q random", [(0, 1, 0, Some(0)), (0, 1, 0, Some(1))]),
    ("A(p, q), both random", [(0, 1, 0, Some(1)), (0, 1, 0, Some(1))]),
    ("A(p, q), both random, from 1, double", [(-1, 1, 0, Some(2)), (-1, 1, 0, Some(2))]),
    ("flip of rows", [(-1, -1, 0, None), ALL]),
    ("flip of columns", [ALL, (-1, -1, 0, None)]),
    ("circshift by 3 rows", [(-3, 1, 1, None), ALL]),
    ("circshift by 3 columns", [ALL, (-3, 1, 1, None)]),
];

struct Bench {
    ctx: Handle,
    side: usize,
    is_cpu: bool,
    arrays: [*mut c_void; 2],
    vectors: [*mut c_void; 3],
}

fn main() {
    let is_cpu = env::args().any(|argument| argument == "cpu");
    let backend = if is_cpu { Backend::Cpu } else { Backend::Cuda };
    let ctx = gpumex_context_create(backend as i32, -1);
    assert!(!ctx.is_null(), "{}", text(gpumex_last_error()));
    println!("{}", text(gpumex_context_device_text(ctx)));
    let side = if is_cpu { 4096 } else { 8192 };
    let kind = if is_cpu { MemoryKind::Pinned } else { MemoryKind::Device };
    let arrays = [(); 2].map(|()| malloc(ctx, kind, 8 * side * side));
    for array in arrays {
        // SAFETY: as many doubles.
        check(unsafe { gpumex_random(ctx, Dtype::F64 as i32, array, side * side, 1, 0.0, 1.0) });
    }
    let bench = Bench { ctx, side, is_cpu, arrays, vectors: vectors(ctx, side, kind) };
    println!("{:44} | {:>10} | {:>10} | {:>10}", "", "gpumex", "copy", "wanted");
    for dtype in [Dtype::U8, Dtype::F32, Dtype::F64] {
        bench.of(dtype);
    }
    check(gpumex_context_destroy(ctx));
}

/// Neighbours, as u32; a random order, as u32; the same from 1, as doubles.
fn vectors(ctx: Handle, side: usize, kind: MemoryKind) -> [*mut c_void; 3] {
    let mut order: Vec<u32> = (0..side as u32).collect();
    let mut random = Pcg64::seed_from_u64(1);
    (1..side).for_each(|i| order.swap(i, random.random_range(0..=i)));
    let neighbours: Vec<u32> = (0..side as u32).map(|i| i.saturating_sub(1)).collect();
    let doubles: Vec<f64> = order.iter().map(|&i| f64::from(i) + 1.0).collect();
    let all = [(neighbours.as_ptr().cast(), 4), (order.as_ptr().cast(), 4), (doubles.as_ptr().cast(), 8)];
    all.map(|(from, bytes): (*const c_void, usize)| {
        let vector = malloc(ctx, kind, bytes * side);
        copy(ctx, vector, from, bytes * side);
        vector
    })
}

impl Bench {
    fn of(&self, dtype: Dtype) {
        let [from, to] = self.arrays;
        let bytes = self.side * self.side * dtype.size();
        let peer = self.rate(2 * bytes, &|| copy(self.ctx, to, from, bytes));
        let row = |name: &str, call: &dyn Fn()| {
            row(&format!("{dtype:?}: {name}"), self.rate(2 * bytes, call), peer, "");
        };
        for (name, taken) in CASES {
            row(name, &|| self.index(dtype, taken, false));
            row(&format!("{name}, assigned"), &|| self.index(dtype, taken, true));
        }
        let side = self.side;
        for (name, shape, order) in [
            ("transpose", vec![side, side], vec![1, 0]),
            ("transpose of odd extents", vec![side - 1, side - 3], vec![1, 0]),
            ("(2 1 0)", vec![side / 16, 16, side], vec![2, 1, 0]),
            ("(1 0 2)", vec![side / 16, 16, side], vec![1, 0, 2]),
            ("(0 2 1)", vec![side / 16, 16, side], vec![0, 2, 1]),
            ("3 x n to n x 3", vec![3, side * side / 3], vec![1, 0]),
            ("n x 3 to 3 x n", vec![side * side / 3, 3], vec![1, 0]),
        ] {
            row(&format!("permute, {name}"), &|| self.permute(dtype, &shape, &order));
        }
    }

    fn index(&self, dtype: Dtype, taken: Taken, is_assigned: bool) {
        let side = self.side as i64;
        let starts = taken.map(|(start, step, ..)| if step < 0 { side - 1 } else { start });
        let (steps, wraps) = (taken.map(|(_, step, ..)| step), taken.map(|(_, _, wraps, _)| wraps));
        let indices =
            taken.map(|(.., vector)| vector.map_or(null(), |vector| self.vectors[vector].cast_const()));
        let dtypes =
            taken.map(|(.., vector)| if vector == Some(2) { Dtype::F64 as i32 } else { Dtype::U32 as i32 });
        let shape = [self.side; 2];
        let [from, to] = self.arrays;
        let (dtype, shape, starts, steps) = (dtype as i32, shape.as_ptr(), starts.as_ptr(), steps.as_ptr());
        let (wraps, indices, index_dtypes) = (wraps.as_ptr(), indices.as_ptr(), dtypes.as_ptr());
        // SAFETY: side * side elements each, side indices.
        check(unsafe {
            if is_assigned {
                let rest = ScatterNdOptions::default();
                let options = ScatterNdOptions {
                    dtype,
                    rank: 2,
                    shape,
                    starts,
                    steps,
                    wraps,
                    indices,
                    index_dtypes,
                    ..rest
                };
                gpumex_scatter_nd(self.ctx, &options, from, to)
            } else {
                let rest = GatherNdOptions::default();
                let options = GatherNdOptions {
                    dtype,
                    rank: 2,
                    shape,
                    starts,
                    steps,
                    wraps,
                    indices,
                    index_dtypes,
                    ..rest
                };
                gpumex_gather_nd(self.ctx, &options, from, to)
            }
        });
    }

    fn permute(&self, dtype: Dtype, shape: &[usize], order: &[i32]) {
        let ([from, to], rank) = (self.arrays, shape.len() as i32);
        let options = PermuteOptions { dtype: dtype as i32, rank, ..PermuteOptions::default() };
        // SAFETY: at most side * side elements each.
        check(unsafe { gpumex_permute(self.ctx, &options, from, shape.as_ptr(), order.as_ptr(), to) });
    }

    /// GB/s of calls that move so many bytes.
    fn rate(&self, bytes: usize, call: &dyn Fn()) -> f64 {
        call();
        let repeats = if self.is_cpu { 1 } else { 20 };
        let ms = median(if self.is_cpu { 5 } else { 11 }, || {
            let mut ms = 0.0;
            check(gpumex_timer_start(self.ctx));
            (0..repeats).for_each(|_| call());
            // SAFETY: writes one number.
            check(unsafe { gpumex_timer_stop(self.ctx, &mut ms) });
            ms / f64::from(repeats)
        });
        bytes as f64 / ms / 1e6
    }
}
