//! The tokens by which C names an event: looked up, never dereferenced, never reused.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::context::Event;
use crate::error::{Error, Result, Status};
use crate::platform::fork::{Name, ShortLock};

struct Registry {
    events: BTreeMap<usize, Arc<Event>>, // by token
    creations: usize,
}

static REGISTRY: ShortLock<Registry> =
    ShortLock::new(Name::Events, Registry { events: BTreeMap::new(), creations: 0 });

const MARK: usize = 0b01; // low bits that neither a pointer to a struct nor the token of a context has

/// C owns this event from here on.
pub fn give(event: Event) -> *mut Event {
    let mut registry = REGISTRY.lock();
    registry.creations += 1;
    let token = (registry.creations << 2) | MARK;
    registry.events.insert(token, Arc::new(event));
    std::ptr::without_provenance_mut(token)
}

/// The event of a token of C, which lives for as long as the result does.
pub fn find(token: *mut Event) -> Result<Arc<Event>> {
    find_named("event", token)
}

/// As [`find`], of an argument that has another name.
pub fn find_named(argument: &str, token: *mut Event) -> Result<Arc<Event>> {
    if token.is_null() {
        return Err(Error::new(Status::NullPointer, format!("{argument} is NULL")));
    }
    let found = REGISTRY.lock().events.get(&token.addr()).cloned();
    found.ok_or_else(|| not_live(argument, token))
}

/// Ends an event of C. Who waits for it goes on waiting.
pub fn destroy(token: *mut Event) -> Result<()> {
    let found = REGISTRY.lock().events.remove(&token.addr()); // dropped behind the lock: that calls the driver
    found.map(drop).ok_or_else(|| not_live("event", token))
}

fn not_live(argument: &str, token: *mut Event) -> Error {
    Error::invalid(format!("{argument} is {token:p}, which is not a live event"))
}
