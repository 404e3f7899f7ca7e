//! How elements are lanes: the dtype in which an operation combines, stored in 4 or 8 bytes.
#![forbid(unsafe_code)]

use crate::cpu::map::pool::Pooled;
use crate::model::dtype::Element;
use crate::model::expression::lane::Lane;
use crate::model::expression::program::Type;

/// A dtype as the element that is stored and the lane that is computed.
pub trait Form: Send + Sync + 'static {
    type Stored: Element;
    type Lane: Pooled;
    const TYPE: Type = <Self::Lane as Lane>::TYPE;
    fn lane(stored: Self::Stored) -> Self::Lane;
    fn stored(lane: Self::Lane) -> Self::Stored;
    fn from_bits(bits: u64) -> Self::Stored;
}

macro_rules! forms {
    ($($(#[$text:meta])* $form:ident: $stored:ty, $lane:ty, $from:expr, $bits:ty;)*) => {$(
        $(#[$text])*
        pub struct $form;

        impl Form for $form {
            type Stored = $stored;
            type Lane = $lane;
            #[inline(always)]
            fn lane(stored: $stored) -> $lane {
                stored as $lane
            }
            #[inline(always)]
            fn stored(lane: $lane) -> $stored {
                lane as $stored
            }
            fn from_bits(bits: u64) -> $stored {
                $from(bits as $bits)
            }
        }
    )*};
}

forms! {
    /// I32, and integers of 1 and 2 bytes as they are computed.
    OfI32: u32, i32, u32::from, u32;
    OfU32: u32, i64, u32::from, u32;
    OfI64: u64, i64, u64::from, u64;
    OfU64: u64, u64, u64::from, u64;
    OfF32: f32, f32, f32::from_bits, u32;
    OfF64: f64, f64, f64::from_bits, u64;
}

/// Calls a function that is generic over a form with that of a dtype, which is no float of 16 bits.
macro_rules! dispatch_form {
    ($dtype:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        use $crate::cpu::functor::form::*;
        use $crate::model::dtype::Dtype;
        match $dtype {
            Dtype::F32 => $function::<OfF32>($($argument),*),
            Dtype::F64 => $function::<OfF64>($($argument),*),
            Dtype::I64 => $function::<OfI64>($($argument),*),
            Dtype::U64 => $function::<OfU64>($($argument),*),
            Dtype::U32 => $function::<OfU32>($($argument),*),
            _ => $function::<OfI32>($($argument),*),
        }
    }};
}

pub(crate) use dispatch_form;
