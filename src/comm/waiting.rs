//! Why a wait for other ranks ends early.
//!
//! Cancel     A call that is cancelled while it waits goes on waiting for a moment: where the others come, all ranks agree on the end of the
//!            call in the next step, and the communicator lives.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::error::{Error, Result, Status};
use crate::interrupt;
use crate::platform::fork::lock;

/// How long a cancelled call still waits for the others.
const GRACE: Duration = Duration::from_millis(100);

/// What other threads may do to a communicator while a call of it runs.
pub struct Control {
    timeout: Duration,
    why_dead: Mutex<Option<String>>,
}

impl Control {
    /// How long a call may wait for other ranks.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    pub fn new(timeout_ms: u64) -> Control {
        Control { timeout: Duration::from_millis(timeout_ms), why_dead: Mutex::new(None) }
    }

    /// The communicator is dead from here on; the first reason stays.
    pub fn kill(&self, why: String) {
        lock(&self.why_dead).get_or_insert(why);
    }

    pub fn is_dead(&self) -> bool {
        lock(&self.why_dead).is_some()
    }

    /// An error when the communicator is dead.
    pub fn check(&self) -> Result<()> {
        match &*lock(&self.why_dead) {
            None => Ok(()),
            Some(why) => Err(Error::new(Status::Peer, format!("the communicator is dead; {why}"))),
        }
    }
}

/// A wait of this thread.
struct Wait {
    control: Arc<Control>,
    start: Instant,
    cancelled: Option<Instant>, // when that was seen
}

thread_local! {
    static WAIT: RefCell<Option<Wait>> = const { RefCell::new(None) };
}

/// This thread waits for other ranks, until this is dropped.
pub struct Scope(Option<Wait>);

impl Scope {
    pub fn begin(control: &Arc<Control>) -> Scope {
        let wait = Wait { control: control.clone(), start: Instant::now(), cancelled: None };
        Scope(WAIT.replace(Some(wait)))
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        WAIT.replace(self.0.take());
    }
}

/// An error when the wait of this thread has to end: for who waits to ask every few milliseconds.
pub fn poll() -> Result<()> {
    WAIT.with_borrow_mut(|wait| wait.as_mut().map_or(Ok(()), Wait::check))
}

impl Wait {
    fn check(&mut self) -> Result<()> {
        self.control.check()?;
        if self.start.elapsed() >= self.control.timeout {
            let limit = self.control.timeout.as_secs_f64();
            return Err(Error::new(
                Status::Timeout,
                format!("the other ranks did not come within the time limit of {limit} s"),
            ));
        }
        let Err(cancelled) = interrupt::check(0, 0) else { return Ok(()) };
        match self.cancelled.get_or_insert_with(Instant::now).elapsed() {
            waited if waited < GRACE => Ok(()),
            _ => Err(cancelled),
        }
    }
}
