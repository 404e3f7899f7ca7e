//! A problem, the call, and the same by gpumex_map and gpumex_reduce_dim.

use std::ffi::{CString, c_void};

use gpumex::ffi::{
    MapOptions, MapReduceOptions, ReduceDimOptions, gpumex_map, gpumex_map_reduce, gpumex_reduce_dim,
};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::map::arrays::{Array, decoded};

/// An expression of arrays that lie by strides.
#[derive(Clone, Debug)]
pub struct Problem {
    pub text: String,
    pub rules: Rules,
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    pub inputs: Vec<Array>,
    pub strides: Vec<i64>,
}

/// How it is reduced.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub variant: Variant,
    pub op: DimReduction,
    /// From 1; 0: all.
    pub dimension: usize,
    pub to: Dtype,
    pub nan: NanFlag,
    /// NONE: no positions.
    pub index: Dtype,
}

/// Bits of results, and positions.
pub type Found = (Vec<u64>, Vec<u64>);

/// Elements of a size as their bits.
pub fn words(bytes: &[u8], size: usize) -> Vec<u64> {
    let word = |element: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(element);
        u64::from_le_bytes(word)
    };
    bytes.chunks_exact(size).map(word).collect()
}

impl Problem {
    /// Of dense arrays.
    pub fn dense(text: &str, rules: Rules, dtype: Dtype, shape: &[usize], inputs: Vec<Array>) -> Problem {
        let mut strides = Vec::new();
        for _ in &inputs {
            let mut stride = 1;
            for &extent in shape {
                strides.push(stride);
                stride *= extent as i64;
            }
        }
        Problem { text: text.to_string(), rules, dtype, shape: shape.to_vec(), inputs, strides }
    }

    /// (inner, count, outer)
    pub fn dims(&self, dimension: usize) -> (usize, usize, usize) {
        let product = |extents: &[usize]| extents.iter().product();
        match dimension {
            0 => (1, product(&self.shape), 1),
            _ => {
                let (inner, outer) = (&self.shape[..dimension - 1], &self.shape[dimension..]);
                (product(inner), self.shape[dimension - 1], product(outer))
            }
        }
    }

    pub fn dtypes(&self) -> Vec<i32> {
        self.inputs.iter().map(|input| input.dtype as i32).collect()
    }

    pub fn placed(&self, ctx: &Context, kind: Kind) -> Vec<Placed<u8>> {
        self.inputs.iter().map(|input| Placed::holding(ctx, kind, &input.bytes())).collect()
    }

    #[track_caller]
    pub fn reduced(&self, ctx: &Context, kind: Kind, how: How) -> Found {
        let to = how.op.result_dtype(self.dtype, how.to).unwrap();
        let ((inner, _, outer), dtypes, text) =
            (self.dims(how.dimension), self.dtypes(), CString::new(&self.text[..]).unwrap());
        let mut placed = self.placed(ctx, kind);
        let pointers: Vec<*const c_void> = placed.iter_mut().map(Placed::as_ptr).collect();
        let has_positions = how.index != Dtype::None;
        let mut result = Placed::<u8>::new(ctx, kind, inner * outer * to.size());
        let index_bytes = if has_positions { how.index.size() } else { 0 };
        let mut positions = Placed::<u8>::new(ctx, kind, inner * outer * index_bytes);
        let mut options = MapReduceOptions {
            variant: how.variant as i32,
            rules: self.rules as i32,
            dtype: self.dtype as i32,
            rank: self.shape.len() as i32,
            op: how.op as i32,
            dimension: how.dimension as i32,
            accumulator_dtype: how.to as i32,
            nan: how.nan as i32,
            index_dtype: how.index as i32,
            dtypes: dtypes.as_ptr(),
            shape: self.shape.as_ptr(),
            strides: self.strides.as_ptr(),
            ..MapReduceOptions::default()
        };
        if has_positions {
            options.positions = positions.as_mut_ptr();
        }
        let (text, inputs, count) = (text.as_ptr(), pointers.as_ptr(), pointers.len());
        let at = result.as_mut_ptr();
        // SAFETY: arrays as long as their strides reach, and as many results.
        let status = unsafe { gpumex_map_reduce(ctx.handle, &options, text, inputs, count, at) };
        ok(status, format!("{:?}, {how:?}: {}, {:?}", ctx.backend, self.text, self.shape));
        let positions = if has_positions { words(&positions.written(), index_bytes) } else { Vec::new() };
        (words(&result.written(), to.size()), positions)
    }

    /// The elements of the expression, by gpumex_map.
    #[track_caller]
    pub fn elements(&self, ctx: &Context) -> Vec<u8> {
        let (dtypes, text) = (self.dtypes(), CString::new(&self.text[..]).unwrap());
        let mut placed = self.placed(ctx, None);
        let pointers: Vec<*const c_void> = placed.iter_mut().map(Placed::as_ptr).collect();
        let count: usize = self.shape.iter().product();
        let mut result = Placed::<u8>::new(ctx, None, count * self.dtype.size());
        let options = MapOptions {
            rules: self.rules as i32,
            dtype: self.dtype as i32,
            rank: self.shape.len() as i32,
            dtypes: dtypes.as_ptr(),
            shape: self.shape.as_ptr(),
            strides: self.strides.as_ptr(),
            ..MapOptions::default()
        };
        let (text, inputs, at) = (text.as_ptr(), pointers.as_ptr(), result.as_mut_ptr());
        // SAFETY: arrays as long as their strides reach, and as many elements.
        let status = unsafe { gpumex_map(ctx.handle, &options, text, inputs, pointers.len(), at) };
        ok(status, format!("{:?}: {}, {:?}", ctx.backend, self.text, self.shape));
        result.written()
    }

    /// The reduction of elements by gpumex_reduce_dim.
    #[track_caller]
    pub fn oracle(&self, ctx: &Context, elements: &[u8], how: How) -> Found {
        let to = how.op.result_dtype(self.dtype, how.to).unwrap();
        let (inner, count, outer) = self.dims(how.dimension);
        let mut data = Placed::holding(ctx, None, elements);
        let has_positions = how.index != Dtype::None;
        let mut result = Placed::<u8>::new(ctx, None, inner * outer * to.size());
        let index_bytes = if has_positions { how.index.size() } else { 0 };
        let mut positions = Placed::<u8>::new(ctx, None, inner * outer * index_bytes);
        let mut options = ReduceDimOptions {
            dtype: self.dtype as i32,
            op: how.op as i32,
            accumulator_dtype: how.to as i32,
            rules: self.rules as i32,
            nan: how.nan as i32,
            index_dtype: how.index as i32,
            ..ReduceDimOptions::default()
        };
        if has_positions {
            options.positions = positions.as_mut_ptr();
        }
        let (data, at) = (data.as_ptr(), result.as_mut_ptr());
        // SAFETY: inner*count*outer elements, inner*outer results and positions.
        ok(unsafe { gpumex_reduce_dim(ctx.handle, &options, data, inner, count, outer, at) }, "reduce_dim");
        let positions = if has_positions { words(&positions.written(), index_bytes) } else { Vec::new() };
        (words(&result.written(), to.size()), positions)
    }

    /// Compares the call with what the two functions make of it.
    #[track_caller]
    pub fn agrees(&self, ctx: &Context, kind: Kind, elements: &[u8], how: How) {
        let to = how.op.result_dtype(self.dtype, how.to).unwrap();
        let (got, want) = (self.reduced(ctx, kind, how), self.oracle(ctx, elements, how));
        let what = || {
            let dtypes: Vec<Dtype> = self.inputs.iter().map(|input| input.dtype).collect();
            let Problem { text, rules, dtype, shape, strides, .. } = self;
            format!(
                "{:?}, {kind:?}, {how:?}: {text} of {dtypes:?} as {dtype:?}, {rules:?}, {shape:?}, {strides:?}",
                ctx.backend
            )
        };
        assert_eq!(got.1, want.1, "{}: positions", what());
        for (at, (&got, &want)) in got.0.iter().zip(&want.0).enumerate() {
            let number = |bits: u64| decoded(to, &bits.to_le_bytes()[..to.size()]).to_f64();
            let is_same = got == want || to.is_float() && number(got).is_nan() && number(want).is_nan();
            if is_same {
                continue;
            }
            let bound = match how.op {
                DimReduction::Sum | DimReduction::Product | DimReduction::Mean if to.is_float() => {
                    self.bound(elements, how, to, at)
                }
                _ => Some(0.0),
            };
            let (got, want) = (number(got), number(want));
            assert!(
                bound.is_none_or(|bound| (got - want).abs() <= bound),
                "{}: result {at}: got {got:e} ({got:?}), want {want:e} within {bound:?}",
                what()
            );
        }
    }

    /// The error that two sums or products may have together; None where the order of the operations may change the result more.
    fn bound(&self, elements: &[u8], how: How, to: Dtype, at: usize) -> Option<f64> {
        let (inner, count, _) = self.dims(how.dimension);
        let size = self.dtype.size();
        let element = |j: usize| {
            let at = at % inner + inner * (j + count * (at / inner));
            decoded(self.dtype, &elements[at * size..(at + 1) * size]).to_f64()
        };
        let (u, most) = match to {
            Dtype::F32 => (2f64.powi(-24), f64::from(f32::MAX)),
            _ => (2f64.powi(-53), f64::MAX),
        };
        let omits = how.op.omits(how.nan);
        let finite = (0..count).map(element).filter(|x| !(omits && x.is_nan()));
        let nu = (count + 2) as f64 * u;
        let bound = 2.0 * nu / (1.0 - nu);
        if how.op == DimReduction::Product {
            let (size, exponents) = finite.fold((1.0, 0.0), |(product, exponents): (f64, f64), x| {
                (product * x.abs(), exponents + x.abs().log2().abs())
            });
            return (exponents < most.log2() - 2.0).then_some(bound * size);
        }
        let numbers = finite.clone().filter(|x| x.is_finite()).count().max(1);
        let size: f64 = finite.map(f64::abs).filter(|x| x.is_finite()).sum();
        let of_mean = if how.op == DimReduction::Mean { numbers as f64 } else { 1.0 };
        (size < most / 4.0).then_some(bound * size / of_mean + f64::from(f32::MIN_POSITIVE))
    }
}
