//! Normal random numbers: those of the library's keys by the formula of Box and Muller in the standard library's functions, the same bits
//! on every backend, and their distribution.

use gpumex::error::Status::*;
use gpumex::ffi::gpumex_random_normal;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use super::random::key;
use crate::common::*;

const SIZES: [usize; 10] = [0, 1, 2, 3, 33, 127, 129, 1025, 65_537, 200_003];

#[track_caller]
fn normal<T: Number>(
    ctx: &Context,
    kind: Kind,
    count: usize,
    seed: u64,
    (mean, deviation): (f64, f64),
) -> Vec<T> {
    let mut array = Placed::<T>::new(ctx, kind, count);
    let (dtype, to) = (T::DTYPE as i32, array.as_mut_ptr());
    // SAFETY: count elements.
    let status = unsafe { gpumex_random_normal(ctx.handle, dtype, to, count, seed, mean, deviation) };
    ok(status, format!("{:?}, {count} elements in {kind:?}", ctx.backend));
    array.written()
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// An angle and a fraction of 1, by the bits of two keys.
type Uniform = fn(u64, u64) -> (f64, f64);

fn of_f64(k: u64, l: u64) -> (f64, f64) {
    let part = 2f64.powi(-52);
    let t = ((l << 2) >> 12) as f64 * 2.0 * part - 1.0;
    (1.0 - (k >> 12) as f64 * part, t + part)
}

fn of_f32(k: u64, l: u64) -> (f64, f64) {
    let u = ((k >> 16) + 1) as f64 * 2f64.powi(-48);
    let t = ((l << 2) >> 17) as f64 * 2f64.powi(-46) - 1.0;
    (u, t + 2f64.powi(-47))
}

fn expected(uniform: Uniform, seed: u64, element: u64) -> f64 {
    let (k, l) = (key(seed, element & !1), key(seed, element | 1));
    let (u, t) = uniform(k, l);
    let angle = std::f64::consts::FRAC_PI_2 * (l >> 62) as f64 + std::f64::consts::FRAC_PI_4 * t;
    let r = (-2.0 * u.ln()).sqrt();
    r * if element.is_multiple_of(2) { angle.cos() } else { angle.sin() }
}

// ------------------------------------------------------------------------------------------------------------- the tests

#[test]
fn numbers_are_those_of_the_formula() {
    for ctx in backends() {
        for seed in [0, 1, 0x0123_4567_89ab_cdef] {
            let doubles = normal::<f64>(&ctx, None, 20_001, seed, (0.0, 1.0));
            for (element, &got) in doubles.iter().enumerate() {
                let want = expected(of_f64, seed, element as u64);
                assert!(
                    (got - want).abs() <= 4e-15,
                    "{:?}, {seed}: [{element}] is {got}, not {want}",
                    ctx.backend
                );
            }
            let singles = normal::<f32>(&ctx, None, 20_001, seed, (0.0, 1.0));
            for (element, &got) in singles.iter().enumerate() {
                let want = expected(of_f32, seed, element as u64);
                let error = (f64::from(got) - want).abs();
                assert!(error <= 2e-6, "{:?}, {seed}: [{element}] is {got}, not {want}", ctx.backend);
            }
        }
    }
}

/// Mean and deviation are applied with a rounding each.
#[test]
fn elements_depend_on_seed_and_index_alone() {
    let cpu = Context::cpu();
    let doubles = normal::<f64>(&cpu, None, 200_003, 9, (0.0, 1.0));
    let singles = normal::<f32>(&cpu, None, 200_003, 9, (0.0, 1.0));
    for ctx in backends() {
        for count in SIZES {
            for kind in [None, Some(MemoryKind::Device)] {
                let got = normal::<f64>(&ctx, kind, count, 9, (-2.5, 0.1));
                let want: Vec<u64> = doubles[..count].iter().map(|z| (0.1 * z - 2.5).to_bits()).collect();
                assert_eq!(got.into_iter().map(f64::to_bits).collect::<Vec<_>>(), want, "{:?}", ctx.backend);
                let got = normal::<f32>(&ctx, kind, count, 9, (1e3, 0.1));
                let want: Vec<u32> = singles[..count].iter().map(|z| (0.1f32 * z + 1e3).to_bits()).collect();
                assert_eq!(got.into_iter().map(f32::to_bits).collect::<Vec<_>>(), want, "{:?}", ctx.backend);
            }
        }
        assert!(normal::<f32>(&ctx, None, 1000, 1, (7.5, 0.0)).into_iter().all(|x| x == 7.5));
    }
}

unsafe extern "C" {
    safe fn erfc(x: f64) -> f64;
}

/// The part of all numbers below x.
fn below(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// Moments to the fourth, correlations of neighbours and of their squares, and tails within five of their deviations; the greatest
/// difference of distributions (Kolmogorov, Smirnov) below what one of a thousand samples has.
#[track_caller]
fn is_normal(mut z: Vec<f64>, what: &str) {
    let n = z.len() as f64;
    let average = |of: &dyn Fn(f64) -> f64| z.iter().map(|&z| of(z)).sum::<f64>() / n;
    let within = |name: &str, got: f64, want: f64, variance: f64| {
        let bound = 5.0 * (variance / n).sqrt();
        assert!((got - want).abs() <= bound, "{what}: {name} is {got}, not {want} ± {bound}");
    };
    within("mean", average(&|z| z), 0.0, 1.0);
    within("variance", average(&|z| z * z), 1.0, 2.0);
    within("third moment", average(&|z| z.powi(3)), 0.0, 15.0);
    within("fourth moment", average(&|z| z.powi(4)), 3.0, 96.0);
    for far in [1, 2, 3] {
        let products = |of: &dyn Fn(f64) -> f64| {
            z.windows(far + 1).map(|part| of(part[0]) * of(part[far])).sum::<f64>() / n
        };
        within("correlation", products(&|z| z), 0.0, 1.0);
        within("correlation of squares", products(&|z| z * z - 1.0), 0.0, 4.0);
    }
    for far in [1.0, 2.0, 3.0, 4.0, 4.5] {
        let part = 2.0 * below(-far);
        within(&format!("part beyond {far}"), average(&|z| f64::from(z.abs() > far)), part, part);
    }
    z.sort_by(f64::total_cmp);
    let difference = |(i, &z): (usize, &f64)| {
        let part = below(z);
        (part - i as f64 / n).abs().max(((i + 1) as f64 / n - part).abs())
    };
    let greatest = z.iter().enumerate().map(difference).fold(0.0, f64::max) * n.sqrt();
    assert!(greatest < 1.95, "{what}: Kolmogorov's statistic is {greatest}");
    let zeros = z.iter().filter(|&&z| z == 0.0).count(); // of u = 1, which of single precision one pair in 2^25 has
    assert!(
        z[0] > -8.5 && z[z.len() - 1] < 8.5 && zeros <= 8,
        "{what}: from {} to {}, {zeros} zeros",
        z[0],
        z[z.len() - 1]
    );
}

#[test]
fn their_distribution_is_normal() {
    let count = size(1 << 24, 2_000_000);
    for ctx in backends() {
        for seed in [3, 1 << 40] {
            is_normal(normal::<f64>(&ctx, None, count, seed, (0.0, 1.0)), "F64");
            let singles = normal::<f32>(&ctx, None, count, seed, (0.0, 1.0));
            is_normal(singles.into_iter().map(f64::from).collect(), "F32");
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    for ctx in backends() {
        let mut array = Output::<f64>::new(10);
        let to = array.as_mut_ptr();
        let call = |dtype: Dtype, to: *mut f64, count, mean, deviation| {
            // SAFETY: ten elements, or what is refused.
            unsafe { gpumex_random_normal(ctx.handle, dtype as i32, to.cast(), count, 1, mean, deviation) }
        };
        let (f64, f32, inf) = (Dtype::F64, Dtype::F32, f64::INFINITY);
        for (dtype, mean, deviation) in [
            (f64, f64::NAN, 1.0),
            (f64, 0.0, f64::NAN),
            (f64, 0.0, -1e-300),
            (f64, inf, 1.0),
            (f64, 0.0, inf),
            (f64, 0.0, f64::MAX / 8.0),
            (f32, 0.0, 1e38),
            (f32, 3.5e38, 0.0),
        ] {
            let words = ["gpumex_random_normal: mean is", "deviation"];
            refused(
                call(dtype, to, 10, mean, deviation),
                InvalidArgument,
                &words,
                format!("{mean}, {deviation}"),
            );
        }
        for dtype in [Dtype::I32, Dtype::Bool, Dtype::F16, Dtype::Bf16] {
            refused(call(dtype, to, 10, 0.0, 1.0), Unsupported, &["normal numbers are F32 or F64"], "dtype");
        }
        refused(call(Dtype::None, to, 10, 0.0, 1.0), InvalidArgument, &["dtype"], "no dtype");
        refused(call(f64, std::ptr::null_mut(), 10, 0.0, 1.0), NullPointer, &["array is NULL"], "NULL");
        refused(
            call(f64, to.wrapping_byte_add(4), 9, 0.0, 1.0),
            InvalidArgument,
            &["multiple of 8"],
            "misaligned",
        );
        refused(call(f64, to, 1 << 61, 0.0, 1.0), InvalidArgument, &["beyond the address space"], "2^61");
        ok(call(f64, std::ptr::null_mut(), 0, 0.0, 1.0), "empty");
        ok(call(f64, to, 10, -0.0, 0.0), "deviation 0");
    }
}
