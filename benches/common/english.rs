//! Text as English has it.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// So many bytes of words and blanks: 200000 words whose frequencies fall as 1/rank, six bytes each on average with the blank behind.
pub fn english_like(bytes: usize) -> Vec<u8> {
    const WORDS: usize = 200_000;
    let mut random = Pcg64::seed_from_u64(9);
    let vocabulary: Vec<Vec<u8>> = (0..WORDS)
        .map(|rank| {
            let least = (rank as f64 + 2.0).log2() / 2.4;
            let len = 1 + (least + 4.0 * random.random::<f64>() * random.random::<f64>()) as usize;
            (0..len).map(|_| b'a' + (random.next_u32() % 26) as u8).collect()
        })
        .collect();
    let mut reached = 0.0;
    let upto: Vec<f64> = (0..WORDS)
        .map(|rank| {
            reached += 1.0 / (rank + 1) as f64;
            reached
        })
        .collect();
    let mut text = Vec::with_capacity(bytes + 64);
    while text.len() < bytes {
        let at = random.random::<f64>() * reached;
        text.extend_from_slice(&vocabulary[upto.partition_point(|&sum| sum < at).min(WORDS - 1)]);
        text.push(b' ');
    }
    text.truncate(bytes);
    text
}
