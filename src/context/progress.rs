//! How far a long operation is: it is told in between, and may cancel.

use std::time::{Duration, Instant};

use crate::error::{Error, Result, Status};
use crate::interrupt;

/// Is told how much of the whole is done; an answer other than 0 cancels the rest.
pub type ProgressCallback = Box<dyn FnMut(u64, u64) -> i32 + Send>;

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

    /// Runs `body` on parts of `total`, in order: on all of it at once when nobody watches. With a watcher, `body` waits for
    /// its work.
    pub fn in_steps(
        &mut self,
        total: u64,
        is_watched: &mut dyn FnMut() -> Result<()>,
        body: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        self.in_steps_from(1, total, is_watched, body)
    }

    /// As [`Progress::in_steps`], with parts of at least `least`.
    pub fn in_steps_from(
        &mut self,
        least: u64,
        total: u64,
        is_watched: &mut dyn FnMut() -> Result<()>,
        body: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let Some(watcher) = &mut self.watcher else {
            return if total > 0 { body(total) } else { Ok(()) };
        };
        let (mut done, mut part) = (0, least);
        while done < total {
            let (now, start) = (part.min(total - done), Instant::now());
            interrupt::at(done, total, || body(now).and_then(|()| is_watched()))?;
            done += now;
            match watcher(done, total) {
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
