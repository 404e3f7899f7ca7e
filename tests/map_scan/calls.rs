//! The call, and the same by gpumex_map and gpumex_scan_dim.

use std::ffi::{CString, c_void};

use gpumex::ffi::{MapScanOptions, ScanDimOptions, gpumex_map_scan, gpumex_scan_dim};
use gpumex::model::dtype::Dtype;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use crate::common::*;
use crate::map::arrays::decoded;
use crate::map_reduce::calls::{Problem, words};

/// How an expression is scanned.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub variant: Variant,
    pub op: DimReduction,
    /// From 1; 0: all.
    pub dimension: usize,
    pub kind: ScanKind,
    pub to: Dtype,
    pub nan: NanFlag,
    pub is_reversed: bool,
}

pub const SUM: How = How {
    variant: Variant::Auto,
    op: DimReduction::Sum,
    dimension: 0,
    kind: ScanKind::Inclusive,
    to: Dtype::None,
    nan: NanFlag::Default,
    is_reversed: false,
};

impl How {
    pub fn result_dtype(&self, problem: &Problem) -> Dtype {
        self.op.result_dtype(problem.dtype, self.to).unwrap()
    }
}

fn what(ctx: &Context, problem: &Problem, how: How) -> String {
    let dtypes: Vec<Dtype> = problem.inputs.iter().map(|input| input.dtype).collect();
    let Problem { text, rules, dtype, shape, strides, .. } = problem;
    format!(
        "{:?}, {how:?}: {text} of {dtypes:?} as {dtype:?}, {rules:?}, {shape:?}, {strides:?}",
        ctx.backend
    )
}

/// The call on arrays that are there.
#[track_caller]
pub fn scan(ctx: &Context, problem: &Problem, how: How, inputs: &[*const c_void], result: *mut c_void) {
    let (text, dtypes) = (CString::new(&problem.text[..]).unwrap(), problem.dtypes());
    let options = MapScanOptions {
        variant: how.variant as i32,
        rules: problem.rules as i32,
        dtype: problem.dtype as i32,
        rank: problem.shape.len() as i32,
        op: how.op as i32,
        dimension: how.dimension as i32,
        kind: how.kind as i32,
        accumulator_dtype: how.to as i32,
        nan: how.nan as i32,
        reverse: how.is_reversed.into(),
        dtypes: dtypes.as_ptr(),
        shape: problem.shape.as_ptr(),
        strides: problem.strides.as_ptr(),
        ..MapScanOptions::default()
    };
    let (text, count) = (text.as_ptr(), inputs.len());
    // SAFETY: arrays as long as their strides reach, and as many results as the shape says.
    let status = unsafe { gpumex_map_scan(ctx.handle, &options, text, inputs.as_ptr(), count, result) };
    ok(status, what(ctx, problem, how));
}

/// The bits of the prefixes: of inputs in one kind of memory, with the results in another one.
#[track_caller]
pub fn scanned(ctx: &Context, memory: [Kind; 2], problem: &Problem, how: How) -> Vec<u64> {
    let (size, count) = (how.result_dtype(problem).size(), problem.shape.iter().product::<usize>());
    let mut placed = problem.placed(ctx, memory[0]);
    let inputs: Vec<*const c_void> = placed.iter_mut().map(Placed::as_ptr).collect();
    let mut result = Placed::<u8>::new(ctx, memory[1], count * size);
    scan(ctx, problem, how, &inputs, result.as_mut_ptr());
    words(&result.written(), size)
}

/// The prefixes of elements by gpumex_scan_dim.
#[track_caller]
fn oracle(ctx: &Context, problem: &Problem, elements: &[u8], how: How) -> Vec<u64> {
    let (size, (inner, count, outer)) = (how.result_dtype(problem).size(), problem.dims(how.dimension));
    let mut data = Placed::holding(ctx, None, elements);
    let mut result = Placed::<u8>::new(ctx, None, inner * count * outer * size);
    let options = ScanDimOptions {
        dtype: problem.dtype as i32,
        op: how.op as i32,
        kind: how.kind as i32,
        accumulator_dtype: how.to as i32,
        rules: problem.rules as i32,
        nan: how.nan as i32,
        reverse: how.is_reversed.into(),
        ..ScanDimOptions::default()
    };
    let (from, to) = (data.as_ptr(), result.as_mut_ptr());
    // SAFETY: inner*count*outer elements each.
    ok(unsafe { gpumex_scan_dim(ctx.handle, &options, from, inner, count, outer, to) }, "scan_dim");
    words(&result.written(), size)
}

/// Compares the call with what the two functions make of the problem, of which `elements` are those of gpumex_map.
#[track_caller]
pub fn agrees(ctx: &Context, memory: [Kind; 2], problem: &Problem, elements: &[u8], how: How) {
    let to = how.result_dtype(problem);
    let (got, want) = (scanned(ctx, memory, problem, how), oracle(ctx, problem, elements, how));
    assert_eq!(got.len(), want.len(), "{}", what(ctx, problem, how));
    let number = |bits: u64| decoded(to, &bits.to_le_bytes()[..to.size()]).to_f64();
    let is_rounded = to.is_float() && matches!(how.op, DimReduction::Sum | DimReduction::Product);
    let mut all_bounds = None;
    for (at, (&got, &want)) in got.iter().zip(&want).enumerate() {
        if got == want || to.is_float() && number(got).is_nan() && number(want).is_nan() {
            continue;
        }
        let bound = match is_rounded {
            true => all_bounds.get_or_insert_with(|| bounds(problem, elements, how, to))[at],
            false => Some(-1.0), // no other bits will do
        };
        let is_near = bound.is_none_or(|bound| (number(got) - number(want)).abs() <= bound);
        assert!(
            is_near,
            "{}, {memory:?}: result {at}: got {:?} ({got:#x}), want {:?} ({want:#x}) within {bound:?}",
            what(ctx, problem, how),
            number(got),
            number(want)
        );
    }
}

/// For each result the error that two sums or products may have together; None where the order of the operations may change it more.
fn bounds(problem: &Problem, elements: &[u8], how: How, to: Dtype) -> Vec<Option<f64>> {
    let ((inner, count, outer), size) = (problem.dims(how.dimension), problem.dtype.size());
    let mut bounds = vec![None; inner * count * outer];
    for (i, k) in (0..outer).flat_map(|k| (0..inner).map(move |i| (i, k))) {
        let mut magnitude = Magnitude::new(how, to, count);
        for step in 0..count {
            let j = if how.is_reversed { count - 1 - step } else { step };
            let at = i + inner * (j + count * k);
            let element = decoded(problem.dtype, &elements[at * size..(at + 1) * size]).to_f64();
            if how.kind == ScanKind::Exclusive {
                bounds[at] = magnitude.bound();
            }
            magnitude.add(element);
            if how.kind == ScanKind::Inclusive {
                bounds[at] = magnitude.bound();
            }
        }
    }
    bounds
}

/// How large a sum or product of floats may be on the way.
struct Magnitude {
    is_product: bool,
    omits: bool,
    /// Of one result and another one, each γ of count and 2 elements more.
    relative: f64,
    most: f64,
    /// Σ|x| of what is finite, or |Πx|.
    size: f64,
    /// Σ|log2 |x||
    exponents: f64,
    has_nan: bool,
}

impl Magnitude {
    fn new(how: How, to: Dtype, count: usize) -> Magnitude {
        let (u, most) = match to {
            Dtype::F32 => (2f64.powi(-24), f64::from(f32::MAX)),
            _ => (2f64.powi(-53), f64::MAX),
        };
        let (nu, is_product) = ((count + 2) as f64 * u, how.op == DimReduction::Product);
        Magnitude {
            is_product,
            omits: how.op.omits(how.nan),
            relative: 2.0 * nu / (1.0 - nu),
            most,
            size: f64::from(u8::from(is_product)),
            exponents: 0.0,
            has_nan: false,
        }
    }

    fn add(&mut self, x: f64) {
        if x.is_nan() {
            self.has_nan |= !self.omits;
        } else if self.is_product {
            self.size *= x.abs();
            self.exponents += x.abs().log2().abs();
        } else if x.is_finite() {
            self.size += x.abs();
        }
    }

    fn bound(&self) -> Option<f64> {
        match self.is_product {
            _ if self.has_nan => Some(0.0), // both are NaN
            true => (self.exponents < self.most.log2() - 2.0).then_some(self.relative * self.size),
            false => {
                let tiny = f64::from(f32::MIN_POSITIVE);
                (self.size < self.most / 4.0).then_some(self.relative * self.size + tiny)
            }
        }
    }
}
