//! Contexts by options: backend, stream, threads, the allocator's capacity; and what of it changes later.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::context::BusyPolicy;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::AllocatorStats;
use gpumex::model::dtype::Dtype;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::platform::settings::Backend;

use crate::common::{cuda::Driver, histogram, matmul, *};

pub const ROLES: [Role; 1] = [("works on thousands of threads", works_on_thousands_of_threads)];

/// A context as options say, or the library's reason why not.
pub fn create(options: &ContextOptions) -> Result<Context, String> {
    // SAFETY: a struct with its size, whose pointers the test keeps.
    let handle = unsafe { gpumex_context_create_with(options) };
    if handle.is_null() {
        return Err(last_error());
    }
    let backend = if backend_of(handle) == Ok(Backend::Cpu as i32) { Backend::Cpu } else { Backend::Cuda };
    Ok(Context { handle, backend })
}

/// Options for the CPU backend.
pub fn on_cpu() -> ContextOptions {
    ContextOptions { backend: Backend::Cpu as i32, ..ContextOptions::default() }
}

/// Options for a backend that is here.
pub fn on(backend: Backend) -> ContextOptions {
    ContextOptions { backend: backend as i32, ..ContextOptions::default() }
}

fn stats_of(ctx: &Context) -> AllocatorStats {
    let mut stats = AllocatorStats { size: size_of::<AllocatorStats>(), ..AllocatorStats::default() };
    // SAFETY: a struct with its size.
    ok(unsafe { gpumex_allocator_get_stats(ctx.handle, &mut stats) }, "gpumex_allocator_get_stats");
    stats
}

pub fn stream_of(ctx: &Context) -> Result<*mut c_void, i32> {
    let mut stream = null_mut();
    // SAFETY: a pointer to write to.
    match unsafe { gpumex_context_stream(ctx.handle, &mut stream) } {
        0 => Ok(stream),
        status => Err(status),
    }
}

#[test]
fn zeros_and_null_are_the_defaults() {
    let auto = Context::open(Backend::Auto).unwrap_or_else(|reason| panic!("{reason}"));
    let zeros = create(&ContextOptions::default()).unwrap_or_else(|reason| panic!("{reason}"));
    // SAFETY: NULL stands for the defaults.
    let null = Context { handle: unsafe { gpumex_context_create_with(null()) }, backend: zeros.backend };
    for ctx in [zeros, null] {
        assert_eq!(backend_of(ctx.handle), backend_of(auto.handle));
        let same =
            |ctx: &Context| (info_of(ctx.handle).device, stats_of(ctx).capacity, stats_of(ctx).largest);
        assert_eq!(same(&ctx), same(&auto));
        ok(count(ctx.handle), "gpumex_histogram");
    }
}

#[test]
fn an_option_that_is_wrong_gives_null_and_names_itself() {
    let (stream, far, low) = (null_mut::<c_void>().wrapping_byte_add(64), i32::MAX, -2);
    let cases: [(ContextOptions, &[&str]); 10] = [
        (
            ContextOptions { backend: first_unknown::<Backend>(), ..on_cpu() },
            &["options.backend is", "gpumex_backend"],
        ),
        (ContextOptions { on_stream: 2, ..on_cpu() }, &["options.on_stream is 2"]),
        (ContextOptions { on_stream: 1, ..on_cpu() }, &["options.on_stream", "GPUMEX_BACKEND_CPU"]),
        (ContextOptions { stream, ..on_cpu() }, &["options.stream is 0x40", "options.on_stream is 0"]),
        (ContextOptions { threads: -1, ..on_cpu() }, &["options.threads is -1", "4096"]),
        (ContextOptions { threads: 4097, ..on_cpu() }, &["options.threads is 4097"]),
        (ContextOptions { busy: 2, ..on_cpu() }, &["options.busy is 2", "GPUMEX_BUSY_POLICY_WAIT"]),
        (ContextOptions { device: &low, ..on_cpu() }, &["*options.device is -2"]),
        (ContextOptions { device: &far, ..on(Backend::Cuda) }, &[]),
        (ContextOptions { size: 3, ..on_cpu() }, &["options.size is 3"]),
    ];
    for (options, words) in &cases {
        assert!(create(options).is_err(), "{options:?}");
        says(&[&["gpumex_context_create_with"], *words].concat(), format!("{options:?}"));
    }
    assert!(create(&on_cpu()).is_ok(), "the options that all these have beside");
}

#[test]
fn a_context_has_the_threads_that_it_was_made_with_or_given_later() {
    let threads = |ctx: &Context| info_of(ctx.handle).multiprocessors;
    let default = threads(&Context::cpu());
    for count in [1, 2, 5] {
        let ctx = create(&ContextOptions { threads: count, ..on_cpu() }).unwrap();
        assert_eq!(threads(&ctx), count);
        ok(work(ctx.handle, 3), "gpumex_life");
        ok(gpumex_context_set_threads(ctx.handle, count + 1), "gpumex_context_set_threads");
        assert_eq!(threads(&ctx), count + 1);
        ok(work(ctx.handle, 3), "gpumex_life");
        for wrong in [-1, 4097, i32::MIN] {
            let status = gpumex_context_set_threads(ctx.handle, wrong);
            refused(status, Status::InvalidArgument, &["gpumex_context_set_threads", "threads is"], wrong);
        }
        assert_eq!(threads(&ctx), count + 1, "after a number that was refused");
        ok(gpumex_context_set_threads(ctx.handle, 0), "0 is the setting");
        assert_eq!(threads(&ctx), default);
    }
}

#[test]
fn results_have_the_same_bits_whatever_the_number_of_threads() {
    let (board, bytes, numbers) =
        (random_board(1, 700 * 801), random_bytes(2, 3_000_001), random_f32(3, 400_003));
    let (a, b) = (random_f32(4, 150 * 170), random_f32(5, 170 * 130));
    let all = |ctx: &Context| {
        let (mut sum, mut sorted) = ([0f32], vec![0f32; numbers.len()]);
        let reduce = ReduceOptions { dtype: Dtype::F32 as i32, ..ReduceOptions::default() };
        let sort = SortOptions { dtype: Dtype::F32 as i32, ..SortOptions::default() };
        let (from, len, to) = (numbers.as_ptr().cast(), numbers.len(), sorted.as_mut_ptr().cast());
        // SAFETY: as many elements as are said, one result.
        unsafe {
            ok(gpumex_reduce(ctx.handle, &reduce, from, len, sum.as_mut_ptr().cast()), "gpumex_reduce");
            ok(gpumex_sort(ctx.handle, &sort, from, null(), len, to, null_mut()), "gpumex_sort");
        }
        let bits = sorted.iter().chain(&sum).map(|number| number.to_bits()).collect::<Vec<_>>();
        (
            life(ctx, LifeVariant::Auto, &board, 700, 801, 7),
            histogram(ctx, HistogramVariant::Auto, &bytes),
            matmul(ctx, MatmulVariant::Auto, MatmulOrder::Row, [150, 130, 170], &a, &b),
            bits,
        )
    };
    let ctx = create(&ContextOptions { threads: 1, ..on_cpu() }).unwrap();
    let want = all(&ctx);
    for threads in [2, 3, 7, 16, 0] {
        ok(gpumex_context_set_threads(ctx.handle, threads), "gpumex_context_set_threads");
        let (board, counts, product, bits) = all(&ctx);
        assert_same(&board, &want.0, format!("gpumex_life on {threads} threads"));
        assert_same(&counts, &want.1, format!("gpumex_histogram on {threads} threads"));
        assert_same_bits(&product, &want.2, format!("gpumex_matmul on {threads} threads"));
        assert_same(&bits, &want.3, format!("gpumex_reduce and gpumex_sort on {threads} threads"));
    }
}

/// As many as that would take a minute to start.
#[test]
fn of_thousands_of_threads_a_few_a_core_are_started() {
    in_a_new_process("works on thousands of threads", &[]);
}

fn works_on_thousands_of_threads() {
    let (board, bytes) = (random_board(1, 700 * 801), random_bytes(2, 3_000_001));
    let results = |threads| {
        let ctx = create(&ContextOptions { threads, ..on_cpu() }).unwrap();
        let board = life(&ctx, LifeVariant::Auto, &board, 700, 801, 7);
        (board, histogram(&ctx, HistogramVariant::Auto, &bytes))
    };
    let want = results(1);
    let before = threads_of_the_library();
    for threads in [1024, 4096] {
        let (board, counts) = results(threads);
        assert_same(&board, &want.0, format!("gpumex_life on {threads} threads"));
        assert_same(&counts, &want.1, format!("gpumex_histogram on {threads} threads"));
    }
    let started = threads_of_the_library() - before;
    let most = 4 * std::thread::available_parallelism().map_or(1, usize::from).max(16);
    assert!((1..=most).contains(&started), "{started} threads were started, at most {most} are documented");
}

/// The threads of this process that are the library's, by their names.
fn threads_of_the_library() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux lists threads");
    let names = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.starts_with("gpumex")).count()
}

#[test]
fn contexts_with_different_threads_work_side_by_side() {
    std::thread::scope(|scope| {
        for threads in [1, 2, 3, 4] {
            scope.spawn(move || {
                let ctx = create(&ContextOptions { threads, ..on_cpu() }).unwrap();
                for round in 0..20 {
                    ok(work(ctx.handle, 5), format!("{threads} threads, round {round}"));
                    ok(gpumex_context_set_threads(ctx.handle, 1 + (threads + round) % 4), "set_threads");
                }
            });
        }
    });
}

#[test]
fn the_capacity_of_the_cache_is_the_options() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let ctx = create(&ContextOptions { cache_capacity: 1 << 20, ..on(backend) }).unwrap();
        let stats = stats_of(&ctx);
        assert_eq!((stats.capacity, stats.largest), (1 << 20, 1 << 19), "{backend:?}");
        ok(work_in_temporaries(ctx.handle), "gpumex_life");
        assert!(stats_of(&ctx).cached <= 1 << 20, "{backend:?}");
    }
}

#[test]
fn only_cuda_has_a_stream() {
    let ctx = Context::cpu();
    let status = stream_of(&ctx).unwrap_err();
    refused(status, Status::Unsupported, &["gpumex_context_stream", "CPU backend"], "the CPU backend");
    for ctx in backends().iter().filter(|ctx| ctx.backend == Backend::Cuda) {
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_context_stream(ctx.handle, null_mut()) };
        refused(status, Status::NullPointer, &["gpumex_context_stream", "stream is NULL"], "NULL");
        assert!(!stream_of(ctx).unwrap().is_null(), "a context has a stream of its own");
    }
}

#[test]
fn a_context_works_in_the_stream_of_its_options() {
    if Context::cuda().is_none() {
        return;
    }
    let driver = Driver::load();
    driver.with_current(driver.retain_primary(), || {
        let own = driver.create_stream();
        for (stream, backend) in [(own, Backend::Auto), (own, Backend::Cuda), (null_mut(), Backend::Auto)] {
            let ctx = create(&ContextOptions { on_stream: 1, stream, ..on(backend) }).unwrap();
            assert_eq!((backend_of(ctx.handle), stream_of(&ctx)), (Ok(Backend::Cuda as i32), Ok(stream)));
            ok(work(ctx.handle, 3), "gpumex_life");
        }
        driver.destroy_stream(own);
    });
    driver.release_primary();
}

/// What the caller puts into the stream of a context is in order with its operations.
#[test]
fn the_stream_of_a_context_takes_the_callers_work() {
    let Some(ctx) = Context::cuda() else { return };
    let driver = Driver::load();
    driver.with_current(driver.retain_primary(), || {
        let (stream, bytes) = (stream_of(&ctx).unwrap(), 64 << 20);
        let [data, counts] = [bytes, 256 * 8].map(|bytes| driver.allocate(bytes));
        for byte in 3..8u8 {
            driver.fill_on(stream, data, byte, bytes);
            // SAFETY: so many bytes, 256 counters, all of it on the device.
            let status = unsafe { gpumex_histogram(ctx.handle, null(), data, bytes, counts, 256) };
            ok(status, "gpumex_histogram behind a fill");
            driver.fill_on(stream, data, 99, bytes);
            let mut got = [0u64; 256];
            // SAFETY: 256 counters each.
            ok(unsafe { gpumex_copy(ctx.handle, got.as_mut_ptr().cast(), counts, 256 * 8) }, "gpumex_copy");
            assert_eq!(got[usize::from(byte)], bytes as u64);
        }
        [data, counts].into_iter().for_each(|memory| driver.free(memory));
    });
    driver.release_primary();
}

#[test]
fn the_numbers_of_the_policies_are_cs() {
    assert_eq!([BusyPolicy::Return as i32, BusyPolicy::Wait as i32], [0, 1]);
}
