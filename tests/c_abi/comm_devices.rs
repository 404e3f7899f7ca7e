//! Ranks on devices without a GPU: tests/c_abi/comm_devices.c on stand-ins for libcuda.so.1 and libnccl.so.2.

use super::failing_driver::{has_cuda, install_library, on_stand_in};
use super::programs::Workplace;
use crate::common::leave_out;

#[test]
fn parts_on_devices_give_the_bits_of_one_rank_and_faults_are_told_to_all() {
    if !has_cuda() {
        return leave_out("ranks on devices: this build has no CUDA backend");
    }
    let workplace = Workplace::new("comm-devices");
    let program = on_stand_in(&workplace, "comm_devices.c", &["comm_kernels.c"]);
    let driver = workplace.path("driver");
    let run = |mode: &str, settings: &[(&str, &str)]| {
        let mut run = workplace.program(&program).args([mode]).env("LD_LIBRARY_PATH", &driver);
        run = run.env("GPUMEX_NUM_THREADS", "2");
        for (name, value) in settings {
            run = run.env(name, value);
        }
        let ended = run.succeeds();
        assert_eq!(ended.stdout, "Test passed\n", "{mode}: {}", ended.stderr);
    };
    run("local", &[]);
    run("joined", &[("STAND_IN_DEVICES", "3")]);
    run("absent", &[]);
    install_library(&workplace, "stand_in_nccl.c", "libnccl.so.2");
    run("nccl", &[]);
    run("faults", &[]);
    run("old", &[("STAND_IN_NCCL_VERSION", "21003")]);
}
