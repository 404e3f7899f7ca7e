//! Rows of a board between halos, as strips on the device for as long as a call takes: what several ranks play on.
//!
//! Layout     life/strips.cuh: a strip of 240 columns is rows × 32 bytes, so that some rows of a slab are a rectangle, `strips` times
//!            rows·32 bytes from one strip to the next.

use super::super::Device;
use super::super::peer::{Rows, Source, Target};
use super::super::runtime::kernels::{
    LIFE_STRIP_COLS, LIFE_STRIP_STEPS, LifeGame, gpumexk_life_from_strips, gpumexk_life_pack,
    gpumexk_life_registers, gpumexk_life_to_strips, gpumexk_life_unpack,
};
use super::super::runtime::memory::Buffer;
use super::super::runtime::tuning::Kernel;
use super::bits::registers_scratch;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::model::life::Game;
use crate::vector;

/// Bytes of a row of a strip.
const STRIP_ROW: usize = 32;

/// Rows of a slab that lie behind one another: the first one, and how many.
pub type Piece = (usize, usize);

/// Cells of a rank's own rows to read.
pub enum Board<'a> {
    Bytes(View<'a, u8>),
    Bits(View<'a, u64>),
}

/// The same to write.
pub enum Next<'a> {
    Bytes(ViewMut<'a, u8>),
    Bits(ViewMut<'a, u64>),
}

/// What one other rank gets of a slab, and what comes from there.
pub type Crossing<'s> = (usize, Vec<Source<'s>>, Vec<Target<'s>>);

pub struct Slab<'d> {
    device: &'d Device,
    game: Game, // its rows are those of the slab
    front: Buffer<'d, u64>,
    back: Buffer<'d, u64>,
    scratch: Buffer<'d, u8>,
}

impl<'d> Slab<'d> {
    pub fn new(device: &'d Device, game: Game) -> Result<Slab<'d>> {
        let strips = game.cols.div_ceil(LIFE_STRIP_COLS);
        let len = game.rows.saturating_mul(strips).saturating_mul(4); // no less than the words of its plain bits
        let [front, back] = [Buffer::new(device, len)?, Buffer::new(device, len)?];
        let bytes = registers_scratch(&LifeGame::of(&game), &device.tuning(Kernel::LifeRegisters))?;
        Ok(Slab { device, game, front, back, scratch: Buffer::new(device, bytes)? })
    }

    /// The rank's own rows, from `first` on, become those of a board; the halos are undefined.
    pub fn load(&mut self, first: usize, board: Board) -> Result<()> {
        let (device, game) = (self.device, &self.game);
        let (rows, bits) = match board {
            Board::Bits(board) => {
                let is_reached = device.reaches(board.place(), board.name(), board.as_ptr().cast())?;
                if !is_reached {
                    device.upload(self.back.as_ptr(), &board)?;
                }
                let bits = if is_reached { board.as_ptr() } else { self.back.as_ptr().cast_const() };
                (board.len() / game.words(), bits)
            }
            Board::Bytes(board) => {
                let rows = board.len() / game.cols;
                let (cells, bits) = (device.read(&board)?, self.back.as_ptr());
                // SAFETY: rows·cols bytes, and as many rows of bits within the buffer.
                device.launch(|stream| unsafe {
                    gpumexk_life_pack(cells.as_ptr(), rows, game.cols, bits, stream)
                })?;
                (rows, bits.cast_const())
            }
        };
        let to = self.front.as_ptr();
        // SAFETY: a board of bits, and one of strips that has these rows.
        device.launch(|stream| unsafe {
            gpumexk_life_to_strips(bits, &LifeGame::of(game), first, rows, to.cast(), stream)
        })
    }

    /// All rows take so many steps; those at the ends of halos become wrong, a row a step.
    pub fn play(&mut self, generations: u64) -> Result<()> {
        let (front, back, scratch) = (self.front.as_ptr(), self.back.as_ptr(), self.scratch.as_ptr().cast());
        let (played, tuning) = (&LifeGame::of(&self.game), &self.device.tuning(Kernel::LifeRegisters));
        // SAFETY: both buffers are boards of strips, the scratch has the bytes that were asked for.
        self.device.launch(|stream| unsafe {
            gpumexk_life_registers(front.cast(), back.cast(), scratch, played, generations, tuning, stream)
        })?;
        self.turn(generations);
        Ok(())
    }

    /// The board is in front again, after kernels have played so many steps.
    pub fn turn(&mut self, generations: u64) {
        if !generations.div_ceil(LIFE_STRIP_STEPS as u64).is_multiple_of(2) {
            std::mem::swap(&mut self.front, &mut self.back);
        }
    }

    /// Where the board in front is, and the one behind it.
    pub(super) fn addresses(&self) -> [*mut u32; 2] {
        [self.front.as_ptr().cast(), self.back.as_ptr().cast()]
    }

    /// next ← the rank's own rows, from `first` on. The slab cannot be played on any more.
    pub fn store(self, first: usize, next: Next) -> Result<()> {
        let (device, game, bits) = (self.device, &self.game, self.back.as_ptr());
        match next {
            Next::Bits(mut next) => {
                let address = next.as_mut_ptr();
                let is_reached = device.reaches(next.place(), next.name(), address.cast())?;
                let to = if is_reached { address } else { bits };
                self.unpack(first, next.len() / game.words(), to)?;
                if is_reached { Ok(()) } else { device.download(&mut next, bits) }
            }
            Next::Bytes(next) => {
                let rows = next.len() / game.cols;
                self.unpack(first, rows, bits)?;
                let mut cells = device.write(next)?;
                let to = cells.as_mut_ptr();
                // SAFETY: rows of bits within the buffer, and rows·cols bytes.
                device.launch(|stream| unsafe { gpumexk_life_unpack(bits, rows, game.cols, to, stream) })?;
                cells.finish()
            }
        }
    }

    /// bits ← so many rows of the slab.
    fn unpack(&self, first: usize, rows: usize, bits: *mut u64) -> Result<()> {
        let from = self.front.as_ptr();
        // SAFETY: a board of strips that has these rows, and one of bits.
        self.device.launch(|stream| unsafe {
            gpumexk_life_from_strips(from.cast(), &LifeGame::of(&self.game), first, rows, bits, stream)
        })
    }

    /// Copies what the slab needs of itself, on a torus.
    pub fn copy_within(&mut self, from: &[Piece], to: &[Piece]) -> Result<()> {
        from.iter().zip(to).try_for_each(|(&from, &to)| {
            // SAFETY: rows of the slab, halos apart from own rows; of the device that is current.
            unsafe { self.device.copy_within(&self.rows(to), &self.rows(from)) }
        })
    }

    /// What crosses between this rank and the others; `pieces`: for each its number, the rows for it, and those from it.
    pub fn crossings<'s>(
        &'s mut self,
        pieces: impl Iterator<Item = (usize, &'s [Piece], &'s [Piece])>,
    ) -> Result<Vec<Crossing<'s>>> {
        let (slab, mut crossings) = (&*self, Vec::new());
        for (peer, sends, receives) in pieces {
            // SAFETY: rows of the slab, which is borrowed for as long; halos are apart from own rows and from one another.
            let sends = sends.iter().map(|&piece| unsafe { Source::new(slab.rows(piece)) });
            // SAFETY: as above.
            let receives = receives.iter().map(|&piece| unsafe { Target::new(slab.rows(piece)) });
            vector::push(&mut crossings, (peer, vector::collected(sends)?, vector::collected(receives)?))?;
        }
        Ok(crossings)
    }

    fn rows(&self, (row, rows): Piece) -> Rows {
        assert!(row <= self.game.rows && rows <= self.game.rows - row, "a piece lies within the slab");
        Rows {
            address: self.front.as_ptr().addr() + row * STRIP_ROW,
            width: rows * STRIP_ROW,
            rows: self.game.cols.div_ceil(LIFE_STRIP_COLS),
            pitch: self.game.rows * STRIP_ROW,
        }
    }
}
