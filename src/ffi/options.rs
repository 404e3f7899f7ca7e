//! Option structs of C: versioned by their size, zero is the default of every field.

use std::ffi::{CStr, c_char};
use std::fmt::Display;

use crate::error::{Error, Result, Status, quoted};

/// `zero_default!(SortOptions, index_dtype)`: the default of an option struct of C, zeros behind its size, and a check that its last
/// field ends the struct: without padding, a field that is appended later changes the size, which is the struct's version.
///
/// `zero_default!(SpmvOptions, geometry, reserved)`: and `read` refuses a reserved field that is not 0.
macro_rules! zero_default {
    ($options:ident, reserved) => {
        zero_default!($options, reserved, reserved);
    };
    ($options:ident, $last:ident, reserved) => {
        zero_default!(@ $options, $last, |options: &$options| options.reserved);
    };
    ($options:ident, $last:ident) => {
        zero_default!(@ $options, $last, |_| 0);
    };
    (@ $options:ident, $last:ident, $reserved:expr) => {
        impl $crate::ffi::options::OptionStruct for $options {
            const RESERVED: fn(&Self) -> i32 = $reserved;
        }
        impl Default for $options {
            fn default() -> Self {
                // SAFETY: integers, floats and pointers only; zero is the default of each.
                $options { size: size_of::<Self>(), ..unsafe { std::mem::zeroed() } }
            }
        }
        const _: () = {
            const fn bytes_of<T, F>(_: fn(&T) -> &F) -> usize {
                size_of::<F>()
            }
            let end = std::mem::offset_of!($options, $last) + bytes_of(|options: &$options| &options.$last);
            assert!(end == size_of::<$options>(), "a reserved field takes the place of padding");
        };
    };
}

pub(super) use zero_default;

/// A versioned option struct of C.
pub trait OptionStruct: Default {
    /// The field that has to be 0; 0 where there is none.
    const RESERVED: fn(&Self) -> i32;
}

/// Reads the caller's struct: NULL gives the defaults, a shorter (older) one is completed with zeros, a longer
/// (newer) one is accepted when the part this library does not know is zero.
///
/// # Safety
/// `options` is NULL or points to a struct whose first field is its own size in bytes, and `T` is `#[repr(C)]`,
/// begins with that `size_t` and holds integers, floats and pointers only.
pub unsafe fn read<T: OptionStruct>(options: *const T) -> Result<T> {
    // SAFETY: the caller's promise.
    unsafe { read_named("options", options) }
}

/// As [`read`], of a struct that has a name of its own.
///
/// # Safety
/// As [`read`].
pub unsafe fn read_named<T: OptionStruct>(name: &str, options: *const T) -> Result<T> {
    let mut known = T::default();
    if options.is_null() {
        return Ok(known);
    }
    // SAFETY: the caller's struct begins with its size.
    let size = unsafe { size_field(name, options)? };
    let shared = size.min(size_of::<T>());
    // SAFETY: both structs hold at least `shared` bytes, and every bit pattern is a value of T.
    unsafe { std::ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut known).cast::<u8>(), shared) };
    let is_zero = |offset: usize| unsafe { options.cast::<u8>().add(offset).read() } == 0; // SAFETY: offset < size
    if !(shared..size).all(is_zero) {
        return Err(Error::unsupported(format!(
            "{name}.size is {size}, this library knows {} bytes, and a field beyond them is not 0",
            size_of::<T>()
        )));
    }
    match T::RESERVED(&known) {
        0 => Ok(known),
        reserved => Err(Error::unsupported(format!("{name}.reserved is {reserved}; it has to be 0"))),
    }
}

/// The size that a struct of the caller says it has.
///
/// # Safety
/// `pointer` points to a struct whose first field is its own size in bytes.
pub unsafe fn size_field<T>(name: &str, pointer: *const T) -> Result<usize> {
    // SAFETY: the caller's promise.
    let size = unsafe { pointer.cast::<usize>().read_unaligned() };
    if size < size_of::<usize>() || size > 4096 {
        return Err(Error::invalid(format!("{name}.size is {size}; set it to sizeof of the struct")));
    }
    Ok(size)
}

/// Writes an answer into the caller's struct: as much of it as his version of it holds, and zeros where his is the
/// longer one. The size field stays his.
///
/// # Safety
/// `target` is NULL or points to a struct whose first field is its own size in bytes; `T` is that struct,
/// `#[repr(C)]`.
pub unsafe fn answer<T>(name: &str, target: *mut T, mut value: T) -> Result<()> {
    if target.is_null() {
        return Err(Error::new(Status::NullPointer, format!("{name} is NULL")));
    }
    // SAFETY: the struct begins with its size.
    let size = unsafe { size_field(name, target)? };
    let shared = size.min(size_of::<T>());
    // SAFETY: both structs begin with a size and hold at least `shared` bytes, the caller's `size`.
    unsafe {
        (&raw mut value).cast::<usize>().write_unaligned(size);
        std::ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), target.cast::<u8>(), shared);
        target.cast::<u8>().add(shared).write_bytes(0, size - shared);
    }
    Ok(())
}

/// The text of a C string; NULL is none.
///
/// # Safety
/// `text` is NULL or a NUL-terminated string that lives as long as the result is used.
pub unsafe fn text<'a>(text: *const c_char) -> Result<Option<&'a str>> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map(Some)
        .map_err(|_| Error::invalid(format!("{} is not UTF-8 text", quoted(text.to_bytes()))))
}

/// The number that a field points to; None where it is NULL.
///
/// # Safety
/// `field` is NULL or points to a double.
pub unsafe fn number(field: *const f64) -> Option<f64> {
    // SAFETY: the caller's promise.
    (!field.is_null()).then(|| unsafe { field.read_unaligned() })
}

/// A field that is 0 or 1.
pub fn switch(field: &str, value: i32) -> Result<bool> {
    zero_or_one(&format!("options.{field}"), value)
}

/// A parameter that is 0 or 1.
pub fn zero_or_one(name: &str, value: i32) -> Result<bool> {
    match value {
        0 | 1 => Ok(value == 1),
        _ => Err(Error::invalid(format!("{name} is {value}; it is 0 or 1"))),
    }
}

/// Refuses a value of a field that only a later version serves.
pub fn serves<T: PartialEq + Display>(field: &str, value: T, served: &[T]) -> Result<()> {
    if served.contains(&value) {
        return Ok(());
    }
    let served: Vec<String> = served.iter().map(T::to_string).collect();
    let served = served.join(" and ");
    Err(Error::unsupported(format!("options.{field} is {value}; this version serves {served}")))
}
