//! Random expressions of arrays that lie in every way, and what they are reduced to.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::DimReduction;

use super::calls::Problem;
use crate::common::*;
use crate::map::arrays::{Array, DTYPES, natural};
use crate::map::random_trees::{numbers, small_tree, tree};

/// Strides of an input that is dense, repeated along some dimensions, transposed, or has gaps; and how far they reach.
fn strides(random: &mut impl Rng, shape: &[usize]) -> (Vec<i64>, usize) {
    let kind = random.random_range(0..5);
    let mut order: Vec<usize> = (0..shape.len()).collect();
    if kind == 2 {
        order.reverse();
    }
    let (mut strides, mut stride) = (vec![0; shape.len()], 1);
    if kind == 3 {
        stride = random.random_range(2..4);
    }
    for at in order {
        if kind == 1 && random.random() || kind == 4 {
            continue;
        }
        strides[at] = stride as i64;
        stride *= shape[at].max(1);
    }
    let last =
        shape.iter().zip(&strides).map(|(&extent, &stride)| extent.saturating_sub(1) * stride as usize);
    let span = if shape.contains(&0) { 0 } else { last.sum::<usize>() + 1 };
    (strides, span)
}

/// The reductions that a dtype has, with each dtype of results.
pub fn reductions(rules: Rules, dtype: Dtype) -> Vec<(DimReduction, Dtype)> {
    let served = |&(op, to): &(DimReduction, Dtype)| {
        let is_sum = matches!(op, DimReduction::Sum | DimReduction::Product);
        op.result_dtype(dtype, to)
            .is_ok_and(|to| rules == Rules::C || !is_sum || to.is_float() || to.holds(dtype))
    };
    let all = DimReduction::ALL.iter().flat_map(|&op| Dtype::ALL.iter().map(move |&to| (op, to)));
    all.filter(served).collect()
}

/// An expression of one of these shapes; None where no rule gives it a type. Small ones are computed in bytes.
pub fn random_problem(random: &mut impl Rng, shapes: &[&[usize]], is_small: bool) -> Option<Problem> {
    let shape = shapes[random.random_range(0..shapes.len())].to_vec();
    let rules = if random.random() { Rules::C } else { Rules::Matlab };
    let dtypes: &[Dtype] = if is_small { &[Dtype::Bool, Dtype::U8] } else { &DTYPES };
    let (mut inputs, mut all) = (Vec::new(), Vec::new());
    for _ in 0..random.random_range(1..4) {
        let (strides, span) = strides(random, &shape);
        let dtype = dtypes[random.random_range(0..dtypes.len())];
        inputs.push(numbers(random, dtype, span));
        all.extend(strides);
    }
    let depth = random.random_range(0..4);
    let tree = match is_small {
        true => small_tree(random, depth, inputs.len()),
        false => tree(random, depth, inputs.len()),
    };
    let (text, of): (_, Vec<Dtype>) = (tree.text(), inputs.iter().map(|input| input.dtype).collect());
    let natural = natural(rules, &text, &of).ok()?;
    let dtype = if random.random_bool(0.7) { natural } else { DTYPES[random.random_range(0..DTYPES.len())] };
    Some(Problem { text, rules, dtype, shape, inputs, strides: all })
}

/// Floats of no special value, so that sums have the bound's meaning.
pub fn floats(seed: u64, dtype: Dtype, count: usize) -> Array {
    let mut random = random(seed);
    Array::floats(dtype, (0..count).map(|_| random.random_range(-1.5..1.5)))
}
