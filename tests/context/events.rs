//! Events: order and time between the work of contexts.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gpumex::context::Event;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use super::every_call::handle_of;
use crate::common::{cuda::Driver, *};

/// What C calls a `gpumex_event *`.
pub type EventHandle = *mut Event;

#[track_caller]
pub fn event_of(ctx: &Context) -> EventHandle {
    let mut event = null_mut();
    // SAFETY: a pointer to write to.
    ok(unsafe { gpumex_event_create(ctx.handle, &mut event) }, "gpumex_event_create");
    assert!(!event.is_null());
    event
}

#[track_caller]
fn recorded(ctx: &Context) -> EventHandle {
    let event = event_of(ctx);
    ok(gpumex_event_record(ctx.handle, event), "gpumex_event_record");
    event
}

fn query(event: EventHandle) -> Result<i32, i32> {
    let mut done = -7;
    // SAFETY: an int32_t.
    match unsafe { gpumex_event_query(event, &mut done) } {
        0 => Ok(done),
        status => Err(status),
    }
}

fn elapsed(start: EventHandle, end: EventHandle) -> Result<f64, i32> {
    let mut ms = -7.0;
    // SAFETY: a double.
    match unsafe { gpumex_event_elapsed_ms(start, end, &mut ms) } {
        0 => Ok(ms),
        status => Err(status),
    }
}

/// Every call that takes an event, on a context of its backend.
type EventCall = (&'static str, fn(&Context, EventHandle) -> i32);

const EVENT_CALLS: [EventCall; 7] = [
    ("gpumex_event_record", |ctx, event| gpumex_event_record(ctx.handle, event)),
    ("gpumex_event_wait", |ctx, event| gpumex_event_wait(ctx.handle, event)),
    ("gpumex_event_query", |_, event| query(event).err().unwrap_or(0)),
    ("gpumex_event_synchronize", |_, event| gpumex_event_synchronize(event)),
    ("gpumex_event_elapsed_ms", |ctx, event| {
        let end = recorded(ctx);
        let status = elapsed(event, end).err().unwrap_or(0);
        ok(gpumex_event_destroy(end), "gpumex_event_destroy");
        status
    }),
    ("gpumex_event_elapsed_ms", |ctx, event| {
        let start = recorded(ctx);
        let status = elapsed(start, event).err().unwrap_or(0);
        ok(gpumex_event_destroy(start), "gpumex_event_destroy");
        status
    }),
    ("gpumex_event_destroy", |_, event| gpumex_event_destroy(event)),
];

#[test]
fn an_event_lives_from_create_to_destroy() {
    for ctx in backends() {
        let event = event_of(&ctx);
        for (name, call) in EVENT_CALLS {
            ok(call(&ctx, event), format!("{name} on {:?}", ctx.backend)); // the last one destroys it
        }
        for (name, call) in EVENT_CALLS {
            let words = [name, &format!("{event:p}"), "not a live event"];
            refused(call(&ctx, event), Status::InvalidArgument, &words, "a destroyed event");
        }
    }
}

#[test]
fn an_invented_event_is_refused_and_never_dereferenced() {
    for ctx in backends() {
        let (event, local) = (event_of(&ctx), 7u64);
        let near =
            [event as usize - 1, event as usize + 1, event as usize + (1 << 40), event as usize ^ (1 << 62)];
        let far = [1, 2, 3, 8, usize::MAX, &raw const local as usize, ctx.handle as usize];
        for number in near.into_iter().chain(far) {
            for (name, call) in EVENT_CALLS {
                let status = call(&ctx, std::ptr::without_provenance_mut(number));
                refused(status, Status::InvalidArgument, &[name, "not a live event"], format!("{number:#x}"));
            }
        }
        for (name, call) in EVENT_CALLS.iter().filter(|(name, _)| *name != "gpumex_event_destroy") {
            refused(call(&ctx, null_mut()), Status::NullPointer, &[name, "is NULL"], "NULL");
        }
        ok(gpumex_event_destroy(null_mut()), "NULL may be destroyed");
        let status = count(handle_of(event as usize));
        refused(status, Status::InvalidArgument, &["not a live context"], "an event as a context");
        ok(gpumex_event_destroy(event), "the live event beside them");
    }
}

/// Another thread records an event anew between the wait for it and the measurement.
#[test]
fn the_time_between_events_that_are_recorded_anew_is_measured() {
    for ctx in backends() {
        let (start, end) = (recorded(&ctx), recorded(&ctx));
        let backend = ctx.backend;
        let (others, is_over) = (start.addr(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let own = Context::open(backend).expect("a second context");
                while !is_over.load(Ordering::Relaxed) {
                    ok(
                        gpumex_event_record(own.handle, std::ptr::without_provenance_mut(others)),
                        "recorded anew",
                    );
                }
            });
            for round in 0..20_000 {
                let ms = elapsed(start, end);
                assert!(ms.is_ok_and(f64::is_finite), "round {round}: {ms:?}");
            }
            is_over.store(true, Ordering::Relaxed);
        });
        ok(gpumex_event_destroy(start), "gpumex_event_destroy");
        ok(gpumex_event_destroy(end), "gpumex_event_destroy");
    }
}

#[test]
fn a_place_for_the_answer_is_needed() {
    for ctx in backends() {
        let event = recorded(&ctx);
        // SAFETY: NULL is refused.
        unsafe {
            let null = Status::NullPointer;
            refused(gpumex_event_create(ctx.handle, null_mut()), null, &["event is NULL"], "create");
            refused(gpumex_event_query(event, null_mut()), null, &["done is NULL"], "query");
            refused(gpumex_event_elapsed_ms(event, event, null_mut()), null, &["ms is NULL"], "elapsed");
        }
        ok(gpumex_event_destroy(event), "gpumex_event_destroy");
    }
}

#[test]
fn an_event_that_was_never_recorded_is_refused() {
    for ctx in backends() {
        let event = event_of(&ctx);
        let reads = EVENT_CALLS
            .iter()
            .filter(|(name, _)| !["record", "destroy"].iter().any(|word| name.ends_with(word)));
        for (name, call) in reads {
            let status = call(&ctx, event);
            refused(status, Status::InvalidArgument, &[name, "the event was never recorded"], "unrecorded");
        }
        ok(gpumex_event_destroy(event), "gpumex_event_destroy");
    }
}

#[test]
fn the_time_between_events_is_that_of_the_work_between_them() {
    for ctx in backends() {
        let start = Instant::now();
        let begin = recorded(&ctx);
        ok(work(ctx.handle, 300), "gpumex_life");
        let end = recorded(&ctx);
        let between = elapsed(begin, end).unwrap_or_else(|status| panic!("{}", explain(status)));
        let wall = start.elapsed().as_secs_f64() * 1e3;
        assert!(between > 0.0 && between <= wall * 1.01 + 0.01, "{:?}: {between} of {wall} ms", ctx.backend);
        assert_eq!(elapsed(end, begin), Ok(-between), "{:?}: backwards", ctx.backend);
        assert_eq!(elapsed(end, end), Ok(0.0));
        assert_eq!(query(begin), Ok(1));
        std::thread::sleep(Duration::from_millis(2));
        ok(gpumex_event_record(ctx.handle, end), "gpumex_event_record again");
        assert!(elapsed(begin, end).unwrap() > between + 1.0, "the latest record counts");
        [begin, end].into_iter().for_each(|event| ok(gpumex_event_destroy(event), "gpumex_event_destroy"));
    }
}

#[test]
fn an_event_outlives_its_context() {
    for ctx in backends() {
        let (begin, end) = (recorded(&ctx), event_of(&ctx));
        ok(work(ctx.handle, 20), "gpumex_life");
        ok(gpumex_event_record(ctx.handle, end), "gpumex_event_record");
        let other = Context::open(ctx.backend).unwrap();
        drop(ctx);
        ok(gpumex_event_synchronize(end), "gpumex_event_synchronize");
        assert!(query(end) == Ok(1) && elapsed(begin, end).unwrap() > 0.0);
        ok(gpumex_event_wait(other.handle, end), "gpumex_event_wait");
        ok(gpumex_event_record(other.handle, end), "gpumex_event_record by another context");
        [begin, end].into_iter().for_each(|event| ok(gpumex_event_destroy(event), "gpumex_event_destroy"));
    }
}

#[test]
fn threads_may_use_one_event_at_once() {
    for ctx in backends() {
        let event = recorded(&ctx) as usize;
        let event_at = move || std::ptr::without_provenance_mut(event);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    for _ in 0..500 {
                        assert!([Ok(0), Ok(1)].contains(&query(event_at())));
                        ok(gpumex_event_synchronize(event_at()), "gpumex_event_synchronize");
                    }
                });
            }
            for _ in 0..50 {
                ok(work(ctx.handle, 1), "gpumex_life");
                ok(gpumex_event_record(ctx.handle, event_at()), "gpumex_event_record");
            }
        });
        ok(gpumex_event_destroy(event_at()), "gpumex_event_destroy");
    }
}

#[test]
fn events_of_different_backends_have_no_time_between_them_but_order() {
    let (cpu, Some(cuda)) = (Context::cpu(), Context::cuda()) else { return };
    let (host, device) = (recorded(&cpu), recorded(&cuda));
    let words = ["different backends"];
    refused(elapsed(host, device).unwrap_err(), Status::InvalidArgument, &words, "elapsed");
    let recorded = [(&cpu, device), (&cuda, host)];
    for (ctx, event) in recorded {
        refused(
            gpumex_event_record(ctx.handle, event),
            Status::InvalidArgument,
            &["event is one of"],
            "record",
        );
        ok(gpumex_event_wait(ctx.handle, event), "gpumex_event_wait");
    }
    [host, device].into_iter().for_each(|event| ok(gpumex_event_destroy(event), "gpumex_event_destroy"));
}

/// Memory of the driver, which the library does not order between its contexts: the event alone does.
#[test]
fn a_context_waits_for_the_work_of_another_one() {
    let (Some(first), Some(second)) = (Context::cuda(), Context::cuda()) else { return };
    let driver = Driver::load();
    driver.with_current(driver.retain_primary(), || {
        let (stream, bytes) = (driver.create_beside(), 512 << 20);
        let own =
            super::create_with::create(&ContextOptions { on_stream: 1, stream, ..ContextOptions::default() });
        let own = own.unwrap_or_else(|reason| panic!("{reason}"));
        let [data, counts] = [bytes, 256 * 8].map(|bytes| driver.allocate(bytes));
        let event = event_of(&own);
        for ctx in [&first, &second] {
            for byte in 1..6u8 {
                let value = [byte];
                let dtype = gpumex::model::dtype::Dtype::U8 as i32;
                // SAFETY: so many bytes of the device, one of the host.
                let fill = || unsafe { gpumex_fill(own.handle, dtype, data, bytes, value.as_ptr().cast()) };
                (0..10).for_each(|_| ok(fill(), "gpumex_fill"));
                ok(gpumex_event_record(own.handle, event), "gpumex_event_record");
                let is_done = query(event).unwrap();
                ok(gpumex_event_wait(ctx.handle, event), "gpumex_event_wait");
                let got = counted(ctx, data, bytes, counts);
                assert_eq!(got[usize::from(byte)], bytes as u64, "done at first: {is_done}");
                assert_eq!(query(event), Ok(1));
            }
        }
        ok(gpumex_event_destroy(event), "gpumex_event_destroy");
        [data, counts].into_iter().for_each(|memory| driver.free(memory));
        drop(own);
        driver.destroy_stream(stream);
    });
    driver.release_primary();
}

fn counted(ctx: &Context, data: *mut c_void, bytes: usize, counts: *mut c_void) -> [u64; 256] {
    let mut got = [0u64; 256];
    // SAFETY: so many bytes, 256 counters on the device and on the host.
    unsafe {
        ok(gpumex_histogram(ctx.handle, null(), data, bytes, counts, 256), "gpumex_histogram");
        ok(gpumex_copy(ctx.handle, got.as_mut_ptr().cast(), counts, 256 * 8), "gpumex_copy");
    }
    got
}

#[test]
fn an_event_of_another_device_is_waited_for_and_not_recorded() {
    let Some(first) = Context::cuda() else { return };
    let mut devices = 0;
    // SAFETY: an int32_t.
    ok(unsafe { gpumex_device_count(&mut devices) }, "gpumex_device_count");
    if devices < 2 {
        return leave_out("a second CUDA device: there is one");
    }
    let other = 1 - info_of(first.handle).device.min(1);
    let second = gpumex_context_create(Backend::Cuda as i32, other);
    let second = Context { handle: second, backend: Backend::Cuda };
    let event = recorded(&first);
    ok(gpumex_event_wait(second.handle, event), "gpumex_event_wait");
    let status = gpumex_event_record(second.handle, event);
    refused(status, Status::InvalidArgument, &["event is one of device"], "record on another device");
    ok(gpumex_event_destroy(event), "gpumex_event_destroy");
}
