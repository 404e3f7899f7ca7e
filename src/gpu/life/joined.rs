//! A rank's slab whose halos the kernels of its neighbours write, and which writes theirs.
//!
//! Scratch    Words: the packets of the halo above, LIFE_JOINED_PACKETS a strip, and of the halo below; behind them the kernel's counter and
//!            the flags of its tiles.

use std::ptr::null;

use super::super::Device;
use super::super::peer::{Region, Rows, Source, Stop};
use super::super::runtime::kernels::{
    LIFE_JOINED_PACKETS, LIFE_JOINED_ROWS_MIN, LIFE_STRIP_COLS, LIFE_STRIP_STEPS, LIFE_TILE_ROWS_MIN,
    LifeGame, LifeJoinedArgs, LifeSide, gpumexk_fill, gpumexk_life_joined,
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

/// The slab of a neighbour.
#[derive(Clone, Copy)]
pub struct Neighbour<'r> {
    /// As [`Joined::regions`] tells them there.
    pub regions: &'r [Region<'r>],
    pub rows: usize,
    /// The first row of its halo on this side.
    pub halo: usize,
}

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
        let len = 2 * of_a_halo + 1 + game.rows.div_ceil(LIFE_TILE_ROWS_MIN) * strips;
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

    /// What neighbours use while the kernels run: the board in front, the one behind it, the packets.
    pub fn regions(&self) -> [Source<'_>; 3] {
        let [front, back] = self.slab.boards();
        // SAFETY: memory of the device for as long as this lives; kernels of both sides use it by the rules of life/joined.cu.
        let packets = unsafe {
            let bytes = 2 * self.of_a_halo * size_of::<u32>();
            Source::new(Rows { address: self.scratch.as_ptr().addr(), width: bytes, rows: 1, pitch: bytes })
        };
        [front, back, packets]
    }

    /// Own rows take so many steps, beside those of the neighbours; then [`Slab::turn`]. Of two neighbours one plays `upwards`. `patience`:
    /// nanoseconds.
    pub fn play(
        &self,
        generations: u64,
        [above, below]: [Option<Neighbour>; 2],
        upwards: bool,
        (stop, patience): (&Stop, u64),
    ) -> Result<()> {
        let side = |Neighbour { regions, rows, halo }: Neighbour, packets: usize| LifeSide {
            front: regions[0].address(),
            back: regions[1].address(),
            rows,
            halo,
            packets: regions[2].address::<u32>().wrapping_add(packets),
        };
        let above = above.map(|above| side(above, self.of_a_halo)); // there it is the halo below
        let below = below.map(|below| side(below, 0));
        let ([front, back], scratch) = (self.slab.addresses(), self.scratch.as_ptr());
        let args = LifeJoinedArgs {
            front,
            back,
            counter: scratch.wrapping_add(2 * self.of_a_halo),
            packets_above: scratch,
            packets_below: scratch.wrapping_add(self.of_a_halo),
            above: above.as_ref().map_or(null(), |above| above),
            below: below.as_ref().map_or(null(), |below| below),
            upwards: upwards.into(),
            stop: stop.as_ptr(),
            patience,
        };
        let (game, tuning) = (LifeGame::of(&self.game), self.device.tuning(Kernel::LifeRegisters));
        // SAFETY: boards of strips, and packets, of this rank and of neighbours that have as many columns and lend theirs.
        self.device
            .launch(|stream| unsafe { gpumexk_life_joined(&args, &game, generations, &tuning, stream) })
    }
}
