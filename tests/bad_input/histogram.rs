//! Histogram: bad input of gpumex_histogram and histogram.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{HistogramOptions, gpumex_histogram, histogram};
use gpumex::model::dtype::Dtype;
use gpumex::model::histogram::HistogramOutliers;
use gpumex::model::numbered::NumberedEnum;

use super::options::{Newer, context_and_options, sequential};
use super::table::*;
use crate::common::{Handle, Output, assert_same, backends, first_unknown, ok};

/// `gpumex_histogram`, or `histogram` instead.
#[derive(Clone)]
struct Histogram {
    is_plain: bool,
    ctx: Handle,
    options: Newer<HistogramOptions>,
    size: usize,
    has_options: bool,
    data: *const c_void,
    count: usize,
    counts: *mut c_void,
    bins: usize,
}

impl Call for Histogram {
    fn name(&self) -> &'static str {
        if self.is_plain { "histogram" } else { "gpumex_histogram" }
    }

    fn call(&self) -> i32 {
        let mut options = self.options;
        options.known.size = self.size;
        let options = if self.has_options { options.as_ptr() } else { null() };
        let Histogram { ctx, data, count, counts, bins, .. } = *self;
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe {
            match self.is_plain {
                true => histogram(data.cast(), count, counts.cast()),
                false => gpumex_histogram(ctx, options, data, count, counts, bins),
            }
        }
    }
}

impl Histogram {
    fn good(memory: &Memory, ctx: Handle) -> Histogram {
        Histogram {
            is_plain: false,
            ctx,
            options: Newer::new(),
            size: size_of::<HistogramOptions>(),
            has_options: true,
            data: memory.at(4096),
            count: 1000,
            counts: memory.at(FAR),
            bins: 256,
        }
    }
}

fn histogram_arrays(table: &Table<Histogram>) {
    table.refuses("data NULL", NullPointer, &["data is NULL", "1000"], |call| call.data = null());
    table.refuses("counts NULL", NullPointer, &["counts is NULL", "256"], |call| call.counts = null_mut());
    table.refuses("counts NULL, no data", NullPointer, &["counts is NULL", "256"], |call| {
        (call.data, call.count, call.counts) = (null(), 0, null_mut());
    });
    for count in [MAX, 1 << 63, MAX - 4096] {
        let words = ["data", &count.to_string(), BEYOND];
        table.refuses(format!("count {count}"), InvalidArgument, &words, |call| call.count = count);
    }
    table.refuses("data at the end of the addresses", InvalidArgument, &["data", "1000", BEYOND], |call| {
        call.data = end_of_addresses(999);
    });
    table.refuses(
        "counts at the end of the addresses",
        InvalidArgument,
        &["counts", "256", BEYOND],
        |call| {
            call.counts = end_of_addresses(2040);
        },
    );
    for offset in 1..8 {
        let address = format!("{:p}", table.good.counts.wrapping_byte_add(offset));
        let words = ["counts", &address, "multiple of 8"];
        table.refuses(format!("counts {offset} bytes off"), InvalidArgument, &words, |call| {
            call.counts = call.counts.wrapping_byte_add(offset);
        });
    }
    // 1000 bytes of data, 2048 of counts.
    for distance in [-2040, -1024, 0, 8, 992] {
        table.refuses(
            format!("counts {distance} bytes from data"),
            InvalidArgument,
            &["counts overlaps data"],
            |call| {
                call.counts = call.data.wrapping_byte_offset(distance).cast_mut();
            },
        );
    }
}

#[test]
fn gpumex_histogram_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Histogram::good(&memory, ctx.handle));
        histogram_arrays(&table);
        context_and_options(
            &table,
            8,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_histogram_variant",
            4,
        );
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        table.accepts("options NULL", |call| call.has_options = false);

        numbers_of_enums(&table);
        bins_and_channels(&table);
        ranges_and_edges(&table);
        textbook_variants(&table);
        weights(&table);
    }
}

fn numbers_of_enums(table: &Table<Histogram>) {
    type Set = fn(&mut HistogramOptions, i32);
    let enums: [(&str, i32, Set); 3] = [
        ("gpumex_dtype", first_unknown::<Dtype>(), |options, number| options.dtype = number),
        ("gpumex_dtype", first_unknown::<Dtype>(), |options, number| options.weights_dtype = number),
        ("gpumex_histogram_outliers", first_unknown::<HistogramOutliers>(), |options, number| {
            options.outliers = number
        }),
    ];
    for (name, behind, set) in enums {
        for number in [-1, behind, 99, i32::MAX] {
            let words = [&number.to_string(), name];
            table.refuses(format!("{name} {number}"), InvalidArgument, &words, |call| {
                set(&mut call.options.known, number);
            });
        }
    }
    let switches: [(&str, Set); 2] = [
        ("accumulate", |options, number| options.accumulate = number),
        ("right_edge", |options, number| options.right_edge = number),
    ];
    for (name, set) in switches {
        for number in [-1, 2, i32::MIN] {
            let words = [name, &number.to_string(), "0 or 1"];
            table.refuses(format!("{name} {number}"), InvalidArgument, &words, |call| {
                set(&mut call.options.known, number);
            });
        }
    }
    table.refuses("reserved 1", Unsupported, &["options.reserved is 1"], |call| {
        call.options.known.reserved = 1;
    });
}

fn bins_and_channels(table: &Table<Histogram>) {
    for (bins, rule) in [(0, "at least 1"), ((1 << 31) + 1, "2147483648"), (MAX, "2147483648")] {
        let words = ["bins", &bins.to_string(), rule];
        table.refuses(format!("bins {bins}"), InvalidArgument, &words, |call| call.bins = bins);
    }
    for channels in [-1, 5, 99] {
        let words = [&format!("options.channels is {channels}"), "0 to 4"];
        table.refuses(format!("channels {channels}"), InvalidArgument, &words, |call| {
            call.options.known.channels = channels;
        });
    }
    table.refuses(
        "1000 samples of 3 channels",
        InvalidArgument,
        &["count is 1000", "multiple of the 3"],
        |call| {
            call.options.known.channels = 3;
        },
    );
    table.refuses("counts of four channels", InvalidArgument, &["counts", "4 x 256", BEYOND], |call| {
        (call.options.known.channels, call.counts) = (4, end_of_addresses(2048));
    });
    table.accepts("channels 1", |call| call.options.known.channels = 1);
    for dtype in [Dtype::F32, Dtype::F64] {
        let words = [&*dtype.c_name(), "floats need lo and hi"];
        table.refuses(format!("dtype {dtype:?}"), InvalidArgument, &words, |call| {
            call.options.known.dtype = dtype as i32
        });
    }
    table.refuses("a right edge of values", InvalidArgument, &["options.right_edge is 1"], |call| {
        call.options.known.right_edge = 1;
    });
}

fn ranges_and_edges(table: &Table<Histogram>) {
    let ranges = [
        (f64::NAN, 0.0, "lo is NaN"),
        (0.0, f64::NAN, "hi is NaN"),
        (f64::NEG_INFINITY, 0.0, "lo is -inf"),
        (0.0, f64::INFINITY, "hi is inf"),
        (1.0, 1.0, "less than hi"),
        (1.0, -1.0, "less than hi"),
        (0.25, 0.0, "less than hi"),
        (-1e308, 1e308, "hi - lo is inf"),
        (1.0, 1.0 + 1e-14, "256 bins"),
        (0.0, 1e-322, "256 bins"),
    ];
    for (lo, hi, word) in ranges {
        table.refuses(format!("from {lo} to {hi}"), InvalidArgument, &[word], |call| {
            (call.options.known.lo, call.options.known.hi) = (lo, hi);
        });
    }
    static EDGES: [f64; 257] = [0.0; 257];
    table.refuses("edges and a range", InvalidArgument, &["edges are given, and lo and hi"], |call| {
        (call.options.known.hi, call.options.known.edges) = (1.0, EDGES.as_ptr());
    });
    table.refuses("edges at the end of the addresses", InvalidArgument, &["edges", "257", BEYOND], |call| {
        call.options.known.edges = end_of_addresses(2048);
    });
    table.refuses("edges 4 bytes off", InvalidArgument, &["edges", "multiple of 8"], |call| {
        call.options.known.edges = EDGES.as_ptr().wrapping_byte_add(4);
    });
    table.refuses("counts in edges", InvalidArgument, &["counts overlaps edges"], |call| {
        call.options.known.edges = call.counts.wrapping_byte_sub(8).cast();
    });
}

fn textbook_variants(table: &Table<Histogram>) {
    type Set = fn(&mut Histogram);
    let asked: [(&str, Set); 3] = [
        ("from lo to hi", |call| call.options.known.hi = 256.0),
        ("4 channels", |call| call.options.known.channels = 4),
        ("with weights", |call| {
            (call.options.known.weights, call.options.known.weights_dtype) = (call.data, Dtype::F64 as i32);
        }),
    ];
    for variant in [2, 3, 4] {
        for (word, set) in asked {
            let what = format!("{word} of variant {variant}");
            table.refuses(what, Unsupported, &["textbook", word], |call| {
                call.options.known.variant = variant;
                set(call);
            });
        }
    }
}

fn weights(table: &Table<Histogram>) {
    let (f32, f64) = (Dtype::F32 as i32, Dtype::F64 as i32);
    table.refuses(
        "weights of no dtype",
        InvalidArgument,
        &["options.weights_dtype is GPUMEX_DTYPE_NONE"],
        |call| {
            call.options.known.weights = call.data;
        },
    );
    table.refuses("weights of U8", Unsupported, &["options.weights_dtype is GPUMEX_DTYPE_U8"], |call| {
        (call.options.known.weights, call.options.known.weights_dtype) = (call.data, Dtype::U8 as i32);
    });
    table.refuses("weights 4 bytes off", InvalidArgument, &["weights", "multiple of 8"], |call| {
        (call.options.known.weights, call.options.known.weights_dtype) =
            (call.data.wrapping_byte_add(4), f64);
    });
    table.refuses("weights of float 2 bytes off", InvalidArgument, &["weights", "multiple of 4"], |call| {
        (call.options.known.weights, call.options.known.weights_dtype) =
            (call.data.wrapping_byte_add(2), f32);
    });
    table.refuses("counts in weights", InvalidArgument, &["counts overlaps weights"], |call| {
        call.options.known.weights = call.counts.wrapping_byte_sub(1000);
        call.options.known.weights_dtype = f64;
    });
}

#[test]
fn the_plain_histogram_refuses_bad_input() {
    let memory = Memory::new();
    let good = Histogram { is_plain: true, ..Histogram::good(&memory, null_mut()) };
    histogram_arrays(&Table::new("the default context", &memory, good));
}

#[test]
fn a_histogram_of_no_bytes_is_zeros() {
    for ctx in backends() {
        let mut counts = Output::<u64>::new(256);
        let to = counts.as_mut_ptr().cast();
        // SAFETY: no bytes, 256 counters.
        ok(unsafe { gpumex_histogram(ctx.handle, null(), null(), 0, to, 256) }, "no bytes at NULL");
        assert_same(&counts.written("no bytes"), &[0; 256], format!("{:?}, no bytes at NULL", ctx.backend));
    }
}
