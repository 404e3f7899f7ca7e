//! A rank's slab whose halos come as packets that the kernels of its neighbours write, and which writes theirs.
//!
//! Scratch    Words: the packets of the halo above, LIFE_JOINED_PACKETS a strip, and of the halo below; behind them the kernel's counter and
//!            the flags of its tiles and halos.

use std::ptr::null_mut;

use super::super::Device;
use super::super::peer::{Region, Rows, Source, Stop};
use super::super::runtime::kernels::{
    LIFE_JOINED_PACKETS, LIFE_JOINED_ROWS_MIN, LIFE_STRIP_COLS, LIFE_STRIP_STEPS, LIFE_TILE_ROWS_MIN,
    LifeGame, LifeJoinedArgs, gpumexk_fill, gpumexk_life_joined,
};
use super::super::runtime::memory::Buffer;
use super::super::runtime::tuning::Kernel;
use super::slab::Slab;
use crate::error::Result;
use crate::model::life::Game;

/// Rows of a halo.
pub const HALO: usize = LIFE_STRIP_STEPS;

/// The fewest own rows of a rank.
pub const ROWS_MIN: usize = LIFE_JOINED_ROWS_MIN;

pub struct Joined<'d> {
    device: &'d Device,
    pub slab: Slab<'d>,
    game: Game,       // its rows are those of the slab
    of_a_halo: usize, // words of packets
    scratch: Buffer<'d, u32>,
    len: usize, // of the scratch
}

impl<'d> Joined<'d> {
    pub fn new(device: &'d Device, game: Game) -> Result<Joined<'d>> {
        let strips = game.cols.div_ceil(LIFE_STRIP_COLS);
        let of_a_halo = strips * LIFE_JOINED_PACKETS;
        let len = 2 * of_a_halo + 1 + (game.rows.div_ceil(LIFE_TILE_ROWS_MIN) + 2) * strips;
        let scratch = Buffer::new(device, len)?;
        Ok(Joined { device, slab: Slab::new(device, game)?, game, of_a_halo, scratch, len })
    }

    pub fn device(&self) -> &'d Device {
        self.device
    }

    /// No packet and no flag is of any step: before every launch, and before the neighbours may write some.
    pub fn clear(&self) -> Result<()> {
        let (scratch, tuning) = (self.scratch.as_ptr(), self.device.tuning(Kernel::Fill));
        // SAFETY: so many words.
        self.device.launch(|stream| unsafe { gpumexk_fill(scratch.cast(), self.len, 4, 0, &tuning, stream) })
    }

    /// What neighbours write while the kernels run: the packets.
    pub fn packets(&self) -> Source<'_> {
        let bytes = 2 * self.of_a_halo * size_of::<u32>();
        let packets = Rows { address: self.scratch.as_ptr().addr(), width: bytes, rows: 1, pitch: bytes };
        // SAFETY: memory of the device for as long as this lives; kernels of both sides use it by the rules of life/joined.cu.
        unsafe { Source::new(packets) }
    }

    /// Loads the kernel, which does nothing. Comes before an agreement, and before `clear`: what CUDA loads later may wait for a kernel of another
    /// device that waits for this rank.
    pub fn load(&self) -> Result<()> {
        self.launch(0, &self.args([None; 2]))
    }

    /// Own rows take so many steps, beside those of the neighbours, whose packets are given; then [`Slab::turn`]. Of two neighbours one plays
    /// `upwards`. `patience`: nanoseconds.
    pub fn play(
        &self,
        generations: u64,
        neighbours: [Option<Region>; 2],
        upwards: bool,
        (stop, patience): (&Stop, u64),
    ) -> Result<()> {
        let args = self.args(neighbours);
        let args = LifeJoinedArgs { upwards: upwards.into(), stop: stop.as_ptr(), patience, ..args };
        self.launch(generations, &args)
    }

    /// Without what ends a wait for neighbours.
    fn args(&self, [above, below]: [Option<Region>; 2]) -> LifeJoinedArgs {
        let halo = |packets: Region, first: usize| packets.address::<u32>().wrapping_add(first);
        let ([front, back], scratch) = (self.slab.addresses(), self.scratch.as_ptr());
        LifeJoinedArgs {
            front,
            back,
            counter: scratch.wrapping_add(2 * self.of_a_halo),
            packets_above: scratch,
            packets_below: scratch.wrapping_add(self.of_a_halo),
            to_above: above.map_or(null_mut(), |above| halo(above, self.of_a_halo)), // there it is the halo below
            to_below: below.map_or(null_mut(), |below| halo(below, 0)),
            upwards: 0,
            stop: null_mut(),
            patience: 0,
        }
    }

    fn launch(&self, generations: u64, args: &LifeJoinedArgs) -> Result<()> {
        let (game, tuning) = (LifeGame::of(&self.game), self.device.tuning(Kernel::LifeRegisters));
        // SAFETY: boards of strips, and packets of this rank and of neighbours that have as many columns and lend theirs.
        self.device.launch(|stream| unsafe { gpumexk_life_joined(args, &game, generations, &tuning, stream) })
    }
}
