//! The pictures of the C examples: PNG and PPM files, plots and animated GIFs. pictures.h tells what the functions do; a caller
//! promises what it says about sizes and pointers.
#![allow(clippy::missing_safety_doc)]

mod plot;

use std::borrow::Cow;
use std::cell::RefCell;
use std::error::Error;
use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_uint};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::slice;

type Outcome<T> = Result<T, Box<dyn Error>>;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// What C calls a `picture_gif`.
pub struct Gif {
    encoder: gif::Encoder<BufWriter<File>>,
    width: u16,
    height: u16,
    colours: usize,
}

/// What C calls a `picture_curve`.
#[repr(C)]
pub struct Curve {
    name: *const c_char,
    x: *const f64,
    y: *const f64,
    count: usize,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn picture_save(
    path: *const c_char,
    pixels: *const u8,
    width: usize,
    height: usize,
    channels: c_int,
) -> c_int {
    status((|| {
        if ![1, 3, 4].contains(&channels) {
            return Err(format!("{channels} channels; a pixel has 1, 3 or 4").into());
        }
        let channels = channels as usize;
        // SAFETY: as pictures.h has it, an image of this size; `bytes` checks the product.
        let pixels = unsafe { slice::from_raw_parts(pixels, bytes(&[width, height, channels])?) };
        match text(path).to_bytes().ends_with(b".ppm") {
            true => write_ppm(create(path)?, pixels, width, height, channels),
            false => write_png(create(path)?, pixels, width, height, channels),
        }
    })())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn picture_save_plot(
    path: *const c_char,
    title: *const c_char,
    x_name: *const c_char,
    y_name: *const c_char,
    curves: *const Curve,
    count: usize,
) -> c_int {
    let string = |pointer| text(pointer).to_string_lossy();
    status((|| {
        // SAFETY: as pictures.h has it, `count` curves.
        let curves = unsafe { slice::from_raw_parts(curves, count) }.iter().map(|curve| {
            // SAFETY: as pictures.h has it, `count` numbers each.
            let [x, y] = unsafe { [curve.x, curve.y].map(|from| slice::from_raw_parts(from, curve.count)) };
            plot::Curve {
                name: string(curve.name),
                points: x.iter().copied().zip(y.iter().copied()).collect(),
            }
        });
        let curves: Vec<_> = curves.collect();
        let canvas = plot::plot(&string(title), &string(x_name), &string(y_name), &curves)?;
        write_png(create(path)?, &canvas.pixels, canvas.width, canvas.height, 3)
    })())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn picture_open_gif(
    path: *const c_char,
    width: usize,
    height: usize,
    colours: *const u8,
    count: usize,
) -> Option<Box<Gif>> {
    kept((|| {
        let side = |pixels| u16::try_from(pixels).map_err(|_| format!("{pixels} pixels; a GIF has 65535"));
        let (width, height) = (side(width)?, side(height)?);
        // SAFETY: as pictures.h has it, `count` colours; `bytes` checks the product.
        let palette = unsafe { slice::from_raw_parts(colours, bytes(&[count, 3])?) };
        let mut encoder = gif::Encoder::new(create(path)?, width, height, palette)?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Box::new(Gif { encoder, width, height, colours: count }))
    })())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn picture_add_frame(gif: &mut Gif, pixels: *const u8, hundredths: c_uint) -> c_int {
    let (width, height) = (gif.width, gif.height);
    status((|| {
        // SAFETY: as pictures.h has it, a byte for each pixel; the product of two u16 fits.
        let pixels = unsafe { slice::from_raw_parts(pixels, usize::from(width) * usize::from(height)) };
        if let Some(number) = pixels.iter().find(|&&number| usize::from(number) >= gif.colours) {
            return Err(format!("a pixel has colour {number} of {}", gif.colours).into());
        }
        let delay = u16::try_from(hundredths)?;
        let buffer = Cow::Borrowed(pixels);
        Ok(gif.encoder.write_frame(&gif::Frame { width, height, delay, buffer, ..gif::Frame::default() })?)
    })())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn picture_close_gif(gif: Box<Gif>) -> c_int {
    status((|| Ok(gif.encoder.into_inner()?.flush()?))())
}

#[unsafe(no_mangle)]
pub extern "C" fn picture_error() -> *const c_char {
    LAST_ERROR.with_borrow(|sentence| sentence.as_ptr())
}

fn write_png(file: impl Write, pixels: &[u8], width: usize, height: usize, channels: usize) -> Outcome<()> {
    let mut encoder = png::Encoder::new(file, u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(match channels {
        1 => png::ColorType::Grayscale,
        3 => png::ColorType::Rgb,
        _ => png::ColorType::Rgba,
    });
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

/// A grey one as P5, others as P6, which has no alpha.
fn write_ppm(
    mut file: impl Write,
    pixels: &[u8],
    width: usize,
    height: usize,
    channels: usize,
) -> Outcome<()> {
    write!(file, "P{}\n{width} {height}\n255\n", if channels == 1 { 5 } else { 6 })?;
    match channels {
        4 => pixels.as_chunks::<4>().0.iter().try_for_each(|[rgb @ .., _]| file.write_all(rgb))?,
        _ => file.write_all(pixels)?,
    }
    Ok(file.flush()?)
}

fn text<'a>(pointer: *const c_char) -> &'a CStr {
    // SAFETY: a C string, as pictures.h has it, which outlives the call.
    unsafe { CStr::from_ptr(pointer) }
}

fn create(path: *const c_char) -> Outcome<BufWriter<File>> {
    let path = Path::new(OsStr::from_bytes(text(path).to_bytes()));
    Ok(BufWriter::new(File::create(path).map_err(|error| format!("{}: {error}", path.display()))?))
}

/// The product of sizes, which memory can hold.
fn bytes(sizes: &[usize]) -> Outcome<usize> {
    let product = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    product
        .filter(|&bytes| bytes <= isize::MAX as usize)
        .ok_or_else(|| format!("{sizes:?} bytes are too many").into())
}

fn status(outcome: Outcome<()>) -> c_int {
    if kept(outcome).is_some() { 0 } else { 1 }
}

/// None after an error, whose sentence is kept.
fn kept<T>(outcome: Outcome<T>) -> Option<T> {
    outcome.map_err(|error| LAST_ERROR.set(CString::new(error.to_string()).unwrap_or_default())).ok()
}
