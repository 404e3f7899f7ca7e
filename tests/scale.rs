//! gpumex_scale rounds product, quotient and root once each, and a power iteration with it stays on the device.

use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::scale::ScaleFactor;
use gpumex::model::variant::Variant;

use crate::common::*;

const FACTORS: [ScaleFactor; 3] = [ScaleFactor::Alpha, ScaleFactor::Reciprocal, ScaleFactor::ReciprocalRoot];

trait Float: Number {
    fn scaled(self, factor: ScaleFactor, alpha: Self) -> Self;
}

macro_rules! floats {
    ($($float:ty),*) => {
        $(impl Float for $float {
            fn scaled(self, factor: ScaleFactor, alpha: Self) -> Self {
                match factor {
                    ScaleFactor::Alpha => alpha * self,
                    ScaleFactor::Reciprocal => self / alpha,
                    ScaleFactor::ReciprocalRoot => self / alpha.sqrt(),
                }
            }
        })*
    };
}

floats!(f32, f64);

/// Scales an array, which begins `off` elements behind the start of its memory.
#[track_caller]
fn agrees<T: Float>(ctx: &Context, kinds: [Kind; 2], off: usize, alpha: T, x: &[T]) {
    for factor in FACTORS {
        let scaled = x[off..].iter().map(|x| x.scaled(factor, alpha));
        let want: Vec<T> = x[..off].iter().copied().chain(scaled).collect();
        for variant in ctx.variants::<Variant>() {
            let what =
                format!("{:?}, {variant:?}, {factor:?} of {alpha:?}, {kinds:?}, {off} off", ctx.backend);
            let (variant, dtype, factor) = (variant as i32, T::DTYPE as i32, factor as i32);
            let options = ScaleOptions { variant, dtype, factor, ..ScaleOptions::default() };
            let [mut number, mut both] =
                [Placed::holding(ctx, kinds[0], &[alpha]), Placed::holding(ctx, kinds[1], x)];
            let (by, at) = (number.as_ptr(), both.at(off));
            // SAFETY: one number, as many elements as are left.
            ok(unsafe { gpumex_scale(ctx.handle, &options, by, at, x.len() - off) }, &what);
            assert_same(&bits(&both.written()), &bits(&want), what);
        }
    }
}

/// The bits of numbers; NaN has the same ones whatever it was made of.
fn bits<T: Float>(numbers: &[T]) -> Vec<u64> {
    let bits = |x: &T| if x.partial_cmp(x).is_none() { u64::MAX } else { x.bits() };
    numbers.iter().map(bits).collect()
}

fn numbers<T: Float>(seed: u64, len: usize) -> Vec<T> {
    random_f32(seed, len).into_iter().map(|x| T::from_f64(f64::from(x) * 1e9)).collect()
}

#[test]
fn every_length_has_the_bits_of_the_definition() {
    for ctx in backends() {
        for len in [0, 1, 2, 3, 5, 33, 255, 4097, 65_537, (1 << 19) + 3] {
            for alpha in [0.0, -0.3, 7.0, 1e-40] {
                agrees::<f32>(&ctx, [None; 2], 0, alpha as f32, &numbers(1, len));
                agrees::<f64>(&ctx, [None; 2], 0, alpha, &numbers(2, len));
            }
        }
    }
}

#[test]
fn vector_and_number_may_lie_and_start_anywhere() {
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|a| EVERYWHERE.map(|b| [a, b])) {
            agrees::<f32>(&ctx, kinds, 0, 0.7, &numbers(3, 10_007));
            agrees::<f64>(&ctx, kinds, 1, 0.7, &numbers(4, 10_007));
        }
        (1..5).for_each(|off| agrees::<f32>(&ctx, [EVERYWHERE[1]; 2], off, 0.7, &numbers(5, 5003)));
    }
}

/// y ← A·x, x ← y / ‖y‖ for the matrix of second differences, whose greatest eigenvalue is known. The norm never comes to the host.
#[test]
fn a_power_iteration_stays_on_the_device() {
    let n = 40usize;
    let (mut values, mut columns, mut offsets) = (Vec::new(), Vec::new(), vec![0u32]);
    for row in 0..n {
        for column in [row.wrapping_sub(1), row, row + 1].into_iter().filter(|&column| column < n) {
            values.push(if row == column { 2.0f64 } else { -1.0 });
            columns.push(column as u32);
        }
        offsets.push(columns.len() as u32);
    }
    let device = EVERYWHERE[1];
    for ctx in backends() {
        let (mut values, nonzeros) = (Placed::holding(&ctx, device, &values), columns.len());
        let (mut columns, mut offsets) =
            (Placed::holding(&ctx, device, &columns), Placed::holding(&ctx, device, &offsets));
        let start: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { 1.0 } else { -0.9 }).collect();
        let (mut x, mut y) = (Placed::holding(&ctx, device, &start), Placed::<f64>::new(&ctx, device, n));
        let mut norm = Placed::<f64>::new(&ctx, device, 1);
        let (dtype, index_dtype) = (Dtype::F64 as i32, Dtype::U32 as i32);
        let product = SpmvOptions { dtype, index_dtype, ..SpmvOptions::default() };
        let inner = DotOptions { dtype, ..DotOptions::default() };
        let normalise =
            ScaleOptions { dtype, factor: ScaleFactor::ReciprocalRoot as i32, ..ScaleOptions::default() };
        let (x_at, y_at, norm_at) = (x.as_mut_ptr(), y.as_mut_ptr(), norm.as_mut_ptr());
        for (from, to) in [(x_at, y_at), (y_at, x_at)].into_iter().cycle().take(2000) {
            let (values, columns, offsets) = (values.as_ptr(), columns.as_ptr(), offsets.as_ptr());
            // SAFETY: n rows and columns, a number for the norm.
            unsafe {
                let status = gpumex_spmv(
                    ctx.handle,
                    &product,
                    values,
                    columns,
                    nonzeros,
                    offsets,
                    n,
                    from,
                    n,
                    null(),
                    to,
                );
                ok(status, "gpumex_spmv");
                ok(gpumex_dot(ctx.handle, &inner, to, to, n, norm_at), "gpumex_dot");
                ok(gpumex_scale(ctx.handle, &normalise, norm_at, to, n), "gpumex_scale");
            }
        }
        let (eigenvalue, want) =
            (norm.written()[0].sqrt(), 2.0 + 2.0 * (std::f64::consts::PI / (n + 1) as f64).cos());
        assert!((eigenvalue - want).abs() < 1e-9, "{:?}: got {eigenvalue}, want {want}", ctx.backend);
        let length: f64 = x.written().iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-12, "{:?}: |x|² is {length}", ctx.backend);
    }
}

#[test]
fn bad_input_is_refused() {
    let (alpha, mut x) = ([3.0f64], [2.0f64; 4]);
    for ctx in backends() {
        let good = ScaleOptions { dtype: Dtype::F64 as i32, ..ScaleOptions::default() };
        let to = x.as_mut_ptr();
        let call = |options: &ScaleOptions, alpha: *const f64, x: *mut f64| {
            // SAFETY: one number and four, or what is refused.
            unsafe { gpumex_scale(ctx.handle, options, alpha.cast(), x.cast(), 4) }
        };
        let invalid = |status, words: &[&str]| refused(status, Status::InvalidArgument, words, words[0]);
        refused(call(&good, null(), to), Status::NullPointer, &["gpumex_scale", "alpha is NULL"], "alpha");
        refused(call(&good, alpha.as_ptr(), null_mut()), Status::NullPointer, &["x is NULL"], "x");
        invalid(call(&good, to.wrapping_add(2), to), &["x overlaps alpha"]);
        let three = ScaleOptions { factor: 3, ..good };
        invalid(
            call(&three, alpha.as_ptr(), to),
            &["options.factor is 3", "GPUMEX_SCALE_FACTOR_RECIPROCAL_ROOT"],
        );
        invalid(call(&ScaleOptions { dtype: 0, ..good }, alpha.as_ptr(), to), &["options.dtype", "not set"]);
        let half = ScaleOptions { dtype: Dtype::F16 as i32, ..good };
        refused(
            call(&half, alpha.as_ptr(), to),
            Status::Unsupported,
            &["GPUMEX_DTYPE_F16", "F32 and F64"],
            "F16",
        );
    }
    assert_eq!(x, [2.0; 4], "a call that is refused writes nothing");
}
