//! Ray caster: bad input of gpumex_raytrace and raytrace.

use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{RaytraceOptions, gpumex_raytrace, raytrace};

use super::options::{Newer, context_and_options, sequential};
use super::table::*;
use crate::common::{Handle, backends};

/// `gpumex_raytrace`, or `raytrace` instead.
#[derive(Clone)]
struct Raytrace {
    is_plain: bool,
    ctx: Handle,
    options: Newer<RaytraceOptions>,
    size: usize,
    has_options: bool,
    spheres: *const f32,
    count: usize,
    width: usize,
    height: usize,
    image: *mut u8,
}

impl Call for Raytrace {
    fn name(&self) -> &'static str {
        if self.is_plain { "raytrace" } else { "gpumex_raytrace" }
    }

    fn call(&self) -> i32 {
        let mut options = self.options;
        options.known.size = self.size;
        let options = if self.has_options { options.as_ptr() } else { null() };
        let Raytrace { ctx, spheres, count, width, height, image, .. } = *self;
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe {
            match self.is_plain {
                true => raytrace(spheres, count, width, height, image),
                false => gpumex_raytrace(ctx, options, spheres, count, width, height, image),
            }
        }
    }
}

impl Raytrace {
    fn good(memory: &Memory, ctx: Handle) -> Raytrace {
        Raytrace {
            is_plain: false,
            ctx,
            options: Newer::new(),
            size: size_of::<RaytraceOptions>(),
            has_options: true,
            spheres: memory.at(4096).cast(),
            count: 3,
            width: 5,
            height: 4,
            image: memory.at(FAR).cast(),
        }
    }
}

/// `image`: the name of the output in the sentences.
fn raytrace_arrays(table: &Table<Raytrace>, image: &str) {
    table.refuses("spheres NULL", NullPointer, &["spheres is NULL", "21"], |call| call.spheres = null());
    table.refuses("image NULL", NullPointer, &[&format!("{image} is NULL"), "80"], |call| {
        call.image = null_mut()
    });
    for count in [MAX, MAX / 7, MAX / 28 + 1, (1 << 63) / 28 + 1] {
        let words = ["spheres", &count.to_string(), BEYOND];
        table.refuses(format!("count {count}"), InvalidArgument, &words, |call| call.count = count);
    }
    for (width, height) in
        [(MAX, 2), (2, MAX), (MAX, 1), (1 << 32, 1 << 32), (1 << 61, 1), (1, 1 << 62), (1 << 31, 1 << 31)]
    {
        let words = [image, &format!("{height} x {width}"), BEYOND];
        table.refuses(format!("{width} x {height}"), InvalidArgument, &words, |call| {
            (call.width, call.height) = (width, height);
        });
    }
    table.refuses(
        "spheres at the end of the addresses",
        InvalidArgument,
        &["spheres", "3 x 7", BEYOND],
        |call| {
            call.spheres = end_of_addresses(80);
        },
    );
    table.refuses("image at the end of the addresses", InvalidArgument, &[image, "4 x 5", BEYOND], |call| {
        call.image = end_of_addresses(79);
    });
    for offset in 1..4 {
        let address = format!("{:p}", table.good.spheres.wrapping_byte_add(offset));
        let words = ["spheres", &address, "multiple of 4"];
        table.refuses(format!("spheres {offset} bytes off"), InvalidArgument, &words, |call| {
            call.spheres = call.spheres.wrapping_byte_add(offset);
        });
    }
    // 84 bytes of spheres, 80 of the image.
    for distance in [-79, -40, -1, 0, 1, 83] {
        let words = [format!("{image} overlaps spheres")];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        table.refuses(format!("image {distance} bytes from spheres"), InvalidArgument, &words, |call| {
            call.image = call.spheres.wrapping_byte_offset(distance).cast_mut().cast();
        });
    }

    for (width, height) in [(0, 0), (0, 7), (7, 0), (MAX, 0), (0, MAX)] {
        table.does_nothing(format!("{width} x {height} at NULL"), |call| {
            (call.width, call.height, call.image) = (width, height, null_mut());
        });
    }
    table.does_nothing("no spheres, no pixels, all NULL", |call| {
        (call.spheres, call.count, call.width, call.image) = (null(), 0, 0, null_mut());
    });
    table.accepts("no spheres at NULL", |call| (call.spheres, call.count) = (null(), 0)); // the good ones cannot be seen
}

#[test]
fn gpumex_raytrace_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Raytrace::good(&memory, ctx.handle));
        raytrace_arrays(&table, "image");
        context_and_options(
            &table,
            8,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_raytrace_variant",
            5,
        );
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        table.accepts("options NULL", |call| call.has_options = false);

        for channels in [-4, 1, 2, 5] {
            table.refuses_unserved("channels", &channels.to_string(), |call| {
                call.options.known.channels = channels;
            });
        }
        for layout in [-9, 3, i32::MAX] {
            let words = [&layout.to_string(), "gpumex_picture_layout"];
            table.refuses(format!("layout {layout}"), InvalidArgument, &words, |call| {
                call.options.known.layout = layout;
            });
        }
        table.refuses("reserved 1", Unsupported, &["options.reserved is 1"], |call| {
            call.options.known.reserved = 1;
        });
        // 60 bytes of three channels, and spheres right behind them.
        table.refuses(
            "spheres in the image of 3 channels",
            InvalidArgument,
            &["image overlaps spheres"],
            |call| {
                (call.options.known.channels, call.image) =
                    (3, call.spheres.wrapping_byte_sub(59).cast_mut().cast());
            },
        );
        table.accepts("channels 4", |call| call.options.known.channels = 4);
    }
}

#[test]
fn the_plain_raytrace_refuses_bad_input() {
    let memory = Memory::new();
    let good = Raytrace { is_plain: true, ..Raytrace::good(&memory, null_mut()) };
    raytrace_arrays(&Table::new("the default context", &memory, good), "rgba");
}
