//! The functions for MATLAB and Octave: builds the MEX gateways with the library under test, runs matlab/tests in Octave.
//!
//! Without Octave it is left out; GPUMEX_REQUIRE_OCTAVE=1 makes that a failure. GPUMEX_REQUIRE_GPU=1 reaches the tests.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn the_octave_tests_pass() {
    if !has("octave-cli") || !has("mkoctfile") {
        let is_required = env::var_os("GPUMEX_REQUIRE_OCTAVE").is_some_and(|value| value == "1");
        assert!(!is_required, "GPUMEX_REQUIRE_OCTAVE is set, and octave-cli or mkoctfile is not here");
        return eprintln!("octave-cli and mkoctfile are not here: left out");
    }
    let built = octave("build_gpumex");
    assert!(built.status.success(), "build_gpumex failed\n{}", text(&built));
    let is_complaint = |line: &str| line.contains("/mex/") && line.contains("warning:");
    assert!(!text(&built).lines().any(is_complaint), "the compiler warns\n{}", text(&built));
    let tested = octave("addpath (fullfile (fileparts (which ('build_gpumex')), 'tests')); run_tests");
    assert!(tested.status.success(), "run_tests failed\n{}", text(&tested));
    println!("{}", text(&tested));
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// What Octave makes of a command line, with the folder matlab on its path and another one as the current one.
fn octave(line: &str) -> Output {
    let matlab = Path::new(env!("CARGO_MANIFEST_DIR")).join("matlab");
    let quoted = matlab.display().to_string().replace('\'', "''");
    Command::new("octave-cli")
        .args(["-q", "--no-history", "--eval", &format!("addpath ('{quoted}'); {line}")])
        .env("GPUMEX_LIB", library())
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("octave-cli was just found")
}

/// The library that cargo has built for this test.
fn library() -> PathBuf {
    let library = env::current_exe().expect("a running program has a path").with_file_name("libgpumex.so");
    assert!(library.exists(), "{} is not there; cargo test --release makes it", library.display());
    library
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}
