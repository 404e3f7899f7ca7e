//! gpumex_reduce_dim: every reduction, dtype and shape on every backend agrees with a plain loop, sums and products of floats within
//! the bound.

use gpumex::error::Status;
use gpumex::ffi::{ReduceDimOptions, gpumex_reduce_dim};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;

use crate::common::*;

/// An element, as the plain loop takes it.
pub trait Item: Number {
    fn double(self) -> f64;
    fn integer(self) -> i128;
    fn of_bits(bits: u64) -> Self;
}

macro_rules! items {
    ($($item:ty: $of_bits:expr),*) => {
        $(impl Item for $item {
            fn double(self) -> f64 {
                self as f64
            }
            fn integer(self) -> i128 {
                self as i128
            }
            fn of_bits(bits: u64) -> $item {
                $of_bits(bits)
            }
        })*
    };
}

items!(f32: |bits| f32::from_bits(bits as u32), f64: f64::from_bits, i8: |bits| bits as i8, i16: |bits| bits as i16,
    i32: |bits| bits as i32, i64: |bits| bits as i64, u8: |bits| bits as u8, u16: |bits| bits as u16, u32: |bits| bits as u32,
    u64: |bits| bits);

pub type Shape = (usize, usize, usize);

/// Shapes (inner, count, outer) that reach every path: rows short and long, few and many; columns narrow, wide, short and long.
pub const SHAPES: [Shape; 38] = [
    (1, 1, 1),
    (1, 2, 3),
    (1, 3, 1000),
    (1, 15, 70),
    (1, 31, 33),
    (1, 33, 1),
    (1, 100, 257),
    (1, 255, 5),
    (1, 1000, 40),
    (1, 4095, 3),
    (1, 4097, 130),
    (1, 70_001, 2),
    (1, 200_003, 1),
    (2, 1, 9),
    (2, 9, 5),
    (2, 50_001, 1),
    (3, 1000, 20),
    (5, 7, 300),
    (7, 1500, 3),
    (31, 33, 9),
    (33, 100, 4),
    (63, 70, 3),
    (64, 9, 11),
    (100, 1, 5),
    (100, 2000, 1),
    (255, 40, 3),
    (257, 19, 5),
    (1000, 3, 2),
    (1000, 129, 1),
    (1023, 70, 1),
    (4099, 17, 2),
    (40_001, 3, 1),
    (4, 2, 20_000),
    (1, 3, 17_001),
    (1, 6, 16_390),
    (1, 2, 16_385),
    (20, 700, 1),
    (32, 300, 2),
];

#[derive(Clone, Copy, Debug)]
pub struct Case {
    variant: Variant,
    op: DimReduction,
    to: Dtype,
    rules: Rules,
    nan: NanFlag,
    index: Dtype, // NONE: no positions
    memory: [Kind; 3],
}

const SUM: Case = Case {
    variant: Variant::Auto,
    op: DimReduction::Sum,
    to: Dtype::None,
    rules: Rules::C,
    nan: NanFlag::Default,
    index: Dtype::None,
    memory: [None; 3],
};

fn options(case: Case, dtype: Dtype) -> ReduceDimOptions {
    ReduceDimOptions {
        variant: case.variant as i32,
        dtype: dtype as i32,
        op: case.op as i32,
        accumulator_dtype: case.to as i32,
        rules: case.rules as i32,
        nan: case.nan as i32,
        index_dtype: case.index as i32,
        ..ReduceDimOptions::default()
    }
}

/// The bits of the results, and the positions.
fn reduced<T: Item>(ctx: &Context, case: Case, data: &[T], shape: Shape, what: &str) -> (Vec<u64>, Vec<u64>) {
    let to = case.op.result_dtype(T::DTYPE, case.to).unwrap();
    match to.size() {
        1 => called::<T, u8>(ctx, case, data, shape, what),
        2 => called::<T, u16>(ctx, case, data, shape, what),
        4 => called::<T, u32>(ctx, case, data, shape, what),
        _ => called::<T, u64>(ctx, case, data, shape, what),
    }
}

fn called<T: Item, R: Number>(
    ctx: &Context,
    case: Case,
    data: &[T],
    shape: Shape,
    what: &str,
) -> (Vec<u64>, Vec<u64>) {
    match case.index {
        Dtype::U32 => placed::<T, R, u32>(ctx, case, data, shape, what),
        _ => placed::<T, R, u64>(ctx, case, data, shape, what),
    }
}

fn placed<T: Item, R: Number, I: Number>(
    ctx: &Context,
    case: Case,
    data: &[T],
    (inner, count, outer): Shape,
    what: &str,
) -> (Vec<u64>, Vec<u64>) {
    let (is_placed, results) = (case.index != Dtype::None, inner * outer);
    let mut from = Placed::holding(ctx, case.memory[0], data);
    let mut result = Placed::<R>::new(ctx, case.memory[1], results);
    let mut positions = Placed::<I>::new(ctx, case.memory[2], if is_placed { results } else { 0 });
    let mut options = options(case, T::DTYPE);
    if is_placed {
        options.positions = positions.as_mut_ptr();
    }
    let (from, to) = (from.as_ptr(), result.as_mut_ptr());
    // SAFETY: inner*count*outer elements, inner*outer results and positions.
    ok(unsafe { gpumex_reduce_dim(ctx.handle, &options, from, inner, count, outer, to) }, what);
    let bits = |found: Vec<R>| found.into_iter().map(Number::bits).collect();
    (bits(result.written()), positions.written().into_iter().map(Number::bits).collect())
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// A result: these bits (of its width), or a number within a bound.
pub enum Want {
    Bits(u64),
    Near(f64, f64),
}

pub fn cut(value: i128, dtype: Dtype) -> u64 {
    value as u64 & (u64::MAX >> (64 - 8 * dtype.size()))
}

/// The numbers of a dtype's width in an i128.
fn clamped(value: i128, dtype: Dtype) -> i128 {
    let range = dtype.integers().unwrap();
    value.clamp(*range.start(), *range.end())
}

/// The better one of two elements.
pub fn is_better<T: Item>(op: DimReduction, new: T, old: T) -> bool {
    let (new, old) = if op == DimReduction::Min { (old, new) } else { (new, old) };
    if T::DTYPE.is_float() { new.double() > old.double() } else { new.integer() > old.integer() }
}

pub fn is_nan<T: Item>(element: T) -> bool {
    element.double().is_nan()
}

/// The position of an extremum, and whether there is a number.
fn position<T: Item>(op: DimReduction, omits: bool, elements: &[T]) -> Option<usize> {
    let mut best = None;
    for (place, &element) in elements.iter().enumerate() {
        if is_nan(element) && !omits {
            return Some(place);
        }
        if !is_nan(element) && best.is_none_or(|best: usize| is_better(op, element, elements[best])) {
            best = Some(place);
        }
    }
    best
}

/// sum, Σ|x| or |Π|, and how many are no NaN.
pub fn folded<T: Item>(op: DimReduction, omits: bool, elements: &[T]) -> (f64, f64, usize) {
    let numbers = elements.iter().filter(|&&x| !(omits && is_nan(x))).map(|x| x.double());
    let is_product = op == DimReduction::Product;
    numbers.fold(if is_product { (1.0, 1.0, 0) } else { (0.0, 0.0, 0) }, |(value, size, count), x| {
        match is_product {
            true => (value * x, (value * x).abs(), count + 1),
            false => (value + x, size + x.abs(), count + 1),
        }
    })
}

/// An integer sum or product in `to`.
pub fn accumulated<T: Item>(op: DimReduction, rules: Rules, to: Dtype, elements: &[T]) -> i128 {
    let is_product = op == DimReduction::Product;
    elements.iter().fold(i128::from(is_product), |acc, x| {
        let next = if is_product { acc.saturating_mul(x.integer()) } else { acc + x.integer() };
        if rules == Rules::Matlab { clamped(next, to) } else { i128::from(next as i64) }
    })
}

fn want<T: Item>(case: Case, elements: &[T]) -> Want {
    use DimReduction::*;
    let (op, omits) = (case.op, case.op.omits(case.nan));
    let to = op.result_dtype(T::DTYPE, case.to).unwrap();
    let is_nonzero = |x: &T| x.double() != 0.0;
    let near = |value: f64, size: f64, n: usize| {
        let u = if to == Dtype::F32 { 2f64.powi(-24) } else { 2f64.powi(-53) };
        let nu = (n + 2) as f64 * u;
        Want::Near(value, nu / (1.0 - nu) * size * 1.001 + f64::from(f32::MIN_POSITIVE))
    };
    match op {
        Sum | Product if !to.is_float() => Want::Bits(cut(accumulated(op, case.rules, to, elements), to)),
        Sum | Product => {
            let (value, size, n) = folded(op, omits, elements);
            near(value, size, n)
        }
        Mean => {
            let (value, size, n) = folded(op, omits, elements);
            near(value / n as f64, size / n as f64, n)
        }
        Min | Max if case.index == Dtype::None && T::DTYPE.is_float() => {
            match position(op, omits, elements) {
                Some(place) if elements[place].double() == 0.0 => {
                    let is_negative =
                        |x: &&T| x.double() == 0.0 && x.double().is_sign_negative() == (op == Min);
                    let found = elements.iter().find(is_negative).map_or(elements[place], |&x| x);
                    Want::Bits(found.bits())
                }
                Some(place) if !is_nan(elements[place]) => Want::Bits(elements[place].bits()),
                _ => Want::Near(f64::NAN, 0.0),
            }
        }
        Min | Max => match position(op, omits, elements) {
            Some(place) => Want::Bits(cut(elements[place].bits().into(), to)),
            None => Want::Bits(elements[0].bits()), // NaN alone
        },
        Any => Want::Bits(elements.iter().any(|x| is_nonzero(x) && !(omits && is_nan(*x))).into()),
        All => Want::Bits(elements.iter().all(is_nonzero).into()),
        Count => {
            let count = elements.iter().filter(|x| is_nonzero(x) && !(omits && is_nan(**x))).count();
            if to == Dtype::F64 { Want::Bits((count as f64).to_bits()) } else { Want::Bits(count as u64) }
        }
    }
}

pub fn agrees_with(got: u64, want: &Want, to: Dtype) -> bool {
    let got_double = if to == Dtype::F32 { f32::from_bits(got as u32).into() } else { f64::from_bits(got) };
    match *want {
        Want::Bits(bits) => got == bits,
        Want::Near(value, _) if value.is_nan() => got_double.is_nan(),
        Want::Near(value, bound) => got_double == value || (got_double - value).abs() <= bound,
    }
}

pub fn column<T: Copy>(data: &[T], (inner, count, _): Shape, i: usize, k: usize) -> Vec<T> {
    (0..count).map(|j| data[i + inner * (j + count * k)]).collect()
}

/// As `results_agree`, of the tests whose many cases tools share.
fn agrees<T: Item>(ctx: &Context, case: Case, data: &[T], shape: Shape) {
    if !is_not_in_share() {
        results_agree(ctx, case, data, shape);
    }
}

fn results_agree<T: Item>(ctx: &Context, case: Case, data: &[T], shape: Shape) {
    let what = format!("{:?}, {case:?}, {shape:?} of {:?}", ctx.backend, T::DTYPE);
    let to = case.op.result_dtype(T::DTYPE, case.to).unwrap();
    let (got, positions) = reduced(ctx, case, data, shape, &what);
    for k in 0..shape.2 {
        for i in 0..shape.0 {
            let (elements, at) = (column(data, shape, i, k), i + shape.0 * k);
            let want = want(case, &elements);
            assert!(
                agrees_with(got[at], &want, to),
                "{what}: ({i}, {k}): got {:#x}, want {}",
                got[at],
                match want {
                    Want::Bits(bits) => format!("{bits:#x}"),
                    Want::Near(value, bound) => format!("{value:e} within {bound:e}"),
                }
            );
            if case.index != Dtype::None {
                let want = position(case.op, case.op.omits(case.nan), &elements).unwrap_or(0);
                assert_eq!(positions[at], want as u64, "{what}: ({i}, {k}): position");
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ the arrays

/// Small numbers, of floats a few that are special.
pub fn small<T: Item>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    let low = if T::DTYPE.is_signed_integer() || T::DTYPE.is_float() { -9 } else { 0 };
    (0..len).map(|_| T::from_f64(f64::from(random.random_range(low..=9)))).collect()
}

/// Any bits of integers; floats with NaN, infinities and both zeros among them.
pub fn wild<T: Item>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0];
    let mut element = || match T::DTYPE.is_float() {
        true if random.random_range(0..4) > 0 => T::from_f64(special[random.random_range(0..special.len())]),
        true => T::from_f64(random.random_range(-2.0..2.0)),
        false => T::of_bits(random.random::<u64>()),
    };
    (0..len).map(|_| element()).collect()
}

/// Ones of both signs, with a few twos, zeros and NaN: products of them neither overflow nor underflow, whatever their order.
pub fn factors<T: Item>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    let minus = if T::DTYPE.is_signed_integer() || T::DTYPE.is_float() { -1.0 } else { 1.0 };
    let mut element = || match random.random_range(0..5000) {
        0 => 2.0,
        1 => 0.0,
        2 if T::DTYPE.is_float() => f64::NAN,
        other => {
            if other % 2 == 0 {
                1.0
            } else {
                minus
            }
        }
    };
    (0..len).map(|_| T::from_f64(element())).collect()
}

pub fn dtypes_of_results<T: Item>(op: DimReduction) -> Vec<Dtype> {
    Dtype::ALL.iter().copied().filter(|&to| op.result_dtype(T::DTYPE, to).is_ok()).collect()
}

// ------------------------------------------------------------------------------------------------------------- the tests

fn every_reduction<T: Item>(ctx: &Context) {
    for (seed, &shape) in SHAPES.iter().enumerate() {
        let len = shape.0 * shape.1 * shape.2;
        let (small, wild) = (small::<T>(seed as u64, len), wild::<T>(seed as u64, len));
        for variant in ctx.variants::<Variant>() {
            for &op in DimReduction::ALL {
                let case = Case { variant, op, to: dtypes_of_results::<T>(op)[0], ..SUM };
                if op == DimReduction::Product && case.to.is_float() | T::DTYPE.is_float() {
                    agrees(ctx, case, &factors::<T>(seed as u64, len), shape);
                    continue;
                }
                agrees(ctx, case, &small, shape);
                agrees(ctx, case, &wild, shape);
                if matches!(op, DimReduction::Min | DimReduction::Max) {
                    agrees(ctx, Case { index: Dtype::U32, ..case }, &wild, shape);
                    agrees(ctx, Case { index: Dtype::U64, ..case }, &small, shape);
                }
            }
        }
    }
}

#[test]
fn every_reduction_of_every_dtype_agrees_with_the_plain_loop() {
    for ctx in backends() {
        for_every_dtype!(every_reduction(&ctx));
    }
}

fn every_option<T: Item>(ctx: &Context) {
    let shapes =
        [(1, 77, 5), (1, 4097, 2), (1, 20_000, 1), (3, 500, 7), (40, 33, 3), (300, 70, 1), (5, 1, 9)];
    for (seed, shape) in shapes.into_iter().enumerate() {
        let len = shape.0 * shape.1 * shape.2;
        for &op in DimReduction::ALL {
            for to in dtypes_of_results::<T>(op) {
                let is_float = op.result_dtype(T::DTYPE, to).unwrap().is_float();
                let is_rounded = op == DimReduction::Product && is_float;
                let data = if is_rounded { factors(seed as u64, len) } else { wild::<T>(seed as u64, len) };
                let case = Case { op, to, ..SUM };
                for &nan in NanFlag::ALL {
                    agrees(ctx, Case { nan, ..case }, &data, shape);
                    if matches!(op, DimReduction::Min | DimReduction::Max) {
                        agrees(ctx, Case { nan, index: Dtype::U64, ..case }, &data, shape);
                    }
                }
                let result = op.result_dtype(T::DTYPE, to).unwrap();
                if result.holds(T::DTYPE) && matches!(op, DimReduction::Sum | DimReduction::Product) {
                    agrees(ctx, Case { rules: Rules::Matlab, ..case }, &data, shape);
                }
            }
        }
    }
}

#[test]
fn every_option_agrees_with_the_plain_loop() {
    for ctx in backends() {
        for_every_dtype!(every_option(&ctx));
    }
}

/// Long ones are cut into parts, whose results are joined.
#[test]
fn extrema_of_long_rows_and_columns_agree() {
    fn of<T: Item>(ctx: &Context) {
        for shape in [(1, 200_004, 1), (1, 3000, 40), (8, 20_000, 1), (1000, 129, 1), (129, 1000, 1)] {
            let data = wild::<T>(9, shape.0 * shape.1 * shape.2);
            for (op, &nan) in [DimReduction::Min, DimReduction::Max]
                .into_iter()
                .flat_map(|op| NanFlag::ALL.iter().map(move |nan| (op, nan)))
            {
                results_agree(ctx, Case { op, nan, ..SUM }, &data, shape);
            }
        }
    }
    for ctx in backends() {
        of::<f32>(&ctx);
        of::<f64>(&ctx);
    }
}

#[test]
fn nan_alone_is_the_extremum_at_position_0() {
    let data = [f32::NAN; 600];
    for ctx in backends() {
        for (nan, shape) in
            NanFlag::ALL.iter().flat_map(|&nan| [(1, 300, 2), (6, 100, 1)].map(|shape| (nan, shape)))
        {
            for op in [DimReduction::Min, DimReduction::Max] {
                agrees(&ctx, Case { op, nan, index: Dtype::U32, ..SUM }, &data, shape);
                agrees(&ctx, Case { op, nan, ..SUM }, &data, shape);
            }
            agrees(&ctx, Case { op: DimReduction::Mean, nan, ..SUM }, &data, shape);
        }
    }
}

#[test]
fn saturating_sums_go_on_from_where_they_saturated() {
    let data = [127i8, 10, -100];
    for ctx in backends() {
        let case = Case { to: Dtype::I8, rules: Rules::Matlab, ..SUM };
        assert_eq!(reduced(&ctx, case, &data, (1, 3, 1), "sum").0, [27]);
        let case = Case { op: DimReduction::Product, ..case };
        assert_eq!(reduced(&ctx, case, &[100i8, 100, -1], (1, 3, 1), "product").0, [129], "-127");
    }
}

/// Of pieces that threads share, some saturate, at either end, and some are added to a sum that has.
#[test]
fn long_saturating_sums_are_those_of_one_element_after_the_other() {
    let mut data: Vec<i32> = (0..300_000).map(|i| i * 7919 % 2001 - 1000).collect();
    for at in [5, 70_000, 131_071, 131_072, 250_000] {
        (data[at], data[at + 9]) = (i32::MAX, i32::MIN);
    }
    let bytes: Vec<u8> = data.iter().map(|&x| u8::from(x % 3 == 0)).collect();
    let wide: Vec<i64> = data.iter().map(|&x| i64::from(x) << 50).collect();
    for ctx in backends() {
        let case = |to| Case { to, rules: Rules::Matlab, ..SUM };
        agrees(&ctx, case(Dtype::I32), &data, (1, data.len(), 1));
        agrees(&ctx, case(Dtype::I32), &data[200_000..], (1, 100_000, 1));
        agrees(&ctx, case(Dtype::I64), &data, (1, data.len(), 1));
        agrees(&ctx, case(Dtype::U8), &bytes, (1, bytes.len(), 1));
        agrees(&ctx, case(Dtype::I64), &wide, (1, wide.len(), 1));
    }
}

#[test]
fn a_dimension_of_no_elements_gives_the_identities() {
    use DimReduction::*;
    let nan = f64::NAN.to_bits();
    for ctx in backends() {
        let of = |op| reduced::<f64>(&ctx, Case { op, ..SUM }, &[], (2, 0, 3), "empty").0;
        let identities =
            [(Sum, 0), (Product, 1f64.to_bits()), (Min, nan), (Max, nan), (Any, 0), (All, 1), (Count, 0)];
        for (op, want) in identities {
            assert_eq!(of(op), [want; 6], "{op:?}");
        }
        assert!(f64::from_bits(of(Mean)[5]).is_nan());
        let of = |op| reduced::<i16>(&ctx, Case { op, index: Dtype::U64, ..SUM }, &[], (1, 0, 2), "empty");
        assert_eq!((of(Min).0, of(Max).0, of(Max).1), (vec![0x7FFF; 2], vec![0x8000; 2], vec![0; 2]));
        for shape in [(0, 5, 3), (4, 5, 0), (0, 0, 0)] {
            assert_eq!(reduced::<f32>(&ctx, SUM, &[], shape, "no results").0, []);
        }
    }
}

#[test]
fn arrays_may_lie_anywhere() {
    for ctx in backends() {
        for (index, kind) in EVERYWHERE.into_iter().flat_map(|kind| (0..3).map(move |index| (index, kind))) {
            let mut memory = [None; 3];
            memory[index] = kind;
            for shape in [(1, 3001, 7), (33, 101, 3)] {
                let data = small::<i32>(9, shape.0 * shape.1 * shape.2);
                agrees(&ctx, Case { memory, ..SUM }, &data, shape);
                agrees(&ctx, Case { memory, op: DimReduction::Max, index: Dtype::U32, ..SUM }, &data, shape);
            }
        }
    }
}

fn at_every_offset<T: Item>(ctx: &Context) {
    for shape in [(1, 1003, 5), (1, 40, 50), (7, 90, 3), (260, 40, 2), (1028, 12, 1)] {
        let (inner, count, outer) = shape;
        for off in 0..5 {
            let data = small::<T>(3, off + inner * count * outer);
            let what =
                format!("{:?}, {off} elements behind the start, {shape:?} of {:?}", ctx.backend, T::DTYPE);
            let (mut from, mut to) = (
                Placed::holding(ctx, EVERYWHERE[0], &data),
                Placed::<f64>::new(ctx, EVERYWHERE[0], off + inner * outer),
            );
            let options = options(Case { to: Dtype::F64, ..SUM }, T::DTYPE);
            let (at, result) = (from.at(off), to.at(off));
            // SAFETY: inner*count*outer elements from there on.
            ok(unsafe { gpumex_reduce_dim(ctx.handle, &options, at, inner, count, outer, result) }, &what);
            for (index, got) in to.written()[off..].iter().enumerate() {
                let want: f64 = column(&data[off..], shape, index % inner, index / inner)
                    .iter()
                    .map(|x| x.double())
                    .sum();
                assert_eq!(*got, want, "{what}, result {index}");
            }
        }
    }
}

#[test]
fn arrays_may_start_anywhere() {
    for ctx in backends() {
        for_every_dtype!(at_every_offset(&ctx));
    }
}

#[test]
fn what_is_not_served_is_refused() {
    let (data, mut result, mut positions) = ([1f32; 6], [7f32; 6], [7u32; 6]);
    for ctx in backends() {
        let mut call = |change: &dyn Fn(&mut ReduceDimOptions), shape: Shape| {
            let mut options = options(SUM, Dtype::F32);
            change(&mut options);
            if options.reserved == 9 {
                (options.reserved, options.positions) = (0, positions.as_mut_ptr().cast());
            }
            let (from, to) = (data.as_ptr().cast(), result.as_mut_ptr().cast());
            // SAFETY: six elements each; a call that is refused touches none.
            unsafe { gpumex_reduce_dim(ctx.handle, &options, from, shape.0, shape.1, shape.2, to) }
        };
        let six = (2, 3, 1);
        refused(call(&|o| o.dtype = 0, six), Status::InvalidArgument, &["dtype is not set"], "no dtype");
        refused(call(&|o| o.dtype = 3, six), Status::Unsupported, &["F16"], "F16");
        refused(
            call(&|o| o.op = 8, six),
            Status::InvalidArgument,
            &["options.op", "GPUMEX_DIM_REDUCTION_MEAN"],
            "op",
        );
        refused(call(&|o| o.nan = 3, six), Status::InvalidArgument, &["options.nan"], "nan");
        refused(call(&|o| o.rules = 2, six), Status::InvalidArgument, &["options.rules"], "rules");
        refused(
            call(&|o| o.accumulator_dtype = 7, six),
            Status::InvalidArgument,
            &["dtype or F64"],
            "accumulator",
        );
        refused(call(&|o| o.dtype = 5, six), Status::InvalidArgument, &["need one"], "small integers");
        refused(call(&|o| o.reserved = 1, six), Status::Unsupported, &["reserved"], "reserved");
        let positions = call(&|o| o.reserved = 9, six);
        refused(
            positions,
            Status::InvalidArgument,
            &["positions are those of MIN and MAX"],
            "positions of a sum",
        );
        let no_index = call(&|o| (o.op, o.reserved) = (3, 9), six);
        refused(no_index, Status::InvalidArgument, &["index_dtype"], "no index dtype");
        let signed = |o: &mut ReduceDimOptions| (o.dtype, o.accumulator_dtype, o.rules) = (7, 11, 1);
        refused(call(&signed, six), Status::InvalidArgument, &["holds every value"], "saturating in U32");
        refused(call(&|_| (), (usize::MAX, 2, 1)), Status::InvalidArgument, &["address space"], "too large");
    }
    assert_eq!((result, positions), ([7.0; 6], [7; 6]));
}
