//! A panic inside the library becomes a text: nothing is printed and nothing unwinds into C.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `body`; a panic in it comes back as its text.
pub fn caught<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    let outer = INSIDE.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(body));
    INSIDE.set(outer);
    outcome.map_err(|_| TEXT.take())
}

/// For the first thing that a thread of the library does: all its life is inside.
pub fn quiet_this_thread() {
    INSIDE.set(true);
}

/// Inside `caught`, and on the library's own worker threads, the hook keeps the text; elsewhere the program's hook runs.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| if INSIDE.get() { keep(info) } else { previous(info) }));
    });
}

fn keep(info: &PanicHookInfo) {
    let payload = info.payload();
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".to_string());
    let place = info.location().map(|l| {
        let file = l.file().rsplit('/').next().unwrap_or_default(); // no path of the machine that built this
        format!(" ({file}:{})", l.line())
    });
    TEXT.set(text + &place.unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_comes_back_as_its_text_and_the_next_call_works() {
        let text = caught(|| panic!("seven is not {}", 8)).map(|()| ()).unwrap_err();
        assert!(text.contains("seven is not 8") && text.contains("panic.rs"), "{text}");
        assert_eq!(caught(|| 7), Ok(7));
    }
}
