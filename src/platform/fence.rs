//! The fence around every call from outside: nothing unwinds out of it, and the calling thread is as it was.

use crate::error::{Error, Result, Status};
use crate::platform::panic;
use crate::platform::thread::{IeeeRounding, Uncancelled};

/// Runs the body of one call from outside; None after a success, which moves no Error about. A panic is INTERNAL.
#[inline]
pub fn failure_of(body: impl FnOnce() -> Result<()>) -> Option<Error> {
    let _uncancelled = Uncancelled::set();
    let _rounding = IeeeRounding::set();
    let mut failure = None;
    let outcome = panic::caught(|| {
        if let Err(error) = body() {
            failure = Some(error);
        }
    });
    match outcome {
        Ok(()) => failure,
        Err(text) => Some(Error::new(Status::Internal, format!("internal error: {text}"))),
    }
}
