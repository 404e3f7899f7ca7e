//! What else is sound around a capture: memory, events, graphs that outlive their context, and calls that are not part of it.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use super::{DeviceArray, blocks_in_use, captured, disturb, wait_for_blocks, with_device};
use crate::common::*;
use crate::context::create_with::stream_of;
use crate::context::events::event_of;
use crate::context::threads::LONG_ENOUGH;

const COUNT: usize = 200_000;

fn sort(ctx: &Context, keys: *const c_void, sorted: *mut c_void) -> i32 {
    let options = SortOptions { dtype: Dtype::U32 as i32, ..SortOptions::default() };
    // SAFETY: COUNT keys each.
    unsafe { gpumex_sort(ctx.handle, &options, keys, null(), COUNT, sorted, null_mut()) }
}

fn fill(ctx: &Context, array: *mut c_void, value: u32) -> i32 {
    // SAFETY: COUNT elements, one value.
    unsafe { gpumex_fill(ctx.handle, Dtype::U32 as i32, array, COUNT, [value].as_ptr().cast()) }
}

/// Few elements, which a context of AUTO fills without the device.
fn fill_on_host(ctx: &Context) -> i32 {
    let mut array = [0u32; 16];
    // SAFETY: 16 elements, one value.
    unsafe {
        gpumex_fill(ctx.handle, Dtype::U32 as i32, array.as_mut_ptr().cast(), 16, [7u32].as_ptr().cast())
    }
}

fn random_keys(seed: u64) -> (Vec<u8>, Vec<u8>) {
    let keys = random_bytes(seed, 4 * COUNT);
    let mut numbers: Vec<u32> =
        keys.chunks_exact(4).map(|key| u32::from_ne_bytes(key.try_into().unwrap())).collect();
    numbers.sort_unstable();
    (keys, numbers.iter().flat_map(|key| key.to_ne_bytes()).collect())
}

#[test]
fn a_graph_outlives_its_context() {
    on_cuda_in_a_new_process("a_graph_outlives_its_context");
}

pub fn role_a_graph_outlives_its_context() {
    with_device(|driver, plain| {
        let stream = driver.create_beside();
        let [keys, sorted] = [(); 2].map(|()| DeviceArray::new(plain, 4 * COUNT));
        let ctx = Context::cuda().expect("a device is here");
        let launched =
            captured(driver, &ctx, || ok(sort(&ctx, keys.at, sorted.at), "gpumex_sort")).instantiate();
        drop(ctx);
        for seed in 1..4 {
            let (contents, want) = random_keys(seed);
            keys.set(plain, &contents);
            ok(gpumex_context_synchronize(plain.handle), "gpumex_context_synchronize");
            let another = Context::cuda().expect("a device is here"); // who might get memory that was given back
            disturb(&another);
            launched.launch(stream);
            disturb(&another);
            driver.synchronize_stream(stream);
            assert_same(&sorted.get(plain), &want, format!("launch {seed}"));
        }
        drop(launched);
        driver.destroy_stream(stream);
    });
}

#[test]
fn graphs_give_their_memory_back() {
    on_cuda_in_a_new_process("graphs_give_their_memory_back");
}

pub fn role_graphs_give_their_memory_back() {
    with_device(|driver, ctx| {
        let [keys, sorted] = [(); 2].map(|()| DeviceArray::new(ctx, 4 * COUNT));
        let before = blocks_in_use(ctx);
        for round in 0..30 {
            let graph = captured(driver, ctx, || {
                (0..5).for_each(|_| ok(sort(ctx, keys.at, sorted.at), "gpumex_sort"));
            });
            let used = blocks_in_use(ctx);
            assert!(
                used > before && used < before + 5,
                "{used} blocks, {before} before: calls of one capture share them"
            );
            drop(graph);
            wait_for_blocks(ctx, before, &format!("round {round}"));
        }
    });
}

#[test]
fn memory_may_be_allocated_and_freed_amid_a_capture() {
    on_cuda_in_a_new_process("memory_may_be_allocated_and_freed_amid_a_capture");
}

pub fn role_memory_may_be_allocated_and_freed_amid_a_capture() {
    with_device(|driver, ctx| {
        let stream = stream_of(ctx).unwrap();
        let large = DeviceArray::new(ctx, 256 << 20);
        ok(gpumex_allocator_set_capacity(ctx.handle, 1 << 20, 1 << 20), "gpumex_allocator_set_capacity");
        ok(fill(ctx, large.at, 1), "gpumex_fill");
        let array = std::cell::OnceCell::new();
        let graph = captured(driver, ctx, || {
            drop(large); // goes back to the driver, which would wait for the stream
            let made = array.get_or_init(|| DeviceArray::new(ctx, 4 * COUNT));
            ok(fill(ctx, made.at, 7), "gpumex_fill");
            ok(gpumex_allocator_trim(ctx.handle), "gpumex_allocator_trim");
            assert!(driver.is_capturing(stream));
        });
        graph.instantiate().launch(stream);
        let array = array.into_inner().expect("it was made");
        assert_same(&array.get(ctx), &7u32.to_ne_bytes().repeat(COUNT), "the graph");
        drop((array, graph));
        wait_for_blocks(ctx, 0, "all of it");
    });
}

/// Another context's memory, and memory that another context still works on, take part without an order of the library's.
#[test]
fn memory_of_another_context_may_take_part() {
    on_cuda_in_a_new_process("memory_of_another_context_may_take_part");
}

pub fn role_memory_of_another_context_may_take_part() {
    with_device(|driver, owner| {
        let ctx = Context::cuda().expect("a device is here");
        let [keys, sorted] = [(); 2].map(|()| DeviceArray::new(owner, 4 * COUNT));
        let (contents, want) = random_keys(5);
        keys.set(owner, &contents);
        ok(fill(owner, sorted.at, 1), "gpumex_fill"); // may still run
        let stream = stream_of(&ctx).unwrap();
        let launched = captured(driver, &ctx, || {
            ok(sort(&ctx, keys.at, sorted.at), "gpumex_sort");
            let mut other = null_mut();
            // SAFETY: a pointer to write to.
            ok(
                unsafe { gpumex_malloc(owner.handle, MemoryKind::Device as i32, 100, &mut other) },
                "gpumex_malloc",
            );
            ok(gpumex_free(other), "memory of a context that is not captured");
        });
        ok(gpumex_context_synchronize(owner.handle), "gpumex_context_synchronize");
        launched.instantiate().launch(stream);
        ok(gpumex_context_synchronize(ctx.handle), "gpumex_context_synchronize");
        assert_same(&sorted.get(owner), &want, "sorted");
    });
}

/// Memory that was used on the stream before: an order behind that stream cannot be had while it is captured.
#[test]
fn memory_that_a_captured_stream_used_before_is_not_freed_or_used_meanwhile() {
    on_cuda_in_a_new_process("memory_that_a_captured_stream_used_before_is_not_freed_or_used_meanwhile");
}

pub fn role_memory_that_a_captured_stream_used_before_is_not_freed_or_used_meanwhile() {
    with_device(|driver, owner| {
        let ctx = Context::cuda().expect("a device is here");
        let array = DeviceArray::new(owner, 4 * COUNT);
        ok(fill(&ctx, array.at, 3), "gpumex_fill by another context than the owner");
        let graph = captured(driver, &ctx, || {
            let words = ["gpumex_free", "captured into a CUDA graph"];
            refused(gpumex_free(array.at), Status::Unsupported, &words, "gpumex_free");
            let words = ["gpumex_fill", "captured into a CUDA graph"];
            refused(fill(owner, array.at, 4), Status::Unsupported, &words, "the owner");
        });
        drop(graph);
        ok(fill(owner, array.at, 4), "the owner afterwards");
        assert_same(&array.get(owner), &4u32.to_ne_bytes().repeat(COUNT), "afterwards");
    });
}

/// Two contexts in one graph: events fork the capture and join it again.
#[test]
fn events_bring_another_context_into_the_graph() {
    on_cuda_in_a_new_process("events_bring_another_context_into_the_graph");
}

pub fn role_events_bring_another_context_into_the_graph() {
    with_device(|driver, first| {
        let second = Context::cuda().expect("a device is here");
        let third = Context::open(Backend::Auto).expect("a device is here");
        let (start, end, of_third) = (event_of(first), event_of(first), event_of(first));
        let [keys, sorted, filled] = [(); 3].map(|()| DeviceArray::new(first, 4 * COUNT));
        let graph = captured(driver, first, || {
            ok(gpumex_event_record(first.handle, start), "gpumex_event_record");
            ok(gpumex_event_wait(second.handle, start), "gpumex_event_wait");
            ok(sort(&second, keys.at, sorted.at), "gpumex_sort on the second context");
            ok(gpumex_event_record(second.handle, end), "gpumex_event_record");
            ok(fill(first, filled.at, 9), "gpumex_fill on the first context");
            ok(gpumex_event_wait(first.handle, end), "gpumex_event_wait");
            ok(gpumex_event_wait(third.handle, start), "gpumex_event_wait");
            let status = fill_on_host(&third);
            refused(status, Status::Unsupported, &["gpumex_fill", "captured"], "a few elements of the host");
            ok(gpumex_event_record(third.handle, of_third), "gpumex_event_record");
            ok(gpumex_event_wait(first.handle, of_third), "gpumex_event_wait");
        });
        ok(fill_on_host(&third), "gpumex_fill after the capture");
        let mut done = -7;
        // SAFETY: an int32_t.
        let status = unsafe { gpumex_event_query(end, &mut done) };
        refused(status, Status::Unsupported, &["gpumex_event_query", "captured into a CUDA graph"], "query");
        let launched = graph.instantiate();
        for seed in [1, 2] {
            let (contents, want) = random_keys(seed);
            keys.set(first, &contents);
            launched.launch(stream_of(first).unwrap());
            assert_same(&sorted.get(first), &want, format!("launch {seed}"));
            assert_same(&filled.get(first), &9u32.to_ne_bytes().repeat(COUNT), format!("launch {seed}"));
        }
        ok(gpumex_event_record(first.handle, end), "gpumex_event_record outside of a capture");
        ok(gpumex_event_synchronize(end), "gpumex_event_synchronize");
        [start, end, of_third]
            .into_iter()
            .for_each(|event| ok(gpumex_event_destroy(event), "gpumex_event_destroy"));
    });
}

#[test]
fn a_captured_call_has_no_time_and_tells_nobody_how_far_it_is() {
    on_cuda_in_a_new_process("a_captured_call_has_no_time_and_tells_nobody_how_far_it_is");
}

pub fn role_a_captured_call_has_no_time_and_tells_nobody_how_far_it_is() {
    static TOLD: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn count(_: *mut c_void, _: u64, _: u64) -> i32 {
        TOLD.fetch_add(1, Relaxed);
        0
    }
    with_device(|driver, ctx| {
        let kernel_ms = || {
            let mut ms = -1.0;
            // SAFETY: a double.
            ok(unsafe { gpumex_context_kernel_ms(ctx.handle, &mut ms) }, "gpumex_context_kernel_ms");
            ms
        };
        let [board, next] = [(); 2].map(|()| DeviceArray::new(ctx, 1000 * 1000));
        // SAFETY: boards of 1000 x 1000 bytes on the device.
        let life = || unsafe { gpumex_life(ctx.handle, null(), board.at, 1000, 1000, 100, next.at) };
        // SAFETY: a function that lives.
        ok(
            unsafe { gpumex_context_set_progress(ctx.handle, Some(count), null_mut()) },
            "gpumex_context_set_progress",
        );
        ok(gpumex_context_set_timing(ctx.handle, 1), "gpumex_context_set_timing");
        ok(life(), "gpumex_life");
        assert!(kernel_ms() > 0.0 && TOLD.load(Relaxed) > 0);
        TOLD.store(0, Relaxed);
        drop(captured(driver, ctx, || {
            ok(life(), "gpumex_life, captured");
            assert_eq!(kernel_ms(), 0.0, "amid the capture");
        }));
        assert_eq!((kernel_ms(), TOLD.load(Relaxed)), (0.0, 0));
    });
}

/// Another thread's calls, which allocate, wait and free, do not invalidate a capture in the strictest mode, nor meet it.
#[test]
fn other_threads_work_on_while_a_stream_is_captured() {
    on_cuda_in_a_new_process("other_threads_work_on_while_a_stream_is_captured");
}

pub fn role_other_threads_work_on_while_a_stream_is_captured() {
    with_device(|driver, ctx| {
        let [keys, sorted] = [(); 2].map(|()| DeviceArray::new(ctx, 4 * COUNT));
        let (contents, want) = random_keys(8);
        keys.set(ctx, &contents);
        let (is_over, start) = (AtomicBool::new(false), Instant::now());
        let graph = std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !is_over.load(Relaxed) && start.elapsed() < LONG_ENOUGH {
                        let other = Context::cuda().expect("a device is here");
                        ok(work_in_temporaries(other.handle), "gpumex_life");
                        disturb(&other);
                    }
                });
            }
            let capture = || {
                captured(driver, ctx, || {
                    ok(sort(ctx, keys.at, sorted.at), "gpumex_sort");
                    std::thread::sleep(std::time::Duration::from_millis(2));
                })
            };
            (0..50).for_each(|_| drop(capture()));
            let last = capture();
            is_over.store(true, Relaxed);
            last
        });
        graph.instantiate().launch(stream_of(ctx).unwrap());
        assert_same(&sorted.get(ctx), &want, "the last graph");
    });
}
