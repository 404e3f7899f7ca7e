//! What the shared library shows to the outside: exactly the functions of include/gpumex.h, a soname, no libstdc++; it stays
//! loaded, and its own calls stay inside.

use std::collections::BTreeSet;
use std::process::Command;

use crate::c_abi::programs::built;

#[test]
fn exports_are_the_functions_of_the_header() {
    let header = declared(include_str!("../include/gpumex.h"));
    let exports = exported();
    assert!(header.contains("gpumex_version"), "include/gpumex.h declares only {header:?}");
    let hidden: Vec<_> = header.difference(&exports).collect();
    let undeclared: Vec<_> = exports.difference(&header).collect();
    assert!(
        hidden.is_empty() && undeclared.is_empty(),
        "in include/gpumex.h but not exported: {hidden:?}\nexported but not in include/gpumex.h: {undeclared:?}\n\
         (`make header` writes the header from src/ffi)"
    );
}

#[test]
fn soname_is_libgpumex_0() {
    let soname = dynamic_section().into_iter().find(|line| line.contains("(SONAME)"));
    assert!(soname.as_ref().is_some_and(|line| line.ends_with("[libgpumex.so.0]")), "soname: {soname:?}");
}

#[test]
fn library_stays_loaded() {
    let flags = dynamic_section().into_iter().find(|line| line.contains("(FLAGS_1)"));
    assert!(flags.as_ref().is_some_and(|line| line.contains("NODELETE")), "no -z nodelete: {flags:?}");
}

/// MATLAB brings an older libstdc++; a machine without a GPU has no libcuda.
#[test]
fn library_needs_neither_libstdcxx_nor_cuda() {
    let needed: Vec<_> = dynamic_section().into_iter().filter(|line| line.contains("(NEEDED)")).collect();
    assert!(!needed.is_empty(), "readelf shows no NEEDED entry");
    for unwanted in ["libstdc++", "libcuda", "libnvidia"] {
        assert!(!needed.iter().any(|line| line.contains(unwanted)), "needs {unwanted}: {needed:#?}");
    }
}

#[test]
fn library_has_no_text_relocations() {
    let text: Vec<_> = dynamic_section().into_iter().filter(|line| line.contains("TEXTREL")).collect();
    assert!(text.is_empty(), "{text:?}");
}

/// -Bsymbolic-functions leaves no flag, but no relocation by name either: a host program's own `matmul` is never ours.
#[test]
fn calls_of_its_own_functions_are_bound_inside() {
    let exports = exported();
    let relocations = run("readelf", &["-rW"]);
    let by_name =
        relocations.lines().filter(|line| line.split_whitespace().any(|word| exports.contains(word)));
    let open: Vec<_> = by_name.collect();
    assert!(open.is_empty(), "a host program can capture these:\n{}", open.join("\n"));
}

// ------------------------------------------------------------------------------------------------------------- the parts

/// The functions that a C header declares: the name before the first parenthesis of each declaration. Types are passed over.
fn declared(header: &str) -> BTreeSet<String> {
    without_comments(header).split(';').filter_map(function_name).collect()
}

fn function_name(declaration: &str) -> Option<String> {
    let (before, after) = declaration.split_once('(')?;
    if before.split_whitespace().any(|word| word == "typedef") || after.starts_with('*') {
        return None;
    }
    let name = before.trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then(|| name.to_string())
}

/// Without comments and without lines of the preprocessor.
fn without_comments(header: &str) -> String {
    let mut code = String::new();
    let mut rest = header;
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let code = code.replace("\\\n", " ");
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n")
}

fn exported() -> BTreeSet<String> {
    let symbols = run("nm", &["-D", "--defined-only"]);
    symbols.lines().filter_map(|line| line.split_whitespace().nth(2)).map(str::to_string).collect()
}

fn dynamic_section() -> Vec<String> {
    run("readelf", &["-dW"]).lines().map(str::to_string).collect()
}

/// Runs a program of binutils on the library of this build.
fn run(program: &str, arguments: &[&str]) -> String {
    let library = built().join("libgpumex.so");
    let output = Command::new(program).args(arguments).arg(&library).env("LC_ALL", "C").output();
    let output = output
        .unwrap_or_else(|error| panic!("{program}: {error}; it is part of binutils, which gcc needs too"));
    assert!(
        output.status.success(),
        "{program} {}: {}",
        library.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_header_parser_tells_functions_from_types() {
    let header = "#ifndef A\n#define CALL(x) \\\n  other(x)\n/* int32_t comment(void); */\nextern \"C\" {\n\
        typedef void (*gpumex_log)(int32_t, const char *);\n\
        typedef struct o { size_t size; void (*done)(int); } o;\n\
        int32_t life_shmem(const uint8_t *board,\n    size_t rows);  // int f(int);\n\
        const char *gpumex_version(void);\n}\n#endif\n";
    assert_eq!(declared(header), ["gpumex_version", "life_shmem"].map(str::to_string).into());
}
