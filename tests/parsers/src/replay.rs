//! Each target without libFuzzer: its corpus, and inputs that are made of it at random. The same seed makes the same inputs.
//!
//! parsers INPUTS SEED CORPORA      INPUTS a target; CORPORA has a folder for each. Each target has a process (GPUMEX_TARGET).

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Command, exit};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{NAME, TARGETS, Target};

/// Longer inputs are cut, as those of libFuzzer are.
const LONGEST: usize = 4096;

pub fn run() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [inputs, seed, corpora] = arguments.as_slice() else {
        eprintln!("parsers INPUTS SEED CORPORA");
        exit(2)
    };
    if let Ok(name) = std::env::var(NAME) {
        let inputs = inputs.parse().expect("INPUTS is a number");
        return replay(&name, crate::target(), inputs, seed.parse().expect("SEED is a number"), corpora);
    }
    let program = std::env::current_exe().expect("a program has a path");
    for (name, _) in TARGETS {
        let ended = Command::new(&program).args(&arguments).env(NAME, name).output().expect("it starts");
        if !ended.status.success() {
            let last = &ended.stderr[ended.stderr.len().saturating_sub(LONGEST)..]; // the library's log is before it
            eprintln!("{name}: {}\n{}", ended.status, String::from_utf8_lossy(last));
            exit(1);
        }
    }
    println!("texts: {} targets, each with its corpus and {inputs} inputs made of it", TARGETS.len());
}

fn replay(name: &str, target: Target, inputs: usize, seed: u64, corpora: &str) {
    let corpus = corpus(&Path::new(corpora).join(name));
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let made = (0..inputs).map(|_| mutant(&corpus, &mut random));
    for (number, input) in corpus.iter().cloned().chain(made).enumerate() {
        if catch_unwind(|| target(&input)).is_err() {
            eprintln!("{name}: input {number} of seed {seed}: {:?}", String::from_utf8_lossy(&input));
            exit(1);
        }
    }
}

/// The files of a folder, in the order of their names.
fn corpus(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.sort_unstable();
    paths.iter().map(|path| fs::read(path).expect("a file of the corpus")).collect()
}

/// Two inputs of the corpus joined, or one of them, with up to eight changes of a byte or of a piece.
fn mutant(corpus: &[Vec<u8>], random: &mut Pcg64Mcg) -> Vec<u8> {
    let mut below = |end: usize| ((u128::from(random.next_u64()) * end as u128) >> 64) as usize;
    let mut input = corpus[below(corpus.len())].clone();
    if below(4) == 0 {
        input.truncate(below(input.len() + 1));
        input.extend(&corpus[below(corpus.len())]);
    }
    for _ in 0..below(9) {
        let at = below(input.len() + 1);
        let piece = at..input.len().min(at + 1 + below(8));
        match below(5) {
            0 => input.insert(at, below(256) as u8),
            1 => drop(input.drain(piece)),
            2 => input.splice(at..at, input[piece].repeat(1 + below(4))).for_each(drop),
            3 => input.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << below(8)),
            _ => input.splice(at..at, (below(1 << 32) as u32).to_string().into_bytes()).for_each(drop),
        }
    }
    input.truncate(LONGEST);
    input
}
