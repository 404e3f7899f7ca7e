//! Spheres and a picture, and how long it takes to cast it.

use std::ffi::c_void;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::raytrace::PictureLayout;
use gpumex::ops::raytrace::RaytraceVariant;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::*;

/// Spheres all over a cube that is as wide as the picture.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    pub size: usize,
    pub count: usize,
    /// From and to, in pixels.
    pub radius: (f32, f32),
}

impl Kind {
    /// The course's: radius 20 to 120.
    pub const fn course(count: usize) -> Kind {
        Kind { name: "course", size: 2048, count, radius: (20.0, 120.0) }
    }

    pub const MILLION: Kind = Kind { name: "small", size: 4096, count: 1_000_000, radius: (1.0, 8.0) };

    pub fn title(&self) -> String {
        format!("{}^2, {} {}", self.size, self.count, self.name)
    }

    fn spheres(&self) -> Vec<f32> {
        let mut random = Pcg64::seed_from_u64(self.count as u64);
        let half = self.size as f32 / 2.0;
        let sphere = |_| -> [f32; 7] {
            let [r, g, b, part] = [(); 4].map(|()| random.random_range(0.0..1.0f32));
            let [x, y, z] = [(); 3].map(|()| random.random_range(-half..half));
            [r, g, b, self.radius.0 + part * (self.radius.1 - self.radius.0), x, y, z]
        };
        (0..self.count).flat_map(sphere).collect()
    }
}

/// How a picture is cast, and its form.
#[derive(Clone, Copy)]
pub struct Cast {
    pub variant: RaytraceVariant,
    pub channels: i32,
    pub layout: PictureLayout,
}

impl Cast {
    pub fn of(variant: RaytraceVariant) -> Cast {
        Cast { variant, channels: 4, layout: PictureLayout::Interleaved }
    }
}

pub struct Scene {
    ctx: Handle,
    kind: Kind,
    spheres: *mut c_void,
    image: *mut c_void,
}

impl Scene {
    pub fn new(ctx: Handle, memory: MemoryKind, kind: Kind) -> Scene {
        let numbers = kind.spheres();
        let spheres = malloc(ctx, memory, size_of_val(&numbers[..]));
        copy(ctx, spheres, numbers.as_ptr().cast(), size_of_val(&numbers[..]));
        Scene { ctx, kind, spheres, image: malloc(ctx, memory, 4 * kind.size * kind.size) }
    }

    /// Ms of the kernels of a call; NaN where it is not served.
    pub fn ms(&self, cast: Cast) -> f64 {
        let options = RaytraceOptions {
            variant: cast.variant as i32,
            channels: cast.channels,
            layout: cast.layout as i32,
            ..RaytraceOptions::default()
        };
        let (size, count) = (self.kind.size, self.kind.count);
        let mut status = 0;
        let ms = kernel_ms(self.ctx, || {
            // SAFETY: count spheres, size × size pixels of 4 bytes at most.
            status = unsafe {
                gpumex_raytrace(self.ctx, &options, self.spheres.cast(), count, size, size, self.image.cast())
            };
        });
        if status == Status::Unsupported as i32 {
            return f64::NAN;
        }
        check(status);
        ms
    }

    /// The median of so many calls after two.
    pub fn median_ms(&self, cast: Cast, repeats: usize) -> f64 {
        let first = self.ms(cast).max(self.ms(cast));
        if first.is_nan() { first } else { median(repeats, || self.ms(cast)) }
    }

    /// The bytes that the last call has written, as of four channels.
    pub fn picture(&self) -> Vec<u8> {
        let mut bytes = vec![0; 4 * self.kind.size * self.kind.size];
        copy(self.ctx, bytes.as_mut_ptr().cast(), self.image, bytes.len());
        bytes
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        for memory in [self.spheres, self.image] {
            check(gpumex_free(memory));
        }
    }
}
