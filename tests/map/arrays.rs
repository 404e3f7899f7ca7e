//! Arrays of any dtype as numbers, and calls on them.

use std::ffi::{CString, c_void};
use std::ptr::null;

use gpumex::ffi::{MapOptions, gpumex_map, gpumex_map_dtype};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::variant::Variant;

use crate::common::*;

/// An element of an array.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// Whether both are the same number, or NaN; zeros have signs.
    pub fn is(self, other: Number) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a == b,
            (Number::Float(a), Number::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            _ => false,
        }
    }
}

pub const DTYPES: [Dtype; 11] = [
    Dtype::F32,
    Dtype::F64,
    Dtype::I8,
    Dtype::I16,
    Dtype::I32,
    Dtype::I64,
    Dtype::U8,
    Dtype::U16,
    Dtype::U32,
    Dtype::U64,
    Dtype::Bool,
];

/// The bytes of an element.
fn encoded(dtype: Dtype, number: Number) -> Vec<u8> {
    match (dtype, number) {
        (Dtype::F64, number) => number.to_f64().to_le_bytes().to_vec(),
        (Dtype::F32, number) => (number.to_f64() as f32).to_le_bytes().to_vec(),
        (dtype, Number::Int(value)) => value.to_le_bytes()[..dtype.size()].to_vec(),
        (dtype, float) => panic!("{float:?} is no {dtype:?}"),
    }
}

pub fn decoded(dtype: Dtype, bytes: &[u8]) -> Number {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let word = u64::from_le_bytes(word);
    match dtype {
        Dtype::F64 => Number::Float(f64::from_bits(word)),
        Dtype::F32 => Number::Float(f32::from_bits(word as u32).into()),
        Dtype::I8 => Number::Int((word as i8).into()),
        Dtype::I16 => Number::Int((word as i16).into()),
        Dtype::I32 => Number::Int((word as i32).into()),
        Dtype::I64 => Number::Int((word as i64).into()),
        _ => Number::Int(word.into()),
    }
}

/// An array of a dtype.
#[derive(Clone, Debug)]
pub struct Array {
    pub dtype: Dtype,
    pub numbers: Vec<Number>,
}

impl Array {
    pub fn bytes(&self) -> Vec<u8> {
        self.numbers.iter().flat_map(|&number| encoded(self.dtype, number)).collect()
    }

    pub fn ints(dtype: Dtype, values: impl IntoIterator<Item = i128>) -> Array {
        Array { dtype, numbers: values.into_iter().map(Number::Int).collect() }
    }

    pub fn floats(dtype: Dtype, values: impl IntoIterator<Item = f64>) -> Array {
        let rounded = |value: f64| if dtype == Dtype::F32 { (value as f32).into() } else { value };
        Array { dtype, numbers: values.into_iter().map(|value| Number::Float(rounded(value))).collect() }
    }
}

/// What the rules say the dtype of the result is.
pub fn natural(rules: Rules, text: &str, dtypes: &[Dtype]) -> Result<Dtype, i32> {
    let numbers: Vec<i32> = dtypes.iter().map(|&dtype| dtype as i32).collect();
    let options = MapOptions { rules: rules as i32, dtypes: numbers.as_ptr(), ..MapOptions::default() };
    let (text, mut dtype) = (CString::new(text).unwrap(), -1);
    // SAFETY: as many dtypes, a text, a number to write to.
    match unsafe { gpumex_map_dtype(&options, text.as_ptr(), dtypes.len(), &mut dtype) } {
        0 => Ok(Dtype::ALL[dtype as usize]),
        status => Err(status),
    }
}

/// The result of an expression of arrays of one length, in memory of a kind.
#[track_caller]
pub fn mapped(
    ctx: &Context,
    kind: Kind,
    rules: Rules,
    text: &str,
    inputs: &[Array],
    to: Dtype,
) -> Vec<Number> {
    let count = inputs.first().map_or(1, |input| input.numbers.len());
    let dtypes: Vec<i32> = inputs.iter().map(|input| input.dtype as i32).collect();
    let mut placed: Vec<Placed<u8>> =
        inputs.iter().map(|input| Placed::holding(ctx, kind, &input.bytes())).collect();
    let pointers: Vec<*const c_void> = placed.iter_mut().map(Placed::as_ptr).collect();
    let expression = CString::new(text).unwrap();
    let mut found = None;
    for variant in ctx.variants::<Variant>() {
        let options = MapOptions {
            variant: variant as i32,
            rules: rules as i32,
            dtype: to as i32,
            dtypes: if dtypes.is_empty() { null() } else { dtypes.as_ptr() },
            shape: &count,
            ..MapOptions::default()
        };
        let mut result = Placed::<u8>::new(ctx, kind, count * to.size());
        let (text, to) = (expression.as_ptr(), result.as_mut_ptr());
        // SAFETY: count elements of their dtypes each.
        let status = unsafe { gpumex_map(ctx.handle, &options, text, pointers.as_ptr(), inputs.len(), to) };
        ok(status, format!("{:?}, {variant:?}, {rules:?}: {expression:?} of {inputs:?}", ctx.backend));
        let bytes = result.written();
        assert_eq!(found.get_or_insert_with(|| bytes.clone()), &bytes, "{expression:?}, {variant:?}");
    }
    let bytes = found.expect("there is a variant");
    bytes.chunks_exact(to.size()).map(|element| decoded(to, element)).collect()
}
