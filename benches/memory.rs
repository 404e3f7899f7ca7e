//! The framework under every call, on one CUDA device: allocation, small calls, staging of ordinary arrays,
//! context creation.
//!
//!   cargo bench --bench memory            prints achieved | peer | limit, medians
//!
//! Peer is the driver itself in the same process (for contexts: in a process of its own, in turn). Host arrays are
//! random and touched, every copy is compared.

mod common;

use std::env;
use std::ffi::c_void;
use std::process::Command;
use std::time::Instant;

use cudarc::driver::sys;
use gpumex::ffi::*;
use gpumex::memory::{AllocatorStats, MemoryKind};

use common::*;

fn main() {
    match env::args().nth(1).as_deref() {
        Some("--open-driver") => open_driver(),
        Some("--open-gpumex") => open_gpumex(),
        _ => report(),
    }
}

fn report() {
    open_primary(); // for the driver's rows; gpumex pushes and pops it for itself
    let ctx = context();
    println!("{}", text(gpumex_context_device_text(ctx)));
    println!("{:44} | {:>10} | {:>10} | {:>10}", "", "gpumex", "driver", "wanted");
    allocation(ctx);
    small_histograms(ctx);
    copies(ctx);
    check(gpumex_context_destroy(ctx));
    context_creation();
}

// ------------------------------------------------------------------------------------------------------------
// allocation

fn allocation(ctx: Handle) {
    const PAIRS: usize = 100_000;
    let pair = |bytes: usize| {
        let pointer = malloc(ctx, MemoryKind::Device, bytes);
        check(gpumex_free(pointer));
    };
    pair(1 << 20);
    let misses = stats(ctx).misses;
    let ns = median(11, || {
        let start = Instant::now();
        (0..PAIRS).for_each(|_| pair(1 << 20));
        start.elapsed().as_secs_f64() * 1e9 / PAIRS as f64
    });
    assert_eq!(stats(ctx).misses, misses, "a warm cache serves every allocation");
    let driver = median(11, || {
        let start = Instant::now();
        for _ in 0..20 {
            let mut address = 0;
            // SAFETY: writes one address, and frees it.
            unsafe {
                ok(sys::cuMemAlloc_v2(&mut address, 1 << 20));
                ok(sys::cuMemFree_v2(address));
            }
        }
        start.elapsed().as_secs_f64() * 1e9 / 20.0
    });
    row("allocate + free 1 MiB, warm, ns", ns, driver, "200");
}

// -----------------------------------------------------------------------------------------------------------
// small calls

fn small_histograms(ctx: Handle) {
    for len in [1 << 10, 1 << 14, 1 << 16, 1 << 20] {
        let data = random(len);
        let mut counts = [0u64; 256];
        let mut call = || {
            let (from, to) = (data.as_ptr().cast(), counts.as_mut_ptr().cast());
            // SAFETY: len bytes, 256 counters.
            check(unsafe { gpumex_histogram(ctx, std::ptr::null(), from, len, to, 256) });
        };
        (0..100).for_each(|_| call());
        let us = median(2001, || {
            let start = Instant::now();
            call();
            start.elapsed().as_secs_f64() * 1e6
        });
        assert_eq!(counts.iter().sum::<u64>(), len as u64);
        let name = format!("histogram of {} KiB on the host, us", len >> 10);
        row(&name, us, f64::NAN, if len == 1 << 10 { "25" } else { "" });
    }
}

// ----------------------------------------------------------------------------------------------------------------
// copies

fn copies(ctx: Handle) {
    for bytes in [1 << 16, 1 << 20, 1 << 24, 1 << 28, 1 << 30] {
        let source = random(bytes);
        let mut target = vec![1u8; bytes];
        let device = malloc(ctx, MemoryKind::Device, bytes);
        let rounds = if bytes > 1 << 26 { 11 } else { 51 };
        let gbs = |seconds: f64| bytes as f64 / seconds / 1e9;
        let up = gbs(median(rounds, || seconds(|| copy(ctx, device, source.as_ptr().cast(), bytes))));
        let down = gbs(median(rounds, || seconds(|| copy(ctx, target.as_mut_ptr().cast(), device, bytes))));
        assert!(target == source, "{bytes} bytes came back changed");
        // SAFETY: three arrays of `bytes` bytes.
        let (driver_up, driver_down) = unsafe {
            let up = || ok(sys::cuMemcpy(device as u64, source.as_ptr() as u64, bytes));
            let up = gbs(median(rounds, || seconds(up)));
            let at = target.as_mut_ptr() as u64;
            let down = || ok(sys::cuMemcpy(at, device as u64, bytes));
            (up, gbs(median(rounds, || seconds(down))))
        };
        let size =
            if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) };
        let wanted = if bytes == 1 << 30 { "40" } else { "" };
        row(&format!("{size} to the device, GB/s"), up, driver_up, wanted);
        row(&format!("{size} from the device, GB/s"), down, driver_down, wanted);
        check(gpumex_free(device));
    }
    both_ways();
}

/// 1 GiB up on one thread and context while another thread takes 1 GiB down.
fn both_ways() {
    const BYTES: usize = 1 << 30;
    const ROUNDS: usize = 11;
    let way = |down: bool| {
        let ctx = context();
        let mut host = random(BYTES);
        let device = malloc(ctx, MemoryKind::Device, BYTES);
        copy(ctx, device, host.as_ptr().cast(), BYTES);
        let at: *mut c_void = host.as_mut_ptr().cast();
        let gbs = move || {
            let turn = || if down { copy(ctx, at, device, BYTES) } else { copy(ctx, device, at, BYTES) };
            BYTES as f64 / seconds(turn) / 1e9
        };
        (gbs, host)
    };
    let ((up, _up_host), (down, _down_host)) = (way(false), way(true));
    let up = OnAnotherThread(up);
    let (up, down) = std::thread::scope(|scope| {
        let up = scope.spawn(move || median(ROUNDS, up.into_inner()));
        let down = median(ROUNDS, down);
        (up.join().expect("the other way works"), down)
    });
    row("1024 MiB to the device, both ways at once", up, f64::NAN, "40");
    row("1024 MiB from the device, both ways at once", down, f64::NAN, "40");
}

struct OnAnotherThread<F>(F);

// SAFETY: addresses of arrays that outlive the thread, used by that thread alone.
unsafe impl<F> Send for OnAnotherThread<F> {}

impl<F> OnAnotherThread<F> {
    fn into_inner(self) -> F {
        self.0
    }
}

// --------------------------------------------------------------------------------------------------------------
// contexts

/// Processes of their own, in turn: the driver alone, and gpumex.
fn context_creation() {
    let this = env::current_exe().expect("a program has a path");
    let ms = |argument: &str| {
        let output = Command::new(&this).arg(argument).output().expect("this program runs");
        let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
        text.parse::<f64>().unwrap_or_else(|_| panic!("{argument} printed {text:?}"))
    };
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..5 {
        times[0].push(ms("--open-gpumex"));
        times[1].push(ms("--open-driver"));
    }
    let [gpumex, driver] = times.map(middle);
    row("first context of a process, ms", gpumex, driver, "driver + 20");
    let ctx = context();
    let second = median(11, || {
        seconds(|| {
            let other = context();
            check(gpumex_context_destroy(other));
        }) * 1e3
    });
    row("a further context, created and destroyed, ms", second, f64::NAN, "");
    check(gpumex_context_destroy(ctx));
}

fn open_driver() {
    let start = Instant::now();
    open_primary();
    // SAFETY: a context is current.
    unsafe { ok(sys::cuCtxSynchronize()) };
    println!("{}", start.elapsed().as_secs_f64() * 1e3);
}

fn open_gpumex() {
    let start = Instant::now();
    let ctx = context();
    check(gpumex_context_synchronize(ctx));
    println!("{}", start.elapsed().as_secs_f64() * 1e3);
}

fn stats(ctx: Handle) -> AllocatorStats {
    let mut stats = AllocatorStats { size: size_of::<AllocatorStats>(), ..AllocatorStats::default() };
    // SAFETY: a struct with its size.
    check(unsafe { gpumex_allocator_get_stats(ctx, &mut stats) });
    stats
}
