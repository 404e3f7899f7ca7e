//! Tables of words on the device, and how one of a whole text grows from those of its parts.

use super::super::runtime::kernels::{
    WordsTable, WordsText, gpumexk_words_clear, gpumexk_words_count, gpumexk_words_merge,
    gpumexk_words_missing,
};
use super::super::runtime::memory::Buffer;
use super::super::runtime::tuning::Kernel;
use super::{Device, char_class, download};
use crate::error::Result;
use crate::model::words::{Rule, WordsEncoding};
use crate::vector::append;

/// Characters of the longest word that the kernel counts.
const LONG_WORD: usize = 4096;
/// Numbers of a slot: key, count, first position, address.
const SLOT: usize = 4;
/// A part's table begins with up to 2^20 slots, which fit into the L2 cache of a large device, and four times as many
/// when half of them are used.
const BITS_FIRST: u32 = 20;
const BITS_MIN: u32 = 10;

/// Words and their counts.
pub struct Table<'d> {
    device: &'d Device,
    slots: Buffer<'d, u64>,
    state: Buffer<'d, u64>,
    bits: u32,
}

/// What a table says of itself.
struct State {
    used: u64,
    words: u64,
    long_words: u64,
    is_overflown: bool,
}

impl<'d> Table<'d> {
    /// An empty one of 2^bits slots.
    fn new(device: &'d Device, bits: u32) -> Result<Table<'d>> {
        let (slots, state) = (Buffer::new(device, SLOT << bits)?, Buffer::new(device, 4)?);
        let table = Table { device, slots, state, bits };
        // SAFETY: 2^bits slots and the state.
        device.launch(|stream| unsafe { gpumexk_words_clear(&table.raw(), stream) })?;
        Ok(table)
    }

    pub fn raw(&self) -> WordsTable {
        WordsTable { slots: self.slots.as_ptr().cast(), bits: self.bits, state: self.state.as_ptr() }
    }

    /// Waits for what was launched.
    fn state(&self) -> Result<State> {
        let state = download(self.device, self.state.as_ptr(), 4)?;
        Ok(State { used: state[0], words: state[1], long_words: state[2], is_overflown: state[3] != 0 })
    }

    /// Words in it.
    pub fn used(&self) -> Result<u64> {
        Ok(self.state()?.used)
    }
}

/// The words of a text while its parts are counted.
pub struct Counting<'d> {
    device: &'d Device,
    rule: Rule,
    letters: Buffer<'d, u32>,
    bits: u32,
    total: Option<Table<'d>>,
    copies: Vec<Buffer<'d, u8>>, // of longer words, whose part has gone
    words: u64,                  // without the long ones
    long_words: Vec<u64>,
}

/// A part that is being counted.
pub struct Pending<'d> {
    text: WordsText,
    table: Table<'d>,
    long_words: Buffer<'d, u64>,
}

impl<'d> Counting<'d> {
    pub fn new(device: &'d Device, rule: Rule) -> Result<Counting<'d>> {
        let letters = char_class::upload_table(device)?;
        let (copies, long_words) = (Vec::new(), Vec::new());
        Ok(Counting { device, rule, letters, bits: BITS_FIRST, total: None, copies, words: 0, long_words })
    }

    pub fn device(&self) -> &'d Device {
        self.device
    }

    pub fn total(&self) -> Option<&Table<'d>> {
        self.total.as_ref()
    }

    /// How many words were counted.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// How many of them differ.
    pub fn distinct(&self) -> Result<u64> {
        self.total.as_ref().map_or(Ok(0), Table::used)
    }

    /// Where the words begin that were only listed.
    pub fn long_words(&self) -> &[u64] {
        &self.long_words
    }

    /// `len` bytes on the device, all of whose words count; the first one is byte `offset` of the whole text.
    pub fn text(&self, text: *const u8, len: usize, offset: u64) -> WordsText {
        WordsText {
            text,
            len,
            begin: 0,
            end: len,
            offset,
            utf8: (self.rule.encoding == WordsEncoding::Utf8).into(),
            fold: self.rule.fold.into(),
            letters: self.letters.as_ptr(),
            folds: char_class::table().folds,
        }
    }

    /// Begins to count the words of a part, which stays where it is until `finish`.
    pub fn launch(&self, text: WordsText) -> Result<Pending<'d>> {
        let most = (text.end - text.begin + 1).next_power_of_two().ilog2(); // twice as many as words can begin
        let table = Table::new(self.device, self.bits.min(most.max(BITS_MIN)))?;
        let long_words = Buffer::new(self.device, text.end / LONG_WORD + 1)?;
        let tuning = self.device.tuning(Kernel::Words);
        // SAFETY: the text has its bytes and the letters' table; the list holds every long word.
        self.device.launch(|stream| unsafe {
            gpumexk_words_count(&text, &table.raw(), long_words.as_ptr(), &tuning, stream)
        })?;
        Ok(Pending { text, table, long_words })
    }

    /// Waits for a part and adds it to the whole. `stays`: its bytes stay where they are until the end.
    pub fn finish(&mut self, mut pending: Pending<'d>, stays: bool) -> Result<()> {
        let mut state = pending.table.state()?;
        while state.is_overflown {
            self.bits = pending.table.bits + 2;
            let text = pending.text;
            drop(pending);
            pending = self.launch(text)?;
            state = pending.table.state()?;
        }
        self.words += state.words - state.long_words;
        let long_words = download(self.device, pending.long_words.as_ptr(), state.long_words as usize)?;
        append(&mut self.long_words, long_words.into_iter())?;
        self.add(pending, stays)
    }

    fn add(&mut self, part: Pending<'d>, stays: bool) -> Result<()> {
        let whole = match self.total.take() {
            None if stays => {
                self.total = Some(part.table);
                return Ok(());
            }
            None => Table::new(self.device, BITS_MIN)?,
            Some(total) => total,
        };
        let missing = Buffer::<u64>::new(self.device, 2)?;
        // SAFETY: both tables are complete, the text is where they say.
        self.device.launch(|stream| unsafe {
            gpumexk_words_missing(&part.text, &part.table.raw(), &whole.raw(), missing.as_ptr(), stream)
        })?;
        let missing = download(self.device, missing.as_ptr(), 2)?;
        let whole = self.with_slots(&part.text, whole, missing[0])?;
        let copies = Buffer::new(self.device, if stays { 0 } else { missing[1] as usize })?;
        self.merge(&part.text, &part.table, &whole, &copies)?;
        self.copies.push(copies);
        self.total = Some(whole);
        self.device.synchronize() // before the part's bytes go
    }

    /// The table, or a larger copy, with slots for so many more words.
    fn with_slots(&self, text: &WordsText, table: Table<'d>, more: u64) -> Result<Table<'d>> {
        let needed = (table.used()? + more) * 2;
        if needed <= 1 << table.bits {
            return Ok(table);
        }
        let larger = Table::new(self.device, needed.next_power_of_two().ilog2())?;
        self.merge(text, &table, &larger, &Buffer::new(self.device, 0)?)?;
        Ok(larger)
    }

    /// to ← to + from, with copies of the longer words that are new, where they fit.
    fn merge(&self, text: &WordsText, from: &Table, to: &Table, copies: &Buffer<u8>) -> Result<()> {
        let used = Buffer::<u64>::new(self.device, 1)?;
        // SAFETY: `to` has slots for the words, and `copies`, where it is not NULL, for those that are new.
        self.device.launch(|stream| unsafe {
            gpumexk_words_merge(text, &from.raw(), &to.raw(), copies.as_ptr(), used.as_ptr(), stream)
        })
    }
}
