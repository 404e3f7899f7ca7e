//! gpumex_print and gpumex_print_to: arrays as text, from every kind of memory.

use std::ffi::{CString, c_char, c_void};
use std::process::Command;
use std::ptr::{null, null_mut};

use gpumex::array::Element;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::platform::settings::Backend;

use crate::common::*;

/// What ModernGPU prints of `FillAscending<int>(50, 0, 5)` with `PrintArray(*a, "%6d", 10)`: a space behind every
/// value.
const MODERNGPU: &str = "    0:       0      5     10     15     20     25     30     35     40     45 \n   \
10:      50     55     60     65     70     75     80     85     90     95 \n   \
20:     100    105    110    115    120    125    130    135    140    145 \n   \
30:     150    155    160    165    170    175    180    185    190    195 \n   \
40:     200    205    210    215    220    225    230    235    240    245 \n";

/// Arguments of a call, good ones to begin with.
#[derive(Clone)]
struct Print {
    ctx: Handle,
    dtype: i32,
    array: *const c_void,
    count: usize,
    format: CString,
    columns: usize,
}

impl Print {
    fn of<T: Element>(ctx: &Context, array: *const T, count: usize, format: &str, columns: usize) -> Print {
        let format = CString::new(format).expect("a format has no NUL");
        Print { ctx: ctx.handle, dtype: T::DTYPE as i32, array: array.cast(), count, format, columns }
    }

    fn call(&self, text: *mut u8, capacity: usize, needed: *mut u64) -> i32 {
        let Print { ctx, dtype, array, count, columns, .. } = *self;
        let (format, text) = (self.format.as_ptr(), text.cast());
        // SAFETY: what the pointers promise, or bad arguments that are refused.
        unsafe { gpumex_print(ctx, dtype, array, count, format, columns, text, capacity, needed) }
    }

    fn call_to(&self, write: gpumex_write_callback, user: *mut c_void) -> i32 {
        let Print { ctx, dtype, array, count, columns, .. } = *self;
        // SAFETY: as above; every test hands what its callback takes.
        unsafe { gpumex_print_to(ctx, dtype, array, count, self.format.as_ptr(), columns, write, user) }
    }

    fn needed(&self) -> usize {
        let mut needed = 0;
        ok(self.call(null_mut(), 0, &mut needed), "the size alone");
        needed as usize
    }

    /// The whole text, asked for as C programs do: the size first.
    fn text(&self) -> String {
        let needed = self.needed();
        let mut text = Output::<u8>::new(needed);
        let mut again = 0;
        ok(self.call(text.as_mut_ptr(), needed, &mut again), "gpumex_print");
        assert_eq!(again, needed as u64, "the same array needs as many bytes");
        let mut text = text.written("gpumex_print");
        assert_eq!(text.pop(), Some(0), "a NUL ends the text");
        String::from_utf8(text).expect("numbers are ASCII, and decimal points those of the locale")
    }

    #[track_caller]
    fn refused(&self, status: Status, words: &[&str]) {
        let mut needed = 7;
        refused(
            self.call(null_mut(), 0, &mut needed),
            status,
            &[&["gpumex_print: "], words].concat(),
            "gpumex_print",
        );
        assert_eq!(needed, 7, "needed is left alone");
        let nobody = self.call_to(Some(unwanted), null_mut());
        refused(nobody, status, &[&["gpumex_print_to: "], words].concat(), "gpumex_print_to");
    }
}

unsafe extern "C" fn unwanted(_: *mut c_void, _: *const c_char, _: usize) -> i32 {
    unreachable!("nothing is printed")
}

/// Memory of the library that ends with the test.
struct Memory(*mut c_void);

impl Memory {
    fn holding<T: Element>(ctx: &Context, kind: MemoryKind, values: &[T]) -> Memory {
        let mut memory = null_mut();
        let bytes = size_of_val(values);
        // SAFETY: a pointer; memory of that size.
        unsafe {
            ok(gpumex_malloc(ctx.handle, kind as i32, bytes, &mut memory), "gpumex_malloc");
            ok(gpumex_copy(ctx.handle, memory, values.as_ptr().cast(), bytes), "gpumex_copy");
        }
        Memory(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let status = gpumex_free(self.0);
        assert!(status == 0 || std::thread::panicking(), "gpumex_free: {}", explain(status));
    }
}

fn ascending() -> Vec<i32> {
    (0..50).map(|i| 5 * i).collect()
}

// ------------------------------------------------------------------------------------------------------------- the text

#[test]
fn ascending_numbers_come_out_as_moderngpu_prints_them() {
    for ctx in backends() {
        let values = ascending();
        assert_eq!(
            Print::of(&ctx, values.as_ptr(), 50, "%6d", 10).text(),
            MODERNGPU,
            "{:?}, host",
            ctx.backend
        );
        for kind in MemoryKind::ALL {
            let memory = Memory::holding(&ctx, *kind, &values);
            let text = Print::of(&ctx, memory.0.cast::<i32>(), 50, "%6d", 10).text();
            assert_eq!(text, MODERNGPU, "{:?}, {kind:?}", ctx.backend);
        }
    }
}

/// Larger than the pieces in which a device array comes to the host, with rows across their borders.
#[test]
fn a_large_array_is_printed_whole() {
    let values: Vec<i64> = (0..300_001).map(|i| i * i * i - 5_000_000_000).collect();
    let rows = values.chunks(7).enumerate().map(|(row, values)| {
        let values: String = values.iter().map(|value| format!("<{value}> ")).collect();
        format!("{:5}:  {values}\n", 7 * row)
    });
    let want: String = rows.collect();
    for ctx in backends() {
        for kind in MemoryKind::ALL {
            let memory = Memory::holding(&ctx, *kind, &values);
            let text = Print::of(&ctx, memory.0.cast::<i64>(), values.len(), "<%lld>", 7).text();
            assert_same(text.as_bytes(), want.as_bytes(), format!("{:?}, {kind:?}", ctx.backend));
        }
    }
}

#[test]
fn every_dtype_is_printed() {
    for ctx in backends() {
        let text = |row: String| row.strip_prefix("    0:  ").expect("one row").to_string();
        fn one<T: Element>(ctx: &Context, values: &[T], format: &str) -> String {
            let memory = Memory::holding(ctx, MemoryKind::Device, values);
            Print::of(ctx, memory.0.cast::<T>(), values.len(), format, 9).text()
        }
        let memory = Memory::holding(&ctx, MemoryKind::Device, &[1u8, 0]);
        let dtype = Dtype::Bool as i32;
        let logicals = Print { dtype, ..Print::of(&ctx, memory.0.cast::<u8>(), 2, "%d", 9) }.text();
        let cases = [
            (
                one(&ctx, &[0.5f32, -2.25, f32::MAX], "%6.2lf"),
                "  0.50  -2.25 340282346638528859811704183484516925440.00 \n",
            ),
            (one(&ctx, &[0.5f64, -2.25, 1e300], "%g"), "0.5 -2.25 1e+300 \n"),
            (one(&ctx, &[i8::MIN, 0, i8::MAX], "%d"), "-128 0 127 \n"),
            (one(&ctx, &[i16::MIN, 0, i16::MAX], "%d"), "-32768 0 32767 \n"),
            (one(&ctx, &[i32::MIN, 0, i32::MAX], "%i"), "-2147483648 0 2147483647 \n"),
            (one(&ctx, &[i64::MIN, 0, i64::MAX], "%ld"), "-9223372036854775808 0 9223372036854775807 \n"),
            (one(&ctx, b"abc", "'%c'"), "'a' 'b' 'c' \n"),
            (one(&ctx, &[0, u16::MAX], "%#x"), "0 0xffff \n"),
            (one(&ctx, &[0, u32::MAX], "%u"), "0 4294967295 \n"),
            (one(&ctx, &[0, u64::MAX], "%d"), "0 18446744073709551615 \n"),
            (logicals, "1 0 \n"),
        ];
        assert_eq!(cases.len(), Dtype::ALL.len() - 5, "all but NONE, F16, BF16, C64 and C128");
        for (got, want) in cases {
            assert_eq!(text(got), want, "{:?}", ctx.backend);
        }
    }
}

#[test]
fn an_array_without_elements_is_an_empty_text() {
    for ctx in backends() {
        let nothing = Print::of::<f32>(&ctx, null(), 0, "%f", 10);
        assert_eq!(nothing.text(), "");
        ok(nothing.call_to(Some(unwanted), null_mut()), "gpumex_print_to of nothing");
    }
}

#[test]
fn a_text_is_cut_to_its_capacity_and_the_size_is_told() {
    let (ctx, values) = (Context::cpu(), [1i8, 22, 111]);
    let print = Print::of(&ctx, values.as_ptr(), 3, "%d", 2);
    let whole = "    0:  1 22 \n    2:  111 \n";
    is_cut_to_its_capacity(&print, whole);
    let mut text = [0; 64];
    ok(print.call(text.as_mut_ptr(), text.len(), null_mut()), "needed is NULL");
    assert!(text.starts_with(whole.as_bytes()));
}

/// What comes of each capacity, of a text that is `whole` where there is room for it.
#[track_caller]
fn is_cut_to_its_capacity(print: &Print, whole: &str) {
    for capacity in 0..=whole.len() + 3 {
        let (mut text, mut needed) = (Output::<u8>::new(capacity), 0);
        ok(print.call(text.as_mut_ptr(), capacity, &mut needed), format!("capacity {capacity}"));
        assert_eq!(needed, whole.len() as u64 + 1, "capacity {capacity}");
        let text = text.written(format!("capacity {capacity}"));
        let want = &whole.as_bytes()[..whole.len().min(capacity.saturating_sub(1))];
        if capacity > 0 {
            let end = text.iter().position(|&byte| byte == 0).expect("a NUL ends the text");
            assert_eq!(
                text[..end].escape_ascii().to_string(),
                want.escape_ascii().to_string(),
                "capacity {capacity}"
            );
            assert!(
                text[end + 1..].iter().all(|&byte| byte == u8::POISON),
                "capacity {capacity}: wrote behind the NUL"
            );
        }
    }
}

// ----------------------------------------------------------------------------------------------------------- the locale

pub const ROLES: [Role; 1] = [("prints in Pashto", prints_in_pashto)];

/// The locale of Pashto, compiled into a folder of our own: its decimal point is U+066B, two bytes of UTF-8.
#[test]
fn a_decimal_point_of_several_bytes_is_printed_whole() {
    let folder = std::env::temp_dir().join(format!("gpumex-locale-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let compiled = Command::new("localedef")
        .args(["-i", "ps_AF", "-f", "UTF-8"])
        .arg(folder.join("ps_AF.UTF-8"))
        .output();
    match compiled {
        Ok(output) if output.status.success() => {
            let path = folder.to_str().expect("a name in ASCII");
            in_a_new_process("prints in Pashto", &[("LOCPATH", path), ("LC_ALL", "ps_AF.UTF-8")]);
        }
        Ok(_) => leave_out("the locale ps_AF: localedef has no sources of it"),
        Err(_) => leave_out("the locale ps_AF: localedef is not here"),
    }
    std::fs::remove_dir_all(&folder).expect("our folder");
}

fn prints_in_pashto() {
    // SAFETY: the only thread that looks at the locale.
    if unsafe { libc::setlocale(libc::LC_ALL, c"".as_ptr()) }.is_null() {
        return leave_out("the locale ps_AF: this C library does not take it");
    }
    for ctx in backends() {
        let values = [0.5f64, -2.25, 1e300];
        for (format, want) in [
            ("%.2e", "5\u{66b}00e-01 -2\u{66b}25e+00 1\u{66b}00e+300"),
            ("%g", "0\u{66b}5 -2\u{66b}25 1e+300"),
            ("<%a>", "<0x1p-1> <-0x1\u{66b}2p+1> <0x1\u{66b}7e43c8800759cp+996>"),
        ] {
            let print = Print::of(&ctx, values.as_ptr(), 3, format, 3);
            let want = format!("    0:  {want} \n");
            assert_eq!(print.text(), want, "{:?}, {format}", ctx.backend);
            is_cut_to_its_capacity(&print, &want);
        }
        let long = Print::of(&ctx, [f64::MAX].as_ptr(), 1, "%-+512.512f", 1).text();
        let (whole, digits) = long.trim_end().split_once('\u{66b}').expect("a decimal point");
        assert!(whole.starts_with("    0:  +179769"), "{whole}");
        assert_eq!((whole.len(), digits.len()), (8 + 1 + 309, 512));
    }
}

// --------------------------------------------------------------------------------------------------------- the callback

/// What a callback was handed, and when it stops.
struct Receiver {
    rows: Vec<String>,
    thread: std::thread::ThreadId,
    stop_after: usize,
}

unsafe extern "C" fn receive(user: *mut c_void, text: *const c_char, length: usize) -> i32 {
    // SAFETY: `user` is the Receiver of the test; `length` bytes, as documented.
    let (receiver, text) =
        unsafe { (&mut *user.cast::<Receiver>(), std::slice::from_raw_parts(text.cast::<u8>(), length)) };
    assert_eq!(std::thread::current().id(), receiver.thread, "on the caller's thread");
    receiver.rows.push(String::from_utf8_lossy(text).into_owned());
    if receiver.rows.len() == receiver.stop_after { -3 } else { 0 }
}

fn receiver(stop_after: usize) -> Receiver {
    Receiver { rows: Vec::new(), thread: std::thread::current().id(), stop_after }
}

#[test]
fn a_callback_receives_row_by_row() {
    for ctx in backends() {
        let memory = Memory::holding(&ctx, MemoryKind::Device, &ascending());
        let print = Print::of(&ctx, memory.0.cast::<i32>(), 50, "%6d", 10);
        let mut receiver = receiver(usize::MAX);
        ok(print.call_to(Some(receive), (&raw mut receiver).cast()), "gpumex_print_to");
        let want: Vec<&str> = MODERNGPU.split_inclusive('\n').collect();
        assert_eq!(receiver.rows, want, "{:?}", ctx.backend);
    }
}

#[test]
fn a_callback_stops_the_printing() {
    for ctx in backends() {
        let memory = Memory::holding(&ctx, MemoryKind::Managed, &ascending());
        let print = Print::of(&ctx, memory.0.cast::<i32>(), 50, "%6d", 10);
        let mut receiver = receiver(2);
        let status = print.call_to(Some(receive), (&raw mut receiver).cast());
        refused(status, Status::Cancelled, &["gpumex_print_to: write returned -3"], ctx.backend as i32);
        assert_eq!(receiver.rows.len(), 2);
        assert_eq!(print.text(), MODERNGPU, "the context goes on");
    }
}

unsafe extern "C" fn same_context(user: *mut c_void, _: *const c_char, _: usize) -> i32 {
    // SAFETY: `user` is the pair of the test.
    let (driver, current) = unsafe { &*user.cast::<(cuda::Driver, cuda::CuContext)>() };
    i32::from(driver.current() != *current)
}

#[test]
fn a_callback_runs_with_the_callers_cuda_context() {
    let Some(ctx) = Context::cuda() else { return };
    let memory = Memory::holding(&ctx, MemoryKind::Device, &ascending());
    let driver = cuda::Driver::load();
    driver.set_current(null_mut());
    let mut pair: (cuda::Driver, cuda::CuContext) = (driver, null_mut());
    let print = Print::of(&ctx, memory.0.cast::<i32>(), 50, "%6d", 10);
    ok(print.call_to(Some(same_context), (&raw mut pair).cast()), "no context was current before");
}

// --------------------------------------------------------------------------------------------------------- the refusals

#[test]
fn formats_that_do_not_fit_are_refused() {
    let (ctx, values) = (Context::cpu(), ascending());
    for (format, rule) in [
        ("", "format \"\": it has no conversion"),
        ("%s", "format \"%s\": %s does not fit GPUMEX_DTYPE_I32"),
        ("%f", "%f does not fit GPUMEX_DTYPE_I32"),
        ("%n", "%n does not fit GPUMEX_DTYPE_I32"),
        ("%d %d", "%d is a second conversion"),
        ("%*d", "%* takes its size from an argument"),
        ("%1$d", "%1$ counts arguments"),
        ("%1000d", "%1000d has a width or a precision above 512"),
    ] {
        Print::of(&ctx, values.as_ptr(), 50, format, 10).refused(Status::InvalidArgument, &[rule]);
    }
    Print::of(&ctx, [1.0f64].as_ptr(), 1, "%d", 10)
        .refused(Status::InvalidArgument, &["%d does not fit GPUMEX_DTYPE_F64"]);
}

#[test]
fn bad_arguments_are_refused() {
    for ctx in backends() {
        let values = ascending();
        let good = Print::of(&ctx, values.as_ptr(), 50, "%6d", 10);
        let invalid = |print: Print, words: &[&str]| print.refused(Status::InvalidArgument, words);

        invalid(Print { columns: 0, ..good.clone() }, &["columns is 0"]);
        invalid(Print { dtype: first_unknown::<Dtype>(), ..good.clone() }, &["; a gpumex_dtype is", "0 to "]);
        invalid(Print { dtype: -1, ..good.clone() }, &["dtype is -1; a gpumex_dtype is"]);
        invalid(Print { dtype: 0, ..good.clone() }, &["dtype is GPUMEX_DTYPE_NONE"]);
        for (dtype, name) in [(Dtype::F16, "GPUMEX_DTYPE_F16"), (Dtype::Bf16, "GPUMEX_DTYPE_BF16")] {
            Print { dtype: dtype as i32, ..good.clone() }.refused(Status::Unsupported, &["dtype is", name]);
        }
        invalid(Print { count: usize::MAX, ..good.clone() }, &["ends beyond the address space"]);
        invalid(Print { array: good.array.wrapping_byte_add(2), ..good.clone() }, &["multiple of 4 bytes"]);
        Print { array: null(), ..good.clone() }
            .refused(Status::NullPointer, &["array is NULL and has 50 elements"]);

        let memory = Memory::holding(&ctx, MemoryKind::Device, &values);
        let lent = Print { array: memory.0, ..good.clone() };
        invalid(Print { count: 51, ..lent.clone() }, &["array has 200 bytes, 204 are needed"]);
        drop(memory);
        invalid(lent, &["memory that was freed"]);

        // SAFETY: NULL is refused.
        let status = unsafe {
            gpumex_print(ctx.handle, Dtype::I32 as i32, good.array, 50, null(), 10, null_mut(), 0, null_mut())
        };
        refused(status, Status::NullPointer, &["format is NULL"], "gpumex_print");
        refused(good.call_to(None, null_mut()), Status::NullPointer, &["write is NULL"], "gpumex_print_to");
        let status = good.call(null_mut(), 9, null_mut());
        refused(status, Status::NullPointer, &["text is NULL and has 9 elements"], "gpumex_print");
    }
}

#[test]
fn a_text_on_the_array_is_refused() {
    let (ctx, mut values) = (Context::cpu(), ascending());
    let print = Print::of(&ctx, values.as_ptr(), 50, "%6d", 10);
    let text = values.as_mut_ptr().cast::<u8>().wrapping_add(199);
    refused(
        print.call(text, 1, null_mut()),
        Status::InvalidArgument,
        &["text overlaps array"],
        "gpumex_print",
    );
    assert_eq!(values, ascending(), "the array is left alone");
}

#[test]
fn a_text_on_the_format_is_refused() {
    for ctx in backends() {
        let (values, mut memory) = (ascending(), [b'.'; 64]);
        let (begin, nul) = (20, 23);
        memory[begin..=nul].copy_from_slice(b"%6d\0");
        let (before, to, mut needed) = (memory, memory.as_mut_ptr(), 7);
        let dtype = Dtype::I32 as i32;
        let mut print = |at: usize, capacity| {
            let (array, format, text) =
                (values.as_ptr().cast(), to.wrapping_add(begin).cast(), to.wrapping_add(at).cast());
            // SAFETY: 50 numbers, a format that ends with a NUL, a text within the memory.
            unsafe { gpumex_print(ctx.handle, dtype, array, 50, format, 10, text, capacity, &mut needed) }
        };
        for (at, capacity) in [(begin, 1), (begin, 40), (begin + 2, 1), (nul, 1), (begin - 1, 2), (0, 64)] {
            let words = ["gpumex_print: text overlaps format", "lie apart"];
            let what = format!("{:?}, {capacity} bytes from {at}", ctx.backend);
            refused(print(at, capacity), Status::InvalidArgument, &words, what);
        }
        for (at, capacity) in [(begin, 0), (0, begin), (nul + 1, 40)] {
            ok(print(at, capacity), format!("{:?}, {capacity} bytes from {at}", ctx.backend));
        }
        assert_eq!(needed, MODERNGPU.len() as u64 + 1);
        assert_eq!(memory[begin..=nul], before[begin..=nul], "the format is left alone");
        assert!(MODERNGPU.as_bytes().starts_with(&memory[nul + 1..63]), "the text behind it");
    }
}

#[test]
fn device_memory_is_no_place_for_text_and_nothing_for_the_cpu() {
    let Some(ctx) = Context::cuda() else { return };
    let memory = Memory::holding(&ctx, MemoryKind::Device, &ascending());
    let values = ascending();
    let status = Print::of(&ctx, values.as_ptr(), 50, "%6d", 10).call(memory.0.cast(), 200, null_mut());
    refused(status, Status::Unsupported, &["text is memory of CUDA device"], "gpumex_print");
    let cpu = Context::open(Backend::Cpu).expect("the CPU is always there");
    Print::of(&cpu, memory.0.cast::<i32>(), 50, "%6d", 10)
        .refused(Status::Unsupported, &["array is memory of CUDA device"]);
}
