//! Scans by expressions.

use std::fmt::Debug;

use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use super::calls::scan;
use super::joins::*;
use crate::common::*;
use crate::operands::samples::{Sample, numbers};

/// Of an exclusive scan; an inclusive one has all but the first, and the total.
fn prefixes<T: Copy>(join: &Join<T>, data: &[T], identity: T) -> Vec<T> {
    let mut all = vec![identity, data[0]];
    for &value in &data[1..] {
        all.push((join.apply)(all[all.len() - 1], value));
    }
    all
}

fn every_length<T: Sample + Debug>(ctx: &Context, joins: Vec<Join<T>>) {
    for (join, len) in joins.iter().flat_map(|join| SIZES.map(|len| (join, len))) {
        if is_long_for_share(len) || is_not_in_share() {
            continue;
        }
        let data = numbers::<T>(len as u64 + 1, len);
        let want = prefixes(join, &data, data[len / 2]);
        for variant in ctx.variants() {
            let how = (variant, &*join.text);
            let what = format!("{:?}, {variant:?}, {:?}, {len} of {:?}", ctx.backend, join.text, T::DTYPE);
            let (got, total) = scan(ctx, how, (ScanKind::Inclusive, false), [None; 3], &data, None);
            assert_same_bits(&got, &want[1..], &what);
            assert_same_bits(&[total], &want[len..], &what);
            let (got, _) = scan(ctx, how, (ScanKind::Exclusive, true), [None; 3], &data, Some(want[0]));
            assert_same_bits(&got, &want[..len], what);
        }
    }
}

#[test]
fn every_expression_agrees_with_the_plain_loop_at_every_length() {
    for ctx in backends() {
        for_every_join!(every_length(&ctx));
    }
}

#[test]
fn every_kind_of_memory_is_scanned_and_in_place_as_well() {
    let (join, data) = (affine64(), numbers::<u64>(5, 20_001));
    let want = prefixes(&join, &data, 77);
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|kind| EVERYWHERE.map(|to| [kind, to, kind])) {
            for (kind, is_in_place) in [ScanKind::Inclusive, ScanKind::Exclusive]
                .into_iter()
                .flat_map(|kind| [false, true].map(|is_in_place| (kind, is_in_place)))
            {
                let how = (Variant::Auto, &*join.text);
                let (got, total) = scan(&ctx, how, (kind, is_in_place), kinds, &data, Some(77));
                let first = usize::from(kind == ScanKind::Inclusive);
                let what = format!("{:?}, {kinds:?}, {kind:?}, in place: {is_in_place}", ctx.backend);
                assert_same_bits(&got, &want[first..first + data.len()], &what);
                assert_eq!(total, want[data.len()], "{what}");
            }
        }
    }
}

#[test]
fn nothing_has_the_identity_as_its_total() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let how = (variant, c"max (a, b)");
            let (none, total) =
                scan::<i64>(&ctx, how, (ScanKind::Inclusive, false), [None; 3], &[], Some(-5));
            assert!(none.is_empty() && total == -5);
        }
    }
}
