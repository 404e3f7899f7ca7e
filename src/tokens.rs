//! The tokens by which C names a context: looked up, never dereferenced, never reused.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::settings::Backend;
use crate::thread::lock;

/// The contexts that C holds. A token is the number of its slot and the generation of the slot's tenant, so that a token that
/// was destroyed, or never given, is told apart without being dereferenced.
struct Registry {
    slots: Vec<Slot>,
    default: Option<(u32, Token)>, // the process that made it, and its token
}

#[derive(Default)]
struct Slot {
    generation: usize,
    tenant: Option<Arc<Tenant>>,
}

struct Tenant {
    context: Mutex<Context>,
    takes_turns: bool, // the default context: a second thread waits instead of being told BUSY
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Token(usize);

const SLOT_BITS: u32 = 20;
const MARK: usize = 0b11; // low bits that no pointer to a struct has, and that keep a token apart from NULL

impl Token {
    fn new(slot: usize, generation: usize) -> Token {
        Token((((generation << SLOT_BITS) | slot) << 2) | MARK)
    }

    fn from_pointer(ctx: *mut Context) -> Token {
        Token(ctx as usize)
    }

    fn as_pointer(self) -> *mut Context {
        std::ptr::without_provenance_mut(self.0)
    }

    fn slot_and_generation(self) -> Option<(usize, usize)> {
        let number = self.0 >> 2;
        (self.0 & MARK == MARK).then_some((number & ((1 << SLOT_BITS) - 1), number >> SLOT_BITS))
    }
}

impl Registry {
    fn add(&mut self, context: Context, takes_turns: bool) -> Result<Token> {
        let free = self.slots.iter().position(|slot| slot.tenant.is_none());
        let index = free.unwrap_or(self.slots.len());
        if index >> SLOT_BITS != 0 {
            return Err(Error::new(
                Status::OutOfMemory,
                format!("{index} contexts are alive, no more are possible"),
            ));
        }
        if free.is_none() {
            self.slots.push(Slot::default());
        }
        let slot = &mut self.slots[index];
        slot.generation += 1;
        slot.tenant = Some(Arc::new(Tenant { context: Mutex::new(context), takes_turns }));
        Ok(Token::new(index, slot.generation))
    }

    fn slot(&mut self, token: Token) -> Result<&mut Slot> {
        let found = token.slot_and_generation().and_then(|(index, generation)| {
            let slot = self.slots.get_mut(index)?;
            (slot.generation == generation && slot.tenant.is_some()).then_some(slot)
        });
        found.ok_or_else(|| Error::invalid(format!("ctx is {:#x}, which is not a live context", token.0)))
    }

    fn tenant(&mut self, token: Token) -> Result<Arc<Tenant>> {
        let slot = self.slot(token)?;
        Ok(slot.tenant.clone().expect("slot() returns occupied slots only"))
    }

    /// Takes a context out; BUSY while a thread is in it.
    fn remove(&mut self, token: Token) -> Result<Arc<Tenant>> {
        let slot = self.slot(token)?;
        let tenant = slot.tenant.as_ref().expect("slot() returns occupied slots only");
        if let Err(TryLockError::WouldBlock) = tenant.context.try_lock() {
            return Err(busy());
        }
        Ok(slot.tenant.take().expect("occupied, as seen above"))
    }
}

fn registry() -> MutexGuard<'static, Registry> {
    static REGISTRY: Mutex<Registry> = Mutex::new(Registry { slots: Vec::new(), default: None });
    lock(&REGISTRY)
}

fn busy() -> Error {
    Error::new(Status::Busy, "the context is in use by another thread")
}

/// C owns this context from here on.
pub fn give(context: Context) -> Result<*mut Context> {
    Ok(registry().add(context, false)?.as_pointer())
}

/// Ends a context of C.
pub fn destroy(ctx: *mut Context) -> Result<()> {
    let token = Token::from_pointer(ctx);
    let mut registry = registry();
    if registry.default.is_some_and(|(_, default)| default == token) {
        return Err(Error::invalid("this is the default context; gpumex_reset_default ends it"));
    }
    let tenant = registry.remove(token)?;
    drop(registry); // a context ends outside the lock: others need not wait for the driver
    drop(tenant);
    Ok(())
}

/// The default context, which is made on first use; a forked child makes its own. It is made outside the registry's lock, since
/// starting CUDA takes long and others need not wait for it; those who want the default one do.
fn default_context() -> Result<(Token, Arc<Tenant>)> {
    static MAKING: Mutex<()> = Mutex::new(());
    if let Some(found) = existing_default()? {
        return Ok(found);
    }
    let _turn = lock(&MAKING);
    if let Some(found) = existing_default()? {
        return Ok(found);
    }
    let context = Context::new(Backend::Auto, None)?;
    let mut registry = registry();
    let token = registry.add(context, true)?;
    registry.default = Some((std::process::id(), token));
    Ok((token, registry.tenant(token)?))
}

fn existing_default() -> Result<Option<(Token, Arc<Tenant>)>> {
    let mut registry = registry();
    match registry.default {
        Some((process, token)) if process == std::process::id() => Ok(Some((token, registry.tenant(token)?))),
        _ => Ok(None),
    }
}

pub fn default_token() -> Result<*mut Context> {
    default_context().map(|(token, _)| token.as_pointer())
}

/// Drops the default context; the next call that needs it makes a new one.
pub fn reset_default() -> Result<()> {
    let mut registry = registry();
    let Some((_, token)) = registry.default else { return Ok(()) };
    let tenant = registry.remove(token)?;
    registry.default = None;
    drop(registry);
    drop(tenant);
    Ok(())
}

/// Runs `body` in the context of a token of C.
pub fn with<T>(ctx: *mut Context, body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    if ctx.is_null() {
        return Err(Error::new(Status::NullPointer, "ctx is NULL"));
    }
    let tenant = registry().tenant(Token::from_pointer(ctx))?;
    run(&tenant, body)
}

/// Runs `body` in the default context.
#[cfg(feature = "plain-names")]
pub fn with_default<T>(body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let (_, tenant) = default_context()?;
    run(&tenant, body)
}

fn run<T>(tenant: &Tenant, body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let mut context = match tenant.context.try_lock() {
        Ok(context) => context,
        Err(TryLockError::Poisoned(poison)) => poison.into_inner(), // a caught panic left it; its state is still whole
        Err(TryLockError::WouldBlock) if tenant.takes_turns => lock(&tenant.context),
        Err(TryLockError::WouldBlock) => return Err(busy()),
    };
    body(&mut context)
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
