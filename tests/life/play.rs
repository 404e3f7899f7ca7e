//! Calls of gpumex_life: every way that serves a game, on every backend.

use std::ffi::{CString, c_void};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::life::LifeVariant::{self, Arrays, Cluster, Sequential, ShmemBytes, TextureBytes};
use gpumex::ops::life::{LifeBoundary, LifeCells};
use gpumex::platform::settings::Backend;

use super::oracle::{Game, LIFE};
use crate::common::*;

/// What CLUSTER serves at the least on CUDA; of larger boards it may say that they are too large.
const CLUSTER_BYTES: usize = 1 << 21;
const CLUSTER_COLS: usize = 8192;

impl Game<'_> {
    /// Whether a backend plays this game so.
    pub fn is_served(&self, ctx: &Context, variant: LifeVariant, cells: LifeCells) -> bool {
        let bits = self.rows * self.words() * 8;
        match variant {
            Sequential => ctx.backend == Backend::Cpu && cells == LifeCells::Bytes,
            Arrays | ShmemBytes | TextureBytes => {
                cells == LifeCells::Bytes && self.boundary == LifeBoundary::Clamp && self.rule == LIFE
            }
            Cluster if ctx.backend == Backend::Cuda => bits <= CLUSTER_BYTES && self.cols <= CLUSTER_COLS,
            _ => true,
        }
    }

    /// Calls `play` with every variant that serves the game on these cells.
    pub fn each_variant(&self, ctx: &Context, cells: LifeCells, mut play: impl FnMut(LifeVariant, &str)) {
        self.each_of(ctx.variants(), ctx, cells, &mut play);
    }

    /// As `each_variant`, without those that are AUTO by another name.
    fn each_distinct_variant(
        &self,
        ctx: &Context,
        cells: LifeCells,
        mut play: impl FnMut(LifeVariant, &str),
    ) {
        self.each_of(ctx.distinct_variants(), ctx, cells, &mut play);
    }

    fn each_of(
        &self,
        variants: Vec<LifeVariant>,
        ctx: &Context,
        cells: LifeCells,
        play: &mut impl FnMut(LifeVariant, &str),
    ) {
        for variant in variants.into_iter().filter(|&variant| self.is_served(ctx, variant, cells)) {
            play(variant, &format!("{:?}, {variant:?} on {cells:?}, {self:?}", ctx.backend));
        }
    }

    /// The status of a call.
    pub fn call(
        &self,
        ctx: &Context,
        (variant, cells): (LifeVariant, LifeCells),
        board: *const c_void,
        generations: u64,
        next: *mut c_void,
    ) -> i32 {
        let rule = CString::new(self.rule).expect("no NUL");
        let options = LifeOptions {
            variant: variant as i32,
            boundary: self.boundary as i32,
            cells: cells as i32,
            rule: rule.as_ptr(),
            ..LifeOptions::default()
        };
        // SAFETY: the caller's boards hold rows*cols cells, or rows of words.
        unsafe { gpumex_life(ctx.handle, &options, board, self.rows, self.cols, generations, next) }
    }

    /// Bytes after some generations, in place or apart.
    #[track_caller]
    pub fn bytes(
        &self,
        ctx: &Context,
        variant: LifeVariant,
        board: &[u8],
        generations: u64,
        is_in_place: bool,
    ) -> Vec<u8> {
        self.played(ctx, (variant, LifeCells::Bytes), board, generations, is_in_place)
    }

    /// As `bytes`, on bits.
    #[track_caller]
    pub fn bits(
        &self,
        ctx: &Context,
        variant: LifeVariant,
        board: &[u64],
        generations: u64,
        is_in_place: bool,
    ) -> Vec<u64> {
        self.played(ctx, (variant, LifeCells::Bits), board, generations, is_in_place)
    }

    #[track_caller]
    fn played<T: Number>(
        &self,
        ctx: &Context,
        way: (LifeVariant, LifeCells),
        board: &[T],
        generations: u64,
        is_in_place: bool,
    ) -> Vec<T> {
        let what = format!("{way:?} on {:?}, {self:?}, {generations} generations", ctx.backend);
        let mut next = if is_in_place { Output::holding(board) } else { Output::new(board.len()) };
        let to = next.as_mut_ptr();
        let from = if is_in_place { to.cast_const() } else { board.as_ptr() };
        ok(self.call(ctx, way, from.cast(), generations, to.cast()), &what);
        next.written(&what)
    }

    /// Every way that serves the game gives the cells of the plain loop, which are returned.
    #[track_caller]
    pub fn agreed(&self, backends: &[Context], board: &[u8], generations: u64, what: &str) -> Vec<u8> {
        let want = self.after(board, generations);
        self.agree_on(backends, board, generations, &want, &[false, true], what);
        want
    }

    /// Every way that serves the game, under one name each, gives `want`, from bytes and from bits, in these places.
    #[track_caller]
    pub fn agree_on(
        &self,
        backends: &[Context],
        board: &[u8],
        generations: u64,
        want: &[u8],
        in_place: &[bool],
        what: &str,
    ) {
        if is_not_in_small_share() {
            return;
        }
        let (from, to) = (self.packed(board, Some(generations)), self.packed(want, None));
        for ctx in backends {
            for &is_in_place in in_place {
                let what = format!("{what}, {generations} generations, in place: {is_in_place}");
                self.each_distinct_variant(ctx, LifeCells::Bytes, |variant, way| {
                    let got = self.bytes(ctx, variant, board, generations, is_in_place);
                    assert_same(&got, want, format!("{way}, {what}"));
                });
                self.each_distinct_variant(ctx, LifeCells::Bits, |variant, way| {
                    let got = self.bits(ctx, variant, &from, generations, is_in_place);
                    assert_same(&got, &to, format!("{way}, {what}"));
                });
            }
        }
    }
}

/// A board that is too large for a cluster is refused, or right.
#[test]
fn a_cluster_refuses_what_it_cannot_hold() {
    for ctx in backends() {
        for (rows, cols) in [(1, 8193), (3, 100_000), (8193, 8192), (6000, 6000)] {
            let game = Game::new(rows, cols);
            let mut board = vec![0u64; rows * game.words()];
            let at = board.as_mut_ptr().cast();
            let status = game.call(&ctx, (Cluster, LifeCells::Bits), at, 3, at.cast());
            let what = format!("CLUSTER on {:?}, {rows} x {cols}", ctx.backend);
            match ctx.backend {
                Backend::Cuda => {
                    let words = [&format!("{rows} x {cols}"), "cluster"];
                    refused(status, Status::Unsupported, &words, what);
                }
                _ => ok(status, what),
            }
        }
    }
}
