//! Words across the borders of parts.
//!
//! A cut is a place behind an ASCII byte that separates words. The bytes of a part up to its first cut go to the nearest rank before it
//! that has one, or to the first rank, behind whose last cut they lie in the whole text; of a part without a cut all bytes do.
#![forbid(unsafe_code)]

use std::ops::Range;

use crate::comm::Comm;
use crate::error::Result;
use crate::model::words::{cut, last_cut};
use crate::ops::ranks;
use crate::vector;

/// Where the part of a rank is cut.
#[derive(Clone, Copy)]
pub struct Seam {
    len: usize,
    /// The first cut, else the end.
    pub first: usize,
    /// The last one, else the beginning.
    pub last: usize,
    pub has_cut: bool,
}

impl Seam {
    pub fn new(text: &[u8]) -> Seam {
        match last_cut(text, 0, text.len()) {
            Some(last) => Seam::of(text.len(), cut(text, 0, 0), last, true),
            None => Seam::of(text.len(), text.len(), 0, false),
        }
    }

    pub fn of(len: usize, first: usize, last: usize, has_cut: bool) -> Seam {
        Seam { len, first, last, has_cut }
    }

    /// Whether a rank has words that begin in its part.
    fn keeps(&self, rank: usize) -> bool {
        rank == 0 || self.has_cut
    }

    /// What lies between the cuts of a rank.
    pub fn own(&self, rank: usize) -> Range<usize> {
        match (rank, self.has_cut) {
            (_, false) => self.last_kept(rank)..self.last_kept(rank),
            (0, true) => 0..self.last,
            (_, true) => self.first..self.last,
        }
    }

    /// Where the text begins that goes on in the next part.
    fn last_kept(&self, rank: usize) -> usize {
        match (rank, self.has_cut) {
            (_, true) => self.last,
            (0, false) => 0,
            (_, false) => self.len, // all of it goes to another rank
        }
    }

    /// The bytes that go to another rank.
    fn given(&self, rank: usize) -> usize {
        if rank == 0 { 0 } else { self.first }
    }
}

/// The text behind the last cut of a rank, with what follows it on other ranks.
pub struct Crossing {
    text: Vec<u8>,
    own: usize,
    sends: Vec<Range<usize>>,
    receives: Vec<Range<usize>>, // behind the own bytes
}

impl Crossing {
    pub fn new(seams: &[Seam], rank: usize, text: &[u8]) -> Result<Crossing> {
        let keeper = |rank: usize| (0..rank).rev().find(|&before| seams[before].keeps(before)).unwrap_or(0);
        let given =
            |from: usize, to: usize| if from > 0 && keeper(from) == to { seams[from].given(from) } else { 0 };
        let sends = vector::collected((0..seams.len()).map(|to| 0..given(rank, to)))?;
        let receives = ranks::ranges((0..seams.len()).map(|from| given(from, rank)))?;
        let rest = &text[seams[rank].last_kept(rank)..];
        let mut all = vector::zeros(rest.len() + receives.last().map_or(0, |last| last.end))?;
        vector::copy(&mut all[..rest.len()], rest);
        Ok(Crossing { own: rest.len(), text: all, sends, receives })
    }

    pub fn exchange(&mut self, comm: &mut Comm, text: &[u8]) -> Result<()> {
        ranks::all_to_all(comm, text, &self.sends, &mut self.text[self.own..], &self.receives)
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }
}
