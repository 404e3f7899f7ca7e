//! NaN, infinities, subnormal and huge numbers in any field.

use super::oracle::*;
use crate::common::*;

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
