//! Whether a process hangs: on a machine with much other work a call that waits for its turn does not.

use std::fs;
use std::time::{Duration, Instant};

const LONGEST: Duration = Duration::from_secs(10);

/// A process from some moment on.
pub struct Watch {
    process: libc::pid_t,
    since: Instant,
    ran: Duration,
}

impl Watch {
    pub fn new(process: libc::pid_t) -> Watch {
        Watch { process, since: Instant::now(), ran: processor_time(process) }
    }

    /// It had 10 s, and has used them, or none of its threads could run.
    pub fn is_stuck(&self) -> bool {
        let used = || processor_time(self.process).saturating_sub(self.ran);
        self.since.elapsed() > LONGEST && (used() > LONGEST || !is_ready(self.process))
    }
}

/// The fields of a line of /proc behind the name of the program, which may have blanks.
fn fields(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().map(str::to_owned).collect()
}

/// What all threads of a process have used.
fn processor_time(process: libc::pid_t) -> Duration {
    let fields = fields(&format!("/proc/{process}/stat"));
    let ticks =
        [11, 12].map(|field| fields.get(field).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0));
    Duration::from_millis(ticks.iter().sum::<u64>() * 10) // USER_HZ is 100
}

/// Whether one of its threads runs or waits for a processor.
fn is_ready(process: libc::pid_t) -> bool {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    tasks.into_iter().any(|task| {
        let state = fields(&format!("{}/stat", task.path().display()));
        state.first().is_some_and(|state| matches!(state.as_str(), "R" | "D"))
    })
}
