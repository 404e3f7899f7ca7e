//! Build script of the library: what is particular to the shared one.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=library/build.rs");
    shape_the_shared_library();
    // For the tests that compile CUDA: the nvcc that build/ has found.
    if let Ok(nvcc) = env::var("DEP_GPUMEXK_NVCC") {
        println!("cargo:rustc-env=GPUMEX_NVCC={nvcc}");
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
