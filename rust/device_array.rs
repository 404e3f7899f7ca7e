//! Memory of a context.

use std::fmt;
use std::ops::{Range, RangeBounds};

use gpumex_core::memory;
use gpumex_core::platform::fence;

use super::array::{input, output};
use super::{Array, ArrayMut, Context, Element, MemoryKind, View, ViewMut};
use crate::Result;

/// An array in memory of a [`Context`]: on CUDA of its device, on the CPU backend of the host.
///
/// It is freed when it is dropped; work of the library that is still under way on it is done first. It keeps its context alive.
/// Operations of any context take it: the library orders the streams of two contexts that use one array.
///
/// ```
/// let ctx = gpumex::Context::new()?;
/// let mut array = ctx.array(&[3.0f32, 1.0, 2.0])?;
/// ctx.scale(2.0, &mut array)?;
/// assert_eq!(array.to_vec()?, [6.0, 2.0, 4.0]);
/// # Ok::<(), gpumex::Error>(())
/// ```
///
/// Safe code cannot free an array that something still refers to:
///
/// ```compile_fail,E0505
/// let ctx = gpumex::Context::new()?;
/// let array = ctx.array(&[1u32, 2, 3])?;
/// let part = array.slice(1..);
/// drop(array);
/// part.to_vec()?;
/// # Ok::<(), gpumex::Error>(())
/// ```
///
/// nor read an array that an operation writes:
///
/// ```compile_fail,E0502
/// let ctx = gpumex::Context::new()?;
/// let mut keys = ctx.array(&[3u32, 1, 2])?;
/// ctx.sort(&keys, &mut keys)?;
/// # Ok::<(), gpumex::Error>(())
/// ```
pub struct DeviceArray<T: Element> {
    context: Context,
    address: *mut T, // NULL where there are no elements
    len: usize,
    kind: MemoryKind,
}

// SAFETY: plain numbers, owned; the context is Send and Sync, and the registry of allocations has a lock.
unsafe impl<T: Element> Send for DeviceArray<T> {}
// SAFETY: as above; what is shared is only read.
unsafe impl<T: Element> Sync for DeviceArray<T> {}

impl Context {
    /// An array of zeros, in memory of the device.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.zeros::<i32>(3)?.to_vec()?, [0, 0, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn zeros<T: Element>(&self, len: usize) -> Result<DeviceArray<T>> {
        self.zeros_in(MemoryKind::Device, len)
    }

    /// An array of zeros, in memory of a kind.
    pub fn zeros_in<T: Element>(&self, kind: MemoryKind, len: usize) -> Result<DeviceArray<T>> {
        let mut array = self.allocate(kind, len)?;
        self.fill(&mut array, T::default())?;
        Ok(array)
    }

    /// A copy of an array, in memory of the device.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.array(&[1u8, 2, 3])?.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn array<A: Array + ?Sized>(&self, elements: &A) -> Result<DeviceArray<A::Elem>> {
        self.array_in(MemoryKind::Device, elements)
    }

    /// A copy of an array, in memory of a kind.
    pub fn array_in<A: Array + ?Sized>(
        &self,
        kind: MemoryKind,
        elements: &A,
    ) -> Result<DeviceArray<A::Elem>> {
        let mut array = self.allocate(kind, elements.len())?;
        self.copy(elements, &mut array)?;
        Ok(array)
    }

    /// An array with whatever the memory holds, in memory of a kind.
    ///
    /// # Safety
    /// The elements are written before they are read.
    pub unsafe fn uninit<T: Element>(&self, kind: MemoryKind, len: usize) -> Result<DeviceArray<T>> {
        self.allocate(kind, len)
    }

    fn allocate<T: Element>(&self, kind: MemoryKind, len: usize) -> Result<DeviceArray<T>> {
        let bytes = len.saturating_mul(size_of::<T>()); // which no allocator has
        let address = self.call("malloc", |ctx| ctx.malloc(kind, bytes))?;
        Ok(DeviceArray { context: self.clone(), address: address as *mut T, len, kind })
    }
}

impl<T: Element> DeviceArray<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The kind of the memory.
    pub fn kind(&self) -> MemoryKind {
        self.kind
    }

    /// The context that it is memory of.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The address: of the device, where it is memory of a device. For kernels and libraries of your own, in the order of
    /// [`Context::stream`].
    pub fn as_ptr(&self) -> *const T {
        self.address
    }

    /// The address, to write.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.address
    }

    /// The elements of a range.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let array = ctx.array(&[1u32, 2, 3, 4])?;
    /// assert_eq!(array.slice(1..3).to_vec()?, [2, 3]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range is not within the array.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> View<'_, T> {
        self.view().slice(range)
    }

    /// The elements of a range, to write.
    ///
    /// # Panics
    /// If the range is not within the array.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> ViewMut<'_, T> {
        self.view_mut().slice_mut(range)
    }

    /// The first `mid` elements and the rest, to write.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn split_at_mut(&mut self, mid: usize) -> (ViewMut<'_, T>, ViewMut<'_, T>) {
        self.view_mut().split_at_mut(mid)
    }

    /// The elements as a vector. Waits for the work on them.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.view().to_vec()
    }

    /// Copies the elements into a slice of the same length. Waits for the work on them.
    pub fn copy_to_slice(&self, to: &mut [T]) -> Result<()> {
        self.context.copy(self, to)
    }

    /// Copies a slice of the same length into the array.
    pub fn copy_from_slice(&mut self, from: &[T]) -> Result<()> {
        let context = self.context.clone();
        context.copy(from, self)
    }

    /// Another array with the same elements, in memory of the same kind.
    pub fn try_clone(&self) -> Result<DeviceArray<T>> {
        self.context.array_in(self.kind, self)
    }

    /// Sets each element to a value: [`Context::fill`].
    pub fn fill(&mut self, value: T) -> Result<()> {
        let context = self.context.clone();
        context.fill(self, value)
    }

    /// Fills the array with random numbers: [`Context::random`].
    pub fn random(&mut self, seed: u64, range: Range<f64>) -> Result<()> {
        let context = self.context.clone();
        context.random(self, seed, range)
    }

    /// The elements in place, where the host may read them: memory of kind PINNED and MANAGED, and all memory on the CPU backend.
    ///
    /// ```
    /// use gpumex::{Context, MemoryKind};
    ///
    /// let ctx = Context::new()?;
    /// let mut array = ctx.zeros_in::<u32>(MemoryKind::Pinned, 3)?;
    /// array.as_mut_slice()?[1] = 5;
    /// assert_eq!(array.as_slice()?, [0, 5, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    ///
    /// UNSUPPORTED for memory of a device.
    pub fn as_slice(&self) -> Result<&[T]> {
        input("array", self).view(&[self.len])?.on_host()
    }

    /// The elements in place, to write: as [`DeviceArray::as_slice`].
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        let len = self.len;
        output("array", self).view(&[len])?.into_host()
    }
}

impl<T: Element> Array for DeviceArray<T> {
    type Elem = T;
    fn view(&self) -> View<'_, T> {
        // SAFETY: its memory, which lives as long as it does.
        unsafe { View::new(self.address, self.len, Some(&self.context)) }
    }
}

impl<T: Element> ArrayMut for DeviceArray<T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        // SAFETY: as above; borrowed alone.
        unsafe { ViewMut::new(self.address, self.len, Some(&self.context)) }
    }
}

impl<T: Element> fmt::Debug for DeviceArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "DeviceArray<{name}> {{ len: {}, kind: {:?} }}", self.len, self.kind)
    }
}

impl<T: Element> Drop for DeviceArray<T> {
    fn drop(&mut self) {
        if !self.address.is_null() {
            fence::around(|| memory::free(self.address as usize), drop); // it is freed in any case
        }
    }
}
