//! What the shared library shows to the outside: exactly the functions of include/gpumex.h, a soname, no libstdc++; it stays
//! loaded, and its own calls stay inside.

use std::collections::BTreeSet;
use std::process::Command;

use crate::c_abi::programs::{built, soname};
use crate::header;

#[test]
fn exports_are_the_functions_of_the_header() {
    let header: BTreeSet<_> = header::parsed().functions.into_iter().map(|function| function.name).collect();
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
fn soname_is_that_of_the_version() {
    let found = dynamic_section().into_iter().find(|line| line.contains("(SONAME)"));
    let wanted = format!("[{}]", soname());
    assert!(found.as_ref().is_some_and(|line| line.ends_with(&wanted)), "{wanted} is not in {found:?}");
}

/// A program that was linked with another version is told so when it starts, not when it calls.
#[test]
fn each_export_has_the_soname_as_its_version() {
    let symbols = run("nm", &["-D", "--defined-only", "--with-symbol-versions"]);
    let version = format!("@@{}", soname());
    let functions = symbols.lines().filter(|line| line.contains(" T "));
    let others: Vec<_> = functions.filter(|line| !line.ends_with(&version)).collect();
    assert!(symbols.contains(&version) && others.is_empty(), "without {version}:\n{}", others.join("\n"));
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
    let by_name = relocations.lines().filter(|line| {
        line.split_whitespace().any(|word| exports.contains(word.split('@').next().unwrap_or(word)))
    });
    let open: Vec<_> = by_name.collect();
    assert!(open.is_empty(), "a host program can capture these:\n{}", open.join("\n"));
}

// ------------------------------------------------------------------------------------------------------------- the parts

fn exported() -> BTreeSet<String> {
    let symbols = run("nm", &["-D", "--defined-only"]);
    let names = symbols.lines().filter_map(|line| line.split_whitespace().nth(2)?.split('@').next());
    names.filter(|name| *name != soname()).map(str::to_string).collect() // the version itself is an absolute symbol
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

/// What the threads of pools need of malloc is asked for beforehand.
#[test]
fn threads_that_the_library_starts_have_room_for_their_variables() {
    let segments = run("readelf", &["-lW"]);
    let tls = segments.lines().find(|line| line.trim_start().starts_with("TLS ")).expect("a TLS segment");
    let number = |text: &str| usize::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number");
    let words: Vec<_> = tls.split_whitespace().collect();
    let (bytes, alignment) = (number(words[5]), number(words[words.len() - 1]));
    let wanted = bytes + alignment + (4 << 10); // with what pthread_create and the standard library keep of a thread
    let source = std::fs::read_to_string("src/platform/thread.rs").expect("a source file");
    let kib = source.split_once("OF_A_THREAD: usize = ").and_then(|(_, text)| text.split_once(" << 10;"));
    let kept = kib.and_then(|(kib, _)| kib.parse::<usize>().ok()).expect("so many KiB") << 10;
    assert!(wanted <= kept, "a thread takes {wanted} bytes, and OF_A_THREAD is {kept}");
}
