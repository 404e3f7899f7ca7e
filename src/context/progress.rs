//! How far a long operation is: it is told in between, and may cancel.

use std::time::{Duration, Instant};

use crate::error::{Error, Result, Status};
use crate::interrupt;

/// Is told how much of the whole is done; an answer other than 0 cancels the rest.
pub type ProgressCallback = Box<dyn FnMut(u64, u64) -> i32 + Send>;

/// Does so much of the whole; and waits for what was begun.
type Part<'p> = &'p mut dyn FnMut(u64) -> Result<()>;
type Wait<'w> = &'w mut dyn FnMut() -> Result<()>;

/// How often a watcher is told, about.
const INTERVAL: Duration = Duration::from_millis(50);

/// Who watches the operations of a context, if anybody does.
#[derive(Default)]
pub struct Progress {
    watcher: Option<ProgressCallback>,
}

impl Progress {
    pub fn new(watcher: Option<ProgressCallback>) -> Progress {
        Progress { watcher }
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        self.watcher.is_some()
    }

    /// What a watcher answers to `done` of `total`; 0 where nobody watches.
    pub fn tell(&mut self, done: u64, total: u64) -> i32 {
        self.watcher.as_mut().map_or(0, |watcher| watcher(done, total))
    }

    /// Runs `body` on parts of `total`, in order: on all of it at once when nobody watches. With a watcher, `body` waits for
    /// its work.
    pub fn in_steps(&mut self, total: u64, wait: Wait, body: Part) -> Result<()> {
        self.in_steps_from(1, total, wait, body)
    }

    /// As [`Progress::in_steps`], and with nobody watching too in parts, of at least `least`, between which the call may be cancelled.
    pub fn in_parts_from(&mut self, least: u64, total: u64, wait: Wait, body: Part) -> Result<()> {
        let first = if self.watcher.is_some() { 1 } else { least.max(1) };
        self.in_parts(first, total, wait, body)
    }

    /// As [`Progress::in_steps`], with parts of at least `least`.
    pub fn in_steps_from(&mut self, least: u64, total: u64, wait: Wait, body: Part) -> Result<()> {
        match (&self.watcher, total) {
            (None, 0) => Ok(()),
            (None, _) => body(total),
            (Some(_), _) => self.in_parts(least, total, wait, body),
        }
    }

    /// Runs `body` on parts that take about INTERVAL, of `least` or more, and waits behind each, but for the last one where nobody watches.
    fn in_parts(&mut self, least: u64, total: u64, wait: Wait, body: Part) -> Result<()> {
        let (mut done, mut part) = (0, least);
        while done < total {
            let (now, start) = (part.min(total - done), Instant::now());
            let is_waited_for = self.watcher.is_some() || now < total - done;
            interrupt::at(done, total, || {
                interrupt::check(0, 0)?;
                body(now)?;
                if is_waited_for { wait() } else { Ok(()) }
            })?;
            done += now;
            match self.tell(done, total) {
                0 => {}
                answer => {
                    let text = format!("the progress callback returned {answer} after {done} of {total}");
                    return Err(Error::new(Status::Cancelled, text));
                }
            }
            match start.elapsed() {
                took if took * 2 < INTERVAL => part = part.saturating_mul(2),
                took if took > INTERVAL * 2 => part = (part / 2).max(least),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_nobody_watches_are_waited_for_but_for_the_last_one() {
        let parts = |least, total| {
            let (mut parts, mut waits) = (Vec::new(), 0);
            let mut wait = || {
                waits += 1;
                Ok(())
            };
            let mut body = |part| {
                parts.push(part);
                Ok(())
            };
            Progress::default().in_parts_from(least, total, &mut wait, &mut body).unwrap();
            (parts, waits)
        };
        assert_eq!(parts(100, 100), (vec![100], 0));
        assert_eq!(parts(100, 0), (vec![], 0));
        assert_eq!(parts(100, 350), (vec![100, 200, 50], 2));
    }

    #[test]
    fn the_parts_are_the_whole_and_nobody_watching_makes_one_part() {
        let parts = |watcher: Option<ProgressCallback>, total| {
            let mut parts = Vec::new();
            let outcome = Progress::new(watcher).in_steps(total, &mut || Ok(()), &mut |part| {
                parts.push(part);
                Ok(())
            });
            (parts, outcome.map_err(|error| error.status()))
        };
        assert_eq!(parts(None, 1000), (vec![1000], Ok(())));
        assert_eq!(parts(None, 0), (vec![], Ok(())));
        let (watched, outcome) = parts(Some(Box::new(|done, total| i32::from(done > total))), 1000);
        assert_eq!((watched.iter().sum(), outcome), (1000u64, Ok(())));
        assert!(watched.len() > 3, "{watched:?}");
        let (cancelled, outcome) = parts(Some(Box::new(|done, _| i32::from(done >= 3))), u64::MAX);
        assert_eq!((cancelled, outcome), (vec![1, 2], Err(Status::Cancelled)));
    }
}
