//! gpumex_scan_dim: every operator, dtype, kind and direction on every backend agrees with a plain loop, sums and products of floats
//! within the bound.

use gpumex::error::Status;
use gpumex::ffi::{ScanDimOptions, gpumex_scan_dim};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use crate::common::*;
use crate::reduce_dim::{
    Item, SHAPES, Shape, Want, accumulated, agrees_with, cut, dtypes_of_results, factors, folded, is_better,
    is_nan, small, wild,
};

const OPS: [DimReduction; 4] =
    [DimReduction::Sum, DimReduction::Product, DimReduction::Min, DimReduction::Max];

#[derive(Clone, Copy, Debug)]
struct Case {
    variant: Variant,
    op: DimReduction,
    kind: ScanKind,
    to: Dtype,
    rules: Rules,
    nan: NanFlag,
    is_reversed: bool,
    in_place: bool,
    memory: [Kind; 2],
}

const SUM: Case = Case {
    variant: Variant::Auto,
    op: DimReduction::Sum,
    kind: ScanKind::Inclusive,
    to: Dtype::None,
    rules: Rules::C,
    nan: NanFlag::Default,
    is_reversed: false,
    in_place: false,
    memory: [None; 2],
};

fn options(case: Case, dtype: Dtype) -> ScanDimOptions {
    ScanDimOptions {
        variant: case.variant as i32,
        dtype: dtype as i32,
        op: case.op as i32,
        kind: case.kind as i32,
        accumulator_dtype: case.to as i32,
        rules: case.rules as i32,
        nan: case.nan as i32,
        reverse: case.is_reversed.into(),
        ..ScanDimOptions::default()
    }
}

/// The bits of the prefixes.
fn scanned<T: Item>(ctx: &Context, case: Case, data: &[T], shape: Shape, what: &str) -> Vec<u64> {
    match case.op.result_dtype(T::DTYPE, case.to).unwrap().size() {
        1 => called::<T, u8>(ctx, case, data, shape, what),
        2 => called::<T, u16>(ctx, case, data, shape, what),
        4 => called::<T, u32>(ctx, case, data, shape, what),
        _ => called::<T, u64>(ctx, case, data, shape, what),
    }
}

fn called<T: Item, R: Item>(ctx: &Context, case: Case, data: &[T], shape: Shape, what: &str) -> Vec<u64> {
    let (inner, count, outer) = shape;
    let mut from = Placed::holding(ctx, case.memory[0], data);
    let mut result = Placed::<R>::new(ctx, case.memory[1], data.len());
    let at = from.as_mut_ptr();
    let to = if case.in_place { at } else { result.as_mut_ptr() };
    // SAFETY: inner*count*outer elements each.
    ok(unsafe { gpumex_scan_dim(ctx.handle, &options(case, T::DTYPE), at, inner, count, outer, to) }, what);
    match case.in_place {
        true => from.written().into_iter().map(|x| R::of_bits(x.bits()).bits()).collect(),
        false => result.written().into_iter().map(Number::bits).collect(),
    }
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// The prefixes of elements in the order of the scan.
fn wants<T: Item>(case: Case, elements: &[T]) -> Vec<Want> {
    let to = case.op.result_dtype(T::DTYPE, case.to).unwrap();
    let mut wants = match case.op {
        DimReduction::Sum | DimReduction::Product if to.is_float() => rounded(case, to, elements),
        DimReduction::Sum | DimReduction::Product => integers(case, to, elements),
        _ => extrema(case, elements),
    };
    if case.kind == ScanKind::Inclusive {
        wants.remove(0);
    } else {
        wants.pop();
    }
    wants
}

fn rounded<T: Item>(case: Case, to: Dtype, elements: &[T]) -> Vec<Want> {
    let omits = case.op.omits(case.nan);
    let (mut value, mut size, _) = folded::<T>(case.op, omits, &[]);
    let mut wants = vec![Want::Near(value, 0.0)];
    for (n, element) in elements.iter().enumerate() {
        let (x, of_x, _) = folded(case.op, omits, &[*element]);
        (value, size) = match case.op {
            DimReduction::Sum => (value + x, size + of_x),
            _ => (value * x, (value * x).abs()),
        };
        let u = if to == Dtype::F32 { 2f64.powi(-24) } else { 2f64.powi(-53) };
        let nu = (n + 2) as f64 * 2.0 * u; // the plain loop's own rounding as well
        wants.push(Want::Near(value, nu / (1.0 - nu) * size * 1.001 + f64::from(f32::MIN_POSITIVE)));
    }
    wants
}

fn integers<T: Item>(case: Case, to: Dtype, elements: &[T]) -> Vec<Want> {
    let mut acc = accumulated::<T>(case.op, case.rules, to, &[]);
    let mut wants = vec![Want::Bits(cut(acc, to))];
    for x in elements {
        let x = x.integer();
        let next = if case.op == DimReduction::Sum { acc + x } else { acc.saturating_mul(x) };
        let range = to.integers().unwrap();
        acc = match case.rules {
            Rules::Matlab => next.clamp(*range.start(), *range.end()),
            Rules::C => i128::from(next as i64),
        };
        wants.push(Want::Bits(cut(acc, to)));
    }
    wants
}

fn extrema<T: Item>(case: Case, elements: &[T]) -> Vec<Want> {
    let (omits, is_minimum) = (case.op.omits(case.nan), case.op == DimReduction::Min);
    let mut best = None;
    let none = match T::DTYPE.integers() {
        None => Want::Near(f64::NAN, 0.0),
        Some(range) => Want::Bits(cut(if is_minimum { *range.end() } else { *range.start() }, T::DTYPE)),
    };
    let mut wants = vec![none];
    for &x in elements {
        best = match best {
            _ if is_nan(x) && omits => best,
            Some(old) if is_nan(old) => best,
            None => Some(x),
            Some(_) if is_nan(x) => Some(x),
            Some(old) if is_better(case.op, x, old) => Some(x),
            Some(old)
                if x.double() == 0.0
                    && old.double() == 0.0
                    && x.double().is_sign_negative() == is_minimum =>
            {
                Some(x)
            }
            old => old,
        };
        wants.push(match best {
            Some(best) if !is_nan(best) => Want::Bits(cut(best.bits().into(), T::DTYPE)),
            _ => Want::Near(f64::NAN, 0.0),
        });
    }
    wants
}

fn agrees<T: Item>(ctx: &Context, case: Case, data: &[T], shape: Shape) {
    if is_not_in_share() {
        return;
    }
    let what = format!("{:?}, {case:?}, {shape:?} of {:?}", ctx.backend, T::DTYPE);
    let to = case.op.result_dtype(T::DTYPE, case.to).unwrap();
    let got = scanned(ctx, case, data, shape, &what);
    let (inner, count, outer) = shape;
    for (i, k) in (0..outer).flat_map(|k| (0..inner).map(move |i| (i, k))) {
        let at =
            |step: usize| i + inner * (if case.is_reversed { count - 1 - step } else { step } + count * k);
        let elements: Vec<T> = (0..count).map(|step| data[at(step)]).collect();
        for (step, want) in wants(case, &elements).iter().enumerate() {
            let got = got[at(step)];
            assert!(
                agrees_with(got, want, to),
                "{what}: ({i}, {k}), step {step}: got {got:#x}, want {}",
                match want {
                    Want::Bits(bits) => format!("{bits:#x}"),
                    Want::Near(value, bound) => format!("{value:e} within {bound:e}"),
                }
            );
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- the tests

fn every_scan<T: Item>(ctx: &Context) {
    for (seed, &shape) in SHAPES.iter().enumerate() {
        let len = shape.0 * shape.1 * shape.2;
        let (small, wild) = (small::<T>(seed as u64, len), wild::<T>(seed as u64, len));
        for (index, variant) in ctx.variants::<Variant>().into_iter().enumerate() {
            for op in OPS {
                let to = dtypes_of_results::<T>(op)[0];
                let is_reversed = (seed + index) % 2 == 1;
                let kind = ScanKind::ALL[(seed / 2 + index) % 2];
                let in_place = op.result_dtype(T::DTYPE, to).unwrap() == T::DTYPE && seed % 3 == 1;
                let case = Case { variant, op, to, is_reversed, kind, in_place, ..SUM };
                if op == DimReduction::Product && to.is_float() | T::DTYPE.is_float() {
                    agrees(ctx, case, &factors::<T>(seed as u64, len), shape);
                    continue;
                }
                agrees(ctx, case, &small, shape);
                agrees(ctx, case, &wild, shape);
            }
        }
    }
}

#[test]
fn every_scan_of_every_dtype_agrees_with_the_plain_loop() {
    for ctx in backends() {
        for_every_dtype!(every_scan(&ctx));
    }
}

fn every_option<T: Item>(ctx: &Context) {
    let shapes =
        [(1, 77, 5), (1, 140_001, 1), (3, 500, 7), (40, 33, 3), (600, 70, 1), (5, 1, 90), (40, 4000, 1)];
    for (seed, shape) in shapes.into_iter().enumerate() {
        let len = shape.0 * shape.1 * shape.2;
        for (op, is_reversed) in OPS.into_iter().flat_map(|op| [false, true].map(|reversed| (op, reversed))) {
            for to in dtypes_of_results::<T>(op) {
                let result = op.result_dtype(T::DTYPE, to).unwrap();
                let is_rounded = op == DimReduction::Product && result.is_float();
                let data = if is_rounded { factors(seed as u64, len) } else { wild::<T>(seed as u64, len) };
                let kind = ScanKind::ALL[usize::from(seed % 2 == 0)];
                let case =
                    Case { op, to, is_reversed, kind, in_place: result == T::DTYPE && seed % 2 == 1, ..SUM };
                for nan in [NanFlag::Include, NanFlag::Omit] {
                    if nan == NanFlag::Include || T::DTYPE.is_float() {
                        agrees(ctx, Case { nan, ..case }, &data, shape);
                    }
                }
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

#[test]
fn arrays_may_lie_anywhere() {
    for ctx in backends() {
        for (index, kind) in EVERYWHERE.into_iter().flat_map(|kind| (0..2).map(move |index| (index, kind))) {
            let mut memory = [None; 2];
            memory[index] = kind;
            for (shape, in_place) in [((1, 3001, 7), false), ((33, 101, 3), true), ((515, 40, 2), false)] {
                let data = small::<f32>(9, shape.0 * shape.1 * shape.2);
                agrees(&ctx, Case { memory, in_place, ..SUM }, &data, shape);
                agrees(
                    &ctx,
                    Case { memory, in_place, op: DimReduction::Max, is_reversed: true, ..SUM },
                    &data,
                    shape,
                );
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
                Placed::<f64>::new(ctx, EVERYWHERE[0], data.len()),
            );
            let options = options(Case { to: Dtype::F64, ..SUM }, T::DTYPE);
            let (at, result) = (from.at(off), to.at(off));
            // SAFETY: inner*count*outer elements from there on.
            ok(unsafe { gpumex_scan_dim(ctx.handle, &options, at, inner, count, outer, result) }, &what);
            let (data, got) = (&data[off..], &to.written()[off..]);
            for index in 0..data.len() {
                let j = index / inner % count;
                let before = if j == 0 { 0.0 } else { got[index - inner] };
                assert_eq!(got[index], before + data[index].double(), "{what}, {index}");
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
fn empty_arrays_are_scanned() {
    for ctx in backends() {
        for shape in [(0, 3, 4), (3, 0, 4), (3, 4, 0)] {
            assert_eq!(scanned::<i32>(&ctx, SUM, &[], shape, "empty"), []);
        }
    }
}

#[test]
fn extrema_of_bool_are_0_and_1() {
    let wants = |op: DimReduction, elements: &[u8]| -> Vec<u8> {
        let is_minimum = op == DimReduction::Min;
        let combined = |n: usize| match is_minimum {
            true => elements[..n].iter().all(|&x| x == 1),
            false => elements[..n].contains(&1),
        };
        (0..elements.len()).map(|n| combined(n).into()).collect()
    };
    for ctx in backends() {
        for variant in ctx.variants::<Variant>() {
            for (op, count) in [DimReduction::Min, DimReduction::Max]
                .into_iter()
                .flat_map(|op| [1, 2, 33, 5000].map(|count| (op, count)))
            {
                let is_minimum = u8::from(op == DimReduction::Min);
                let of = |j: usize| u8::from(j == count / 2) ^ is_minimum;
                let column: Vec<u8> = (0..count).map(of).collect();
                for inner in [1, 3] {
                    let data: Vec<u8> = (0..inner * count).map(|at| column[at / inner]).collect();
                    let mut result = vec![7u8; data.len()];
                    let case = Case { variant, op, kind: ScanKind::Exclusive, ..SUM };
                    let (from, to) = (data.as_ptr().cast(), result.as_mut_ptr().cast());
                    // SAFETY: inner*count elements each.
                    let status = unsafe {
                        gpumex_scan_dim(ctx.handle, &options(case, Dtype::Bool), from, inner, count, 1, to)
                    };
                    ok(status, "bool");
                    let want: Vec<u8> = wants(op, &column).into_iter().flat_map(|x| vec![x; inner]).collect();
                    assert!(result == want, "{op:?} {inner} x {count} {variant:?}");
                }
            }
        }
    }
}

#[test]
fn what_is_not_served_is_refused() {
    let (mut data, mut result) = ([1i16; 8], [7i16; 6]);
    for ctx in backends() {
        let (from, to): (_, *mut i16) = (data.as_mut_ptr(), result.as_mut_ptr());
        let call = |change: &dyn Fn(&mut ScanDimOptions), to: *mut i16| {
            let mut options = options(Case { to: Dtype::I16, ..SUM }, Dtype::I16);
            change(&mut options);
            // SAFETY: six elements each; a call that is refused touches none.
            unsafe { gpumex_scan_dim(ctx.handle, &options, from.cast(), 2, 3, 1, to.cast()) }
        };
        refused(
            call(&|o| o.op = 4, to),
            Status::Unsupported,
            &["GPUMEX_DIM_REDUCTION_ANY", "SUM, PRODUCT"],
            "ANY",
        );
        refused(call(&|o| o.reverse = 2, to), Status::InvalidArgument, &["options.reverse"], "reverse");
        refused(call(&|o| o.kind = 2, to), Status::InvalidArgument, &["options.kind"], "kind");
        refused(
            call(&|o| o.accumulator_dtype = 0, to),
            Status::InvalidArgument,
            &["need one"],
            "no accumulator",
        );
        refused(call(&|o| o.dtype = 4, to), Status::Unsupported, &["BF16"], "BF16");
        refused(call(&|_| (), from.wrapping_add(1)), Status::InvalidArgument, &["overlaps"], "an overlap");
        refused(
            call(&|o| o.accumulator_dtype = 7, from),
            Status::InvalidArgument,
            &["overlaps"],
            "in place in I32",
        );
    }
    assert_eq!((data, result), ([1; 8], [7; 6]));
}
