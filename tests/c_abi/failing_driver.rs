//! The library on a driver that fails: tests/c_abi/failing_driver.c with a libcuda.so.1 and launchers that need no GPU.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::c_source;
use super::programs::{Language, Workplace, root};
use crate::common::leave_out;

const FLAGS: [&str; 2] = ["-std=gnu11", "-Wno-pedantic"];

#[test]
fn each_call_of_the_driver_that_fails_becomes_a_status_and_leaves_nothing() {
    if !has_cuda() {
        return leave_out("a driver that fails: this build has no CUDA backend");
    }
    let workplace = Workplace::new("failing-driver");
    let program = on_stand_in(&workplace, "failing_driver.c", &[]);
    run_cases(&workplace, &program, 900, 4);
}

/// None of so many cases of a program fails. GPUMEX_DRIVER_CASES has another number, 0 for all of them, which may take so many hours.
pub fn run_cases(workplace: &Workplace, program: &Path, count: usize, hours: u64) {
    let setting = |name, otherwise: usize| std::env::var(name).unwrap_or_else(|_| otherwise.to_string());
    let (seed, cases) = (setting("GPUMEX_DRIVER_SEED", 1), setting("GPUMEX_DRIVER_CASES", count));
    let run = workplace.program(program).args([&seed, &cases]);
    let run = run.env("LD_LIBRARY_PATH", workplace.path("driver")).env("GPUMEX_NUM_THREADS", "2");
    let limit = Duration::from_secs(hours * 3600);
    let ended = if cases == count.to_string() { run } else { run.within(limit) }.succeeds();
    print!("{}", ended.stdout);
    assert!(ended.stdout.ends_with(" 0 failed\n"), "{}", ended.stdout);
}

/// Whether this build has a CUDA backend, which a stand-in can be below of.
pub fn has_cuda() -> bool {
    // SAFETY: static text.
    let build = unsafe { std::ffi::CStr::from_ptr(gpumex::ffi::gpumex_build_info()) };
    !build.to_string_lossy().contains("CPU backend only")
}

/// A program of tests/c_abi, with libgpumex.a, a driver in `driver` of the workplace, and launchers: its own and those that stand in.
pub fn on_stand_in(workplace: &Workplace, program: &str, own_launchers: &[&str]) -> PathBuf {
    install_driver(workplace);
    let launchers = workplace.write("launchers.c", launchers());
    let [kernels, drivers] =
        ["kernels", "tests/c_abi"].map(|folder| format!("-I{}", root().join(folder).display()));
    let mut sources: Vec<PathBuf> = own_launchers.iter().map(|name| c_source(name)).collect();
    sources.extend([c_source("stand_in_kernels.c"), launchers, workplace.path("driver/libcuda.so.1")]);
    let sources: Vec<&str> = sources.iter().map(|path| path.to_str().expect("paths are UTF-8")).collect();
    let flags = [&FLAGS[..], &[&kernels, &drivers]].concat();
    let more = [&sources[..], &["-l:libgpumex.a", "-lm", "-ldl", "-lrt", "-Wl,--as-needed"]].concat();
    workplace.compile_with(Language::C11, &c_source(program), &flags, &more)
}

/// As drivers are installed.
fn install_driver(workplace: &Workplace) {
    let installed = install_library(workplace, "stand_in_driver.c", "libcuda.so.1");
    symlink("libcuda.so.1", installed.with_file_name("libcuda.so")).expect("a link can be made in target");
}

/// A library of tests/c_abi by the name that the library looks for, in `driver` of the workplace.
pub fn install_library(workplace: &Workplace, source: &str, name: &str) -> PathBuf {
    let soname = format!("-Wl,-soname,{name}");
    let flags = [&FLAGS[..], &["-shared", "-fPIC", &soname, "-Wl,--as-needed"]].concat();
    let library = workplace.compile_with(Language::C11, &c_source(source), &flags, &[]);
    let installed = workplace.write(&format!("driver/{name}"), "");
    fs::copy(&library, &installed).expect("a file in target can be copied");
    installed
}

/// A definition of each launcher of kernels.h that answers what the stand-in says; those of stand_in_kernels.c come before them. A
/// query gives some size where it is asked for one, and is served.
fn launchers() -> String {
    let header =
        fs::read_to_string(Path::new(root()).join("kernels/kernels.h")).expect("the header of the kernels");
    let mut code = String::from("#include \"kernels.h\"\n#include \"stand_in_driver.h\"\n");
    let prototypes = header.split("\nint gpumexk_").skip(1);
    for prototype in prototypes {
        let (name, rest) = prototype.split_once('(').expect("a launcher has parameters");
        let parameters = rest.split_once(");").expect("parameters end").0;
        assert!(!parameters.contains("/*"), "{name} has a comment among its parameters");
        let mut body = String::new();
        for parameter in parameters.split(',').map(str::trim).filter(|&parameter| parameter != "void") {
            let start = parameter.rfind([' ', '*']).expect("a parameter has a type and a name") + 1;
            let (kind, parameter) = parameter.split_at(start);
            let _ = write!(body, "(void){parameter}; ");
            match (kind, parameter) {
                ("size_t *", _) => body += &format!("if ({parameter}) *{parameter} = 1024; "),
                (_, "fits" | "is_served") => body += &format!("*{parameter} = 1; "),
                _ => {}
            }
        }
        let _ = writeln!(
            code,
            "__attribute__((weak)) int gpumexk_{name}({parameters}) {{ {body}return stand_in_launch(\"{name}\"); }}"
        );
    }
    code
}
