//! Scenes that a culling kernel could get wrong: many spheres, at one point, at borders of tiles and cells, off the picture.

use gpumex::ops::raytrace::RaytraceVariant::{Auto, Binned, ReadOnly};

use super::oracle::*;
use crate::common::*;

/// More than the GPU tests for each region of the picture.
const MANY: usize = 5000;

/// The picture of one backend's best variant, where the plain loop would take too long.
#[track_caller]
fn agreed_without_oracle(spheres: &[f32], width: usize, height: usize, what: &str) {
    let mut pictures = Vec::new();
    for ctx in backends() {
        pictures.push(raytrace(&ctx, Auto, spheres, width, height));
        pictures.push(raytrace(&ctx, Binned, spheres, width, height));
        if ctx.backend != gpumex::platform::settings::Backend::Cpu {
            pictures.push(raytrace(&ctx, ReadOnly, spheres, width, height));
        }
    }
    for other in &pictures[1..] {
        assert_picture(other, &pictures[0], width, || what.to_string());
    }
}

/// `count` spheres, each made from a random generator.
fn scene(
    seed: u64,
    count: usize,
    mut sphere: impl FnMut(&mut dyn FnMut(f32, f32) -> f32) -> [f32; 4],
) -> Vec<f32> {
    let mut random = random(seed);
    let mut between = move |from: f32, to: f32| random.random_range(from..to);
    let mut spheres = Vec::with_capacity(7 * count);
    for _ in 0..count {
        let colour: [f32; 3] = std::array::from_fn(|_| between(0.0, 1.0));
        spheres.extend(colour);
        spheres.extend(sphere(&mut between));
    }
    spheres
}

#[test]
fn many_small_spheres_are_the_formula() {
    for (width, height) in [(97, 61), (1, 300), (300, 1)] {
        let (w, h) = (width as f32, height as f32);
        let spheres = scene(31, MANY, |between| {
            [between(0.1, 4.0), between(-w, w), between(-h, h), between(-50.0, 50.0)]
        });
        agreed(&backends(), &spheres, width, height, "seed 31");
    }
}

#[test]
fn spheres_of_all_radii_are_the_formula() {
    let spheres = scene(32, MANY, |between| {
        let radius = between(-3.0, 12.0).exp2();
        [radius, between(-90.0, 90.0), between(-60.0, 60.0), between(-4000.0, 0.0)]
    });
    agreed(&backends(), &spheres, 110, 75, "seed 32");
}

#[test]
fn many_spheres_at_one_point_are_the_formula() {
    for radius in [0.5, 6.0, 100.0] {
        let spheres = scene(33, MANY, |_| [radius, 3.5, -2.25, 7.0]);
        let picture = agreed(&backends(), &spheres, 70, 40, &format!("seed 33, radius {radius}"));
        assert_picture(&picture, &expected(&spheres[..7], 70, 40), 70, || "the first one wins".to_string());
    }
    let spheres = scene(34, 100_000, |between| [between(1.0, 8.0), 0.25, 0.75, 0.0]);
    agreed_without_oracle(&spheres, 65, 33, "seed 34, 100000 spheres at one point");
}

#[test]
fn ties_on_a_grid_are_the_formula() {
    let spheres = scene(35, MANY, |between| {
        [
            between(1.0, 8.0).floor(),
            between(-40.0, 40.0).floor(),
            between(-25.0, 25.0).floor(),
            between(0.0, 2.0).floor(),
        ]
    });
    agreed(&backends(), &spheres, 80, 50, "seed 35");
}

#[test]
fn rims_on_the_borders_of_tiles_and_cells_are_the_formula() {
    for (seed, count) in [(36, 200), (37, MANY)] {
        let spheres = scene(seed, count, |between| {
            let mut border =
                |half: f32| between(-3.0, 3.0).round() * 16.0 + between(-1.0, 1.0).round() * half;
            let (x, y) = (border(0.5), border(0.5));
            let radius = (border(0.0).abs() + 16.0).to_bits().wrapping_add_signed(between(-2.0, 2.0) as i32);
            [f32::from_bits(radius), x, y, between(-900.0, 900.0)]
        });
        agreed(&backends(), &spheres, 128, 65, &format!("seed {seed}"));
    }
}

#[test]
fn spheres_around_the_picture_are_the_formula() {
    let spheres = scene(38, MANY, |between| {
        let (x, y) = (between(-1.0, 1.0), between(-1.0, 1.0));
        let away = (40.0 + between(0.0, 30.0)) / x.abs().max(y.abs()).max(0.01);
        [between(0.0, 40.0), x * away, y * away, between(-9.0, 9.0)]
    });
    agreed(&backends(), &spheres, 81, 64, "seed 38");
}

#[test]
fn large_pictures_of_many_spheres_agree() {
    for (width, height, radius) in [(1025, 771, 3.0), (1500, 40, 40.0), (40, 1501, 300.0)] {
        let (w, h) = (width as f32, height as f32);
        let spheres = scene(39, 30_000, |between| {
            [
                between(0.0, radius),
                between(-0.6 * w, 0.6 * w),
                between(-0.6 * h, 0.6 * h),
                between(-500.0, 500.0),
            ]
        });
        agreed_without_oracle(
            &spheres,
            width,
            height,
            &format!("seed 39, {width} x {height}, radii up to {radius}"),
        );
    }
}

#[test]
fn large_pictures_of_odd_numbers_agree() {
    let spheres = scene(40, 20_000, |between| {
        let mut number = |most: f32| between(-1.0, 1.0) * between(-140.0, most).exp2();
        [number(12.0).abs(), number(10.0), number(10.0), number(100.0)]
    });
    agreed_without_oracle(&spheres, 600, 500, "seed 40");
}
