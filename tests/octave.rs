//! The functions for MATLAB and Octave: builds the MEX gateway with the library under test, runs matlab/tests in Octave.
//!
//! Without Octave it is left out; GPUMEX_REQUIRE_OCTAVE=1 makes that a failure. GPUMEX_REQUIRE_GPU=1 reaches the tests.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn the_octave_tests_pass() {
    if !octave_is_here() {
        return;
    }
    let matlab = root().join("matlab");
    build(&mut octave(&matlab, "build_gpumex"));
    let test = "addpath (fullfile (fileparts (which ('build_gpumex')), 'tests')); run_tests";
    println!("{}", succeeds(&mut octave(&matlab, test)));
}

/// The gateway's way with MATLAB's gpuArrays, over the functions of tests/mxgpu/fake.c in the place of MATLAB's, in a copy of matlab/.
#[test]
fn gpu_arrays_pass_through_the_gateway() {
    if !octave_is_here() {
        return;
    }
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mxgpu");
    let _ = fs::remove_dir_all(&copy);
    copy_files(&root().join("matlab"), &copy.join("matlab"));
    copy_files(&root().join("include"), &copy.join("include"));
    fs::copy(root().join("tests/mxgpu/fake.c"), copy.join("matlab/mex/fake.c"))
        .expect("the copy is writable");

    let matlab = copy.join("matlab");
    let not_built =
        "try, gpumex.info; catch problem, assert (strcmp (problem.identifier, 'gpumex:info:notBuilt')), end";
    succeeds(&mut octave(&matlab, not_built));
    let include = root().join("tests/mxgpu");
    let flags = format!("-DGPUMEX_MXGPU -DGPUMEX_GPU_CLASS='\"struct\"' -I'{}'", include.display());
    build(octave(&matlab, "build_gpumex").env("CPPFLAGS", flags));
    let test =
        format!("addpath ('{}', '{}'); check_gpuarrays", matlab.join("tests").display(), include.display());
    succeeds(&mut octave(&matlab, &test));
}

/// Whether there is an Octave that can build MEX files; a failure where there has to be one.
fn octave_is_here() -> bool {
    let is_here = has("octave-cli") && has("mkoctfile");
    let is_required = env::var_os("GPUMEX_REQUIRE_OCTAVE").is_some_and(|value| value == "1");
    assert!(is_here || !is_required, "GPUMEX_REQUIRE_OCTAVE is set, and octave-cli or mkoctfile is not here");
    if !is_here {
        eprintln!("octave-cli and mkoctfile are not here: left out");
    }
    is_here
}

/// Runs build_gpumex, without a complaint of the compiler.
fn build(command: &mut Command) {
    let said = succeeds(command);
    let is_complaint = |line: &str| line.contains("/mex/") && line.contains("warning:");
    assert!(!said.lines().any(is_complaint), "the compiler warns\n{said}");
}

/// What a command says, when it succeeds.
fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("octave-cli was just found");
    assert!(output.status.success(), "{command:?} failed\n{}", text(&output));
    text(&output)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Copies a folder, all but MEX files and libraries.
fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the target folder is writable");
    for entry in fs::read_dir(from).expect("a folder of the repository").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_files(&path, &target);
        } else if path
            .extension()
            .is_some_and(|extension| ["m", "c", "h"].iter().any(|known| extension == *known))
        {
            fs::copy(&path, &target).expect("the target folder is writable");
        }
    }
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Octave for one command line, with the folder `matlab` on its path and another one as the current one.
fn octave(matlab: &Path, line: &str) -> Command {
    let quoted = matlab.display().to_string().replace('\'', "''");
    let mut command = Command::new("octave-cli");
    command
        .args(["-q", "--no-history", "--eval", &format!("addpath ('{quoted}'); {line}")])
        .env("GPUMEX_LIB", library())
        .current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
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
