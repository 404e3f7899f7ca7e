//! The CUDA compiler, as scripts/cuda-compiler finds it.
//!
//! GPUMEX_CUDA        auto (default): the kernels where an nvcc is, and a warning where none is; on: a missing nvcc is an error;
//!                    off: the CPU backend alone
//! NVCC               the compiler; scripts/cuda-compiler says where one is looked for otherwise
//! GPUMEX_CUDA_ARCHS  native (default: the GPUs of this machine; sm_90a without one), all (sm_75 to sm_120), or a list such as
//!                    "80,90a"
#![allow(dead_code)] // main.rs and src/build.rs use a part each

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// scripts/cuda-compiler, by a link: a package holds all that it is built from.
const SCRIPT: &str = "./cuda-compiler";

pub struct Compiler {
    pub nvcc: PathBuf,
    pub version: String,
    /// For people: "sm_80, sm_90a".
    pub archs: String,
    /// What `-gencode` takes, for each architecture.
    pub code: Vec<String>,
}

pub struct Absent {
    pub reason: String,
    /// A setting is wrong, or GPUMEX_CUDA=on asks for kernels.
    pub is_error: bool,
}

impl Compiler {
    pub fn find() -> Result<Compiler, Absent> {
        for name in ["GPUMEX_CUDA", "GPUMEX_CUDA_ARCHS", "NVCC", "CXX"] {
            println!("cargo:rerun-if-env-changed={name}");
        }
        println!("cargo:rerun-if-changed={SCRIPT}"); // scripts/setup-cuda touches it when it has installed nvcc
        let absent = |reason: String, is_wrong| {
            let is_asked_for = env::var_os("GPUMEX_CUDA").is_some_and(|value| value == "on");
            Err(Absent { reason, is_error: is_wrong || is_asked_for })
        };
        match Command::new(SCRIPT).output() {
            Ok(found) if found.status.success() => Ok(Compiler::from_lines(&text(&found.stdout))),
            Ok(found) => absent(text(&found.stderr).trim().to_string(), found.status.code() != Some(1)),
            Err(error) => absent(format!("{SCRIPT} does not run ({error})"), false),
        }
    }

    fn from_lines(lines: &str) -> Compiler {
        let values = |key: &str| -> Vec<String> {
            let pairs = lines.lines().filter_map(|line| line.split_once(' '));
            pairs.filter(|(name, _)| *name == key).map(|(_, value)| value.to_string()).collect()
        };
        let one = |key: &str| values(key).concat();
        Compiler {
            nvcc: one("nvcc").into(),
            version: one("version"),
            archs: one("archs"),
            code: values("code"),
        }
    }

    /// "13.0" of version 13.0.88.
    pub fn release(&self) -> String {
        self.version.split('.').take(2).collect::<Vec<_>>().join(".")
    }

    /// Where libcudart_static.a is: the wheels keep it in lib, an installed toolkit in lib64 or targets.
    pub fn link_folders(&self) -> impl Iterator<Item = PathBuf> {
        let toolkit = self.nvcc.parent().and_then(Path::parent).unwrap_or(Path::new("/usr/local/cuda"));
        ["lib", "lib64", "targets/x86_64-linux/lib"].into_iter().map(|folder| toolkit.join(folder))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
