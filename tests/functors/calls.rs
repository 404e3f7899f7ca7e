//! The calls, on arrays between guards.

use std::ffi::{CStr, c_void};
use std::ptr::null;

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::index::Index;
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use crate::common::*;

/// How: the variant, and the expression.
pub type How<'a> = (Variant, &'a CStr);

fn optional<T>(value: &Option<T>) -> *const c_void {
    value.as_ref().map_or(null(), |value| std::ptr::from_ref(value).cast())
}

pub fn reduce_options<T: Number>((variant, text): How) -> ReduceOptions {
    ReduceOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        expression: text.as_ptr(),
        ..ReduceOptions::default()
    }
}

#[track_caller]
pub fn reduce<T: Number>(ctx: &Context, how: How, kinds: [Kind; 2], data: &[T], identity: Option<T>) -> T {
    let options = ReduceOptions { identity: optional(&identity), ..reduce_options::<T>(how) };
    let (mut from, mut to) = (Placed::holding(ctx, kinds[0], data), Placed::<T>::new(ctx, kinds[1], 1));
    // SAFETY: as many elements as data has, one result, texts and identities that outlive the call.
    let status = unsafe { gpumex_reduce(ctx.handle, &options, from.as_ptr(), data.len(), to.as_mut_ptr()) };
    ok(status, format!("{:?}, {how:?}, {} elements, {kinds:?}", ctx.backend, data.len()));
    to.written()[0]
}

/// Elements of one type, joined in another one.
#[track_caller]
pub fn accumulate<T: Number, R: Number>(ctx: &Context, how: How, data: &[T]) -> R {
    let options = ReduceOptions { accumulator_dtype: R::DTYPE as i32, ..reduce_options::<T>(how) };
    let mut to = Output::<R>::new(1);
    let (at, result) = (data.as_ptr().cast(), to.as_mut_ptr().cast());
    // SAFETY: as above.
    ok(unsafe { gpumex_reduce(ctx.handle, &options, at, data.len(), result) }, format!("{how:?}"));
    to.written("the accumulated")[0]
}

/// `len` elements from `off` on, on the device where there is one.
#[track_caller]
pub fn reduce_from<T: Number>(ctx: &Context, text: &CStr, data: &[T], off: usize, len: usize) -> T {
    let options = reduce_options::<T>((Variant::Auto, text));
    let mut from = Placed::holding(ctx, EVERYWHERE[1], data);
    let (at, mut to) = (from.as_ptr::<T>().wrapping_add(off).cast(), Output::<T>::new(1));
    // SAFETY: `len` elements from there on.
    ok(unsafe { gpumex_reduce(ctx.handle, &options, at, len, to.as_mut_ptr().cast()) }, "an offset");
    to.written("an offset")[0]
}

/// The prefixes and the total; in place where `is_in_place`.
#[track_caller]
pub fn scan<T: Number>(
    ctx: &Context,
    how: How,
    (kind, is_in_place): (ScanKind, bool),
    kinds: [Kind; 3],
    data: &[T],
    identity: Option<T>,
) -> (Vec<T>, T) {
    let options = ScanOptions {
        variant: how.0 as i32,
        dtype: T::DTYPE as i32,
        kind: kind as i32,
        expression: how.1.as_ptr(),
        identity: optional(&identity),
        ..ScanOptions::default()
    };
    let mut from = Placed::holding(ctx, kinds[0], data);
    let mut result = match is_in_place {
        true => Placed::holding(ctx, kinds[1], data),
        false => Placed::<T>::new(ctx, kinds[1], data.len()),
    };
    let mut total = Placed::<T>::new(ctx, kinds[2], 1);
    let to = result.as_mut_ptr::<c_void>();
    let at = if is_in_place { to.cast_const() } else { from.as_ptr() };
    // SAFETY: arrays of as many elements as data has, one total.
    let status = unsafe { gpumex_scan(ctx.handle, &options, at, data.len(), to, total.as_mut_ptr()) };
    ok(status, format!("{:?}, {how:?}, {kind:?}, {} elements, {kinds:?}", ctx.backend, data.len()));
    (result.written(), total.written()[0])
}

/// Data, offsets and sources, and the result of an empty segment.
pub struct Segments<'a, T, I> {
    pub data: &'a [T],
    pub offsets: &'a [I],
    pub sources: Option<&'a [I]>,
    pub identity: T,
}

#[track_caller]
pub fn segmented_reduce<T: Number, I: Number + Index>(
    ctx: &Context,
    how: How,
    kinds: [Kind; 2],
    of: &Segments<T, I>,
) -> Vec<T> {
    let segments = of.offsets.len() - 1;
    let options = SegmentedReduceOptions {
        variant: how.0 as i32,
        dtype: T::DTYPE as i32,
        index_dtype: I::DTYPE as i32,
        identity: std::ptr::from_ref(&of.identity).cast(),
        expression: how.1.as_ptr(),
        ..SegmentedReduceOptions::default()
    };
    let mut data = Placed::holding(ctx, kinds[0], of.data);
    let mut offsets = Placed::holding(ctx, kinds[0], of.offsets);
    let mut sources = of.sources.map(|sources| Placed::holding(ctx, kinds[0], sources));
    let mut result = Placed::<T>::new(ctx, kinds[1], segments);
    let from_sources = sources.as_mut().map_or(null(), |sources| sources.as_ptr::<c_void>());
    let (from, cuts, to) = (data.as_ptr(), offsets.as_ptr(), result.as_mut_ptr());
    // SAFETY: arrays of these lengths.
    let status = unsafe {
        gpumex_segmented_reduce(ctx.handle, &options, from, of.data.len(), cuts, segments, from_sources, to)
    };
    ok(status, format!("{:?}, {how:?}, {} in {segments}, {kinds:?}", ctx.backend, of.data.len()));
    result.written()
}

/// The status, the results, the offsets and the number of runs.
pub fn reduce_by_key<K: Number, T: Number>(
    ctx: &Context,
    how: How,
    kinds: [Kind; 3],
    (keys, data): (&[K], &[T]),
    capacity: usize,
) -> (i32, Vec<T>, Vec<u64>, u64) {
    let options = ReduceByKeyOptions {
        variant: how.0 as i32,
        dtype: T::DTYPE as i32,
        key_dtype: K::DTYPE as i32,
        index_dtype: Dtype::U64 as i32,
        expression: how.1.as_ptr(),
        ..ReduceByKeyOptions::default()
    };
    let mut from_keys = Placed::holding(ctx, kinds[0], keys);
    let mut from = Placed::holding(ctx, kinds[0], data);
    let mut unique = Placed::<K>::new(ctx, kinds[1], capacity);
    let mut results = Placed::<T>::new(ctx, kinds[1], capacity);
    let mut offsets = Placed::<u64>::new(ctx, kinds[1], if capacity == 0 { 0 } else { capacity + 1 });
    let mut needed = Placed::<u64>::new(ctx, kinds[2], 1);
    let (keys_at, at, unique_to, to) =
        (from_keys.as_ptr(), from.as_ptr(), unique.as_mut_ptr(), results.as_mut_ptr());
    let (offsets_to, number) = (offsets.as_mut_ptr(), needed.as_mut_ptr());
    // SAFETY: arrays of these lengths.
    let status = unsafe {
        gpumex_reduce_by_key(
            ctx.handle,
            &options,
            keys_at,
            at,
            keys.len(),
            unique_to,
            to,
            offsets_to,
            capacity,
            number,
        )
    };
    (status, results.written(), offsets.written(), needed.written()[0])
}
