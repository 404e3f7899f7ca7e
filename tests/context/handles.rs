//! Tokens: a context lives from create to destroy, and nothing else is one.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use super::every_call::*;
use crate::common::*;

#[test]
fn a_context_lives_from_create_to_destroy() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let handle = gpumex_context_create(backend as i32, -1);
        assert!(!handle.is_null(), "{backend:?}: {}", last_error());
        for (name, call) in CALLS {
            ok(call(handle), format!("{name} on {backend:?}")); // the last one destroys it
        }
        for (name, call) in CALLS {
            let what = format!("{name} with a destroyed {backend:?} context");
            refused(
                call(handle),
                Status::InvalidArgument,
                &[name, &format!("{handle:p}"), "not a live context"],
                what,
            );
        }
    }
}

#[test]
fn an_invented_handle_is_refused_and_never_dereferenced() {
    let ctx = Context::cpu();
    let (alive, local) = (ctx.handle as usize, 7u64);
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
            refused(call(handle_of(number)), Status::InvalidArgument, &[name, &format!("{number:#x}")], what);
        }
    }
    ok(count(ctx.handle), "the live context beside them");
}

#[test]
fn null_is_no_context_but_may_be_destroyed() {
    for (name, call) in CALLS {
        match *name {
            "gpumex_context_destroy" => ok(call(null_mut()), name),
            _ => refused(call(null_mut()), Status::NullPointer, &[name, "ctx"], format!("{name} with NULL")),
        }
    }
}

#[test]
fn handles_are_not_used_twice() {
    let mut seen = Vec::new();
    for round in 0..200 {
        let handle = gpumex_context_create(Backend::Cpu as i32, -1) as usize;
        assert!(handle != 0, "round {round}: {}", last_error());
        assert!(!seen.contains(&handle), "round {round}: handle {handle:#x} was another context's before");
        seen.push(handle);
        ok(gpumex_context_destroy(handle_of(handle)), format!("round {round}"));
    }
    for handle in seen {
        assert_eq!(
            backend_of(handle_of(handle)),
            Err(Status::InvalidArgument as i32),
            "handle {handle:#x} is destroyed"
        );
    }
}

#[test]
fn many_contexts_live_at_once() {
    let mut alive: Vec<Context> = (0..300).map(|_| Context::cpu()).collect();
    let mut random = random(1);
    while !alive.is_empty() {
        ok(
            count(alive[random.random_range(0..alive.len())].handle),
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
    ok(count(Context::cpu().handle), "the CPU backend afterwards");
}
