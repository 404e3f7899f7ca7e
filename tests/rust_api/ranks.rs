//! Communicators of the crate: every operation on parts against the same on one rank, and transports that carry, fail and panic.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use gpumex_rust::*;

/// What `body` gives on each rank of a group, a thread each.
fn on_ranks<T: Send>(ranks: usize, body: impl Fn(&mut Communicator) -> T + Sync) -> Vec<T> {
    let contexts: Vec<Context> = (0..ranks).map(|_| Context::new().unwrap()).collect();
    on_threads(Communicator::local(&contexts).unwrap(), body)
}

fn on_threads<T: Send>(comms: Vec<Communicator>, body: impl Fn(&mut Communicator) -> T + Sync) -> Vec<T> {
    let body = &body;
    std::thread::scope(|scope| {
        let start = |mut comm| scope.spawn(move || body(&mut comm));
        let threads: Vec<_> = comms.into_iter().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The part of a rank: uneven, and that of rank 1 of 3 and more is empty.
fn part<'a, T>(all: &'a [T], comm: &Communicator) -> &'a [T] {
    let (rank, ranks) = (comm.rank(), comm.ranks());
    let begin = |rank: usize| match rank {
        0 => 0,
        rank if rank == ranks => all.len(),
        rank => all.len() * (2 * if rank == 2 { 1 } else { rank } + 1) / (2 * ranks + 1),
    };
    &all[begin(rank)..begin(rank + 1)]
}

fn numbers(count: usize, below: u32) -> Vec<u32> {
    let step = |seed: &mut u32| {
        *seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
        Some((*seed >> 8) % below)
    };
    (0..count).scan(7, |seed, _| step(seed)).collect()
}

const RANKS: [usize; 3] = [1, 2, 4];

#[test]
fn sums_on_ranks_are_those_of_one() {
    let (one, data) = (Context::new().unwrap(), numbers(3001, 1000));
    let (total, x) = (one.reduce(&data).unwrap(), data.iter().map(|&x| f64::from(x)).collect::<Vec<_>>());
    let mut prefixes = vec![0u64; data.len()];
    one.scan_with(&data, &mut prefixes, &ScanOptions::new()).unwrap();
    let mut latest = vec![0u32; data.len()];
    one.scan_by(&data, &mut latest, "b < 100 ? a : b", ScanKind::Inclusive, None).unwrap();
    let (mut counts, mut sums) = (vec![0; 1000], vec![0.0; 10]);
    let tens = HistogramOptions::new().range(0.0..1000.0);
    one.histogram_with(&data, &mut counts, &HistogramOptions::new()).unwrap();
    one.histogram_weighted(&data, &x, &mut sums, &tens).unwrap();
    let bytes: Vec<u8> = data.iter().map(|&x| x as u8).collect();
    for ranks in RANKS {
        let parts = on_ranks(ranks, |comm| {
            let ctx = comm.context().clone();
            let (mine, x) = (part(&data, comm), part(&x, comm));
            let on_device = ctx.array(mine).unwrap();
            assert_eq!((comm.ranks(), comm.is_alive()), (ranks, true));
            assert_eq!(comm.reduce(&on_device).unwrap(), total);
            let mut most = ctx.zeros::<u32>(1).unwrap();
            comm.reduce_with(mine, &mut most, &ReduceOptions::new().op(Operator::Max)).unwrap();
            assert_eq!(most.to_vec().unwrap(), [999]);
            let mut first = [0];
            comm.reduce_by(mine, &mut first, "a", Some(5)).unwrap();
            assert_eq!(first, [data[0]]);
            assert_eq!(comm.dot(x, &vec![2.0; x.len()]).unwrap(), 2.0 * f64::from(total));
            let (mut scanned, mut all) = (vec![0u64; mine.len()], [0]);
            comm.scan_with_total(&on_device, &mut scanned, &mut all, &ScanOptions::new()).unwrap();
            assert_eq!(all, [u64::from(total)]);
            let mut in_place = mine.to_vec();
            comm.scan_in_place(&mut in_place, &ScanOptions::new()).unwrap();
            assert!(in_place.iter().zip(&scanned).all(|(&narrow, &wide)| u64::from(narrow) == wide));
            let mut latest = vec![0u32; mine.len()];
            comm.scan_by(mine, &mut latest, "b < 100 ? a : b", ScanKind::Inclusive, None).unwrap();
            let mut found = vec![0; 1000];
            comm.histogram_with(&on_device, &mut found, &HistogramOptions::new()).unwrap();
            assert_eq!(found, counts);
            let mut found = vec![0.0; 10];
            comm.histogram_weighted(mine, x, &mut found, &tens).unwrap();
            assert_eq!(found, sums); // whole numbers, exact
            let of_bytes = comm.histogram(part(&bytes, comm)).unwrap();
            assert_eq!(of_bytes.iter().sum::<u64>(), 3001);
            (scanned, latest)
        });
        let (scanned, found): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        assert_eq!((scanned.concat(), found.concat()), (prefixes.clone(), latest.clone()), "{ranks} ranks");
    }
}

#[test]
fn sorts_on_ranks_are_that_of_one() {
    let (one, keys) = (Context::new().unwrap(), numbers(2503, 200));
    let values: Vec<f64> = (0..keys.len()).map(|i| i as f64).collect();
    let down = SortOptions::new().order(SortOrder::Descending);
    let (mut sorted, mut moved) = (vec![0; keys.len()], vec![0.0; keys.len()]);
    one.sort_with(&keys, &mut sorted, Payload::values(&values, &mut moved), &down).unwrap();
    for ranks in RANKS {
        let parts = on_ranks(ranks, |comm| {
            let ctx = comm.context().clone();
            let (mine, values) = (part(&keys, comm), part(&values, comm));
            let (mut sorted, mut moved) = (vec![0; mine.len()], ctx.zeros(mine.len()).unwrap());
            comm.sort_with(mine, &mut sorted, Payload::values(values, &mut moved), &down).unwrap();
            let mut positions = vec![0u64; mine.len()];
            comm.argsort(&ctx.array(mine).unwrap(), &mut positions, &down).unwrap();
            let moved = moved.to_vec().unwrap();
            assert!(moved.iter().zip(&positions).all(|(&value, &position)| value == position as f64));
            let mut ascending = vec![0; mine.len()];
            comm.sort(mine, &mut ascending).unwrap();
            (sorted, moved, ascending)
        });
        let mut ascending: Vec<u32> = parts.iter().flat_map(|(_, _, part)| part.clone()).collect();
        assert_eq!(parts.iter().flat_map(|(part, _, _)| part.clone()).collect::<Vec<_>>(), sorted);
        assert_eq!(parts.iter().flat_map(|(_, part, _)| part.clone()).collect::<Vec<_>>(), moved);
        ascending.reverse();
        assert_eq!(ascending, sorted, "{ranks} ranks");
    }
}

#[test]
fn boards_matrices_and_texts_on_ranks_are_those_of_one() {
    let one = Context::new().unwrap();
    let (rows, cols) = (41, 70);
    let board: Vec<Vec<u8>> = numbers(rows * cols, 3)
        .chunks(cols)
        .map(|row| row.iter().map(|&x| u8::from(x == 0)).collect())
        .collect();
    let torus = LifeOptions::new().boundary(LifeBoundary::Torus);
    let mut next = vec![0; rows * cols];
    one.life_with(&board.concat(), (rows, cols), 20, &mut next, &torus).unwrap();
    let (n, k) = (9, 23);
    let whole = |count| numbers(count, 10).into_iter().map(f64::from).collect::<Vec<_>>();
    let (a, b, mut c) = (whole(rows * k), whole(k * n), vec![1.0; rows * n]);
    let more = MatmulOptions::new().beta(Some(2.0));
    one.matmul_with(&a, &b, &mut c, (rows, n, k), &more).unwrap();
    let [a_rows, b_rows] = [(&a, k), (&b, n)].map(|(all, width)| all.chunks(width).collect::<Vec<_>>());
    let text: String = numbers(500, 40).into_iter().map(|number| format!("word{number} ")).collect();
    let words = one.words(text.as_bytes(), 10).unwrap();
    for ranks in RANKS {
        let parts = on_ranks(ranks, |comm| {
            let mine = part(&board, comm);
            let (cells, mut next) = (mine.concat(), vec![0; mine.len() * cols]);
            comm.life_with(&cells, (mine.len(), cols), 20, &mut next, &torus).unwrap();
            let mut again = cells;
            comm.life_in_place(&mut again, (mine.len(), cols), 20, &torus).unwrap();
            assert_eq!(again, next);
            let (a, b) = (part(&a_rows, comm), part(&b_rows, comm));
            let mut c = vec![1.0; a.len() * n];
            comm.matmul_with(&a.concat(), &b.concat(), &mut c, (a.len(), n, b.len()), &more).unwrap();
            assert_eq!(comm.words(part(text.as_bytes(), comm), 10).unwrap(), words);
            (next, c)
        });
        let (found, product): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        assert_eq!(found.concat(), next, "{ranks} ranks");
        assert_eq!(product.concat(), c, "{ranks} ranks"); // whole numbers, exact
    }
}

#[test]
fn what_one_rank_does_wrong_is_told_to_all() {
    let all_go_on = |comm: &mut Communicator| comm.is_alive() && comm.reduce(&[1u64]).unwrap() == 3;
    on_ranks(3, |comm| {
        let is_wrong = comm.rank() == 1;
        let told = |outcome: Result<()>, sentence: &str| {
            let error = outcome.unwrap_err();
            let status = if is_wrong { Status::InvalidArgument } else { Status::Peer };
            assert_eq!(error.status(), status, "{error}");
            assert!(
                error.message().contains(sentence) && (is_wrong || error.message().contains("rank 1")),
                "{error}"
            );
        };
        let (short, mut three) = (if is_wrong { 2 } else { 3 }, [0.0f32; 3]);
        let keys = vec![1.0f32; short];
        told(comm.sort(&keys, &mut three), "keys has 2 elements and sorted has 3");
        told(comm.scan(&keys, &mut three), "data has 2 elements and result has 3");
        told(comm.dot(&keys, &three).map(drop), "x has 2 elements and y has 3");
        let payload = Payload::values(&keys, &mut three);
        told(comm.sort_with(&[1, 2, 3], &mut [0; 3], payload, &SortOptions::new()), "values has 8 bytes");
        told(comm.matmul(&keys, &[1.0], &mut [0.0], (1, 1, 1)), "A has 8 bytes, 12 are needed");
        told(comm.life(&vec![0u8; short], (1, 3), 1, &mut [0; 3]), "board has 2 bytes");
        assert!(all_go_on(comm));

        let k = if is_wrong { usize::MAX / 16 } else { 1 };
        let error = comm.words(b"a", k).unwrap_err();
        assert_eq!(error.status(), if is_wrong { Status::OutOfMemory } else { Status::Peer }, "{error}");
        let error =
            comm.reduce_by(&[1], &mut [0], if is_wrong { "a + b" } else { "a * b" }, None).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert!(error.message().starts_with("reduce: options.expression differs"), "{error}");
        assert!(all_go_on(comm));
    });
}

#[test]
fn options_ranks_and_contexts_are_checked() {
    let ctx = Context::builder().backend(Backend::Cpu).build().unwrap();
    let refused = |outcome: Result<Vec<Communicator>>| {
        let error = outcome.unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
        error.message().to_string()
    };
    let twice = refused(Communicator::local(&[ctx.clone(), ctx.clone()]));
    assert_eq!(twice, "local: contexts[1] is contexts[0]; each rank has its own");
    assert_eq!(refused(Communicator::local(&[])), "local: count is 0; there are 1 to 65536 ranks");
    let halo = CommunicatorOptions::new().life_halo(70000);
    let halo = refused(Communicator::local_with(std::slice::from_ref(&ctx), &halo));
    assert_eq!(halo, "local: options.life_halo is 70000; it is 0 to 65536");
    let rank = Communicator::over(&ctx, 3, 2, Wires::of(1).remove(0)).unwrap_err();
    assert_eq!(rank.message(), "over: rank 3 of 2; there are 1 to 65536 ranks, from 0 on");
    let nccl = Communicator::over_nccl(&ctx, &[0; 128], 0, 1).unwrap_err();
    assert_eq!(nccl.status(), Status::Unsupported, "{nccl}");
    if let Err(error) = Communicator::unique_id() {
        assert!([Status::Unsupported, Status::Cuda].contains(&error.status()), "{error}");
    }
}

#[test]
fn communicators_go_to_other_threads_and_are_aborted_from_them() {
    fn crosses_threads<T: Send + Sync>() {}
    crosses_threads::<Communicator>();
    crosses_threads::<Control>();
    let contexts = [(); 2].map(|()| Context::new().unwrap());
    let mut comms = Communicator::local(&contexts).unwrap();
    assert_eq!(format!("{:?}", comms[1]), "Communicator(rank 1 of 2)");
    let (second, mut first) = (comms.pop().unwrap(), comms.pop().unwrap());
    let control = second.control();
    drop(second); // its group ends
    assert!(!control.is_alive());
    control.abort();
    let error = first.reduce(&[1]).unwrap_err();
    assert_eq!(error.status(), Status::Peer, "{error}");
    assert!(!first.is_alive() && first.reduce(&[1]).unwrap_err().message().contains("dead"));
    assert_eq!(contexts[0].reduce(&[1, 2]).unwrap(), 3);
}

// ------------------------------------------------------------------------------------------------------------ transports

/// What happens to a rank in a step.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Fails,
    Panics,
}

/// The ends of the channels of one rank.
struct Wires {
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    fault: Option<(usize, Fault)>, // after so many steps
}

impl Wires {
    fn of(ranks: usize) -> Vec<Wires> {
        let none = || Wires { to: Vec::new(), from: Vec::new(), fault: None };
        let mut wires: Vec<Wires> = (0..ranks).map(|_| none()).collect();
        for from in 0..ranks {
            for to in 0..ranks {
                let (sender, receiver) = channel();
                wires[from].to.push(sender);
                wires[to].from.push(receiver);
            }
        }
        wires
    }

    fn step(&mut self) -> Result<()> {
        match &mut self.fault {
            Some((0, Fault::Fails)) => Err(Error::new(Status::Peer, "the wire is cut")),
            Some((0, Fault::Panics)) => panic!("a wire of {} ranks burns", self.to.len()),
            Some((steps, _)) => {
                *steps -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn receive(&self, from: usize, to: &mut [u8]) -> Result<()> {
        loop {
            match self.from[from].recv_timeout(Duration::from_millis(2)) {
                Ok(bytes) => {
                    to.copy_from_slice(&bytes);
                    return Ok(());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::new(Status::Peer, "nobody is there"));
                }
                Err(RecvTimeoutError::Timeout) => Communicator::poll()?,
            }
        }
    }
}

impl Transport for Wires {
    fn exchange(&mut self, messages: &mut [Message]) -> Result<()> {
        self.step()?;
        assert!(messages.windows(2).all(|two| two[0].peer < two[1].peer));
        for message in messages.iter().filter(|message| !message.send.is_empty()) {
            let _ = self.to[message.peer].send(message.send.to_vec());
        }
        let mut received = messages.iter_mut().filter(|message| !message.receive.is_empty());
        received.try_for_each(|message| self.receive(message.peer, message.receive))
    }

    fn allgather(&mut self, own: &[u8], all: &mut [u8]) -> Result<()> {
        self.step()?;
        assert_eq!(all.len(), own.len() * self.to.len());
        self.to.iter().for_each(|to| _ = to.send(own.to_vec()));
        all.chunks_exact_mut(own.len()).enumerate().try_for_each(|(from, place)| self.receive(from, place))
    }
}

/// What `body` gives on each rank over wires; the last rank has the fault.
fn over_wires<T: Send>(
    ranks: usize,
    fault: Option<(usize, Fault)>,
    options: CommunicatorOptions,
    body: impl Fn(&mut Communicator) -> T + Sync,
) -> Vec<T> {
    let mut wires = Wires::of(ranks);
    wires[ranks - 1].fault = fault;
    let body = &body;
    std::thread::scope(|scope| {
        let start = |(rank, wires)| {
            scope.spawn(move || {
                let ctx = Context::builder().backend(Backend::Cpu).build().unwrap();
                let mut comm = Communicator::over_with(&ctx, rank, ranks, wires, &options).unwrap();
                body(&mut comm)
            })
        };
        let threads: Vec<_> = wires.into_iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn a_transport_carries_every_byte() {
    let keys = numbers(3000, 1 << 20);
    let mut want = keys.clone();
    want.sort_unstable();
    for ranks in RANKS {
        let parts = over_wires(ranks, None, CommunicatorOptions::new(), |comm| {
            let mine = part(&keys, comm);
            let mut sorted = vec![0; mine.len()];
            comm.sort(mine, &mut sorted).unwrap();
            assert_eq!(comm.reduce(&[1]).unwrap(), ranks as i32);
            sorted
        });
        assert_eq!(parts.concat(), want, "{ranks} ranks");
    }
}

#[test]
fn a_transport_that_fails_or_panics_ends_the_communicator_and_says_why() {
    let options = CommunicatorOptions::new().timeout(Duration::from_millis(500));
    for (fault, sentence) in [
        (Fault::Fails, "reduce: the wire is cut"),
        (Fault::Panics, "reduce: the transport panicked: a wire of 2 ranks burns"),
    ] {
        for steps in 2..4 {
            // two of the creation
            over_wires(2, Some((steps, fault)), options, |comm| {
                let mut outcomes = [comm.reduce(&[1]), comm.reduce(&[1])];
                let at = if comm.rank() == 1 { outcomes.iter().position(Result::is_err) } else { None };
                if let Some(at) = at {
                    let error = std::mem::replace(&mut outcomes[at], Ok(0)).unwrap_err();
                    assert_eq!(error.status(), Status::Peer);
                    assert!(error.message().starts_with(sentence), "{error}");
                }
                assert_eq!(at.is_some(), comm.rank() == 1);
                assert!(!comm.is_alive() && comm.reduce(&[1]).unwrap_err().message().contains("dead"));
            });
        }
    }
}

#[test]
fn a_rank_that_does_not_come_is_waited_for_no_longer_than_the_limit() {
    let (start, options) = (Instant::now(), CommunicatorOptions::new().timeout(Duration::from_millis(200)));
    over_wires(2, None, options, |comm| {
        if comm.rank() == 0 {
            let error = comm.reduce(&[1]).unwrap_err();
            assert_eq!(error.status(), Status::Timeout, "{error}");
            assert!(error.message().contains("within the time limit of 0.2 s"), "{error}");
        } else {
            std::thread::sleep(Duration::from_millis(600));
        }
    });
    assert!(start.elapsed() < Duration::from_secs(20));
}
