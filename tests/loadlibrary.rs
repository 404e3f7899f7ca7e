//! MATLAB's loadlibrary, as far as it can be had without MATLAB: tests/loadlibrary.py reads the header with a C parser of
//! its own (pycparser, which `make` puts into .toolkit/python) and calls the library by what it read.
//!
//! GPUMEX_REQUIRE_PYCPARSER=1 turns "no pycparser" from a skip into a failure.

use std::env;
use std::ffi::OsString;

use crate::c_abi::programs::{Program, Workplace, built, is_here, root};
use crate::common::leave_out_unless;

/// Python with .toolkit/python in front of what else it knows; None where it has no pycparser.
pub fn python(workplace: &Workplace) -> Option<impl Fn() -> Program> {
    let others = env::var_os("PYTHONPATH").unwrap_or_default();
    let folders = [root().join(".toolkit/python")].into_iter().chain(env::split_paths(&others));
    let path = env::join_paths(folders).expect("folders without a colon");
    let start = move || workplace.program("python3").env("PYTHONPATH", &path);
    let has_pycparser = is_here("python3") && start().args(["-c", "import pycparser"]).run().status.success();
    if !has_pycparser {
        leave_out_unless(
            "GPUMEX_REQUIRE_PYCPARSER",
            "pycparser: `make toolkit` puts it into .toolkit/python",
        );
    }
    has_pycparser.then_some(start)
}

/// MATLAB's view of the header: the wrapper for loadlibrary, which includes it.
fn header() -> Vec<OsString> {
    let include = root().join("include");
    let wrapper = root().join("matlab/gpumex_matlab.h");
    let flag = OsString::from(format!("-I{}", include.display()));
    if wrapper.exists() {
        vec![wrapper.into(), flag]
    } else {
        vec![include.join("gpumex.h").into(), flag, "-DGPUMEX_MATLAB_LOADLIBRARY".into()]
    }
}

#[test]
fn an_independent_parser_reads_the_header_and_calls_the_library() {
    let workplace = Workplace::new("loadlibrary");
    let Some(python) = python(&workplace) else { return };
    let program = || python().args([root().join("tests/loadlibrary.py"), built().join("libgpumex.so")]);
    let ended = program().args(header()).succeeds();
    ended.says(&["five plain functions and gpumex_matmul give right answers on "]);
}

/// What only C can use (the callbacks) is refused, when the header shows it; so the check above can fail.
#[test]
fn callbacks_are_nothing_for_matlab() {
    let workplace = Workplace::new("loadlibrary-callback");
    let Some(python) = python(&workplace) else { return };
    let program = python().args([root().join("tests/loadlibrary.py"), built().join("libgpumex.so")]);
    let attributes = ["-DGPUMEX_API=", "-DGPUMEX_NODISCARD="]; // which the parser does not know either
    let ended = program.args([root().join("include/gpumex.h")]).args(attributes).run();
    assert_eq!(ended.status.code(), Some(1), "{}{}", ended.stdout, ended.stderr);
    for parameter in
        ["gpumex_set_log_callback: parameter callback", "gpumex_context_set_progress: parameter progress"]
    {
        let complaint = format!("{parameter}: a function pointer");
        assert!(ended.stderr.contains(&complaint), "{complaint}: {}", ended.stderr);
    }
}
