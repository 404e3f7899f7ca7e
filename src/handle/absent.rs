//! Why this thread has no context: a caller that did not look at NULL passes it to the next call, whose sentence then has the reason.

use std::cell::RefCell;

use crate::error::{Error, Result, Status};

thread_local! {
    static REASON: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps how `function`, which makes a context, ended on this thread.
pub fn keep<T>(function: &str, made: Result<T>) -> Result<T> {
    let reason = made.as_ref().err().map_or(String::new(), |error| format!("; {function}: {error}"));
    let _ = REASON.try_with(|kept| kept.replace(reason)); // gone in an exit handler
    made
}

pub(super) fn is_null() -> Error {
    let reason = REASON.try_with(|kept| kept.borrow().clone()).unwrap_or_default();
    Error::new(Status::NullPointer, format!("ctx is NULL{reason}"))
}
