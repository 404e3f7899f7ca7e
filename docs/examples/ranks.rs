use gpumex::{Communicator, Context};

fn main() -> gpumex::Result<()> {
    let contexts = [Context::new()?, Context::new()?]; // a rank each
    let keys = [[5.0f32, 1.0, 3.0], [1.0, 9.0, 7.0]];
    let work = |mut comm: Communicator| {
        let mine = keys[comm.rank()];
        let mut sorted = [0.0; 3];
        comm.sort(&mine, &mut sorted)?;
        Ok((sorted, comm.reduce(&mine)?))
    };
    let comms = Communicator::local(&contexts)?;
    let parts: gpumex::Result<Vec<([f32; 3], f32)>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            comms.into_iter().map(|comm| scope.spawn(move || work(comm))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (rank, ([a, b, c], sum)) in parts?.into_iter().enumerate() {
        println!("rank {rank}: {a} {b} {c}, sum of all {sum}");
    }
    Ok(())
}
