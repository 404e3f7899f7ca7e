//! Products of matrices whose rows are on several ranks.

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;

use super::group::*;
use crate::common::*;

/// Integers so small that each sum is exact, whatever its order.
fn matrix<T: Number>(seed: u64, len: usize) -> Vec<T> {
    random_bytes(seed, len).iter().map(|&byte| T::from_f64(f64::from(byte % 17) - 8.0)).collect()
}

/// alpha·A·B + beta·C by plain loops.
fn product(dims: [usize; 3], [alpha, beta]: [f64; 2], a: &[f64], b: &[f64], c: &[f64]) -> Vec<f64> {
    let [m, n, k] = dims;
    let at = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum::<f64>();
    (0..m * n).map(|ij| alpha * at(ij / n, ij % n) + beta * c[ij]).collect()
}

fn multiplies<T: Number + Into<f64>>(group: &Group, dims: [usize; 3], is_scaled: bool, seed: u64) {
    let [m, n, k] = dims;
    let (a, b, c) = (matrix::<T>(seed, m * k), matrix::<T>(seed + 1, k * n), matrix::<T>(seed + 2, m * n));
    let wide = |numbers: &[T]| numbers.iter().map(|&number| number.into()).collect::<Vec<f64>>();
    let factors = if is_scaled { [2.0, -3.0] } else { [1.0, 0.0] };
    let want = product(dims, factors, &wide(&a), &wide(&b), &wide(&c));
    let ranks = group.comms.len();
    let (rows, inner) = (cuts(seed, m, ranks), cuts(seed + 1, k, ranks));
    let what = format!("{ranks} ranks, {dims:?} in {rows:?} and {inner:?}, {:?}", T::DTYPE);
    let parts = group.run(|rank| {
        let (own, own_inner) = (rows[rank.rank]..rows[rank.rank + 1], inner[rank.rank]..inner[rank.rank + 1]);
        let mut part = Placed::holding(rank.ctx, rank.kind(), &a[own.start * k..own.end * k]);
        let mut lines = Placed::holding(rank.ctx, rank.kind(), &b[own_inner.start * n..own_inner.end * n]);
        let mut to = Placed::holding(rank.ctx, rank.kind(), &c[own.start * n..own.end * n]);
        let [alpha, beta] = factors.each_ref();
        let mut options = MatmulOptions { dtype: T::DTYPE as i32, ..Default::default() };
        if is_scaled {
            (options.alpha, options.beta) = (alpha, beta);
        }
        // SAFETY: rows of k, n and n elements.
        let status = unsafe {
            let (a, b, c) = (part.as_ptr(), lines.as_ptr(), to.as_mut_ptr());
            gpumex_comm_matmul(rank.comm, &options, own.len(), n, own_inner.len(), a, b, c)
        };
        ok(status, &what);
        to.written()
    });
    assert_eq!(wide(&parts.concat()), want, "{what}");
}

#[test]
fn products_of_parts_are_those_of_the_whole() {
    for_every_group(|group| {
        for (at, dims) in
            [[5, 7, 11], [64, 33, 130], [1, 1, 1], [3, 300, 2], [0, 4, 9], [6, 0, 5], [200, 40, 0]]
                .into_iter()
                .enumerate()
        {
            multiplies::<f64>(group, dims, at % 2 == 1, at as u64);
            multiplies::<f32>(group, dims, at % 2 == 0, 10 + at as u64);
        }
    });
}

#[test]
fn what_several_ranks_do_not_serve_is_refused_on_all() {
    let group = Group::new(gpumex::platform::settings::Backend::Cpu, 2);
    group.run(|rank| {
        let (a, b, mut c) = ([1.0f32; 8], [1.0f32; 4], [0.0f32; 4]);
        let mut call = |options: &MatmulOptions, n: usize| {
            // SAFETY: two rows of four elements, two rows of two, and two rows of two.
            unsafe {
                let (a, b, c) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
                gpumex_comm_matmul(rank.comm, options, 2, n, 2, a, b, c)
            }
        };
        let plain = MatmulOptions::default();
        ok(call(&plain, 2), "two ranks");
        let refusals = [
            (MatmulOptions { order: 1, ..plain }, "GPUMEX_MATMUL_ORDER_COLUMN"),
            (MatmulOptions { trans_b: 1, ..plain }, "trans_b"),
            (MatmulOptions { batch: 2, ..plain }, "options.batch is 2"),
            (MatmulOptions { ldb: 3, ..plain }, "options.ldb is 3"),
            (MatmulOptions { dtype: Dtype::C64 as i32, ..plain }, "GPUMEX_DTYPE_C64"),
        ];
        for (options, words) in refusals {
            refused(call(&options, 2), Status::Unsupported, &[words], "a matrix that lies otherwise");
        }
        refused(
            call(&MatmulOptions { lda: 3, ..plain }, 2),
            Status::InvalidArgument,
            &["options.lda is 3"],
            "lda",
        );
        let words = ["n is 2 on rank 0 and 1 on rank 1"];
        refused(call(&plain, 2 - rank.rank), Status::InvalidArgument, &words, "ranks that differ");
        let dtype = if rank.rank == 1 { Dtype::F64 } else { Dtype::F32 } as i32;
        refused(
            call(&MatmulOptions { dtype, ..plain }, 1),
            Status::InvalidArgument,
            &["options.dtype is"],
            "dtypes",
        );
        ok(call(&plain, 2), "the communicator lives");
    });
}
