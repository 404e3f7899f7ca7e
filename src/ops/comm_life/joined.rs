//! A rank's rows on its device, between halos that the kernels of its neighbours send while they run.
//!
//! Algorithm  kernels/life/joined.cu. The ranks agree before each launch, which plays for some 40 ms at most, and lend each other the packets
//!            of their halos for as long as it runs. AHEAD launches at most are under way, so that a call that is cancelled ends soon.
//! Limits     Kernels that wait for each other must all run: ranks have devices of their own, and one call at a time of a process plays so.
#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use super::Tell;
use super::halo::Halo;
use super::slab::Part;
use super::strips::{Pieces, views};
use crate::comm::Comm;
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu::life::joined::{HALO, Joined, ROWS_MIN};
use crate::gpu::peer::Mark;
use crate::interrupt;
use crate::ops::life::{LifeBoundary, Options};

/// Rows of a halo.
pub const DEPTH: u64 = HALO as u64;

/// Cells of the smallest part from which on it is faster than wide halos: two tiles for each warp of an H100.
const CELLS: u64 = 3168 * TILE_ROWS * TILE_COLS;

/// Launches that the device has not come to yet.
const AHEAD: usize = 1;

/// Tiles of a launch, and the rows of one.
const TILES: u64 = 1 << 21;
const TILE_ROWS: u64 = 240;
const TILE_COLS: u64 = 240;

/// The longest that a device waits for another one in a launch: what keeps that one away may be waiting for this one, a thread that frees
/// memory for instance.
const PATIENCE: Duration = Duration::from_secs(20);

/// Which ranks a rank has above and below.
type Neighbours = [Option<usize>; 2];

/// The right to play so, which one call of the process has; None: another one has it.
pub fn turn() -> Option<MutexGuard<'static, ()>> {
    static TURN: Mutex<()> = Mutex::new(());
    match TURN.try_lock() {
        Ok(turn) => Some(turn),
        Err(TryLockError::Poisoned(turn)) => Some(turn.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Whether ranks with these first rows are served so; `wanted`: the rows of a halo that a caller has set, or 0.
pub fn is_served(comm: &Comm, starts: &[u64], cols: usize, wanted: u64) -> bool {
    let least = starts.windows(2).map(|two| two[1] - two[0]).min().unwrap_or(0);
    let is_worth = wanted == DEPTH || (wanted == 0 && least.saturating_mul(cols as u64) >= CELLS);
    comm.is_mapped() && least >= ROWS_MIN as u64 && is_worth
}

/// part.next ← the rank's rows after so many generations. `tell`: whether it is listened to, and what is called behind each launch.
pub fn play(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (halo, starts): (&Halo, &[u64]),
    part: Part,
    generations: u64,
    (is_watched, tell): (bool, Tell),
) -> Result<()> {
    let neighbours = neighbours(comm, options.boundary == LifeBoundary::Torus);
    let a_launch = generations_of_launch(starts, part.cols);
    let (game, board, next) = views(options, halo, part)?;
    ctx.begin();
    ctx.run(|engine| {
        let Engine::Cuda(device) = engine else { return Ok(()) };
        device.refuse_capture("it waits for other ranks")?;
        let mut joined = Joined::new(device, game)?;
        let mut marks = VecDeque::new();
        joined.slab.load(halo.own.start, board)?;
        joined.load()?;
        let pieces = Pieces::of(halo)?;
        comm.agree(Ok(()), &[])?;
        pieces.exchange(comm, device, &mut joined.slab)?;
        let (mut done, mut ended) = (0, Ok(()));
        while done < generations {
            let cancelled = interrupt::check(done as usize, generations as usize);
            let cleared = joined.clear();
            comm.agree(std::mem::replace(&mut ended, Ok(())).and(cancelled).and(cleared), &[])?;
            let now = (generations - done).min(a_launch);
            launch(comm, &joined, neighbours, now)?;
            joined.slab.turn(now);
            marks.push_back(device.mark()?);
            catch_up(comm, &mut marks, if is_watched { 0 } else { AHEAD })?;
            done += now;
            if is_watched {
                ended = tell(done);
            }
        }
        ended?;
        catch_up(comm, &mut marks, 0)?;
        comm.check_used()?;
        joined.slab.store(halo.own.start, next)
    })
}

/// Puts the next launch into the stream.
fn launch(comm: &mut Comm, joined: &Joined, neighbours: Neighbours, generations: u64) -> Result<()> {
    let mut peers: Vec<usize> = neighbours.iter().flatten().copied().collect();
    peers.sort_unstable();
    peers.dedup(); // two ranks on a torus
    let patience = comm.control().timeout().min(PATIENCE).as_nanos() as u64;
    let upwards = comm.rank() % 2 == 1;
    let packets = [joined.packets()];
    let sends: Vec<_> = peers.iter().map(|&peer| (peer, &packets[..])).collect();
    comm.use_others(joined.device(), &sends, &peers, &mut |lent, stop| {
        let of = |peer: usize| lent[peers.partition_point(|&other| other < peer)][0];
        joined.play(generations, neighbours.map(|peer| peer.map(of)), upwards, (stop, patience))
    })
}

/// Waits until the device has come past all launches but so many.
fn catch_up(comm: &mut Comm, marks: &mut VecDeque<Mark>, ahead: usize) -> Result<()> {
    while marks.len() > ahead
        && let Some(mark) = marks.pop_front()
    {
        comm.wait_for(&mark)?;
    }
    Ok(())
}

fn neighbours(comm: &Comm, is_torus: bool) -> Neighbours {
    let (rank, ranks) = (comm.rank(), comm.ranks());
    let above = if rank > 0 || is_torus { Some((rank + ranks - 1) % ranks) } else { None };
    let below = if rank + 1 < ranks || is_torus { Some((rank + 1) % ranks) } else { None };
    [above, below]
}

/// The same on all ranks: even steps, so that the boards of all are in front.
fn generations_of_launch(starts: &[u64], cols: usize) -> u64 {
    let most = starts.windows(2).map(|two| two[1] - two[0]).max().unwrap_or(1);
    let tiles = most.div_ceil(TILE_ROWS).saturating_mul((cols as u64).div_ceil(TILE_COLS)).max(1);
    (TILES / tiles / 2).clamp(1, 1 << 20) * 2 * DEPTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_short_and_of_even_steps() {
        assert_eq!(generations_of_launch(&[0, 16384, 32768], 16384), 440 * 8);
        assert_eq!(generations_of_launch(&[0, 1 << 40, 1 << 41], 1 << 30), 16);
        assert_eq!(generations_of_launch(&[0, 512, 1024], 10), (1 << 21) / 3 / 2 * 16);
    }

    #[test]
    fn one_call_at_a_time_has_the_turn() {
        let first = turn();
        assert!(first.is_some());
        std::thread::scope(|scope| scope.spawn(|| assert!(turn().is_none())).join().unwrap());
        drop(first);
        assert!(turn().is_some());
    }
}
