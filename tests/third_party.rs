//! THIRD_PARTY.md lists every crate that is linked into the library, with its version and licence.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_notices_list_the_dependency_graph() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(cargo) = std::env::var("CARGO") else { return eprintln!("skipped: not run by cargo") };
    let arguments = ["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}|{l}"];
    let tree = Command::new(cargo).args(arguments).current_dir(root).output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let rows = |line: &str| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?.trim_start_matches('v'));
        (name != "gpumex").then(|| format!("| {name} | {version} | {licence} |"))
    };
    let mut want: Vec<String> = tree.lines().filter_map(rows).collect();
    want.sort();
    want.dedup();
    let notices = fs::read_to_string(root.join("THIRD_PARTY.md")).unwrap();
    let mut got: Vec<String> =
        notices.lines().filter(|line| line.starts_with("| ")).skip(1).map(String::from).collect();
    got.sort();
    assert_eq!(got, want, "THIRD_PARTY.md and `cargo tree --edges normal` differ");
}
