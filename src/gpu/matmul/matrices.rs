//! The matrices of a product as kernels see them: where they are, or as copies on the device.

use super::super::Device;
use super::super::runtime::memory::{Buffer, DeviceInput, DeviceOutput};
use super::super::runtime::pitched::Rows;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::memory::Place;
use crate::model::matmul::Layout;

/// How many matrices an argument has, and of which size, as stored.
#[derive(Clone, Copy)]
pub struct Shape {
    pub count: usize,
    pub rows: usize,
    pub cols: usize,
}

impl Shape {
    /// Those that a batch takes.
    pub fn new(batch: usize, layout: &Layout, rows: usize, cols: usize) -> Shape {
        Shape { count: if layout.stride == 0 { 1 } else { batch }, rows, cols }
    }

    fn len(&self) -> usize {
        self.count * self.rows * self.cols
    }

    /// Whether nothing lies between two elements.
    fn is_contiguous(&self, layout: &Layout) -> bool {
        let is_matrix_contiguous = self.rows <= 1 || layout.ld == self.cols;
        is_matrix_contiguous && (self.count <= 1 || layout.stride == self.rows * self.cols)
    }

    /// The layout of a contiguous copy.
    fn contiguous(&self, layout: &Layout) -> Layout {
        let stride = if layout.stride == 0 { 0 } else { self.rows * self.cols };
        Layout { ld: self.cols, stride, ..*layout }
    }

    /// Calls `copy` with the first element of each matrix, here and in the contiguous copy, and its rows.
    fn each<T>(&self, layout: &Layout, mut copy: impl FnMut(usize, usize, Rows) -> Result<()>) -> Result<()> {
        let width = size_of::<T>();
        let rows =
            Rows { rows: self.rows, bytes: self.cols * width, host_pitch: layout.ld.saturating_mul(width) };
        (0..self.count).try_for_each(|i| copy(i * layout.stride, i * self.rows * self.cols, rows))
    }
}

/// A or B.
pub struct Source<'d, T> {
    reading: DeviceInput<'d, T>,
    pub layout: Layout,
}

impl<'d, T: Element> Source<'d, T> {
    pub fn new(device: &'d Device, view: &View<T>, layout: &Layout, shape: Shape) -> Result<Source<'d, T>> {
        let is_copied_by_rows = is_on_host(view.place()) && !view.is_empty() && !shape.is_contiguous(layout);
        if !is_copied_by_rows {
            return Ok(Source { reading: device.read(view)?, layout: *layout });
        }
        device.wait_at_end()?;
        let copy = Buffer::<T>::new(device, shape.len())?;
        shape.each::<T>(layout, |from, to, rows| {
            let (target, source) = (copy.as_ptr().wrapping_add(to), view.as_ptr().wrapping_add(from));
            // SAFETY: the view reaches to the last element of the last matrix, the buffer holds all of them.
            unsafe { device.upload_rows(target.cast(), source.cast(), rows) }
        })?;
        Ok(Source { reading: DeviceInput::of(copy), layout: shape.contiguous(layout) })
    }

    pub fn as_ptr(&self) -> *const T {
        self.reading.as_ptr()
    }
}

/// C.
pub enum Target<'d, 'a, T> {
    Whole(DeviceOutput<'d, 'a, T>, Layout),
    ByRows { device: &'d Device, view: ViewMut<'a, T>, copy: Buffer<'d, T>, layout: Layout, shape: Shape },
}

impl<'d, 'a, T: Element> Target<'d, 'a, T> {
    /// `is_read`: what was there counts.
    pub fn new(
        device: &'d Device,
        mut view: ViewMut<'a, T>,
        layout: &Layout,
        shape: Shape,
        is_read: bool,
    ) -> Result<Target<'d, 'a, T>> {
        if !is_on_host(view.place()) || shape.is_contiguous(layout) {
            let writing = if is_read { device.update(view)? } else { device.write(view)? };
            return Ok(Target::Whole(writing, *layout));
        }
        device.wait_at_end()?;
        let copy = Buffer::<T>::new(device, shape.len())?;
        if is_read {
            shape.each::<T>(layout, |from, to, rows| {
                let target = copy.as_ptr().wrapping_add(to);
                let source = view.as_mut_ptr().wrapping_add(from).cast_const();
                // SAFETY: as Source::new.
                unsafe { device.upload_rows(target.cast(), source.cast(), rows) }
            })?;
        }
        Ok(Target::ByRows { device, view, copy, layout: *layout, shape })
    }

    pub fn layout(&self) -> Layout {
        match self {
            Target::Whole(_, layout) => *layout,
            Target::ByRows { layout, shape, .. } => shape.contiguous(layout),
        }
    }

    pub fn as_mut_ptr(&mut self) -> *mut T {
        match self {
            Target::Whole(writing, _) => writing.as_mut_ptr(),
            Target::ByRows { copy, .. } => copy.as_ptr(),
        }
    }

    /// Brings the result to the caller's C.
    pub fn finish(self) -> Result<()> {
        match self {
            Target::Whole(writing, _) => writing.finish(),
            Target::ByRows { device, mut view, copy, layout, shape } => {
                let address = view.as_mut_ptr();
                shape.each::<T>(&layout, |to, from, rows| {
                    let (target, source) = (address.wrapping_add(to), copy.as_ptr().wrapping_add(from));
                    // SAFETY: as Source::new; rows alone are written.
                    unsafe { device.download_rows(target.cast(), source.cast_const().cast(), rows) }
                })
            }
        }
    }
}

fn is_on_host(place: Place) -> bool {
    matches!(place, Place::Host | Place::Pinned)
}
