//! Ranks on devices that NCCL connects: GPUs of one machine or of several.
//!
//! | file | what |
//! |---|---|
//! | `library.rs` | the functions of libnccl.so.2, loaded at run time |
//! | `group.rs` | one communicator of NCCL, and waiting for it |
//! | `data.rs` | memory of devices, in the order of the context's stream |
//! | `control.rs` | memory of the host, in a stream of its own |
//!
//! Failure    NCCL's communicators are asynchronous (`blocking` = 0): the host polls, and where a rank does not come, it aborts its
//!            communicators, which ends NCCL's kernels on the device as well.

mod control;
mod data;
mod group;
mod library;

pub use control::{Control, Letter};
pub use data::{Data, Exchange};
pub use library::UNIQUE_ID;

use crate::error::Result;
use library::{Library, UniqueId};

/// Whether the process has a usable NCCL, or why not.
pub fn check() -> Result<()> {
    Library::get().map(|_| ())
}

/// An id for a new group, which all ranks get from one of them.
pub fn unique_id() -> Result<[u8; UNIQUE_ID]> {
    let (library, mut id) = (Library::get()?, UniqueId([0; UNIQUE_ID]));
    // SAFETY: writes an id.
    library.check("ncclGetUniqueId", unsafe { (library.get_unique_id)(&mut id) })?;
    Ok(id.0)
}
