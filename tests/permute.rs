//! gpumex_permute against a plain loop: every order of up to four dimensions, of every size of element.

use gpumex::ffi::{PermuteOptions, gpumex_permute};
use gpumex::{error::Status, memory::MemoryKind, model::variant::Variant};

use crate::common::*;

fn oracle<T: Number>(source: &[T], shape: &[usize], order: &[usize]) -> Vec<T> {
    let strides: Vec<usize> = (0..shape.len()).map(|d| shape[..d].iter().product()).collect();
    let element = |number: usize| {
        let mut rest = number;
        let place = order.iter().map(|&d| {
            let i = rest % shape[d];
            rest /= shape[d];
            i * strides[d]
        });
        source[place.sum::<usize>()]
    };
    (0..source.len()).map(element).collect()
}

fn agrees<T: Number>(ctx: &Context, [a, b]: [Kind; 2], off: usize, shape: &[usize], order: &[usize]) {
    if is_not_in_small_share() {
        return;
    }
    let len = shape.iter().product::<usize>();
    let source: Vec<T> = (0..off + len).map(|i| T::from_f64((i % 113 + 1) as f64)).collect();
    let mut want = vec![T::POISON; off];
    want.extend(oracle(&source[off..], shape, order));
    let numbers: Vec<i32> = order.iter().map(|&d| d as i32).collect();
    for variant in ctx.variants::<Variant>() {
        let rank = shape.len() as i32;
        let options =
            PermuteOptions { variant: variant as i32, dtype: T::DTYPE as i32, rank, ..Default::default() };
        let what = format!(
            "{:?}, {variant:?}, {:?}, {a:?} {b:?}, {off}: {shape:?} {order:?}",
            ctx.backend,
            T::DTYPE
        );
        let (mut from, mut to) = (Placed::holding(ctx, a, &source), Placed::<T>::new(ctx, b, off + len));
        let (shape, order) = (shape.as_ptr(), numbers.as_ptr());
        // SAFETY: arrays of the shape.
        ok(unsafe { gpumex_permute(ctx.handle, &options, from.at(off), shape, order, to.at(off)) }, &what);
        assert_same_bits(&to.written(), &want, what);
    }
}

fn orders(rank: usize) -> Vec<Vec<usize>> {
    if rank == 0 {
        return vec![vec![]];
    }
    let with_last =
        |order: Vec<usize>| (0..rank).map(move |at| [&order[..at], &[rank - 1], &order[at..]].concat());
    orders(rank - 1).into_iter().flat_map(with_last).collect()
}

fn every_order<T: Number>() {
    for ctx in backends() {
        for shape in [&[7][..], &[37, 70], &[64, 33, 3], &[3, 40, 50], &[16, 9, 1, 34], &[2, 3, 2, 3, 2]] {
            for order in orders(shape.len()) {
                agrees::<T>(&ctx, [None; 2], 0, shape, &order);
            }
        }
    }
}

#[test]
fn every_order_of_few_dimensions() {
    for_every_dtype!(every_order());
}

fn matrices<T: Number>() {
    for ctx in backends() {
        for shape in [
            [0, 5],
            [1, 9],
            [64, 64],
            [128, 256],
            [129, 255],
            [131, 1000],
            [1000, 31],
            [8, 3000],
            [3000, 3],
            [500, 516],
            [5000, 2],
        ] {
            agrees::<T>(&ctx, [None; 2], 0, &shape, &[1, 0]);
            for off in [0, 1, 2, 3] {
                agrees::<T>(&ctx, [Some(MemoryKind::Device); 2], off, &shape, &[1, 0]);
            }
        }
        // A few long rows become one of neighbours, in each of a batch.
        agrees::<T>(&ctx, [Some(MemoryKind::Device); 2], 0, &[1001, 3, 5], &[1, 0, 2]);
        agrees::<T>(&ctx, [Some(MemoryKind::Device); 2], 1, &[1001, 5, 3], &[2, 0, 1]);
        let large = [size(2000, 300), size(3001, 517)];
        agrees::<T>(&ctx, [None; 2], 0, &large, &[1, 0]);
        agrees::<T>(&ctx, [None; 2], 0, &[large[0], 5, large[1] / 5], &[2, 1, 0]);
        agrees::<T>(&ctx, [None; 2], 0, &[large[0], 5, large[1] / 5], &[0, 2, 1]);
    }
}

/// Pairs that stay together are elements of twice the size.
#[test]
fn pairs_of_every_type_are_transposed() {
    fn of<T: Number>() {
        for ctx in backends() {
            agrees::<T>(&ctx, [None; 2], 0, &[300, 517, 2], &[1, 0, 2]);
            agrees::<T>(&ctx, [None; 2], 0, &[2, 300, 517], &[0, 2, 1]);
        }
    }
    for_every_dtype!(of());
}

#[test]
fn transposes_of_every_type_start_anywhere() {
    for_every_dtype!(matrices());
}

#[test]
fn eight_dimensions_and_arrays_anywhere() {
    let shape = [3, 4, 2, 1, 5, 2, 3, 4];
    let mut random = random(3);
    for (ctx, kind) in backends().iter().flat_map(|ctx| EVERYWHERE.map(|kind| (ctx, kind))) {
        for _ in 0..12 {
            let mut order: Vec<usize> = (0..8).collect();
            (1..8).for_each(|i| order.swap(i, random.random_range(0..=i)));
            agrees::<u8>(ctx, [kind, None], 0, &shape, &order);
            agrees::<u32>(ctx, [None, kind], 1, &shape, &order);
            agrees::<f64>(ctx, [kind; 2], 0, &shape, &order);
        }
    }
}

#[test]
fn orders_that_are_none_and_overlaps_are_refused() {
    let (shape, mut array) = ([2usize, 3], [0u8; 12]);
    for ctx in backends() {
        let options = PermuteOptions { dtype: 9, rank: 2, ..Default::default() };
        let at = array.as_mut_ptr();
        let call = |order: [i32; 2], to: usize| {
            // SAFETY: six elements each.
            unsafe {
                gpumex_permute(
                    ctx.handle,
                    &options,
                    at.cast(),
                    shape.as_ptr(),
                    order.as_ptr(),
                    at.add(to).cast(),
                )
            }
        };
        for order in [[0, 0], [1, 2], [-1, 0]] {
            refused(call(order, 6), Status::InvalidArgument, &["gpumex_permute", "order"], "order");
        }
        refused(call([1, 0], 5), Status::InvalidArgument, &["overlaps"], "overlap");
        ok(call([1, 0], 6), "a transpose");
    }
}
