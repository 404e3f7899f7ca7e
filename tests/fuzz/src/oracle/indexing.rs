//! N-D indexing, indexed assignment and permutation of dimensions by loops over elements.

use super::View;
use crate::case::Value;
use crate::number::{BOOL, Number, decode_all, dtype_size};

/// Where the elements that are taken of a dimension are; `None`: nowhere.
type Places = Vec<Option<u128>>;

/// The places of all dimensions, and whether all indices are in range, with as many set elements of masks as there are counts.
fn places(view: &View) -> Option<(Vec<Places>, bool)> {
    let (extents, counts) = (view.scope.extents_of("shape")?, view.scope.extents_of("counts")?);
    let rank = extents.len();
    let numbers = |name: &str, default: i64| view.scope.list(name).unwrap_or(vec![default; rank]);
    let (starts, steps, wraps) = (numbers("starts", 0), numbers("steps", 1), numbers("wraps", 0));
    let vectors = match view.scope.value("indices") {
        Some(Value::Arrays(items)) => items.as_slice(),
        _ => &[],
    };
    let mut are_good = true;
    let mut place = |d: usize| {
        let (extent, start) = (extents[d] as i128, i128::from(starts[d]));
        let places: Places = match vectors.get(d) {
            Some(Value::Array(buffer)) if buffer.dtype == BOOL => {
                let set = |at: &usize| buffer.bytes[*at] != 0;
                let set: Places = (0..buffer.bytes.len()).filter(set).map(|at| Some(at as u128)).collect();
                are_good &= set.len() as u128 == counts[d];
                let nowhere = std::iter::repeat(None);
                set.into_iter().chain(nowhere).take(counts[d] as usize).collect()
            }
            Some(Value::Array(buffer)) => {
                let in_range = |place: i128| (0..extent).contains(&place).then_some(place as u128);
                let place = |number: Number| match number {
                    Number::Int(number) => in_range(number + start),
                    Number::Float(number) if number.fract() == 0.0 && number.abs() < 1e30 => {
                        in_range(number as i128 + start)
                    }
                    Number::Float(_) => None,
                };
                decode_all(buffer.dtype, &buffer.bytes).into_iter().map(place).collect()
            }
            _ => {
                let place = |i: i128| start + i128::from(steps[d]) * i;
                let within = |place: i128| match wraps[d] {
                    1 => place.checked_rem_euclid(extent).map(|place| place as u128),
                    _ => u128::try_from(place).ok(),
                };
                (0..counts[d] as i128).map(|i| within(place(i))).collect()
            }
        };
        are_good &= places.len() as u128 == counts[d] && places.iter().all(Option::is_some);
        places
    };
    let places = (0..rank).map(&mut place).collect();
    Some((places, are_good))
}

/// The place in the indexed array of each element of the dense one, the first dimension fastest.
fn walk(view: &View) -> Option<(Places, bool)> {
    let (places, are_good) = places(view)?;
    let (mut found, mut stride) = (vec![Some(0)], 1u128);
    for (places, extent) in places.iter().zip(view.scope.extents_of("shape")?) {
        let mut next = Places::new();
        for place in places {
            let sum = |before: &Option<u128>| Some((*before)? + (*place)? * stride);
            next.extend(found.iter().map(sum));
        }
        (found, stride) = (next, stride * extent);
    }
    let are_good = are_good || found.is_empty();
    Some((found, are_good))
}

pub fn gather(view: &View) -> Result<(), String> {
    let Some((places, are_good)) = walk(view) else { return Ok(()) };
    if view.option("check") == 1 && !are_good {
        return Err("not refused: an index is out of range".into());
    }
    let source = view.elements("source");
    let zero = vec![0u8; dtype_size(view.dtype("result"))];
    let element = |place: Option<u128>| place.map_or(zero.as_slice(), |place| source[place as usize]);
    view.expect("result", &places.into_iter().map(element).collect::<Vec<_>>().concat())
}

/// Whether elements go to one place, of which any may win.
pub fn may_differ(view: &View) -> bool {
    let Some((places, _)) = walk(view).filter(|_| view.option("last") == 0) else { return false };
    let mut places: Vec<u128> = places.into_iter().flatten().collect();
    places.sort_unstable();
    view.option("broadcast") == 0 && places.windows(2).any(|pair| pair[0] == pair[1])
}

pub fn scatter(view: &View) -> Result<(), String> {
    let Some((places, are_good)) = walk(view) else { return Ok(()) };
    if view.option("check") == 1 && !are_good {
        return Err("not refused: an index is out of range".into());
    }
    if may_differ(view) && view.option("variant") != 1 {
        return Ok(());
    }
    let (values, mut target) = (view.elements("values"), view.elements("target"));
    for (number, place) in places.into_iter().enumerate() {
        let number = if view.option("broadcast") == 1 { 0 } else { number };
        if let Some(place) = place {
            target[place as usize] = values[number];
        }
    }
    view.expect("target", &target.concat())
}

pub fn permute(view: &View) -> Result<(), String> {
    let (Some(extents), Some(order)) = (view.scope.extents_of("shape"), view.scope.list("order")) else {
        return Ok(());
    };
    let (mut places, source) = (vec![0u128], view.elements("source"));
    for dimension in order {
        let dimension = dimension as usize;
        let stride: u128 = extents[..dimension].iter().product();
        let mut next = Vec::new();
        for index in 0..extents[dimension] {
            next.extend(places.iter().map(|place| place + index * stride));
        }
        places = next;
    }
    let elements: Vec<&[u8]> = places.into_iter().map(|place| source[place as usize]).collect();
    view.expect("result", &elements.concat())
}
