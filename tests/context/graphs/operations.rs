//! Every operation in a graph gives what the call gives, with other contents at each launch.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::memory::Allocator;

use super::table::{ROWS_OF_TABLE, Row};
use super::{DeviceArray, blocks_in_use, captured, disturb, wait_for_blocks, with_device};
use crate::common::{cuda::Driver, *};
use crate::context::create_with::{create, stream_of};

/// The arrays of a row on the device.
struct Arrays {
    inputs: Vec<DeviceArray>,
    outputs: Vec<DeviceArray>,
}

impl Arrays {
    fn new(ctx: &Context, row: &Row) -> Arrays {
        let on_device =
            |contents: Vec<Vec<u8>>| contents.iter().map(|bytes| DeviceArray::holding(ctx, bytes)).collect();
        Arrays { inputs: on_device((row.inputs)(0)), outputs: on_device((row.outputs)()) }
    }

    /// The contents of a seed, and outputs as they are before a call.
    fn set(&self, ctx: &Context, row: &Row, seed: u64) {
        let set = |arrays: &[DeviceArray], contents: Vec<Vec<u8>>| {
            assert_eq!(arrays.len(), contents.len(), "{}", row.name);
            arrays.iter().zip(&contents).for_each(|(array, bytes)| array.set(ctx, bytes));
        };
        set(&self.inputs, (row.inputs)(seed));
        set(&self.outputs, (row.outputs)());
    }

    fn call(&self, ctx: &Context, row: &Row) -> i32 {
        let inputs: Vec<*const c_void> = self.inputs.iter().map(|array| array.at.cast_const()).collect();
        let outputs: Vec<*mut c_void> = self.outputs.iter().map(|array| array.at).collect();
        (row.call)(ctx.handle, &inputs, &outputs)
    }

    #[track_caller]
    fn compare(&self, ctx: &Context, want: &[Vec<u8>], what: &str) {
        for (array, want) in self.outputs.iter().zip(want) {
            assert_same(&array.get(ctx), want, what);
        }
    }
}

/// What the call itself gives for the contents of a seed.
fn results(ctx: &Context, row: &Row, seed: u64) -> Vec<Vec<u8>> {
    let arrays = Arrays::new(ctx, row);
    arrays.set(ctx, row, seed);
    ok(arrays.call(ctx, row), format!("{}, called", row.name));
    arrays.outputs.iter().map(|array| array.get(ctx)).collect()
}

/// Captures a row before it was ever called on this context, launches the graph in and beside the context's stream, and compares.
fn check(driver: &Driver, ctx: &Context, plain: &Context, row: &Row) {
    let (name, stream, beside) = (row.name, stream_of(ctx).unwrap(), driver.create_beside());
    let arrays = Arrays::new(ctx, row);
    let graph = captured(driver, ctx, || ok(arrays.call(ctx, row), format!("{name}, captured")));
    assert!(graph.nodes() > 0, "{name}: the graph is empty");
    let launched = graph.instantiate();
    drop(graph);
    for seed in [1, 2] {
        let want = results(plain, row, seed);
        arrays.set(ctx, row, seed);
        disturb(ctx);
        launched.launch(stream);
        disturb(ctx);
        arrays.compare(ctx, &want, &format!("{name}, launch {seed} of the graph"));
    }
    let want = results(plain, row, 3);
    arrays.set(ctx, row, 3);
    ok(gpumex_context_synchronize(ctx.handle), "gpumex_context_synchronize");
    disturb(ctx); // at the same time
    launched.launch(beside);
    disturb(ctx);
    driver.synchronize_stream(beside);
    arrays.compare(ctx, &want, &format!("{name}, the graph beside other work of its context"));
    driver.destroy_stream(beside);
}

/// The calls of the table are good calls, on the CPU backend as well, where nothing is captured.
#[test]
fn the_calls_of_the_table_work_on_the_cpu_backend() {
    let ctx = Context::cpu();
    for row in ROWS_OF_TABLE {
        let (inputs, mut outputs) = ((row.inputs)(1), (row.outputs)());
        let from: Vec<*const c_void> = inputs.iter().map(|array| array.as_ptr().cast()).collect();
        let to: Vec<*mut c_void> = outputs.iter_mut().map(|array| array.as_mut_ptr().cast()).collect();
        let status = (row.call)(ctx.handle, &from, &to);
        ok(status, row.name);
        assert!(outputs != (row.outputs)(), "{}: nothing was written", row.name);
    }
}

#[test]
fn every_operation_may_be_captured_and_its_graph_launched_again_and_again() {
    on_cuda_in_a_new_process("every_operation_may_be_captured_and_its_graph_launched_again_and_again");
}

pub fn role_every_operation_may_be_captured_and_its_graph_launched_again_and_again() {
    with_device(|driver, plain| {
        for row in ROWS_OF_TABLE {
            let ctx = Context::cuda().expect("a device is here");
            let before = blocks_in_use(&ctx);
            check(driver, &ctx, plain, row);
            wait_for_blocks(&ctx, before, row.name);
        }
    });
}

#[test]
fn a_stream_of_the_callers_may_be_captured_that_runs_beside_all_others() {
    on_cuda_in_a_new_process("a_stream_of_the_callers_may_be_captured_that_runs_beside_all_others");
}

pub fn role_a_stream_of_the_callers_may_be_captured_that_runs_beside_all_others() {
    with_device(|driver, plain| {
        let stream = driver.create_beside();
        let ctx = create(&ContextOptions { on_stream: 1, stream, ..ContextOptions::default() });
        let ctx = ctx.unwrap_or_else(|reason| panic!("{reason}"));
        for row in
            ROWS_OF_TABLE.iter().filter(|row| ["sort", "life", "matmul", "join, OUTER"].contains(&row.name))
        {
            check(driver, &ctx, plain, row);
        }
        drop(ctx);
        driver.destroy_stream(stream);
    });
}

#[test]
fn the_temporaries_of_a_graph_come_from_whatever_allocator_there_is() {
    on_cuda_in_a_new_process("the_temporaries_of_a_graph_come_from_whatever_allocator_there_is");
}

pub fn role_the_temporaries_of_a_graph_come_from_whatever_allocator_there_is() {
    with_device(|driver, plain| {
        let supplier = supplier::Supplier::default();
        for allocator in [Allocator::Simple, Allocator::Pool, Allocator::Custom] {
            let ctx = Context::cuda().expect("a device is here");
            match allocator {
                Allocator::Custom => ok(supplier.select(ctx.handle), "gpumex_allocator_custom"),
                other => ok(gpumex_allocator_select(ctx.handle, other as i32), "gpumex_allocator_select"),
            }
            for row in ROWS_OF_TABLE.iter().filter(|row| ["sort", "compact", "matmul"].contains(&row.name)) {
                check(driver, &ctx, plain, row);
                wait_for_blocks(&ctx, 0, row.name);
            }
        }
    });
}
