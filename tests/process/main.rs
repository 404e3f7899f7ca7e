//! What the library shares with its whole process, tried in processes of their own: settings, log, fork, memory.

#[path = "../common/mod.rs"]
mod common;

mod fork;
mod log;
mod out_of_memory;
mod settings;

use common::{Role, in_a_new_process};

#[test]
#[ignore = "other tests start it in a process of its own"]
fn role_in_a_new_process() {
    common::play(&[&settings::ROLES[..], &log::ROLES, &fork::ROLES, &out_of_memory::ROLES].concat());
}
