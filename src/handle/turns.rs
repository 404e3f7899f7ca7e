//! Turns: the threads that wait for a context enter it in the order in which they came (a ticket lock).
//!
//! Deadlock   A thread that has a turn, since it is in a callback amid a call, waits for no other one: it is told BUSY. So no circle of
//!            threads waits for one another, however contexts are nested.
//! Fork       The child has turns of its own. A context that another thread of the parent was in stays BUSY there, as any other.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::error::{Error, Result, Status};
use crate::platform::fork::{self, PerProcess, lock};

/// The queue in front of one context.
pub struct Turns(PerProcess<Queue>);

struct Queue {
    generation: u32, // of its process
    tickets: Mutex<Tickets>,
    called: [Condvar; WAYS], // each for every WAYS-th ticket: a turn that ends wakes one thread, or few
}

const WAYS: usize = 16;

struct Tickets {
    next: u64,   // for the one who comes next
    served: u64, // whose holder has the turn, unless it is `next`
}

impl Queue {
    /// What the holder of a ticket waits for.
    fn called(&self, ticket: u64) -> &Condvar {
        &self.called[(ticket % WAYS as u64) as usize]
    }
}

impl Tickets {
    fn is_free(&self) -> bool {
        self.next == self.served
    }
}

thread_local! {
    /// The turns that this thread has.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// The turn of this thread, until it is dropped.
pub struct Turn {
    queue: &'static Queue,
    of_one_thread: PhantomData<*const ()>, // not Send
}

impl Turns {
    pub const fn new() -> Turns {
        Turns(PerProcess::new(|| Queue {
            generation: fork::generation(),
            tickets: Mutex::new(Tickets { next: 0, served: 0 }),
            called: [const { Condvar::new() }; WAYS],
        }))
    }

    /// Waits for this thread's turn; BUSY where it must not wait.
    pub fn wait(&'static self) -> Result<Turn> {
        self.take(HELD.get() == 0)
    }

    /// The turn, when nobody has it or waits for it; else BUSY.
    pub fn take_now(&'static self) -> Result<Turn> {
        self.take(false)
    }

    fn take(&'static self, may_wait: bool) -> Result<Turn> {
        let queue = self.0.get();
        let mut tickets = lock(&queue.tickets);
        if !tickets.is_free() && !may_wait {
            return Err(busy());
        }
        let ticket = tickets.next;
        tickets.next += 1;
        while tickets.served != ticket {
            tickets = queue.called(ticket).wait(tickets).unwrap_or_else(PoisonError::into_inner);
        }
        HELD.set(HELD.get() + 1);
        Ok(Turn { queue, of_one_thread: PhantomData })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
        if self.queue.generation != fork::generation() {
            return; // forked amid the call: the queue is the parent's, and so may be the holder of its lock
        }
        let mut tickets = lock(&self.queue.tickets);
        tickets.served += 1;
        let next = tickets.served;
        if !tickets.is_free() {
            drop(tickets);
            self.queue.called(next).notify_all();
        }
    }
}

#[cold]
pub fn busy() -> Error {
    Error::new(
        Status::Busy,
        "the context is in use by another thread, or by the call that this one is a callback of",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, LazyLock};

    #[test]
    fn one_thread_at_a_time_has_the_turn_and_all_get_it_about_as_often() {
        static TURNS: Turns = Turns::new();
        static INSIDE: AtomicUsize = AtomicUsize::new(0);
        static LEFT: AtomicUsize = AtomicUsize::new(4000);
        static START: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(8));
        let goes_on =
            || LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        let work = move || {
            let mut rounds = 0;
            START.wait(); // a thread that is started late would find nothing left
            while goes_on() {
                let _turn = TURNS.wait().unwrap();
                assert_eq!(INSIDE.fetch_add(1, Ordering::Relaxed), 0);
                std::thread::yield_now();
                INSIDE.fetch_sub(1, Ordering::Relaxed);
                rounds += 1;
            }
            rounds
        };
        let threads: Vec<_> = (0..8).map(|_| std::thread::spawn(work)).collect();
        let rounds: Vec<usize> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(rounds.iter().sum::<usize>(), 4000);
        assert!(rounds.iter().all(|&rounds| rounds > 100), "{rounds:?}");
    }

    #[test]
    fn a_thread_that_has_a_turn_waits_for_no_other_one() {
        static FIRST: Turns = Turns::new();
        static SECOND: Turns = Turns::new();
        let refused = |turn: Result<Turn>| turn.err().map(|error| error.status()) == Some(Status::Busy);
        let first = FIRST.wait().unwrap();
        assert!(refused(FIRST.wait()) && refused(FIRST.take_now()), "its own");
        std::thread::spawn(move || {
            let _second = SECOND.wait().unwrap();
            assert!(refused(FIRST.wait()), "another one's");
        })
        .join()
        .unwrap();
        drop(SECOND.wait().unwrap()); // which is free
        drop(first);
        drop(FIRST.wait().unwrap());
    }
}
