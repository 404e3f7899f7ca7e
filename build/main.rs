//! Compiles kernels/ (a link to the folder of that name above), with nvcc through `cc`, into the archive that is linked with whatever uses the library. Without an nvcc the
//! archive is left out.

mod compiler;
mod cudart;
mod kernels;
mod object;

use std::env;
use std::path::Path;

use compiler::{Absent, Compiler};

fn main() {
    println!("cargo:rerun-if-changed={}", kernels::KERNELS);
    match Compiler::find() {
        Ok(compiler) => link(&compiler),
        Err(Absent { reason, is_error: true }) => println!("cargo::error={reason}"),
        Err(_) => {} // src/build.rs says so
    }
}

fn link(compiler: &Compiler) {
    if !is_lint() {
        kernels::build(compiler, &kernels::sources());
    }
    for library in ["dl", "rt", "pthread"] {
        println!("cargo:rustc-link-lib={library}");
    }
    println!("cargo::metadata=nvcc={}", compiler.nvcc.display());
}

/// Clippy has builds of its own, of which nothing is linked.
fn is_lint() -> bool {
    let wrapper = env::var_os("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    Path::new(&wrapper).file_stem().is_some_and(|name| name == "clippy-driver")
}
