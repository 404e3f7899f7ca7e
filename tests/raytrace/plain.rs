//! The plain C function, and options that are left out.

use gpumex::ops::raytrace::RaytraceVariant;

use super::oracle::*;
use crate::common::*;

#[test]
fn the_plain_function_is_the_formula() {
    for (width, height, count) in [(1, 1, 1), (33, 17, 5), (200, 100, 64), (20, 10, 0), (16, 16, 2341)] {
        let what = format!("raytrace, {count} spheres, {width} x {height}, seed 6");
        let spheres = random_spheres(6, count, width, height);
        let mut rgba = Output::<u8>::new(height * width * 4);
        // SAFETY: count spheres of 7 numbers, height*width*4 bytes.
        ok(
            unsafe { gpumex::ffi::raytrace(spheres.as_ptr(), count, width, height, rgba.as_mut_ptr()) },
            &what,
        );
        assert_picture(&rgba.written(&what), &expected(&spheres, width, height), width, || what.clone());
    }
}

#[test]
fn what_has_no_bytes_may_be_null() {
    let null = std::ptr::null();
    for (width, height) in [(0, 0), (0, 5), (5, 0), (usize::MAX, 0), (0, usize::MAX)] {
        // SAFETY: no spheres, no pixels.
        let status = unsafe { gpumex::ffi::raytrace(null, 0, width, height, std::ptr::null_mut()) };
        ok(status, format!("raytrace of nothing to {width} x {height} at NULL"));
    }
    let mut rgba = Output::<u8>::new(24);
    // SAFETY: no spheres, 3*2*4 bytes.
    ok(unsafe { gpumex::ffi::raytrace(null, 0, 3, 2, rgba.as_mut_ptr()) }, "raytrace of no spheres at NULL");
    assert_same(&rgba.written("raytrace"), &[0, 0, 0, 255].repeat(6), "no spheres at NULL");
}

#[test]
fn null_options_are_the_defaults() {
    let spheres = random_spheres(7, 9, 40, 30);
    for ctx in backends() {
        let mut image = Output::<u8>::new(30 * 40 * 4);
        let what = format!("{:?}, options NULL, seed 7", ctx.backend);
        let (null, from) = (std::ptr::null(), spheres.as_ptr());
        // SAFETY: 9 spheres, 30*40*4 bytes.
        ok(
            unsafe { gpumex::ffi::gpumex_raytrace(ctx.handle, null, from, 9, 40, 30, image.as_mut_ptr()) },
            &what,
        );
        assert_picture(&image.written(&what), &expected(&spheres, 40, 30), 40, || what.clone());
    }
}

#[test]
fn four_channels_by_number_are_the_default() {
    let spheres = random_spheres(8, 9, 20, 10);
    for ctx in backends() {
        let options = gpumex::ffi::RaytraceOptions {
            variant: RaytraceVariant::Auto as i32,
            channels: 4,
            ..Default::default()
        };
        let mut image = Output::<u8>::new(10 * 20 * 4);
        let what = format!("{:?}, channels 4, seed 8", ctx.backend);
        let from = spheres.as_ptr();
        // SAFETY: 9 spheres, 10*20*4 bytes.
        ok(
            unsafe {
                gpumex::ffi::gpumex_raytrace(ctx.handle, &options, from, 9, 20, 10, image.as_mut_ptr())
            },
            &what,
        );
        assert_picture(&image.written(&what), &expected(&spheres, 20, 10), 20, || what.clone());
    }
}
