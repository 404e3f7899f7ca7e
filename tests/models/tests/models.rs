//! Each model runs on thousands of schedules, half of them uniformly random, half of them with few preemptions (PCT), from a fixed
//! seed. GPUMEX_MODEL_SCHEDULES=100000 takes more. A deadlock fails as well: shuttle sees that nobody can go on.

#[macro_use]
extern crate model_std as std;

#[path = "models/handles.rs"]
mod handles;
#[path = "models/heap.rs"]
mod heap;
#[path = "models/log.rs"]
mod log;
#[path = "models/ranks.rs"]
mod ranks;
#[path = "models/ring.rs"]
mod ring;

use model_std::real::{Mutex, PoisonError};
#[cfg(not(miri))]
use shuttle::scheduler::{PctScheduler, RandomScheduler};
#[cfg(not(miri))]
use shuttle::{Config, Runner};

fn explore(model: fn()) {
    static TURN: Mutex<()> = Mutex::new(()); // what the library keeps for the process is of one model at a time
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    run(model);
}

#[cfg(not(miri))]
fn run(model: fn()) {
    let schedules = std::env::var("GPUMEX_MODEL_SCHEDULES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let mut config = Config::new();
    config.silence_warnings = true; // all orderings are taken as sequentially consistent; ThreadSanitizer looks at them
    Runner::new(RandomScheduler::new_from_seed(1, schedules / 2), config.clone()).run(model);
    Runner::new(PctScheduler::new_from_seed(2, 3, schedules / 2), config).run(model);
}

/// Miri schedules, each time otherwise, and lets loads see older values where the orderings allow it.
#[cfg(miri)]
fn run(model: fn()) {
    (0..10).for_each(|_| model());
}
