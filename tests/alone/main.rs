//! What needs the device, or a process, for itself: one test after the other, each in a process of its own. After many rounds of
//! use nothing is left behind; a device that is full, or that has faulted, gives a status.

#[path = "../common/mod.rs"]
mod common;

mod beyond_31_bits;
mod beyond_32_bits;
mod beyond_32_expressions;
mod beyond_32_memory;
mod beyond_32_patterns;
mod beyond_32_ranks;
mod beyond_32_sorts;
mod cycles;
mod fault;
mod full_device;
mod held;
mod huge;
mod reload;

use std::sync::{Mutex, MutexGuard};

fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// Plays a role in a process of its own, when no other test of this program does anything.
#[track_caller]
fn alone(role: &str, environment: &[(&str, &str)]) -> String {
    let _turn = turn();
    common::in_a_new_process(role, environment)
}

/// As `alone`, where there is a CUDA device.
#[track_caller]
fn alone_on_cuda(role: &str, environment: &[(&str, &str)]) {
    let _turn = turn();
    if common::Context::cuda().is_some() {
        eprintln!("{}", common::in_a_new_process(role, environment));
    }
}

#[test]
#[ignore = "other tests start it in a process of its own"]
fn role_in_a_new_process() {
    common::play(&[&cycles::ROLES[..], &reload::ROLES, &fault::ROLES, &full_device::ROLES].concat());
}
