//! Contexts and what stands around them: handles, devices, threads, the default context, texts, the caller's CUDA context.

mod cuda_current;
mod default_context;
mod device;
mod every_call;
mod from_args;
mod handles;
mod rust_callers;
mod texts;
mod threads;
mod timer;

use crate::common::Role;

pub fn roles() -> Vec<Role> {
    [&cuda_current::ROLES[..], &default_context::ROLES].concat()
}
