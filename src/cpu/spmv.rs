//! The product of a sparse matrix in rows with a vector on the CPU, over any semiring.
//!
//!   y\[r\] = ⊕ values\[k\] ⊗ x\[columns\[k\]]  over the nonzeros k of row r
//!
//! Algorithm  segments.rs: equal shares of rows and nonzeros, carries between them. Sums of products have a loop of their own. Of other
//!            operators products are formed a few at a time, so that ⊕ and ⊗ are each chosen once for many.
//! Cost       Reads values and columns once, gathers x.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::Workers;
use super::reduce::{dispatch_operator, operator};
use super::segments;
use crate::error::Result;
use crate::interrupt::{Polls, in_pieces};
use crate::model::index::Index;
use crate::model::operator::{Operand, Reduction};

const BATCH: usize = 64;

/// The matrix and the vector. Nonzeros in columns that x does not have add nothing.
pub struct Factors<'a, T, I> {
    pub add: Reduction,
    pub multiply: Reduction,
    /// None: x alone.
    pub values: Option<&'a [T]>,
    pub columns: &'a [I],
    pub offsets: &'a [I],
    pub sources: Option<&'a [I]>,
    pub x: &'a [T],
}

/// y ← the product, on all cores.
pub fn spmv<T: Operand, I: Index>(workers: &Workers, factors: Factors<T, I>, y: &mut [T]) -> Result<()> {
    let Factors { add, multiply, values, columns, offsets, sources, x } = factors;
    if let (Reduction::Sum, Reduction::Product, Some(values)) = (add, multiply, values) {
        return segments::reduce_shares(workers, add, offsets, columns.len(), y, |list, from, to, part| {
            match sources {
                None => list.walk_apart(from, to, part, move |_, part| {
                    sum_of_products(&values[part.clone()], &columns[part], x)
                }),
                Some(_) => list.walk(from, to, part, |row, part| {
                    let nonzeros = factors.place(row, part);
                    sum_of_products(&values[nonzeros.clone()], &columns[nonzeros], x)
                }),
            }
        });
    }
    segments::reduce(workers, add, offsets, columns.len(), y, |row, part| {
        let mut sum = T::identity(add);
        let mut nonzeros = factors.place(row, part);
        while !nonzeros.is_empty() {
            let end = nonzeros.end.min(nonzeros.start + BATCH);
            sum = T::apply(add, sum, factors.batch(nonzeros.start..end));
            nonzeros.start = end;
        }
        sum
    })
}

/// The plain loop, in the order of the nonzeros.
pub fn sequential<T: Operand, I: Index>(
    workers: &Workers,
    factors: Factors<T, I>,
    y: &mut [T],
) -> Result<()> {
    let Factors { add, multiply, values, columns, offsets, x, .. } = factors;
    workers.run_sequential(|| {
        let mut polls = Polls::new();
        for row in 0..y.len() {
            let nonzeros = offsets[row].to_usize()..offsets[row + 1].to_usize().min(columns.len());
            y[row] = T::identity(add);
            let nonzeros = factors.place(row, nonzeros);
            polls.step();
            in_pieces(nonzeros.len(), |range| {
                for k in range.map(|k| nonzeros.start + k) {
                    if let Some(&x) = x.get(columns[k].to_usize()) {
                        let product = values.map_or(x, |values| T::apply(multiply, values[k], x));
                        y[row] = T::apply(add, y[row], product);
                    }
                }
            });
        }
    });
    Ok(())
}

impl<T: Operand, I: Index> Factors<'_, T, I> {
    /// Where the nonzeros of a row, or of a part of it, lie in values and columns.
    fn place(&self, row: usize, nonzeros: Range<usize>) -> Range<usize> {
        segments::place(self.offsets, self.sources, row, nonzeros, self.columns.len())
    }

    /// The sum of at most BATCH products.
    fn batch(&self, nonzeros: Range<usize>) -> T {
        let mut products = [T::identity(self.add); BATCH];
        let products = &mut products[..nonzeros.len()];
        let columns = &self.columns[nonzeros.clone()];
        let Some(values) = self.values.map(|values| &values[nonzeros]) else {
            for (product, column) in products.iter_mut().zip(columns) {
                *product = self.x.get(column.to_usize()).copied().unwrap_or(*product);
            }
            return segments::fold(self.add, products);
        };
        dispatch_operator!(self.multiply, T, multiply(values, columns, self.x, products));
        segments::fold(self.add, products)
    }
}

/// Σ values·x\[columns\], GROUP products in a tree: the loads of a group do not wait for each other, and more sums than this one take
/// more instructions than they save.
#[inline(always)] // into the loop over rows, of which most are short
fn sum_of_products<T: Operand, I: Index>(values: &[T], columns: &[I], x: &[T]) -> T {
    const GROUP: usize = 4;
    let zero = T::identity(Reduction::Sum);
    let add = |a, b| T::apply(Reduction::Sum, a, b);
    let product = |value, column: &I| {
        x.get(column.to_usize()).map_or(zero, |&x| T::apply(Reduction::Product, value, x))
    };
    let (value_groups, values) = values.as_chunks::<GROUP>();
    let (column_groups, columns) = columns.as_chunks::<GROUP>();
    let mut sum = zero;
    for (values, columns) in value_groups.iter().zip(column_groups) {
        let [a, b, c, d] = std::array::from_fn(|k| product(values[k], &columns[k]));
        sum = add(sum, add(add(a, c), add(b, d)));
    }
    values.iter().zip(columns).fold(sum, |sum, (&value, column)| add(sum, product(value, column)))
}

/// product ← value ⊗ x\[column\], where x has the column.
#[inline(always)] // by the type of columns
fn multiply<T: Operand, const OP: usize>(values: &[T], columns: &[impl Index], x: &[T], products: &mut [T]) {
    for ((product, column), &value) in products.iter_mut().zip(columns).zip(values) {
        if let Some(&x) = x.get(column.to_usize()) {
            *product = T::apply(operator(OP), value, x);
        }
    }
}
