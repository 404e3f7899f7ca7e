//! Complex numbers in expressions, against an oracle of their definitions in double, on every backend and kind of memory.

use std::ffi::{CString, c_void};

use gpumex::error::Status::{InvalidArgument, Unsupported};
use gpumex::ffi::{MapOptions, gpumex_map};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::variant::Variant;

use super::arrays::natural;
use crate::common::*;
use crate::complex::number::{C, decoded, encoded, rounded};

/// The result of an expression on arrays of one length, the same of every variant.
#[track_caller]
fn mapped(
    ctx: &Context,
    (kind, rules): (Kind, Rules),
    text: &str,
    inputs: &[(Dtype, &[C])],
    to: Dtype,
) -> Vec<C> {
    let count = inputs.first().map_or(1, |input| input.1.len());
    let dtypes: Vec<i32> = inputs.iter().map(|input| input.0 as i32).collect();
    let mut placed: Vec<Placed<u8>> =
        inputs.iter().map(|input| Placed::holding(ctx, kind, &encoded(input.0, input.1))).collect();
    let pointers: Vec<*const c_void> = placed.iter_mut().map(Placed::as_ptr).collect();
    let expression = CString::new(text).unwrap();
    let mut found: Option<Vec<u8>> = None;
    for variant in ctx.variants::<Variant>() {
        let options = MapOptions {
            variant: variant as i32,
            rules: rules as i32,
            dtype: to as i32,
            dtypes: dtypes.as_ptr(),
            shape: &count,
            ..MapOptions::default()
        };
        let mut result = Placed::<u8>::new(ctx, kind, count * to.size());
        let (text, at, to) = (expression.as_ptr(), pointers.as_ptr(), result.as_mut_ptr());
        // SAFETY: count elements of their dtypes each.
        let status = unsafe { gpumex_map(ctx.handle, &options, text, at, inputs.len(), to) };
        ok(status, format!("{:?}, {variant:?}, {rules:?}: {expression:?}", ctx.backend));
        let bytes = result.written();
        assert_eq!(found.get_or_insert_with(|| bytes.clone()), &bytes, "{expression:?}, {variant:?}");
    }
    decoded(to, &found.expect("there is a variant"))
}

/// Numbers of all quarters with parts up to 2.5, some of them on the axes.
fn numbers(random: &mut impl Rng, count: usize) -> Vec<C> {
    let mut part = |index: usize| match index % 11 {
        0 => 0.0,
        _ => random.random_range(-2.5..2.5f64),
    };
    (0..count).map(|index| C(part(index), part(index / 3 + 1))).collect()
}

type Oracle = fn(C, C) -> C;

/// Expressions of complex a and b, what they are, and the error in units of the last place of the result's size.
const FUNCTIONS: [(&str, Oracle, f64); 36] = [
    ("a", |a, _| a, 0.0),
    ("-a", |a, _| -a, 0.0),
    ("+a", |a, _| a, 0.0),
    ("a + b", |a, b| a + b, 1.0),
    ("a - b", |a, b| a - b, 1.0),
    ("a * b", |a, b| a * b, 4.0),
    ("a / b", |a, b| a / b, 16.0),
    ("conj (a)", |a, _| C(a.0, -a.1), 0.0),
    ("complex (imag (a), real (b))", |a, b| C(a.1, b.0), 0.0),
    ("a * 2.5i + 100", |a, _| a * C(0.0, 2.5) + C(100.0, 0.0), 8.0),
    ("3 / b", |_, b| C(3.0, 0.0) / b, 16.0),
    ("a / 4", |a, _| a.scaled(0.25), 1.0),
    ("2 - a", |a, _| C(2.0, 0.0) - a, 1.0),
    ("a - real (b)", |a, b| a - C(b.0, 0.0), 1.0),
    ("exp (a)", |a, _| a.exp(), 16.0),
    ("log (a + 3)", |a, _| (a + C(3.0, 0.0)).log(), 64.0),
    ("log2 (a + 3)", |a, _| (a + C(3.0, 0.0)).log().scaled(std::f64::consts::LOG2_E), 64.0),
    ("log10 (a + 3)", |a, _| (a + C(3.0, 0.0)).log().scaled(std::f64::consts::LOG10_E), 64.0),
    ("sqrt (a)", |a, _| a.sqrt(), 16.0),
    ("sin (a)", |a, _| -(a.turned().sinh().turned()), 64.0),
    ("cos (a)", |a, _| a.turned().cosh(), 64.0),
    (
        "tan (b + 3i)",
        |_, b| {
            let z = (b + C(0.0, 3.0)).turned();
            -((z.sinh() / z.cosh()).turned())
        },
        256.0,
    ),
    ("sinh (a)", |a, _| a.sinh(), 64.0),
    ("cosh (a)", |a, _| a.cosh(), 64.0),
    ("tanh (a + 3)", |a, _| (a + C(3.0, 0.0)).sinh() / (a + C(3.0, 0.0)).cosh(), 256.0),
    ("a ^ 2", |a, _| a * a, 8.0),
    ("a ^ 5", |a, _| a * a * a * a * a, 32.0),
    ("b ^ -3", |_, b| C(1.0, 0.0) / (b * b * b), 64.0),
    ("a ^ 0", |_, _| C(1.0, 0.0), 0.0),
    ("a ^ 2.5", |a, _| a.pow(C(2.5, 0.0)), 128.0),
    ("(a + 3) ^ b", |a, b| (a + C(3.0, 0.0)).pow(b), 512.0),
    ("2.5 ^ a", |a, _| C(2.5, 0.0).pow(a), 128.0),
    ("sign (b)", |_, b| b.scaled(1.0 / b.abs()), 8.0),
    ("a == 0 ? b : a", |a, b| if a == C(0.0, 0.0) { b } else { a }, 0.0),
    ("real (a) < 0 ? a : real (b)", |a, b| if a.0 < 0.0 { a } else { C(b.0, 0.0) }, 0.0),
    ("round (a * 4)", |a, _| C((a.0 * 4.0).round(), (a.1 * 4.0).round()), 0.0),
];

#[test]
fn functions_of_complex_numbers_are_what_they_are_defined_to_be() {
    let mut random = random(41);
    for ctx in backends() {
        for dtype in [Dtype::C64, Dtype::C128] {
            let unit = if dtype == Dtype::C64 { f64::from(f32::EPSILON) } else { f64::EPSILON };
            for count in [1, 2, 255, 3001] {
                let a = rounded(dtype, &numbers(&mut random, count));
                let b = rounded(
                    dtype,
                    &numbers(&mut random, count).iter().map(|&z| z + C(0.1, 3.0)).collect::<Vec<_>>(),
                );
                let kinds = if count == 255 { &EVERYWHERE[..] } else { &EVERYWHERE[..1] };
                for (kind, rules) in kinds.iter().flat_map(|&kind| [(kind, Rules::C), (kind, Rules::Matlab)])
                {
                    for (text, oracle, bound) in FUNCTIONS {
                        let found = mapped(&ctx, (kind, rules), text, &[(dtype, &a), (dtype, &b)], dtype);
                        for ((&a, &b), found) in a.iter().zip(&b).zip(found) {
                            let want = oracle(a, b);
                            let error = (found - want).abs();
                            let size = want.abs().max(if bound > 4.0 { 1e-3 } else { f64::MIN_POSITIVE });
                            assert!(
                                error <= bound * unit * size || want.abs().is_nan(),
                                "{:?}, {dtype:?}: {text} of {a:?}, {b:?}: {found:?}, not {want:?}",
                                ctx.backend
                            );
                        }
                    }
                }
            }
        }
    }
}

/// A real number over a complex one is as the complex number with an imaginary part of +0, whose sign branch cuts tell apart.
#[test]
fn zeros_of_quotients_have_their_sign() {
    let parts = [0.0, -0.0, 1.0, -1.0, 3.0, -3.0];
    let divisors: Vec<C> = parts.iter().flat_map(|&re| parts.map(|im| C(re, im))).collect();
    let bits = |found: Vec<C>| {
        found.iter().map(|z| [z.0, z.1].map(|x| (x.is_nan(), x.to_bits()))).collect::<Vec<_>>()
    };
    for ctx in backends() {
        for (dtype, rules) in [(Dtype::C64, Rules::C), (Dtype::C128, Rules::Matlab)] {
            for number in [1.0, -1.0, 0.0] {
                let numbers = vec![C(number, 0.0); divisors.len()];
                let of =
                    |text| mapped(&ctx, (None, rules), text, &[(dtype, &divisors), (dtype, &numbers)], dtype);
                let (short, long) = (bits(of("real (b) / a")), bits(of("b / a")));
                for ((z, short), long) in divisors.iter().zip(short).zip(long) {
                    for (short, long) in short.iter().zip(long) {
                        assert!(*short == long || (short.0 && long.0), "{:?}: {number} / {z:?}", ctx.backend);
                    }
                }
            }
            let other = if dtype == Dtype::C64 { Dtype::C128 } else { Dtype::C64 };
            let inputs: [(Dtype, &[C]); 2] = [(dtype, &[C(3.0, 4.0)]), (other, &[C(-2.0, 11.0)])];
            let quotient = mapped(&ctx, (None, rules), "b / a", &inputs, Dtype::C128)[0];
            assert!((quotient - C(1.52, 1.64)).abs() < 1e-6, "{quotient:?}");
            let inverse =
                mapped(&ctx, (None, rules), "1 / a", &[(dtype, &[C(3.0, 0.0), C(3.0, -0.0)])], dtype);
            assert!(inverse.iter().all(|z| z.1.to_bits() == 0), "{inverse:?}");
        }
    }
}

type RealOracle = fn(C, C) -> f64;

const REAL: [(&str, RealOracle); 13] = [
    ("real (a)", |a, _| a.0),
    ("imag (a)", |a, _| a.1),
    ("imag (real (a))", |_, _| 0.0),
    ("abs (a)", |a, _| a.abs()),
    ("arg (a)", |a, _| a.1.atan2(a.0)),
    ("angle (a) + angle (real (b))", |a, b| a.1.atan2(a.0) + 0.0f64.atan2(b.0)),
    ("a == a", |_, _| 1.0),
    ("a == b", |a, b| (a == b).into()),
    ("a ~= b | a == 0", |a, b| (a != b || a == C(0.0, 0.0)).into()),
    ("a == real (a)", |a, _| (a.1 == 0.0).into()),
    ("isnan (a)", |_, _| 0.0),
    ("isinf (a / 0)", |a, _| (a != C(0.0, 0.0)).into()),
    ("isfinite (a) & isfinite (b)", |_, _| 1.0),
];

#[test]
fn real_functions_of_complex_numbers() {
    let mut random = random(42);
    for ctx in backends() {
        for dtype in [Dtype::C64, Dtype::C128] {
            let unit = if dtype == Dtype::C64 { f64::from(f32::EPSILON) } else { f64::EPSILON };
            let a = rounded(dtype, &numbers(&mut random, 999));
            let mut b = rounded(dtype, &numbers(&mut random, 999));
            b[17] = a[17];
            for (text, oracle) in REAL {
                for to in [Dtype::F64, Dtype::F32, dtype] {
                    let found = mapped(&ctx, (None, Rules::Matlab), text, &[(dtype, &a), (dtype, &b)], to);
                    for ((&a, &b), found) in a.iter().zip(&b).zip(found) {
                        let (want, unit) =
                            (oracle(a, b), if to == Dtype::F32 { f64::from(f32::EPSILON) } else { unit });
                        let error = (found - C(want, 0.0)).abs();
                        assert!(
                            error <= 8.0 * unit * want.abs().max(1.0),
                            "{text} of {a:?}, {b:?}: {found:?}, not {want}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_types_of_complex_expressions() {
    use Dtype::*;
    for (rules, text, dtypes, want) in [
        (Rules::C, "a + b", [C64, F32], C64),
        (Rules::C, "a + b", [C64, F64], C128),
        (Rules::C, "a * b", [C64, I32], C64),
        (Rules::C, "a * b", [C128, U8], C128),
        (Rules::C, "a * 2.5 + 1i", [C64, F32], C64),
        (Rules::C, "complex (a, b)", [F32, F32], C64),
        (Rules::C, "complex (a, b)", [I16, F32], C64),
        (Rules::C, "1 + 2i", [F32, F32], C128),
        (Rules::Matlab, "a + b", [C64, F64], C64),
        (Rules::Matlab, "a + b", [C128, F32], C64),
        (Rules::Matlab, "a + b", [C128, Bool], C128),
        (Rules::Matlab, "a * 1i", [F32, F32], C64),
        (Rules::Matlab, "a * 1i", [F64, F32], C128),
        (Rules::Matlab, "a == b", [C128, I8], Bool),
        (Rules::Matlab, "abs (a)", [C64, I8], F32),
        (Rules::Matlab, "single (a)", [C128, I8], C64),
        (Rules::Matlab, "double (a)", [C64, I8], C128),
        (Rules::Matlab, "complex64 (b)", [C64, F64], C64),
        (Rules::Matlab, "real (b)", [C64, I8], I8),
        (Rules::C, "conj (b)", [C64, Bool], I32),
    ] {
        assert_eq!(natural(rules, text, &dtypes), Ok(want), "{rules:?}: {text} of {dtypes:?}");
    }
}

/// The status and the message of an expression of a complex a and an integer b.
#[track_caller]
fn is_refused(rules: Rules, text: &str, to: Dtype, status: gpumex::error::Status, words: &str) {
    for ctx in backends() {
        let dtypes = [Dtype::C128 as i32, Dtype::I32 as i32];
        let (expression, mut result) = (CString::new(text).unwrap(), [7.0f64; 2]);
        let options = MapOptions {
            rules: rules as i32,
            dtype: to as i32,
            dtypes: dtypes.as_ptr(),
            shape: &1,
            ..MapOptions::default()
        };
        let from = (&raw const result).cast();
        let to = result.as_mut_ptr().cast();
        // SAFETY: a program that is refused reads and writes nothing.
        let got =
            unsafe { gpumex_map(ctx.handle, &options, expression.as_ptr(), [from, from].as_ptr(), 2, to) };
        refused(got, status, &["gpumex_map: ", words], text);
    }
}

#[test]
fn what_complex_numbers_do_not_have_is_refused() {
    for rules in [Rules::C, Rules::Matlab] {
        for (text, words) in [
            ("a < b", "at 3: complex numbers have no order"),
            ("real (a) + (a >= a)", "at 15: complex numbers have no order"),
            ("max (a, 1)", "at 1: max: it is not served of complex numbers"),
            ("mod (a, 2)", "at 1: mod: it is not served of complex numbers"),
            ("asin (a)", "at 1: asin: it is not served of complex numbers"),
            ("atan2 (a, 1)", "at 1: atan2: it is not served"),
            ("bitand (a, 1)", "at 1: bitand: it is not served"),
            ("!a", "at 1: not: a complex number is no condition"),
            ("a & true", "a complex number is no condition"),
            ("a ? 1 : 2", "a complex number is no condition"),
            ("int8 (a)", "at 1: int8: a complex number is none"),
            ("logical (a)", "at 1: logical: a complex number is none"),
            ("complex (a, 1)", "at 1: complex: both parts are real numbers"),
        ] {
            is_refused(rules, text, Dtype::C128, InvalidArgument, words);
        }
        is_refused(
            rules,
            "a + 1",
            Dtype::F64,
            InvalidArgument,
            "options.dtype is GPUMEX_DTYPE_F64, and the expression is complex",
        );
    }
    is_refused(
        Rules::Matlab,
        "a + b",
        Dtype::C128,
        InvalidArgument,
        "at 3: int32: the parts of complex numbers are single or double",
    );
    is_refused(Rules::Matlab, "complex (b, b)", Dtype::C128, InvalidArgument, "at 1: int32: the parts");
}

#[test]
fn complex_inputs_count_twice() {
    let (dtypes, one) = ([Dtype::C64 as i32; 9], [C(1.0, 2.0)]);
    for ctx in backends() {
        let mut array = Placed::holding(&ctx, None, &encoded(Dtype::C64, &one));
        let mut result = Placed::<u8>::new(&ctx, None, 8);
        let options = MapOptions {
            dtype: Dtype::C64 as i32,
            dtypes: dtypes.as_ptr(),
            shape: &1,
            ..MapOptions::default()
        };
        let inputs = [array.as_ptr::<c_void>(); 9];
        let to = result.as_mut_ptr();
        let call = |count| {
            // SAFETY: arrays of one number.
            unsafe {
                gpumex_map(
                    ctx.handle,
                    &options,
                    c"a + b + c + d + e + f + g + h".as_ptr(),
                    inputs.as_ptr(),
                    count,
                    to,
                )
            }
        };
        ok(call(8), "eight of them");
        refused(call(9), Unsupported, &["9 inputs, 9 of them complex, which count twice"], "nine");
        assert_eq!(decoded(Dtype::C64, &result.written()), [C(8.0, 16.0)]);
    }
}

#[test]
fn strides_and_broadcasts_of_complex_numbers() {
    let (rows, cols) = (37usize, 53usize);
    for ctx in backends() {
        for dtype in [Dtype::C64, Dtype::C128] {
            for kind in EVERYWHERE {
                let of = |index: usize| C(index as f64, -(index as f64) - 0.5);
                let (matrix, row): (Vec<C>, Vec<C>) =
                    ((0..rows * cols).map(of).collect(), (0..cols).map(of).collect());
                let mut a = Placed::holding(&ctx, kind, &encoded(dtype, &matrix));
                let mut b = Placed::holding(&ctx, kind, &encoded(dtype, &row));
                let mut c = Placed::holding(&ctx, kind, &encoded(Dtype::F64, &[C(2.0, 0.0)]));
                let (ld, gap) = (2 * rows as i64 + 1, C(-7.0, 7.0));
                let mut result = Placed::holding(&ctx, kind, &encoded(dtype, &vec![gap; ld as usize * cols]));
                // a is row-major, b a row, c one number; the result is column-major, every other row of it, with a gap between columns.
                let (strides, shape, result_strides) = ([cols as i64, 1, 0, 1, 0, 0], [rows, cols], [2, ld]);
                let dtypes = [dtype as i32, dtype as i32, Dtype::F64 as i32];
                let options = MapOptions {
                    rules: Rules::Matlab as i32,
                    dtype: dtype as i32,
                    rank: 2,
                    dtypes: dtypes.as_ptr(),
                    shape: shape.as_ptr(),
                    strides: strides.as_ptr(),
                    result_strides: result_strides.as_ptr(),
                    ..MapOptions::default()
                };
                let inputs: [*const c_void; 3] = [a.as_ptr(), b.as_ptr(), c.as_ptr()];
                let to = result.as_mut_ptr();
                // SAFETY: arrays as long as their strides reach.
                let status = unsafe {
                    gpumex_map(ctx.handle, &options, c"a * c + conj (b)".as_ptr(), inputs.as_ptr(), 3, to)
                };
                ok(status, format!("{:?}, {kind:?}, {dtype:?}", ctx.backend));
                for (at, found) in decoded(dtype, &result.written()).into_iter().enumerate() {
                    let (row_of, col) = (at % ld as usize, at / ld as usize);
                    let is_written = row_of % 2 == 0 && row_of < 2 * rows;
                    let (a, b) = (of(row_of / 2 * cols + col), of(col));
                    let want = if is_written { a.scaled(2.0) + C(b.0, -b.1) } else { gap };
                    assert_eq!(found, want, "{:?}, {kind:?}, {dtype:?} at {at}", ctx.backend);
                }
            }
        }
    }
}

/// What C99's Annex G, or arithmetic on the parts, says of special numbers.
#[test]
fn special_complex_numbers() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let is = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    for ctx in backends() {
        for (text, a, want) in [
            ("sqrt (a)", C(-4.0, 0.0), C(0.0, 2.0)),
            ("sqrt (a)", C(-4.0, -0.0), C(0.0, -2.0)),
            ("sqrt (a)", C(0.0, 0.0), C(0.0, 0.0)),
            ("sqrt (a)", C(-inf, 1.0), C(0.0, inf)),
            ("sqrt (a)", C(1.0, inf), C(inf, inf)),
            ("log (a)", C(0.0, 0.0), C(-inf, 0.0)),
            ("log (a)", C(-1.0, 0.0), C(0.0, std::f64::consts::PI)),
            ("exp (a)", C(inf, 0.0), C(inf, 0.0)),
            ("exp (a)", C(-inf, 1.0), C(0.0, 0.0)),
            ("a / 0", C(1.0, -1.0), C(inf, -inf)),
            ("a / complex (0, 0)", C(1.0, -1.0), C(inf, -inf)),
            ("1 / a", C(inf, 0.0), C(0.0, 0.0)),
            ("a * 2", C(inf, 0.0), C(inf, 0.0)),
            ("a ^ complex (1, 1)", C(0.0, 0.0), C(0.0, 0.0)),
            ("a ^ 2.5", C(0.0, 0.0), C(0.0, 0.0)),
            ("a ^ -1", C(0.0, 2.0), C(0.0, -0.5)),
            ("sign (a)", C(0.0, 0.0), C(0.0, 0.0)),
            ("tanh (a)", C(800.0, 0.0), C(1.0, 0.0)),
            ("tanh (a)", C(-inf, 0.0), C(-1.0, 0.0)),
            ("a / complex (1e300, 1e300)", C(1e300, 1e300), C(1.0, 0.0)),
            ("a / complex (1e-300, -1e-300)", C(1e-300, 1e-300), C(0.0, 1.0)),
            ("isnan (a) + isinf (a) * 1i", C(inf, nan), C(1.0, 1.0)),
            ("isfinite (a) + 0i", C(1.0, nan), C(0.0, 0.0)),
            ("abs (a) + 0i", C(inf, nan), C(inf, 0.0)),
            ("a == a", C(1.0, nan), C(0.0, 0.0)),
        ] {
            let found = mapped(&ctx, (None, Rules::Matlab), text, &[(Dtype::C128, &[a])], Dtype::C128)[0];
            assert!(
                is(found.0, want.0) && is(found.1, want.1),
                "{:?}: {text} of {a:?}: {found:?}, not {want:?}",
                ctx.backend
            );
        }
        // Near 1 the logarithm is that of |z|² − 1.
        let near =
            mapped(&ctx, (None, Rules::C), "log (a)", &[(Dtype::C128, &[C(1.0, 1e-10)])], Dtype::C128)[0];
        assert!((near.0 - 5e-21).abs() < 1e-35 && (near.1 - 1e-10).abs() < 1e-25, "{near:?}");
    }
}
