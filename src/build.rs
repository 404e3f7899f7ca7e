//! Build script of this package: whether there are kernels, and the text of `gpumex_build_info`. It does not run again when a kernel has
//! changed, which would compile all of src/ again.

mod compiler;

use compiler::{Absent, Compiler};

fn main() {
    println!("cargo:rustc-check-cfg=cfg(gpumex_cuda, gpumex_matlab_loadlibrary)");
    match Compiler::find() {
        Ok(compiler) => {
            println!("cargo:rustc-cfg=gpumex_cuda");
            println!("cargo:rustc-env=GPUMEX_BUILD=CUDA {} for {}", compiler.release(), compiler.archs);
        }
        Err(Absent { reason, is_error: false }) => {
            println!("cargo:warning={reason}: gpumex is built with the CPU backend alone");
            println!("cargo:rustc-env=GPUMEX_BUILD=CPU backend only ({reason})");
        }
        Err(Absent { reason, .. }) => println!("cargo::error={reason}"),
    }
}
