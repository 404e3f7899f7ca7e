//! Ranks on a driver and an NCCL that fail: tests/c_abi/failing_ranks.c on stand-ins for libcuda.so.1 and libnccl.so.2.

use super::failing_driver::{has_cuda, install_library, on_stand_in, run_cases};
use super::programs::Workplace;
use crate::common::leave_out;

#[test]
fn each_call_of_the_driver_and_of_nccl_that_fails_on_a_rank_ends_the_call_on_all() {
    if !has_cuda() {
        return leave_out("ranks on a driver that fails: this build has no CUDA backend");
    }
    let workplace = Workplace::new("failing-ranks");
    let program = on_stand_in(&workplace, "failing_ranks.c", &["comm_kernels.c"]);
    install_library(&workplace, "stand_in_nccl.c", "libnccl.so.2");
    run_cases(&workplace, &program, 400, 8);
}
