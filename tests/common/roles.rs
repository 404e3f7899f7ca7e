//! Roles: what a test does in a process of its own.

use std::process::Command;

use super::{LEFT_OUT_BY_A_ROLE, leave_out};

/// A role by its name.
pub type Role = (&'static str, fn());

/// The settings in the environment.
pub const SETTINGS: [&str; 4] = ["GPUMEX_BACKEND", "GPUMEX_DEVICE", "GPUMEX_NUM_THREADS", "GPUMEX_LOG"];

const ROLE: &str = "GPUMEX_TEST_ROLE";

/// Runs a role of this test program in a process of its own with this environment; returns what it wrote to stderr. The program has
/// the ignored test `role_in_a_new_process`, which plays it.
#[track_caller]
pub fn in_a_new_process(role: &str, environment: &[(&str, &str)]) -> String {
    let mut command = this_program();
    for setting in SETTINGS {
        command.env_remove(setting);
    }
    command.args(["role_in_a_new_process", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    let output =
        command.env(ROLE, role).envs(environment.iter().copied()).output().expect("the test program starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let is_done = output.status.success() && out.contains("1 passed");
    assert!(is_done, "{role} with {environment:?}: {}\n{out}\n{err}", output.status);
    err.lines().filter_map(|line| line.strip_prefix(LEFT_OUT_BY_A_ROLE)).for_each(leave_out);
    err.into_owned()
}

/// This test program, to be started once more: by what GPUMEX_TEST_RUNNER names where the kernel cannot start it itself, as one of
/// another architecture.
fn this_program() -> Command {
    let program = std::env::current_exe().expect("a test program has a path");
    let runner = std::env::var("GPUMEX_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(first) = words.next() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(words).arg(program);
    command
}

/// As `in_a_new_process`, where there is a CUDA device.
#[track_caller]
pub fn on_cuda_in_a_new_process(role: &str) {
    if super::Context::cuda().is_some() {
        in_a_new_process(role, &[]);
    }
}

/// Whether this process was started for a role.
pub fn plays_a_role() -> bool {
    std::env::var_os(ROLE).is_some()
}

/// Plays the role that this process was started for, if any.
pub fn play(roles: &[Role]) {
    let Ok(wanted) = std::env::var(ROLE) else { return };
    let (_, role) = roles.iter().find(|(name, _)| *name == wanted).expect("a role that exists");
    role();
}
