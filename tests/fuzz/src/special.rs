//! What the header's texts do not say in words that a program can read. Each entry states why it is here.

use crate::expression::Expression;
use crate::header::Function;
use crate::number::{dtype_size, is_complex};
use crate::roles::{Array, Contents, Element, Shape};

/// The header allows 4096 host threads. A pool of threads lives as long as the process: few of them are enough here.
pub const MOST_THREADS: i64 = 5;

/// Sizes that multiply the cost of each element of two others: few are enough, but for some calls.
pub fn few(function: &str, name: &str) -> Option<u64> {
    (function.ends_with("raytrace") && name == "count").then_some(12)
}

/// Arrays whose shape is more than a formula.
pub fn array(name: &str, function: &Function) -> Option<Array> {
    let (shape, element, output, optional) = match (function.name.as_str(), name) {
        // Leading dimensions, strides and transposition: in the documentation of gpumex_matmul_options. The communicators have one rank.
        ("gpumex_matmul" | "gpumex_comm_matmul", "a") => {
            (Shape::Matrix('a'), Element::Dtype("dtype".into()), false, true)
        }
        ("gpumex_matmul" | "gpumex_comm_matmul", "b") => {
            (Shape::Matrix('b'), Element::Dtype("dtype".into()), false, true)
        }
        ("gpumex_matmul" | "gpumex_comm_matmul", "c") => (Shape::Matrix('c'), Element::OfC, true, false),
        // Two layouts, chosen by segments_by.
        ("gpumex_segmented_sort", "segments") => {
            (Shape::Elements(Expression::Name("segment_count".into())), Element::Segments, false, false)
        }
        // Three sizes, chosen by shape.
        ("gpumex_convolve", "result") => (Shape::Convolved, Element::Result, true, false),
        // All extents but one, or none of them.
        ("gpumex_map_reduce", "result") => (Shape::Reduced, Element::Accumulator, true, false),
        ("gpumex_map_reduce", "positions") => {
            (Shape::Reduced, Element::Dtype("index_dtype".into()), true, true)
        }
        // "as many as shape says"
        ("gpumex_map_scan", "result") => {
            (Shape::Product("shape".into(), None), Element::Accumulator, true, false)
        }
        // Made by gpumex_segments_prepare; the CPU backend needs no element of it.
        (_, "geometry") if function.name != "gpumex_segments_prepare" => {
            (Shape::Elements(Expression::Number(1)), Element::Fixed("uint64_t"), false, true)
        }
        _ => return None,
    };
    let contents = if name == "segments" { Contents::Ascending } else { Contents::Any };
    let range = (name == "segments").then(|| "count".to_owned());
    Some(Array {
        shape,
        element,
        output,
        receives: name == "result",
        optional,
        may_be: None,
        contents,
        range,
        values_only: false,
    })
}

/// Fields whose value 0 stands for another number in a formula: "4 (or 0)", "0 is 1".
pub fn zero_stands_for(text: &str) -> u64 {
    let number = |text: &str| {
        text.split(|next: char| !next.is_ascii_digit()).next().and_then(|word| word.parse().ok())
    };
    if let Some((front, _)) = text.split_once(" (or 0)") {
        return number(front).unwrap_or(0);
    }
    text.split("0 is ").nth(1).and_then(number).unwrap_or(0)
}

/// The dtype of results where accumulator_dtype is not set: that of the elements, but for some reductions of gpumex_reduce_dim and
/// gpumex_map_reduce.
pub fn natural_accumulator(function: &str, op: u64, dtype: u8) -> u8 {
    const F32: u8 = 1;
    const F64: u8 = 2;
    const I32: u8 = 7;
    const I64: u8 = 8;
    const U64: u8 = 12;
    const BOOL: u8 = 13;
    match (function, op) {
        ("gpumex_convolve", _) if dtype != F32 && dtype != F64 => {
            if dtype_size(dtype) <= 2 {
                I32
            } else {
                I64
            }
        }
        ("gpumex_reduce_dim" | "gpumex_map_reduce", 4 | 5) => BOOL,
        ("gpumex_reduce_dim" | "gpumex_map_reduce", 6) => U64,
        ("gpumex_reduce_dim" | "gpumex_map_reduce", 7) if dtype != F32 && !is_complex(dtype) => F64,
        _ => dtype,
    }
}

/// The dtypes of results that a reduction or scan of gpumex_reduce_dim, gpumex_scan_dim, gpumex_map_reduce or gpumex_map_scan has beside
/// wider ones of its elements.
pub fn accumulators(function: &str, op: u64) -> Option<&'static [u64]> {
    if !function.ends_with("_dim") && !["gpumex_map_reduce", "gpumex_map_scan"].contains(&function) {
        return None;
    }
    Some(match op {
        0 | 1 => &[2],
        2..=5 => &[0],
        6 => &[0, 2, 11, 12],
        _ => &[0, 2],
    })
}

/// Settings of the process that a campaign must not change for later cases.
pub fn is_process_wide(function: &str) -> bool {
    matches!(function, "gpumex_set_log_callback")
}
