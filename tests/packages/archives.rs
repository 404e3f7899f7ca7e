//! For which GPUs the archives have kernels: docs/project/archives.md says it, and why 8.9 runs the machine code of 8.6.

use std::fs;
use std::path::PathBuf;

use crate::c_abi::programs::root;

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// `all` of scripts/cuda-compiler: 75, 90a.
fn architectures() -> Vec<String> {
    let script = text_of("scripts/cuda-compiler");
    let list = script.lines().find_map(|line| line.strip_prefix("all=")).expect("it says what all is");
    let list = list.split(char::is_whitespace).next().unwrap_or_default();
    list.split(',').map(str::to_string).collect()
}

#[test]
fn the_page_names_the_capabilities_of_the_kernels() {
    let capabilities: Vec<_> = architectures()
        .iter()
        .map(|arch| arch.trim_end_matches(char::is_alphabetic))
        .map(|number| format!("{}.{}", &number[..number.len() - 1], &number[number.len() - 1..]))
        .collect();
    let (last, others) = capabilities.split_last().expect("there are some");
    let sentence = format!("The kernels are for compute capability {} and {last}", others.join(", "));
    let page = text_of("docs/project/archives.md").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(&sentence), "archives.md does not say: {sentence}");
}

/// Each condition on the architecture is the same for both.
#[test]
fn kernels_have_no_code_of_their_own_for_8_9() {
    assert!(!architectures().iter().any(|arch| arch == "89"), "8.9 has machine code of its own");
    let mut conditions = 0;
    for file in files_below(root().join("kernels")) {
        let text = fs::read_to_string(&file).expect("sources are readable");
        for line in text.lines().filter(|line| line.contains("__CUDA_ARCH__ ")) {
            conditions += 1;
            assert_eq!(answers(line, 860), answers(line, 890), "{}: {line}", file.display());
        }
    }
    assert!(conditions > 20, "{conditions} conditions were found");
}

fn files_below(folder: PathBuf) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).expect("it is a folder").map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_below(path) } else { vec![path] }).collect()
}

/// Whether an architecture is among those that a line names, and what it says to the line's limits.
fn answers(line: &str, arch: u32) -> (bool, Vec<bool>) {
    let (mut is_named, mut limits) = (false, Vec::new());
    for condition in line.split("__CUDA_ARCH__ ").skip(1) {
        let mut words = condition.split_whitespace();
        let (operator, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let number: u32 = number.parse().unwrap_or_else(|_| panic!("\"{line}\" has no number"));
        match operator {
            "==" => is_named |= arch == number,
            ">=" => limits.push(arch >= number),
            "<" => limits.push(arch < number),
            _ => panic!("\"{line}\" has another operator"),
        }
    }
    (is_named, limits)
}
