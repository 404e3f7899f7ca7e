//! One argument of an operation: a pointer, where it lies and how long it is. The only room where a raw pointer becomes a
//! slice, and only after its place is known.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::error::{Error, Result, Status};

/// Where memory lies, as far as the host can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Memory that the host may touch: ordinary, pinned or managed.
    Host,
    /// Memory of a device.
    Device,
}

/// Finds out where a pointer lies; installed by the context room once a CUDA driver may be in the process.
pub type Locate = fn(*const u8) -> Place;

static LOCATE: OnceLock<Locate> = OnceLock::new();

pub(crate) fn install_locate(locate: Locate) {
    LOCATE.get_or_init(|| locate);
}

/// An element type of arrays: plain numbers, any bit pattern is a value. Nobody else implements it: a slice is made on its word.
pub trait Element: sealed::Number {}
impl Element for u8 {}
impl Element for u64 {}
impl Element for f32 {}
impl Element for f64 {}

mod sealed {
    pub trait Number: Copy + Send + Sync + 'static {}
    impl Number for u8 {}
    impl Number for u64 {}
    impl Number for f32 {}
    impl Number for f64 {}
}

#[derive(Clone, Copy)]
struct Pointer {
    name: &'static str,
    address: *mut u8,
    bytes: Option<usize>, // how long it is known to be; None: as long as the C caller promised
}

impl Pointer {
    /// The number of elements, after every check that needs no look at the contents.
    fn check<T: Element>(&self, dims: &[usize]) -> Result<usize> {
        let Pointer { name, address, .. } = *self;
        let count = dims.iter().try_fold(1usize, |product, &dim| product.checked_mul(dim));
        let bytes = count.and_then(|count| count.checked_mul(size_of::<T>()));
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        let end = bytes.and_then(|bytes| (address as usize).checked_add(bytes));
        let (Some(count), Some(bytes), Some(_)) = (count, bytes, end) else {
            let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
            let (dims, width) = (dims.join(" x "), size_of::<T>());
            return Err(Error::invalid(format!(
                "{name} of {dims} elements of {width} bytes ends beyond the address space"
            )));
        };
        if bytes == 0 {
            return Ok(0);
        }
        if address.is_null() {
            return Err(Error::new(Status::NullPointer, format!("{name} is NULL and has {count} elements")));
        }
        if !address.cast::<T>().is_aligned() {
            let width = align_of::<T>();
            return Err(Error::invalid(format!(
                "{name} is at {address:p}, which is not a multiple of {width} bytes"
            )));
        }
        if let Some(known) = self.bytes.filter(|&known| known < bytes) {
            return Err(Error::invalid(format!("{name} has {known} bytes, {bytes} are needed")));
        }
        if LOCATE.get().is_some_and(|locate| locate(address) == Place::Device) {
            return Err(Error::unsupported(format!(
                "{name} is device memory; this version takes host, pinned and managed memory"
            )));
        }
        Ok(count)
    }

    /// Refuses to write `bytes` bytes here when they overlap `other_bytes` there.
    fn apart(&self, bytes: usize, other: &Pointer, other_bytes: usize, rule: &str) -> Result<()> {
        if !overlaps(self.address, bytes, other.address, other_bytes) {
            return Ok(());
        }
        let ranges = format!("{bytes} bytes at {:p}, {other_bytes} at {:p}", self.address, other.address);
        Err(Error::invalid(format!("{} overlaps {} ({ranges}); {rule}", self.name, other.name)))
    }
}

/// An array that an operation reads.
pub struct Input<'a> {
    pointer: Pointer,
    lifetime: PhantomData<&'a [u8]>,
}

/// An array that an operation writes.
pub struct Output<'a> {
    pointer: Pointer,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl<'a> Input<'a> {
    pub fn new<T: Element>(name: &'static str, slice: &'a [T]) -> Input<'a> {
        let pointer = Pointer { name, address: slice.as_ptr() as *mut u8, bytes: Some(size_of_val(slice)) };
        Input { pointer, lifetime: PhantomData }
    }

    /// # Safety
    /// `address` holds as many elements as the operation documents for it, unchanged by others until the operation is done, or is NULL.
    pub unsafe fn from_raw(name: &'static str, address: *const c_void) -> Input<'a> {
        let pointer = Pointer { name, address: address as *mut u8, bytes: None };
        Input { pointer, lifetime: PhantomData }
    }

    /// The elements of an array of these dimensions.
    pub fn slice<T: Element>(&self, dims: &[usize]) -> Result<&'a [T]> {
        let count = self.pointer.check::<T>(dims)?;
        // SAFETY: checked: not NULL, aligned, in the address space, on the host; long enough by `new` or by `from_raw`'s promise.
        Ok(if count == 0 {
            &[]
        } else {
            unsafe { std::slice::from_raw_parts(self.pointer.address.cast(), count) }
        })
    }
}

impl<'a> Output<'a> {
    pub fn new<T: Element>(name: &'static str, slice: &'a mut [T]) -> Output<'a> {
        let bytes = Some(size_of_val(slice));
        let pointer = Pointer { name, address: slice.as_mut_ptr().cast(), bytes };
        Output { pointer, lifetime: PhantomData }
    }

    /// # Safety
    /// `address` holds as many elements as the operation documents for it, used by nobody else until the operation is done, or is
    /// NULL. It may be the address of an input only where the operation allows it.
    pub unsafe fn from_raw(name: &'static str, address: *mut c_void) -> Output<'a> {
        let pointer = Pointer { name, address: address.cast(), bytes: None };
        Output { pointer, lifetime: PhantomData }
    }

    /// The elements of an array of these dimensions.
    pub fn slice<T: Element>(self, dims: &[usize]) -> Result<&'a mut [T]> {
        let count = self.pointer.check::<T>(dims)?;
        // SAFETY: as Input::slice; exclusive by `new` or by `from_raw`'s promise, overlap with the inputs is checked by `apart`.
        Ok(if count == 0 {
            &mut []
        } else {
            unsafe { std::slice::from_raw_parts_mut(self.pointer.address.cast(), count) }
        })
    }

    /// The length in bytes of an array of these dimensions, checked.
    pub fn bytes<T: Element>(&self, dims: &[usize]) -> Result<usize> {
        Ok(self.pointer.check::<T>(dims)? * size_of::<T>())
    }

    /// Refuses an output of `bytes` bytes that overlaps an input of `input_bytes`.
    pub fn apart(&self, bytes: usize, input: &Input, input_bytes: usize) -> Result<()> {
        self.pointer.apart(bytes, &input.pointer, input_bytes, "they have to lie apart")
    }
}

fn overlaps(a: *const u8, a_bytes: usize, b: *const u8, b_bytes: usize) -> bool {
    let (a, b) = (a as usize, b as usize);
    a_bytes > 0 && b_bytes > 0 && a < b.saturating_add(b_bytes) && b < a.saturating_add(a_bytes)
}

/// A source and a target of the same size that may be one and the same array.
pub enum Pair<'a, T> {
    Same(&'a mut [T]),
    Apart(&'a [T], &'a mut [T]),
}

impl<'a, T: Element> Pair<'a, T> {
    /// `output` is `input` exactly, or apart from it.
    pub fn new(input: Input<'a>, output: Output<'a>, dims: &[usize]) -> Result<Pair<'a, T>> {
        let count = input.pointer.check::<T>(dims)?;
        if input.pointer.address == output.pointer.address {
            return Ok(Pair::Same(output.slice(dims)?));
        }
        let bytes = count * size_of::<T>();
        output.pointer.apart(
            bytes,
            &input.pointer,
            bytes,
            "they have to lie apart, or to be one and the same",
        )?;
        Ok(Pair::Apart(input.slice(dims)?, output.slice(dims)?))
    }

    pub fn source(&self) -> &[T] {
        match self {
            Pair::Same(both) => both,
            Pair::Apart(source, _) => source,
        }
    }

    /// The target, holding a copy of the source.
    pub fn into_copied(self) -> &'a mut [T] {
        match self {
            Pair::Same(both) => both,
            Pair::Apart(source, target) => {
                target.copy_from_slice(source);
                target
            }
        }
    }

    pub fn target(&mut self) -> &mut [T] {
        match self {
            Pair::Same(both) => both,
            Pair::Apart(_, target) => target,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_beyond_the_address_space_are_refused() {
        let input = Input::new::<f32>("A", &[]);
        let error = input.slice::<f32>(&[usize::MAX, 2]).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
        assert!(error.message().contains("18446744073709551615 x 2"), "{error}");
    }

    #[test]
    fn a_rust_slice_that_is_too_short_is_refused() {
        let error = Input::new("A", &[1.0f32; 12]).slice::<f32>(&[4, 4]).unwrap_err();
        assert_eq!(error.message(), "A has 48 bytes, 64 are needed");
    }

    #[test]
    fn ranges_that_touch_do_not_overlap() {
        let bytes = [0u8; 8];
        let at = |i: usize| &raw const bytes[i];
        assert!(
            !overlaps(at(0), 4, at(4), 4) && overlaps(at(0), 5, at(4), 4) && !overlaps(at(0), 0, at(0), 4)
        );
    }
}
