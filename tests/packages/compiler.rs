//! How a build finds nvcc: what cannot be used is refused in a sentence, and without a network there is a library without kernels. In
//! a folder with the scripts alone, and programs that stand in for nvcc and Python.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::prefix::Folder;
use crate::c_abi::programs::root;
use crate::common::leave_out;

const SCRIPTS: [&str; 4] = ["cuda-compiler", "setup-cuda", "pip-into", "cuda-requirements.txt"];

fn scripts() -> Folder {
    let folder = Folder::new();
    for name in SCRIPTS {
        let to = folder.path().join("scripts").join(name);
        fs::create_dir_all(to.parent().unwrap()).expect("a temporary folder");
        fs::copy(root().join("scripts").join(name), to).expect("it is in the tree");
    }
    folder
}

fn program(folder: &Folder, name: &str, script: &str) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).expect("a temporary folder");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a temporary file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our own file");
}

fn nvcc(folder: &Folder, name: &str, version: &str) {
    program(folder, name, &format!("echo 'Cuda compilation tools, release {version}, V{version}.88'"));
}

/// The exit status, and what was said on both outputs.
fn run(folder: &Folder, command: &str) -> (i32, String) {
    let ended = folder.try_sh(&format!("{command} 2>&1"));
    (ended.status.code().expect("no signal"), String::from_utf8_lossy(&ended.stdout).trim().to_string())
}

#[test]
fn a_compiler_that_cannot_be_used_is_refused_in_a_sentence() {
    let folder = scripts();
    nvcc(&folder, "old/nvcc", "12.4");
    nvcc(&folder, "new/nvcc", "13.0");
    for (settings, status, sentence) in [
        ("NVCC=old/nvcc", 1, "old/nvcc is of CUDA 12.4.88, and CUDA 13 is needed"),
        ("NVCC=none/nvcc", 2, "NVCC=none/nvcc was not found"),
        ("NVCC=new/nvcc CXX=no-compiler", 1, "nvcc needs a C++ compiler, and no-compiler was not found"),
        ("NVCC=new/nvcc GPUMEX_CUDA=of", 2, "GPUMEX_CUDA is \"of\"; it is auto, on or off"),
        ("NVCC=new/nvcc GPUMEX_CUDA=off", 1, "GPUMEX_CUDA is off"),
        (
            "NVCC=new/nvcc GPUMEX_CUDA_ARCHS=hopper",
            2,
            "GPUMEX_CUDA_ARCHS is \"hopper\"; it is native, all, or a list such as 80,90a",
        ),
    ] {
        assert_eq!(
            run(&folder, &format!("{settings} scripts/cuda-compiler")),
            (status, sentence.to_string()),
            "{settings}"
        );
    }
    let (status, lines) = run(&folder, "NVCC=new/nvcc GPUMEX_CUDA_ARCHS=80,90a scripts/cuda-compiler");
    assert_eq!(status, 0, "{lines}");
    assert!(lines.ends_with("code arch=compute_80,code=sm_80\ncode arch=compute_90a,code=sm_90a"), "{lines}");
}

#[test]
fn without_a_network_the_library_has_no_kernels_and_says_so() {
    if Path::new("/usr/local/cuda/bin/nvcc").exists() {
        return leave_out("a machine without nvcc: /usr/local/cuda has one");
    }
    let folder = scripts();
    program(
        &folder,
        "bin/python3",
        "[ \"$3\" = --version ] || { echo 'ERROR: No matching distribution'; exit 1; }",
    );
    let setup = "PATH=$PWD/bin:/usr/bin:/bin scripts/setup-cuda";
    let (status, said) = run(&folder, setup);
    let last = "== CUDA compiler: none, so the library is built for the CPU only (fetching it failed: ERROR: No matching \
                distribution; see .toolkit/cuda.log)";
    assert!(status == 0 && said.ends_with(last), "{status}: {said}");
    let (status, said) = run(&folder, &format!("GPUMEX_CUDA=on {setup}"));
    assert!(status == 1 && said.contains("NONE, and GPUMEX_CUDA=on asks for one"), "{status}: {said}");
}
