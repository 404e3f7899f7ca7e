//! Builds what is not Rust: the kernels, with nvcc through `cc`. Without an nvcc the library has the CPU backend alone.
//!
//! GPUMEX_CUDA        auto (default): the kernels where an nvcc is, and a warning where none is; on: a missing nvcc is an error;
//!                    off: the CPU backend alone
//! NVCC               the compiler; scripts/cuda-compiler says where one is looked for otherwise
//! GPUMEX_CUDA_ARCHS  native (default: the GPUs of this machine; sm_90a without one), all (sm_75 to sm_120), or a list such as
//!                    "80,90a"

mod compiler;
mod kernels;
mod object;

use std::env;
use std::path::{Path, PathBuf};

use compiler::{Absent, Compiler};

fn main() {
    println!("cargo:rustc-check-cfg=cfg(gpumex_cuda, gpumex_matlab_loadlibrary)");
    // scripts/setup-cuda touches this file when it has installed nvcc.
    println!("cargo:rerun-if-changed=build");
    shape_the_shared_library();
    let sources = kernels::sources();
    match Compiler::find() {
        Ok(compiler) => with_kernels(&compiler, &sources),
        Err(Absent { reason, is_error: false }) => without_kernels(&reason),
        Err(Absent { reason, .. }) => println!("cargo::error={reason}"),
    }
}

/// Soname; no unloading (threads and CUDA live on); our own calls bound to our own functions. Each 0.x is an ABI of its own.
///
/// Each exported symbol has the soname as its version. rustc hands over a version script of its own, which is anonymous, and no linker
/// takes a named one beside it; GNU ld's --default-symver versions what that script exports. rustc's linker, lld, does not know it.
fn shape_the_shared_library() {
    let part = |name| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    println!("cargo:rustc-cdylib-link-arg=-fuse-ld=bfd");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libgpumex.so.{}.{}", part("MAJOR"), part("MINOR"));
    for argument in ["--default-symver", "-z,nodelete", "-z,defs", "-Bsymbolic-functions"] {
        println!("cargo:rustc-cdylib-link-arg=-Wl,{argument}");
    }
}

/// Clippy has builds of its own, of which nothing is linked.
fn is_lint() -> bool {
    let wrapper = env::var_os("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    Path::new(&wrapper).file_stem().is_some_and(|name| name == "clippy-driver")
}

fn with_kernels(compiler: &Compiler, sources: &[PathBuf]) {
    if !is_lint() {
        kernels::build(compiler, sources);
    }
    for folder in compiler.link_folders() {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
    println!("cargo:rustc-link-lib=static=cudart_static");
    for library in ["dl", "rt", "pthread"] {
        println!("cargo:rustc-link-lib={library}");
    }
    println!("cargo:rustc-cfg=gpumex_cuda");
    println!("cargo:rustc-env=GPUMEX_NVCC={}", compiler.nvcc.display());
    println!("cargo:rustc-env=GPUMEX_BUILD=CUDA {} for {}", compiler.release(), compiler.archs);
}

fn without_kernels(reason: &str) {
    println!("cargo:warning={reason}: gpumex is built with the CPU backend alone");
    println!("cargo:rustc-env=GPUMEX_BUILD=CPU backend only ({reason})");
}
