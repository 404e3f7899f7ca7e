//! The exercises of lab/, as they are installed: each compiles and names its open gaps, its solution is right, and a solution without
//! one of its barriers is not.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::has;
use super::prefix::{Folder, Installed};
use crate::c_abi::programs::root;
use crate::common::{Context, leave_out_unless};
use crate::memory_paths::WITHOUT_NVCC;

/// Each exercise with the number of its gaps.
const EXERCISES: [(&str, usize); 4] = [("matmul", 4), ("raytrace", 3), ("histogram", 6), ("life", 4)];

/// A copy of the installed exercises.
fn copied(installed: &Installed, name: &str) -> Folder {
    let folder = installed.folder(name);
    folder.sh(r#"cp -r "$PREFIX/share/gpumex/lab/." ."#);
    folder
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[track_caller]
fn are_as_they_should_be(folder: &Folder) {
    for (name, gaps) in EXERCISES {
        let open = folder.try_sh(&format!("./{name}"));
        let text = said(&open);
        assert_eq!(open.status.code(), Some(1), "{name}: {text}");
        for gap in 1..=gaps {
            assert!(text.contains(&format!("gap {gap} is open: ")), "{name}, gap {gap}: {text}");
        }
        assert!(text.ends_with(&format!("\n{gaps} gaps are open\n")), "{name}: {text}");
        let solved = folder.sh(&format!("solutions/{name}"));
        assert!(solved.ends_with("All results are right"), "{name}: {solved}");
    }
}

#[test]
fn exercises_name_their_gaps_and_solutions_are_right() {
    if !has(&["pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = copied(&installed, "lab");
    folder.sh("make -j2 all CXXFLAGS=-O0 && make -j2 solutions CXXFLAGS='-O0 -Wall -Wextra -Werror'");
    are_as_they_should_be(&folder);
}

/// The same files through nvcc; where there is a GPU they run.
#[test]
fn exercises_compile_for_the_gpu() {
    let Some(nvcc) = option_env!("GPUMEX_NVCC") else {
        return leave_out_unless("GPUMEX_REQUIRE_NVCC", WITHOUT_NVCC);
    };
    let installed = Installed::here();
    let folder = copied(&installed, "lab-cuda");
    let toolkit = Path::new(nvcc).parent().and_then(Path::parent).expect("nvcc lies in bin");
    let libraries = ["lib", "lib64"].map(|lib| format!("-L{}", toolkit.join(lib).display())).join(" ");
    let arch = if Context::cuda().is_some() { "native" } else { "sm_90" };
    folder.sh(&format!("make -j2 all solutions 'NVCC={nvcc}' ARCH={arch} 'CXXFLAGS=-O1 {libraries}'"));
    if Context::cuda().is_some() {
        are_as_they_should_be(&folder);
    }
}

/// An exercise is its solution with lines taken out, and GAP in their place.
#[test]
fn exercises_are_their_solutions_with_gaps() {
    for (name, gaps) in EXERCISES {
        let [exercise, solution] = ["lab", "lab/solutions"].map(|folder| {
            fs::read_to_string(root().join(folder).join(format!("{name}.cu"))).expect("an exercise")
        });
        let mut lines = solution.lines();
        for line in exercise.lines().filter(|line| !line.trim().starts_with("GAP(")) {
            assert!(lines.any(|one| unqualified(one) == unqualified(line)), "{name}: {line}");
        }
        assert_eq!(exercise.matches("GAP(").count(), gaps, "{name}");
    }
}

/// The exercise asks for these words.
fn unqualified(line: &str) -> String {
    line.replace("const sphere *__restrict__ ", "sphere *").replace("__restrict__ ", "")
}

#[test]
fn a_missing_barrier_is_noticed() {
    if !has(&["pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = copied(&installed, "lab-barriers");
    for (name, barriers) in [("matmul", 2), ("histogram", 2), ("life", 1)] {
        let path = folder.path().join(format!("{name}.cu"));
        let solution =
            fs::read_to_string(folder.path().join(format!("solutions/{name}.cu"))).expect("a solution");
        let parts: Vec<_> = solution.split("    __syncthreads();\n").collect();
        assert_eq!(parts.len(), barriers + 1, "{name}");
        for barrier in 1..=barriers {
            let [before, behind] =
                [&parts[..barrier], &parts[barrier..]].map(|parts| parts.join("    __syncthreads();\n"));
            fs::write(&path, before + &behind).expect("a temporary file");
            is_wrong(&folder, name, "WRONG: ");
        }
    }
    let divergent = "if (threadIdx.x > 0) __syncthreads();";
    folder.sh(&format!("sed 's/__syncthreads();/{divergent}/' solutions/life.cu >life.cu"));
    is_wrong(&folder, "life", "WRONG: a thread ended while others of its block waited");
}

#[track_caller]
fn is_wrong(folder: &Folder, name: &str, words: &str) {
    folder.sh(&format!("make -B {name} CXXFLAGS=-O0"));
    let ended = folder.try_sh(&format!("./{name}"));
    let text = said(&ended);
    assert!(ended.status.code() == Some(1) && text.contains(words), "{name}: {text}");
}
