//! The library as C programs meet it: the programs of tests/c_abi, one test each. They check themselves, and say what failed.

mod auto_backend;
mod comm_devices;
pub mod failing_driver;
mod failing_ranks;
pub mod memory_use;
pub mod programs;

use std::ffi::CStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Command;

use self::programs::{Ended, Language, Program, Workplace, root};
use crate::common::{Context, leave_out};

/// One program of tests/c_abi, compiled.
struct Subject {
    workplace: Workplace,
    program: PathBuf,
}

impl Subject {
    /// `test` names its folder, since tests run at the same time.
    fn new(test: &str, source: &str, language: Language, flags: &[&str]) -> Subject {
        let workplace = Workplace::new(test);
        let program = workplace.compile(language, &c_source(source), flags);
        Subject { workplace, program }
    }

    /// Linked with libgpumex.a.
    fn new_static(test: &str, source: &str, flags: &[&str]) -> Subject {
        let flags = [&["-l:libgpumex.a", "-lm", "-ldl", "-lrt", "-Wl,--as-needed"], flags].concat();
        let subject = Subject::new(test, source, Language::C99, &flags);
        let needed = Command::new("readelf").arg("-dW").arg(&subject.program).output();
        let needed = String::from_utf8(needed.expect("binutils are here").stdout).expect("ASCII");
        assert!(!needed.contains("libgpumex"), "{test} is not static:\n{needed}");
        subject
    }

    fn program(&self) -> Program {
        self.workplace.program(&self.program)
    }
}

/// How programs are linked with an archive: whole objects, or what is used of them.
const STATIC: [(&str, &[&str]); 2] = [("static", &[]), ("static-gc", &["-Wl,--gc-sections"])];

fn c_source(name: &str) -> PathBuf {
    root().join("tests/c_abi").join(name)
}

/// It came to its last line.
#[track_caller]
fn done(ended: Ended) {
    assert!(
        ended.stdout.ends_with("done\n"),
        "it did not come to its end:\n{}{}",
        ended.stdout,
        ended.stderr
    );
    assert_eq!(ended.stderr, "", "it is not quiet");
}

fn backends() -> impl Iterator<Item = &'static str> {
    let cuda = Context::cuda().map(|_| "cuda");
    [Some("cpu"), cuda].into_iter().flatten()
}

#[test]
fn a_program_with_a_matmul_of_its_own_keeps_it_and_so_does_the_library() {
    for (test, flags) in [("own-names", &[][..]), ("own-names-exported", &["-rdynamic"])] {
        let subject = Subject::new(test, "own_names.c", Language::C99, flags);
        for backend in backends() {
            done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
        }
    }
}

/// The plain names are in an object of their own, which is taken from the archive when a program asks for one of them.
#[test]
fn a_static_program_with_a_matmul_of_its_own_keeps_it() {
    for (test, flags) in STATIC {
        let subject = Subject::new_static(&format!("own-names-{test}"), "static_own_names.c", flags);
        for backend in backends() {
            done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
        }
    }
}

#[test]
fn a_static_program_without_one_gets_the_librarys() {
    for (test, flags) in STATIC {
        let subject = Subject::new_static(&format!("plain-names-{test}"), "static_plain_names.c", flags);
        for backend in backends() {
            done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
        }
    }
}

#[test]
fn bad_input_gets_a_status_and_a_sentence_and_writes_nothing() {
    let subject = Subject::new("bad-input", "bad_input.c", Language::C99, &[]);
    for backend in backends() {
        done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
    }
}

#[test]
fn empty_input_is_answered() {
    let subject = Subject::new("empty-input", "empty_input.c", Language::C99, &[]);
    for backend in backends() {
        done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
    }
}

#[test]
fn a_run_of_life_tells_its_callback_and_can_be_cancelled() {
    let subject = Subject::new("progress", "progress.c", Language::C99, &[]);
    for backend in backends() {
        done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
    }
}

#[test]
fn a_call_is_cancelled_from_threads_signal_handlers_and_callbacks_and_no_other_one_is() {
    let subject = Subject::new("cancel", "cancel.c", Language::C11, &[]);
    for backend in backends() {
        done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
    }
}

/// On CUDA with arrays of the device, where calls may return before they could be cancelled, and with longer ones of the host.
#[test]
fn each_operation_is_cancelled_returns_soon_and_says_how_far_it_came() {
    let flags = ["-std=gnu11", "-Wno-pedantic"]; // benches/operations.h is of GNU C
    let workplace = Workplace::new("cancel-operations");
    let program = workplace.compile_with(Language::C11, &c_source("cancel_operations.c"), &flags, &["-ldl"]);
    let library = programs::built().join("libgpumex.so");
    let cuda = Context::cuda().map(|_| [["cuda", "1000000"], ["host", "10000000"]]);
    for [arrays, elements] in [["cpu", "1000000"]].into_iter().chain(cuda.into_iter().flatten()) {
        let arguments = [library.as_os_str(), arrays.as_ref(), elements.as_ref()];
        let ended = workplace.program(&program).args(arguments).succeeds();
        assert!(ended.stdout.ends_with("\n0 failed\n"), "{}", ended.stdout);
        let longest = ended.stdout.lines().find(|line| line.starts_with("longest"));
        println!("{arrays}: {}", longest.unwrap_or_default());
    }
}

#[test]
fn threads_have_errors_of_their_own_and_take_turns_or_are_told_busy() {
    let subject = Subject::new("threads", "threads.c", Language::C11, &[]);
    for backend in backends() {
        done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
    }
}

#[test]
fn a_thread_that_is_cancelled_in_a_call_ends_behind_it() {
    let subject = Subject::new("cancelled", "cancelled.c", Language::C11, &[]);
    for backend in backends() {
        done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
    }
}

#[test]
fn an_exception_that_leaves_a_callback_ends_the_process() {
    let subject = Subject::new("throws", "throws.cpp", Language::Cpp17, &[]);
    for callback in ["progress", "write", "allocate", "log"] {
        let ended = subject.program().args([callback]).run();
        assert_eq!(ended.status.signal(), Some(libc::SIGABRT), "{callback}: {}", ended.stdout);
        assert!(!ended.stdout.contains("went on"), "{callback}");
    }
    assert!(subject.program().args(["none"]).succeeds().stdout.contains("went on"));
}

/// Ten seconds of what `make soak` does.
#[test]
fn threads_use_every_part_of_the_library_at_once() {
    let flags = ["-std=gnu11", "-Wno-pedantic"]; // benches/operations.h is of GNU C
    let workplace = Workplace::new("soak");
    let program = workplace.compile_with(Language::C11, &c_source("soak.c"), &flags, &["-ldl"]);
    let library = programs::built().join("libgpumex.so");
    for backend in backends() {
        let arguments =
            ["--time", "10", "--threads", "16", "--limit", "60", "--backend", backend, "--library"];
        let ended = workplace.program(&program).args(arguments).args([&library]).succeeds();
        assert!(ended.stdout.ends_with(": nothing found\n"), "{}", ended.stdout);
    }
}

#[test]
fn each_allocation_that_is_refused_becomes_out_of_memory() {
    let flags = ["-std=gnu11", "-Wno-pedantic"]; // benches/operations.h is of GNU C
    let workplace = Workplace::new("out_of_memory");
    let program = workplace.compile_with(Language::C11, &c_source("out_of_memory.c"), &flags, &[]);
    let library = programs::built().join("libgpumex.so");
    for elements in ["1000", "100000"] {
        let arguments = [library.as_os_str(), elements.as_ref()];
        let ended = workplace.program(&program).args(arguments).succeeds();
        assert!(ended.stdout.ends_with("\n0 failed\n"), "{}", ended.stdout);
        let is_refused = |line: &str| line.starts_with("sort: ") && !line.starts_with("sort: 0 ");
        assert!(ended.stdout.lines().any(is_refused), "nothing was refused:\n{}", ended.stdout);
    }
}

#[test]
fn each_allocation_of_communicators_texts_and_contexts_that_is_refused_becomes_out_of_memory() {
    let flags = ["-std=gnu11", "-Wno-pedantic"]; // benches/operations.h is of GNU C
    let workplace = Workplace::new("out_of_memory_calls");
    let program = workplace.compile_with(Language::C11, &c_source("out_of_memory_calls.c"), &flags, &[]);
    let library = programs::built().join("libgpumex.so");
    let arguments = [library.as_os_str(), "5000".as_ref()];
    let ended = workplace.program(&program).args(arguments).succeeds();
    assert!(ended.stdout.ends_with("\n0 failed\n"), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("\ncomm_sort, dtype 1, rank 1: "), "no ranks:\n{}", ended.stdout);
}

#[test]
fn settings_are_taken_before_first_use_only() {
    let subject = Subject::new("settings", "settings.c", Language::C99, &[]);
    let program = subject.program().env("GPUMEX_BACKEND", "cuda").env("GPUMEX_NUM_THREADS", "7");
    done(program.succeeds());
}

#[test]
fn a_context_from_the_command_line_prints_its_device() {
    let subject = Subject::new("from-args", "from_args.c", Language::C99, &[]);
    for backend in backends() {
        let option = if backend == "cuda" { &["--device", "0"][..] } else { &["-v"] };
        let ended = subject.program().args(option).env("GPUMEX_BACKEND", backend).succeeds();
        let text = ended.stdout.strip_suffix("done\n").expect("it came to its end");
        let (printed, asked) = text.split_at(text.len() / 2);
        let first = |text: &str| text.lines().next().map(str::to_string); // free memory changes
        assert!(
            !printed.is_empty() && first(printed) == first(asked),
            "printed:\n{printed}\nasked:\n{asked}"
        );
    }
}

#[test]
fn an_exit_handler_may_call_and_may_fail() {
    let subject = Subject::new("exit", "exit.c", Language::C99, &[]);
    for backend in backends() {
        done(subject.program().env("GPUMEX_BACKEND", backend).succeeds());
    }
}

#[test]
fn a_forked_child_computes_on_the_cpu() {
    let subject = Subject::new("fork", "fork.c", Language::C99, &[]);
    done(subject.program().env("GPUMEX_BACKEND", "cpu").succeeds());
}

// ------------------------------------------------------------------------------------- a machine without a CUDA driver

#[test]
fn without_a_driver_auto_comes_to_the_cpu_and_cuda_is_an_error() {
    // A file that is no library hides the driver of a machine that has one.
    let subject = Subject::new("driver-absent", "driver.c", Language::C99, &[]);
    subject.workplace.write("driver/libcuda.so.1", "not a library\n");
    subject.workplace.write("driver/libcuda.so", "not a library\n");
    meets_no_driver(&subject, "libcuda.so.1 was not found");
}

#[test]
fn a_driver_without_its_functions_is_as_none() {
    let subject = Subject::new("driver-hollow", "driver.c", Language::C99, &[]);
    install_fake_driver(&subject, &[]);
    meets_no_driver(&subject, "CUDA driver");
}

#[test]
fn a_driver_without_a_device_is_as_none() {
    let subject = Subject::new("driver-no-device", "driver.c", Language::C99, &[]);
    install_fake_driver(&subject, &["-DINIT=100", "-DVERSION=13000"]);
    meets_no_driver(&subject, "CUDA_ERROR_NO_DEVICE");
}

#[test]
fn a_driver_that_is_too_old_is_as_none() {
    let subject = Subject::new("driver-old", "driver.c", Language::C99, &[]);
    install_fake_driver(&subject, &["-DINIT=0", "-DVERSION=11040"]);
    meets_no_driver(&subject, "CUDA 11.4");
}

/// As drivers are installed: libcuda.so.1, which says that this is its name, and libcuda.so, a link to it.
fn install_fake_driver(subject: &Subject, flags: &[&str]) {
    let flags = [&["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-Wl,--as-needed"], flags].concat();
    let library = subject.workplace.compile(Language::C99, &c_source("fake_driver.c"), &flags);
    let installed = subject.workplace.write("driver/libcuda.so.1", "");
    fs::copy(&library, &installed).expect("a file in target can be copied");
    symlink("libcuda.so.1", installed.with_file_name("libcuda.so")).expect("a link can be made in target");
}

fn meets_no_driver(subject: &Subject, reason: &str) {
    // SAFETY: static text.
    let build = unsafe { CStr::from_ptr(gpumex::ffi::gpumex_build_info()) };
    let has_kernels = !build.to_string_lossy().contains("CPU backend only");
    let reason = if has_kernels { reason } else { "no CUDA kernels" };
    let drivers = subject.workplace.path("driver");
    let run = |arguments: [&str; 3]| subject.program().args(arguments).env("LD_LIBRARY_PATH", &drivers);
    done(run(["auto", reason, "0"]).succeeds());
    done(run(["cuda", reason, "0"]).env("GPUMEX_BACKEND", "cuda").succeeds());
    let told = run(["auto", reason, "1"]).env("GPUMEX_LOG", "info").succeeds();
    let is_one_line = told.stderr.starts_with("gpumex: CPU backend: ") && told.stderr.lines().count() == 1;
    assert!(is_one_line, "without a callback stderr has one line about a context, not:\n{}", told.stderr);
}

// --------------------------------------------------------------------------------------------------------- valgrind

#[test]
fn valgrind_sees_no_error() {
    if !programs::is_here("valgrind") {
        return leave_out("valgrind: it is not here");
    }
    for source in ["bad_input.c", "empty_input.c", "own_names.c"] {
        let test = format!("valgrind-{}", source.trim_end_matches(".c"));
        let subject = Subject::new(&test, source, Language::C99, &[]);
        let kinds = ["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"];
        let options = [&["-q", "--error-exitcode=99", "--leak-check=full"], &kinds[..]].concat();
        let program = subject.workplace.program("valgrind").args(options).args([&subject.program]);
        let ended = program.env("GPUMEX_BACKEND", "cpu").succeeds();
        assert!(ended.stdout.ends_with("done\n"), "{}{}", ended.stdout, ended.stderr);
    }
}
