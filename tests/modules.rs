//! Every source file of an operation is in the list of its modules: `make modules` writes the lists, this test compares.

use std::process::Command;

use crate::c_abi::programs::root;

#[test]
fn every_source_of_an_operation_is_a_module() {
    let check = Command::new(root().join("scripts/modules")).arg("--check").output().expect("bash is there");
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}
