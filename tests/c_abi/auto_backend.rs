//! Where calls run of a context that AUTO has put on a device: tests/c_abi/auto_backend.c on a libcuda.so.1 and launchers that need no GPU.

use super::failing_driver::{has_cuda, on_stand_in};
use super::programs::Workplace;
use crate::common::leave_out;

#[test]
fn short_calls_on_memory_of_the_host_stay_there() {
    if !has_cuda() {
        return leave_out("the backend that AUTO takes: this build has no CUDA backend");
    }
    let workplace = Workplace::new("auto-backend");
    let program = on_stand_in(&workplace, "auto_backend.c", &[]);
    let run = workplace.program(&program).env("LD_LIBRARY_PATH", workplace.path("driver"));
    let ended = run.env("GPUMEX_NUM_THREADS", "2").succeeds();
    assert!(ended.stdout.ends_with("Test passed\n"), "{}", ended.stdout);
}
