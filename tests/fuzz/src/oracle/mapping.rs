//! gpumex_map and gpumex_map_dtype by a loop over elements.

use super::View;
use super::formula::{Accuracy, Rules, Value, cast, element, to_half, value};
use super::language::{Node, Tap, parse};
use crate::case;
use crate::formula::names_of;
use crate::layout::{Layout, place};
use crate::number::{BOOL, F32, Number, decode, dtype_size, encode, is_complex, is_float, is_signed};

/// The expression of a call, as a tree, and its inputs.
fn tree(view: &View) -> Option<(Rules, Node, Vec<Tap>)> {
    let names = names_of(view.scope.text("names"), view.number("input_count"));
    let rules = if view.option("rules") == 1 { Rules::Matlab } else { Rules::C };
    let has_neighbours = view.scope.value("boundary").is_some();
    let (node, taps) = parse(view.scope.text("expression")?, &names, has_neighbours)?;
    Some((rules, node, taps))
}

fn dtypes(view: &View) -> Vec<u8> {
    let dtypes = view.scope.list("dtypes").unwrap_or_default();
    dtypes.into_iter().map(|number| u8::try_from(number).unwrap_or(0)).collect()
}

pub fn dtype(view: &View) -> Result<(), String> {
    let Some((rules, tree, taps)) = tree(view) else { return Ok(()) };
    let dtypes = dtypes(view);
    if taps.iter().any(|tap| is_complex(dtypes[tap.input])) {
        return Ok(()); // the language of the oracle is that of real numbers
    }
    let zeros: Vec<Value> = taps.iter().map(|tap| element(dtypes[tap.input], &[0; 8], 0)).collect();
    let Some(found) = value(rules, &tree, &zeros).filter(|found| !found.literal) else { return Ok(()) };
    view.expect("dtype", &i32::from(found.dtype).to_le_bytes())
}

pub fn map(view: &View) -> Result<(), String> {
    let (Some((rules, tree, _)), Some(case::Value::Arrays(items))) = (tree(view), view.scope.value("inputs"))
    else {
        return Ok(());
    };
    let dtypes = dtypes(view);
    let layout = Layout::of(&view.scope, "shape");
    let strides: Vec<_> = (0..items.len()).map(|item| layout.strides(&view.scope, "strides", item)).collect();
    let to = layout.strides(&view.scope, "result_strides", 0);
    let (Some(found), Some(before)) = (view.after("result"), view.before("result")) else { return Ok(()) };
    let inputs: Vec<&[u8]> = items.iter().map(|item| contents(view, item)).collect();
    let (dtype, size) = (view.dtype("result"), dtype_size(view.dtype("result")));
    let mut written = vec![false; found.len() / size.max(1)];
    for index in layout.indices() {
        let elements: Vec<Value> = inputs
            .iter()
            .zip(&strides)
            .zip(&dtypes)
            .map(|((bytes, strides), dtype)| {
                let at = place(&index, strides);
                let is_there = bytes.len() >= (at + 1) * dtype_size(*dtype);
                if is_there { element(*dtype, bytes, at) } else { element(*dtype, &[0; 8], 0) } // not read
            })
            .collect();
        let at = place(&index, &to);
        written[at] = true;
        let Some(want) = value(rules, &tree, &elements) else { continue };
        let want = if want.dtype == dtype { want } else { cast(rules, dtype, want) };
        let found = decode(dtype, found, at);
        if !agrees(dtype, found, want) {
            return Err(format!(
                "result is wrong: {index:?} is {found:?}, expected {want:?} of {elements:?}"
            ));
        }
    }
    let kept = |at: &usize| found[at * size..(at + 1) * size] == before[at * size..(at + 1) * size];
    match (0..written.len()).filter(|at| !written[*at]).find(|at| !kept(at)) {
        Some(at) => Err(format!("a gap of result was written: element {at}")),
        None => Ok(()),
    }
}

/// What a reduction or a scan goes through at most: the loops are slow.
const MOST: u128 = 1 << 13;

pub fn reduce(view: &View) -> Result<(), String> {
    along_a_dimension(view, super::dimensions::reduced)
}

pub fn scan(view: &View) -> Result<(), String> {
    along_a_dimension(view, super::dimensions::scanned)
}

/// Compares what is made of elements of a dtype with the result.
type Judge = fn(&View, u8, (usize, usize, usize), &[Number]) -> Result<(), String>;

/// Has the elements of an expression judged, where all of them are known exactly.
fn along_a_dimension(view: &View, judge: Judge) -> Result<(), String> {
    let (Some((rules, tree, _)), Some(case::Value::Arrays(items))) = (tree(view), view.scope.value("inputs"))
    else {
        return Ok(());
    };
    let (layout, dtypes) = (Layout::of(&view.scope, "shape"), dtypes(view));
    let dtype = view.option("dtype") as u8;
    if layout.extents.iter().product::<u128>() > MOST {
        return Ok(());
    }
    let inputs: Vec<_> = (0..items.len())
        .map(|item| {
            (contents(view, &items[item]), layout.strides(&view.scope, "strides", item), dtypes[item])
        })
        .collect();
    let mut elements = Vec::new();
    for index in layout.indices() {
        let of_input = |(bytes, strides, dtype): &(&[u8], Vec<u128>, u8)| {
            let at = place(&index, strides);
            let is_there = bytes.len() >= (at + 1) * dtype_size(*dtype);
            if is_there { element(*dtype, bytes, at) } else { element(*dtype, &[0; 8], 0) } // not read
        };
        let Some(want) = value(rules, &tree, &inputs.iter().map(of_input).collect::<Vec<_>>()) else {
            return Ok(());
        };
        let want = if want.dtype == dtype { want } else { cast(rules, dtype, want) };
        if want.accuracy != Accuracy::Exact {
            return Ok(());
        }
        elements.push(want.number);
    }
    let extents: Vec<usize> = layout.extents.iter().map(|&extent| extent as usize).collect();
    let dims = match view.number("dimension") {
        0 => (1, elements.len(), 1),
        dimension => {
            let product = |extents: &[usize]| extents.iter().copied().fold(1, usize::saturating_mul);
            (product(&extents[..dimension - 1]), extents[dimension - 1], product(&extents[dimension..]))
        }
    };
    judge(view, dtype, dims, &elements)
}

pub fn stencil(view: &View) -> Result<(), String> {
    let (Some((rules, tree, taps)), Some(case::Value::Arrays(items))) =
        (tree(view), view.scope.value("inputs"))
    else {
        return Ok(());
    };
    let (Some(found), dtypes) = (view.after("result"), dtypes(view)) else { return Ok(()) };
    let inputs: Vec<&[u8]> = items.iter().map(|item| contents(view, item)).collect();
    let (rows, cols) = (view.number("rows") as i64, view.number("cols") as i64);
    let constant = match view.scope.value("constant") {
        Some(case::Value::Double(number)) if view.option("boundary") == 5 => *number,
        _ => 0.0,
    };
    let outside: Vec<Value> = dtypes.iter().map(|dtype| outside(*dtype, constant)).collect();
    let dtype = view.dtype("result");
    for place in 0..rows * cols {
        let (y, x) = if view.option("order") == 1 {
            (place % rows, place / rows)
        } else {
            (place / cols, place % cols)
        };
        let tapped = |tap: &Tap| {
            let y = source(view.option("boundary"), y + tap.rows, rows);
            let x = source(view.option("boundary"), x + tap.cols, cols);
            let (Some(y), Some(x)) = (y, x) else { return outside[tap.input] };
            let at = if view.option("order") == 1 { y + rows * x } else { y * cols + x };
            let bytes = inputs[tap.input];
            match bytes.len() {
                0 => element(dtypes[tap.input], &[0; 8], 0), // not read
                _ => element(dtypes[tap.input], bytes, at as usize),
            }
        };
        let elements: Vec<Value> = taps.iter().map(tapped).collect();
        let Some(want) = value(rules, &tree, &elements) else { continue };
        let want = if want.dtype == dtype { want } else { cast(rules, dtype, want) };
        let found = decode(dtype, found, place as usize);
        if !agrees(dtype, found, want) {
            return Err(format!(
                "result is wrong: row {y}, column {x} is {found:?}, expected {want:?} of {elements:?}"
            ));
        }
    }
    Ok(())
}

/// The index of the element that stands for this one; `None`: the constant does.
pub fn source(boundary: u32, index: i64, extent: i64) -> Option<i64> {
    if (0..extent).contains(&index) {
        return Some(index);
    }
    let mut index = index;
    match boundary {
        0 => return Some(index.clamp(0, extent - 1)),
        2 => return Some(index.rem_euclid(extent)),
        3 | 4 => {}
        _ => return None,
    }
    // Mirrored at one edge and the other, until it is inside.
    let edge = i64::from(boundary == 3);
    while !(0..extent).contains(&index) {
        if extent == 1 {
            return Some(0);
        }
        index = if index < 0 { -index - edge } else { 2 * (extent - 1) - index + edge };
    }
    Some(index)
}

/// What lies outside, as an element.
pub fn outside(dtype: u8, constant: f64) -> Value {
    let mut bytes = Vec::new();
    match dtype {
        BOOL => bytes.push(u8::from(constant != 0.0)),
        3 | 4 => bytes.extend(to_half(dtype, f64::from(constant as f32)).to_le_bytes()),
        _ if is_float(dtype) => encode(dtype, Number::Float(constant), &mut bytes),
        _ => {
            let bits = 8 * dtype_size(dtype) as u32;
            let (least, most) = match is_signed(dtype) {
                true => (-(1i128 << (bits - 1)), (1 << (bits - 1)) - 1),
                false => (0, (1i128 << bits) - 1),
            };
            encode(dtype, Number::Int((constant.round() as i128).clamp(least, most)), &mut bytes);
        }
    }
    element(dtype, &bytes, 0)
}

/// The bytes of one of several arrays before the call.
pub fn contents<'a>(view: &'a View, item: &'a case::Value) -> &'a [u8] {
    match item {
        case::Value::Array(buffer) => &buffer.bytes,
        case::Value::Alias(other, offset, length) => match &view.case.values[*other] {
            case::Value::Array(buffer) => buffer.bytes.get(*offset..*offset + *length).unwrap_or_default(),
            _ => &[],
        },
        _ => &[],
    }
}

fn agrees(dtype: u8, found: Number, want: Value) -> bool {
    if !is_float(dtype) && !matches!(dtype, 3 | 4) {
        return want.accuracy != Accuracy::Exact || found == want.number;
    }
    let expected = want.number.float();
    if matches!(dtype, 3 | 4) {
        let nan = |bits: u16| bits & 0x7fff > if dtype == 3 { 0x7c00 } else { 0x7f80 };
        let (bits, expected) = (found.int() as u16, to_half(dtype, expected));
        return want.accuracy != Accuracy::Exact || bits == expected || nan(bits) && nan(expected);
    }
    let found = found.float();
    if found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan() {
        return true;
    }
    let Accuracy::Within(units, of) = want.accuracy else { return false };
    let (epsilon, least, most) = match dtype == F32 || of == F32 {
        true => (f64::from(f32::EPSILON), f64::from(f32::from_bits(1)), f64::from(f32::MAX)),
        false => (f64::EPSILON, f64::from_bits(1), f64::MAX),
    };
    let units = f64::from(units + 1);
    let near_most =
        expected.abs() > most * (1.0 - units * epsilon) && found.abs() > most * (1.0 - units * epsilon);
    (found - expected).abs() <= units * (epsilon * expected.abs() + least) || near_most
}
