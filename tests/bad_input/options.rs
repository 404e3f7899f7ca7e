//! Context and options, which every function refuses alike.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::platform::settings::Backend;

use super::table::{Call, MAX, Table};
use crate::common::{Context, Handle, first_unknown};

/// Options as a newer header may have them: with fields behind those that this library knows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Newer<T> {
    pub known: T,
    pub fields: [u8; 8192],
}

impl<T: Default> Newer<T> {
    pub fn new() -> Newer<T> {
        Newer::of(T::default())
    }

    pub fn of(known: T) -> Newer<T> {
        Newer { known, fields: [0; 8192] }
    }

    pub fn as_ptr(&self) -> *const T {
        (&raw const *self).cast()
    }
}

const NO_VARIANTS: [i32; 6] = [-1, 5, 9, 99, i32::MIN, i32::MAX];

/// What every function with a context refuses alike. `edit` reaches the context of the call.
pub fn context<C: Call>(table: &Table<C>, edit: impl Fn(&mut C) -> &mut Handle) {
    table.refuses("ctx NULL", NullPointer, &["ctx is NULL"], |call| *edit(call) = null_mut());
    for number in [1usize, 0x1234, MAX] {
        let text = format!("{number:#x}");
        table.refuses(
            format!("ctx {text}"),
            InvalidArgument,
            &["ctx", &text, "not a live context"],
            |call| {
                *edit(call) = std::ptr::without_provenance_mut(number);
            },
        );
    }
    table.refuses("a destroyed ctx", InvalidArgument, &["ctx", "not a live context"], |call| {
        *edit(call) = Context::cpu().handle;
    });
}

/// What every function with a context and options refuses alike. `edit` reaches context and options of the call; the first `needed`
/// bytes of the options hold what has no default.
pub fn context_and_options<C: Call, T: Default + 'static>(
    table: &Table<C>,
    needed: usize,
    edit: impl Fn(&mut C) -> (&mut Handle, &mut Newer<T>, &mut usize),
    set_variant: impl Fn(&mut T, i32),
    variants: &str,
    last_variant: i32,
) {
    context(table, |call| edit(call).0);
    let known = size_of::<T>();
    for size in [0, 4, 7, 4097, MAX] {
        let text = size.to_string();
        table.refuses(
            format!("options.size {size}"),
            InvalidArgument,
            &["options.size", &text, "sizeof"],
            |call| {
                *edit(call).2 = size;
            },
        );
    }
    for (size, field) in [(known + 1, 0), (known + 8, 7), (4096, 4095 - known)] {
        let words = ["options.size", &size.to_string(), &known.to_string()];
        table.refuses(format!("a newer field in {size} bytes of options"), Unsupported, &words, |call| {
            edit(call).1.fields[field] = 1;
            *edit(call).2 = size;
        });
    }
    for size in
        [8, 12, known - 4, known, known + 1, known + 8, 4096].into_iter().filter(|&size| size >= needed)
    {
        table.accepts(format!("{size} bytes of options, zeros behind"), |call| *edit(call).2 = size);
    }
    table.accepts("bytes behind options.size are not read", |call| {
        edit(call).1.fields = [0xFF; 8192];
        *edit(call).2 = known;
    });
    if needed == 8 {
        table.accepts("fields behind options.size are not read", |call| {
            set_variant(&mut edit(call).1.known, 99);
            *edit(call).2 = 8;
        });
    }

    for variant in NO_VARIANTS.into_iter().filter(|&variant| variant < 0 || variant > last_variant) {
        let words = [&format!("options.variant is {variant}"), variants];
        table.refuses(format!("variant {variant}"), InvalidArgument, &words, |call| {
            set_variant(&mut edit(call).1.known, variant);
        });
    }
}

/// SEQUENTIAL is the CPU backend's; CUDA refuses it.
pub fn sequential<C: Call>(table: &Table<C>, backend: Backend, set_sequential: impl FnOnce(&mut C)) {
    match backend {
        Backend::Cuda => {
            table.refuses("SEQUENTIAL on CUDA", Unsupported, &["SEQUENTIAL", "CUDA"], set_sequential)
        }
        _ => table.accepts("SEQUENTIAL", set_sequential),
    }
}

/// What every operation on floats says of a dtype that it does not serve, or that is none.
pub fn floats_only<C: Call>(table: &Table<C>, dtype_of: impl Fn(&mut C) -> &mut i32) {
    only(table, &[Dtype::F32, Dtype::F64], dtype_of);
}

/// The same of an operation on floats and complex numbers of them.
pub fn floats_and_complex_only<C: Call>(table: &Table<C>, dtype_of: impl Fn(&mut C) -> &mut i32) {
    only(table, &[Dtype::F32, Dtype::F64, Dtype::C64, Dtype::C128], dtype_of);
}

fn only<C: Call>(table: &Table<C>, served: &[Dtype], dtype_of: impl Fn(&mut C) -> &mut i32) {
    let others = Dtype::ALL.iter().filter(|&&dtype| dtype != Dtype::None && !served.contains(&dtype));
    for &dtype in others {
        let name = format!("options.dtype is {}", dtype.c_name());
        table.refuses(&name, Unsupported, &[&name], |call| *dtype_of(call) = dtype as i32);
    }
    let unset = ["options.dtype is GPUMEX_DTYPE_NONE"];
    table.refuses("no dtype", InvalidArgument, &unset, |call| *dtype_of(call) = Dtype::None as i32);
    unknown_dtypes(table, &[-1, first_unknown::<Dtype>(), 99], dtype_of);
}

/// What every function with a context, a dtype and an array to write says of them; the array is one of 100 elements of 4 bytes.
pub fn context_dtype_and_array<C: Call>(
    table: &Table<C>,
    edit: impl Fn(&mut C) -> (&mut Handle, &mut i32, &mut *mut c_void, &mut usize),
) {
    context(table, |call| edit(call).0);
    unknown_dtypes(table, &[-1, first_unknown::<Dtype>(), 99, i32::MIN, i32::MAX], |call| edit(call).1);
    let unset = ["dtype is GPUMEX_DTYPE_NONE"];
    table.refuses("no dtype", InvalidArgument, &unset, |call| *edit(call).1 = Dtype::None as i32);
    table.refuses("array NULL", NullPointer, &["array is NULL", "100"], |call| *edit(call).2 = null_mut());
    for offset in 1..4 {
        let words = ["array", "multiple of 4"];
        table.refuses(format!("array {offset} bytes off"), InvalidArgument, &words, |call| {
            let array = edit(call).2;
            *array = array.wrapping_byte_add(offset);
        });
    }
    table.does_nothing("no elements at NULL", |call| {
        let (_, _, array, count) = edit(call);
        (*array, *count) = (null_mut(), 0);
    });
}

fn unknown_dtypes<C: Call>(table: &Table<C>, numbers: &[i32], dtype_of: impl Fn(&mut C) -> &mut i32) {
    for &dtype in numbers {
        let words = [&dtype.to_string(), "gpumex_dtype"];
        table.refuses(format!("dtype {dtype}"), InvalidArgument, &words, |call| *dtype_of(call) = dtype);
    }
}
