//! Random expressions of random inputs: the library agrees with the oracle bit by bit.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;

use super::arrays::{Array, DTYPES, Number, mapped, natural};
use super::oracle::{cast, value};
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

pub fn tree(random: &mut impl Rng, depth: u32, inputs: usize) -> Tree {
    if depth == 0 || random.random_range(0..6) == 0 {
        return match random.random_range(0..8) {
            0 => Tree::Whole(random.random_range(0..1000)),
            1 => Tree::Fraction(f64::from(random.random_range(0..64u32)) / 8.0 + 0.0625),
            2 => Tree::Logical(random.random()),
            _ => Tree::Input(random.random_range(0..inputs)),
        };
    }
    let mut argument = || tree(random, depth - 1, inputs);
    let arguments = [argument(), argument(), argument()];
    match random.random_range(0..12) {
        0..2 => Tree::Call(UNARY[random.random_range(0..UNARY.len())], arguments[..1].to_vec()),
        2 => Tree::Call(CASTS[random.random_range(0..CASTS.len())].0, arguments[..1].to_vec()),
        3 => Tree::Call("select", arguments.to_vec()),
        _ => Tree::Call(BINARY[random.random_range(0..BINARY.len())], arguments[..2].to_vec()),
    }
}

/// Small numbers, and those at the ends of the type; integers of 64 bits are within what a double holds.
pub fn numbers(random: &mut impl Rng, dtype: Dtype, count: usize) -> Array {
    let Some(range) = dtype.integers() else {
        let special = [f64::NAN, f64::INFINITY, -0.0, 0.0, 1e30, -2.5, 0.5, 3e-40];
        let number = |_| match random.random_range(0..6) {
            0 => special[random.random_range(0..special.len())],
            _ => f64::from(random.random_range(-4000..4000i32)) / 16.0,
        };
        return Array::floats(dtype, (0..count).map(number).collect::<Vec<_>>());
    };
    let (low, high) = range.into_inner();
    let (low, high) = (low.max(-(1 << 40)), high.min(1 << 40));
    let number = |_| match random.random_range(0..4) {
        0 => [low, high, 0, 1.min(high)][random.random_range(0..4)],
        _ => random.random_range(low.max(-100)..=high.min(100)),
    };
    Array::ints(dtype, (0..count).map(number).collect::<Vec<_>>())
}

/// Whether the oracle had an answer for all elements, and the library the same.
fn agrees(contexts: &[Context], rules: Rules, tree: &Tree, inputs: &[Array], to: Option<Dtype>) -> bool {
    let count = inputs[0].numbers.len();
    let element = |i: usize| -> Vec<(Dtype, Number)> {
        inputs.iter().map(|input| (input.dtype, input.numbers[i])).collect()
    };
    let want: Option<Vec<_>> = (0..count).map(|i| value(rules, tree, &element(i))).collect();
    let Some(want) = want else { return false };
    if want[0].is_literal {
        return false;
    }
    let dtypes: Vec<Dtype> = inputs.iter().map(|input| input.dtype).collect();
    let text = tree.text();
    assert_eq!(
        natural(rules, &text, &dtypes),
        Ok(want[0].dtype),
        "{rules:?}: {text} of {dtypes:?}: {}",
        last_error()
    );
    let to = to.unwrap_or(want[0].dtype);
    for ctx in contexts {
        let got = mapped(ctx, None, rules, &text, inputs, to);
        for (i, (got, &want)) in got.into_iter().zip(&want).enumerate() {
            let want = cast(rules, to, want).number;
            assert!(
                got.is(want),
                "{:?}, {rules:?}: {text} as {to:?}, element {i} of {:?}: {got:?} instead of {want:?}",
                ctx.backend,
                element(i)
            );
        }
    }
    true
}

fn random_expressions_agree(rules: Rules, trees: u64) {
    let (contexts, mut agreed) = (backends(), 0);
    for seed in 0..trees {
        let mut random = random(seed);
        let inputs: Vec<Array> = (0..random.random_range(1..4))
            .map(|_| DTYPES[random.random_range(0..DTYPES.len())])
            .collect::<Vec<_>>()
            .into_iter()
            .map(|dtype| numbers(&mut random, dtype, 40))
            .collect();
        let depth = random.random_range(1..5);
        let tree = tree(&mut random, depth, inputs.len());
        let to = random.random_bool(0.3).then(|| DTYPES[random.random_range(0..DTYPES.len())]);
        agreed += u64::from(agrees(&contexts, rules, &tree, &inputs, to));
    }
    assert!(agreed > trees / 5, "{agreed} of {trees} expressions had an answer");
}

const SMALL_UNARY: [&str; 5] = ["not", "sign", "abs", "uint8", "logical"];
const SMALL_BINARY: [&str; 17] = [
    "plus", "minus", "times", "min", "max", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "bitand",
    "bitor", "mod",
];

/// Of operations whose results are small where their operands are.
pub fn small_tree(random: &mut impl Rng, depth: u32, inputs: usize) -> Tree {
    if depth == 0 || random.random_range(0..8) == 0 {
        return match random.random_range(0..6) {
            0 => Tree::Whole([0, 1, 2, 3, 4, 16, 127, 128, 200, 255][random.random_range(0..10)]),
            1 => Tree::Logical(random.random()),
            _ => Tree::Input(random.random_range(0..inputs)),
        };
    }
    let mut argument = || small_tree(random, depth - 1, inputs);
    let arguments = [argument(), argument(), argument()];
    match random.random_range(0..10) {
        0..2 => Tree::Call(SMALL_UNARY[random.random_range(0..SMALL_UNARY.len())], arguments[..1].to_vec()),
        2 => Tree::Call("select", arguments.to_vec()),
        _ => Tree::Call(SMALL_BINARY[random.random_range(0..SMALL_BINARY.len())], arguments[..2].to_vec()),
    }
}

/// Programs whose values fit in bytes are computed in bytes: as many as not here.
#[test]
fn random_expressions_of_bytes_are_those_of_the_oracle() {
    let (contexts, mut agreed) = (backends(), 0);
    for seed in 0..6000 {
        let mut random = random(seed);
        let dtypes = [Dtype::Bool, Dtype::Bool, Dtype::U8];
        let inputs: Vec<Array> = (0..random.random_range(1..4))
            .map(|_| dtypes[random.random_range(0..dtypes.len())])
            .collect::<Vec<_>>()
            .into_iter()
            .map(|dtype| numbers(&mut random, dtype, 40))
            .collect();
        let depth = random.random_range(1..5);
        let tree = small_tree(&mut random, depth, inputs.len());
        let to = random.random_bool(0.3).then(|| DTYPES[random.random_range(0..DTYPES.len())]);
        let rules = if random.random() { Rules::C } else { Rules::Matlab };
        agreed += u64::from(agrees(&contexts, rules, &tree, &inputs, to));
    }
    assert!(agreed > 3000, "{agreed} expressions had an answer");
}

#[test]
fn random_expressions_are_those_of_the_oracle_by_rules_of_c() {
    random_expressions_agree(Rules::C, 6000);
}

#[test]
fn random_expressions_are_those_of_the_oracle_by_rules_of_matlab() {
    random_expressions_agree(Rules::Matlab, 6000);
}
