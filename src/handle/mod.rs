//! The tokens by which C names a context, a communicator or an event: looked up, never dereferenced, never reused. And the default context,
//! which has one too.

pub mod absent;
pub mod comms;
pub mod events;
mod slots;
mod turns;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::context::{BusyPolicy, Context, Options};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::platform::fork::PerProcess;
use crate::platform::fork::lock;
use slots::Token;

/// C owns this context from here on.
pub fn give(context: Context) -> Result<*mut Context> {
    Ok(slots::add(context)?.as_pointer())
}

/// Ends a context of C.
pub fn destroy(ctx: *mut Context) -> Result<()> {
    let token = token_of(ctx)?;
    if DEFAULT.get().token() == Some(token) {
        return Err(Error::invalid("this is the default context; gpumex_reset_default ends it"));
    }
    let entered = slots::enter(token)?;
    entered.check_may_end()?;
    drop(entered.remove());
    Ok(())
}

/// Runs `body` in the context of a token of C.
#[inline]
pub fn with<T>(ctx: *mut Context, body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let mut entered = slots::enter(token_of(ctx)?)?;
    interrupt::caught(|| body(&mut entered))
}

/// Cancels the call that is in the context of a token of C, if one is.
#[inline]
pub fn cancel(ctx: *mut Context) -> Result<()> {
    slots::cancel(token_of(ctx)?)
}

/// Runs `body` in the default context.
pub fn with_default<T>(body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let mut context = loop {
        let token = default_context()?;
        match slots::enter(token) {
            Err(_) if DEFAULT.get().token() != Some(token) => {} // another thread has just reset it
            entered => break entered?,
        }
    };
    interrupt::caught(|| body(&mut context))
}

fn token_of(ctx: *mut Context) -> Result<Token> {
    if ctx.is_null() {
        return Err(absent::is_null());
    }
    Token::from_number(ctx.addr()).ok_or_else(|| slots::not_live(ctx.addr()))
}

// ------------------------------------------------------------------------------------------------- the default
// context

/// Threads take turns in it, as in every context whose policy is WAIT.
struct DefaultContext {
    token: AtomicUsize, // 0 while there is none
    making: Mutex<()>,  // starting CUDA takes long: those who want the default context wait, others need not
}

/// A forked child makes its own. Its parent's is to it like any other context of its parent.
static DEFAULT: PerProcess<DefaultContext> =
    PerProcess::new(|| DefaultContext { token: AtomicUsize::new(0), making: Mutex::new(()) });

impl DefaultContext {
    fn token(&self) -> Option<Token> {
        Token::from_number(self.token.load(Ordering::Acquire))
    }
}

/// The default context, made on first use.
fn default_context() -> Result<Token> {
    let default = DEFAULT.get();
    if let Some(token) = default.token() {
        return Ok(token);
    }
    let _making = lock(&default.making);
    if let Some(token) = default.token() {
        return Ok(token);
    }
    let token = slots::add(Context::with(&Options { busy: BusyPolicy::Wait, ..Options::default() })?)?;
    default.token.store(token.number(), Ordering::Release);
    Ok(token)
}

pub fn default_token() -> Result<*mut Context> {
    default_context().map(Token::as_pointer)
}

/// Drops the default context; the next call that needs it makes a new one.
pub fn reset_default() -> Result<()> {
    let default = DEFAULT.get();
    let Some(token) = default.token() else { return Ok(()) };
    let entered = match slots::enter_now(token) {
        Err(_) if default.token() != Some(token) => return Ok(()), // another thread has just reset it
        entered => entered?,
    };
    default.token.store(0, Ordering::Release);
    let context = entered.remove(); // it ends afterwards: others need not wait for the driver
    drop(context);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use crate::platform::settings::Backend;

    #[test]
    fn tokens_are_never_reused() {
        let first = give(Context::new(Backend::Cpu, None).unwrap()).unwrap();
        destroy(first).unwrap();
        let second = give(Context::new(Backend::Cpu, None).unwrap()).unwrap();
        assert_ne!(first, second);
        assert_eq!(destroy(first).unwrap_err().status(), Status::InvalidArgument);
        assert_eq!(with(first, |_| Ok(())).unwrap_err().status(), Status::InvalidArgument);
        destroy(second).unwrap();
    }

    #[test]
    fn a_second_thread_in_one_context_is_told_busy() {
        let token = give(Context::new(Backend::Cpu, None).unwrap()).unwrap() as usize;
        let inner = with(token as *mut Context, |_| {
            std::thread::spawn(move || with(token as *mut Context, |_| Ok(()))).join().unwrap()
        });
        assert_eq!(inner.unwrap_err().status(), Status::Busy);
        destroy(token as *mut Context).unwrap();
    }

    #[test]
    fn a_busy_context_is_not_destroyed() {
        let token = give(Context::new(Backend::Cpu, None).unwrap()).unwrap();
        let inner = with(token, |_| destroy(token));
        assert_eq!(inner.unwrap_err().status(), Status::Busy);
        destroy(token).unwrap();
    }
}
