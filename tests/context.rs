//! Contexts and what stands around them: tokens, devices, threads, settings, texts, the caller's CUDA context.

mod common;

use std::ffi::{CStr, c_char, c_void};
use std::mem::offset_of;
use std::process::Command;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use common::{histogram, matmul, raytrace, *};
use gpumex::context::DeviceInfo;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;
use gpumex::settings::Backend;

// ------------------------------------------------------------------------------------------------------------ helpers

fn text(pointer: *const c_char) -> String {
    assert!(!pointer.is_null(), "a text is NULL: {}", last_error());
    // SAFETY: a NUL-terminated text of the library.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

fn token_of(number: usize) -> Token {
    without_provenance_mut(number)
}

fn backend_of(ctx: Token) -> Result<i32, i32> {
    let mut backend = -7;
    // SAFETY: an int32_t.
    let status = unsafe { gpumex_context_backend(ctx, &mut backend) };
    if status == 0 { Ok(backend) } else { Err(status) }
}

fn info_of(ctx: Token) -> DeviceInfo {
    // SAFETY: numbers only; any bytes are a value.
    let mut info: DeviceInfo = unsafe { std::mem::zeroed() };
    info.size = size_of::<DeviceInfo>();
    // SAFETY: a struct with its size.
    ok(unsafe { gpumex_context_device_info(ctx, &mut info) }, "gpumex_context_device_info");
    info
}

fn kernel_ms_of(ctx: Token) -> f64 {
    let mut ms = -1.0;
    // SAFETY: a double.
    ok(unsafe { gpumex_context_kernel_ms(ctx, &mut ms) }, "gpumex_context_kernel_ms");
    ms
}

/// Life on a board of 500 x 500, for some milliseconds a hundred generations.
fn work(ctx: Token, generations: u64) -> i32 {
    let (board, mut next) = (random_board(1, 250_000), vec![0u8; 250_000]);
    // SAFETY: both hold 500*500 bytes.
    unsafe {
        gpumex_life(ctx, null(), board.as_ptr().cast(), 500, 500, generations, next.as_mut_ptr().cast())
    }
}

/// The status of counting 100 bytes.
fn count(ctx: Token) -> i32 {
    let (data, mut counts) = ([1u8; 100], [0u64; 256]);
    // SAFETY: 100 bytes, 256 counters.
    unsafe { gpumex_histogram(ctx, null(), data.as_ptr().cast(), 100, counts.as_mut_ptr().cast(), 256) }
}

/// The status of counting 100 bytes on the default context; the counts have to be right.
fn plain_count() -> i32 {
    let (data, mut counts) = ([1u8; 100], [0u64; 256]);
    // SAFETY: 100 bytes, 256 counters.
    let status = unsafe { gpumex::ffi::histogram(data.as_ptr(), 100, counts.as_mut_ptr()) };
    assert!(status != 0 || counts[1] == 100, "histogram: got {} bytes of 1, want 100", counts[1]);
    status
}

/// Tests that ask which context the default one is, or replace it, take turns.
fn default_is_mine() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poison| poison.into_inner())
}

type Call = (&'static str, fn(Token) -> i32);

/// Every call that takes a context, by name, as a status.
const CALLS: [Call; 10] = [
    ("gpumex_context_backend", |ctx| backend_of(ctx).err().unwrap_or(0)),
    ("gpumex_context_synchronize", |ctx| gpumex_context_synchronize(ctx)),
    ("gpumex_context_device_info", |ctx| {
        // SAFETY: numbers only; any bytes are a value.
        let mut info = DeviceInfo { size: size_of::<DeviceInfo>(), ..unsafe { std::mem::zeroed() } };
        // SAFETY: a struct with its size.
        unsafe { gpumex_context_device_info(ctx, &mut info) }
    }),
    ("gpumex_context_device_text", |ctx| {
        let is_null = gpumex_context_device_text(ctx).is_null();
        // A text has no status: the sentence tells what went wrong.
        let failures =
            [("in use", Status::Busy), ("is NULL", Status::NullPointer), ("", Status::InvalidArgument)];
        let status =
            failures.into_iter().find(|(word, _)| last_error().contains(word)).map(|(_, status)| status);
        if is_null { status.map_or(-1, |status| status as i32) } else { 0 }
    }),
    ("gpumex_context_kernel_ms", |ctx| {
        let mut ms = 0.0;
        // SAFETY: a double.
        unsafe { gpumex_context_kernel_ms(ctx, &mut ms) }
    }),
    ("gpumex_histogram", count),
    ("gpumex_life", |ctx| work(ctx, 0)),
    ("gpumex_matmul", |ctx| {
        let (a, b, mut c) = ([1.0f32], [2.0f32], [0.0f32]);
        let (a, b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
        // SAFETY: one element each.
        unsafe { gpumex_matmul(ctx, null(), 1, 1, 1, a, b, to) }
    }),
    ("gpumex_raytrace", |ctx| {
        let mut image = [0u8; 4];
        // SAFETY: no spheres, one pixel.
        unsafe { gpumex_raytrace(ctx, null(), null(), 0, 1, 1, image.as_mut_ptr()) }
    }),
    ("gpumex_context_destroy", |ctx| gpumex_context_destroy(ctx)),
];

// ------------------------------------------------------------------------------------------------------------- tokens

#[test]
fn a_context_lives_from_create_to_destroy() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let token = gpumex_context_create(backend as i32, -1);
        assert!(!token.is_null(), "{backend:?}: {}", last_error());
        for (name, call) in CALLS {
            ok(call(token), format!("{name} on {backend:?}")); // the last one destroys it
        }
        for (name, call) in CALLS {
            let what = format!("{name} with a destroyed {backend:?} context");
            refused(
                call(token),
                Status::InvalidArgument,
                &[name, &format!("{token:p}"), "not a live context"],
                what,
            );
        }
    }
}

#[test]
fn an_invented_token_is_refused_and_never_dereferenced() {
    let ctx = Context::cpu();
    let (alive, local) = (ctx.token as usize, 7u64);
    let near = [alive - 1, alive + 1, alive ^ (1 << 62), alive + (1 << 40)];
    let far = [
        1,
        3,
        7,
        8,
        0x1234,
        0xdead_beef,
        usize::MAX,
        usize::MAX - 4,
        isize::MAX as usize,
        &raw const local as usize,
    ];
    for number in near.into_iter().chain(far) {
        for (name, call) in CALLS {
            let what = format!("{name} with the invented context {number:#x}");
            refused(call(token_of(number)), Status::InvalidArgument, &[name, &format!("{number:#x}")], what);
        }
    }
    ok(count(ctx.token), "the live context beside them");
}

#[test]
fn null_is_no_context_but_may_be_destroyed() {
    for (name, call) in CALLS {
        match name {
            "gpumex_context_destroy" => ok(call(null_mut()), name),
            _ => refused(call(null_mut()), Status::NullPointer, &[name, "ctx"], format!("{name} with NULL")),
        }
    }
}

#[test]
fn tokens_are_not_used_twice() {
    let mut seen = Vec::new();
    for round in 0..200 {
        let token = gpumex_context_create(Backend::Cpu as i32, -1) as usize;
        assert!(token != 0, "round {round}: {}", last_error());
        assert!(!seen.contains(&token), "round {round}: token {token:#x} was another context's before");
        seen.push(token);
        ok(gpumex_context_destroy(token_of(token)), format!("round {round}"));
    }
    for token in seen {
        assert_eq!(
            backend_of(token_of(token)),
            Err(Status::InvalidArgument as i32),
            "token {token:#x} is destroyed"
        );
    }
}

#[test]
fn many_contexts_live_at_once() {
    let mut alive: Vec<Context> = (0..300).map(|_| Context::cpu()).collect();
    let mut random = random(1);
    while !alive.is_empty() {
        ok(
            count(alive[random.random_range(0..alive.len())].token),
            format!("one of {} contexts", alive.len()),
        );
        alive.swap_remove(random.random_range(0..alive.len())); // destroys it
    }
}

#[test]
fn an_unknown_backend_or_device_gives_null_and_a_sentence() {
    for backend in [-1, 3, 99, i32::MIN, i32::MAX] {
        assert!(gpumex_context_create(backend, -1).is_null(), "backend {backend}");
        says(
            &["gpumex_context_create", &backend.to_string(), "gpumex_backend"],
            format!("backend {backend}"),
        );
    }
    for device in [-2, i32::MIN] {
        for backend in [0, 1, 2] {
            assert!(gpumex_context_create(backend, device).is_null(), "backend {backend}, device {device}");
            says(&["gpumex_context_create", "device", &device.to_string()], format!("device {device}"));
        }
    }
}

#[test]
fn a_cuda_device_that_is_not_there_gives_null_and_a_sentence() {
    let is_here = Context::cuda().is_some();
    for device in [99, i32::MAX] {
        assert!(gpumex_context_create(Backend::Cuda as i32, device).is_null(), "device {device}");
        let device = device.to_string();
        let words = if is_here {
            vec!["gpumex_context_create", "device", &device]
        } else {
            vec!["gpumex_context_create"]
        };
        says(&words, format!("device {device}"));
    }
}

#[test]
fn cuda_by_name_gives_null_and_a_reason_where_it_is_absent() {
    if Context::cuda().is_some() {
        return;
    }
    assert!(gpumex_context_create(Backend::Cuda as i32, -1).is_null());
    let sentence = last_error();
    let reasons =
        ["no CUDA kernels", "no CUDA driver", "did not start", "too old", "no device", "cannot run"];
    let has_reason = reasons.iter().any(|reason| sentence.contains(reason));
    assert!(has_reason, "the sentence has to say why CUDA cannot be used, and is \"{sentence}\"");
    ok(count(Context::cpu().token), "the CPU backend afterwards");
}

// ------------------------------------------------------------------------------------------------------------ devices

#[test]
fn a_context_tells_its_backend() {
    for ctx in backends() {
        assert_eq!(backend_of(ctx.token), Ok(ctx.backend as i32), "{:?}", ctx.backend);
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_context_backend(ctx.token, null_mut()) };
        refused(status, Status::NullPointer, &["gpumex_context_backend", "backend is NULL"], "NULL result");
    }
}

#[test]
fn auto_takes_cuda_where_it_works_and_else_the_cpu() {
    let want =
        if Context::cuda().is_some() { "auto: Ok(2), default: Ok(2)" } else { "auto: Ok(1), default: Ok(1)" };
    let printed = in_a_new_process("prints the backend", &[]);
    assert!(printed.contains(want), "want {want}, got {printed}");
}

#[test]
fn the_cpu_backend_ignores_the_device() {
    let token = gpumex_context_create(Backend::Cpu as i32, 99);
    assert_eq!(backend_of(token), Ok(Backend::Cpu as i32), "{}", last_error());
    assert_eq!(info_of(token).device, -1);
    ok(gpumex_context_destroy(token), "gpumex_context_destroy");
}

#[test]
fn device_info_describes_the_cpu() {
    let info = info_of(Context::cpu().token);
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
    let info = info_of(ctx.token);
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
        let whole = info_of(ctx.token);
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
            let status = unsafe { gpumex_context_device_info(ctx.token, memory.as_mut_ptr().cast()) };
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
            let status = unsafe { gpumex_context_device_info(ctx.token, memory.as_mut_ptr().cast()) };
            let words = ["gpumex_context_device_info", "size", &size.to_string()];
            refused(status, Status::InvalidArgument, &words, format!("size {size}"));
            assert!(memory[1..].iter().all(|&word| word == u64::POISON), "size {size}: nothing is written");
        }
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_context_device_info(ctx.token, null_mut()) };
        refused(status, Status::NullPointer, &["gpumex_context_device_info", "info is NULL"], "NULL struct");
    }
}

#[test]
fn device_text_contains_the_name_and_the_memory() {
    for ctx in backends() {
        let info = info_of(ctx.token);
        let name = text(info.name.as_ptr());
        assert!(!name.is_empty(), "{:?}: the device has a name", ctx.backend);
        let lines = text(gpumex_context_device_text(ctx.token));
        let mib = (info.total_memory >> 20).to_string();
        let sm = format!("sm_{}{}", info.compute_major, info.compute_minor);
        let words = if ctx.backend == Backend::Cuda { vec![&name, &mib, &sm] } else { vec![&name, &mib] };
        for word in words {
            assert!(lines.contains(word.as_str()), "{:?}: want \"{word}\" in the text\n{lines}", ctx.backend);
        }
    }
}

#[test]
fn kernel_ms_is_0_at_first_and_then_the_time_of_the_last_operation() {
    for ctx in backends() {
        let backend = ctx.backend;
        assert_eq!(kernel_ms_of(ctx.token), 0.0, "{backend:?} before the first operation");
        for (name, call) in CALLS
            .iter()
            .filter(|(name, _)| ["gpumex_life", "gpumex_histogram", "gpumex_matmul"].contains(name))
        {
            ok(call(ctx.token), name);
            let ms = kernel_ms_of(ctx.token);
            assert!(ms > 0.0 && ms < 60e3, "{backend:?}: {ms} ms after {name}");
        }
        let start = Instant::now();
        ok(work(ctx.token, 2000), "gpumex_life");
        let (wall_ms, long_ms) = (start.elapsed().as_secs_f64() * 1e3, kernel_ms_of(ctx.token));
        assert!(long_ms > 0.02 && long_ms <= wall_ms, "{backend:?}: {long_ms} ms of kernels in {wall_ms} ms");
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_context_kernel_ms(ctx.token, null_mut()) };
        refused(
            status,
            Status::NullPointer,
            &["gpumex_context_kernel_ms", "kernel_ms is NULL"],
            "NULL result",
        );
    }
}

// ------------------------------------------------------------------------------------------------------------ threads

const LONG_ENOUGH: Duration = Duration::from_secs(20);

#[test]
fn a_second_thread_that_enters_a_context_is_told_busy() {
    for ctx in backends() {
        for (name, call) in CALLS.iter().filter(|(name, _)| *name != "gpumex_context_destroy") {
            let (token, is_told, start) = (ctx.token as usize, AtomicBool::new(false), Instant::now());
            let goes_on = || !is_told.load(Ordering::Relaxed) && start.elapsed() < LONG_ENOUGH;
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while goes_on() {
                        let status = work(token_of(token), 20);
                        assert!(
                            [0, Status::Busy as i32].contains(&status),
                            "gpumex_life: {}",
                            explain(status)
                        );
                    }
                });
                while goes_on() {
                    let status = call(token_of(token));
                    if status != 0 {
                        is_told.store(true, Ordering::Relaxed);
                        refused(status, Status::Busy, &[name, "in use by another thread"], name);
                    }
                }
            });
            assert!(
                is_told.into_inner(),
                "{name} on {:?}: never BUSY while another thread was inside",
                ctx.backend
            );
        }
    }
}

#[test]
fn a_context_that_a_thread_is_in_is_not_destroyed() {
    for ctx in backends() {
        let is_refused = (0..100).any(|_| {
            let token = gpumex_context_create(ctx.backend as i32, -1) as usize;
            let worker = std::thread::spawn(move || work(token_of(token), 1000));
            while backend_of(token_of(token)) != Err(Status::Busy as i32) && !worker.is_finished() {}
            let status = gpumex_context_destroy(token_of(token));
            let sentence = last_error();
            let worked = worker.join().expect("gpumex_life does not panic");
            if status == Status::Busy as i32 {
                assert!(sentence.contains("in use by another thread"), "BUSY, \"{sentence}\"");
                assert_eq!(worked, 0, "the work in a context that was not destroyed goes on");
                ok(gpumex_context_destroy(token_of(token)), "gpumex_context_destroy afterwards");
            }
            status == Status::Busy as i32
        });
        assert!(is_refused, "{:?}: destroyed a hundred times while another thread was inside", ctx.backend);
    }
}

#[test]
fn a_context_serves_one_thread_after_another() {
    for ctx in backends() {
        let token = ctx.token as usize;
        for thread in 0..10 {
            let status =
                std::thread::spawn(move || (count(token_of(token)), last_error())).join().expect("no panic");
            assert_eq!(status, (0, String::new()), "{:?}, thread {thread}", ctx.backend);
        }
    }
}

#[test]
fn contexts_of_many_threads_do_not_disturb_one_another() {
    let (board, bytes) = (random_board(2, 61 * 67), random_bytes(3, 70_001));
    let (a, b) = (random_f32(4, 30 * 40), random_f32(5, 40 * 20));
    let spheres = random_spheres(6, 2500, 40, 30);
    let all = |ctx: &Context| {
        (
            life(ctx, LifeVariant::Auto, &board, 61, 67, 10),
            histogram(ctx, HistogramVariant::Auto, &bytes),
            matmul(ctx, MatmulVariant::Naive, MatmulOrder::Row, [30, 20, 40], &a, &b),
            raytrace(ctx, RaytraceVariant::Constant, &spheres, 40, 30),
        )
    };
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let open = || Context::open(backend).unwrap_or_else(|reason| panic!("{backend:?}: {reason}"));
        let want = all(&open());
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (all, want) = (&all, &want);
                scope.spawn(move || {
                    for round in 0..10 {
                        let got = all(&open());
                        let what = format!("{backend:?}, thread {thread}, round {round}");
                        assert_same(&got.0, &want.0, format!("gpumex_life, {what}"));
                        assert_same(&got.1, &want.1, format!("gpumex_histogram, {what}"));
                        assert_same(&got.2, &want.2, format!("gpumex_matmul, {what}"));
                        assert_same(&got.3, &want.3, format!("gpumex_raytrace, {what}"));
                    }
                });
            }
        });
    }
}

// -------------------------------------------------------------------------------------------------- the default context

#[test]
fn calls_on_the_default_context_take_turns() {
    let _turn = default_is_mine();
    let token = gpumex_context_default() as usize;
    std::thread::scope(|scope| {
        for thread in 0..6 {
            scope.spawn(move || {
                for round in 0..10 {
                    let what = format!("thread {thread}, round {round}");
                    ok(plain_count(), format!("histogram, {what}"));
                    ok(work(token_of(token), 20), format!("gpumex_life with the default context, {what}"));
                    ok(
                        backend_of(token_of(token)).err().unwrap_or(0),
                        format!("gpumex_context_backend, {what}"),
                    );
                }
            });
        }
    });
}

#[test]
fn the_default_context_is_the_librarys() {
    let _turn = default_is_mine();
    let token = gpumex_context_default();
    assert!(!token.is_null(), "{}", last_error());
    assert_eq!(gpumex_context_default(), token, "it stays the same");
    let status = gpumex_context_destroy(token);
    refused(
        status,
        Status::InvalidArgument,
        &["gpumex_context_destroy", "default"],
        "destroying the default context",
    );
    ok(count(token), "the default context afterwards");
}

#[test]
fn reset_default_makes_the_next_call_build_a_new_one() {
    let _turn = default_is_mine();
    let before = gpumex_context_default();
    ok(gpumex_reset_default(), "gpumex_reset_default");
    ok(gpumex_reset_default(), "gpumex_reset_default with nothing to reset");
    assert_eq!(backend_of(before), Err(Status::InvalidArgument as i32), "the old token is void");
    ok(plain_count(), "histogram after gpumex_reset_default");
    let after = gpumex_context_default();
    assert_ne!(after, before, "a new token");
    ok(count(after), "gpumex_histogram on the new default context");
}

#[test]
fn reset_default_is_told_busy_while_a_call_is_running() {
    let _turn = default_is_mine();
    let (is_told, start) = (AtomicBool::new(false), Instant::now());
    let goes_on = || !is_told.load(Ordering::Relaxed) && start.elapsed() < LONG_ENOUGH;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (board, mut next) = (random_board(1, 250_000), vec![0u8; 250_000]);
            while goes_on() {
                // SAFETY: both hold 500*500 bytes.
                let status = unsafe { life_shmem(board.as_ptr(), 500, 500, 200, next.as_mut_ptr()) };
                ok(status, "life_shmem while another thread resets the default context");
            }
        });
        while goes_on() {
            std::thread::sleep(Duration::from_micros(300)); // or it would win every race for a new context
            let status = gpumex_reset_default();
            if status != 0 {
                is_told.store(true, Ordering::Relaxed);
                refused(status, Status::Busy, &["gpumex_reset_default", "in use"], "gpumex_reset_default");
            }
        }
    });
    assert!(is_told.into_inner(), "gpumex_reset_default: never BUSY while another thread was inside");
}

#[test]
fn plain_calls_succeed_while_another_thread_resets_the_default_context() {
    let _turn = default_is_mine();
    let start = Instant::now();
    let goes_on = || start.elapsed() < Duration::from_millis(1500);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            scope.spawn(move || {
                for round in (0..).take_while(|_| goes_on()) {
                    ok(
                        plain_count(),
                        format!("histogram while another thread resets, thread {thread}, round {round}"),
                    );
                }
            });
        }
        while goes_on() {
            let status = gpumex_reset_default();
            assert!([0, Status::Busy as i32].contains(&status), "gpumex_reset_default: {}", explain(status));
        }
    });
}

// -------------------------------------------------------------------------------------------------------------- texts

#[test]
fn every_status_has_a_text_of_its_own() {
    let texts: Vec<String> = (0..10).map(|status| text(gpumex_status_string(status))).collect();
    assert_eq!(texts[0], "success");
    for (status, text) in texts.iter().enumerate() {
        assert!(!text.is_empty() && text != "unknown status", "status {status} is \"{text}\"");
        assert!(!texts[..status].contains(text), "status {status} is \"{text}\", as another one is");
    }
    for status in [-1, 10, 11, i32::MIN, i32::MAX] {
        assert_eq!(text(gpumex_status_string(status)), "unknown status", "status {status}");
    }
}

#[test]
fn version_and_build_are_told() {
    let version = text(gpumex_version());
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert_eq!(version.split('.').filter(|part| part.parse::<u32>().is_ok()).count(), 3, "version {version}");
    let build = text(gpumex_build_info());
    assert!(build.contains(&version), "\"{build}\" has to contain \"{version}\"");
    assert!(
        build.contains("CUDA 1") || build.contains("CPU backend only"),
        "\"{build}\" has to tell the toolkit"
    );
}

#[test]
fn the_last_error_is_the_threads_own_and_outlives_successes() {
    std::thread::spawn(the_last_error_of_a_new_thread).join().expect("as said");
}

fn the_last_error_of_a_new_thread() {
    assert_eq!(last_error(), "", "before the first failure of this thread");
    refused(
        count(token_of(0x1234)),
        Status::InvalidArgument,
        &["gpumex_histogram", "0x1234"],
        "first failure",
    );
    ok(plain_count(), "a success");
    says(&["gpumex_histogram", "0x1234"], "after a success");
    std::thread::spawn(|| assert_eq!(last_error(), "", "in another thread")).join().expect("as said");
    refused(count(null_mut()), Status::NullPointer, &["gpumex_histogram", "NULL"], "second failure");
    assert!(!last_error().contains("0x1234"), "the second failure replaces the first");
}

// ----------------------------------------------------------------------------------------------------------- settings

fn configure(key: &CStr, value: &CStr) -> i32 {
    // SAFETY: two C strings.
    unsafe { gpumex_configure(key.as_ptr(), value.as_ptr()) }
}

#[test]
fn configure_refuses_what_it_does_not_know() {
    for key in [c"threads", c"", c"BACKEND", c"GPUMEX_BACKEND"] {
        let key_text = key.to_string_lossy();
        let words = ["gpumex_configure", &format!("\"{key_text}\""), "unknown"];
        refused(configure(key, c"1"), Status::InvalidArgument, &words, format!("key {key_text}"));
    }
    for (key, value) in [
        (c"backend", c"gpu"),
        (c"backend", c""),
        (c"backend", c"CPU"),
        (c"device", c"-1"),
        (c"device", c"first"),
        (c"num_threads", c"-1"),
        (c"num_threads", c"1.5"),
        (c"num_threads", c"99999999999999999999"),
        (c"log", c"verbose"),
        (c"log", c"3"),
    ] {
        let (key_text, value_text) = (key.to_string_lossy(), format!("\"{}\"", value.to_string_lossy()));
        let words = ["gpumex_configure", &key_text, &value_text];
        refused(configure(key, value), Status::InvalidArgument, &words, format!("{key_text} = {value_text}"));
    }
    // SAFETY: NULL is refused.
    let (no_key, no_value) =
        unsafe { (gpumex_configure(null(), c"cpu".as_ptr()), gpumex_configure(c"backend".as_ptr(), null())) };
    assert_eq!((no_key, no_value), (Status::NullPointer as i32, Status::NullPointer as i32));
    says(&["gpumex_configure", "value is NULL"], "NULL value");
    let not_text = c"\xff\xfe";
    refused(
        configure(c"backend", not_text),
        Status::InvalidArgument,
        &["gpumex_configure"],
        "a value that is no text",
    );
}

#[test]
fn configure_after_first_use_is_told_busy() {
    let ctx = Context::cpu();
    for (key, value) in [(c"backend", c"cpu"), (c"device", c"0"), (c"num_threads", c"1"), (c"log", c"warn")] {
        let key_text = key.to_string_lossy();
        refused(configure(key, value), Status::Busy, &["gpumex_configure", &key_text], &key_text);
    }
    ok(count(ctx.token), "the context afterwards");
}

// ------------------------------------------------------------------------------ settings, log and fork in a new process

/// Runs one of the `ROLES` in a process of its own with this environment; returns what it wrote to stderr.
#[track_caller]
fn in_a_new_process(role: &str, environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().expect("a test program has a path"));
    for setting in ["GPUMEX_BACKEND", "GPUMEX_DEVICE", "GPUMEX_NUM_THREADS", "GPUMEX_LOG"] {
        command.env_remove(setting);
    }
    command.args(["role_in_a_new_process", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    let output =
        command.env(ROLE, role).envs(environment.iter().copied()).output().expect("the test program starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let is_done = output.status.success() && out.contains("1 passed");
    assert!(is_done, "{role} with {environment:?}: {}\n{out}\n{err}", output.status);
    err.into_owned()
}

const ROLE: &str = "GPUMEX_TEST_ROLE";
const ROLES: [(&str, fn()); 10] = [
    ("prints the threads", || eprintln!("threads: {}", info_of(Context::cpu().token).multiprocessors)),
    ("configures 3 threads", || {
        ok(configure(c"num_threads", c"2"), "first value");
        ok(configure(c"num_threads", c"3"), "the last value counts");
        assert_eq!(info_of(Context::cpu().token).multiprocessors, 3);
        ok(work(Context::cpu().token, 3), "gpumex_life on 3 threads");
        refused(configure(c"num_threads", c"2"), Status::Busy, &["num_threads"], "after first use");
    }),
    ("prints the backend", || {
        let token = gpumex_context_create(Backend::Auto as i32, -1);
        eprintln!("auto: {:?}, default: {:?}", backend_of(token), backend_of(gpumex_context_default()));
        ok(plain_count(), "histogram");
    }),
    ("fails to start", || {
        let status = plain_count();
        assert!(
            gpumex_context_default().is_null() && gpumex_context_create(Backend::Auto as i32, -1).is_null()
        );
        eprintln!("status: {status}, {}", last_error());
    }),
    ("only works", || {
        let ctx = Context::cpu();
        ok(work(ctx.token, 3), "gpumex_life");
        ok(plain_count(), "histogram");
        refused(count(null_mut()), Status::NullPointer, &["NULL"], "a failure");
    }),
    ("receives the log", receives_the_log),
    ("configures the log", || {
        ok(configure(c"log", c"info"), "log");
        drop(Context::cpu());
    }),
    ("forks", forks),
    ("runs out of memory", runs_out_of_memory),
    ("panics by itself", || {
        ok(plain_count(), "histogram, which makes the library watch for panics");
        let thread = std::thread::Builder::new().name("gpumex of the program".to_string());
        let outcome = thread.spawn(|| panic!("told by the program")).expect("a thread starts").join();
        assert!(outcome.is_err(), "the panic is the program's");
    }),
];

#[test]
#[ignore = "other tests start it in a process of its own"]
fn role_in_a_new_process() {
    let Ok(wanted) = std::env::var(ROLE) else { return };
    let (_, role) = ROLES.iter().find(|(name, _)| *name == wanted).expect("a role that exists");
    role();
}

#[test]
fn the_environment_sets_the_number_of_threads() {
    for threads in ["1", "3", "7"] {
        let printed = in_a_new_process("prints the threads", &[("GPUMEX_NUM_THREADS", threads)]);
        assert!(
            printed.contains(&format!("threads: {threads}\n")),
            "GPUMEX_NUM_THREADS={threads}: {printed}"
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for all in ["0", ""] {
        let printed = in_a_new_process("prints the threads", &[("GPUMEX_NUM_THREADS", all)]);
        assert!(printed.contains(&format!("threads: {cores}\n")), "GPUMEX_NUM_THREADS={all}: {printed}");
    }
}

#[test]
fn configure_before_first_use_beats_the_environment() {
    in_a_new_process("configures 3 threads", &[("GPUMEX_NUM_THREADS", "5")]);
}

#[test]
fn the_environment_sets_the_backend_of_auto() {
    let printed = in_a_new_process("prints the backend", &[("GPUMEX_BACKEND", "cpu")]);
    assert!(printed.contains("auto: Ok(1), default: Ok(1)"), "GPUMEX_BACKEND=cpu: {printed}");
    if Context::cuda().is_some() {
        let printed = in_a_new_process("prints the backend", &[("GPUMEX_BACKEND", "cuda")]);
        assert!(printed.contains("auto: Ok(2), default: Ok(2)"), "GPUMEX_BACKEND=cuda: {printed}");
    } else {
        let printed = in_a_new_process("fails to start", &[("GPUMEX_BACKEND", "cuda")]);
        assert!(printed.contains("status: 4, "), "GPUMEX_BACKEND=cuda is NO_DEVICE: {printed}");
    }
}

#[test]
fn a_wrong_environment_is_an_error_that_names_it() {
    for (variable, value) in [
        ("GPUMEX_BACKEND", "quantum"),
        ("GPUMEX_DEVICE", "-3"),
        ("GPUMEX_NUM_THREADS", "many"),
        ("GPUMEX_LOG", "loud"),
    ] {
        let printed = in_a_new_process("fails to start", &[(variable, value)]);
        for word in ["status: 2, ", variable, value] {
            assert!(printed.contains(word), "{variable}={value}: want \"{word}\" in: {printed}");
        }
    }
}

#[test]
fn nothing_is_printed_unless_asked() {
    let printed = in_a_new_process("only works", &[]);
    assert_eq!(printed, "", "at the default log level");
    let printed = in_a_new_process("only works", &[("GPUMEX_LOG", "off")]);
    assert_eq!(printed, "", "with GPUMEX_LOG=off");
}

/// The library keeps its own panics in, by their thread; the program's are the program's, whatever its threads are called.
#[test]
fn a_panic_of_the_program_is_still_told() {
    let printed = in_a_new_process("panics by itself", &[]);
    assert!(printed.contains("told by the program"), "a panic outside the library is silent: \"{printed}\"");
}

#[test]
fn the_log_tells_the_backend_at_level_info() {
    for printed in [
        in_a_new_process("only works", &[("GPUMEX_LOG", "info")]),
        in_a_new_process("configures the log", &[]),
    ] {
        assert!(printed.contains("CPU backend"), "at log level info: {printed}");
    }
}

#[test]
fn a_log_callback_receives_the_lines_instead_of_stderr() {
    let printed = in_a_new_process("receives the log", &[("GPUMEX_LOG", "info")]);
    assert_eq!(
        printed.matches("CPU backend").count(),
        1,
        "only the line after the callback was removed: {printed}"
    );
}

type Lines = Vec<(i32, String)>;

unsafe extern "C" fn keep_line(user: *mut c_void, level: i32, message: *const c_char) {
    // SAFETY: `user` is what was handed to gpumex_set_log_callback.
    let lines = unsafe { &*user.cast::<Mutex<Lines>>() };
    lines.lock().expect("nobody panics with the lock").push((level, text(message)));
}

fn receives_the_log() {
    static LINES: Mutex<Lines> = Mutex::new(Vec::new());
    let user = (&raw const LINES).cast_mut().cast();
    // SAFETY: the callback and the lines live as long as the process.
    ok(unsafe { gpumex_set_log_callback(Some(keep_line), user) }, "gpumex_set_log_callback");
    drop(Context::cpu());
    let lines = LINES.lock().expect("nobody panics with the lock").clone();
    let is_line_of_cpu = |(level, line): &&(i32, String)| *level == 3 && line.contains("CPU backend");
    assert_eq!(
        lines.iter().filter(is_line_of_cpu).count(),
        1,
        "got {lines:?}, want one line at level 3 (info)"
    );
    // SAFETY: NULL restores stderr.
    ok(unsafe { gpumex_set_log_callback(None, null_mut()) }, "gpumex_set_log_callback");
    drop(Context::cpu());
    assert_eq!(
        *LINES.lock().expect("nobody panics with the lock"),
        lines,
        "no line after the callback is removed"
    );
}

// --------------------------------------------------------------------------------------------------------------- fork

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn alarm(seconds: u32) -> u32;
    fn _exit(code: i32) -> !;
}

/// The CPU backend goes on in a forked child, with a pool of its own; CUDA says that it cannot.
#[test]
fn a_forked_child_can_use_the_cpu_backend() {
    in_a_new_process("forks", &[]);
}

fn forks() {
    let (cpu, cuda) = (Context::cpu(), Context::cuda());
    ok(work(cpu.token, 3), "gpumex_life before fork");
    ok(plain_count(), "histogram before fork");
    // SAFETY: the child calls the library, prints and leaves.
    let child = unsafe { fork() };
    if child == 0 {
        // SAFETY: ends a child that hangs.
        unsafe { alarm(60) };
        let mut wrong = Vec::new();
        let mut wants = |what: &str, status: i32, want: i32| {
            if status != want {
                wrong.push(format!("{what} in a forked child: want status {want}, got {}", explain(status)));
            }
        };
        wants("gpumex_life on the CPU", work(cpu.token, 3), 0);
        wants("histogram", plain_count(), 0);
        if let Some(cuda) = &cuda {
            wants("gpumex_histogram on CUDA", count(cuda.token), Status::Unsupported as i32);
        }
        eprint!("{}", wrong.join("\n"));
        // SAFETY: leaves without running what the parent will run.
        unsafe { _exit(i32::from(!wrong.is_empty())) };
    }
    let mut status = 0;
    // SAFETY: our child, an int.
    assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child, "fork and waitpid");
    assert_eq!(status, 0, "the child's exit status (14: it hung)");
    ok(work(cpu.token, 3), "gpumex_life in the parent after fork");
    if let Some(cuda) = &cuda {
        ok(count(cuda.token), "gpumex_histogram on CUDA in the parent after fork");
    }
}

// ------------------------------------------------------------------------------------------------------ out of memory

#[repr(C)]
struct Limit {
    soft: u64,
    hard: u64,
}

const RLIMIT_AS: i32 = 9; // the size of the address space
const MAP_PRIVATE_ANONYMOUS_NORESERVE: i32 = 0x4022;

unsafe extern "C" {
    fn getrlimit(what: i32, limit: *mut Limit) -> i32;
    fn setrlimit(what: i32, limit: *const Limit) -> i32;
    fn mmap(at: *mut c_void, bytes: usize, access: i32, flags: i32, file: i32, offset: i64) -> *mut c_void;
    fn munmap(at: *mut c_void, bytes: usize) -> i32;
}

#[test]
fn running_out_of_host_memory_is_a_status_and_the_context_goes_on() {
    in_a_new_process("runs out of memory", &[]);
}

fn runs_out_of_memory() {
    let ctx = Context::cpu();
    ok(work(ctx.token, 3), "gpumex_life while there is memory");
    let (rows, cols, spheres) = (1 << 14, 1 << 15, (1 << 29) / 28);
    let bytes = rows * cols;
    let mut big = vec![0.0f32; bytes / 4];
    let mut limit = Limit { soft: 0, hard: 0 };
    // SAFETY: a struct rlimit.
    assert_eq!(unsafe { getrlimit(RLIMIT_AS, &mut limit) }, 0);
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux tells the size of a process");
    let pages: u64 = pages.split(' ').next().and_then(|pages| pages.parse().ok()).expect("a number of pages");
    let tight = Limit { soft: pages * 4096 + (64 << 20), hard: limit.hard };
    // SAFETY: a struct rlimit, now with room for 64 MiB more.
    assert_eq!(unsafe { setrlimit(RLIMIT_AS, &tight) }, 0);

    let at = big.as_mut_ptr();
    for variant in ctx.variants::<LifeVariant>() {
        let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
        // SAFETY: rows*cols bytes, in place.
        let status = unsafe { gpumex_life(ctx.token, &options, at.cast(), rows, cols, 1, at.cast()) };
        let what = format!("gpumex_life, {variant:?}, 512 MiB with room for 64");
        refused(status, Status::OutOfMemory, &["gpumex_life", &bytes.to_string()], what);
        ok(count(ctx.token), "gpumex_histogram after it");
    }
    let mut pixel = [0u8; 4];
    // SAFETY: as many spheres as 512 MiB hold, one pixel.
    let status = unsafe { gpumex_raytrace(ctx.token, null(), at, spheres, 1, 1, pixel.as_mut_ptr()) };
    refused(
        status,
        Status::OutOfMemory,
        &["gpumex_raytrace", &(28 * spheres).to_string()],
        "512 MiB of spheres",
    );

    // SAFETY: a struct rlimit, as it was.
    assert_eq!(unsafe { setrlimit(RLIMIT_AS, &limit) }, 0);
    ok(work(ctx.token, 3), "gpumex_life when there is memory again");
}

#[test]
fn running_out_of_device_memory_is_a_status_and_the_context_goes_on() {
    let Some(ctx) = Context::cuda() else { return };
    let (rows, cols) = (1 << 22, 1 << 23);
    let bytes = rows * cols; // 32 TiB of addresses, and no memory
    // SAFETY: a mapping that nobody touches: there is no such device.
    let at = unsafe { mmap(null_mut(), bytes, 3, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0) };
    if at.addr() == usize::MAX {
        return eprintln!("left out: 32 TiB of addresses are not to be had");
    }
    for variant in ctx.variants::<LifeVariant>() {
        let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
        // SAFETY: rows*cols bytes, in place.
        let status = unsafe { gpumex_life(ctx.token, &options, at, rows, cols, 1, at) };
        let what = format!("gpumex_life, {variant:?}, 32 TiB");
        refused(status, Status::OutOfMemory, &["gpumex_life", &bytes.to_string()], what);
        ok(count(ctx.token), "gpumex_histogram after it");
    }
    // SAFETY: our mapping.
    assert_eq!(unsafe { munmap(at, bytes) }, 0);
}

// ------------------------------------------------------------------------------------------ the caller's CUDA context

/// Makes every kind of call on CUDA, failing ones included, and asks after each which CUDA context is current.
fn current_context_survives_every_call(driver: &cuda::Driver, ctx: &Context, whose: &str) {
    let before = driver.current();
    let unchanged = |call: &str| assert_eq!(driver.current(), before, "after {call}, {whose} current before");

    for (name, call) in CALLS.iter().filter(|(name, _)| *name != "gpumex_context_destroy") {
        ok(call(ctx.token), name);
        unchanged(name);
        assert_ne!(call(null_mut()), 0, "{name} with NULL");
        unchanged(&format!("{name} with NULL"));
        assert_ne!(call(token_of(0x1234)), 0, "{name} with an invented context");
        unchanged(&format!("{name} with an invented context"));
    }
    for variant in ctx.variants() {
        life(ctx, variant, &[1; 400], 20, 20, 3);
        unchanged(&format!("gpumex_life, {variant:?}"));
    }
    for variant in ctx.variants() {
        matmul(ctx, variant, MatmulOrder::Column, [2, 2, 2], &[1.0f64; 4], &[1.0; 4]);
        unchanged(&format!("gpumex_matmul, {variant:?}"));
    }
    for variant in ctx.variants() {
        histogram(ctx, variant, &[1; 1000]);
        unchanged(&format!("gpumex_histogram, {variant:?}"));
    }
    for variant in ctx.variants() {
        raytrace(ctx, variant, &random_spheres(7, 2341, 4, 4), 4, 4);
        unchanged(&format!("gpumex_raytrace, {variant:?}"));
    }

    // Refused before and after the device is entered.
    let options = LifeOptions { variant: LifeVariant::Sequential as i32, ..LifeOptions::default() };
    let mut cells = [1u8; 16];
    let at = cells.as_mut_ptr();
    let failing: [(&str, i32); 3] = [
        // SAFETY: 16 bytes, in place.
        ("SEQUENTIAL", unsafe { gpumex_life(ctx.token, &options, at.cast(), 4, 4, 1, at.cast()) }),
        // SAFETY: the overlap is refused.
        ("overlap", unsafe { gpumex_life(ctx.token, null(), at.cast(), 3, 4, 1, at.wrapping_add(1).cast()) }),
        // SAFETY: NULL is refused.
        ("NULL board", unsafe { gpumex_life(ctx.token, null(), null(), 4, 4, 1, at.cast()) }),
    ];
    for (name, status) in failing {
        assert_ne!(status, 0, "gpumex_life, {name}");
    }
    unchanged("calls of gpumex_life that fail");

    let second = Context::open(Backend::Cuda).unwrap_or_else(|reason| panic!("a second context: {reason}"));
    unchanged("gpumex_context_create");
    drop(second);
    unchanged("gpumex_context_destroy");
    assert!(gpumex_context_create(Backend::Cuda as i32, 99).is_null());
    unchanged("gpumex_context_create that fails");
    ok(plain_count(), "histogram");
    unchanged("histogram on the default context");
    ok(gpumex_reset_default(), "gpumex_reset_default");
    unchanged("gpumex_reset_default");
    ok(plain_count(), "histogram");
    unchanged("histogram on a new default context");
}

#[test]
fn the_callers_cuda_context_stays_current() {
    let _turn = default_is_mine();
    let Some(ctx) = Context::cuda() else { return };
    let driver = cuda::Driver::load();

    driver.set_current(null_mut());
    current_context_survives_every_call(&driver, &ctx, "none");

    driver.set_current(driver.retain_primary());
    current_context_survives_every_call(&driver, &ctx, "the primary one");
    driver.set_current(null_mut());
    driver.release_primary();

    let own = driver.create_context();
    current_context_survives_every_call(&driver, &ctx, "one of the caller's own");
    driver.destroy_context(own);
    driver.set_current(null_mut());
}

#[test]
fn a_new_thread_has_no_cuda_context_after_create_and_destroy() {
    if Context::cuda().is_none() {
        return;
    }
    std::thread::spawn(|| {
        let driver = cuda::Driver::load();
        assert!(driver.current().is_null(), "a new thread has no CUDA context");
        let ctx = Context::cuda();
        assert!(driver.current().is_null(), "after gpumex_context_create");
        drop(ctx);
        assert!(driver.current().is_null(), "after gpumex_context_destroy");
    })
    .join()
    .expect("as said");
}
