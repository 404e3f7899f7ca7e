//! Each operation of each pair of types, on the numbers at their ends.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;

use super::arrays::{Array, DTYPES, mapped, natural};
use super::oracle::value;
use super::tree::{CASTS, Tree};
use crate::common::*;

const UNARY: [&str; 13] = [
    "uminus", "uplus", "abs", "sign", "floor", "ceil", "round", "fix", "sqrt", "not", "isnan", "isinf",
    "isfinite",
];
const BINARY: [&str; 20] = [
    "plus", "minus", "times", "rdivide", "min", "max", "mod", "rem", "eq", "ne", "lt", "le", "gt", "ge",
    "and", "or", "xor", "bitand", "bitor", "bitxor",
];

/// The ends of a type, and what is about 0.
fn corners(dtype: Dtype) -> Array {
    match dtype.integers() {
        None => {
            Array::floats(dtype, [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.75, f64::NAN, f64::INFINITY, -1e30, 7.0])
        }
        Some(range) => {
            let (low, high) = range.into_inner();
            let all = [0, 1, 2, 3, 7, low, low + 1, high, high - 1, -1, -3];
            Array::ints(dtype, all.map(|value| value.clamp(low, high)))
        }
    }
}

/// Every number of one array with every number of the other.
fn pairs(x: &Array, y: &Array) -> [Array; 2] {
    let (rows, cols) = (y.numbers.len(), x.numbers.len());
    let first = (0..rows * cols).map(|i| x.numbers[i % cols]).collect();
    let second = (0..rows * cols).map(|i| y.numbers[i / cols]).collect();
    [Array { dtype: x.dtype, numbers: first }, Array { dtype: y.dtype, numbers: second }]
}

/// Whether the oracle has an answer, and the library the same.
fn agrees(contexts: &[Context], rules: Rules, tree: &Tree, inputs: &[Array]) -> bool {
    let element =
        |i: usize| -> Vec<_> { inputs.iter().map(|input| (input.dtype, input.numbers[i])).collect() };
    let want: Option<Vec<_>> =
        (0..inputs[0].numbers.len()).map(|i| value(rules, tree, &element(i))).collect();
    let Some(want) = want else { return false };
    let (text, dtype) = (tree.text(), want[0].dtype);
    let dtypes: Vec<Dtype> = inputs.iter().map(|input| input.dtype).collect();
    assert_eq!(
        natural(rules, &text, &dtypes),
        Ok(dtype),
        "{rules:?}: {text} of {dtypes:?}: {}",
        last_error()
    );
    for ctx in contexts {
        let got = mapped(ctx, None, rules, &text, inputs, dtype);
        for (i, (got, want)) in got.into_iter().zip(&want).enumerate() {
            let (number, inputs) = (want.number, element(i));
            assert!(got.is(number), "{rules:?}: {text} of {inputs:?}: {got:?} instead of {number:?}");
        }
    }
    true
}

fn every_operation(rules: Rules) {
    let (contexts, mut agreed) = (backends(), 0);
    for dtype in DTYPES {
        let x = [corners(dtype)];
        for name in UNARY.into_iter().chain(CASTS.map(|(name, _)| name)) {
            let tree = Tree::Call(name, vec![Tree::Input(0)]);
            agreed += usize::from(agrees(&contexts, rules, &tree, &x));
        }
        for other in DTYPES {
            let inputs = pairs(&x[0], &corners(other));
            for name in BINARY {
                let tree = Tree::Call(name, vec![Tree::Input(0), Tree::Input(1)]);
                agreed += usize::from(agrees(&contexts, rules, &tree, &inputs));
            }
            let condition = Tree::Call("lt", vec![Tree::Input(0), Tree::Input(1)]);
            let tree = Tree::Call("select", vec![condition, Tree::Input(1), Tree::Input(0)]);
            agreed += usize::from(agrees(&contexts, rules, &tree, &inputs));
        }
    }
    assert!(agreed > 1300, "{agreed} operations had an answer");
}

#[test]
fn every_operation_of_every_two_types_is_that_of_the_oracle_by_rules_of_c() {
    every_operation(Rules::C);
}

#[test]
fn every_operation_of_every_two_types_is_that_of_the_oracle_by_rules_of_matlab() {
    every_operation(Rules::Matlab);
}
