//! The fence around every call from outside: nothing unwinds out of it, and the calling thread is as it was.

use crate::error::{Error, Result, Status};
use crate::platform::panic;
use crate::platform::rounding::IeeeRounding;
use crate::platform::thread::Uncancelled;

/// Runs the body of one call from outside, and `told` with its failure, where it has one, which may tell the log. None after a success,
/// which moves no Error about. A panic is INTERNAL.
#[inline]
pub fn around<R>(body: impl FnOnce() -> Result<()>, told: impl FnOnce(Option<Error>) -> R) -> R {
    let _uncancelled = Uncancelled::set();
    let _rounding = IeeeRounding::set();
    let mut failure = None;
    let outcome = panic::caught(|| {
        if let Err(error) = body() {
            failure = Some(error);
        }
    });
    if let Err(text) = outcome {
        failure = Some(Error::new(Status::Internal, format!("internal error: {text}")));
    }
    told(failure)
}
