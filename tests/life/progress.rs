//! A context's progress callback: it is told how far a run is, and may cancel it.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::life::LifeBoundary::{Dead, Torus};
use gpumex::ops::life::{LifeCells, LifeVariant};

use super::oracle::Game;
use crate::common::*;

/// What a callback was told, and what it does.
#[derive(Default)]
struct Watch {
    told: Vec<(u64, u64)>,
    cancels_after: Option<u64>,
    answer: i32,
    enters: Option<Handle>,
    statuses: Vec<i32>,
}

unsafe extern "C" fn watched(user: *mut c_void, done: u64, total: u64) -> i32 {
    // SAFETY: what `by` handed over, on the thread that waits for it.
    let watch = unsafe { &mut *user.cast::<Watch>() };
    watch.told.push((done, total));
    if let Some(ctx) = watch.enters {
        // SAFETY: nobody is told from here on, were it not refused.
        let status = unsafe { gpumex_context_set_progress(ctx, None, null_mut()) };
        watch.statuses.extend([work(ctx, 1), status, gpumex_context_synchronize(ctx)]);
    }
    if watch.cancels_after.is_some_and(|after| done >= after) { watch.answer } else { 0 }
}

impl Watch {
    fn cancelling(after: u64, answer: i32) -> Watch {
        Watch { cancels_after: Some(after), answer, ..Watch::default() }
    }

    /// What the call answers under this watch.
    #[track_caller]
    fn by(&mut self, ctx: &Context, call: impl FnOnce() -> i32) -> i32 {
        let user = (&raw mut *self).cast();
        // SAFETY: a callback of this signature, and a watch that outlives its use.
        ok(unsafe { gpumex_context_set_progress(ctx.handle, Some(watched), user) }, "set_progress");
        let status = call();
        // SAFETY: nobody is told from here on.
        ok(unsafe { gpumex_context_set_progress(ctx.handle, None, null_mut()) }, "set_progress NULL");
        status
    }

    /// It was told of parts in order, the last of them the end.
    #[track_caller]
    fn saw_all_of(&self, total: u64, what: &str) {
        let ascends = self.told.windows(2).all(|pair| pair[0].0 < pair[1].0);
        assert!(ascends && self.told.iter().all(|(_, of)| *of == total), "{what}: {:?}", self.told);
        assert_eq!(self.told.last(), Some(&(total, total)), "{what}");
        assert!(total < 50 || self.told.len() > 2, "{what}: more than one part: {:?}", self.told);
    }
}

#[test]
fn a_watched_run_gives_the_same_cells_and_the_parts_sum_up() {
    for ctx in backends() {
        for (rows, cols, generations) in [(1, 1, 1000), (61, 241, 100), (700, 500, 77), (33, 65, 1)] {
            let game = Game { boundary: Torus, ..Game::new(rows, cols) };
            let board = random_board(51, game.cells());
            let (want, from) = (game.after(&board, generations), game.packed(&board, Some(3)));
            for clamped in [false, true] {
                let game = if clamped { Game::new(rows, cols) } else { game };
                let want = if clamped { game.after(&board, generations) } else { want.clone() };
                for cells in [LifeCells::Bytes, LifeCells::Bits] {
                    game.each_variant(&ctx, cells, |variant, what| {
                        let mut watch = Watch::default();
                        if cells == LifeCells::Bytes {
                            let mut next = Output::<u8>::new(board.len());
                            let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
                            let status =
                                watch.by(&ctx, || game.call(&ctx, (variant, cells), from, generations, to));
                            ok(status, what);
                            assert_same(&next.written(what), &want, what);
                        } else {
                            let mut both = Output::<u64>::holding(&from);
                            let at = both.as_mut_ptr().cast();
                            let status =
                                watch.by(&ctx, || game.call(&ctx, (variant, cells), at, generations, at));
                            ok(status, what);
                            assert_same(&both.written(what), &game.packed(&want, None), what);
                        }
                        watch.saw_all_of(generations, what);
                    });
                }
            }
        }
    }
}

#[test]
fn no_generations_are_nothing_to_tell() {
    for ctx in backends() {
        let mut watch = Watch::cancelling(0, 1);
        ok(watch.by(&ctx, || work(ctx.handle, 0)), "no generations");
        assert_eq!(watch.told, [], "{:?}", ctx.backend);
    }
}

#[test]
fn a_cancelled_run_says_so_and_the_context_goes_on() {
    for ctx in backends() {
        let game = Game { boundary: Dead, ..Game::new(300, 300) };
        let board = random_board(52, game.cells());
        game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
            for answer in [1, -7, i32::MIN] {
                let mut watch = Watch::cancelling(3, answer);
                let mut next = board.clone();
                let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
                let way = (variant, LifeCells::Bytes);
                let status = watch.by(&ctx, || game.call(&ctx, way, from, 100_000, to));
                let done = watch.told.last().expect("it was told").0;
                let words = ["gpumex_life", &format!("returned {answer} after {done} of 100000")];
                refused(status, Status::Cancelled, &words, what);
                assert!((3..100_000).contains(&done), "{what}: cancelled after {done}");
                ok(count(ctx.handle), "gpumex_histogram after it");
                assert_same(&game.bytes(&ctx, variant, &board, 5, false), &game.after(&board, 5), what);
            }
        });
    }
}

/// Generations are counted in 64 bits.
#[test]
fn runs_of_all_generations_that_there_are_can_be_cancelled() {
    for ctx in backends() {
        for (rows, cols) in [(1, 1), (1, 1000), (64, 64), (300, 500)] {
            let game = Game { boundary: Torus, ..Game::new(rows, cols) };
            for cells in [LifeCells::Bytes, LifeCells::Bits] {
                game.each_variant(&ctx, cells, |variant, what| {
                    let mut board = vec![0u64; game.cells()]; // room for either
                    let at = board.as_mut_ptr().cast();
                    let mut watch = Watch::cancelling(1000, 1);
                    let status = watch.by(&ctx, || game.call(&ctx, (variant, cells), at, u64::MAX, at));
                    refused(status, Status::Cancelled, &["of 18446744073709551615"], what);
                });
            }
        }
    }
}

#[test]
fn the_context_is_busy_for_its_callback() {
    for ctx in backends() {
        let mut watch = Watch { enters: Some(ctx.handle), ..Watch::default() };
        ok(watch.by(&ctx, || work(ctx.handle, 20)), "a run whose callback wants the context");
        assert!(!watch.statuses.is_empty());
        assert!(watch.statuses.iter().all(|&status| status == Status::Busy as i32), "{:?}", watch.statuses);
        watch.saw_all_of(20, "a run whose callback wants the context");
    }
}

#[test]
fn a_callback_may_use_another_context() {
    for ctx in backends() {
        let other = Context::cpu();
        let mut watch = Watch { enters: Some(other.handle), ..Watch::default() };
        ok(watch.by(&ctx, || work(ctx.handle, 20)), "a run whose callback works elsewhere");
        assert!(watch.statuses.iter().all(|&status| status == 0), "{:?}", watch.statuses);
    }
}

#[test]
fn null_ends_the_telling_and_contexts_are_watched_apart() {
    for ctx in backends() {
        let (mut watch, other) = (Watch::default(), Context::cpu());
        ok(watch.by(&ctx, || work(other.handle, 50)), "another context");
        assert_eq!(watch.told, []);
        ok(watch.by(&ctx, || work(ctx.handle, 50)), "a watched run");
        watch.saw_all_of(50, "a watched run");
        let before = watch.told.len();
        ok(work(ctx.handle, 50), "a run that nobody watches");
        assert_eq!(watch.told.len(), before, "{:?}", ctx.backend);
    }
}

#[test]
fn a_long_run_is_told_of_some_times_a_second() {
    let ctx = Context::cpu();
    let game = Game { boundary: Dead, ..Game::new(2000, 2000) };
    let mut board = vec![1u8; game.cells()];
    let at = board.as_mut_ptr().cast();
    let mut watch = Watch::default();
    let way = (LifeVariant::Auto, LifeCells::Bytes);
    ok(watch.by(&ctx, || game.call(&ctx, way, at, 3000, at)), "a long run");
    watch.saw_all_of(3000, "a long run");
    assert!(watch.told.len() < 1500, "a part is as many generations as take a while: {}", watch.told.len());
}
