//! What is hidden behind spheres that cover tiles, cells or the whole picture is left out, and nothing else.

use super::oracle::*;
use crate::common::*;

const MANY: usize = 5000;

fn scene(seed: u64, mut z_of: impl FnMut(usize, f32) -> f32, radius: [f32; 2]) -> Vec<f32> {
    let mut random = random(seed);
    let mut between = |from: f32, to: f32| random.random_range(from..to);
    let mut spheres = Vec::with_capacity(7 * MANY);
    for index in 0..MANY {
        let colour: [f32; 3] = std::array::from_fn(|_| between(0.0, 1.0));
        spheres.extend(colour);
        let z = z_of(index, between(-1.0, 1.0));
        spheres.extend([between(radius[0], radius[1]), between(-30.0, 30.0), between(-20.0, 20.0), z]);
    }
    spheres
}

#[test]
fn spheres_that_cover_the_picture_are_the_formula() {
    let spheres = scene(51, |_, random| 5000.0 * random, [100.0, 900.0]);
    agreed(&backends(), &spheres, 70, 50, "seed 51");
}

#[test]
fn spheres_each_in_front_of_the_last_are_the_formula() {
    for radius in [[100.0, 101.0], [1.0, 30.0]] {
        let spheres = scene(52, |index, _| index as f32, radius);
        agreed(&backends(), &spheres, 66, 50, &format!("seed 52, radii {radius:?}"));
    }
}

#[test]
fn spheres_each_behind_the_last_are_the_formula() {
    for radius in [[100.0, 101.0], [1.0, 30.0]] {
        let spheres = scene(53, |index, _| -(index as f32), radius);
        agreed(&backends(), &spheres, 66, 50, &format!("seed 53, radii {radius:?}"));
    }
}

#[test]
fn covering_spheres_whose_depths_round_alike_are_a_tie() {
    for z in [f32::NEG_INFINITY, f32::INFINITY, 1e30, -1e30, 16_777_216.0] {
        let spheres = scene(54, |_, _| z, [60.0, 64.0]);
        let picture = agreed(&backends(), &spheres, 50, 40, &format!("seed 54, z = {z}"));
        if z != 16_777_216.0 {
            assert_picture(&picture, &expected(&spheres[..7], 50, 40), 50, || format!("the first at {z}"));
        }
    }
}

#[test]
fn covering_spheres_at_minus_infinity_hide_nothing() {
    let spheres =
        scene(55, |index, random| if index % 2 == 0 { f32::NEG_INFINITY } else { random }, [1.0, 90.0]);
    agreed(&backends(), &spheres, 50, 40, "seed 55");
}

#[test]
fn covering_spheres_without_a_depth_hide_nothing() {
    for (radius, z) in [(f32::INFINITY, f32::NEG_INFINITY), (2e19, f32::NEG_INFINITY), (100.0, f32::NAN)] {
        let mut spheres = scene(56, |_, random| random, [1.0, 20.0]);
        for index in (0..MANY).step_by(3) {
            (spheres[7 * index + 3], spheres[7 * index + 6]) = (radius, z);
        }
        agreed(&backends(), &spheres, 50, 40, &format!("seed 56, radius {radius}, z {z}"));
    }
}
