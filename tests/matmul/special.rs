//! Infinity, NaN, and numbers at the ends of the range.

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::MatmulVariant;

use super::ways::*;
use crate::common::*;

/// Row `row` of A holds `special` at column `l`; B has zeros, positive and negative numbers in its row l.
fn special_reaches_its_row_only<T: Real>(
    backends: &[Context],
    [m, n, k]: [usize; 3],
    special: f64,
    l: usize,
) {
    let row = m / 2;
    let mut a = random_integers::<T>(8, m * k);
    let mut b = random_integers::<T>(9, k * n);
    a[row * k + l] = T::from_f64(special);
    for j in 0..n {
        b[l * n + j] = T::from_f64([0.0, 2.0, -3.0][j % 3]);
    }
    let element = |i: usize, j: usize| {
        (0..k).map(|l| a[i * k + l].to_f64() * b[l * n + j].to_f64()).fold(0.0, |sum, product| sum + product)
    };
    each_way::<T>(backends, |way, what| {
        let c = way.product([m, n, k], &a, &b);
        for (index, got) in c.iter().enumerate() {
            let (i, j, got) = (index / n, index % n, got.to_f64());
            let want = element(i, j);
            assert!(
                got == want || (got.is_nan() && want.is_nan()),
                "{what}, {:?}, m {m} n {n} k {k}, A[{row}][{l}] = {special}, seeds 8 and 9: \
                 index {index}, row {i}, column {j}: got {got}, want {want}",
                T::DTYPE
            );
        }
    });
}

#[test]
fn infinities_and_nans_reach_their_row_and_nothing_else() {
    let backends = backends();
    for size in [[1, 3, 1], [4, 6, 5], [17, 19, 17], [33, 20, 32]] {
        for l in 0..size[2] {
            for special in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                special_reaches_its_row_only::<f32>(&backends, size, special, l);
                special_reaches_its_row_only::<f64>(&backends, size, special, l);
            }
        }
    }
}

#[test]
fn infinity_times_zero_is_nan_in_b_as_well() {
    each_way::<f32>(&backends(), |way, what| {
        let (a, b) = ([0.0f32, 1.0, 2.0, 3.0], [f32::INFINITY, 1.0, 4.0, 5.0]);
        let c = way.product([2, 2, 2], &a, &b);
        assert!(c[0].is_nan(), "{what}: C[0][0] = 0 inf + 1 4: got {}, want NaN", c[0]);
        assert_same(&c[1..], &[5.0, f32::INFINITY, 17.0], format!("{what}: the rest of C"));
    });
}

/// A and B of whole numbers but for one pair of elements that meet in C[row][col].
fn a_pair<T: Real>([m, n, k]: [usize; 3], x: f64, y: f64) -> ([usize; 2], Vec<T>, Vec<T>) {
    let (row, col, l) = (m / 2, n / 3, k - 1);
    let mut a = random_integers::<T>(14, m * k);
    let mut b = random_integers::<T>(15, k * n);
    (0..m).for_each(|i| a[i * k + l] = T::from_f64(0.0));
    (0..n).for_each(|j| b[l * n + j] = T::from_f64(0.0));
    a[row * k + l] = T::from_f64(x);
    b[l * n + col] = T::from_f64(y);
    ([row, col], a, b)
}

/// Numbers at the ends of the range multiply as IEEE 754 has it: the element where they meet is that of one operation, since
/// the rest is nothing beside it, and the others are whole numbers.
fn ends_of_the_range_are_exact_in<T: Real>(pairs: &[[f64; 3]], sizes: &[[usize; 3]]) {
    let backends = backends();
    for &[x, y, want] in pairs {
        for &[m, n, k] in sizes {
            let ([row, col], a, b) = a_pair::<T>([m, n, k], x, y);
            let exact = exact_product([m, n, k], &a, &b);
            each_way::<T>(&backends, |way, what| {
                if !way.keeps_all_bits() && !way.is_split() {
                    return;
                }
                let c = way.product([m, n, k], &a, &b);
                for (index, got) in c.iter().enumerate() {
                    let want = if index == row * n + col { want } else { exact[index].high };
                    assert!(
                        got.to_f64() == want,
                        "{what}, m {m} n {n} k {k}, {x:e} * {y:e} at row {row}, column {col}, seeds 14 and 15: index \
                         {index}: got {got:?}, want {want:e}"
                    );
                }
            });
        }
    }
}

#[test]
fn numbers_at_the_ends_of_the_range_multiply_as_a_plain_product_has_them() {
    let sizes = [[3, 4, 2], [33, 20, 32], [130, 260, 128]];
    let largest = f64::from(f32::MAX);
    ends_of_the_range_are_exact_in::<f32>(
        &[
            [largest, 1.0, largest],
            [largest, -1.0, -largest],
            [largest, 2.0, f64::INFINITY],
            [2.0f64.powi(127), 2.0f64.powi(-65), 2.0f64.powi(62)],
            [2.0f64.powi(126), 2.0, 2.0f64.powi(127)],
            [f64::from(f32::from_bits(0x7F00_0001)), 1.0, f64::from(f32::from_bits(0x7F00_0001))],
        ],
        &sizes,
    );
    ends_of_the_range_are_exact_in::<f64>(
        &[[f64::MAX, 1.0, f64::MAX], [f64::MAX, -2.0, f64::NEG_INFINITY], [1e300, 1e-200, 1e300 * 1e-200]],
        &sizes,
    );
}

/// Products of subnormal numbers with whole ones, and sums that are subnormal.
#[test]
fn subnormal_numbers_are_not_lost() {
    let least = f32::from_bits(1);
    each_way::<f32>(&backends(), |way, what| {
        if !way.keeps_all_bits() && !way.is_split() {
            return;
        }
        for n in [2, 40, 130] {
            let a: Vec<f32> =
                (0..n * n).map(|index| if index % n == index / n { least } else { 0.0 }).collect();
            let b = random_integers::<f32>(16, n * n);
            let want: Vec<f32> = b.iter().map(|x| x * least).collect();
            assert_same(
                &way.product([n, n, n], &a, &b),
                &want,
                format!("{what}, {n} x {n}, 2^-149 times B, seed 16"),
            );
        }
    });
}

/// What TENSOR cannot split is multiplied by TILED: C is as if it had been asked for, whatever the first attempt stored.
#[test]
fn narrow_products_that_cannot_be_split_are_those_of_tiles_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    tune(&cuda, c"matmul_tensor", [384, 1]);
    let (tiny, huge) = (2.0f32.powi(-140), 2.0f32.powi(127));
    let specials = [tiny, huge, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::from_bits(1)];
    for (index, special) in specials.into_iter().enumerate() {
        for ([m, n, k], in_a, beta) in [
            ([200, 40, 64], true, 0.0),
            ([40, 200, 64], true, -0.5),
            ([200, 40, 900], false, -0.5),
            ([41, 203, 901], false, 0.0),
        ] {
            let (mut a, mut b) = (random_integers::<f32>(31, m * k), random_integers::<f32>(32, k * n));
            match in_a {
                true => a[(m / 2) * k + k - 1 - index] = special,
                false => b[(k / 2 + index) * n + n - 1] = special,
            }
            let [got, want] = [MatmulVariant::Tensor, MatmulVariant::Tiled].map(|variant| {
                let options = MatmulOptions {
                    variant: variant as i32,
                    dtype: Dtype::F32 as i32,
                    beta: &beta,
                    ..MatmulOptions::default()
                };
                let mut c = random_integers::<f32>(33, m * n);
                ok(multiply(&cuda, &options, [m, n, k], [&a, &b], &mut c), "gpumex_matmul");
                c
            });
            for (index, (got, want)) in got.iter().zip(&want).enumerate() {
                assert!(
                    got == want || (got.is_nan() && want.is_nan()),
                    "{special:e} in {}, {m} x {n} x {k}, beta {beta}, seeds 31 to 33: index {index}: got {got}, want {want}",
                    if in_a { "A" } else { "B" }
                );
            }
        }
    }
}

/// A product of f32 with alpha by the C function.
fn scaled(ctx: &Context, [m, n, k]: [usize; 3], a: &[f32], b: &[f32], alpha: f64) -> Vec<f32> {
    let mut c = vec![f32::NAN; m * n];
    let options =
        MatmulOptions { dtype: Dtype::F32 as i32, alpha: &raw const alpha, ..MatmulOptions::default() };
    let (from_a, from_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
    // SAFETY: m k, k n and m n elements, one alpha.
    ok(unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, from_a, from_b, to) }, "gpumex_matmul");
    c
}

#[test]
fn alpha_is_applied_to_the_product() {
    for ctx in backends() {
        for [m, n, k] in [
            [1, 1, 1],
            [1, 2, 1],
            [2, 1, 1],
            [1, 5, 7],
            [6, 1, 9],
            [5, 4, 1],
            [5, 4, 2],
            [17, 33, 3],
            [64, 17, 40],
        ] {
            // The product is within the range; alpha A or alpha B would not be.
            for [a, b, alpha, want] in
                [[1e20f32, 1e-30, 1e30, 1e20], [3e38, 0.0, 2.25, 0.0], [1e-20, 1e25, 1e-25, 1e-20]]
            {
                let (a, b) = (vec![a / k as f32; m * k], vec![b; k * n]);
                for got in scaled(&ctx, [m, n, k], &a, &b, f64::from(alpha)) {
                    let error = f64::from(got) - f64::from(want);
                    assert!(
                        error.abs() <= 1e-5 * f64::from(want),
                        "{:?}, m {m} n {n} k {k}, alpha {alpha}: got {got}, want {want}",
                        ctx.backend
                    );
                }
            }
        }
    }
}

/// (-inf, largest) (1, 2) and whole numbers beside: NaN where 2 largest is rounded before it is added, else it may be -inf.
fn infinity_or_nan_of_a_product_beyond_the_range<T: Real>(
    backends: &[Context],
    [m, n, k]: [usize; 3],
    largest: f64,
) {
    let row = m / 2;
    for terms in [[f64::NEG_INFINITY, largest], [largest, f64::NEG_INFINITY]] {
        let (mut a, mut b) = (random_integers::<T>(17, m * k), random_integers::<T>(18, k * n));
        for (l, term) in terms.into_iter().enumerate() {
            a[row * k + l] = T::from_f64(term);
            (0..n).for_each(|j| b[l * n + j] = T::from_f64(if term == largest { 2.0 } else { 1.0 }));
        }
        let exact = exact_product([m, n, k], &a, &b);
        each_way::<T>(backends, |way, what| {
            let c = way.product([m, n, k], &a, &b);
            for (index, got) in c.iter().map(|c| c.to_f64()).enumerate() {
                let is_right = match index / n == row {
                    true if way.variant == MatmulVariant::Sequential => got.is_nan(),
                    true => got.is_nan() || got == f64::NEG_INFINITY,
                    false => got == exact[index].high,
                };
                assert!(
                    is_right,
                    "{what}, m {m} n {n} k {k}, {terms:?} in row {row}, seeds 17 and 18: index {index}: got {got}"
                );
            }
        });
    }
}

#[test]
fn a_product_beyond_the_range_and_infinity_are_nan_or_infinity() {
    let backends = backends();
    for size in [[1, 1, 3], [1, 3, 3], [3, 1, 3], [2, 2, 2], [17, 19, 17], [64, 1, 300], [130, 260, 128]] {
        infinity_or_nan_of_a_product_beyond_the_range::<f32>(&backends, size, f32::MAX.into());
        infinity_or_nan_of_a_product_beyond_the_range::<f64>(&backends, size, f64::MAX);
    }
}

/// Numbers of elements that are never stepped, or end beyond the address space.
const ANY: [usize; 5] = [usize::MAX, usize::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 62];

/// A product of ones: right, or refused where an element would lie `beyond` the address space. cuBLAS has limits of its own.
#[track_caller]
fn of_ones<T: Real>(ctx: &Context, options: MatmulOptions, [m, n, k]: [usize; 3], beyond: bool) {
    let is_ours = |variant: &MatmulVariant| *variant != MatmulVariant::Cublas;
    for variant in variants_of::<T>(ctx).into_iter().filter(is_ours) {
        let options = MatmulOptions { variant: variant as i32, dtype: T::DTYPE as i32, ..options };
        let (ones, mut c) = ([T::from_f64(1.0); 8], [T::POISON; 8]);
        let (from, to) = (ones.as_ptr().cast(), c.as_mut_ptr().cast());
        // SAFETY: up to two matrices of four elements each, where they do not end beyond the address space.
        let status = unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, from, from, to) };
        let MatmulOptions { order, trans_a, trans_b, batch, .. } = options;
        let [lda, ldb, ldc] = [options.lda, options.ldb, options.ldc];
        let [stride_a, stride_b, stride_c] = [options.stride_a, options.stride_b, options.stride_c];
        let what = format!(
            "{:?}, {variant:?}, {:?}, m {m} n {n} k {k}, order {order}, transposes {trans_a} {trans_b}, leading dimensions {lda:#x} \
             {ldb:#x} {ldc:#x}, batch of {batch}, strides {stride_a:#x} {stride_b:#x} {stride_c:#x}",
            ctx.backend,
            T::DTYPE
        );
        if beyond {
            refused(status, Status::InvalidArgument, &["ends beyond the address space"], &what);
        } else {
            ok(status, &what);
        }
        let (products, behind) = c.split_at(if beyond { 0 } else { batch.max(1) * m * n });
        assert!(products.iter().all(|c| c.to_f64() == k as f64), "{what}: got {products:?}");
        assert!(behind.iter().all(|c| c.bits() == T::POISON.bits()), "{what}: wrote behind C: {behind:?}");
    }
}

fn any_leading_dimension<T: Real>(ctx: &Context) {
    for [m, n, k] in [[1, 1, 1], [1, 2, 4], [2, 1, 2]] {
        for (case, ld) in (0..3 * 8).flat_map(|case| ANY.map(|ld| (case, ld))) {
            let (which, bits) = (case / 8, case as i32 % 8);
            let [trans_a, trans_b, order] = [bits & 1, bits >> 1 & 1, bits >> 2];
            let (rows, cols) = [(m, k), (k, n), (m, n)][which];
            let is_turned = [trans_a, trans_b, 0][which] != order;
            let [lda, ldb, ldc] = [0, 1, 2].map(|argument| if argument == which { ld } else { 0 });
            let options =
                MatmulOptions { order, trans_a, trans_b, lda, ldb, ldc, ..MatmulOptions::default() };
            of_ones::<T>(ctx, options, [m, n, k], if is_turned { cols } else { rows } > 1);
        }
    }
}

#[test]
fn a_leading_dimension_that_is_never_stepped_may_be_any_number() {
    for ctx in backends() {
        any_leading_dimension::<f32>(&ctx);
        any_leading_dimension::<f64>(&ctx);
    }
}

fn any_stride<T: Real>(ctx: &Context) {
    for (which, stride) in (0..3).flat_map(|which| ANY.map(|stride| (which, stride))) {
        let [stride_a, stride_b, stride_c] =
            [0, 1, 2].map(|argument| if argument == which { stride } else { 0 });
        for batch in [0, 1, 2] {
            let options = MatmulOptions { stride_a, stride_b, stride_c, batch, ..MatmulOptions::default() };
            of_ones::<T>(ctx, options, [2, 2, 2], batch == 2);
            let shared = MatmulOptions { same_a: 1, same_b: 1, ..options };
            of_ones::<T>(ctx, shared, [2, 2, 2], batch == 2 && which == 2);
        }
    }
}

#[test]
fn a_stride_that_is_never_stepped_may_be_any_number() {
    for ctx in backends() {
        any_stride::<f32>(&ctx);
        any_stride::<f64>(&ctx);
    }
}

/// C ← alpha·A·B + 2·C where C lies on A and B: its status, and what the memory held before and holds now.
fn on_a_and_b<T: Real>(
    ctx: &Context,
    options: &MatmulOptions,
    alpha: f64,
    k: usize,
) -> (i32, Vec<T>, Vec<T>) {
    let parts = if Dtype::C64 as i32 <= options.dtype { 2 } else { 1 };
    let (before, beta) = (random_integers::<T>(19, 24 * parts), 2.0);
    let mut memory = before.clone();
    let options = MatmulOptions { alpha: &alpha, beta: &beta, ..*options };
    let [a, c, b] = [0, 4, 8].map(|element| memory.as_mut_ptr().wrapping_add(element * parts));
    // SAFETY: 16 elements each, of a type that any of its bytes are a value of.
    let status = unsafe { gpumex_matmul(ctx.handle, &options, 4, 4, k, a.cast(), b.cast(), c.cast()) };
    (status, before, memory)
}

fn c_on_a_and_b<T: Real>(ctx: &Context, dtype: Dtype) {
    for variant in variants_of::<T>(ctx) {
        let options =
            MatmulOptions { variant: variant as i32, dtype: dtype as i32, ..MatmulOptions::default() };
        for (alpha, k) in [(0.0, 4), (1.0, 0), (0.0, 0)] {
            let (status, mut want, memory) = on_a_and_b::<T>(ctx, &options, alpha, k);
            let what = format!("{:?}, {variant:?}, {dtype:?}, alpha {alpha}, k {k}", ctx.backend);
            ok(status, &what);
            let sixth = want.len() / 6;
            want[sixth..5 * sixth].iter_mut().for_each(|c| *c = T::from_f64(2.0 * c.to_f64()));
            assert_same(&memory, &want, what);
        }
        let (status, before, memory) = on_a_and_b::<T>(ctx, &options, 1.0, 4);
        refused(status, Status::InvalidArgument, &["C overlaps A"], format!("{variant:?}, {dtype:?}"));
        assert_same(&memory, &before, "after a refusal");
    }
}

#[test]
fn c_may_lie_on_a_and_b_that_are_not_read() {
    for ctx in backends() {
        c_on_a_and_b::<f32>(&ctx, Dtype::F32);
        c_on_a_and_b::<f64>(&ctx, Dtype::F64);
        c_on_a_and_b::<f32>(&ctx, Dtype::C64);
        c_on_a_and_b::<f64>(&ctx, Dtype::C128);
    }
}

/// For every kind of kernel: small products, few vectors, a short k, tiles with TMA and without.
const WITHOUT_TERMS: [[usize; 3]; 6] =
    [[7, 9, 5], [3, 2000, 1200], [700, 700, 20], [1001, 1621, 47], [528, 1976, 28], [300, 400, 260]];

fn nothing_times_nan<T: Real>(ctx: &Context, dtype: Dtype) {
    let (alpha, beta) = (0.0, 2.0);
    for (variant, [m, n, k]) in
        variants_of::<T>(ctx).into_iter().flat_map(|variant| WITHOUT_TERMS.map(|size| (variant, size)))
    {
        let options = MatmulOptions {
            variant: variant as i32,
            dtype: dtype as i32,
            alpha: &alpha,
            beta: &beta,
            ..MatmulOptions::default()
        };
        let (a, b) = (vec![T::from_f64(f64::NAN); m * k], vec![T::from_f64(f64::NAN); k * n]);
        let before = random_integers::<T>(23, m * n);
        let mut c = before.clone();
        let status = multiply(ctx, &options, [m, n, k], [&a, &b], &mut c);
        let what = format!("{:?}, {variant:?}, {dtype:?}, {m} x {n} x {k}", ctx.backend);
        ok(status, &what);
        let want: Vec<T> = before.iter().map(|c| T::from_f64(2.0 * c.to_f64())).collect();
        assert_same(&c, &want, what);
    }
}

#[test]
fn nothing_times_a_and_b_reads_neither() {
    for ctx in backends() {
        nothing_times_nan::<f32>(&ctx, Dtype::F32);
        nothing_times_nan::<f64>(&ctx, Dtype::F64);
    }
}
