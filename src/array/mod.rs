//! One argument of an operation: a pointer, where it lies and how long it is. The only module where a raw pointer
//! becomes a slice, and only after its place is known.
//!
//! An operation gets [`Input`]s and [`Output`]s, asks for a [`View`] or [`ViewMut`] of the dimensions that it
//! wants, which checks everything that needs no look at the contents, and hands views to a backend: the CPU takes
//! slices of them (`on_host`), the GPU addresses.

mod apart;
mod dynamic;
mod owned;
mod pair;
mod scratch;

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::error::{Error, Result, Status};
use crate::memory::{self, Place};
pub use crate::model::dtype::Element;
use crate::platform::fork;

pub use apart::{Extent, Footprint, Memory, all_apart};
pub use dynamic::{DynView, DynViewMut, optional_mut_on_host, optional_on_host};
pub use owned::Owned;
pub use pair::{Pair, is_same_or_apart};
pub use scratch::Scratch;

/// What the driver knows of an address: where it lies, and how many bytes of its allocation follow.
pub type Locate = fn(*const u8) -> Option<(Place, usize)>;

static LOCATE: OnceLock<Locate> = OnceLock::new();

/// Installed by the context module once a CUDA driver may be in the process.
pub(crate) fn install_locate(locate: Locate) {
    if LOCATE.get().is_none() {
        fork::without_fork(|| LOCATE.get_or_init(|| locate));
    }
}

#[derive(Clone, Copy)]
struct Pointer {
    name: &'static str,
    address: *mut u8,
    bytes: Option<usize>, // how long it is known to be; None: as long as the C caller promised
}

impl Pointer {
    /// Number of elements of so many bytes and place, after every check that needs no look at the contents.
    fn check(&self, width: usize, dims: &[usize]) -> Result<(usize, Place)> {
        self.check_aligned(width, width, dims)
    }

    /// The same of elements whose address need only be a multiple of fewer bytes.
    fn check_aligned(&self, width: usize, alignment: usize, dims: &[usize]) -> Result<(usize, Place)> {
        let Pointer { name, address, .. } = *self;
        let count = dims.iter().try_fold(1usize, |product, &dim| product.checked_mul(dim));
        let bytes = count.and_then(|count| count.checked_mul(width));
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        let end = bytes.and_then(|bytes| (address as usize).checked_add(bytes));
        let (Some(count), Some(bytes), Some(_)) = (count, bytes, end) else {
            let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
            let dims = dims.join(" x ");
            return Err(Error::invalid(format!(
                "{name} of {dims} elements of {width} bytes ends beyond the address space"
            )));
        };
        if bytes == 0 {
            return Ok((0, Place::Host));
        }
        if address.is_null() {
            return Err(Error::new(Status::NullPointer, format!("{name} is NULL and has {count} elements")));
        }
        if !(address as usize).is_multiple_of(alignment) {
            return Err(Error::invalid(format!(
                "{name} is at {address:p}, which is not a multiple of {alignment} bytes"
            )));
        }
        let (place, known) = self.locate()?;
        if let Some(known) = known.filter(|&known| known < bytes) {
            return Err(Error::invalid(format!("{name} has {known} bytes, {bytes} are needed")));
        }
        Ok((count, place))
    }

    /// The place, and how long the array is known to be: by its Rust slice, as a block of ours, or by the driver.
    fn locate(&self) -> Result<(Place, Option<usize>)> {
        let Pointer { name, address, bytes } = *self;
        if let Some(found) = memory::find(address as usize) {
            let Some(held) = found.bytes else {
                return Err(Error::invalid(format!("{name} is at {address:p}, in memory that was freed")));
            };
            return Ok((found.place, Some(bytes.map_or(held, |bytes| bytes.min(held)))));
        }
        let located = LOCATE.get().and_then(|locate| locate(address));
        Ok(match (located, bytes) {
            (Some((place, following)), None) => (place, Some(following)),
            (Some((place, _)), Some(bytes)) => (place, Some(bytes)),
            (None, bytes) => (Place::Host, bytes),
        })
    }
}

/// An array that an operation reads.
#[derive(Clone, Copy)]
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

    /// An array that is left out.
    pub fn absent(name: &'static str) -> Input<'a> {
        let pointer = Pointer { name, address: std::ptr::null_mut(), bytes: None };
        Input { pointer, lifetime: PhantomData }
    }

    /// # Safety
    /// `address` holds as many elements as the operation documents for it, unchanged by others until the operation
    /// is done, or is NULL.
    pub unsafe fn from_raw(name: &'static str, address: *const c_void) -> Input<'a> {
        let pointer = Pointer { name, address: address as *mut u8, bytes: None };
        Input { pointer, lifetime: PhantomData }
    }

    /// As [`Input::from_raw`], of an array that is known to have so many bytes.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn from_parts(name: &'static str, address: *const u8, bytes: usize) -> Input<'a> {
        Input {
            pointer: Pointer { name, address: address.cast_mut(), bytes: Some(bytes) },
            lifetime: PhantomData,
        }
    }

    /// The part of the array behind so many bytes; of an empty array itself.
    pub fn behind(&self, bytes: usize) -> Input<'a> {
        let Pointer { name, address, bytes: known } = self.pointer;
        let address = if address.is_null() { address } else { address.wrapping_add(bytes) };
        let known = known.map(|known| known.saturating_sub(bytes));
        Input { pointer: Pointer { name, address, bytes: known }, lifetime: PhantomData }
    }

    /// The elements of an array of these dimensions.
    pub fn view<T: Element>(&self, dims: &[usize]) -> Result<View<'a, T>> {
        let (len, place) = self.pointer.check(size_of::<T>(), dims)?;
        let Pointer { name, address, .. } = self.pointer;
        Ok(View { name, address: address.cast(), len, place, lifetime: PhantomData })
    }
}

impl<'a> Output<'a> {
    pub fn new<T: Element>(name: &'static str, slice: &'a mut [T]) -> Output<'a> {
        let bytes = Some(size_of_val(slice));
        let pointer = Pointer { name, address: slice.as_mut_ptr().cast(), bytes };
        Output { pointer, lifetime: PhantomData }
    }

    /// # Safety
    /// `address` holds as many elements as the operation documents for it, used by nobody else until the operation
    /// is done, or is NULL. It may be the address of an input only where the operation allows it.
    pub unsafe fn from_raw(name: &'static str, address: *mut c_void) -> Output<'a> {
        let pointer = Pointer { name, address: address.cast(), bytes: None };
        Output { pointer, lifetime: PhantomData }
    }

    /// As [`Output::from_raw`], of an array that is known to have so many bytes.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn from_parts(name: &'static str, address: *mut u8, bytes: usize) -> Output<'a> {
        Output { pointer: Pointer { name, address, bytes: Some(bytes) }, lifetime: PhantomData }
    }

    /// An array that is left out.
    pub fn absent(name: &'static str) -> Output<'a> {
        let pointer = Pointer { name, address: std::ptr::null_mut(), bytes: None };
        Output { pointer, lifetime: PhantomData }
    }

    pub fn is_null(&self) -> bool {
        self.pointer.address.is_null()
    }

    /// The same array, for a shorter time.
    pub fn reborrow(&mut self) -> Output<'_> {
        Output { pointer: self.pointer, lifetime: PhantomData }
    }

    /// The same array to read; not while it is written.
    pub fn as_input(&self) -> Input<'_> {
        Input { pointer: self.pointer, lifetime: PhantomData }
    }

    /// The same array as source and target of an operation that may work in place.
    pub fn in_place(&mut self) -> (Input<'_>, Output<'_>) {
        let pointer = self.pointer;
        (Input { pointer, lifetime: PhantomData }, Output { pointer, lifetime: PhantomData })
    }

    /// The part of the array behind so many bytes; of an empty array itself.
    pub fn behind(&mut self, bytes: usize) -> Output<'_> {
        let Pointer { name, address, bytes: known } = self.pointer;
        let address = if address.is_null() { address } else { address.wrapping_add(bytes) };
        let known = known.map(|known| known.saturating_sub(bytes));
        Output { pointer: Pointer { name, address, bytes: known }, lifetime: PhantomData }
    }

    /// The elements of an array of these dimensions.
    pub fn view<T: Element>(self, dims: &[usize]) -> Result<ViewMut<'a, T>> {
        let (len, place) = self.pointer.check(size_of::<T>(), dims)?;
        let Pointer { name, address, .. } = self.pointer;
        Ok(ViewMut { name, address: address.cast(), len, place, lifetime: PhantomData })
    }
}

/// Elements to read, wherever they lie.
#[derive(Clone, Copy)]
pub struct View<'a, T> {
    name: &'static str,
    address: *const T,
    len: usize,
    place: Place,
    lifetime: PhantomData<&'a [T]>,
}

/// Elements to write, wherever they lie.
pub struct ViewMut<'a, T> {
    name: &'static str,
    address: *mut T,
    len: usize,
    place: Place,
    lifetime: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> View<'a, T> {
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    pub fn place(&self) -> Place {
        self.place
    }

    pub fn as_ptr(&self) -> *const T {
        self.address
    }

    /// The elements `from .. from + len`.
    pub fn part(&self, from: usize, len: usize) -> View<'a, T> {
        assert!(from <= self.len && len <= self.len - from, "a part lies within the whole");
        View { address: self.address.wrapping_add(from), len, ..*self }
    }

    /// The elements as memory of the host; refuses memory of a device.
    pub fn on_host(&self) -> Result<&'a [T]> {
        on_host(self.name, self.place)?;
        // SAFETY: `check` saw: not NULL, aligned, in the address space, on the host; long enough by `new` or by
        // `from_raw`'s promise.
        Ok(if self.len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.address, self.len) } })
    }

    /// The bytes of the elements as memory of the host; refuses memory of a device.
    pub fn bytes_on_host(&self) -> Result<&'a [u8]> {
        let elements = self.on_host()?;
        // SAFETY: plain numbers without padding; as many bytes as the elements have.
        Ok(unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) })
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn place(&self) -> Place {
        self.place
    }

    /// The first `len` elements.
    pub fn first(self, len: usize) -> ViewMut<'a, T> {
        assert!(len <= self.len, "a part lies within the whole");
        ViewMut { len, ..self }
    }

    /// The same elements to read; not while they are written.
    pub fn as_view(&mut self) -> View<'a, T> {
        View {
            name: self.name,
            address: self.address,
            len: self.len,
            place: self.place,
            lifetime: PhantomData,
        }
    }

    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.address
    }

    /// The elements as memory of the host; refuses memory of a device.
    pub fn on_host(&mut self) -> Result<&mut [T]> {
        ViewMut { ..*self }.into_host()
    }

    /// As `on_host`, for as long as the array is borrowed.
    pub fn into_host(self) -> Result<&'a mut [T]> {
        on_host(self.name, self.place)?;
        // SAFETY: as View::on_host; exclusive by `new` or by `from_raw`'s promise, overlap with the inputs is
        // checked by `apart`.
        Ok(if self.len == 0 {
            &mut []
        } else {
            unsafe { std::slice::from_raw_parts_mut(self.address, self.len) }
        })
    }

    /// The bytes of the elements as memory of the host; refuses memory of a device.
    pub fn bytes_on_host(&mut self) -> Result<&mut [u8]> {
        let elements = self.on_host()?;
        // SAFETY: plain numbers without padding, any bytes are a value; as many bytes as the elements have.
        Ok(unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) })
    }

    /// Refuses an output that overlaps an input.
    pub fn apart<U: Element>(&self, input: &View<U>) -> Result<()> {
        all_apart(&[self], &[input]).map(drop)
    }
}

fn on_host(name: &str, place: Place) -> Result<()> {
    match place {
        Place::Device(ordinal) => Err(Error::unsupported(format!(
            "{name} is memory of CUDA device {ordinal}; this context runs on the CPU backend"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_beyond_the_address_space_are_refused() {
        let input = Input::new::<f32>("A", &[]);
        let error = input.view::<f32>(&[usize::MAX, 2]).err().unwrap();
        assert_eq!(error.status(), Status::InvalidArgument);
        assert!(error.message().contains("18446744073709551615 x 2"), "{error}");
    }

    #[test]
    fn a_rust_slice_that_is_too_short_is_refused() {
        let error = Input::new("A", &[1.0f32; 12]).view::<f32>(&[4, 4]).err().unwrap();
        assert_eq!(error.message(), "A has 48 bytes, 64 are needed");
    }
}
