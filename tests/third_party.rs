//! THIRD_PARTY.md lists every crate that is linked into the library or into the C examples, with its version and licence.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::c_abi::programs::root;
use crate::common::leave_out;

#[test]
fn the_notices_list_the_crates_of_the_library() {
    notices_list(&["gpumex-c", "gpumex-core", "gpumex-kernels"], 0);
}

#[test]
fn the_notices_list_the_crates_of_the_examples() {
    notices_list(&["pictures"], 1);
}

/// A feature that only the tests' crates ask for makes `cargo test` compile a crate, and all that stands on it, once more.
#[test]
fn the_tests_crates_change_no_feature_of_the_librarys() {
    let Some(of_build) = tree(&["--workspace", "--edges", "normal", "--format", "{p} {f}"]) else { return };
    let of_tests =
        tree(&["--workspace", "--edges", "normal,dev", "--format", "{p} {f}"]).expect("it was here");
    let others: Vec<_> = of_build.difference(&of_tests).collect();
    assert!(others.is_empty(), "cargo test wants other features of {others:?}");
}

/// The table of this number has the packages that the first one of ours depends on.
fn notices_list(ours: &[&str], table: usize) {
    let Some(lines) = tree(&["--package", ours[0], "--edges", "normal", "--format", "{p}|{l}"]) else {
        return;
    };
    let rows = |line: &str| {
        let (package, licence) = line.split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?.trim_start_matches('v'));
        (!ours.contains(&name)).then(|| format!("| {name} | {version} | {licence} |"))
    };
    let want: BTreeSet<String> = lines.iter().filter_map(|line| rows(line)).collect();
    let notices = fs::read_to_string(root().join("THIRD_PARTY.md")).unwrap();
    let rows_of = notices.split("|---|---|---|\n").nth(table + 1).unwrap_or_default();
    let got: BTreeSet<String> =
        rows_of.lines().take_while(|line| line.starts_with("| ")).map(String::from).collect();
    assert_eq!(got, want, "THIRD_PARTY.md and `cargo tree` differ");
}

/// The lines of cargo tree, or None where cargo is not here.
fn tree(arguments: &[&str]) -> Option<BTreeSet<String>> {
    let Ok(cargo) = std::env::var("CARGO") else {
        leave_out("cargo: the test was not run by it");
        return None;
    };
    let mut command = Command::new(cargo);
    command.args(["tree", "--locked", "--prefix", "none", "--no-dedupe"]).args(arguments);
    let output = command.current_dir(root()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("names of crates").lines().map(String::from).collect())
}
