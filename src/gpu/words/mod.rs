//! The words of a text on the device.
//!
//! A text of the device is counted where it is. One of the host goes there in pieces, cut between words, while the piece before is
//! counted; the bytes of longer words stay on the device when their piece goes. Words of more than 4096 characters, which the
//! kernel only lists, are counted on the host.

mod char_class;
mod chunks;
mod long_words;
mod table;
mod top;

use super::Device;
use super::runtime::kernels::{WordsText, gpumexk_words_lengths};
use super::runtime::memory::Buffer;
use crate::array::{Element, Input, Output, View, ViewMut};
use crate::error::Result;
use crate::memory::Place;
use crate::model::words::{Rule, Summary, Tally, end_of_word, most_frequent};
use crate::vector::{append, reserved, zeros};
use table::Counting;

/// Runs a part of so many bytes after the other, all of them together the text.
pub type InSteps<'a> = &'a mut dyn FnMut(&mut dyn FnMut(u64) -> Result<()>) -> Result<()>;

/// The k most frequent words of the text.
pub fn words(
    device: &Device,
    text: View<u8>,
    rule: Rule,
    k: usize,
    in_steps: InSteps,
) -> Result<(Vec<Tally>, Summary)> {
    device.refuse_capture("the host reads what was counted, to go on")?;
    let mut counting = Counting::new(device, rule)?;
    match text.place() {
        Place::Host | Place::Pinned => chunks::count(&mut counting, &text, in_steps)?,
        Place::Managed | Place::Device(_) => count_in_place(&mut counting, &text, in_steps)?,
    }
    let long_words = long_words::count(device, &text, rule, counting.long_words())?;
    let summary = Summary {
        words: counting.words() + long_words.iter().map(|word| word.count).sum::<u64>(),
        distinct: counting.distinct()? + long_words.len() as u64,
    };
    let mut found = match counting.total() {
        Some(total) => top::most_frequent(device, total, counting.words(), k)?,
        None => Vec::new(),
    };
    append(&mut found, long_words.into_iter())?;
    let mut found = most_frequent(found, k);
    measure(&counting, &text, rule, &mut found)?;
    Ok((found, summary))
}

fn count_in_place(counting: &mut Counting, text: &View<u8>, in_steps: InSteps) -> Result<()> {
    let device = counting.device();
    let at = device.read(text)?;
    let mut done = 0;
    in_steps(&mut |part| {
        let (begin, end) = (done, done + part as usize);
        done = end;
        let text = WordsText { begin, end, ..counting.text(at.as_ptr(), text.len(), 0) };
        let pending = counting.launch(text)?;
        counting.finish(pending, true)
    })
}

/// Sets the lengths of words that the kernel did not measure.
fn measure(counting: &Counting, text: &View<u8>, rule: Rule, words: &mut [Tally]) -> Result<()> {
    let device = counting.device();
    let Place::Device(_) = text.place() else {
        device.synchronize()?; // before the host looks at managed memory
        let bytes = text.on_host()?;
        for word in words {
            word.len = (end_of_word(bytes, word.position as usize, rule) - word.position as usize) as u64;
        }
        return Ok(());
    };
    let mut unknown = reserved(words.len())?;
    unknown.extend(words.iter().filter(|word| word.len == 0).map(|word| word.position));
    let (positions, lengths) =
        (Buffer::<u64>::new(device, unknown.len())?, Buffer::<u64>::new(device, unknown.len())?);
    upload(device, positions.as_ptr(), &unknown)?;
    let whole = counting.text(text.as_ptr(), text.len(), 0);
    // SAFETY: as many positions of the text, and as many lengths.
    device.launch(|stream| unsafe {
        gpumexk_words_lengths(&whole, positions.as_ptr(), unknown.len(), lengths.as_ptr(), stream)
    })?;
    let lengths = download(device, lengths.as_ptr(), unknown.len())?;
    let without = words.iter_mut().filter(|word| word.len == 0);
    without.zip(lengths).for_each(|(word, len)| word.len = len);
    Ok(())
}

/// column ← numbers, and 0 behind them.
pub fn deliver(device: &Device, column: &mut ViewMut<u64>, numbers: impl Iterator<Item = u64>) -> Result<()> {
    let count = column.len();
    match column.place() {
        Place::Host | Place::Pinned => {
            device.synchronize()?;
            let column = column.on_host()?;
            column.fill(0);
            column.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
            Ok(())
        }
        place => {
            device.reaches(place, column.name(), column.as_mut_ptr().cast())?;
            let mut all = reserved(count)?;
            all.extend(numbers);
            all.resize(count, 0);
            upload(device, column.as_mut_ptr(), &all)
        }
    }
}

/// target (on the device) ← numbers of the host, which have been read on return.
fn upload<T: Element>(device: &Device, target: *mut T, numbers: &[T]) -> Result<()> {
    device.upload(target, &Input::new("numbers", numbers).view(&[numbers.len()])?)
}

/// `count` elements at an address on the device.
fn download<T: Element>(device: &Device, source: *const T, count: usize) -> Result<Vec<T>> {
    let mut numbers = zeros(count)?;
    device.download(&mut Output::new("numbers", &mut numbers).view(&[count])?, source)?;
    Ok(numbers)
}
