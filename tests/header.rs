//! include/gpumex.h is what cbindgen makes of src/ffi with cbindgen.toml: `make header` completes the lists in cbindgen.toml and writes
//! the header, docs/abi and docs/memory.md; the tests compare, and hold the header to its rules.

mod abi;
mod documentation;
mod languages;
mod lists;
pub mod parser;

use std::path::PathBuf;
use std::{env, fs};

use self::parser::Header;
use crate::c_abi::memory_use;
use crate::c_abi::programs::root;

fn config_file() -> PathBuf {
    root().join("cbindgen.toml")
}

fn header_file() -> PathBuf {
    root().join("include/gpumex.h")
}

/// Whether this run writes what others compare.
fn is_writing() -> bool {
    env::var_os("GPUMEX_WRITE_HEADER").is_some()
}

/// What the command `cbindgen` makes of a configuration.
fn generated(config: &str) -> String {
    let config: cbindgen::Config = toml(config);
    let bindings = cbindgen::Builder::new().with_crate(root()).with_config(config).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).unwrap()
}

/// cbindgen reads a configuration from a file only.
fn toml(config: &str) -> cbindgen::Config {
    let file =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cbindgen-{}.toml", std::process::id()));
    fs::write(&file, config).unwrap();
    let read = cbindgen::Config::from_file(&file).unwrap();
    let _ = fs::remove_file(file);
    read
}

/// The committed header.
pub fn parsed() -> Header {
    Header::parse(&fs::read_to_string(header_file()).unwrap())
}

fn assert_same(name: &str, got: &str, want: &str) {
    let differs = got.lines().zip(want.lines()).position(|(got, want)| got != want);
    let line = differs.unwrap_or_else(|| got.lines().count().min(want.lines().count()));
    assert!(
        got == want,
        "{name} is stale from line {} on; run `make header`\n  is:      {}\n  want:    {}",
        line + 1,
        got.lines().nth(line).unwrap_or("(end)"),
        want.lines().nth(line).unwrap_or("(end)")
    );
}

/// One test, since each part follows from the one before.
#[test]
fn lists_header_and_abi_are_those_of_the_source() {
    let config = fs::read_to_string(config_file()).unwrap();
    let named = lists::with_names(&config);
    let completed = lists::with_initialisers(&named, &Header::parse(&generated(&named)));
    let header = generated(&completed);
    if is_writing() {
        fs::write(config_file(), &completed).unwrap();
        fs::write(header_file(), &header).unwrap();
        abi::write(&header);
        fs::write(memory_use::file(), memory_use::table(&Header::parse(&header))).unwrap();
    }
    assert_same("cbindgen.toml", &fs::read_to_string(config_file()).unwrap(), &completed);
    assert_same("include/gpumex.h", &fs::read_to_string(header_file()).unwrap(), &header);
    abi::compare(&header);
    let table = memory_use::table(&Header::parse(&header));
    assert_same("docs/memory.md", &fs::read_to_string(memory_use::file()).unwrap(), &table);
}

#[test]
fn the_version_of_the_header_is_the_version_of_the_crate() {
    let header = fs::read_to_string(header_file()).unwrap();
    let define = |name: &str| {
        let prefix = format!("#define GPUMEX_{name} ");
        header.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap().trim_matches('"').to_string()
    };
    assert_eq!(define("VERSION"), env!("CARGO_PKG_VERSION"));
    let parts = ["VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH"].map(define);
    assert_eq!(parts.join("."), env!("CARGO_PKG_VERSION"));
}
