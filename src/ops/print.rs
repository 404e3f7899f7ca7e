//! Arrays as text, wherever they lie.
//!
//! Source of the form: S. Baxter, ModernGPU 1.1, `PrintArray`, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::require_host;
use super::text::Text;
use crate::array::{Extent, Input, Output, View, all_apart};
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu;
use crate::interrupt;
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::print::{Format, Rows};
use crate::vector::zeros;

/// What the host cannot touch, or a device may be writing, comes to it in pieces of this many bytes.
const PIECE: usize = 1 << 20;

/// What is printed, and how.
pub struct Printing<'a> {
    pub dtype: Dtype,
    pub array: Input<'a>,
    pub count: usize,
    /// as [`Format::parse`] has it
    pub format: &'a [u8],
    /// values in a row
    pub columns: usize,
}

/// text ← the rows of an array, as far as they and a NUL at the end fit. Returns how many bytes all of it
/// takes, the NUL included.
///
/// array (count) of dtype, anywhere; text (capacity) bytes of the host, apart from the array and from the format with
/// the NUL behind it. With capacity 0 nothing is written.
/// Errors: as [`print_rows`], and INVALID_ARGUMENT (overlap), UNSUPPORTED (text in device memory).
pub fn print(ctx: &mut Context, printing: &Printing, text: Output, capacity: usize) -> Result<usize> {
    let mut text = text.view::<u8>(&[capacity])?;
    require_host(text.name(), text.place())?;
    all_apart(&[&text], &[&printing.bytes()?, &Extent::of_c_text("format", printing.format)])?;
    let mut text = Text::new(text.on_host()?);
    print_rows(ctx, printing, |row| {
        text.append(row);
        Ok(())
    })?;
    Ok(text.needed())
}

/// Hands the rows of an array to `out`, one after the other, a row of more than 64 KiB in pieces; an error of
/// `out` ends the printing.
///
/// A row is the index of its first value as `%5d:  `, its values with a space behind each, and a newline. `out`
/// runs on the caller's thread, with the caller's CUDA context. No values are no rows.
/// Cost: one printf a value; a device array is copied to the host piece by piece, 1 MiB each.
/// Errors: INVALID_ARGUMENT (format, columns, size, alignment, another device), NULL_POINTER, UNSUPPORTED (device
/// memory on the CPU backend), CUDA.
pub fn print_rows(
    ctx: &mut Context,
    printing: &Printing,
    out: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    ctx.begin();
    super::dtypes::check_numbers(printing.dtype)?;
    let format = Format::parse(printing.format, printing.dtype)?;
    let mut rows = Rows::new(&format, printing.columns, out)?;
    let bytes = printing.bytes()?;
    let mut buffer = match bytes.place() {
        Place::Host => Vec::new(),
        _ => zeros(bytes.len().min(PIECE))?,
    };
    for from in (0..bytes.len()).step_by(PIECE) {
        let piece = bytes.part(from, PIECE.min(bytes.len() - from));
        let (done, all) = (from / printing.dtype.size(), printing.count);
        interrupt::at(done as u64, all as u64, || rows.write(fetch(ctx, piece, &mut buffer)?))?;
    }
    rows.finish()
}

impl<'a> Printing<'a> {
    /// The bytes of the array, checked as elements of its dtype.
    fn bytes(&self) -> Result<View<'a, u8>> {
        match self.dtype.size() {
            1 => self.array.view::<u8>(&[self.count]).map(drop),
            2 => self.array.view::<u16>(&[self.count]).map(drop),
            4 => self.array.view::<u32>(&[self.count]).map(drop),
            _ => self.array.view::<u64>(&[self.count]).map(drop),
        }?;
        self.array.view(&[self.count, self.dtype.size()])
    }
}

/// The bytes of a piece: themselves where they are the host's, else a copy in `buffer`, behind what the device does
/// with them.
fn fetch<'b>(ctx: &mut Context, piece: View<'b, u8>, buffer: &'b mut [u8]) -> Result<&'b [u8]> {
    let is_copied = ctx.run(|engine| match (engine, piece.place()) {
        (Engine::Cuda(device), Place::Device(_) | Place::Managed) => {
            let copy = Output::new("a piece of the text", buffer).view(&[piece.len()])?;
            gpu::copy::copy(device, copy, piece).map(|()| true)
        }
        _ => Ok(false),
    })?;
    if is_copied { Ok(&buffer[..piece.len()]) } else { piece.on_host() }
}
