//! Calls of functions that are generic over element types, by dtypes that are known at run time.
#![forbid(unsafe_code)]

/// Calls a function that is generic over the type of an element with the type of a dtype.
macro_rules! dispatch_dtype {
    ($dtype:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::model::dtype::Dtype::F32 => $function::<f32>($($argument),*),
            $crate::model::dtype::Dtype::F64 => $function::<f64>($($argument),*),
            $crate::model::dtype::Dtype::I8 => $function::<i8>($($argument),*),
            $crate::model::dtype::Dtype::I16 => $function::<i16>($($argument),*),
            $crate::model::dtype::Dtype::I32 => $function::<i32>($($argument),*),
            $crate::model::dtype::Dtype::I64 => $function::<i64>($($argument),*),
            $crate::model::dtype::Dtype::U8 | $crate::model::dtype::Dtype::Bool => $function::<u8>($($argument),*),
            $crate::model::dtype::Dtype::U16 => $function::<u16>($($argument),*),
            $crate::model::dtype::Dtype::U32 => $function::<u32>($($argument),*),
            $crate::model::dtype::Dtype::U64 => $function::<u64>($($argument),*),
            other => $crate::ops::dtypes::unsupported("dtype", other, $crate::ops::dtypes::ALL_NUMBERS),
        }
    };
}

/// The same with the type of an integer dtype.
macro_rules! dispatch_integer {
    ($dtype:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::model::dtype::Dtype::I8 => $function::<i8>($($argument),*),
            $crate::model::dtype::Dtype::I16 => $function::<i16>($($argument),*),
            $crate::model::dtype::Dtype::I32 => $function::<i32>($($argument),*),
            $crate::model::dtype::Dtype::I64 => $function::<i64>($($argument),*),
            $crate::model::dtype::Dtype::U8 | $crate::model::dtype::Dtype::Bool => $function::<u8>($($argument),*),
            $crate::model::dtype::Dtype::U16 => $function::<u16>($($argument),*),
            $crate::model::dtype::Dtype::U32 => $function::<u32>($($argument),*),
            $crate::model::dtype::Dtype::U64 => $function::<u64>($($argument),*),
            other => $crate::ops::dtypes::unsupported("dtype", other, "integers and BOOL"),
        }
    };
}

/// Calls a function that is generic over a number, perhaps behind or before others, with the type of a dtype: a float, or the bits of
/// an integer, whose sign a `KeyOrder` or a `Reduction` knows.
macro_rules! dispatch_number {
    ($dtype:expr, $function:ident $(::<$other:ty>)? ($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::model::dtype::Dtype::F32 => $function::<$($other,)? f32>($($argument),*),
            $crate::model::dtype::Dtype::F64 => $function::<$($other,)? f64>($($argument),*),
            $crate::model::dtype::Dtype::I32 | $crate::model::dtype::Dtype::U32 => $function::<$($other,)? u32>($($argument),*),
            $crate::model::dtype::Dtype::I64 | $crate::model::dtype::Dtype::U64 => $function::<$($other,)? u64>($($argument),*),
            other => $crate::ops::dtypes::unsupported("dtype", other, $crate::ops::dtypes::FOUR_OR_EIGHT_BYTES),
        }
    };
}

/// Calls a function that is generic over two numbers.
macro_rules! dispatch_numbers {
    ($first:expr, $second:expr, $function:ident $arguments:tt) => {
        match $first {
            $crate::model::dtype::Dtype::F32 => dispatch_number!($second, $function::<f32> $arguments),
            $crate::model::dtype::Dtype::F64 => dispatch_number!($second, $function::<f64> $arguments),
            $crate::model::dtype::Dtype::I32 | $crate::model::dtype::Dtype::U32 => dispatch_number!($second, $function::<u32> $arguments),
            $crate::model::dtype::Dtype::I64 | $crate::model::dtype::Dtype::U64 => dispatch_number!($second, $function::<u64> $arguments),
            other => $crate::ops::dtypes::unsupported("dtype", other, $crate::ops::dtypes::FOUR_OR_EIGHT_BYTES),
        }
    };
}

/// Calls a function that is generic over an element that it only moves, perhaps behind another type, with the bits of a dtype.
macro_rules! dispatch_size {
    ($dtype:expr, $function:ident $(::<$other:ty>)? ($($argument:expr),* $(,)?)) => {
        match $dtype.size() {
            4 => $function::<$($other,)? u32>($($argument),*),
            8 => $function::<$($other,)? u64>($($argument),*),
            _ => $crate::ops::dtypes::unsupported("dtype", $dtype, $crate::ops::dtypes::FOUR_OR_EIGHT_BYTES),
        }
    };
}

/// Calls a function that is generic over an element of 1, 2, 4 or 8 bytes that it only moves.
macro_rules! dispatch_bits {
    ($dtype:expr, $function:ident ($($argument:expr),* $(,)?)) => {
        match $dtype.size() {
            1 => $function::<u8>($($argument),*),
            2 => $function::<u16>($($argument),*),
            4 => $function::<u32>($($argument),*),
            _ => $function::<u64>($($argument),*),
        }
    };
}

/// Calls a function that is generic over an element of 1, 2, 4 or 8 bytes that it only moves, and an index.
macro_rules! dispatch_bits_and_size {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype.size() {
            1 => dispatch_size!($index, $function::<u8> $arguments),
            2 => dispatch_size!($index, $function::<u16> $arguments),
            4 => dispatch_size!($index, $function::<u32> $arguments),
            _ => dispatch_size!($index, $function::<u64> $arguments),
        }
    };
}

/// Calls a function that is generic over a number and an element that it only moves, or an index.
macro_rules! dispatch_number_and_size {
    ($dtype:expr, $other:expr, $function:ident $arguments:tt) => {
        match $dtype {
            $crate::model::dtype::Dtype::F32 => dispatch_size!($other, $function::<f32> $arguments),
            $crate::model::dtype::Dtype::F64 => dispatch_size!($other, $function::<f64> $arguments),
            $crate::model::dtype::Dtype::I32 | $crate::model::dtype::Dtype::U32 => dispatch_size!($other, $function::<u32> $arguments),
            $crate::model::dtype::Dtype::I64 | $crate::model::dtype::Dtype::U64 => dispatch_size!($other, $function::<u64> $arguments),
            other => $crate::ops::dtypes::unsupported("dtype", other, $crate::ops::dtypes::FOUR_OR_EIGHT_BYTES),
        }
    };
}

/// Calls a function that is generic over an element that it only moves, and an index.
macro_rules! dispatch_sizes {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype.size() {
            4 => dispatch_size!($index, $function::<u32> $arguments),
            8 => dispatch_size!($index, $function::<u64> $arguments),
            _ => $crate::ops::dtypes::unsupported("dtype", $dtype, $crate::ops::dtypes::FOUR_OR_EIGHT_BYTES),
        }
    };
}
