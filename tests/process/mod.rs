//! What the library shares with its whole process, tried in processes of their own: settings, log, fork, memory.

mod fork;
mod log;
mod out_of_memory;
mod settings;

use crate::common::Role;

pub fn roles() -> Vec<Role> {
    [&settings::ROLES[..], &log::ROLES, &fork::ROLES, &out_of_memory::ROLES].concat()
}
