//! Pictures of every size, scenes of every length.

use super::oracle::*;
use crate::common::*;

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
            for variant in ctx.distinct_variants() {
                let got = raytrace(ctx, variant, spheres.as_flattened(), width, 1);
                assert_picture(&got, &want, width, || format!("{what}, {:?}, {variant:?}", ctx.backend));
            }
        }
    }
}
