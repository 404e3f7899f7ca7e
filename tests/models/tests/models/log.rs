//! The log: log.rs.

use std::ffi::{c_char, c_void};
use std::ptr::from_ref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{spawn, yield_now};

use models::platform::log::{self, Sink};

use crate::explore;

struct Listener {
    is_alive: AtomicBool,
    inside: AtomicUsize,
}

unsafe extern "C" fn listen(user: *mut c_void, _: i32, _: *const c_char) {
    // SAFETY: a Listener of the model, which is leaked.
    let listener = unsafe { &*user.cast::<Listener>() };
    assert_eq!(listener.inside.fetch_add(1, Ordering::SeqCst), 0, "two lines at once");
    assert!(listener.is_alive.load(Ordering::SeqCst), "told after it was taken back");
    yield_now();
    assert!(listener.is_alive.load(Ordering::SeqCst), "taken back while it is told");
    listener.inside.fetch_sub(1, Ordering::SeqCst);
}

/// When set_sink returns, nobody uses the sink before it any more.
#[test]
fn a_sink_that_is_replaced_is_not_used() {
    explore(|| {
        let listener: &'static Listener =
            Box::leak(Box::new(Listener { is_alive: AtomicBool::new(true), inside: AtomicUsize::new(0) }));
        log::set_sink(Some(Sink::new(listen, from_ref(listener).cast_mut().cast())));
        let tellers = [0, 1].map(|_| spawn(|| (0..2).for_each(|_| log::error("a line"))));
        log::set_sink(Some(Sink::new(ignore, std::ptr::null_mut())));
        listener.is_alive.store(false, Ordering::SeqCst);
        tellers.into_iter().for_each(|teller| teller.join().unwrap());
    });
}

unsafe extern "C" fn ignore(_: *mut c_void, _: i32, _: *const c_char) {}
