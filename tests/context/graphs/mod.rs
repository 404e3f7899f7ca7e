//! Calls that are captured into CUDA graphs: each operation on device arrays, and what a capture refuses.

mod capture;
mod operations;
mod refusals;
pub mod table;

use std::ffi::c_void;
use std::time::{Duration, Instant};

use gpumex::ffi::*;
use gpumex::memory::{AllocatorStats, MemoryKind};
use gpumex::model::dtype::Dtype;

use super::create_with::stream_of;
use crate::common::{
    cuda::{Driver, graph::Graph},
    *,
};

/// Each test has a process of its own: a capture in the strictest mode is invalidated by what other tests ask the driver for.
pub const ROLES: [Role; 13] = [
    (
        "every_operation_may_be_captured_and_its_graph_launched_again_and_again",
        operations::role_every_operation_may_be_captured_and_its_graph_launched_again_and_again,
    ),
    (
        "a_stream_of_the_callers_may_be_captured_that_runs_beside_all_others",
        operations::role_a_stream_of_the_callers_may_be_captured_that_runs_beside_all_others,
    ),
    (
        "the_temporaries_of_a_graph_come_from_whatever_allocator_there_is",
        operations::role_the_temporaries_of_a_graph_come_from_whatever_allocator_there_is,
    ),
    (
        "what_waits_or_reads_back_is_refused_and_the_capture_goes_on",
        refusals::role_what_waits_or_reads_back_is_refused_and_the_capture_goes_on,
    ),
    (
        "a_context_on_the_legacy_stream_is_refused_while_another_stream_is_captured",
        refusals::role_a_context_on_the_legacy_stream_is_refused_while_another_stream_is_captured,
    ),
    ("a_graph_outlives_its_context", capture::role_a_graph_outlives_its_context),
    ("graphs_give_their_memory_back", capture::role_graphs_give_their_memory_back),
    (
        "memory_may_be_allocated_and_freed_amid_a_capture",
        capture::role_memory_may_be_allocated_and_freed_amid_a_capture,
    ),
    ("memory_of_another_context_may_take_part", capture::role_memory_of_another_context_may_take_part),
    (
        "memory_that_a_captured_stream_used_before_is_not_freed_or_used_meanwhile",
        capture::role_memory_that_a_captured_stream_used_before_is_not_freed_or_used_meanwhile,
    ),
    (
        "events_bring_another_context_into_the_graph",
        capture::role_events_bring_another_context_into_the_graph,
    ),
    (
        "a_captured_call_has_no_time_and_tells_nobody_how_far_it_is",
        capture::role_a_captured_call_has_no_time_and_tells_nobody_how_far_it_is,
    ),
    (
        "other_threads_work_on_while_a_stream_is_captured",
        capture::role_other_threads_work_on_while_a_stream_is_captured,
    ),
];

/// Device memory of gpumex_malloc, or any other that a test passes to a call.
pub struct DeviceArray {
    at: *mut c_void,
    bytes: usize,
}

impl DeviceArray {
    pub fn new(ctx: &Context, bytes: usize) -> DeviceArray {
        let mut at = std::ptr::null_mut();
        // SAFETY: a pointer to write to.
        let status = unsafe { gpumex_malloc(ctx.handle, MemoryKind::Device as i32, bytes, &mut at) };
        ok(status, format!("gpumex_malloc, {bytes} bytes"));
        DeviceArray { at, bytes }
    }

    pub fn holding(ctx: &Context, contents: &[u8]) -> DeviceArray {
        let array = DeviceArray::new(ctx, contents.len());
        array.set(ctx, contents);
        array
    }

    pub fn set(&self, ctx: &Context, contents: &[u8]) {
        assert_eq!(contents.len(), self.bytes);
        // SAFETY: as many bytes each.
        let status = unsafe { gpumex_copy(ctx.handle, self.at, contents.as_ptr().cast(), self.bytes) };
        ok(status, "gpumex_copy to the device");
    }

    pub fn get(&self, ctx: &Context) -> Vec<u8> {
        let mut contents = vec![0; self.bytes];
        // SAFETY: as many bytes each.
        let status = unsafe { gpumex_copy(ctx.handle, contents.as_mut_ptr().cast(), self.at, self.bytes) };
        ok(status, "gpumex_copy from the device");
        contents
    }
}

impl Drop for DeviceArray {
    fn drop(&mut self) {
        let status = gpumex_free(self.at);
        assert!(status == 0 || std::thread::panicking(), "gpumex_free: {}", explain(status));
    }
}

/// Runs a test with the driver and the primary context current, as a program of the CUDA runtime has it, where there is a device.
#[track_caller]
fn with_device(test: impl FnOnce(&Driver, &Context)) {
    let Some(ctx) = Context::cuda() else { return };
    let driver = Driver::load();
    driver.with_current(driver.retain_primary(), || test(&driver, &ctx));
    drop(ctx);
    driver.release_primary();
}

/// The graph of what `calls` does on a context.
fn captured<'d>(driver: &'d Driver, ctx: &Context, calls: impl FnOnce()) -> Graph<'d> {
    let stream = stream_of(ctx).unwrap();
    driver.begin_capture(stream);
    calls();
    assert!(driver.is_capturing(stream), "the calls have invalidated the capture");
    driver.end_capture(stream)
}

/// Fills what is idle in the allocator of a context with other numbers, in stream order: whatever still needs it would show.
fn disturb(ctx: &Context) {
    for count in [100, 5_000, 200_000, 1_500_000] {
        let array = DeviceArray::new(ctx, 8 * count);
        let dtype = Dtype::U64 as i32;
        // SAFETY: `count` elements of 8 bytes.
        let status = unsafe { gpumex_random_sorted(ctx.handle, dtype, array.at, count, 77, 0.0, 1e15) };
        ok(status, "gpumex_random_sorted");
    }
}

fn blocks_in_use(ctx: &Context) -> u64 {
    let mut stats = AllocatorStats { size: size_of::<AllocatorStats>(), ..AllocatorStats::default() };
    // SAFETY: a struct with its size.
    ok(unsafe { gpumex_allocator_get_stats(ctx.handle, &mut stats) }, "gpumex_allocator_get_stats");
    stats.allocated_blocks
}

/// Waits until a context has no more blocks in use than these: graphs let go of theirs on a thread of the driver's.
fn wait_for_blocks(ctx: &Context, want: u64, what: &str) {
    let start = Instant::now();
    loop {
        ok(gpumex_allocator_trim(ctx.handle), "gpumex_allocator_trim");
        match blocks_in_use(ctx) {
            blocks if blocks <= want => return,
            blocks => {
                assert!(
                    start.elapsed() < Duration::from_secs(20),
                    "{what}: {blocks} blocks in use, want {want}"
                )
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
