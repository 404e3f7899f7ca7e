//! What a picture shows: discs, their order, ties, colours.

use super::oracle::*;
use crate::common::*;

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
