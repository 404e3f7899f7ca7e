//! The moves of kernels/prim on the device: compiles tests/prim/moves.cu with nvcc and runs it.
//!
//! Without nvcc the test is left out, and without a GPU the program is compiled alone: failures with GPUMEX_REQUIRE_NVCC=1 and
//! GPUMEX_REQUIRE_GPU=1.

use std::path::Path;
use std::process::Command;

use crate::c_abi::programs::root;
use crate::common::leave_out_unless;
use crate::memory_paths::WITHOUT_NVCC;

/// How the program says that there is no GPU.
const NO_GPU: i32 = 77;

#[test]
fn every_move_does_what_its_table_says() {
    let Some(nvcc) = option_env!("GPUMEX_NVCC") else {
        return leave_out_unless("GPUMEX_REQUIRE_NVCC", WITHOUT_NVCC);
    };
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prim-moves-{}", std::process::id()));
    let compiled = Command::new(root().join("scripts/build-cuda"))
        .arg("tests/prim/moves.cu")
        .arg(&program)
        .current_dir(root())
        .env("NVCC", nvcc)
        .output()
        .expect("bash is here");
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "nvcc moves.cu: {complaints}");
    assert!(!complaints.contains("warning"), "nvcc moves.cu: {complaints}");

    let run = Command::new(&program).output().expect("the program was just built");
    let _ = std::fs::remove_file(&program);
    let said = String::from_utf8_lossy(&run.stdout);
    match run.status.code() {
        Some(0) => print!("{said}"),
        Some(NO_GPU) => {
            leave_out_unless("GPUMEX_REQUIRE_GPU", "CUDA: tests/prim/moves.cu was compiled, not run")
        }
        code => panic!("moves ended with {code:?}:\n{said}"),
    }
}
