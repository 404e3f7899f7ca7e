//! Fork: what a child can do with the library of its parent.

use gpumex::error::Status;

use crate::common::*;
use crate::{Role, in_a_new_process};

pub const ROLES: [Role; 1] = [("forks", forks)];

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn alarm(seconds: u32) -> u32;
    fn _exit(code: i32) -> !;
}

/// The CPU backend goes on in a forked child, with a pool of its own; CUDA says that it cannot.
#[test]
fn a_forked_child_can_use_the_cpu_backend() {
    in_a_new_process("forks", &[]);
}

fn forks() {
    let (cpu, cuda) = (Context::cpu(), Context::cuda());
    ok(work(cpu.token, 3), "gpumex_life before fork");
    ok(plain_count(), "histogram before fork");
    // SAFETY: the child calls the library, prints and leaves.
    let child = unsafe { fork() };
    if child == 0 {
        // SAFETY: ends a child that hangs.
        unsafe { alarm(60) };
        let mut wrong = Vec::new();
        let mut wants = |what: &str, status: i32, want: i32| {
            if status != want {
                wrong.push(format!("{what} in a forked child: want status {want}, got {}", explain(status)));
            }
        };
        wants("gpumex_life on the CPU", work(cpu.token, 3), 0);
        wants("histogram", plain_count(), 0);
        if let Some(cuda) = &cuda {
            wants("gpumex_histogram on CUDA", count(cuda.token), Status::Unsupported as i32);
        }
        eprint!("{}", wrong.join("\n"));
        // SAFETY: leaves without running what the parent will run.
        unsafe { _exit(i32::from(!wrong.is_empty())) };
    }
    let mut status = 0;
    // SAFETY: our child, an int.
    assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child, "fork and waitpid");
    assert_eq!(status, 0, "the child's exit status (14: it hung)");
    ok(work(cpu.token, 3), "gpumex_life in the parent after fork");
    if let Some(cuda) = &cuda {
        ok(count(cuda.token), "gpumex_histogram on CUDA in the parent after fork");
    }
}
