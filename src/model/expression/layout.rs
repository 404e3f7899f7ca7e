//! How the arrays of an expression lie: extents, and the strides of each array, in elements.
#![forbid(unsafe_code)]

use crate::error::{Error, Result};

pub const MAX_RANK: usize = 8;

/// Extents from the innermost on, in the order of the result's strides; dimensions that lie behind one another in every array are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub shape: Vec<usize>,
    /// Strides of each input; 0 repeats an element.
    pub inputs: Vec<Vec<usize>>,
    pub result: Vec<usize>,
}

impl Layout {
    /// The layout of arrays of this shape; without strides they are dense, the result with its first dimension innermost, and the
    /// inputs in the order of the result.
    pub fn new(
        shape: &[usize],
        input_count: usize,
        strides: Option<&[i64]>,
        result_strides: Option<&[i64]>,
    ) -> Result<Layout> {
        let rank = shape.len();
        if !(1..=MAX_RANK).contains(&rank) {
            return Err(Error::invalid(format!("options.rank is {rank}; it is 0 to {MAX_RANK}, 0 means 1")));
        }
        let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
        if count.is_none_or(|count| isize::try_from(count).is_err()) {
            return Err(Error::invalid(format!(
                "options.shape has {shape:?}; as many elements have no address"
            )));
        }
        if strides.is_none() && result_strides.is_none() {
            return Ok(Layout::dense(shape, input_count));
        }
        let in_order: Vec<usize> = (0..rank).collect();
        let result = match result_strides {
            Some(strides) => checked("result_strides", strides)?,
            None => dense(shape, &in_order),
        };
        let mut order = in_order;
        order.sort_by_key(|&dimension| result[dimension]); // stable: the first dimension is innermost among equals
        check_injective(shape, &result, &order)?;
        let inputs = match strides {
            Some(strides) if rank > 0 => strides
                .chunks_exact(rank)
                .map(|strides| checked("strides", strides))
                .collect::<Result<_>>()?,
            _ => vec![dense(shape, &order); input_count],
        };
        let layout = Layout { shape: shape.to_vec(), inputs, result };
        Ok(layout.ordered(&order).merged())
    }

    /// The layout of a reduction of all dimensions, or of one: the result repeats its elements along what is reduced. No dimensions are
    /// joined, and the first one is innermost.
    pub fn reduced(
        shape: &[usize],
        input_count: usize,
        strides: Option<&[i64]>,
        dimension: Option<usize>,
    ) -> Result<Layout> {
        let in_order: Vec<usize> = (0..shape.len()).collect();
        let inputs = match strides {
            Some(strides) => strides
                .chunks_exact(shape.len())
                .map(|strides| checked("strides", strides))
                .collect::<Result<_>>()?,
            None => vec![dense(shape, &in_order); input_count],
        };
        let of_result =
            |&at: &usize| if dimension.is_none_or(|dimension| at == dimension) { 1 } else { shape[at] };
        let extents: Vec<usize> = in_order.iter().map(of_result).collect();
        let mut result = dense(&extents, &in_order);
        for at in in_order {
            if dimension.is_none_or(|dimension| at == dimension) {
                result[at] = 0;
            }
        }
        Ok(Layout { shape: shape.to_vec(), inputs, result })
    }

    /// That of dense arrays: one dimension, or none of one element.
    fn dense(shape: &[usize], input_count: usize) -> Layout {
        let (count, stride) = (shape.iter().product(), 1);
        let rank = usize::from(count != 1);
        let dims = |number: usize| vec![number; rank];
        Layout { shape: dims(count), inputs: vec![dims(stride); input_count], result: dims(stride) }
    }

    /// The number of elements of the result.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether element i of the result is the i-th in memory.
    pub fn is_dense(&self, strides: &[usize]) -> bool {
        self.count() <= 1 || (self.shape.len() == 1 && strides[0] == 1) || strides == self.dense_strides()
    }

    /// Whether an array is one element, which is repeated.
    pub fn is_single(&self, strides: &[usize]) -> bool {
        strides.iter().all(|&stride| stride == 0) || self.count() == 1
    }

    /// Elements from the first to the last one of an array; None where a size_t does not hold them.
    pub fn span(&self, strides: &[usize]) -> Option<usize> {
        if self.count() == 0 {
            return Some(0);
        }
        let last = self.shape.iter().zip(strides).try_fold(0usize, |last, (extent, stride)| {
            last.checked_add((extent - 1).checked_mul(*stride)?)
        })?;
        last.checked_add(1)
    }

    fn dense_strides(&self) -> Vec<usize> {
        dense(&self.shape, &(0..self.shape.len()).collect::<Vec<_>>())
    }

    fn arrays(&mut self) -> impl Iterator<Item = &mut Vec<usize>> {
        self.inputs.iter_mut().chain(std::iter::once(&mut self.result))
    }

    /// With the dimensions in another order.
    fn ordered(mut self, order: &[usize]) -> Layout {
        for strides in self.arrays() {
            *strides = order.iter().map(|&dimension| strides[dimension]).collect();
        }
        self.shape = order.iter().map(|&dimension| self.shape[dimension]).collect();
        self
    }

    /// Without dimensions of one element, and with those as one that follow one another in every array.
    fn merged(mut self) -> Layout {
        let shape = std::mem::take(&mut self.shape);
        let mut kept: Vec<usize> = Vec::new(); // the innermost dimension of each group
        for (dimension, &extent) in shape.iter().enumerate() {
            if extent == 1 {
                continue;
            }
            let follows = kept.last().is_some_and(|&inner| {
                let merged = *self.shape.last().expect("a group has an extent");
                self.arrays().all(|strides| Some(strides[dimension]) == strides[inner].checked_mul(merged))
            });
            match self.shape.last_mut() {
                Some(merged) if follows => *merged *= extent,
                _ => {
                    kept.push(dimension);
                    self.shape.push(extent);
                }
            }
        }
        for strides in self.arrays() {
            *strides = kept.iter().map(|&dimension| strides[dimension]).collect();
        }
        self
    }
}

fn checked(field: &str, strides: &[i64]) -> Result<Vec<usize>> {
    let stride = |&stride: &i64| {
        let refused = || Error::invalid(format!("options.{field} has {stride}; a stride is at least 0"));
        usize::try_from(stride).map_err(|_| refused())
    };
    strides.iter().map(stride).collect()
}

/// The strides of an array without gaps, whose dimensions have this order from the innermost on.
fn dense(shape: &[usize], order: &[usize]) -> Vec<usize> {
    let mut strides = vec![0; shape.len()];
    let mut stride = 1usize;
    for &dimension in order {
        strides[dimension] = stride;
        stride = stride.saturating_mul(shape[dimension]);
    }
    strides
}

/// No element of the result is written twice: each dimension lies beyond all inner ones.
fn check_injective(shape: &[usize], strides: &[usize], order: &[usize]) -> Result<()> {
    if shape.contains(&0) {
        return Ok(());
    }
    let mut beyond = 1;
    for &dimension in order.iter().filter(|&&dimension| shape[dimension] > 1) {
        if strides[dimension] < beyond {
            return Err(Error::invalid(format!(
                "options.result_strides has {} for dimension {}; elements would be written twice, it has to be {beyond} or more",
                strides[dimension],
                dimension + 1
            )));
        }
        beyond = strides[dimension].saturating_mul(shape[dimension]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shape: &[usize], strides: Option<&[i64]>, result: Option<&[i64]>) -> Result<Layout> {
        let inputs = strides.map_or(2, |strides| strides.len() / shape.len());
        Layout::new(shape, inputs, strides, result)
    }

    #[test]
    fn dense_arrays_are_one_dimension() {
        for result in [None, Some(&[1, 3, 12][..]), Some(&[20, 5, 1][..])] {
            let layout = layout(&[3, 4, 5], None, result).unwrap();
            assert_eq!(
                (&layout.shape[..], &layout.inputs[..]),
                (&[60][..], &[vec![1], vec![1]][..]),
                "{result:?}"
            );
            assert!(layout.is_dense(&layout.result));
        }
    }

    #[test]
    fn a_column_and_a_row_are_two_dimensions() {
        let layout = layout(&[3, 1, 4], Some(&[1, 7, 0, 0, 9, 1]), None).unwrap();
        assert_eq!(layout.shape, [3, 4]);
        assert_eq!(layout.inputs, [vec![1, 0], vec![0, 1]]);
        assert_eq!(layout.span(&layout.inputs[1]), Some(4));
        assert!(layout.is_dense(&layout.result) && !layout.is_dense(&layout.inputs[0]));
    }

    #[test]
    fn what_is_repeated_everywhere_is_one_element() {
        let layout = layout(&[3, 4], Some(&[0, 0]), None).unwrap();
        assert!(layout.is_single(&layout.inputs[0]) && layout.shape == [12]);
        let one = Layout::new(&[1, 1], 1, Some(&[5, 6]), None).unwrap();
        assert!(one.is_single(&one.inputs[0]) && one.count() == 1 && one.span(&one.inputs[0]) == Some(1));
    }

    #[test]
    fn strides_that_write_an_element_twice_are_refused() {
        assert!(layout(&[3, 4], None, Some(&[1, 2])).is_err());
        assert!(layout(&[3, 4], None, Some(&[0, 3])).is_err());
        assert!(layout(&[3, 4], None, Some(&[1, -3])).is_err());
        assert!(layout(&[3, 4], None, Some(&[2, 6])).is_ok());
        assert!(layout(&[1, 4], None, Some(&[0, 1])).is_ok());
        assert!(layout(&[usize::MAX, 2], None, None).is_err());
        assert_eq!(layout(&[3, 0], None, Some(&[0, 0])).unwrap().count(), 0);
    }
}
