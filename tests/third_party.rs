//! THIRD_PARTY.md lists every crate that is linked into the library or into the C examples, with its version and licence.

use std::fs;
use std::process::Command;

use crate::c_abi::programs::root;
use crate::common::leave_out;

#[test]
fn the_notices_list_the_crates_of_the_library() {
    notices_list("gpumex", 0);
}

#[test]
fn the_notices_list_the_crates_of_the_examples() {
    notices_list("pictures", 1);
}

/// The table of this number has the packages that one of ours depends on.
fn notices_list(ours: &str, table: usize) {
    let Ok(cargo) = std::env::var("CARGO") else { return leave_out("cargo: the test was not run by it") };
    let arguments = [
        "tree",
        "--locked",
        "--edges",
        "normal",
        "--package",
        ours,
        "--prefix",
        "none",
        "--format",
        "{p}|{l}",
    ];
    let tree = Command::new(cargo).args(arguments).current_dir(root()).output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let rows = |line: &str| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?.trim_start_matches('v'));
        (name != ours).then(|| format!("| {name} | {version} | {licence} |"))
    };
    let mut want: Vec<String> = tree.lines().filter_map(rows).collect();
    want.sort();
    want.dedup();
    let notices = fs::read_to_string(root().join("THIRD_PARTY.md")).unwrap();
    let rows_of = notices.split("|---|---|---|\n").nth(table + 1).unwrap_or_default();
    let mut got: Vec<String> =
        rows_of.lines().take_while(|line| line.starts_with("| ")).map(String::from).collect();
    got.sort();
    assert_eq!(got, want, "THIRD_PARTY.md and `cargo tree` differ");
}
