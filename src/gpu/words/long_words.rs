//! Words that are too long for one lane of a kernel: the host counts them, wherever they lie.

use super::{Device, download};
use crate::array::View;
use crate::error::{Error, Result};
use crate::memory::Place;
use crate::model::words::{Counter, Rule, Tally, end_of_word};
use crate::vector::{collected, try_collected};

/// What is downloaded at once: long words that lie close to each other come together.
const WINDOW: usize = 16 << 20;
/// Bytes of a long word that are looked at first.
const FIRST_LOOK: usize = 64 << 10;
/// Bytes behind a word that decide whether it goes on: an apostrophe of three bytes and a letter of four.
const LOOKAHEAD: usize = 7;

/// The words that begin at these positions, in any order.
pub fn count(device: &Device, text: &View<u8>, rule: Rule, positions: &[u64]) -> Result<Vec<Tally>> {
    let mut positions = collected(positions.iter().copied())?;
    positions.sort_unstable();
    if positions.is_empty() {
        return Ok(Vec::new());
    }
    let Place::Device(_) = text.place() else {
        device.synchronize()?; // before the host looks at managed memory
        let bytes = text.on_host()?;
        let words = positions.iter().map(|&start| start as usize..end_of_word(bytes, start as usize, rule));
        return count_words(bytes, rule, words);
    };
    let mut gathered = Gathered { device, text, rule, window: (0, Vec::new()), bytes: Vec::new() };
    let starts = try_collected(positions.iter().map(|&position| gathered.gather(position as usize)))?;
    let ends = starts[1..].iter().copied().chain([gathered.bytes.len()]);
    let mut found =
        count_words(&gathered.bytes, rule, starts.iter().zip(ends).map(|(&start, end)| start..end))?;
    for word in &mut found {
        word.position = positions[starts.partition_point(|&start| (start as u64) < word.position)];
    }
    Ok(found)
}

fn count_words(
    bytes: &[u8],
    rule: Rule,
    mut words: impl Iterator<Item = std::ops::Range<usize>>,
) -> Result<Vec<Tally>> {
    let mut counter = Counter::new(bytes, rule)?;
    words.try_for_each(|word| counter.add(word))?;
    counter.tallies()
}

/// Words of the device's text, one behind the other on the host.
struct Gathered<'t, 'a> {
    device: &'t Device,
    text: &'t View<'a, u8>,
    rule: Rule,
    window: (usize, Vec<u8>), // what was downloaded last, and from where
    bytes: Vec<u8>,
}

impl Gathered<'_, '_> {
    /// Copies the word that begins at a position of the text; where it is now.
    fn gather(&mut self, position: usize) -> Result<usize> {
        let (start, rest) = (self.bytes.len(), self.text.len() - position);
        let mut look = FIRST_LOOK.min(rest);
        loop {
            let have = self.bytes.len() - start;
            self.append(position + have, look - have)?;
            let end = end_of_word(&self.bytes, start, self.rule);
            if look == rest || end + LOOKAHEAD < self.bytes.len() {
                self.bytes.truncate(end);
                return Ok(start);
            }
            look = (look * 2).min(rest);
        }
    }

    /// Appends bytes of the text.
    fn append(&mut self, mut from: usize, mut len: usize) -> Result<()> {
        self.bytes.try_reserve(len).map_err(|_| Error::out_of_memory("host memory", len))?;
        while len > 0 {
            let (begin, bytes) = &self.window;
            if from < *begin || from >= begin + bytes.len() {
                let part = self.text.part(from, WINDOW.min(self.text.len() - from));
                self.window = (from, Vec::new()); // one at a time
                self.window.1 = download(self.device, part.as_ptr(), part.len())?;
            }
            let (begin, bytes) = &self.window;
            let here = &bytes[from - begin..];
            let now = len.min(here.len());
            self.bytes.extend_from_slice(&here[..now]);
            (from, len) = (from + now, len - now);
        }
        Ok(())
    }
}
