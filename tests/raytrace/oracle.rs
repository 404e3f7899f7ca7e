//! The formula as a plain loop, and what the tests of the ray caster say of pictures.

use crate::common::*;

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

pub fn expected(spheres: &[f32], width: usize, height: usize) -> Vec<u8> {
    let pixels = (0..width * height).map(|index| (index % width, index / width));
    pixels.flat_map(|(i, j)| expected_pixel(spheres, i, j, width, height)).collect()
}

/// The picture that all variants on all backends have agreed on.
#[track_caller]
pub fn agreed(backends: &[Context], spheres: &[f32], width: usize, height: usize, what: &str) -> Vec<u8> {
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
pub fn assert_picture(got: &[u8], want: &[u8], width: usize, what: impl Fn() -> String) {
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

pub const GREY: [f32; 3] = [0.5, 0.5, 0.5];
pub const RED: [f32; 3] = [1.0, 0.0, 0.0];
pub const GREEN: [f32; 3] = [0.0, 1.0, 0.0];

pub fn sphere([r, g, b]: [f32; 3], radius: f32, [x, y, z]: [f32; 3]) -> [f32; 7] {
    [r, g, b, radius, x, y, z]
}

/// The colour of the pixel at the origin.
pub fn at_centre(picture: &[u8], width: usize, height: usize) -> [u8; 4] {
    let index = height / 2 * width + width / 2;
    std::array::from_fn(|channel| picture[4 * index + channel])
}
