//! gpumex_check_edges finds the first edge that is not where it should be.

use gpumex::error::Status::{InvalidArgument, NullPointer};
use gpumex::ffi::*;

use crate::common::*;

#[track_caller]
fn first_bad(ctx: &Context, kind: Kind, edges: &[f64]) -> u64 {
    let mut there = Placed::holding(ctx, kind, edges);
    let mut found = u64::MAX;
    // SAFETY: as many edges as the slice has, a uint64_t.
    let status = unsafe { gpumex_check_edges(ctx.handle, there.as_ptr(), edges.len(), &mut found) };
    ok(status, format!("{edges:?} at {kind:?} on {:?}", ctx.backend));
    found
}

#[test]
fn the_first_bad_edge_is_found_wherever_edges_lie() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let cases: [(&[f64], u64); 8] = [
        (&[], 0),
        (&[1.0], 1),
        (&[nan], 0),
        (&[-inf, -0.0, 0.0, 0.0, 5e-324, inf], 6),
        (&[0.0, 1.0, 0.5, nan], 2),
        (&[0.0, 1.0, nan, 0.5], 2),
        (&[0.0, -5e-324], 1),
        (&[inf, -inf], 1),
    ];
    for ctx in backends() {
        for kind in EVERYWHERE {
            if kind.is_some() && ctx.backend == gpumex::platform::settings::Backend::Cpu {
                continue;
            }
            for (edges, want) in cases {
                assert_eq!(first_bad(&ctx, kind, edges), want, "{edges:?} at {kind:?}");
            }
            let mut many: Vec<f64> = (0..300_000).map(f64::from).collect();
            assert_eq!(first_bad(&ctx, kind, &many), 300_000);
            many[299_998] = 7.0;
            assert_eq!(first_bad(&ctx, kind, &many), 299_998);
        }
    }
}

#[test]
fn without_a_place_for_the_position_bad_edges_are_an_error() {
    for ctx in backends() {
        let check = |edges: &[f64]| {
            // SAFETY: as many edges as the slice has; first_bad may be NULL.
            unsafe { gpumex_check_edges(ctx.handle, edges.as_ptr(), edges.len(), std::ptr::null_mut()) }
        };
        ok(check(&[0.0, 1.0]), "first_bad NULL");
        let words = ["gpumex_check_edges", "edges[2]", "less than the edge before it"];
        refused(check(&[0.0, 1.0, 0.5]), InvalidArgument, &words, "first_bad NULL");
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_check_edges(ctx.handle, std::ptr::null(), 2, &mut 0) };
        refused(status, NullPointer, &["edges is NULL"], "edges NULL");
    }
}
