//! The functions for MATLAB and Octave: builds the MEX gateway with the library under test, runs matlab/tests in Octave,
//! as many processes at a time as there are cores.
//!
//! Without Octave it is left out; GPUMEX_REQUIRE_OCTAVE=1 makes that a failure. GPUMEX_REQUIRE_GPU=1 reaches the tests.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, Mutex};
use std::thread;

use gpumex::context::Context;
use gpumex::platform::settings::Backend;

use crate::c_abi::programs::{built, root};
use crate::common::leave_out_unless;

#[test]
fn the_octave_tests_pass() {
    if !octave_is_here() {
        return;
    }
    let matlab = gateway();
    let files = test_files(&matlab.join("tests"));
    // On a GPU all run in one process: each has a CUDA context, and test_session watches the memory of the device.
    let has_gpu = Context::new(Backend::Cuda, None).is_ok();
    let queue = Mutex::new(files.chunks(if has_gpu { files.len() } else { 1 }));
    let counts = Mutex::new([0, 0]);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(files) = next(&queue) {
                    let [passed, failed] = run_tests(matlab, files);
                    let mut counts = counts.lock().unwrap();
                    *counts = [counts[0] + passed, counts[1] + failed];
                }
            });
        }
    });
    let [passed, failed] = counts.into_inner().unwrap();
    println!("{passed} passed, {failed} failed");
    assert_eq!(failed, 0, "{failed} of {} Octave tests failed", passed + failed);
}

/// The folder matlab/ with the MEX file for the library under test, built once.
pub fn gateway() -> &'static Path {
    static MATLAB: LazyLock<PathBuf> = LazyLock::new(|| {
        let matlab = root().join("matlab");
        build(&mut octave(&matlab, "build_gpumex"));
        matlab
    });
    &MATLAB
}

/// The names of the test files, the one that takes longest in front.
fn test_files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder of the repository").flatten();
    let names = names.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".m").map(str::to_owned));
    let mut names: Vec<String> = names.filter(|name| name.starts_with("test_")).collect();
    names.sort_by_key(|name| (name != "test_session", name.clone()));
    names
}

fn next<T>(items: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    items.lock().unwrap().next()
}

/// Runs test files in one Octave and prints a line for each: how many tests passed, and how many failed. A file that does not run to
/// its end, and one without tests, count as a failure; so does an Octave that fails after its last test.
fn run_tests(matlab: &Path, files: &[String]) -> [usize; 2] {
    let line = format!("addpath ('{}'); run_tests ('{}')", quoted(&matlab.join("tests")), files.join("', '"));
    let output = octave(matlab, &line).output().expect("octave-cli was just found");
    let said = text(&output);
    match said.lines().rev().find_map(counts) {
        Some([passed, failed]) if failed > 0 || (passed > 0 && output.status.success()) => {
            let is_result = |line: &&str| line.starts_with("test_") || line.starts_with("FAILED");
            said.lines().filter(is_result).for_each(|line| println!("{line}"));
            [passed, failed]
        }
        _ => {
            println!("{} did not run to the end\n{said}", files.join(", "));
            [0, 1]
        }
    }
}

/// The last line of run_tests: `7 passed, 0 failed`.
fn counts(line: &str) -> Option<[usize; 2]> {
    let (passed, failed) = line.strip_suffix(" failed")?.split_once(" passed, ")?;
    Some([passed.parse().ok()?, failed.parse().ok()?])
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
    let library = copy.join("libgpumex.so");
    symlink(built().join("libgpumex.so"), &library).expect("the copy is writable");
    build(octave(&matlab, "build_gpumex").env("CPPFLAGS", flags).env("GPUMEX_LIB", library));
    let test =
        format!("addpath ('{}', '{}'); check_gpuarrays", quoted(&matlab.join("tests")), quoted(&include));
    succeeds(&mut octave(&matlab, &test));
    works_without_links(&matlab);
}

/// Makes files of their own of the links to gpuArray.oct: the type gpuArray is refused then, and the functions work, with a warning.
fn works_without_links(matlab: &Path) {
    for folder in ["octave", "octave/@gpuArray"] {
        for file in fs::read_dir(matlab.join(folder)).expect("it was built").flatten() {
            if file.path().extension() == Some(OsStr::new("oct")) {
                let bytes = fs::read(file.path()).expect("a file");
                fs::remove_file(file.path()).expect("the copy is writable");
                fs::write(file.path(), bytes).expect("the copy is writable");
            }
        }
    }
    let line = "x = gpumex.sort_keys (rand (1, 1e5)); assert (issorted (x)); \
        assert (! isempty (strfind (lastwarn (), 'call link_gpuarray')), lastwarn ()); message = ''; \
        try, gpuArray (1); catch problem, message = problem.message; end, \
        assert (! isempty (strfind (message, 'call link_gpuarray')), message)";
    succeeds(&mut octave(matlab, line));
}

/// Whether there is an Octave that can build MEX files; a failure where there has to be one.
pub fn octave_is_here() -> bool {
    let is_here = has("octave-cli") && has("mkoctfile");
    if !is_here {
        leave_out_unless("GPUMEX_REQUIRE_OCTAVE", "Octave: octave-cli or mkoctfile is not here");
    }
    is_here
}

/// Runs build_gpumex, without a complaint of the compiler.
pub fn build(command: &mut Command) {
    let said = succeeds(command);
    let is_complaint =
        |line: &str| (line.contains("/mex/") || line.contains("/gpuarray/")) && line.contains("warning:");
    assert!(!said.lines().any(is_complaint), "the compiler warns\n{said}");
}

/// What a command says, when it succeeds.
pub fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("octave-cli was just found");
    assert!(output.status.success(), "{command:?} failed\n{}", text(&output));
    text(&output)
}

/// Copies a folder, all but MEX files and libraries.
pub fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the target folder is writable");
    for entry in fs::read_dir(from).expect("a folder of the repository").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_files(&path, &target);
        } else if is_source(&path) {
            fs::copy(&path, &target).expect("the target folder is writable");
        }
    }
}

/// What build_gpumex compiles or Octave reads; PKG_ADD puts the folder of gpuArray on the path.
fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["m", "c", "h", "cc"].contains(&extension) || path.file_name() == Some(OsStr::new("PKG_ADD"))
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Octave for one command line, with the folder `matlab` on its path and another one as the current one.
pub fn octave(matlab: &Path, line: &str) -> Command {
    let mut command = Command::new("octave-cli");
    command
        .args(["-q", "--no-history", "--eval", &format!("addpath ('{}'); {line}", quoted(matlab))])
        .env("GPUMEX_LIB", built().join("libgpumex.so"))
        .current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

/// A path between the quotes of an M text.
pub fn quoted(path: &Path) -> String {
    path.display().to_string().replace('\'', "''")
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}
