//! Products of complex numbers along a dimension: each half is multiplied by the other one, element by element, until one is left.
#![forbid(unsafe_code)]

use super::map::evaluate;
use super::workspace::Workspace;
use crate::array::{DynView, DynViewMut};
use crate::context::Engine;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::expression::Layout;
use crate::model::reduction::DimShape;
use crate::model::variant::Variant;

/// result\[i, k\] ← the product of data\[i, 0 … count − 1, k\], of arrays that were checked.
///
/// Cost: reads data once, and its half again, twice as much as that is written. |error| ≤ 3·count·u·|product|.
pub(super) fn product(
    engine: &Engine,
    variant: Variant,
    data: DynView,
    shape: DimShape,
    result: DynViewMut,
) -> Result<()> {
    engine.select(variant)?;
    let DimShape { inner, count, outer } = shape;
    let to = result.dtype();
    if result.is_empty() {
        return Ok(());
    }
    if count < 2 {
        let text = if count == 0 { "complex (1, 0)" } else { "a" };
        let inputs = if count == 0 { None } else { Some(data) };
        let walk = Layout::new(&[result.len()], inputs.iter().count(), None, None)?;
        return evaluate(engine, variant, text, &walk, inputs.as_slice(), result);
    }
    let (mut source, mut left): (Option<Workspace>, usize) = (None, count);
    loop {
        let (shape, halved) = (DimShape { inner, count: left, outer }, left.div_ceil(2));
        let from = match &source {
            None => data,
            Some(source) => source.view()?,
        };
        if halved == 1 {
            return half(engine, variant, from, shape, result);
        }
        let mut target = Workspace::new(engine, to, inner * halved * outer)?;
        half(engine, variant, from, shape, target.view_mut()?)?;
        (source, left) = (Some(target), halved);
    }
}

/// to\[i, j, k\] ← from\[i, j, k\]·from\[i, j + ⌈count/2⌉, k\]; an element in the middle is copied.
fn half(
    engine: &Engine,
    variant: Variant,
    from: DynView,
    DimShape { inner, count, outer }: DimShape,
    mut to: DynViewMut,
) -> Result<()> {
    let (left, pairs) = (count.div_ceil(2), count / 2);
    let signed = |strides: [usize; 3]| strides.map(|stride| stride as i64); // of extents within an array
    let (of_from, of_to) = (signed([1, inner, inner * count]), signed([1, inner, inner * left]));
    let walk = Layout::new(&[inner, pairs, outer], 2, Some(&[of_from, of_from].concat()), Some(&of_to))?;
    let span = walk.span(&walk.result).unwrap_or(0);
    let inputs = [from, from.part(left * inner, from.len() - left * inner)];
    let text = if to.dtype() == Dtype::C128 { "complex128 (a) * complex128 (b)" } else { "a * b" };
    evaluate(engine, variant, text, &walk, &inputs, to.reborrow().part(0, span))?;
    if left == pairs {
        return Ok(());
    }
    let walk = Layout::new(&[inner, outer], 1, Some(&[1, of_from[2]]), Some(&[1, of_to[2]]))?;
    let span = walk.span(&walk.result).unwrap_or(0);
    let middle = from.part(pairs * inner, from.len() - pairs * inner);
    evaluate(engine, variant, "a", &walk, &[middle], to.part(pairs * inner, span))
}
