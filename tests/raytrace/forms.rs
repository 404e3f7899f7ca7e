//! Forms of a picture: 3 or 4 channels, interleaved, in planes of rows or of columns, at any byte.

use gpumex::ffi::{RaytraceOptions, gpumex_raytrace};
use gpumex::ops::raytrace::RaytraceVariant;

use super::oracle::*;
use crate::common::*;

const CHANNELS: [usize; 2] = [3, 4];
const LAYOUTS: std::ops::Range<usize> = 0..3;

/// Where channel c of pixel (i, j) is in a picture of `channels` channels.
fn place([width, height]: [usize; 2], channels: usize, layout: usize, [i, j, c]: [usize; 3]) -> usize {
    match layout {
        0 => (j * width + i) * channels + c,
        1 => (c * height + j) * width + i,
        _ => (c * width + i) * height + j,
    }
}

/// The RGBA picture in another form.
fn formed(rgba: &[u8], size: [usize; 2], channels: usize, layout: usize) -> Vec<u8> {
    let [width, height] = size;
    let mut picture = vec![0; width * height * channels];
    for (index, pixel) in rgba.chunks_exact(4).enumerate() {
        for (c, value) in pixel[..channels].iter().enumerate() {
            picture[place(size, channels, layout, [index % width, index / width, c])] = *value;
        }
    }
    picture
}

fn options(variant: RaytraceVariant, channels: usize, layout: usize) -> RaytraceOptions {
    RaytraceOptions {
        variant: variant as i32,
        channels: channels as i32,
        layout: layout as i32,
        ..RaytraceOptions::default()
    }
}

/// Every form by every variant on every backend, `offset` bytes into an array.
fn all_forms(spheres: &[f32], size: [usize; 2], offset: usize) {
    let ([width, height], count) = (size, spheres.len() / 7);
    let rgba = expected(spheres, width, height);
    for ctx in backends() {
        for variant in ctx.variants() {
            for (channels, layout) in
                CHANNELS.into_iter().flat_map(|n| LAYOUTS.map(move |layout| (n, layout)))
            {
                let what = format!(
                    "{:?}, {variant:?}, {count} spheres, {width} x {height}, {channels} channels, layout {layout}, {offset} bytes on",
                    ctx.backend
                );
                let want = formed(&rgba, size, channels, layout);
                let mut image = Output::<u8>::holding(&vec![0xA5; offset + want.len()]);
                let (options, to) =
                    (options(variant, channels, layout), image.as_mut_ptr().wrapping_add(offset));
                let from = spheres.as_ptr();
                // SAFETY: count spheres of 7 numbers, offset bytes and those of the picture.
                ok(unsafe { gpumex_raytrace(ctx.handle, &options, from, count, width, height, to) }, &what);
                let got = image.written(&what);
                assert_same(&got[..offset], &vec![0xA5; offset], &what);
                assert_same(&got[offset..], &want, &what);
            }
        }
    }
}

#[test]
fn every_form_holds_the_same_picture() {
    for (size, count) in [([1, 1], 1), ([7, 5], 3), ([64, 32], 40), ([33, 70], 60), ([128, 9], 2500)] {
        all_forms(&random_spheres(20, count, size[0], size[1]), size, 0);
    }
}

#[test]
fn every_form_may_start_at_any_byte() {
    for offset in [1, 2, 3, 4, 8, 13] {
        all_forms(&random_spheres(21, 30, 36, 20), [36, 20], offset);
    }
}

#[test]
fn every_form_of_more_spheres_than_are_few_is_the_same() {
    all_forms(&random_spheres(22, 5000, 48, 40), [48, 40], 0);
}

#[test]
fn no_spheres_give_the_background_in_every_form() {
    all_forms(&[], [37, 20], 0);
}
