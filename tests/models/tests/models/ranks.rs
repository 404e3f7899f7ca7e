//! Communicators of threads: comm/threads.rs, and comm/mod.rs on it. Waits have no time-out here (std/src/lib.rs): a lost wake-up is a
//! deadlock.

use std::ptr::without_provenance_mut;
use std::thread::{scope, spawn};

use models::comm::{Comm, Limits, Operation, Parcel, Reach, group};
use models::context::{Context, Options};
use models::error::{Error, Result, Status};
use models::handle::{self, comms};

use crate::explore;

fn limits() -> Limits {
    Limits::new(0, 0).unwrap()
}

/// Runs each rank of a new group on a thread of its own. What `body` gives back lives until all have ended.
fn on_ranks<T: Send>(ranks: usize, body: impl Fn(Comm) -> T + Sync) {
    let members = group(ranks, limits(), Reach::Host).unwrap();
    scope(|scope| {
        let start = |comm| scope.spawn(|| body(comm));
        let threads: Vec<_> = members.into_iter().map(start).collect();
        let _kept: Vec<T> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    });
}

/// Brings each rank's number and the round to all.
fn gather(comm: &mut Comm, round: u8) -> Result<()> {
    let mut all = vec![0; 2 * comm.ranks()];
    comm.allgather(&[comm.rank() as u8, round], &mut all)?;
    assert!(all.chunks(2).enumerate().all(|(rank, pair)| *pair == [rank as u8, round]), "{round}: {all:?}");
    Ok(())
}

/// Sends each peer other bytes, another number of them for each pair, and gets as many.
fn exchange(comm: &mut Comm, peers: &[usize], round: u8) -> Result<()> {
    let rank = comm.rank();
    let bytes = |from: usize, to: usize| vec![(16 * from + to) as u8 + 64 * round; 1 + 3 * from + to];
    let sent: Vec<_> = peers.iter().map(|&peer| bytes(rank, peer)).collect();
    let mut received: Vec<_> = peers.iter().map(|&peer| vec![0; bytes(peer, rank).len()]).collect();
    let mut parcels = Vec::new();
    for ((&peer, send), receive) in peers.iter().zip(&sent).zip(&mut received) {
        parcels.push(Parcel { peer, send, receive });
    }
    comm.exchange(&mut parcels)?;
    assert!(peers.iter().zip(received).all(|(&peer, got)| got == bytes(peer, rank)), "{round}");
    Ok(())
}

fn send(comm: &mut Comm, peer: usize, bytes: &[u8]) -> Result<()> {
    comm.exchange(&mut [Parcel { peer, send: bytes, receive: &mut [] }])
}

fn receive(comm: &mut Comm, peer: usize, bytes: &mut [u8]) -> Result<()> {
    comm.exchange(&mut [Parcel { peer, send: &[], receive: bytes }])
}

/// PEER, with a message that names this rank.
fn peer_error_of<T>(rank: usize, outcome: Result<T>) {
    let error = outcome.err().expect("PEER");
    let names_it = error.message().contains(&format!("rank {rank} "));
    assert!(error.status() == Status::Peer && names_it, "{error}");
}

/// Several steps in a row. Each rank is destroyed after its last one, while others may still be in it.
#[test]
fn each_rank_gets_what_the_others_sent() {
    fn steps(ranks: usize) {
        on_ranks(ranks, |mut comm| {
            let peers: Vec<_> = (0..ranks).filter(|peer| *peer != comm.rank()).collect();
            for round in 0..2 {
                gather(&mut comm, round).unwrap();
                exchange(&mut comm, &peers, round).unwrap();
            }
            gather(&mut comm, 2).unwrap();
        });
    }
    explore(|| steps(2));
    explore(|| steps(3));
}

/// Those who wait for it, in the step after its last one, get an error.
#[test]
fn a_rank_that_was_destroyed_is_missed() {
    fn destroyed(ranks: usize) {
        on_ranks(ranks, |mut comm| {
            gather(&mut comm, 0).unwrap();
            if comm.rank() == 1 {
                return None;
            }
            peer_error_of(1, gather(&mut comm, 1));
            assert!(comm.control().is_dead());
            peer_error_of(1, gather(&mut comm, 2));
            Some(comm)
        });
    }
    explore(|| destroyed(2));
    explore(|| destroyed(3));
}

#[test]
fn a_rank_that_was_destroyed_is_missed_by_nobody_else() {
    explore(|| {
        on_ranks(3, |mut comm| {
            gather(&mut comm, 0).unwrap();
            if comm.rank() == 1 {
                return None;
            }
            let peer = 2 - comm.rank();
            (1..3).for_each(|round| exchange(&mut comm, &[peer], round).unwrap());
            Some(comm)
        });
    });
}

/// The last rank fails. The others wait for it where there are two ranks, for each other where there are three.
#[test]
fn a_rank_that_fails_ends_all() {
    fn failure(ranks: usize, fail: fn(&mut Comm)) {
        on_ranks(ranks, |mut comm| {
            let last = ranks - 1;
            if comm.rank() == last {
                fail(&mut comm);
                return comm;
            }
            send(&mut comm, last, &[1]).unwrap();
            let peer = 1 - comm.rank();
            peer_error_of(last, receive(&mut comm, peer, &mut [0]));
            comm
        });
    }
    fn leaves(comm: &mut Comm) {
        comm.leave();
    }
    fn expects_more(comm: &mut Comm) {
        assert!(receive(comm, 0, &mut [0; 2]).is_err());
    }
    explore(|| failure(2, leaves));
    explore(|| failure(3, leaves));
    explore(|| failure(2, expects_more));
    explore(|| failure(3, expects_more));
}

/// All ranks learn of it in the agreement; the communicator lives, and the next call works.
#[test]
fn an_error_on_one_rank_ends_the_call() {
    fn calls(ranks: usize) {
        on_ranks(ranks, |mut comm| {
            for round in 0..3 {
                let (rank, fails) = (comm.rank(), round == 1);
                let outcome = comm.call(Operation::Reduce, |comm| {
                    let own = if fails && rank == 1 { Err(Error::invalid("no")) } else { Ok(()) };
                    comm.agree(own, &[])?;
                    gather(comm, round)
                });
                match outcome {
                    Err(error) if fails && rank == 1 => assert_eq!(error.status(), Status::InvalidArgument),
                    outcome if fails => peer_error_of(1, outcome),
                    outcome => outcome.unwrap(),
                }
            }
        });
    }
    explore(|| calls(2));
    explore(|| calls(3));
}

/// A call of a rank, by its token.
fn call(token: usize) -> Result<()> {
    let step = |_: &mut Context, comm: &mut Comm, ()| comm.agree(Ok(()), &[]).map(|_| ());
    comms::with(without_provenance_mut(token), Operation::Reduce, || Ok(()), step)
}

/// Another thread aborts the last rank amid a call.
#[test]
fn an_aborted_call_succeeds_on_all_ranks_or_on_none() {
    explore(|| {
        let contexts = [0, 1, 2].map(|_| handle::give(Context::with(&Options::default()).unwrap()).unwrap());
        let comms = comms::local(&contexts, limits()).unwrap();
        let tokens = [0, 1, 2].map(|rank| comms[rank].addr());
        let aborter = spawn(move || comms::abort(without_provenance_mut(tokens[2])).unwrap());
        let others = [tokens[0], tokens[1]].map(|token| spawn(move || call(token).is_ok()));
        let outcome = call(tokens[2]).is_ok();
        others.into_iter().for_each(|other| assert_eq!(other.join().unwrap(), outcome));
        aborter.join().unwrap();
        comms.into_iter().for_each(|comm| comms::destroy(comm).unwrap());
        contexts.into_iter().for_each(|ctx| handle::destroy(ctx).unwrap());
    });
}

/// Another thread aborts rank 0: during a call, at its end, or between two calls. Both ranks get an error in that call or a later one.
#[test]
fn an_abort_ends_all() {
    fn calls_until_an_error(token: usize) {
        let error = loop {
            if let Err(error) = call(token) {
                break error;
            }
        };
        assert_eq!(error.status(), Status::Peer, "{error}");
    }
    explore(|| {
        let contexts = [0, 1].map(|_| handle::give(Context::with(&Options::default()).unwrap()).unwrap());
        let comms = comms::local(&contexts, limits()).unwrap();
        let [aborted, other] = [comms[0].addr(), comms[1].addr()];
        let other_rank = spawn(move || calls_until_an_error(other));
        let aborter = spawn(move || comms::abort(without_provenance_mut(aborted)).unwrap());
        let _ = call(aborted);
        aborter.join().unwrap();
        other_rank.join().unwrap();
        comms.into_iter().for_each(|comm| comms::destroy(comm).unwrap());
        contexts.into_iter().for_each(|ctx| handle::destroy(ctx).unwrap());
    });
}
