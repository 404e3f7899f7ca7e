//! The tiles against the plain loop, and what they rely on. The formula itself is the matter of tests/raytrace/.
#![forbid(unsafe_code)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::bins::{Bins, MAX_CELLS, levels};
use super::scene::{Sphere, d, origin};
use super::tile::{SIDE, byte};
use super::*;
use crate::cpu::parallel::workers::workers;
use crate::model::raytrace::PictureLayout;

const LAYOUTS: [PictureLayout; 3] =
    [PictureLayout::Interleaved, PictureLayout::PlanarRows, PictureLayout::PlanarColumns];
const ODD: [f32; 12] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, -1.0, 1e-42, 1e-20, 1e9, 1.5e19, 2e19, f32::MAX];

fn rgba(width: usize, height: usize) -> Picture {
    Picture { width, height, channels: 4, layout: PictureLayout::Interleaved }
}

/// Spheres in and beside a picture, from less than a pixel to all of it.
fn random_scene(seed: u64, count: usize, width: usize, height: usize) -> Vec<f32> {
    let mut random = Pcg64::seed_from_u64(seed);
    let (width, height) = (width as f32, height as f32);
    let sphere = |_| -> [f32; 7] {
        let colour = [(); 3].map(|()| random.random_range(0.0..1.2));
        let radius = 0.3 * (2.0 * width.max(height)).powf(random.random_range(0.0..1.0));
        let [x, y] = [width, height].map(|side| random.random_range(-0.6..0.6) * side);
        [colour[0], colour[1], colour[2], radius, x, y, random.random_range(-50.0..50.0)]
    };
    (0..count).flat_map(sphere).collect()
}

#[track_caller]
fn cast(spheres: &[f32], picture: &Picture) -> Vec<u8> {
    let mut image = vec![0xEE; picture.width * picture.height * picture.channels];
    raytrace(&workers(), spheres, picture, &mut image).unwrap();
    image
}

#[track_caller]
fn assert_plain(spheres: &[f32], picture: &Picture, what: &str) {
    let mut want = vec![0x11; picture.width * picture.height * picture.channels];
    sequential(&workers(), spheres, picture, &mut want).unwrap();
    let got = cast(spheres, picture);
    let differing = got.iter().zip(&want).position(|(got, want)| got != want);
    assert_eq!(differing, None, "{what}, {} spheres, {picture:?}: first differing byte", spheres.len() / 7);
}

#[test]
fn tiles_are_the_plain_loop_in_every_form_of_picture() {
    for (width, height) in [(1, 1), (31, 65), (64, 32), (100, 33), (7, 200), (259, 131)] {
        for layout in LAYOUTS {
            for channels in [3, 4] {
                for count in [0, 1, 40, 900] {
                    let seed = (width * 1000 + count) as u64;
                    let picture = Picture { width, height, channels, layout };
                    assert_plain(
                        &random_scene(seed, count, width, height),
                        &picture,
                        &format!("seed {seed}"),
                    );
                }
            }
        }
    }
}

/// The instruction sets of this machine.
fn archs() -> Vec<Arch> {
    #[cfg(target_arch = "x86_64")]
    let vectors = pulp::x86::V3::try_new().map(Arch::V3);
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = None;
    [Arch::Scalar, Arch::new()].into_iter().chain(vectors).collect()
}

#[test]
fn every_instruction_set_gives_the_same_picture() {
    let picture = rgba(150, 90);
    for seed in 0..5 {
        let spheres = random_scene(seed, 200, picture.width, picture.height);
        let want = cast(&spheres, &picture);
        for arch in archs() {
            let mut image = vec![0xEE; want.len()];
            raytrace_at(arch, &workers(), &spheres, &picture, &mut image).unwrap();
            assert!(image == want, "seed {seed}, {arch:?}: another picture");
        }
    }
}

#[test]
fn forms_of_picture_are_the_same_pixels() {
    let (width, height) = (70, 45);
    let spheres = random_scene(9, 60, width, height);
    let want = cast(&spheres, &rgba(width, height));
    for layout in LAYOUTS {
        for channels in [3, 4] {
            let got = cast(&spheres, &Picture { width, height, channels, layout });
            for (i, j, c) in (0..width * height * channels)
                .map(|k| (k / channels % width, k / channels / width, k % channels))
            {
                let index = match layout {
                    PictureLayout::Interleaved => (j * width + i) * channels + c,
                    PictureLayout::PlanarRows => (c * height + j) * width + i,
                    PictureLayout::PlanarColumns => (c * width + i) * height + j,
                };
                assert_eq!(
                    got[index],
                    want[(j * width + i) * 4 + c],
                    "{layout:?}, {channels}: {i}, {j}, {c}"
                );
            }
        }
    }
}

#[test]
fn odd_numbers_among_many_spheres_are_the_plain_loop() {
    let (width, height) = (150, 90);
    for seed in 0..60 {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut spheres = random_scene(seed, 120, width, height);
        for number in &mut spheres {
            if random.random_bool(0.04) {
                *number = ODD[random.random_range(0..ODD.len())];
            }
        }
        assert_plain(&spheres, &rgba(width, height), &format!("seed {seed}"));
    }
}

#[test]
fn the_first_of_equal_heights_wins_whatever_the_order_of_bounds() {
    // From z = 2^24 on heights are whole even numbers: spheres of any radius tie, and the larger ones are looked at first.
    for seed in 0..20 {
        let mut spheres = random_scene(seed, 300, 200, 120);
        for sphere in spheres.chunks_exact_mut(7) {
            sphere[3] = sphere[3].min(30.0);
            sphere[6] = 1e9;
        }
        assert_plain(&spheres, &rgba(200, 120), &format!("seed {seed}"));
    }
}

#[test]
fn a_tile_sees_every_sphere_that_its_pixels_hit_by_bounds_downwards() {
    let picture = rgba(300, 170);
    let spheres = random_scene(4, 500, picture.width, picture.height);
    let scene = spheres.as_chunks().0;
    let bins = workers().run(|| Bins::new(scene, &picture)).unwrap().unwrap();
    for (i, j) in (0..300).step_by(SIDE).flat_map(|i| (0..170).step_by(SIDE).map(move |j| (i, j))) {
        let seen: Vec<_> = bins.nearest_first(i, j).collect();
        assert!(seen.windows(2).all(|pair| pair[0].bound() >= pair[1].bound()), "order in tile {i}, {j}");
        for (number, sphere) in scene.iter().map(Sphere::new).enumerate() {
            let mut pixels = (i..300.min(i + SIDE)).flat_map(|i| (j..170.min(j + SIDE)).map(move |j| (i, j)));
            let is_hit =
                pixels.any(|(i, j)| sphere.is_hit(d(origin(i, 300) - sphere.x, origin(j, 170) - sphere.y)));
            let entries = seen.iter().filter(|entry| entry.sphere as usize == number).count();
            assert!(entries <= 1 && usize::from(is_hit) <= entries, "sphere {number} in tile {i}, {j}");
        }
    }
}

#[test]
fn cells_are_bounded_whatever_the_picture() {
    for (width, height) in [(1, 1), (32768, 32768), (1 << 47, 2), (1 << 24, 1 << 24), (1, 1 << 48)] {
        let (levels, cells) = levels(&rgba(width, height));
        assert!(!levels.is_empty() && cells < 2 * MAX_CELLS, "{width} x {height}: {cells} cells");
    }
}

#[test]
fn a_byte_is_the_number_truncated_and_clamped() {
    let steps = (0..=256 * 64).map(|k| k as f32 / 64.0);
    let beside = steps.flat_map(|step| [step.next_down(), step, step.next_up()]);
    for value in beside.chain(ODD).chain([-0.5, 1e-30, 254.999_98, 255.5, f32::MIN]) {
        assert_eq!(byte(value), value as u8, "{value:e}");
    }
}
