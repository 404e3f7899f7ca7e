//! What cannot be part of a graph answers UNSUPPORTED, and the capture goes on.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::life::LifeVariant;
use gpumex::model::raytrace::RaytraceVariant;
use gpumex::ops::matmul::MatmulVariant;

use super::{DeviceArray, with_device};
use crate::common::*;
use crate::context::create_with::{create, stream_of};
use crate::context::events::event_of;

/// A call with 1 MiB of the device and 1 MiB of managed memory.
type Refused = (&'static str, fn(Handle, *mut c_void, *mut c_void) -> i32);

const KIB: usize = 1 << 10;

fn life(ctx: Handle, variant: LifeVariant, memory: *mut c_void) -> i32 {
    let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
    // SAFETY: two boards of 100 x 100 bytes in the memory.
    unsafe { gpumex_life(ctx, &options, memory, 100, 100, 3, memory.wrapping_byte_add(64 * KIB)) }
}

#[rustfmt::skip] // a table
const REFUSED: &[Refused] = &[
    ("gpumex_add", |ctx, device, _| {
        let (x, options) = ([1.0f32; 8], AddOptions { dtype: Dtype::F32 as i32, ..AddOptions::default() });
        // SAFETY: 8 elements of the host and of the device.
        unsafe { gpumex_add(ctx, &options, x.as_ptr().cast(), device, 8) }
    }),
    ("gpumex_copy", |ctx, device, managed| {
        // SAFETY: 1 KiB each.
        unsafe { gpumex_copy(ctx, managed, device, KIB) }
    }),
    ("gpumex_copy", |ctx, device, _| {
        let mut host = [0u8; KIB];
        // SAFETY: 1 KiB each.
        unsafe { gpumex_copy(ctx, host.as_mut_ptr().cast(), device, KIB) }
    }),
    ("gpumex_histogram", |ctx, _, _| count(ctx)),
    ("gpumex_life", |ctx, _, _| work(ctx, 3)),
    ("gpumex_life", |ctx, device, _| life(ctx, LifeVariant::Texture, device)),
    ("gpumex_life", |ctx, device, _| life(ctx, LifeVariant::TextureBytes, device)),
    ("gpumex_raytrace", |ctx, device, _| {
        let options = RaytraceOptions { variant: RaytraceVariant::Constant as i32, ..RaytraceOptions::default() };
        // SAFETY: 10 spheres and 100 pixels in the memory.
        unsafe { gpumex_raytrace(ctx, &options, device.cast(), 10, 10, 10, device.wrapping_byte_add(64 * KIB).cast()) }
    }),
    ("gpumex_matmul", |ctx, device, _| {
        let options = MatmulOptions {
            variant: MatmulVariant::Cublas as i32, dtype: Dtype::F32 as i32, ..MatmulOptions::default()
        };
        // SAFETY: three matrices of 16 x 16 in the memory.
        unsafe { gpumex_matmul(ctx, &options, 16, 16, 16, device, device, device.wrapping_byte_add(64 * KIB)) }
    }),
    ("gpumex_compact", |ctx, device, _| {
        let (options, mut needed) = (CompactOptions { dtype: Dtype::U32 as i32, ..CompactOptions::default() }, 0);
        let kept = device.wrapping_byte_add(64 * KIB);
        // SAFETY: 100 elements and flags in the memory, and room; one number of the host.
        unsafe { gpumex_compact(ctx, &options, device, device.cast(), 100, kept, null_mut(), 100, &mut needed) }
    }),
    ("gpumex_check_sorted", |ctx, device, _| {
        let (options, mut bad) = (CheckSortedOptions { dtype: Dtype::U32 as i32, ..CheckSortedOptions::default() }, 0);
        // SAFETY: 100 keys, one number.
        unsafe { gpumex_check_sorted(ctx, &options, device, 100, &mut bad) }
    }),
    ("gpumex_gather", |ctx, device, _| {
        let (dtype, to) = (Dtype::U32 as i32, device.wrapping_byte_add(64 * KIB));
        let options = GatherOptions { dtype, index_dtype: dtype, check: 1, ..GatherOptions::default() };
        let zeros = device.wrapping_byte_add(512 * KIB); // that no other call writes
        // SAFETY: 100 elements and indices in the memory, and room.
        unsafe { gpumex_gather(ctx, &options, device, 100, zeros, 100, to) }
    }),
    ("gpumex_gather_nd", |ctx, device, _| {
        let (dtype, to) = (Dtype::U32 as i32, device.wrapping_byte_add(64 * KIB));
        let zeros = device.wrapping_byte_add(512 * KIB).cast_const(); // that no other call writes
        let options = GatherNdOptions {
            dtype,
            check: 1,
            shape: &100,
            indices: &zeros,
            index_dtypes: &dtype,
            ..GatherNdOptions::default()
        };
        // SAFETY: 100 elements and indices in the memory, and room.
        unsafe { gpumex_gather_nd(ctx, &options, device, to) }
    }),
    ("gpumex_check_edges", |ctx, device, _| {
        let mut bad = 0;
        // SAFETY: 100 doubles, one number.
        unsafe { gpumex_check_edges(ctx, device.cast(), 100, &mut bad) }
    }),
    ("gpumex_words", |ctx, device, _| {
        let [at, len, count] = [64, 65, 66].map(|kib| device.wrapping_byte_add(kib * KIB));
        // SAFETY: 1 KiB of text, room for 10 words, no summary.
        unsafe { gpumex_words(ctx, null(), device, KIB, 10, at, len, count, null_mut()) }
    }),
    ("gpumex_print", |ctx, device, _| {
        let mut text = [0u8; KIB];
        // SAFETY: 10 numbers, a format, room for text.
        unsafe {
            gpumex_print(ctx, Dtype::U32 as i32, device, 10, c"%u".as_ptr(), 5, text.as_mut_ptr().cast(), KIB, null_mut())
        }
    }),
    // SAFETY: 1 KiB of managed memory.
    ("gpumex_prefetch", |ctx, _, managed| unsafe { gpumex_prefetch(ctx, managed, KIB, 0) }),
    ("gpumex_timer_start", |ctx, _, _| gpumex_timer_start(ctx)),
    ("gpumex_timer_stop", |ctx, _, _| {
        let mut ms = 0.0;
        // SAFETY: a double.
        unsafe { gpumex_timer_stop(ctx, &mut ms) }
    }),
    ("gpumex_context_synchronize", |ctx, _, _| gpumex_context_synchronize(ctx)),
    ("gpumex_context_destroy", |ctx, _, _| gpumex_context_destroy(ctx)),
];

#[test]
fn what_waits_or_reads_back_is_refused_and_the_capture_goes_on() {
    on_cuda_in_a_new_process("what_waits_or_reads_back_is_refused_and_the_capture_goes_on");
}

pub fn role_what_waits_or_reads_back_is_refused_and_the_capture_goes_on() {
    with_device(|driver, ctx| {
        let stream = stream_of(ctx).unwrap();
        let device = DeviceArray::holding(ctx, &vec![0; KIB * KIB]);
        let (mut managed, event) = (null_mut(), event_of(ctx));
        // SAFETY: a pointer to write to.
        ok(
            unsafe { gpumex_malloc(ctx.handle, MemoryKind::Managed as i32, KIB * KIB, &mut managed) },
            "gpumex_malloc",
        );
        ok(gpumex_timer_start(ctx.handle), "gpumex_timer_start");
        ok(gpumex_event_record(ctx.handle, event), "gpumex_event_record");
        driver.begin_capture(stream);
        for (name, call) in REFUSED {
            let words = [*name, "captured into a CUDA graph"];
            refused(call(ctx.handle, device.at, managed), Status::Unsupported, &words, name);
            assert!(driver.is_capturing(stream), "{name} has invalidated the capture");
        }
        let words = ["gpumex_event_wait", "recorded outside of it"];
        refused(gpumex_event_wait(ctx.handle, event), Status::Unsupported, &words, "an event from outside");
        let wrong = work_with_a_wrong_size(ctx.handle, device.at);
        refused(wrong, Status::InvalidArgument, &["gpumex_add"], "bad input is told as ever");
        assert!(driver.is_capturing(stream));
        drop(driver.end_capture(stream));
        for (name, call) in REFUSED.iter().filter(|(name, _)| *name != "gpumex_context_destroy") {
            let status = call(ctx.handle, device.at, managed);
            let is_without_cublas =
                status == Status::Unsupported as i32 && last_error().contains("cannot load");
            assert!(status == 0 || is_without_cublas, "{name} afterwards: {}", explain(status));
        }
        ok(gpumex_event_destroy(event), "gpumex_event_destroy");
        ok(gpumex_free(managed), "gpumex_free");
    });
}

fn work_with_a_wrong_size(ctx: Handle, device: *mut c_void) -> i32 {
    let options = AddOptions { dtype: Dtype::F32 as i32, ..AddOptions::default() };
    // SAFETY: refused, since it is more than the memory has.
    unsafe { gpumex_add(ctx, &options, device, device.wrapping_byte_add(512 * KIB), KIB * KIB) }
}

/// Work in the legacy default stream would depend on the capture: the driver refuses it, and so do we before.
#[test]
fn a_context_on_the_legacy_stream_is_refused_while_another_stream_is_captured() {
    on_cuda_in_a_new_process("a_context_on_the_legacy_stream_is_refused_while_another_stream_is_captured");
}

pub fn role_a_context_on_the_legacy_stream_is_refused_while_another_stream_is_captured() {
    with_device(|driver, ctx| {
        let legacy = create(&ContextOptions { on_stream: 1, ..ContextOptions::default() });
        let legacy = legacy.unwrap_or_else(|reason| panic!("{reason}"));
        let (stream, array) = (stream_of(ctx).unwrap(), DeviceArray::new(&legacy, KIB));
        let fill = || {
            // SAFETY: 1 KiB of the device, one byte.
            unsafe { gpumex_fill(legacy.handle, Dtype::U8 as i32, array.at, KIB, [1u8].as_ptr().cast()) }
        };
        driver.begin_capture(stream);
        refused(fill(), Status::Unsupported, &["legacy default stream", "captured"], "the legacy stream");
        assert!(driver.is_capturing(stream));
        drop(driver.end_capture(stream));
        ok(fill(), "afterwards");
    });
}
