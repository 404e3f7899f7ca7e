//! Where the contexts of C live: in slots that are never given back to the system, so that any token may be looked
//! up, at any time, without a lock.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::turns::{Turn, Turns, busy};
use crate::context::{BusyPolicy, Context};
use crate::error::{Error, Result, Status};
use crate::interrupt::{Interrupt, Scope};
use crate::platform::fork::{Name, ShortLock};

/// The number of a slot and of a creation: a token is never given twice, so that one that was destroyed, or never
/// given, is told apart without being dereferenced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token(usize);

const SLOT_BITS: u32 = 20;
const MARK: usize = 0b11; // low bits that no pointer to a struct has, and that keep a token apart from NULL

impl Token {
    fn new(slot: usize, creation: usize) -> Token {
        Token((((creation << SLOT_BITS) | slot) << 2) | MARK)
    }

    /// The token with this number, if it may be one.
    pub fn from_number(number: usize) -> Option<Token> {
        (number & MARK == MARK).then_some(Token(number))
    }

    pub fn number(self) -> usize {
        self.0
    }

    pub fn as_pointer(self) -> *mut Context {
        std::ptr::without_provenance_mut(self.0)
    }

    fn slot(self) -> usize {
        (self.0 >> 2) & ((1 << SLOT_BITS) - 1)
    }

    /// What the slot says while a thread is in the context: not a token.
    fn entered(self) -> usize {
        self.0 & !1
    }

    /// What it says while the call of that thread is cancelled: not a token.
    fn cancelled(self) -> usize {
        self.0 & !2
    }
}

/// One exchange of `state` finds out whether a token is alive, and takes its context for a thread.
#[repr(align(64))] // contexts of different threads do not share a cache line
struct Slot {
    state: AtomicUsize, // a token, a token that is entered, perhaps cancelled, or VACANT
    waits: AtomicBool,  // threads that enter take turns
    turns: Turns,
    context: UnsafeCell<Option<Context>>, // of the thread that has entered; in a vacant slot of the one that fills it
}

const VACANT: usize = 0;

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Context>()
};

// SAFETY: a Context may go from thread to thread, as seen above, and `state` lets one at a time to it.
unsafe impl Sync for Slot {}

/// Slots are made in chunks, each twice as large as the one before, the first of FIRST slots.
static CHUNKS: [OnceLock<Box<[Slot]>>; 1 + (SLOT_BITS - FIRST.ilog2()) as usize] =
    [const { OnceLock::new() }; 1 + (SLOT_BITS - FIRST.ilog2()) as usize];
const FIRST: usize = 16;

/// The chunk of a slot, and its place there.
#[inline]
fn place_of(slot: usize) -> (usize, usize) {
    let place = slot + FIRST;
    let chunk = (place.ilog2() - FIRST.ilog2()) as usize;
    (chunk, place - (FIRST << chunk))
}

#[inline]
fn slot_of(token: Token) -> Option<&'static Slot> {
    let (chunk, place) = place_of(token.slot());
    CHUNKS[chunk].get()?.get(place)
}

struct Registry {
    free: Vec<usize>, // slots whose context has ended
    made: usize,      // slots that have been used
    creations: usize,
}

static REGISTRY: ShortLock<Registry> =
    ShortLock::new(Name::Contexts, Registry { free: Vec::new(), made: 0, creations: 0 });

impl Registry {
    fn vacant_slot(&mut self) -> Result<usize> {
        if let Some(slot) = self.free.pop() {
            return Ok(slot);
        }
        let slot = self.made;
        if slot >> SLOT_BITS != 0 {
            let why = format!("{slot} contexts are alive, no more are possible");
            return Err(Error::new(Status::OutOfMemory, why));
        }
        self.made += 1;
        Ok(slot)
    }
}

/// Gives a context a slot and a token.
pub fn add(context: Context) -> Result<Token> {
    let mut registry = REGISTRY.lock(); // also while the chunk is made and the slot filled: a fork finds neither half done
    let slot = registry.vacant_slot()?;
    registry.creations += 1;
    let token = Token::new(slot, registry.creations);
    let (chunk, place) = place_of(slot);
    let vacant = || Slot {
        state: AtomicUsize::new(VACANT),
        waits: AtomicBool::new(false),
        turns: Turns::new(),
        context: UnsafeCell::new(None),
    };
    let slot = &CHUNKS[chunk].get_or_init(|| (0..FIRST << chunk).map(|_| vacant()).collect())[place];
    slot.waits.store(context.busy_policy() == BusyPolicy::Wait, Ordering::Relaxed); // seen by all who see the token
    // SAFETY: `state` is VACANT, so nobody enters, and vacant_slot gave this slot to this thread alone.
    unsafe { *slot.context.get() = Some(context) };
    slot.state.store(token.0, Ordering::Release);
    Ok(token)
}

/// A context that this thread is in, until this is dropped.
pub struct Entered {
    slot: &'static Slot,
    token: Token,
    state_behind: usize, // of the slot, when this is dropped
    _interrupt: Scope,   // of this thread: that of the context
    _turn: Option<Turn>, // which ends last
}

/// Enters the context of a token. When another thread is in it: BUSY, or waits, as the context's policy is.
#[inline]
pub fn enter(token: Token) -> Result<Entered> {
    enter_by(token, Turns::wait)
}

/// As [`enter`], but BUSY in any case when another thread is in it.
pub fn enter_now(token: Token) -> Result<Entered> {
    enter_by(token, Turns::take_now)
}

#[inline]
fn enter_by(token: Token, turn: impl FnOnce(&'static Turns) -> Result<Turn>) -> Result<Entered> {
    let Some(slot) = slot_of(token) else { return Err(not_live(token.0)) };
    let turn = if slot.waits.load(Ordering::Relaxed) { Some(turn(&slot.turns)?) } else { None };
    match slot.state.compare_exchange(token.0, token.entered(), Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => {
            let _interrupt = Interrupt::new(&slot.state, token.cancelled()).enter();
            Ok(Entered { slot, token, state_behind: token.0, _interrupt, _turn: turn })
        }
        Err(state) if state == token.entered() || state == token.cancelled() => Err(busy()),
        Err(_) => Err(not_live(token.0)),
    }
}

/// Cancels the call that is in a context, if one is. Atomics alone, but for a token that is not alive: signal handlers may call it.
pub fn cancel(token: Token) -> Result<()> {
    let Some(slot) = slot_of(token) else { return Err(not_live(token.0)) };
    match slot.state.compare_exchange(
        token.entered(),
        token.cancelled(),
        Ordering::Relaxed,
        Ordering::Relaxed,
    ) {
        Ok(_) => Ok(()),
        Err(state) if state == token.0 || state == token.cancelled() => Ok(()),
        Err(_) => Err(not_live(token.0)),
    }
}

impl Entered {
    /// Takes the context out; its token is void from now on.
    pub fn remove(mut self) -> Option<Context> {
        // SAFETY: this thread has entered.
        let context = unsafe { (*self.slot.context.get()).take() };
        let slot = self.token.slot();
        self.state_behind = VACANT;
        drop(self);
        REGISTRY.lock().free.push(slot);
        context
    }
}

impl Deref for Entered {
    type Target = Context;

    fn deref(&self) -> &Context {
        // SAFETY: this thread has entered.
        unsafe { &*self.slot.context.get() }.as_ref().expect("a live token's slot has a context")
    }
}

impl DerefMut for Entered {
    fn deref_mut(&mut self) -> &mut Context {
        // SAFETY: this thread has entered.
        unsafe { &mut *self.slot.context.get() }.as_mut().expect("a live token's slot has a context")
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.slot.state.store(self.state_behind, Ordering::Release);
    }
}

#[cold]
pub fn not_live(number: usize) -> Error {
    Error::invalid(format!("ctx is {number:#x}, which is not a live context"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_has_one_place() {
        assert_eq!([0, 15, 16, 47, 48].map(place_of), [(0, 0), (0, 15), (1, 0), (1, 31), (2, 0)]);
        let (chunk, place) = place_of((1 << SLOT_BITS) - 1);
        assert!(chunk < CHUNKS.len() && place < FIRST << chunk);
    }

    #[test]
    fn a_number_that_is_a_state_and_not_a_token_is_refused() {
        let token = Token::new(3, 5);
        assert!(Token::from_number(token.number()) == Some(token));
        let states = [token.entered(), token.cancelled(), VACANT];
        assert!(states.iter().all(|&state| Token::from_number(state).is_none()));
        assert_ne!(token.entered(), token.cancelled());
    }
}
