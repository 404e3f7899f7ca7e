//! Every .cu below kernels/ → one static library. Objects are kept in target/kernels/, for all profiles; see object.rs for when one is
//! compiled anew.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::compiler::Compiler;
use crate::cudart::{self, Names};
use crate::object::Objects;

pub const KERNELS: &str = "kernels";

/// The .cu files.
pub fn sources() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(KERNELS)];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.extension().and_then(OsStr::to_str) {
                _ if path.is_dir() => folders.push(path),
                Some("cu") => sources.push(path),
                _ => {}
            }
        }
    }
    sources.sort();
    sources
}

/// Compiles what has changed and links all of it: the functions that call the launchers are in another crate, which a linker that
/// reads archives once may see later.
pub fn build(compiler: &Compiler, sources: &[PathBuf]) {
    // SAFETY: the build script is one thread as yet; cc takes its CUDA compiler from NVCC.
    unsafe { env::set_var("NVCC", &compiler.nvcc) };
    let objects = Objects::new(&target_folder().join("kernels"), compiler);
    compile_all(&objects, sources);
    let mut archive = cc::Build::new();
    archive.cargo_metadata(false);
    let library = archive.create_archive("gpumexk", sources.iter().map(|source| objects.object_of(source)));
    let folder = library.parent().unwrap_or(Path::new("."));
    Names::make(compiler, folder).change(&library, &library);
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static:+whole-archive=gpumexk");
    // Whole, as the kernels: rustc names it before them to the linker. It is a single object.
    println!("cargo:rustc-link-lib=static:+whole-archive={}", cudart::LIBRARY);
}

/// As many files at a time as cargo grants jobs.
fn compile_all(objects: &Objects, sources: &[PathBuf]) {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..jobs.min(sources.len()) {
            scope.spawn(|| {
                while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    objects.bring_up_to_date(source);
                }
            });
        }
    });
}

/// target/, above target/<profile>/build/<package>/out.
fn target_folder() -> PathBuf {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    out.ancestors().nth(4).unwrap_or(&out).to_path_buf()
}
