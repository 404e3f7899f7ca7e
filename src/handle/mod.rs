//! The tokens by which C names a context: looked up, never dereferenced, never reused. And the default context,
//! which has one too.

mod slots;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::platform::fork::PerProcess;
use crate::platform::fork::lock;
use crate::platform::settings::Backend;
use slots::{Entered, Token};

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
    drop(slots::enter(token)?.remove());
    Ok(())
}

/// Runs `body` in the context of a token of C.
#[inline]
pub fn with<T>(ctx: *mut Context, body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let (_turn, mut context) = enter(token_of(ctx)?)?;
    body(&mut context)
}

/// Runs `body` in the default context.
#[cfg(feature = "plain-names")]
pub fn with_default<T>(body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let (_turn, mut context) = loop {
        let token = default_context()?;
        match enter(token) {
            Err(_) if DEFAULT.get().token() != Some(token) => {} // another thread has just reset it
            entered => break entered?,
        }
    };
    body(&mut context)
}

fn token_of(ctx: *mut Context) -> Result<Token> {
    if ctx.is_null() {
        return Err(Error::new(Status::NullPointer, "ctx is NULL"));
    }
    Token::from_number(ctx.addr()).ok_or_else(|| slots::not_live(ctx.addr()))
}

/// Enters a context, the default one in turn: there a second thread waits instead of being told BUSY. The turn
/// comes first, so that it ends last.
#[inline]
fn enter(token: Token) -> Result<(Option<Turn>, Entered)> {
    let default = DEFAULT.get();
    let turn = if default.token() == Some(token) { Some(default.wait_for_turn()?) } else { None };
    Ok((turn, slots::enter(token)?))
}

// ------------------------------------------------------------------------------------------------- the default
// context

struct DefaultContext {
    token: AtomicUsize,  // 0 while there is none
    making: Mutex<()>,   // starting CUDA takes long: those who want the default context wait, others need not
    turn: Mutex<()>,     // whose holder may enter
    holder: AtomicUsize, // the thread that has it; 0 while nobody has
}

/// The turn of a thread in the default context.
struct Turn {
    _turn: MutexGuard<'static, ()>,
    holder: &'static AtomicUsize,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.holder.store(0, Ordering::Relaxed);
    }
}

/// A number of its own for each thread that lives.
fn this_thread() -> usize {
    thread_local! {
        static MARK: u8 = const { 0 };
    }
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

/// A forked child makes its own. Its parent's is to it like any other context of its parent.
static DEFAULT: PerProcess<DefaultContext> = PerProcess::new(|| DefaultContext {
    token: AtomicUsize::new(0),
    making: Mutex::new(()),
    turn: Mutex::new(()),
    holder: AtomicUsize::new(0),
});

impl DefaultContext {
    /// BUSY for a thread that has the turn already: a callback amid a call would wait for itself.
    fn wait_for_turn(&'static self) -> Result<Turn> {
        let thread = this_thread();
        if self.holder.load(Ordering::Relaxed) == thread {
            return Err(slots::busy());
        }
        let turn = lock(&self.turn);
        self.holder.store(thread, Ordering::Relaxed);
        Ok(Turn { _turn: turn, holder: &self.holder })
    }

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
    let token = slots::add(Context::new(Backend::Auto, None)?)?;
    default.token.store(token.number(), Ordering::Release);
    Ok(token)
}

pub fn default_token() -> Result<*mut Context> {
    default_context().map(Token::as_pointer)
}

/// Drops the default context; the next call that needs it makes a new one.
pub fn reset_default() -> Result<()> {
    let default = DEFAULT.get();
    if default.token().is_none() {
        return Ok(());
    }
    let turn = match default.turn.try_lock() {
        Ok(turn) => turn,
        Err(TryLockError::Poisoned(poison)) => poison.into_inner(), // a caught panic left it; nothing is behind it
        Err(TryLockError::WouldBlock) => return Err(slots::busy()),
    };
    let Some(token) = default.token() else { return Ok(()) };
    let entered = slots::enter(token)?;
    default.token.store(0, Ordering::Release);
    let context = entered.remove();
    drop(turn); // the context ends afterwards: others need not wait for the driver
    drop(context);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
