//! The crate gpumex (rust/): each C function is in it, arrays of any kind mix, errors say what is wrong, and what is dropped is freed.

mod ranks;

use std::collections::BTreeSet;
use std::fs;

use gpumex_rust::*;

use crate::c_abi::programs::root;
use crate::header;

/// C functions whose Rust function has another name.
const RENAMED: &[(&str, &str)] = &[
    ("gpumex_allocator_custom", "custom_allocator"),
    ("gpumex_allocator_get_stats", "allocator_stats"),
    ("gpumex_allocator_select", "select_allocator"),
    ("gpumex_allocator_set_capacity", "set_allocator_capacity"),
    ("gpumex_allocator_trim", "trim_allocator"),
    ("gpumex_comm_create", "over"),
    ("gpumex_comm_create_local", "local"),
    ("gpumex_comm_create_nccl", "over_nccl"),
    ("gpumex_comm_get_info", "is_alive"),
    ("gpumex_context_create", "new"),
    ("gpumex_context_create_on_stream", "stream"),
    ("gpumex_context_create_with", "builder"),
    ("gpumex_context_default", "process_default"),
    ("gpumex_event_create", "create_event"),
    ("gpumex_event_elapsed_ms", "ms_since"),
    ("gpumex_event_query", "is_done"),
    ("gpumex_event_record", "record_event"),
    ("gpumex_event_wait", "wait_for_event"),
    ("gpumex_last_error", "message"),
    ("gpumex_last_status", "status"),
    ("gpumex_malloc", "uninit"),
    ("gpumex_pattern_inspect", "inspect"),
    ("gpumex_pattern_read", "read"),
    ("gpumex_pattern_write", "write"),
    ("gpumex_reset_default", "reset_process_default"),
    ("gpumex_set_log_callback", "set_log"),
    ("gpumex_status_string", "text"),
    ("gpumex_timer_start", "start_timer"),
    ("gpumex_timer_stop", "timer_ms"),
    ("gpumex_tuning_get", "tuning"),
    ("gpumex_tuning_set", "set_tuning"),
];

/// C functions without one, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    (
        "gpumex_context_create_from_args",
        "the arguments of main are the program's: a parser of its own, and ContextBuilder::device",
    ),
    ("gpumex_comm_destroy", "Drop of Communicator"),
    ("gpumex_context_destroy", "Drop of Context"),
    ("gpumex_event_destroy", "Drop of Event"),
    ("gpumex_free", "Drop of DeviceArray"),
    ("gpumex_timer_throughput", "a division of what timer_ms gives"),
    ("life_shmem", "Context::life_with and LifeVariant::Shmem"),
    ("life_texture", "Context::life_with and LifeVariant::Texture"),
    ("matmul", "Context::matmul"),
    ("histogram", "Context::histogram"),
    ("raytrace", "Context::raytrace"),
];

#[test]
fn each_c_function_is_in_the_crate_or_left_out_for_a_reason() {
    let exported: BTreeSet<String> =
        header::parsed().functions.into_iter().map(|function| function.name).collect();
    let [rust, of_ranks] = ["", "impl Communicator"].map(functions_of_the_crate);
    assert!(exported.contains("gpumex_sort") && rust.contains("sort"), "{exported:?}\n{rust:?}");

    let named = RENAMED.iter().chain(LEFT_OUT).map(|(c, _)| c);
    let gone: Vec<_> = named.filter(|c| !exported.contains(**c)).collect();
    assert!(gone.is_empty(), "listed here, and not in include/gpumex.h: {gone:?}");

    let is_left_out = |c: &str| LEFT_OUT.iter().any(|(name, _)| *name == c);
    let has = |c: &str| {
        let of_ranks = if c.starts_with("gpumex_comm_") { &of_ranks } else { &rust };
        of_ranks.contains(&rust_name(c))
    };
    let missing: Vec<_> = exported.iter().filter(|c| !is_left_out(c) && !has(c)).collect();
    assert!(missing.is_empty(), "in include/gpumex.h, and neither in rust/ nor left out here: {missing:?}");
}

/// gpumex_sort is sort, as gpumex_comm_sort, and gpumex_context_synchronize synchronize, unless it is renamed.
fn rust_name(c: &str) -> String {
    let renamed = RENAMED.iter().find(|(name, _)| *name == c).map(|(_, rust)| rust.to_string());
    let parts = ["gpumex_", "comm_", "context_", "event_"];
    let plain = parts.iter().fold(c, |name, part| name.trim_start_matches(part));
    renamed.unwrap_or_else(|| plain.to_string())
}

/// The names behind `pub fn` of the files of rust/ with a text, and those of Error and Status, which it shows.
fn functions_of_the_crate(with: &str) -> BTreeSet<String> {
    let mut files: Vec<_> =
        fs::read_dir(root().join("rust")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.push(root().join("src/error.rs"));
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap()).filter(|text| text.contains(with));
    let names = |text: String| -> Vec<String> {
        let after = text.lines().filter_map(|line| line.trim_start().strip_prefix("pub ")).map(String::from);
        let after = after.filter_map(|line| line.split_once("fn ").map(|(_, name)| name.to_string()));
        after.map(|name| name.split(['(', '<']).next().unwrap_or_default().to_string()).collect()
    };
    texts.flat_map(names).collect()
}

#[test]
fn slices_and_arrays_of_the_device_mix() {
    let ctx = Context::new().unwrap();
    let keys = ctx.array(&[5u32, 3, 9, 1]).unwrap();
    let mut positions = [0u32; 4];
    ctx.argsort(&keys, &mut positions, &SortOptions::new()).unwrap();
    assert_eq!(positions, [3, 1, 0, 2]);

    let mut gathered = ctx.zeros_in(MemoryKind::Pinned, 4).unwrap();
    ctx.gather(&keys, &positions, &mut gathered).unwrap();
    assert_eq!(gathered.as_slice().unwrap(), [1, 3, 5, 9]);
    let (mut low, mut high) = gathered.split_at_mut(2);
    ctx.copy(&low.view(), &mut high).unwrap();
    ctx.fill(&mut low, 7).unwrap();
    assert_eq!(gathered.to_vec().unwrap(), [7, 7, 1, 3]);
}

#[test]
fn an_array_is_freed_with_its_last_owner_and_outlives_its_context() {
    let ctx = Context::builder().backend(Backend::Cpu).build().unwrap();
    let array = ctx.array(&[1u8; 1000]).unwrap();
    assert_eq!(ctx.allocator_stats().unwrap().allocated_blocks, 1);
    let clone = ctx.clone();
    drop(ctx);
    assert_eq!(array.to_vec().unwrap(), [1; 1000]);
    drop(array);
    assert_eq!(clone.allocator_stats().unwrap().allocated_blocks, 0);
}

#[test]
fn lengths_that_do_not_fit_are_refused_with_both() {
    let ctx = Context::new().unwrap();
    let refused = |outcome: Result<()>| {
        let error = outcome.unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        error.to_string()
    };
    assert_eq!(
        refused(ctx.sort(&[1, 2, 3], &mut [0; 2])),
        "sort: keys has 3 elements and sorted has 2; they have the same length"
    );
    let (a, mut c) = ([1.0f64; 6], [0.0; 4]);
    assert_eq!(refused(ctx.matmul(&a, &a[..5], &mut c, (2, 2, 3))), "matmul: B has 40 bytes, 48 are needed");
    let short = Payload::values(&[1.0f32], &mut []);
    assert!(
        refused(ctx.sort_with(&[1, 2], &mut [0; 2], short, &SortOptions::new()))
            .contains("values has 4 bytes")
    );
    let kept = CompactOutputs::new().kept(&mut c[..1]);
    let outcome = ctx.compact_with(&a, &[1; 6], kept, &mut [0], &CompactOptions::new());
    assert!(refused(outcome).contains("capacity is 1"));
}

#[test]
fn more_than_there_is_memory_is_an_error() {
    let ctx = Context::builder().backend(Backend::Cpu).build().unwrap();
    assert_eq!(ctx.zeros::<u64>(usize::MAX).unwrap_err().status(), Status::OutOfMemory);
    assert_eq!(ctx.zeros::<u64>(1 << 58).unwrap_err().status(), Status::OutOfMemory);
}

#[test]
fn parts_of_an_array_end_where_they_end() {
    let ctx = Context::new().unwrap();
    let mut array = ctx.array(&[1.0f64; 8]).unwrap();
    let error = ctx.matmul(&[1.0; 4], &[1.0; 4], &mut array.slice_mut(..3), (2, 2, 2)).unwrap_err();
    assert_eq!(error.message(), "matmul: C has 24 bytes, 32 are needed");
    assert_eq!(array.to_vec().unwrap(), [1.0; 8]);
}

#[test]
#[should_panic(expected = "the range 3..9 is not within 8 elements")]
fn a_range_beyond_an_array_panics() {
    let ctx = Context::new().unwrap();
    let _ = ctx.zeros::<u8>(8).unwrap().slice(3..9);
}

#[test]
fn threads_take_turns_in_a_context_unless_it_returns_busy() {
    let ctx = Context::builder().threads(1).build().unwrap();
    let sums: Vec<u64> = std::thread::scope(|scope| {
        let add = |k: u64| {
            let ctx = &ctx;
            scope.spawn(move || ctx.reduce(&vec![k; 1000]).unwrap())
        };
        (0..8).map(add).collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(sums, (0..8).map(|k| k * 1000).collect::<Vec<_>>());

    let ctx = Context::builder().busy(BusyPolicy::Return).build().unwrap();
    let (entered, other) = (std::sync::mpsc::channel(), ctx.clone());
    let (tell, told) = entered;
    let (leave, left) = std::sync::mpsc::channel::<()>();
    let waits = std::sync::Mutex::new(left);
    ctx.set_progress(move |_, _| {
        let _ = tell.send(());
        let _ = waits.lock().unwrap().recv();
        std::ops::ControlFlow::Break(())
    })
    .unwrap();
    let life = std::thread::spawn(move || ctx.life(&[1u8; 64], (8, 8), 1 << 20, &mut [0; 64]));
    told.recv().unwrap();
    assert_eq!(other.reduce(&[1]).unwrap_err().status(), Status::Busy);
    leave.send(()).unwrap();
    assert_eq!(life.join().unwrap().unwrap_err().status(), Status::Cancelled);
}

#[test]
fn contexts_and_arrays_go_to_other_threads() {
    fn crosses_threads<T: Send + Sync>() {}
    crosses_threads::<Context>();
    crosses_threads::<DeviceArray<f32>>();
    crosses_threads::<View<'_, f32>>();
    crosses_threads::<Event>();
    crosses_threads::<Error>();
}

#[test]
fn two_contexts_may_use_one_array() {
    let [a, b] = [(); 2].map(|()| Context::new().unwrap());
    let mut array = a.zeros::<u32>(1000).unwrap();
    for step in 1..=20 {
        let ctx = if step % 2 == 0 { &a } else { &b };
        ctx.fill(&mut array, step).unwrap();
        let sum: u32 = if step % 3 == 0 { &a } else { &b }.reduce(&array).unwrap();
        assert_eq!(sum, 1000 * step);
    }
    drop((a, b));
    assert_eq!(array.to_vec().unwrap(), [20; 1000]);
}
