//! Every rounding is the formula's: rims, roots, colours.

use super::oracle::*;
use crate::common::*;

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
