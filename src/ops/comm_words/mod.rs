//! Histogram of the words of a text whose parts are on several ranks.
#![forbid(unsafe_code)]

mod entries;
mod seam;

use std::ops::Range;

use super::copy;
use super::ranks::{self, bytes_of, bytes_of_mut};
use super::words::{self, List, Options, Summary};
use crate::array::{Input, Output, View, all_apart};
use crate::comm::{Comm, Field};
use crate::context::Context;
use crate::error::Result;
use crate::interrupt::Polls;
use crate::memory::Place;
use crate::model::words::{Rule, Tally, most_frequent};
use crate::vector;
use entries::Entries;
use seam::Seam;

/// list ← the k most frequent words of the text that the parts of all ranks are behind one another, on every rank; what it has, and how many
/// are listed. Parts may be cut anywhere, in words and characters too: positions are bytes of the whole text.
///
/// Algorithm: a word across a border belongs to the rank where it begins, which gets the rest of it (`Seam`). Each rank counts its words; a
/// word goes to the rank that the hash of its spelling names, which adds up its counts; the k most frequent ones of each rank are
/// gathered by all.
pub fn words(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (text, len): (Input, usize),
    k: usize,
    list: List,
) -> Result<(Summary, u64)> {
    let text = text.view::<u8>(&[len])?;
    let mut columns = [list.positions, list.lengths, list.counts];
    {
        let [positions, lengths, counts] = &mut columns;
        let [positions, lengths, counts] =
            [positions, lengths, counts].map(|column| column.reborrow().view::<u64>(&[k]));
        all_apart(&[&positions?, &lengths?, &counts?], &[&text])?;
    }
    let mut copy = Vec::new();
    let text = on_host(ctx, text, &mut copy)?;
    let rule = Rule { encoding: options.encoding, fold: options.fold };

    let seam = Seam::new(text);
    let ((), told) = comm.agree(
        Ok(()),
        &[
            Field::own(len),
            Field::own(seam.first),
            Field::own(seam.last),
            Field::own(usize::from(seam.has_cut)),
            Field::same("k", k),
            Field::same("options.encoding", options.encoding as i32),
            Field::same("options.fold", u64::from(options.fold)),
        ],
    )?;
    let start = ranks::offsets(told.of_all(0))?[comm.rank()];
    let numbers = told.of_all(0).zip(told.of_all(1)).zip(told.of_all(2).zip(told.of_all(3)));
    let seams = vector::collected(numbers.map(|((len, first), (last, has_cut))| {
        Seam::of(len as usize, first as usize, last as usize, has_cut == 1)
    }))?;
    let mut crossing = seam::Crossing::new(&seams, comm.rank(), text)?;
    comm.agree(Ok(()), &[])?;
    crossing.exchange(comm, text)?;

    let own = seams[comm.rank()].own(comm.rank());
    let across = Part { text: crossing.text(), start: start + own.end as u64 };
    let inside = Part { text: &text[own.clone()], start: start + own.start as u64 };
    let mut entries = Entries::new(comm.ranks())?;
    let mut words = inside.count(ctx, options, rule, &mut entries)?;
    let watched = ctx.watched();
    let counted = across.count(ctx, options, rule, &mut entries);
    ctx.watch_again(watched);
    words += counted?;

    let received = to_owners(comm, entries)?;
    let found = entries::added_up(&received)?;
    let distinct = found.len() as u64;
    let (summary, found) = gathered(comm, Summary { words, distinct }, most_frequent(found, k), k)?;
    let numbers: [fn(&Tally) -> u64; 3] = [|word| word.position, |word| word.len, |word| word.count];
    for (column, number) in columns.into_iter().zip(numbers) {
        let mut column_words = vector::zeros(k)?;
        column_words.iter_mut().zip(&found).for_each(|(to, word)| *to = number(word));
        ranks::deliver(ctx, &column_words, column, k * 8)?;
    }
    Ok((summary, found.len() as u64))
}

/// The text in memory of the host, to which that of a device, and managed memory that a device may be writing to, is copied.
fn on_host<'t>(ctx: &mut Context, text: View<'t, u8>, copied: &'t mut Vec<u64>) -> Result<&'t [u8]> {
    if matches!(text.place(), Place::Host | Place::Pinned) {
        return text.on_host();
    }
    let bytes = text.len();
    *copied = ranks::words(bytes)?;
    copy::copy_view(ctx, Output::new("a copy of the text", copied), text)?;
    bytes_of(copied, bytes)
}

/// A text whose words are whole, and the byte of all texts where it begins.
struct Part<'t> {
    text: &'t [u8],
    start: u64,
}

impl Part<'_> {
    /// Adds its words to the entries; gives back how many it has.
    fn count(&self, ctx: &mut Context, options: &Options, rule: Rule, entries: &mut Entries) -> Result<u64> {
        let text = Input::new("a part of the text", self.text).view::<u8>(&[self.text.len()])?;
        let (found, summary) = words::all(ctx, options, text)?;
        let mut polls = Polls::new();
        found.iter().try_for_each(|word| {
            polls.step();
            entries.add(self.text, rule, self.start, word)
        })?;
        Ok(summary.words)
    }
}

/// Sends each word to its owner; gives back the bytes of those that this rank owns.
fn to_owners(comm: &mut Comm, entries: Entries) -> Result<Vec<u8>> {
    let ranks = comm.ranks();
    let sends = ranks::ranges(entries.lengths())?;
    let sent = entries.into_bytes()?;
    let own = vector::collected(sends.iter().map(|range| range.len() as u64))?;
    let mut table = vector::zeros(ranks * ranks)?;
    comm.agree(Ok(()), &[])?;
    let room = table.len() * 8;
    comm.allgather(bytes_of(&own, ranks * 8)?, bytes_of_mut(&mut table, room)?)?;
    let to_this = table.iter().skip(comm.rank()).step_by(ranks);
    let receives = ranks::ranges(to_this.map(|&length| length as usize))?;
    let mut received = vector::zeros(receives.last().map_or(0, |last| last.end))?;
    comm.agree(Ok(()), &[])?;
    ranks::all_to_all(comm, &sent, &sends, &mut received, &receives)?;
    Ok(received)
}

/// The totals of all ranks, and the k most frequent words of all.
fn gathered(comm: &mut Comm, own: Summary, list: Vec<Tally>, k: usize) -> Result<(Summary, Vec<Tally>)> {
    const NUMBERS: usize = 3;
    let mut sent = ranks::words(list.len() * NUMBERS * 8)?;
    for (to, word) in sent.chunks_exact_mut(NUMBERS).zip(&list) {
        to.copy_from_slice(&[word.position, word.len, word.count]);
    }
    let fields = [own.words as usize, own.distinct as usize, list.len()].map(Field::own);
    let ((), told) = comm.agree(Ok(()), &fields)?;
    let summary = Summary { words: told.of_all(0).sum(), distinct: told.of_all(1).sum() };
    let receives = ranks::ranges(told.of_all(2).map(|len| len as usize * NUMBERS * 8))?;
    let bytes = receives.last().map_or(0, |last: &Range<usize>| last.end);
    let mut received = ranks::words(bytes)?;
    let to_all = vector::collected((0..comm.ranks()).map(|_| 0..sent.len() * 8))?;
    comm.agree(Ok(()), &[])?;
    let sent_bytes = bytes_of(&sent, sent.len() * 8)?;
    ranks::all_to_all(comm, sent_bytes, &to_all, bytes_of_mut(&mut received, bytes)?, &receives)?;
    let words = received.chunks_exact(NUMBERS);
    let found = words.map(|word| Tally { position: word[0], len: word[1], count: word[2] });
    Ok((summary, most_frequent(vector::collected(found)?, k)))
}
