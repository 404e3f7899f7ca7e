//! Rules that the header states, by example.

use gpumex::model::dtype::Dtype::{self, Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
use gpumex::model::expression::Rules::{self, C, Matlab};

use super::arrays::{Array, Number, mapped, natural};
use crate::common::*;

/// The only element of an expression of inputs of one element each.
#[track_caller]
fn one(rules: Rules, text: &str, inputs: &[Array]) -> (Dtype, f64) {
    let dtypes: Vec<Dtype> = inputs.iter().map(|input| input.dtype).collect();
    let dtype = natural(rules, text, &dtypes).unwrap_or_else(|_| panic!("{text}: {}", last_error()));
    let numbers =
        backends().iter().map(|ctx| mapped(ctx, None, rules, text, inputs, dtype)[0]).collect::<Vec<_>>();
    let first = numbers.first().map_or(f64::NAN, |number| number.to_f64());
    assert!(numbers.iter().all(|number| number.to_f64() == first || first.is_nan()), "{text}: {numbers:?}");
    (dtype, first)
}

fn int(dtype: Dtype, value: i128) -> Array {
    Array::ints(dtype, [value])
}

fn float(dtype: Dtype, value: f64) -> Array {
    Array::floats(dtype, [value])
}

#[test]
fn constants_need_no_inputs() {
    assert_eq!(one(C, "1 + 2 * 3", &[]), (I32, 7.0));
    assert_eq!(one(C, "7 / 2", &[]), (I32, 3.0));
    assert_eq!(one(C, "3000000000 + 1", &[]), (I64, 3_000_000_001.0));
    assert_eq!(one(Matlab, "7 / 2", &[]), (F64, 3.5));
    assert_eq!(one(Matlab, "-2 ^ 2", &[]), (F64, -4.0));
    assert_eq!(one(Matlab, "2 ^ -1", &[]), (F64, 0.5));
    assert_eq!(one(Matlab, "2 ^ 3 ^ 2", &[]), (F64, 64.0));
    assert_eq!(one(Matlab, "0x1F + .5e1", &[]), (F64, 36.0));
    assert_eq!(one(Matlab, "1 / -0", &[]), (F64, f64::NEG_INFINITY));
    assert_eq!(one(Matlab, "true + true", &[]), (F64, 2.0));
    assert_eq!(one(Matlab, "pi > 3 && ~(eps == 0)", &[]), (Bool, 1.0));
    assert!(one(Matlab, "nan + inf", &[]).1.is_nan());
}

#[test]
fn literals_take_the_type_of_their_partner_by_rules_of_c() {
    assert_eq!(one(C, "a + 1", &[int(U8, 255)]), (I32, 256.0));
    assert_eq!(one(C, "a + 1", &[int(U32, 0xFFFF_FFFF)]), (U32, 0.0));
    assert_eq!(one(C, "a - 1", &[int(U64, 0)]), (U64, u64::MAX as f64));
    assert_eq!(one(C, "a + 3000000000", &[int(I32, 1)]), (I64, 3_000_000_001.0));
    assert_eq!(one(C, "a * 0.5", &[float(F32, 3.0)]), (F32, 1.5));
    assert_eq!(one(C, "2 * pi * a", &[float(F32, 1.0)]), (F32, (2.0 * std::f64::consts::PI) as f32 as f64));
    assert_eq!(one(C, "a * 0.5", &[int(I16, 3)]), (F64, 1.5));
    assert_eq!(one(C, "a < -1", &[int(U8, 3)]), (Bool, 0.0));
}

/// Whole powers are products, of the class that the rules give.
#[test]
fn powers_of_logicals_have_the_class_of_their_exponent() {
    assert_eq!(one(Matlab, "(a > 0) ^ single (2)", &[float(F64, 3.0)]), (F32, 1.0));
    assert_eq!(one(Matlab, "(a > 0) ^ int8 (1)", &[float(F64, 3.0)]), (I8, 1.0));
    assert_eq!(one(Matlab, "(~0) ^ single (2)", &[]), (F32, 1.0));
    assert_eq!(one(Matlab, "a ^ 2", &[int(Bool, 1)]), (F64, 1.0));
}

#[test]
fn integers_wrap_or_saturate() {
    assert_eq!(one(C, "a + b", &[int(I32, i32::MAX.into()), int(I32, 1)]), (I32, i32::MIN.into()));
    assert_eq!(one(C, "a / b", &[int(I32, i32::MIN.into()), int(I32, -1)]), (I32, i32::MIN.into()));
    assert_eq!(one(C, "int8 (a)", &[int(I32, 200)]), (I8, -56.0));
    assert_eq!(one(C, "int8 (a)", &[float(F64, 200.7)]), (I8, 127.0));
    assert_eq!(one(C, "int8 (a)", &[float(F64, -3.7)]), (I8, -3.0));
    assert_eq!(one(Matlab, "a + b", &[int(I8, 100), int(I8, 100)]), (I8, 127.0));
    assert_eq!(one(Matlab, "a * b", &[int(U32, 1 << 31), int(U32, 5)]), (U32, u32::MAX.into()));
    assert_eq!(one(Matlab, "-a", &[int(I16, -32768)]), (I16, 32767.0));
    assert_eq!(one(Matlab, "a - 300", &[int(U8, 7)]), (U8, 0.0));
    assert_eq!(one(Matlab, "a / b", &[int(I8, -5), int(I8, 2)]), (I8, -3.0));
    assert_eq!(one(Matlab, "a / 0", &[int(I8, -5)]), (I8, -128.0));
    assert_eq!(one(Matlab, "a / -0", &[int(I8, -5)]), (I8, 127.0));
    assert_eq!(one(Matlab, "a * 0.3", &[int(U8, 5)]), (U8, 2.0));
    assert_eq!(one(Matlab, "uint8 (a)", &[float(F32, f64::NAN)]), (U8, 0.0));
    assert_eq!(one(Matlab, "a ^ 2", &[int(I16, 200)]), (I16, 32767.0));
}

#[test]
fn classes_of_matlab_give_way_to_single_and_integers() {
    assert_eq!(one(Matlab, "a + b", &[int(Bool, 1), float(F32, 0.5)]), (F32, 1.5));
    assert_eq!(one(Matlab, "a + b", &[float(F64, 0.1), float(F32, 0.0)]), (F32, f64::from(0.1f32)));
    assert_eq!(one(Matlab, "a + b", &[int(Bool, 7), int(Bool, 1)]), (F64, 2.0));
    assert_eq!(one(Matlab, "a + b", &[int(I16, 7), float(F32, 0.5)]), (I16, 8.0));
    assert_eq!(one(Matlab, "max (a, b)", &[int(Bool, 0), int(Bool, 7)]), (Bool, 1.0));
    assert_eq!(one(Matlab, "min (a, b)", &[int(Bool, 0), float(F64, 0.5)]), (F64, 0.0));
    assert_eq!(one(Matlab, "floor (a)", &[int(Bool, 1)]), (F64, 1.0));
    assert_eq!(one(Matlab, "sin (a)", &[int(Bool, 0)]), (F64, 0.0));
    assert_eq!(one(Matlab, "sqrt (a)", &[float(F64, -1.0)]).0, F64);
    assert_eq!(one(Matlab, "-a", &[int(Bool, 0)]).1.to_bits(), (-0.0f64).to_bits());
}

/// 2^53 + 1 is no double.
#[test]
fn comparisons_of_matlab_are_exact() {
    let (long, double) = ([int(I64, (1 << 53) + 1)], [float(F64, 9_007_199_254_740_992.0)]);
    let both = [long[0].clone(), double[0].clone()];
    for (text, want) in [("a == b", 0.0), ("a > b", 1.0), ("b < a", 1.0), ("a <= b", 0.0), ("a ~= b", 1.0)] {
        assert_eq!(one(Matlab, text, &both), (Bool, want), "{text}");
    }
    let ends = [int(I64, i64::MAX.into()), float(F64, 2f64.powi(63))];
    assert_eq!(one(Matlab, "a < b", &ends), (Bool, 1.0));
    assert_eq!(one(Matlab, "a >= b", &ends), (Bool, 0.0));
    assert_eq!(one(Matlab, "a == b", &ends), (Bool, 0.0));
    assert_eq!(one(Matlab, "a < b", &[int(I64, -1), int(U64, 0)]), (Bool, 1.0));
    assert_eq!(one(Matlab, "a == b", &[int(I64, -1), int(U64, u64::MAX.into())]), (Bool, 0.0));
    assert_eq!(one(Matlab, "a ~= nan", &[int(U64, 3)]), (Bool, 1.0));
}

/// Their common class is single, in comparisons too.
#[test]
fn a_single_and_a_double_are_compared_as_singles() {
    assert_eq!(one(Matlab, "a == 0.1", &[float(F32, 0.1)]), (Bool, 1.0));
    assert_eq!(one(Matlab, "a < b", &[float(F32, 0.1), float(F64, 0.1)]), (Bool, 0.0));
    assert_eq!(one(Matlab, "a >= b", &[float(F64, f64::MIN_POSITIVE), float(F32, 0.0)]), (Bool, 1.0));
    assert_eq!(one(Matlab, "a == 16777217", &[float(F32, 16_777_216.0)]), (Bool, 1.0));
    assert_eq!(one(Matlab, "a == b", &[float(F32, f64::INFINITY), float(F64, 1e300)]), (Bool, 1.0));
    assert_eq!(one(C, "a == b", &[float(F32, 0.1), float(F64, 0.1)]), (Bool, 0.0));
}

#[test]
fn bits_are_shifted_both_ways() {
    assert_eq!(one(Matlab, "bitshift (a, 2)", &[int(U8, 129)]), (U8, 4.0));
    assert_eq!(one(Matlab, "bitshift (a, -2)", &[int(U8, 129)]), (U8, 32.0));
    assert_eq!(one(Matlab, "bitshift (a, b)", &[int(U64, 6), float(F64, -1.0)]), (U64, 3.0));
    assert_eq!(one(Matlab, "bitshift (a, b)", &[float(F64, 6.0), float(F64, 1.0)]), (F64, 12.0));
    assert_eq!(one(Matlab, "bitcmp (a)", &[int(U16, 1)]), (U16, 65534.0));
    assert_eq!(one(C, "bitshift (a, b)", &[int(I32, -8), int(I8, -1)]), (I32, -4.0));
    assert_eq!(one(C, "bitcmp (a)", &[int(U32, 0)]), (U32, u32::MAX.into()));
    assert_eq!(one(C, "bitshift (a, 64)", &[int(U64, 6)]), (U64, 0.0));
}

#[test]
fn a_generation_of_life_is_a_test_of_eight_sums() {
    let alive = Array::ints(Bool, (0..18).map(|i| i / 9));
    let neighbours = Array::ints(U8, (0..18).map(|i| i % 9));
    for ctx in backends() {
        for rules in [C, Matlab] {
            let got = mapped(
                &ctx,
                None,
                rules,
                "(a & b == 2) | b == 3",
                &[alive.clone(), neighbours.clone()],
                Bool,
            );
            for (i, got) in got.into_iter().enumerate() {
                let want = i % 9 == 3 || (i >= 9 && i % 9 == 2);
                assert!(got.is(Number::Int(want.into())), "{rules:?}, {i}");
            }
        }
    }
}
