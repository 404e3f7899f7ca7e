//! What the library shares with its whole process, tried in processes of their own: settings, log, fork, memory.

#[path = "../common/mod.rs"]
mod common;

mod fork;
mod log;
mod out_of_memory;
mod settings;

use std::process::Command;

/// What a test does in a process of its own, by name.
type Role = (&'static str, fn());

const ROLE: &str = "GPUMEX_TEST_ROLE";

/// Runs a role in a process of its own with this environment; returns what it wrote to stderr.
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

#[test]
#[ignore = "other tests start it in a process of its own"]
fn role_in_a_new_process() {
    let Ok(wanted) = std::env::var(ROLE) else { return };
    let roles = [&settings::ROLES[..], &log::ROLES, &fork::ROLES, &out_of_memory::ROLES].concat();
    let (_, role) = roles.into_iter().find(|(name, _)| *name == wanted).expect("a role that exists");
    role();
}
