//! Lanes as elements of the result.
#![forbid(unsafe_code)]

/// Calls `function (arguments, narrow)`, where `narrow` makes the bits of an element of a dtype of a lane of the program's type. The dtype
/// has the value.
macro_rules! dispatch_store {
    ($ty:expr, $dtype:expr, $function:ident ($($argument:expr),*)) => {
        match ($ty, $dtype) {
            (Type::U8, Dtype::I8 | Dtype::U8 | Dtype::Bool) => $function($($argument,)* |x: u8| x),
            (Type::U8, Dtype::I16 | Dtype::U16) => $function($($argument,)* |x: u8| u16::from(x)),
            (Type::U8, Dtype::F16) => $function($($argument,)* |x: u8| to_f16(x.into())),
            (Type::U8, Dtype::Bf16) => $function($($argument,)* |x: u8| to_bf16(x.into())),
            (Type::U8, Dtype::I32 | Dtype::U32) => $function($($argument,)* |x: u8| u32::from(x)),
            (Type::U8, Dtype::F32) => $function($($argument,)* |x: u8| f32::from(x).to_bits()),
            (Type::U8, Dtype::I64 | Dtype::U64) => $function($($argument,)* |x: u8| u64::from(x)),
            (Type::U8, _) => $function($($argument,)* |x: u8| f64::from(x).to_bits()),
            (_, Dtype::F16) => $function($($argument,)* to_f16),
            (_, Dtype::Bf16) => $function($($argument,)* to_bf16),
            (Type::I32, Dtype::I8 | Dtype::U8 | Dtype::Bool) => $function($($argument,)* |x: i32| x as u8),
            (Type::I32, Dtype::I16 | Dtype::U16) => $function($($argument,)* |x: i32| x as u16),
            (Type::I32, _) => $function($($argument,)* |x: i32| x as u32),
            (Type::I64, Dtype::U32) => $function($($argument,)* |x: i64| x as u32),
            (Type::I64, _) => $function($($argument,)* |x: i64| x as u64),
            (Type::U64, _) => $function($($argument,)* |x: u64| x),
            (Type::F32, _) => $function($($argument,)* f32::to_bits),
            (Type::F64, _) => $function($($argument,)* f64::to_bits),
        }
    };
}

pub(in crate::cpu) use dispatch_store;
