//! The checker of the layer rules, on small cases: it finds what breaks a rule, and nothing else.

use std::collections::BTreeSet;

use super::*;

/// How many rules `text` breaks as `file`, with gpumex_life and histogram as entry_points.
fn broken(file: &str, text: &str) -> usize {
    let entry_points = ["gpumex_life", "histogram"].map(str::to_string).into();
    let text = if file.starts_with("src/ops/") || file.starts_with("src/cpu/") {
        format!("#![forbid(unsafe_code)]\n{text}")
    } else {
        text.to_string()
    };
    rust_violations(file, &text, &entry_points).len()
}

#[test]
fn an_entry_point_that_names_a_backend_is_found() {
    assert_eq!(broken("src/ffi/life.rs", "use crate::ops::life;"), 0);
    assert_eq!(broken("src/ffi/life.rs", "use crate::cpu::life;"), 1);
    assert_eq!(broken("src/ffi/life.rs", "use crate::{error::Error, gpu::{self, Device}};"), 2);
    assert_eq!(broken("src/ffi/life.rs", "fn f() { super::super::gpu::reset(); }"), 1);
    assert_eq!(
        broken("src/ffi/life.rs", "// crate::cpu\n/* crate::gpu */ const A: &str = \"crate::gpu\";"),
        0
    );
}

#[test]
fn an_entry_point_that_calls_another_is_found() {
    assert_eq!(broken("src/ffi/life.rs", "fn f() { super::histogram::histogram(a); }"), 1);
    assert_eq!(broken("src/ffi/life.rs", "fn f() { gpumex_life(a); }"), 1);
    assert_eq!(broken("src/ffi/life.rs", "fn f() { super::guard(\"gpumex_life\", a); }"), 0);
    assert_eq!(
        broken("src/ffi/histogram.rs", "use crate::ops::histogram::histogram; fn f() { histogram(a); }"),
        0
    );
    assert_eq!(broken("src/ffi/histogram.rs", "pub extern \"C\" fn histogram(a: i32) {}"), 0);
}

#[test]
fn a_cpu_import_beyond_error_and_life_is_found() {
    assert_eq!(broken("src/cpu/life.rs", "use crate::error::Result; use super::{Workers, zeros};"), 0);
    assert_eq!(broken("src/cpu/life.rs", "mod tests { use super::*; use super::super::Workers; }"), 0);
    assert_eq!(broken("src/cpu/life.rs", "use crate::array::Input;"), 1);
    assert_eq!(broken("src/cpu/life/mod.rs", "use crate::model::life::{Game, LifeBoundary};"), 0);
    assert_eq!(broken("src/cpu/mod.rs", "use super::settings;"), 1);
}

#[test]
fn a_backend_named_outside_ops_and_context_is_found() {
    assert_eq!(broken("src/ops/life.rs", "use crate::{cpu, gpu};"), 0);
    assert_eq!(broken("src/context.rs", "use crate::{cpu, gpu};"), 0);
    assert_eq!(broken("src/array.rs", "use crate::{cpu, gpu};"), 2);
    assert_eq!(broken("src/lib.rs", "mod cpu; pub mod ffi; pub use ffi::*;"), 0);
    assert_eq!(broken("src/lib.rs", "pub use cpu::Workers;"), 1);
    assert_eq!(
        broken("src/gpu/life.rs", "use super::Device; use crate::gpu::memory; use crate::array::Place;"),
        0
    );
    assert_eq!(broken("src/gpu/life.rs", "use crate::cpu; use crate::ops::life; use crate::ffi;"), 3);
    assert_eq!(broken("src/ops/life.rs", "use crate::ffi::guard;"), 1);
}

#[test]
fn a_slice_from_a_raw_pointer_outside_array_is_found() {
    assert_eq!(broken("src/array.rs", "unsafe { slice::from_raw_parts(p, n) }"), 0);
    assert_eq!(broken("src/gpu/memory.rs", "unsafe { slice::from_raw_parts_mut(p, n) }"), 1);
}

#[test]
fn a_file_that_does_not_forbid_unsafe_code_is_found() {
    let entry_points = BTreeSet::new();
    let count = |file: &str, text: &str| rust_violations(file, text, &entry_points).len();
    assert_eq!(count("src/cpu/life.rs", "#![forbid(unsafe_code)]"), 0);
    assert_eq!(count("src/cpu/life.rs", "fn f() {}"), 1);
    assert_eq!(count("src/cpu/life.rs", "// #![forbid(unsafe_code)]"), 1);
    assert_eq!(count("src/cpu/life.rs", "#![deny(unsafe_code)]"), 1);
    assert_eq!(count("src/cpu/mod.rs", "#![deny(unsafe_code)]\nmod gemm;"), 1);
    assert_eq!(count("src/ops/mod.rs", "#![deny(unsafe_code)]"), 1);
}

#[test]
fn the_lexer_passes_over_strings_characters_and_lifetimes() {
    let text = r##"let a = ('"', '\'', b"x", r#"crate::gpu " "#, "\" crate::gpu"); fn f<'a>(b: &'a str) { crate::gpu::go() }"##;
    assert_eq!(broken("src/ffi/life.rs", text), 1);
    assert_eq!(broken("src/ffi/life.rs", "/* a /* nested */ crate::gpu::go() */ crate::cpu::go()"), 1);
}

#[test]
fn a_violation_names_file_line_and_rule() {
    let found = rust_violations(
        "src/ffi/life.rs",
        "use crate::error;\n/* two\nlines */ use crate::gpu;",
        &BTreeSet::new(),
    );
    assert_eq!(
        found,
        ["src/ffi/life.rs:3: names crate::gpu; only src/ops and src/context know the backends"]
    );
}

#[test]
fn a_wrong_include_is_found() {
    let count = |file: &str, text: &str| include_violations(file, text).len();
    let good = "#include \"kernels.h\"\n#include \"prim/grid/grid.cuh\"\n#include <cuda_fp16.h>\n#include <cub/device/x.cuh>";
    assert_eq!(count("kernels/life/shmem.cu", good), 0);
    assert_eq!(
        count("kernels/life/shmem.cu", "#include \"life/rule.cuh\"\n#include \"histogram/even.cuh\""),
        1
    );
    assert_eq!(count("kernels/life/shmem.cu", "#include \"life/bytes.cu\"\n#  include <../histogram.cu>"), 2);
    assert_eq!(count("kernels/life/shmem.cu", "#include <cub/cub.cuh>\n#include \"../src/gpu/life.h\""), 2);
    assert_eq!(count("kernels/life/rule.cuh", "#include \"life/edges.cuh\"\n#include \"rule.cuh\""), 1);
    let prim = "kernels/prim/grid/grid.cuh";
    assert_eq!(count(prim, "#include \"prim/warp/scan.cuh\"\n#include <stdint.h>"), 0);
    assert_eq!(
        count(
            "kernels/prim/warp/scan.cuh",
            "#include \"prim/warp/warp.cuh\"\n#include \"prim/block/scan.cuh\""
        ),
        1
    );
    assert_eq!(count(prim, "#include \"../kernels.h\"\n#include \"kernels.h\""), 2);
    assert_eq!(count(prim, "#include \"life/rule.cuh\"\n#include \"prim/../life/rule.cuh\""), 2);
    assert_eq!(count("kernels/kernels.h", "#include <stdint.h>\n#include \"prim/grid/grid.cuh\""), 1);
}

#[test]
fn functions_of_c_are_found() {
    let c = "int shown(int x);\nstatic int own(void)\n{\n    return shown(1);\n}\nint *made(int (*f)(int))\n{\n    return f(own());\n}\n";
    let functions = c_functions(&tokens_of(c));
    assert_eq!(functions.defined.into_iter().collect::<Vec<_>>(), ["made"]);
    assert_eq!(functions.called.into_iter().collect::<Vec<_>>(), ["f", "own", "shown"]);
}

#[test]
fn a_circle_of_modules_is_found() {
    let edges = |pairs: &[(&str, &str)]| {
        circle_of(pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect())
    };
    assert!(edges(&[("ffi", "ops"), ("ops", "cpu"), ("ffi", "cpu")]).is_empty());
    assert_eq!(edges(&[("ffi", "ops"), ("ops", "cpu"), ("cpu", "ops")]).len(), 3);
}
