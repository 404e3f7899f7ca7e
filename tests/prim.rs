//! The moves of kernels/prim on the device: compiles tests/prim/moves.cu with nvcc and runs it.
//!
//! Without nvcc the test skips, which GPUMEX_REQUIRE_NVCC=1 turns into a failure; without a GPU the program is compiled, answers
//! 77, and only GPUMEX_REQUIRE_GPU=1 minds.

use std::env;
use std::path::Path;
use std::process::Command;

/// How the program says that there is no GPU.
const NO_GPU: i32 = 77;

fn is_required(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| value == "1")
}

#[test]
fn every_move_does_what_its_table_says() {
    let Some(nvcc) = option_env!("GPUMEX_NVCC") else {
        assert!(!is_required("GPUMEX_REQUIRE_NVCC"), "the library was built without nvcc");
        return eprintln!("prim: skipped, the library was built without nvcc");
    };
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prim-moves-{}", std::process::id()));
    let compiled = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/build-cuda"))
        .arg("tests/prim/moves.cu")
        .arg(&program)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
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
        Some(NO_GPU) if !is_required("GPUMEX_REQUIRE_GPU") => eprint!("{said}"),
        code => panic!("moves ended with {code:?}:\n{said}"),
    }
}
