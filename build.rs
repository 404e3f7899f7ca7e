//! Compiles kernels/*.cu with nvcc through `cc`. Without an nvcc the library has the CPU backend alone, and says
//! so.
//!
//! NVCC              the compiler (else the project's own .toolkit, else PATH, else /usr/local/cuda)
//! GPUMEX_CUDA_ARCHS native (default: the GPU that is here; without one sm_90a machine code and compute_75 PTX),
//!                   all (sm_75 to sm_120 machine code), or a list such as "80,90a"

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn main() {
    println!("cargo:rustc-check-cfg=cfg(gpumex_cuda, gpumex_matlab_loadlibrary)");
    for name in ["NVCC", "GPUMEX_CUDA_ARCHS"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    // A file that is not there would make every build a new one; scripts/setup-cuda touches build.rs when it has
    // installed nvcc.
    for file in ["build.rs", ".toolkit/cuda/.stamp"].into_iter().filter(|file| Path::new(file).exists()) {
        println!("cargo:rerun-if-changed={file}");
    }
    let kernels = kernel_sources();
    shape_the_shared_library();
    match (find_nvcc(), has_cxx()) {
        (Some(nvcc), true) => build_kernels(&nvcc, if is_lint() { &[] } else { &kernels }),
        (None, _) => without_kernels("nvcc was not found"),
        (Some(_), false) => without_kernels("nvcc needs a C++ compiler, and g++ was not found"),
    }
}

/// Clippy has builds of its own, of which nothing is linked.
fn is_lint() -> bool {
    let wrapper = env::var_os("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    Path::new(&wrapper).file_stem() == Some(OsStr::new("clippy-driver"))
}

fn without_kernels(reason: &str) {
    println!("cargo:warning={reason}: gpumex is built with the CPU backend alone");
    println!("cargo:rustc-env=GPUMEX_BUILD=CPU backend only ({reason})");
}

/// Whether nvcc will find the C++ compiler that it hands the host code to.
fn has_cxx() -> bool {
    let cxx = cc::Build::new().cpp(true).cargo_warnings(false).get_compiler();
    Command::new(cxx.path()).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The .cu files; every file under kernels/ makes the build run again.
fn kernel_sources() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("kernels")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        println!("cargo:rerun-if-changed={}", folder.display());
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            println!("cargo:rerun-if-changed={}", path.display());
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

/// Soname, no unloading (threads and CUDA live on), our own calls bound to our own functions.
fn shape_the_shared_library() {
    for argument in ["-soname,libgpumex.so.0", "-z,nodelete", "-z,defs", "-Bsymbolic-functions"] {
        println!("cargo:rustc-cdylib-link-arg=-Wl,{argument}");
    }
    // Programs that link with -lgpumex look for the soname at run time: the link lies beside the library.
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let Some(profile) = out.ancestors().nth(3) else { return };
    for folder in [profile.to_path_buf(), profile.join("deps")] {
        let link = folder.join("libgpumex.so.0");
        let _ = fs::remove_file(&link);
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink("libgpumex.so", &link);
    }
}

fn find_nvcc() -> Option<PathBuf> {
    if let Some(given) = env::var_os("NVCC").filter(|given| !given.is_empty()) {
        let is_name = Path::new(&given).components().count() == 1;
        return if is_name { on_path(&given) } else { Some(PathBuf::from(given)) };
    }
    let own = PathBuf::from(".toolkit/cuda/nvidia/cu13/bin/nvcc");
    let installed = PathBuf::from("/usr/local/cuda/bin/nvcc");
    let is_there = |nvcc: &PathBuf| nvcc.is_file();
    let nvcc = Some(own)
        .filter(is_there)
        .or_else(|| on_path(OsStr::new("nvcc")))
        .or(Some(installed).filter(is_there))?;
    nvcc.canonicalize().ok()
}

fn on_path(program: &OsStr) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn build_kernels(nvcc: &Path, kernels: &[PathBuf]) {
    let (archs, code) = architectures();
    // SAFETY: the build script is one thread as yet; cc takes its CUDA compiler from NVCC.
    unsafe { env::set_var("NVCC", nvcc) };
    // As many files at a time as cargo grants jobs.
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..jobs.min(kernels.len()) {
            scope.spawn(|| {
                while let Some(file) = kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
                    compile(file, &code);
                }
            });
        }
    });

    // The wheels keep libcudart_static.a in lib, an installed toolkit in lib64.
    let top = nvcc.parent().and_then(Path::parent).unwrap_or(Path::new("/usr/local/cuda"));
    for folder in ["lib", "lib64", "targets/x86_64-linux/lib"] {
        println!("cargo:rustc-link-search=native={}", top.join(folder).display());
    }
    println!("cargo:rustc-link-lib=static=cudart_static");
    for library in ["dl", "rt", "pthread"] {
        println!("cargo:rustc-link-lib={library}");
    }
    println!("cargo:rustc-cfg=gpumex_cuda");
    println!("cargo:rustc-env=GPUMEX_NVCC={}", nvcc.display());
    println!("cargo:rustc-env=GPUMEX_BUILD=CUDA {} for {archs}", version(nvcc));
}

/// A file is a library of its own: several at once make cc ask for relocatable device code, which costs the blocked matrix
/// product 40 % of its speed.
fn compile(file: &Path, code: &[String]) {
    let stem = file.file_stem().and_then(OsStr::to_str).expect("kernels have plain names");
    let mut build = cc::Build::new();
    build
        .cuda(true)
        .cudart("none")
        .ccbin(false)
        .cpp_link_stdlib(None)
        .warnings(false)
        .include("kernels")
        .file(file);
    build.flag("-std=c++17").flag("-O3").flag("--threads=0").flag("-Xcompiler=-Wall,-Wextra");
    build.flag("-compress-mode=size"); // machine code shrinks to a fifth; the driver unpacks what it loads
    build.flag("-Xcompiler=-fPIC,-fno-exceptions,-fno-rtti,-fvisibility=hidden");
    for pair in code {
        build.flag("-gencode").flag(pair);
    }
    build.compile(&format!("gpumexk_{stem}"));
}

/// The architectures by name, and what -gencode takes for each.
fn architectures() -> (String, Vec<String>) {
    let wanted = env::var("GPUMEX_CUDA_ARCHS").unwrap_or_default();
    let machine_code = |arch: &str| format!("arch=compute_{arch},code=sm_{arch}");
    let list = match wanted.as_str() {
        "" | "native" => match gpu_here() {
            Some(arch) => arch,
            None => {
                let code = vec![machine_code("90a"), "arch=compute_75,code=compute_75".to_string()];
                return ("sm_90a and PTX compute_75".to_string(), code);
            }
        },
        "all" => "75,80,86,89,90a,100,120".to_string(),
        list => list.replace("sm_", ""),
    };
    let archs: Vec<&str> = list.split(',').map(str::trim).collect();
    let is_arch = |arch: &&str| arch.trim_end_matches(['a', 'f']).parse::<u32>().is_ok();
    assert!(
        archs.iter().all(is_arch),
        "GPUMEX_CUDA_ARCHS is \"{wanted}\"; it is native, all, or a list such as 80,90a"
    );
    (format!("sm_{}", archs.join(", sm_")), archs.into_iter().map(machine_code).collect())
}

fn gpu_here() -> Option<String> {
    let query = Command::new("nvidia-smi")
        .args(["--query-gpu=compute_cap", "--format=csv,noheader"])
        .output()
        .ok()?;
    let text = String::from_utf8(query.stdout).ok()?;
    let arch = text.lines().next()?.trim().replace('.', "");
    let is_number = !arch.is_empty() && arch.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| if arch == "90" { "90a".to_string() } else { arch })
}

fn version(nvcc: &Path) -> String {
    let output = Command::new(nvcc).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let release = text.split("release ").nth(1).and_then(|rest| rest.split(',').next());
    release.unwrap_or("of unknown version").to_string()
}
