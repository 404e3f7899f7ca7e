//! The tokens by which C names a communicator: looked up, never dereferenced, never reused.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use crate::comm::{self, Comm, Control, Limits, Operation};
use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::platform::fork::{Name, ShortLock};
use crate::vector;

/// A rank, and the context that it works in.
struct Entry {
    context: usize, // a token
    rank: usize,
    ranks: usize,
    control: Arc<Control>,
    communicator: Mutex<Comm>, // of the thread that is in a call of it
}

struct Registry {
    entries: BTreeMap<usize, Arc<Entry>>, // by token
    creations: usize,
}

static REGISTRY: ShortLock<Registry> =
    ShortLock::new(Name::Communicators, Registry { entries: BTreeMap::new(), creations: 0 });

const MARK: usize = 0b10; // low bits that neither a pointer to a struct nor the token of a context or an event has

/// C owns this communicator from here on.
pub fn give(ctx: *mut Context, communicator: Comm) -> *mut Comm {
    let (rank, ranks, control) = (communicator.rank(), communicator.ranks(), communicator.control().clone());
    let entry =
        Arc::new(Entry { context: ctx.addr(), rank, ranks, control, communicator: Mutex::new(communicator) });
    let mut registry = REGISTRY.lock();
    registry.creations += 1;
    let token = (registry.creations << 2) | MARK;
    registry.entries.insert(token, entry);
    std::ptr::without_provenance_mut(token)
}

/// Communicators for ranks that are threads of this process, one for each context; owned as by [`give`].
pub fn local(contexts: &[*mut Context], limits: Limits) -> Result<Vec<*mut Comm>> {
    comm::check_count(contexts.len())?;
    let (mut parties, mut tokens) = (vector::reserved(contexts.len())?, vector::reserved(contexts.len())?);
    for (rank, &ctx) in contexts.iter().enumerate() {
        if let Some(other) = contexts[..rank].iter().position(|other| *other == ctx) {
            return Err(Error::invalid(format!(
                "contexts[{rank}] is contexts[{other}]; each rank has its own"
            )));
        }
        parties.push(super::with(ctx, comm::party_of)?);
    }
    let members = comm::group(contexts.len(), limits, comm::reach_of(&parties))?;
    tokens.extend(contexts.iter().zip(members).map(|(&ctx, member)| give(ctx, member)));
    Ok(tokens)
}

/// Runs a collective call in the context of a communicator: `read` takes the arguments, `run` works on them. All ranks learn of an error
/// of either, and of a context that cannot be entered.
pub fn with<A, T>(
    token: *mut Comm,
    operation: Operation,
    read: impl FnOnce() -> Result<A>,
    run: impl FnOnce(&mut Context, &mut Comm, A) -> Result<T>,
) -> Result<T> {
    let entry = find(token)?;
    let mut communicator = enter(&entry).or_else(|busy| entry.control.check().and(Err(busy)))?; // an abort enters it
    let ctx = std::ptr::without_provenance_mut(entry.context);
    let called = super::with(ctx, |ctx| {
        Ok(communicator.call(operation, |communicator| {
            let arguments = read()?;
            run(ctx, communicator, arguments)
        }))
    });
    let outcome = match called {
        Ok(outcome) => outcome,
        Err(error) => communicator.call(operation, |_| Err(error)),
    };
    drop(communicator);
    if entry.control.is_dead() {
        tell(&entry); // an abort may have come after the last step
    }
    outcome
}

/// Tells the other ranks that this one comes to no further call, where no call runs: that one does so itself.
fn tell(entry: &Entry) {
    if let Ok(communicator) = entry.communicator.try_lock() {
        communicator.leave();
    }
}

/// What a communicator is.
pub struct Facts {
    pub rank: usize,
    pub ranks: usize,
    pub is_alive: bool,
}

/// What the communicator of a token of C is, also while a call of it runs.
pub fn facts(token: *mut Comm) -> Result<Facts> {
    let entry = find(token)?;
    Ok(Facts { rank: entry.rank, ranks: entry.ranks, is_alive: !entry.control.is_dead() })
}

/// Ends all use of the communicator of a token of C, on all ranks that can be told.
pub fn abort(token: *mut Comm) -> Result<()> {
    let entry = find(token)?;
    entry.control.kill("gpumex_comm_abort ended it".to_string());
    tell(&entry);
    Ok(())
}

/// Ends a communicator of C.
pub fn destroy(token: *mut Comm) -> Result<()> {
    let entry = find(token)?;
    let communicator = enter(&entry)?;
    let removed = REGISTRY.lock().entries.remove(&token.addr());
    drop(communicator);
    removed.map(drop).ok_or_else(|| not_live(token))
}

fn enter(entry: &Entry) -> Result<MutexGuard<'_, Comm>> {
    match entry.communicator.try_lock() {
        Ok(communicator) => Ok(communicator),
        Err(TryLockError::Poisoned(poison)) => Ok(poison.into_inner()),
        Err(TryLockError::WouldBlock) => Err(Error::new(
            Status::Busy,
            "the communicator is in use by another thread, or by the call of this one",
        )),
    }
}

fn find(token: *mut Comm) -> Result<Arc<Entry>> {
    if token.is_null() {
        return Err(Error::new(Status::NullPointer, "comm is NULL"));
    }
    let found = REGISTRY.lock().entries.get(&token.addr()).cloned();
    found.ok_or_else(|| not_live(token))
}

fn not_live(token: *mut Comm) -> Error {
    Error::invalid(format!("comm is {token:p}, which is not a live communicator"))
}
