//! A panic inside the library becomes a text: nothing is printed and nothing unwinds into C.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::platform::fork;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `body`; a panic in it comes back as its text.
#[inline]
pub fn caught<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    if !HOOK.is_completed() {
        install_hook();
    }
    let outer = INSIDE.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(body));
    INSIDE.set(outer);
    outcome.map_err(|payload| {
        let kept = TEXT.try_with(RefCell::take).unwrap_or_default();
        if kept.is_empty() { text_of(&*payload) } else { kept } // a worker's panic was told to the worker's hook
    })
}

/// For the first thing that a thread of the library does: all its life is inside.
pub fn quiet_this_thread() {
    INSIDE.set(true);
}

static HOOK: Once = Once::new();

/// Inside `caught`, and on the library's own worker threads, the hook keeps the text; elsewhere the program's hook
/// runs.
#[cold]
fn install_hook() {
    let install = || {
        let previous = take_hook();
        set_hook(Box::new(move |info| if INSIDE.get() { keep(info) } else { previous(info) }));
    };
    fork::without_fork(|| HOOK.call_once(install));
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_string())
}

fn keep(info: &PanicHookInfo) {
    let text = text_of(info.payload());
    let place = info.location().map(|l| {
        let file = l.file().rsplit('/').next().unwrap_or_default(); // no path of the machine that built this
        format!(" ({file}:{})", l.line())
    });
    let _ = TEXT.try_with(|kept| kept.replace(text + &place.unwrap_or_default())); // gone in an exit handler
}

#[cfg(test)]
mod tests {
    use super::caught;
    use super::quiet_this_thread;

    #[test]
    fn a_workers_panic_comes_back_as_its_text() {
        let work = || {
            quiet_this_thread();
            panic!("a worker met {}", 9)
        };
        let outcome =
            caught(|| -> () { std::panic::resume_unwind(std::thread::spawn(work).join().unwrap_err()) });
        assert_eq!(outcome, Err("a worker met 9".to_string()));
    }

    #[test]
    fn a_panic_comes_back_as_its_text_and_the_next_call_works() {
        let text = caught(|| -> () { panic!("seven is not {}", 8) }).unwrap_err();
        assert!(text.contains("seven is not 8") && text.contains("panic.rs"), "{text}");
        assert_eq!(caught(|| 7), Ok(7));
    }
}
