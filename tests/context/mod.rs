//! Contexts and what stands around them: handles, devices, threads, the default context, texts, the caller's CUDA context.

mod create_with;
mod cuda_current;
mod default_context;
mod device;
mod events;
mod every_call;
mod from_args;
pub mod graphs;
mod handles;
mod rust_callers;
mod texts;
mod threads;
mod timer;
mod waiting;

use crate::common::Role;

pub fn roles() -> Vec<Role> {
    [
        &create_with::ROLES[..],
        &cuda_current::ROLES,
        &default_context::ROLES,
        &from_args::ROLES,
        &graphs::ROLES,
        &waiting::ROLES,
    ]
    .concat()
}
