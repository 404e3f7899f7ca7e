//! Ray caster: every variant on every backend gives, bit for bit, the picture of the formula in include/gpumex.h.

mod common;

use common::*;
use gpumex::ops::raytrace::RaytraceVariant;

// -------------------------------------------------------------------------------------------------------- the oracle

/// What the eye sees in column i, row j.
fn expected_pixel(spheres: &[f32], i: usize, j: usize, width: usize, height: usize) -> [u8; 4] {
    let (ox, oy) = (i as f32 - width as f32 / 2.0, j as f32 - height as f32 / 2.0);
    let mut nearest: Option<(f32, [f32; 3])> = None;
    for sphere in spheres.chunks_exact(7) {
        let &[r, g, b, radius, x, y, z] = sphere else { unreachable!("chunks of 7") };
        let (dx, dy) = (x - ox, y - oy);
        let d = f32::mul_add(dy, dy, dx * dx);
        let is_hit = radius > 0.0 && d < radius * radius;
        if !is_hit {
            continue;
        }
        let dz = f32::mul_add(radius, radius, -d).sqrt();
        let depth = z + dz;
        let is_nearest = match nearest {
            None => !depth.is_nan(),
            Some((so_far, _)) => depth > so_far,
        };
        if is_nearest {
            nearest = Some((depth, [r, g, b].map(|colour| (colour * (dz / radius)) * 255.0)));
        }
    }
    let channel = |value: f32| match value {
        value if value >= 255.0 => 255,
        value if value > 0.0 => value.trunc() as u8,
        _ => 0, // negative, or NaN
    };
    let [r, g, b] = nearest.map_or([0; 3], |(_, colours)| colours.map(channel));
    [r, g, b, 255]
}

fn expected(spheres: &[f32], width: usize, height: usize) -> Vec<u8> {
    let pixels = (0..width * height).map(|index| (index % width, index / width));
    pixels.flat_map(|(i, j)| expected_pixel(spheres, i, j, width, height)).collect()
}

// ------------------------------------------------------------------------------------------------------------ helpers

/// The picture that all variants on all backends have agreed on.
#[track_caller]
fn agreed(backends: &[Context], spheres: &[f32], width: usize, height: usize, what: &str) -> Vec<u8> {
    let want = expected(spheres, width, height);
    for ctx in backends {
        for variant in ctx.variants() {
            let got = raytrace(ctx, variant, spheres, width, height);
            assert_picture(&got, &want, width, || {
                let (backend, count) = (ctx.backend, spheres.len() / 7);
                let scene = if count <= 8 { format!(", spheres {spheres:?}") } else { String::new() };
                format!("{what}, {backend:?}, {variant:?}, {count} spheres, {width} x {height}{scene}")
            });
        }
    }
    want
}

/// Two pictures are equal; else names the first pixel that differs.
#[track_caller]
fn assert_picture(got: &[u8], want: &[u8], width: usize, what: impl Fn() -> String) {
    if got == want {
        return;
    }
    let pixels =
        || got.chunks_exact(4).zip(want.chunks_exact(4)).enumerate().filter(|(_, (got, want))| got != want);
    let Some((index, (got, want))) = pixels().next() else { panic!("{}: a picture of another size", what()) };
    let (what, i, j, differing) = (what(), index % width, index / width, pixels().count());
    panic!(
        "{what}: pixel {index}, column {i}, row {j}: got {got:?}, want {want:?} ({differing} pixels differ)"
    );
}

const GREY: [f32; 3] = [0.5, 0.5, 0.5];
const RED: [f32; 3] = [1.0, 0.0, 0.0];
const GREEN: [f32; 3] = [0.0, 1.0, 0.0];

fn sphere([r, g, b]: [f32; 3], radius: f32, [x, y, z]: [f32; 3]) -> [f32; 7] {
    [r, g, b, radius, x, y, z]
}

/// The colour of the pixel at the origin.
fn at_centre(picture: &[u8], width: usize, height: usize) -> [u8; 4] {
    let index = height / 2 * width + width / 2;
    std::array::from_fn(|channel| picture[4 * index + channel])
}

// -------------------------------------------------------------------------------------------------------------- sizes

#[test]
fn pictures_of_every_size_are_the_formula() {
    let backends = backends();
    for (width, height) in
        [(1, 1), (1, 7), (7, 1), (2, 2), (15, 16), (17, 33), (33, 17), (200, 100), (256, 256)]
    {
        for count in [0, 1, 5, 64] {
            let seed = (1000 * width + count) as u64;
            let spheres = random_spheres(seed, count, width, height);
            agreed(&backends, &spheres, width, height, &format!("seed {seed}"));
        }
    }
}

#[test]
fn more_spheres_than_constant_memory_holds_are_the_formula() {
    let backends = backends();
    for (width, height) in [(33, 17), (1, 7), (40, 40)] {
        for count in [2339, 2340, 2341, 4680, 4681, 5000] {
            let seed = count as u64;
            let spheres = random_spheres(seed, count, width, height);
            agreed(&backends, &spheres, width, height, &format!("seed {seed}"));
        }
    }
}

#[test]
fn a_nearest_sphere_anywhere_in_a_long_list_is_seen() {
    let backends = backends();
    let (width, height, count) = (16, 12, 5000);
    let behind = random_spheres(1, count, width, height);
    for index in [0, 1, 2338, 2339, 2340, 2341, 4679, 4680, 4999] {
        let mut spheres = behind.clone();
        spheres[7 * index..7 * index + 7].copy_from_slice(&sphere(RED, 100.0, [0.0, 0.0, 1e4]));
        let picture = agreed(&backends, &spheres, width, height, &format!("seed 1, sphere {index} in front"));
        assert_eq!(at_centre(&picture, width, height), [255, 0, 0, 255], "sphere {index} is in front of all");
    }
}

#[test]
fn pictures_of_one_row_are_right_where_float32_cannot_count_the_columns() {
    let backends = backends();
    for width in [(1 << 24) + 3, (1 << 24) + 6] {
        let far = width as f32 / 2.0;
        let spheres = [
            sphere(GREY, 1000.0, [0.0, 0.0, 0.0]),
            sphere(RED, 900.0, [far, 0.0, 5.0]),
            sphere(GREEN, 700.0, [-far, 0.0, 5.0]),
        ];
        let what = format!("column numbers up to {width}");
        let want = expected(spheres.as_flattened(), width, 1);
        for ctx in &backends {
            for variant in ctx.variants() {
                let got = raytrace(ctx, variant, spheres.as_flattened(), width, 1);
                assert_picture(&got, &want, width, || format!("{what}, {:?}, {variant:?}", ctx.backend));
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ meaning

#[test]
fn no_spheres_give_an_opaque_black_picture() {
    let picture = agreed(&backends(), &[], 31, 9, "no spheres");
    assert_same(&picture, &[0, 0, 0, 255].repeat(31 * 9), "background");
}

#[test]
fn one_sphere_is_a_disc_bright_in_the_middle() {
    let picture = agreed(&backends(), &sphere([1.0, 0.5, 0.25], 10.0, [0.0; 3]), 64, 48, "one sphere");
    assert_eq!(at_centre(&picture, 64, 48), [255, 127, 63, 255], "the middle has the colour itself");
    assert_eq!(picture[..4], [0, 0, 0, 255], "the corner is background");
    let seen = picture.chunks_exact(4).filter(|pixel| pixel[0] > 0).count();
    assert_eq!(seen, 305, "pixels with dx² + dy² < 10²");
}

#[test]
fn rows_go_with_y_and_columns_with_x() {
    let picture = agreed(&backends(), &sphere(RED, 1.0, [3.0, -2.0, 0.0]), 20, 10, "one dot at (3, -2)");
    let dots: Vec<usize> = (0..200).filter(|index| picture[4 * index] > 0).collect();
    assert_eq!(dots, [(5 - 2) * 20 + 10 + 3], "the pixels that see the dot");
}

#[test]
fn the_first_of_equal_spheres_wins() {
    let backends = backends();
    let (red, green) = (sphere(RED, 5.0, [0.5, 0.5, 2.0]), sphere(GREEN, 5.0, [0.5, 0.5, 2.0]));
    let picture = agreed(&backends, [red, green].as_flattened(), 17, 13, "red, then green");
    assert_eq!(at_centre(&picture, 17, 13)[1], 0, "green is not seen");
    let picture = agreed(&backends, [green, red].as_flattened(), 17, 13, "green, then red");
    assert_eq!(at_centre(&picture, 17, 13)[0], 0, "red is not seen");
}

#[test]
fn the_first_of_equal_spheres_wins_across_a_long_list() {
    let backends = backends();
    let (width, height) = (16, 12);
    for (first, second) in [(0, 4999), (2339, 2340), (100, 2400), (2340, 4680), (4679, 4681)] {
        let mut spheres = random_spheres(2, 5000, width, height);
        spheres[7 * first..7 * first + 7].copy_from_slice(&sphere(RED, 100.0, [0.0, 0.0, 1e4]));
        spheres[7 * second..7 * second + 7].copy_from_slice(&sphere(GREEN, 100.0, [0.0, 0.0, 1e4]));
        let what = format!("seed 2, red at {first}, green at {second}");
        let picture = agreed(&backends, &spheres, width, height, &what);
        assert_eq!(at_centre(&picture, width, height), [255, 0, 0, 255], "{what}");
    }
}

#[test]
fn spheres_whose_depths_round_alike_are_a_tie() {
    let backends = backends();
    // From z = 2^24 on, float32 knows every second number: depths of 2^24 + 1 and 2^24 + 0.5 are both 2^24. Infinite ones tie too.
    for z in [16_777_216.0, f32::INFINITY] {
        let (red, green) = (sphere(RED, 1.0, [0.0, 0.0, z]), sphere(GREEN, 0.5, [0.0, 0.0, z]));
        let picture =
            agreed(&backends, [red, green].as_flattened(), 8, 8, &format!("red, then green at z = {z}"));
        assert_eq!(at_centre(&picture, 8, 8), [255, 0, 0, 255], "red is the first at z = {z}");
        let picture =
            agreed(&backends, [green, red].as_flattened(), 8, 8, &format!("green, then red at z = {z}"));
        assert_eq!(at_centre(&picture, 8, 8), [0, 255, 0, 255], "green is the first at z = {z}");
    }
}

#[test]
fn a_sphere_at_minus_infinity_is_seen_when_nothing_else_is() {
    let backends = backends();
    let (far, near) =
        (sphere(RED, 6.0, [0.0, 0.0, f32::NEG_INFINITY]), sphere(GREEN, 3.0, [0.0, 0.0, -1e30]));
    let alone = agreed(&backends, &far, 16, 16, "z = -inf");
    assert_eq!(at_centre(&alone, 16, 16), [255, 0, 0, 255], "alone");
    let covered = agreed(&backends, [far, near].as_flattened(), 16, 16, "z = -inf before z = -1e30");
    assert_eq!(at_centre(&covered, 16, 16), [0, 255, 0, 255], "behind another");
}

#[test]
fn an_infinite_radius_is_nearest_and_black() {
    let backends = backends();
    let wide = sphere(RED, f32::INFINITY, [0.0, 0.0, 0.0]);
    let near = sphere(GREEN, 4.0, [0.0, 0.0, 100.0]);
    for scene in [[wide, near], [near, wide]] {
        let picture = agreed(&backends, scene.as_flattened(), 12, 10, "infinite radius");
        assert_eq!(at_centre(&picture, 12, 10), [0, 0, 0, 255], "inf / inf is NaN, which is 0");
    }
    let nowhere = sphere(RED, f32::INFINITY, [0.0, 0.0, f32::NEG_INFINITY]);
    let picture = agreed(&backends, [nowhere, near].as_flattened(), 12, 10, "infinite radius at z = -inf");
    assert_eq!(at_centre(&picture, 12, 10), [0, 255, 0, 255], "a depth of NaN never wins");
}

#[test]
fn a_radius_of_zero_or_less_is_never_seen() {
    for radius in [0.0, -0.0, -1.0, -1e30, f32::NEG_INFINITY, f32::NAN] {
        let scene = [sphere(RED, radius, [0.0, 0.0, 10.0]), sphere(GREY, 4.0, [0.0, 0.0, 0.0])];
        let picture = agreed(&backends(), scene.as_flattened(), 12, 10, &format!("radius {radius}"));
        assert_eq!(at_centre(&picture, 12, 10), [127, 127, 127, 255], "radius {radius} is not seen");
    }
}

#[test]
fn colours_outside_zero_to_one_are_clamped_and_nan_is_black() {
    for (colour, want) in [
        (1.0, 255),
        (0.999, 254),
        (1.5, 255),
        (1e30, 255),
        (f32::INFINITY, 255),
        (-0.5, 0),
        (f32::NEG_INFINITY, 0),
        (f32::NAN, 0),
        (1e-42, 0),
        (0.003, 0),
        (0.004, 1),
    ] {
        for channel in 0..3 {
            let mut colours = GREY;
            colours[channel] = colour;
            let what = format!("colour {colour} in channel {channel}");
            let picture = agreed(&backends(), &sphere(colours, 4.0, [0.0; 3]), 16, 10, &what);
            assert_eq!(at_centre(&picture, 16, 10)[channel], want, "{what}");
        }
    }
}

#[test]
fn numbers_below_the_normal_ones_are_not_flushed_to_zero() {
    // radius² = 1e-40 and d = 1e-42 are subnormal; the pixel at the origin hits all the same.
    let scene = sphere([1.0, 1.0, 1.0], 1e-20, [1e-21, 0.0, 0.0]);
    let picture = agreed(&backends(), &scene, 4, 4, "radius 1e-20");
    assert!(at_centre(&picture, 4, 4)[0] > 250, "got {:?} at the origin", at_centre(&picture, 4, 4));
    let nothing = sphere([1.0, 1.0, 1.0], 1e-30, [0.0, 0.0, 0.0]);
    let picture = agreed(&backends(), &nothing, 4, 4, "radius 1e-30");
    assert_eq!(at_centre(&picture, 4, 4)[0], 0, "1e-30² is 0 in float32, and d = 0 is not below it");
}

// ------------------------------------------------------------------------------------------------------- odd numbers

const ODD: [f32; 18] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-42,
    -1e-42,
    1e-20,
    1.5e19, // its square is finite
    2e19,   // its square is not
    -2e19,
    16_777_216.0,
    -0.5,
];

#[test]
fn an_odd_number_in_any_field_is_the_formula() {
    let backends = backends();
    let (width, height) = (24, 18);
    for field in 0..7 {
        for odd in ODD {
            let mut spheres = random_spheres(3, 5, width, height);
            spheres[7 * 2 + 3] = 9.0; // large, in the middle, and in front
            spheres[7 * 2 + 4..7 * 3].copy_from_slice(&[0.5, -0.5, 60.0]);
            spheres[7 * 2 + field] = odd;
            agreed(
                &backends,
                &spheres,
                width,
                height,
                &format!("seed 3, {odd} in field {field} of sphere 2"),
            );
        }
    }
}

#[test]
fn odd_numbers_in_many_fields_are_the_formula() {
    let backends = backends();
    let (width, height) = (19, 5);
    for seed in 1000..2500 {
        let mut random = random(seed);
        let mut spheres = random_spheres(seed, 5, width, height);
        for number in &mut spheres {
            if random.random_bool(0.2) {
                *number = ODD[random.random_range(0..ODD.len())];
            }
        }
        agreed(&backends, &spheres, width, height, &format!("seed {seed}"));
    }
}

#[test]
fn numbers_of_any_magnitude_are_the_formula() {
    let backends = backends();
    let (width, height) = (18, 6);
    for seed in 3000..4500 {
        let mut random = random(seed);
        let mut number =
            |most: f32| random.random_range(-1.0..1.0f32) * random.random_range(-140.0..most).exp2();
        let mut sphere = |most: f32| -> [f32; 7] {
            let [r, g, b, radius, x, y, z] = std::array::from_fn(|_| number(most));
            [r, g, b, radius.abs(), x, y, z]
        };
        let spheres = [sphere(127.0), sphere(8.0), sphere(8.0), sphere(30.0), sphere(65.0)];
        agreed(&backends, spheres.as_flattened(), width, height, &format!("seed {seed}"));
    }
}

#[test]
fn edges_of_spheres_through_pixels_are_the_formula() {
    let backends = backends();
    for seed in 5000..5200 {
        let mut random = random(seed);
        // Radii and centres on a coarse grid: many pixels lie exactly on a rim or within a rounding of it.
        let mut sphere = || {
            let mut quarter = |from: i32, to: i32| random.random_range(from..to) as f32 / 4.0;
            let (radius, x, y, z) = (quarter(1, 60), quarter(-60, 60), quarter(-40, 40), quarter(-4, 4));
            let nudged = f32::from_bits(radius.to_bits() + random.random_range(0..3) - 1);
            [0.9, 0.6, 0.3, nudged, x, y, z]
        };
        let spheres: [[f32; 7]; 8] = std::array::from_fn(|_| sphere());
        agreed(&backends, spheres.as_flattened(), 48, 31, &format!("seed {seed}"));
    }
}

/// At the rim radius² - d is a few roundings, its root a thousand times as much, and bright colours show it.
#[test]
fn every_rounding_at_the_rim_of_a_sphere_is_the_formulas() {
    let backends = backends();
    let (width, height) = (48, 31);
    for seed in 6000..6300 {
        let mut random = random(seed);
        let mut sphere = |z: f32| {
            let (x, y) = (random.random_range(-24.0..24.0f32), random.random_range(-15.0..15.0f32));
            let (i, j) = (random.random_range(0..width), random.random_range(0..height));
            let (dx, dy) = (i as f32 - 24.0 - x, j as f32 - 15.5 - y);
            let through_pixel = f32::mul_add(dy, dy, dx * dx).sqrt();
            let nudged = f32::from_bits(through_pixel.to_bits() + random.random_range(0..4) - 1);
            [300.0, 1000.0, 3000.0, nudged, x, y, z]
        };
        for z in [0.0, 1e9] {
            let spheres = [sphere(0.0), sphere(-z), sphere(z)];
            agreed(&backends, spheres.as_flattened(), width, height, &format!("seed {seed}, z {z}"));
        }
    }
}

/// A sphere around each pixel, with colours that put its channels on the step between two values.
#[test]
fn every_rounding_of_a_colour_is_the_formulas() {
    let backends = backends();
    for seed in 7000..7100 {
        let mut random = random(seed);
        let mut sphere = |pixel: u8| {
            let mut between = |from: f32, to: f32| random.random_range(from..to);
            let (radius, dx, dy, z) =
                (between(0.4, 0.6), between(-0.2, 0.2), between(-0.2, 0.2), between(-9.0, 9.0));
            let brightness = (1.0 - (dx * dx + dy * dy) / (radius * radius)).sqrt();
            let step = f32::from(pixel.max(1)) / 255.0 / brightness;
            let [r, g, b] = [-1, 0, 1].map(|by| f32::from_bits(step.to_bits().wrapping_add_signed(by)));
            let (i, j) = (f32::from(pixel % 16), f32::from(pixel / 16));
            [r, g, b, radius, i - 8.0 + dx, j - 8.0 + dy, z]
        };
        let spheres: Vec<[f32; 7]> = (0..=255).map(&mut sphere).collect();
        agreed(&backends, spheres.as_flattened(), 16, 16, &format!("seed {seed}"));
    }
}

// -------------------------------------------------------------------------------------------------- the plain function

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
            unsafe { gpumex::ffi::gpumex_raytrace(ctx.token, null, from, 9, 40, 30, image.as_mut_ptr()) },
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
            unsafe { gpumex::ffi::gpumex_raytrace(ctx.token, &options, from, 9, 20, 10, image.as_mut_ptr()) },
            &what,
        );
        assert_picture(&image.written(&what), &expected(&spheres, 20, 10), 20, || what.clone());
    }
}
