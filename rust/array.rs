//! What an operation reads and writes: slices, vectors, memory of a device, and parts of them.

use std::marker::PhantomData;

use gpumex_core::array::{Input, Output};

use super::{Context, Element};
use crate::{Error, Result};

/// Anything that an operation reads: `[T]`, `[T; N]`, `Vec<T>`, [`DeviceArray<T>`](crate::DeviceArray), a part of one of them.
pub trait Array: sealed::Array {
    /// The type of the elements.
    type Elem: Element;

    /// The elements to read.
    fn view(&self) -> View<'_, Self::Elem>;

    /// The number of elements.
    fn len(&self) -> usize {
        self.view().len
    }

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Anything that an operation writes: `[T]`, `[T; N]`, `Vec<T>`, [`DeviceArray<T>`](crate::DeviceArray), a part of one of them. The
/// length stays.
pub trait ArrayMut: Array {
    /// The elements to write.
    fn view_mut(&mut self) -> ViewMut<'_, Self::Elem>;
}

mod sealed {
    pub trait Array {}
}

/// Elements to read, wherever they lie.
#[derive(Clone, Copy)]
pub struct View<'a, T> {
    pub(super) address: *const T,
    pub(super) len: usize,
    pub(super) owner: Option<&'a Context>, // of memory of the library
    lifetime: PhantomData<&'a [T]>,
}

/// Elements to write, wherever they lie.
pub struct ViewMut<'a, T> {
    pub(super) address: *mut T,
    pub(super) len: usize,
    pub(super) owner: Option<&'a Context>,
    lifetime: PhantomData<&'a mut [T]>,
}

// SAFETY: a view is a shared borrow of numbers; what is done with them goes through a context, which is Sync.
unsafe impl<T: Element> Send for View<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for View<'_, T> {}
// SAFETY: an exclusive borrow of numbers.
unsafe impl<T: Element> Send for ViewMut<'_, T> {}
// SAFETY: a shared one of it gives views to read alone.
unsafe impl<T: Element> Sync for ViewMut<'_, T> {}

impl<'a, T: Element> View<'a, T> {
    /// # Safety
    /// `len` elements at `address` live as long as 'a and are not written meanwhile.
    pub(super) unsafe fn new(address: *const T, len: usize, owner: Option<&'a Context>) -> View<'a, T> {
        View { address, len, owner, lifetime: PhantomData }
    }

    /// The elements of a range.
    ///
    /// # Panics
    /// If the range is not within the array.
    pub fn slice(self, range: impl std::ops::RangeBounds<usize>) -> View<'a, T> {
        let (from, len) = within(range, self.len);
        View { address: self.address.wrapping_add(from), len, ..self }
    }

    /// The elements as a vector.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut copy = zeroed(self.len)?;
        match self.owner {
            Some(owner) => owner.copy(self, &mut copy)?,
            // SAFETY: without an owner it is a slice of the host.
            None => copy.copy_from_slice(unsafe { std::slice::from_raw_parts(self.address, self.len) }),
        }
        Ok(copy)
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// # Safety
    /// `len` elements at `address` live as long as 'a and are used by nobody else meanwhile.
    pub(super) unsafe fn new(address: *mut T, len: usize, owner: Option<&'a Context>) -> ViewMut<'a, T> {
        ViewMut { address, len, owner, lifetime: PhantomData }
    }

    /// The elements of a range.
    ///
    /// # Panics
    /// If the range is not within the array.
    pub fn slice_mut(self, range: impl std::ops::RangeBounds<usize>) -> ViewMut<'a, T> {
        let (from, len) = within(range, self.len);
        ViewMut { address: self.address.wrapping_add(from), len, ..self }
    }

    /// The first `mid` elements, and the rest.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn split_at_mut(self, mid: usize) -> (ViewMut<'a, T>, ViewMut<'a, T>) {
        assert!(mid <= self.len, "mid is {mid}, and there are {} elements", self.len);
        let ViewMut { address, len, owner, lifetime } = self;
        let rest = ViewMut { address: address.wrapping_add(mid), len: len - mid, owner, lifetime };
        (ViewMut { len: mid, ..self }, rest)
    }
}

/// Where a range of an array begins, and its length.
fn within(range: impl std::ops::RangeBounds<usize>, len: usize) -> (usize, usize) {
    use std::ops::Bound::{Excluded, Included, Unbounded};
    let from = match range.start_bound() {
        Included(&from) => from,
        Excluded(&before) => before.saturating_add(1),
        Unbounded => 0,
    };
    let end = match range.end_bound() {
        Included(&last) => last.saturating_add(1),
        Excluded(&end) => end,
        Unbounded => len,
    };
    assert!(from <= end && end <= len, "the range {from}..{end} is not within {len} elements");
    (from, end - from)
}

impl<T: Element> sealed::Array for View<'_, T> {}
impl<T: Element> Array for View<'_, T> {
    type Elem = T;
    fn view(&self) -> View<'_, T> {
        *self
    }
}

impl<T: Element> sealed::Array for ViewMut<'_, T> {}
impl<T: Element> Array for ViewMut<'_, T> {
    type Elem = T;
    fn view(&self) -> View<'_, T> {
        View { address: self.address, len: self.len, owner: self.owner, lifetime: PhantomData }
    }
}
impl<T: Element> ArrayMut for ViewMut<'_, T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        ViewMut { ..*self }
    }
}

impl<T: Element> sealed::Array for [T] {}
impl<T: Element> Array for [T] {
    type Elem = T;
    fn view(&self) -> View<'_, T> {
        View { address: self.as_ptr(), len: self.len(), owner: None, lifetime: PhantomData }
    }
}
impl<T: Element> ArrayMut for [T] {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        ViewMut { address: self.as_mut_ptr(), len: self.len(), owner: None, lifetime: PhantomData }
    }
}

/// What stands for a slice.
macro_rules! as_slices {
    ($([$($generic:tt)*] $array:ty => $slice:ty;)*) => {
        $(
            impl<$($generic)*> sealed::Array for $array where $slice: Array {}
            impl<$($generic)*> Array for $array where $slice: Array {
                type Elem = <$slice as Array>::Elem;
                fn view(&self) -> View<'_, Self::Elem> {
                    <$slice>::view(self)
                }
            }
            impl<$($generic)*> ArrayMut for $array where $slice: ArrayMut {
                fn view_mut(&mut self) -> ViewMut<'_, Self::Elem> {
                    <$slice>::view_mut(self)
                }
            }
        )*
    };
}

as_slices! {
    [T] Vec<T> => [T];
    [T] Box<[T]> => [T];
    [T, const N: usize] [T; N] => [T];
    [A: ?Sized] &mut A => A;
}

impl<A: Array + ?Sized> sealed::Array for &A {}
impl<A: Array + ?Sized> Array for &A {
    type Elem = A::Elem;
    fn view(&self) -> View<'_, A::Elem> {
        A::view(self)
    }
}

impl<T: Element> sealed::Array for super::DeviceArray<T> {}

// ------------------------------------------------------------------------------------------- towards the operations

/// The argument `name` of an operation.
pub(super) fn input<'a, A: Array + ?Sized>(name: &'static str, array: &'a A) -> Input<'a> {
    let View { address, len, .. } = array.view();
    // SAFETY: `len` elements, borrowed for 'a: nobody else implements Array.
    unsafe { Input::from_parts(name, address.cast(), len * size_of::<A::Elem>()) }
}

/// The result `name` of an operation.
pub(super) fn output<'a, A: ArrayMut + ?Sized>(name: &'static str, array: &'a mut A) -> Output<'a> {
    let ViewMut { address, len, .. } = array.view_mut();
    // SAFETY: as above, alone.
    unsafe { Output::from_parts(name, address.cast(), len * size_of::<A::Elem>()) }
}

/// Source and result of an operation that works in place.
pub(super) fn in_place<'a, A: ArrayMut + ?Sized>(
    names: [&'static str; 2],
    array: &'a mut A,
) -> (Input<'a>, Output<'a>) {
    let ViewMut { address, len, .. } = array.view_mut();
    let bytes = len * size_of::<A::Elem>();
    // SAFETY: as above; operations that allow it know that both are one.
    unsafe {
        (
            Input::from_parts(names[0], address.cast(), bytes),
            Output::from_parts(names[1], address.cast(), bytes),
        )
    }
}

/// The length that two arrays of an operation have in common.
pub(super) fn same_len(
    operation: &str,
    (a, a_len): (&str, usize),
    (b, b_len): (&str, usize),
) -> Result<usize> {
    common_len((a, a_len), (b, b_len))
        .map_err(|error| Error::invalid(format!("{operation}: {}", error.message())))
}

/// The same within a call, which names the operation.
pub(super) fn common_len((a, a_len): (&str, usize), (b, b_len): (&str, usize)) -> Result<usize> {
    if a_len == b_len {
        return Ok(a_len);
    }
    Err(Error::invalid(format!("{a} has {a_len} elements and {b} has {b_len}; they have the same length")))
}

/// A vector of zeros, or OUT_OF_MEMORY.
pub(super) fn zeroed<T: Element>(len: usize) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    vector.try_reserve_exact(len).map_err(|_| Error::out_of_memory("host memory", bytes))?;
    vector.resize(len, T::default());
    Ok(vector)
}
