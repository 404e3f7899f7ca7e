//! Ranks whose bytes the caller's functions move.

use std::ffi::c_void;

use super::{Parcel, waiting};
use crate::error::{Error, Result, Status};
use crate::vector;

/// @brief Bytes to one other rank and from it, in host memory.
/// @ingroup gpumex_comm
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// The other rank.
    pub peer: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// send_bytes bytes for it.
    pub send: *const c_void,
    /// Bytes to send; may be 0.
    pub send_bytes: usize,
    /// Receives recv_bytes bytes from it.
    pub recv: *mut c_void,
    /// Bytes to receive; may be 0.
    pub recv_bytes: usize,
}

/// Moves the bytes of all messages at once.
pub type Exchange = unsafe extern "C" fn(user: *mut c_void, messages: *const Message, count: usize) -> i32;
/// Brings the bytes of each rank to all.
pub type Allgather =
    unsafe extern "C" fn(user: *mut c_void, send: *const c_void, recv: *mut c_void, bytes: usize) -> i32;

/// The caller's functions.
pub struct Callbacks {
    exchange: Exchange,
    allgather: Allgather,
    user: *mut c_void,
}

#[allow(unsafe_code)]
// SAFETY: handed back to the caller's functions on the thread that is in a call of the communicator; the header says so.
unsafe impl Send for Callbacks {}

#[allow(unsafe_code)]
impl Callbacks {
    /// # Safety
    /// The functions do what their types' documentation says, with `user`, for as long as the communicator lives.
    pub unsafe fn new(exchange: Exchange, allgather: Allgather, user: *mut c_void) -> Callbacks {
        Callbacks { exchange, allgather, user }
    }

    pub fn allgather(&self, own: &[u8], all: &mut [u8]) -> Result<()> {
        // SAFETY: as `new`'s caller promised; `all` has room for the bytes of each rank.
        let status =
            unsafe { (self.allgather)(self.user, own.as_ptr().cast(), all.as_mut_ptr().cast(), own.len()) };
        outcome("allgather", status)
    }

    pub fn exchange(&self, parcels: &mut [Parcel]) -> Result<()> {
        let message = |parcel: &mut Parcel| Message {
            peer: parcel.peer as i32,
            reserved: 0,
            send: parcel.send.as_ptr().cast(),
            send_bytes: parcel.send.len(),
            recv: parcel.receive.as_mut_ptr().cast(),
            recv_bytes: parcel.receive.len(),
        };
        let messages = vector::collected(parcels.iter_mut().map(message))?;
        // SAFETY: as `new`'s caller promised; the slices live as long as the call.
        let status = unsafe { (self.exchange)(self.user, messages.as_ptr(), messages.len()) };
        outcome("exchange", status)
    }
}

/// What a callback returned.
fn outcome(name: &str, status: i32) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    waiting::poll()?; // the reason that the callback had from gpumex_comm_poll, with its sentence
    let kind = if status == Status::Timeout as i32 { Status::Timeout } else { Status::Peer };
    Err(Error::new(kind, format!("the transport's {name} returned {status}")))
}
