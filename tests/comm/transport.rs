//! Ranks that talk through callbacks: here through channels between threads.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use gpumex::comm::{Comm, Message};
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;

use super::group::RANKS;
use crate::common::*;

/// What goes wrong on a rank, in which exchange or allgather of it, from 1.
#[derive(Clone, Copy, PartialEq)]
pub enum Fault {
    None,
    Returns(i32, usize),
    WrongBytes(usize),
    NeverComes(usize),
}

/// The ends of the channels of one rank.
struct Wires {
    rank: usize,
    fault: Fault,
    steps: Mutex<usize>,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Wires {
    /// The fault of this step, if it is the one.
    fn step(&self) -> Option<i32> {
        let mut steps = self.steps.lock().unwrap();
        *steps += 1;
        match self.fault {
            Fault::Returns(status, at) if at == *steps => Some(status),
            Fault::NeverComes(at) if at <= *steps => Some(99),
            _ => None,
        }
    }

    fn receive(&self, from: usize, to: &mut [u8]) -> i32 {
        loop {
            match self.from[from].lock().unwrap().recv_timeout(Duration::from_millis(2)) {
                Ok(bytes) if bytes.len() == to.len() => {
                    to.copy_from_slice(&bytes);
                    return 0;
                }
                Ok(_) => return 77,
                Err(RecvTimeoutError::Disconnected) => return 78,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let status = gpumex_comm_poll();
            if status != 0 {
                return status;
            }
        }
    }
}

unsafe extern "C" fn exchange(user: *mut c_void, messages: *const Message, count: usize) -> i32 {
    // SAFETY: the wires live as long as the communicator; count messages.
    let (wires, messages) = unsafe {
        (&*user.cast::<Wires>(), if count == 0 { &[] } else { std::slice::from_raw_parts(messages, count) })
    };
    if let Some(status) = wires.step() {
        return status;
    }
    assert!(messages.windows(2).all(|two| two[0].peer < two[1].peer));
    for message in messages.iter().filter(|message| message.send_bytes > 0) {
        // SAFETY: as many bytes to send.
        let bytes = unsafe { std::slice::from_raw_parts(message.send.cast::<u8>(), message.send_bytes) };
        let _ = wires.to[message.peer as usize].send(bytes.to_vec());
    }
    for message in messages.iter().filter(|message| message.recv_bytes > 0) {
        // SAFETY: as many bytes to receive.
        let bytes = unsafe { std::slice::from_raw_parts_mut(message.recv.cast::<u8>(), message.recv_bytes) };
        let status = wires.receive(message.peer as usize, bytes);
        if status != 0 {
            return status;
        }
    }
    0
}

unsafe extern "C" fn allgather(
    user: *mut c_void,
    send: *const c_void,
    recv: *mut c_void,
    bytes: usize,
) -> i32 {
    // SAFETY: the wires live as long as the communicator; bytes of each rank.
    let (wires, own, all) = unsafe {
        let wires = &*user.cast::<Wires>();
        let all = std::slice::from_raw_parts_mut(recv.cast::<u8>(), bytes * wires.to.len());
        (wires, std::slice::from_raw_parts(send.cast::<u8>(), bytes), all)
    };
    if let Some(status) = wires.step() {
        return status;
    }
    wires.to.iter().for_each(|to| _ = to.send(own.to_vec()));
    for (rank, place) in all.chunks_exact_mut(bytes).enumerate() {
        let status = wires.receive(rank, place);
        if status != 0 {
            return status;
        }
    }
    if let Fault::WrongBytes(at) = wires.fault
        && at == *wires.steps.lock().unwrap()
    {
        all[wires.rank * bytes..].fill(0xEE);
    }
    0
}

/// What `body` gives on each rank of a group over channels, of which some ranks have faults.
pub fn run<T: Send>(
    ranks: usize,
    timeout_ms: i32,
    fault_of: impl Fn(usize) -> Fault,
    body: impl Fn(usize, Result<*mut Comm, i32>) -> T + Sync,
) -> Vec<T> {
    let mut wires: Vec<Wires> = (0..ranks)
        .map(|rank| Wires {
            rank,
            fault: fault_of(rank),
            steps: Mutex::new(0),
            to: Vec::new(),
            from: Vec::new(),
        })
        .collect();
    for from in 0..ranks {
        for to in 0..ranks {
            let (sender, receiver) = channel();
            wires[from].to.push(sender);
            wires[to].from.push(Mutex::new(receiver));
        }
    }
    let body = &body;
    std::thread::scope(|scope| {
        let threads: Vec<_> = wires
            .into_iter()
            .map(|wires| {
                scope.spawn(move || {
                    let (ctx, mut comm) = (Context::cpu(), null_mut::<Comm>());
                    let options = CommOptions { timeout_ms, ..Default::default() };
                    let user = std::ptr::from_ref(&wires).cast_mut().cast();
                    // SAFETY: the wires outlive the communicator.
                    let status = unsafe {
                        let (rank, ranks) = (wires.rank as i32, ranks as i32);
                        gpumex_comm_create(
                            ctx.handle,
                            &options,
                            rank,
                            ranks,
                            Some(exchange),
                            Some(allgather),
                            user,
                            &mut comm,
                        )
                    };
                    let got = body(wires.rank, if status == 0 { Ok(comm) } else { Err(status) });
                    ok(gpumex_comm_destroy(comm), "the end");
                    got
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The sum of rank + 1 over all ranks, by one of them.
pub fn sum(comm: *mut Comm, rank: usize) -> (i32, u64) {
    let (data, mut result) = ([rank as u64 + 1], [0u64]);
    let options = ReduceOptions { dtype: Dtype::U64 as i32, ..Default::default() };
    // SAFETY: one element, one result.
    let status =
        unsafe { gpumex_comm_reduce(comm, &options, data.as_ptr().cast(), 1, result.as_mut_ptr().cast()) };
    (status, result[0])
}

#[test]
fn ranks_over_callbacks_give_the_bits_of_one_rank() {
    for ranks in RANKS {
        let keys: Vec<u32> = random_bytes(3, 4 * 3000)
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
            .collect();
        let mut want = keys.clone();
        want.sort_unstable();
        let cuts = super::group::cuts(4, keys.len(), ranks);
        let parts = run(
            ranks,
            30_000,
            |_| Fault::None,
            |rank, comm| {
                let comm = comm.unwrap();
                assert_eq!(sum(comm, rank), (0, (ranks * (ranks + 1) / 2) as u64));
                let part = &keys[cuts[rank]..cuts[rank + 1]];
                let mut sorted = vec![0u32; part.len()];
                let options = SortOptions { dtype: Dtype::U32 as i32, ..Default::default() };
                // SAFETY: as many keys as the part has.
                let status = unsafe {
                    let to = sorted.as_mut_ptr().cast();
                    gpumex_comm_sort(comm, &options, part.as_ptr().cast(), null(), part.len(), to, null_mut())
                };
                ok(status, "a sort");
                let mut info = CommInfo { size: size_of::<CommInfo>(), ..Default::default() };
                // SAFETY: a struct with its size.
                ok(unsafe { gpumex_comm_get_info(comm, &mut info) }, "info");
                assert_eq!((info.rank as usize, info.ranks as usize, info.alive), (rank, ranks, 1));
                sorted
            },
        );
        assert_eq!(parts.concat(), want);
    }
}

#[test]
fn a_transport_that_fails_ends_the_communicator_and_not_the_process() {
    for fault in [Fault::Returns(5, 4), Fault::WrongBytes(3), Fault::NeverComes(3), Fault::Returns(11, 3)] {
        run(
            3,
            300,
            |rank| if rank == 1 { fault } else { Fault::None },
            |rank, comm| {
                let comm = comm.unwrap(); // two steps
                let (first, _) = sum(comm, rank);
                let (second, _) = sum(comm, rank);
                if rank == 1 {
                    let want = if fault == Fault::Returns(11, 3) { Status::Timeout } else { Status::Peer };
                    assert!([first, second].contains(&(want as i32)), "{first} {second}");
                }
                for status in [first, second] {
                    assert!([0, Status::Peer as i32, Status::Timeout as i32].contains(&status), "{status}");
                }
                refused(sum(comm, rank).0, Status::Peer, &["dead"], "a dead communicator");
            },
        );
    }
}

#[test]
fn ranks_that_are_not_there_are_waited_for_no_longer_than_the_limit() {
    let start = std::time::Instant::now();
    run(
        2,
        200,
        |rank| if rank == 1 { Fault::Returns(3, 1) } else { Fault::None },
        |rank, comm| {
            let [peer, timeout] = [Status::Peer, Status::Timeout].map(|status| status as i32);
            let status = comm.err().unwrap_or(0);
            assert!(status == peer || rank == 0 && status == timeout, "rank {rank}: {}", last_error());
        },
    );
    assert!(start.elapsed() < Duration::from_secs(10));
}
