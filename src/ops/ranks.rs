//! What operations on parts share: numbers and bytes of all ranks in memory of the host.
#![forbid(unsafe_code)]

use std::ops::Range;

use crate::array::{Input, Output};
use crate::comm::{Comm, Parcel};
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::vector::{self, zeros};

/// One element of any dtype.
pub type Cell = [u64; CELL_WORDS];
pub const CELL_WORDS: usize = 2;

/// Memory for `len` elements of any dtype.
pub fn elements(dtype: Dtype, len: usize) -> Result<Vec<u64>> {
    words(len.checked_mul(dtype.size()).ok_or_else(|| Error::out_of_memory("host memory", usize::MAX))?)
}

/// Memory for so many bytes, aligned to 8.
pub fn words(bytes: usize) -> Result<Vec<u64>> {
    zeros(bytes.div_ceil(8))
}

/// The first bytes of words.
pub fn bytes_of(words: &[u64], bytes: usize) -> Result<&[u8]> {
    Input::new("a temporary", words).view::<u8>(&[bytes])?.on_host()
}

/// The same to write.
pub fn bytes_of_mut(words: &mut [u64], bytes: usize) -> Result<&mut [u8]> {
    Output::new("a temporary", words).view::<u8>(&[bytes])?.into_host()
}

/// Elements of a dtype, one of each cell, as an array; and how many they are.
pub fn array_of(dtype: Dtype, cells: impl Iterator<Item = Cell>) -> Result<(Vec<u64>, usize)> {
    let mut bytes = Vec::new();
    let mut len = 0;
    for cell in cells {
        vector::reserve(&mut bytes, dtype.size())?;
        bytes.extend(cell.iter().flat_map(|word| word.to_le_bytes()).take(dtype.size()));
        len += 1;
    }
    let mut array = words(bytes.len())?;
    bytes_of_mut(&mut array, bytes.len())?.copy_from_slice(&bytes);
    Ok((array, len))
}

/// The positions at which the part of each rank begins, and behind them where the last one ends.
pub fn offsets(lengths: impl Iterator<Item = u64>) -> Result<Vec<u64>> {
    let mut offsets = vec![0u64];
    for length in lengths {
        let end = offsets[offsets.len() - 1].checked_add(length);
        let end = end
            .ok_or_else(|| Error::invalid("the parts of all ranks together have more than 2^64 elements"))?;
        vector::push(&mut offsets, end)?;
    }
    Ok(offsets)
}

/// to ← words of the host, for an array anywhere; nobody waits for a device that gets them.
pub fn deliver(ctx: &mut Context, words: &[u64], to: Output, bytes: usize) -> Result<()> {
    ctx.begin();
    let from = Input::new("a temporary", words).view::<u8>(&[bytes])?;
    let mut to = to.view::<u8>(&[bytes])?;
    if bytes == 0 {
        return Ok(());
    }
    ctx.run(|engine| match engine {
        Engine::Cpu(_) => {
            to.on_host()?.copy_from_slice(from.on_host()?);
            Ok(())
        }
        Engine::Cuda(device) => gpu::copy::deliver(device, to, from),
    })
}

/// Where the bytes of each rank lie in one buffer.
pub fn ranges(lengths: impl ExactSizeIterator<Item = usize>) -> Result<Vec<Range<usize>>> {
    let mut at = 0;
    vector::collected(lengths.map(|length| {
        at += length;
        at - length..at
    }))
}

/// received ← what each rank has for this one: `sends` and `receives` are the ranges for, and from, each rank. This rank's own bytes
/// are copied. Follows an agreement.
pub fn all_to_all(
    comm: &mut Comm,
    sent: &[u8],
    sends: &[Range<usize>],
    received: &mut [u8],
    receives: &[Range<usize>],
) -> Result<()> {
    let (rank, mut parcels) = (comm.rank(), comm.moved(|_| vector::reserved(sends.len()))?);
    let (mut rest, mut at) = (received, 0);
    for (peer, (send, receive)) in sends.iter().zip(receives).enumerate() {
        debug_assert_eq!(receive.start, at);
        let (to, behind) = rest.split_at_mut(receive.len());
        (rest, at) = (behind, receive.end);
        if peer == rank {
            to.copy_from_slice(&sent[send.clone()]); // no error may come between the steps of ranks
        } else if !(send.is_empty() && to.is_empty()) {
            parcels.push(Parcel { peer, send: &sent[send.clone()], receive: to });
        }
    }
    comm.exchange(&mut parcels)
}

/// Memory for [`add_up`].
pub struct Sums {
    partial: Vec<u64>,
}

impl Sums {
    /// Up to so many numbers cross in one step.
    const FEW: usize = 1 << 12;

    fn slice(len: usize, rank: usize, ranks: usize) -> Range<usize> {
        let border = |rank: usize| (len as u128 * rank as u128 / ranks as u128) as usize;
        border(rank)..border(rank + 1)
    }

    /// For `len` numbers; up to FEW of them, for fewer as well.
    pub fn new(comm: &Comm, len: usize) -> Result<Sums> {
        let (rank, ranks) = (comm.rank(), comm.ranks());
        let needed = match (ranks, len) {
            (1, _) => 0,
            (_, 0..=Sums::FEW) => len * ranks,
            _ => Sums::slice(len, rank, ranks).len().saturating_mul(ranks),
        };
        Ok(Sums { partial: zeros(needed)? })
    }

    /// numbers ← the sums over all ranks, `add` applied in the order of ranks; as many as it was made for. Follows an agreement.
    ///
    /// Algorithm: few numbers are gathered from all ranks by all. Many are cut into a slice a rank, which that rank adds up and hands
    /// to all: each number crosses twice, whatever the number of ranks.
    pub fn add_up(&mut self, comm: &mut Comm, numbers: &mut [u64], add: fn(u64, u64) -> u64) -> Result<()> {
        let (len, rank, ranks) = (numbers.len(), comm.rank(), comm.ranks());
        if ranks == 1 || len == 0 {
            return Ok(());
        }
        if len <= Sums::FEW {
            let room = len * ranks * 8;
            comm.allgather(bytes_of(numbers, len * 8)?, bytes_of_mut(&mut self.partial, room)?)?;
            add_rows(numbers, &self.partial[..len * ranks], add);
            return Ok(());
        }
        let room = self.partial.len() * 8;
        let in_bytes = |range: Range<usize>| range.start * 8..range.end * 8;
        let own = Sums::slice(len, rank, ranks);
        let slices = (0..ranks).map(|rank| in_bytes(Sums::slice(len, rank, ranks)));
        let own_bytes = (0..ranks).map(|_| own.len() * 8);
        let (slices, rows, to_all) = comm.moved(|_| {
            let to_all = own_bytes.clone().map(|bytes| 0..bytes);
            Ok((vector::collected(slices)?, ranges(own_bytes)?, vector::collected(to_all)?))
        })?;
        let partial = bytes_of_mut(&mut self.partial, room)?;
        all_to_all(comm, bytes_of(numbers, len * 8)?, &slices, partial, &rows)?;
        add_rows(&mut numbers[own.clone()], &self.partial, add);
        self.partial[..own.len()].copy_from_slice(&numbers[own.clone()]);
        let sent = bytes_of(&self.partial, own.len() * 8)?;
        all_to_all(comm, sent, &to_all, bytes_of_mut(numbers, len * 8)?, &slices)
    }
}

/// sums ← those of the rows, each as long.
fn add_rows(sums: &mut [u64], rows: &[u64], add: fn(u64, u64) -> u64) {
    let mut rows = rows.chunks_exact(sums.len().max(1));
    if let Some(first) = rows.next() {
        sums.copy_from_slice(first);
    }
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum = add(*sum, *number));
    }
}
