//! Views of elements whose type is known at run time: what depends on their bytes alone is compiled once.

use std::marker::PhantomData;

use super::{Element, Extent, Input, Memory, Output, View, ViewMut};
use crate::error::Result;
use crate::memory::Place;
use crate::model::dtype::{Bits, Dtype};

/// Elements of a dtype to read, wherever they lie.
#[derive(Clone, Copy)]
pub struct DynView<'a> {
    bytes: View<'a, u8>,
    dtype: Dtype,
}

/// Elements of a dtype to write, wherever they lie.
pub struct DynViewMut<'a> {
    bytes: ViewMut<'a, u8>,
    dtype: Dtype,
}

impl<'a> Input<'a> {
    /// The elements of an array of this dtype and these dimensions.
    pub fn view_of(&self, dtype: Dtype, dims: &[usize]) -> Result<DynView<'a>> {
        let (len, place) = self.pointer.check_aligned(dtype.size(), dtype.alignment(), dims)?;
        let (name, address) = (self.pointer.name, self.pointer.address.cast_const());
        let bytes = View { name, address, len: len * dtype.size(), place, lifetime: PhantomData };
        Ok(DynView { bytes, dtype })
    }
}

impl<'a> Output<'a> {
    /// The elements of an array of this dtype and these dimensions.
    pub fn view_of(self, dtype: Dtype, dims: &[usize]) -> Result<DynViewMut<'a>> {
        let (len, place) = self.pointer.check_aligned(dtype.size(), dtype.alignment(), dims)?;
        let (name, address) = (self.pointer.name, self.pointer.address);
        let bytes = ViewMut { name, address, len: len * dtype.size(), place, lifetime: PhantomData };
        Ok(DynViewMut { bytes, dtype })
    }
}

impl<'a> DynView<'a> {
    /// `len` elements of the library's own on a device, which are looked up nowhere.
    ///
    /// # Safety
    /// They are there, aligned to their size, for as long as the view.
    pub unsafe fn on_device(address: *const u8, len: usize, dtype: Dtype, ordinal: i32) -> DynView<'a> {
        let (len, place) = (len * dtype.size(), Place::Device(ordinal));
        DynView { bytes: View { name: OWN, address, len, place, lifetime: PhantomData }, dtype }
    }
}

impl<'a> DynViewMut<'a> {
    /// As [`DynView::on_device`].
    ///
    /// # Safety
    /// As there, and used by nobody else.
    pub unsafe fn on_device(address: *mut u8, len: usize, dtype: Dtype, ordinal: i32) -> DynViewMut<'a> {
        let (len, place) = (len * dtype.size(), Place::Device(ordinal));
        DynViewMut { bytes: ViewMut { name: OWN, address, len, place, lifetime: PhantomData }, dtype }
    }
}

/// How errors name memory of the library's own.
const OWN: &str = "a temporary";

/// The number of elements of type T in bytes of elements of this dtype.
fn len_as<T: Element>(bytes: usize, dtype: Dtype) -> usize {
    assert!(size_of::<T>() == dtype.size(), "elements are looked at as a type of their size");
    bytes / dtype.size()
}

/// The dtype of pairs of elements, and the bytes of all whole pairs.
fn pairs_of(dtype: Dtype, address: *const u8, len: usize) -> Option<(Dtype, usize)> {
    let pair = match dtype.size() {
        1 => Dtype::U16,
        2 => Dtype::U32,
        4 => Dtype::U64,
        _ => return None,
    };
    (address as usize).is_multiple_of(pair.size()).then_some((pair, len / 2 * pair.size()))
}

impl<'a> DynView<'a> {
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len / self.dtype.size()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn place(&self) -> Place {
        self.bytes.place
    }

    /// Whether it is where an output is, and not empty.
    pub fn is_at(&self, output: &DynViewMut) -> bool {
        !self.is_empty() && self.bytes.address.addr() == output.bytes.address.addr()
    }

    /// The elements as a view of their type, or another one of its size.
    pub fn typed<T: Element>(&self) -> View<'a, T> {
        let View { name, address, place, len, .. } = self.bytes;
        View {
            name,
            address: address.cast(),
            len: len_as::<T>(len, self.dtype),
            place,
            lifetime: PhantomData,
        }
    }

    /// The bytes of the elements.
    pub fn bytes(&self) -> View<'a, u8> {
        self.bytes
    }

    /// The same bits as elements of another dtype of that size.
    pub fn as_dtype(self, dtype: Dtype) -> DynView<'a> {
        assert!(dtype.size() == self.dtype.size(), "elements are looked at as a dtype of their size");
        DynView { dtype, ..self }
    }

    /// Pairs of elements as elements of twice the size, where there is such a dtype and they are aligned to it.
    pub fn paired(&self) -> Option<DynView<'a>> {
        let (dtype, len) = pairs_of(self.dtype, self.bytes.address, self.len())?;
        Some(DynView { dtype, bytes: View { len, ..self.bytes } })
    }

    /// Complex numbers as their parts, twice as many; others as they are.
    pub fn parts(&self) -> DynView<'a> {
        DynView { dtype: self.dtype.part().unwrap_or(self.dtype), ..*self }
    }

    /// The elements `from .. from + len`.
    pub fn part(&self, from: usize, len: usize) -> DynView<'a> {
        let width = self.dtype.size();
        DynView { bytes: self.bytes.part(from.saturating_mul(width), len.saturating_mul(width)), ..*self }
    }

    /// The elements as memory of the host, of the type of the dtype or another one of its size; refuses memory of a device.
    pub fn on_host<T: Element>(&self) -> Result<&'a [T]> {
        let View { name, address, place, lifetime: _, len } = self.bytes;
        let len = len_as::<T>(len, self.dtype);
        View { name, address: address.cast(), len, place, lifetime: PhantomData }.on_host()
    }
}

impl<'a> DynViewMut<'a> {
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len / self.dtype.size()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn place(&self) -> Place {
        self.bytes.place
    }

    /// The same elements, for a shorter time.
    pub fn reborrow(&mut self) -> DynViewMut<'_> {
        let ViewMut { name, address, len, place, .. } = self.bytes;
        DynViewMut { bytes: ViewMut { name, address, len, place, lifetime: PhantomData }, dtype: self.dtype }
    }

    /// As [`DynView::paired`], for a shorter time.
    pub fn paired(&mut self) -> Option<DynViewMut<'_>> {
        let (dtype, len) = pairs_of(self.dtype, self.bytes.address, self.len())?;
        let DynViewMut { bytes, .. } = self.reborrow();
        Some(DynViewMut { dtype, bytes: ViewMut { len, ..bytes } })
    }

    /// As [`DynView::parts`].
    pub fn parts(self) -> DynViewMut<'a> {
        DynViewMut { dtype: self.dtype.part().unwrap_or(self.dtype), ..self }
    }

    /// The first `len` elements.
    pub fn first(self, len: usize) -> DynViewMut<'a> {
        let bytes = len.saturating_mul(self.dtype.size());
        DynViewMut { bytes: self.bytes.first(bytes), ..self }
    }

    /// The elements `from .. from + len`.
    pub fn part(self, from: usize, len: usize) -> DynViewMut<'a> {
        let (width, all) = (self.dtype.size(), self.len());
        assert!(from <= all && len <= all - from, "a part lies within the whole");
        let ViewMut { name, address, place, .. } = self.bytes;
        let bytes = ViewMut {
            name,
            address: address.wrapping_add(from * width),
            len: len * width,
            place,
            lifetime: PhantomData,
        };
        DynViewMut { bytes, dtype: self.dtype }
    }

    /// The same elements to read.
    pub fn into_view(mut self) -> DynView<'a> {
        DynView { bytes: self.bytes.as_view(), dtype: self.dtype }
    }

    /// As [`DynView::typed`].
    pub fn typed<T: Element>(self) -> ViewMut<'a, T> {
        let ViewMut { name, address, place, len, .. } = self.bytes;
        let len = len_as::<T>(len, self.dtype);
        ViewMut { name, address: address.cast(), len, place, lifetime: PhantomData }
    }

    /// The bytes of the elements.
    pub fn into_bytes(self) -> ViewMut<'a, u8> {
        self.bytes
    }

    /// The elements as memory of the host, of the type of the dtype or another one of its size; refuses memory of a device.
    pub fn on_host<T: Element>(&mut self) -> Result<&mut [T]> {
        let len = len_as::<T>(self.bytes.len, self.dtype);
        let bytes = self.bytes.bytes_on_host()?;
        if bytes.is_empty() {
            return Ok(&mut []);
        }
        // SAFETY: `view_of` saw that they are aligned to their size and end in the address space; plain numbers, any bytes are a
        // value; borrowed from the exclusive slice of their bytes.
        Ok(unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) })
    }
}

impl DynViewMut<'_> {
    /// The same as elements that threads may write at once.
    pub fn on_host_shared<B: Bits>(&mut self) -> Result<&[B::Atomic]> {
        const { assert!(size_of::<B>() == size_of::<B::Atomic>() && size_of::<B>() == align_of::<B::Atomic>()) }
        let elements: *const [B] = self.on_host::<B>()?;
        // SAFETY: an atomic integer has the size and the bits of its integer; elements are aligned to their size, and borrowed
        // from their exclusive slice.
        Ok(unsafe { &*(elements as *const [B::Atomic]) })
    }
}

/// Elements on the host of an array that may be left out.
pub fn optional_on_host<'a, T: Element>(view: &Option<DynView<'a>>) -> Result<Option<&'a [T]>> {
    view.map(|view| view.on_host()).transpose()
}

/// The same to write.
pub fn optional_mut_on_host<'v, T: Element>(view: &'v mut Option<DynViewMut>) -> Result<Option<&'v mut [T]>> {
    view.as_mut().map(DynViewMut::on_host).transpose()
}

impl Memory for DynView<'_> {
    fn extent(&self) -> Extent {
        self.bytes.extent()
    }
}

impl Memory for DynViewMut<'_> {
    fn extent(&self) -> Extent {
        self.bytes.extent()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_those_of_the_array_whatever_the_type_of_their_size() {
        let mut numbers = [1.0f32, -1.0];
        let mut view = Output::new("A", &mut numbers).view_of(Dtype::F32, &[2]).unwrap();
        assert_eq!(view.on_host::<u32>().unwrap(), &[0x3F80_0000, 0xBF80_0000]);
        view.on_host::<f32>().unwrap()[1] = 2.0;
        assert_eq!((view.len(), view.first(1).len(), numbers[1]), (2, 1, 2.0));
    }

    #[test]
    #[should_panic(expected = "a type of their size")]
    fn a_type_of_another_size_is_a_bug() {
        let _ = Input::new("A", &[1.0f32]).view_of(Dtype::F32, &[1]).unwrap().on_host::<u64>();
    }
}
