//! What a context tells of its device: backend, struct, text and the time of its kernels.

use std::mem::offset_of;
use std::ptr::null_mut;
use std::time::Instant;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::device_info::DeviceInfo;
use gpumex::platform::settings::Backend;

use super::every_call::*;
use crate::common::*;

fn kernel_ms_of(ctx: Handle) -> f64 {
    let mut ms = -1.0;
    // SAFETY: a double.
    ok(unsafe { gpumex_context_kernel_ms(ctx, &mut ms) }, "gpumex_context_kernel_ms");
    ms
}

#[test]
fn a_context_tells_its_backend() {
    for ctx in backends() {
        assert_eq!(backend_of(ctx.handle), Ok(ctx.backend as i32), "{:?}", ctx.backend);
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_context_backend(ctx.handle, null_mut()) };
        refused(status, Status::NullPointer, &["gpumex_context_backend", "backend is NULL"], "NULL result");
    }
}

#[test]
fn the_cpu_backend_ignores_the_device() {
    let handle = gpumex_context_create(Backend::Cpu as i32, 99);
    assert_eq!(backend_of(handle), Ok(Backend::Cpu as i32), "{}", last_error());
    assert_eq!(info_of(handle).device, -1);
    ok(gpumex_context_destroy(handle), "gpumex_context_destroy");
}

#[test]
fn device_info_describes_the_cpu() {
    let info = info_of(Context::cpu().handle);
    assert_eq!((info.size, info.backend, info.device), (size_of::<DeviceInfo>(), Backend::Cpu as i32, -1));
    assert!(info.multiprocessors >= 1, "threads: {}", info.multiprocessors);
    assert_eq!((info.compute_major, info.compute_minor, info.ecc, info.driver_version), (0, 0, 0, 0));
    assert_eq!((info.l2_bytes, info.shared_bytes_per_block), (0, 0));
    assert!(info.total_memory > 1 << 20, "total memory: {}", info.total_memory);
    assert!(info.free_memory <= info.total_memory, "free {} of {}", info.free_memory, info.total_memory);
}

#[test]
fn device_info_describes_the_gpu() {
    let Some(ctx) = Context::cuda() else { return };
    let info = info_of(ctx.handle);
    assert_eq!((info.size, info.backend), (size_of::<DeviceInfo>(), Backend::Cuda as i32));
    assert!(
        info.device >= 0 && info.multiprocessors > 0,
        "device {}, {} SMs",
        info.device,
        info.multiprocessors
    );
    assert!(
        info.compute_major >= 7 && info.compute_minor >= 0,
        "sm_{}{}",
        info.compute_major,
        info.compute_minor
    );
    let is_clock = |khz: i32| khz == 0 || khz > 100_000; // 0 where unknown
    assert!(
        is_clock(info.clock_khz) && is_clock(info.memory_clock_khz),
        "clocks: {}, {}",
        info.clock_khz,
        info.memory_clock_khz
    );
    assert!(
        [0, 1].contains(&info.ecc) && info.driver_version >= 13_000,
        "ecc {}, driver {}",
        info.ecc,
        info.driver_version
    );
    assert!(info.total_memory > 1 << 30, "total memory: {}", info.total_memory);
    assert!(info.free_memory <= info.total_memory, "free {} of {}", info.free_memory, info.total_memory);
    assert!(info.l2_bytes > 0 && info.shared_bytes_per_block >= 48 << 10, "caches");
    let bandwidth = f64::from(info.memory_clock_khz) * f64::from(info.memory_bus_bits) * 2.0 / 8.0 / 1e6;
    assert!(
        (info.bandwidth_gbs - bandwidth).abs() <= 1e-9 * bandwidth,
        "{} GB/s, want {bandwidth}",
        info.bandwidth_gbs
    );
}

#[test]
fn device_info_writes_as_many_bytes_as_the_caller_has() {
    for ctx in backends() {
        let whole = info_of(ctx.handle);
        let known = size_of::<DeviceInfo>();
        let (after_name, before_memory) =
            (offset_of!(DeviceInfo, multiprocessors), offset_of!(DeviceInfo, total_memory));
        for size in [
            size_of::<usize>(),
            after_name,
            after_name + 2,
            before_memory,
            known,
            known + 8,
            known + 100,
            4096,
        ] {
            let mut memory = [u64::POISON; 4096 / 8 + 8];
            memory[0] = size as u64;
            // SAFETY: `size` bytes are there.
            let status = unsafe { gpumex_context_device_info(ctx.handle, memory.as_mut_ptr().cast()) };
            ok(status, format!("{:?}, a struct of {size} bytes", ctx.backend));
            let bytes: Vec<u8> = memory.iter().flat_map(|word| word.to_ne_bytes()).collect();
            assert_eq!(memory[0], size as u64, "{:?}: size stays what the caller set", ctx.backend);
            let is_written_behind = bytes[size..].iter().position(|&byte| byte != u8::POISON);
            assert_eq!(is_written_behind, None, "{:?}: bytes written behind a struct of {size}", ctx.backend);
            // The name is the same in every version of the struct that has it.
            let name = offset_of!(DeviceInfo, name)..after_name.min(size.max(offset_of!(DeviceInfo, name)));
            let want: Vec<u8> = whole.name.iter().take(name.len()).map(|&c| c as u8).collect();
            assert_same(&bytes[name], &want, format!("{:?}: name in a struct of {size} bytes", ctx.backend));
        }
    }
}

#[test]
fn device_info_refuses_a_size_that_is_none() {
    for ctx in backends() {
        for size in [0, 4, 7, 4097, 5000, usize::MAX] {
            let mut memory = [u64::POISON; 1024];
            memory[0] = size as u64;
            // SAFETY: 8 KiB, more than any size that is accepted.
            let status = unsafe { gpumex_context_device_info(ctx.handle, memory.as_mut_ptr().cast()) };
            let words = ["gpumex_context_device_info", "size", &size.to_string()];
            refused(status, Status::InvalidArgument, &words, format!("size {size}"));
            assert!(memory[1..].iter().all(|&word| word == u64::POISON), "size {size}: nothing is written");
        }
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_context_device_info(ctx.handle, null_mut()) };
        refused(status, Status::NullPointer, &["gpumex_context_device_info", "info is NULL"], "NULL struct");
    }
}

#[test]
fn device_text_contains_the_name_and_the_memory() {
    for ctx in backends() {
        let info = info_of(ctx.handle);
        let name = text_at(info.name.as_ptr());
        assert!(!name.is_empty(), "{:?}: the device has a name", ctx.backend);
        let lines = text_at(gpumex_context_device_text(ctx.handle));
        let mib = (info.total_memory >> 20).to_string();
        let sm = format!("sm_{}{}", info.compute_major, info.compute_minor);
        let words = if ctx.backend == Backend::Cuda { vec![&name, &mib, &sm] } else { vec![&name, &mib] };
        for word in words {
            assert!(lines.contains(word.as_str()), "{:?}: want \"{word}\" in the text\n{lines}", ctx.backend);
        }
    }
}

#[test]
fn kernel_ms_is_refused_where_operations_are_not_timed() {
    for ctx in backends() {
        let backend = ctx.backend;
        let ask = || {
            let mut ms = 77.0;
            // SAFETY: a double.
            (unsafe { gpumex_context_kernel_ms(ctx.handle, &mut ms) }, ms)
        };
        for _ in 0..2 {
            ok(work(ctx.handle, 20), "gpumex_life");
            let (status, ms) = ask();
            refused(
                status,
                Status::InvalidArgument,
                &["gpumex_context_set_timing (ctx, 1)"],
                format!("{backend:?}"),
            );
            assert_eq!(ms, 77.0, "{backend:?}: nothing is written");
            ok(gpumex_context_set_timing(ctx.handle, 1), "gpumex_context_set_timing");
            ok(work(ctx.handle, 20), "gpumex_life");
            let (status, ms) = ask();
            assert!(status == 0 && ms > 0.0, "{backend:?}: status {status}, {ms} ms");
            ok(gpumex_context_set_timing(ctx.handle, 1), "gpumex_context_set_timing again");
            assert_eq!(ask(), (0, ms), "{backend:?}: the time is kept");
            refused(
                gpumex_context_set_timing(ctx.handle, 2),
                Status::InvalidArgument,
                &["gpumex_context_set_timing", "timed is 2"],
                format!("{backend:?}"),
            );
            ok(gpumex_context_set_timing(ctx.handle, 0), "gpumex_context_set_timing (ctx, 0)");
        }
    }
}

#[test]
fn kernel_ms_is_0_at_first_and_then_the_time_of_the_last_operation() {
    for ctx in backends() {
        let backend = ctx.backend;
        ok(gpumex_context_set_timing(ctx.handle, 1), "gpumex_context_set_timing");
        assert_eq!(kernel_ms_of(ctx.handle), 0.0, "{backend:?} before the first operation");
        for (name, call) in CALLS
            .iter()
            .filter(|(name, _)| ["gpumex_life", "gpumex_histogram", "gpumex_matmul"].contains(name))
        {
            ok(call(ctx.handle), name);
            let ms = kernel_ms_of(ctx.handle);
            assert!(ms > 0.0 && ms < 60e3, "{backend:?}: {ms} ms after {name}");
        }
        let start = Instant::now();
        ok(work(ctx.handle, 2000), "gpumex_life");
        let (wall_ms, long_ms) = (start.elapsed().as_secs_f64() * 1e3, kernel_ms_of(ctx.handle));
        assert!(long_ms > 0.02 && long_ms <= wall_ms, "{backend:?}: {long_ms} ms of kernels in {wall_ms} ms");
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_context_kernel_ms(ctx.handle, null_mut()) };
        refused(
            status,
            Status::NullPointer,
            &["gpumex_context_kernel_ms", "kernel_ms is NULL"],
            "NULL result",
        );
    }
}
