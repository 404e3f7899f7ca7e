//! gpumex_sort and gpumex_words on the CPU beside crates for the same, in one process.
//!
//!   cd benches/peers/crates; cargo run --release -- ../../../target/release/libgpumex.so THREADS
//!
//! All ways take turns; a figure is the median of the rounds, in brackets the peer's time over gpumex's. Results are compared.

#[path = "../../../common/english.rs"]
mod english;
mod library;
mod sorts;
mod words;

use std::env;
use std::process::exit;
use std::time::Instant;

use library::Library;

const ROUNDS: usize = 9;

/// What is measured: a name, and what does the work once and says how many seconds it took.
type Way<'a> = (&'static str, Box<dyn FnMut() -> f64 + 'a>);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, threads] = &arguments[..] else {
        eprintln!("usage: gpumex-peers LIBRARY THREADS");
        exit(2);
    };
    let number = threads.parse().expect("THREADS is a number");
    rayon::ThreadPoolBuilder::new()
        .num_threads(number)
        .build_global()
        .expect("the first pool of this process");
    let library = Library::load(path, threads);
    println!("{threads} threads");
    sorts::table(&library);
    words::table(&library);
}

fn seconds(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64()
}

/// A row: so many units a second of each way, the first of which is gpumex's.
fn row(name: &str, units: f64, mut ways: Vec<Way>) {
    let mut times = vec![Vec::new(); ways.len()];
    for round in 0..=ROUNDS {
        for ((_, way), times) in ways.iter_mut().zip(&mut times) {
            let time = way();
            if round > 0 {
                times.push(time);
            }
        }
    }
    let medians: Vec<f64> = times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[ROUNDS / 2]
        })
        .collect();
    print!("{name:24}");
    for ((way, _), time) in ways.iter().zip(&medians) {
        print!(" | {way} {:.4} ({:.2})", units / time, time / medians[0]);
    }
    println!();
}
