//! Random expressions of random neighbours agree with the oracle of gpumex_map bit by bit.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::stencil::Boundary;

use super::calls::{Grid, computed, natural};
use crate::common::*;
use crate::map::arrays::{Array, DTYPES, Number};
use crate::map::oracle::{cast, value};
use crate::map::random_trees::{numbers, small_tree, tree};
use crate::map::tree::Tree;

/// The input, rows and columns.
type Tap = (usize, i64, i64);

/// Whether the oracle had an answer for all elements, and the library the same.
fn agrees(
    contexts: &[Context],
    rules: Rules,
    tree: &Tree,
    taps: &[Tap],
    (grid, inputs): (&Grid, &[Array]),
    to: Option<Dtype>,
) -> bool {
    let elements = |at: usize| -> Vec<(Dtype, Number)> {
        let (row, col) = ((at / grid.cols) as i64, (at % grid.cols) as i64);
        let element = |&(input, y, x): &Tap| {
            let array: &Array = &inputs[input];
            (array.dtype, grid.element(array, row + y, col + x))
        };
        taps.iter().map(element).collect()
    };
    let want: Option<Vec<_>> =
        (0..grid.rows * grid.cols).map(|at| value(rules, tree, &elements(at))).collect();
    let Some(want) = want else { return false };
    if want[0].is_literal {
        return false;
    }
    let name = |tap: usize| {
        let (input, y, x) = taps[tap];
        format!("{}({y},{x})", char::from(b'a' + input as u8))
    };
    let (text, dtypes) = (tree.text_of(&name), inputs.iter().map(|input| input.dtype).collect::<Vec<_>>());
    assert_eq!(natural(rules, &text, &dtypes), Ok(want[0].dtype), "{rules:?}: {text} of {dtypes:?}");
    let to = to.unwrap_or(want[0].dtype);
    for ctx in contexts {
        let got = computed(ctx, (rules, &text), grid, inputs, to);
        for (at, (got, &want)) in got.into_iter().zip(&want).enumerate() {
            let want = cast(rules, to, want).number;
            assert!(
                got.is(want),
                "{:?}, {rules:?}: {text} as {to:?} of {grid:?}, at {at} of {:?}: {got:?} instead of {want:?}",
                ctx.backend,
                elements(at)
            );
        }
    }
    true
}

fn random_expressions_agree(count: u64, dtypes: &[Dtype], is_small: bool) {
    let (contexts, mut agreed) = (backends(), 0);
    for seed in 0..count {
        let mut random = random(seed);
        let [rows, cols] = [[3, 40], [11, 9], [1, 17], [20, 2]][random.random_range(0..4)];
        let boundary = Boundary::ALL[random.random_range(0..Boundary::ALL.len())];
        let grid = Grid { rows, cols, boundary, constant: 2.0 };
        let inputs: Vec<Array> = (0..random.random_range(1..4))
            .map(|_| dtypes[random.random_range(0..dtypes.len())])
            .collect::<Vec<_>>()
            .into_iter()
            .map(|dtype| numbers(&mut random, dtype, rows * cols))
            .collect();
        let taps: Vec<Tap> = (0..random.random_range(1..9))
            .map(|_| {
                (
                    random.random_range(0..inputs.len()),
                    random.random_range(-3..=3),
                    random.random_range(-3..=3),
                )
            })
            .collect();
        let depth = random.random_range(1..5);
        let tree = match is_small {
            true => small_tree(&mut random, depth, taps.len()),
            false => tree(&mut random, depth, taps.len()),
        };
        let to = random.random_bool(0.3).then(|| DTYPES[random.random_range(0..DTYPES.len())]);
        let rules = if random.random() { Rules::C } else { Rules::Matlab };
        agreed += u64::from(agrees(&contexts, rules, &tree, &taps, (&grid, &inputs), to));
    }
    assert!(agreed > count / 6, "{agreed} of {count} expressions had an answer");
}

#[test]
fn random_expressions_of_neighbours_are_those_of_the_oracle() {
    random_expressions_agree(2000, &DTYPES, false);
}

#[test]
fn random_expressions_in_bytes_are_those_of_the_oracle() {
    random_expressions_agree(3000, &[Dtype::Bool, Dtype::Bool, Dtype::U8], true);
}
