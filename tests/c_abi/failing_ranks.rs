//! Ranks on a driver and an NCCL that fail: tests/c_abi/failing_ranks.c on stand-ins for libcuda.so.1 and libnccl.so.2.

use std::time::Duration;

use super::failing_driver::{has_cuda, install_library, on_stand_in};
use super::programs::Workplace;
use crate::common::leave_out;

/// Cases of one run; GPUMEX_DRIVER_CASES has another number, 0 for all of them.
const CASES: &str = "400";

#[test]
fn each_call_of_the_driver_and_of_nccl_that_fails_on_a_rank_ends_the_call_on_all() {
    if !has_cuda() {
        return leave_out("ranks on a driver that fails: this build has no CUDA backend");
    }
    let workplace = Workplace::new("failing-ranks");
    let program = on_stand_in(&workplace, "failing_ranks.c", &["comm_kernels.c"]);
    install_library(&workplace, "stand_in_nccl.c", "libnccl.so.2");
    let seed = std::env::var("GPUMEX_DRIVER_SEED").unwrap_or_else(|_| "1".to_string());
    let cases = std::env::var("GPUMEX_DRIVER_CASES").unwrap_or_else(|_| CASES.to_string());
    let run = workplace.program(&program).args([&seed, &cases]);
    let run = run.env("LD_LIBRARY_PATH", workplace.path("driver")).env("GPUMEX_NUM_THREADS", "2");
    let ended = if cases == CASES { run } else { run.within(Duration::from_secs(8 * 3600)) }.succeeds();
    print!("{}", ended.stdout);
    assert!(ended.stdout.ends_with(" 0 failed\n"), "{}", ended.stdout);
}
