//! Histogram: bad input of gpumex_histogram and histogram.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{HistogramOptions, gpumex_histogram, histogram};

use crate::common::{Output, Token, assert_same, backends, ok};
use crate::options::{Newer, context_and_options, sequential};
use crate::table::*;

/// `gpumex_histogram`, or `histogram` instead.
#[derive(Clone)]
struct Histogram {
    is_plain: bool,
    ctx: Token,
    options: Newer<HistogramOptions>,
    size: usize,
    has_options: bool,
    data: *const c_void,
    len: usize,
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
        let Histogram { ctx, data, len, counts, bins, .. } = *self;
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe {
            match self.is_plain {
                true => histogram(data.cast(), len, counts.cast()),
                false => gpumex_histogram(ctx, options, data, len, counts, bins),
            }
        }
    }
}

impl Histogram {
    fn good(memory: &Memory, ctx: Token) -> Histogram {
        Histogram {
            is_plain: false,
            ctx,
            options: Newer::new(),
            size: size_of::<HistogramOptions>(),
            has_options: true,
            data: memory.at(4096),
            len: 1000,
            counts: memory.at(FAR),
            bins: 256,
        }
    }
}

fn histogram_arrays(table: &Table<Histogram>) {
    table.refuses("data NULL", NullPointer, &["data is NULL", "1000"], |call| call.data = null());
    table.refuses("counts NULL", NullPointer, &["counts is NULL", "256"], |call| call.counts = null_mut());
    table.refuses("counts NULL, no data", NullPointer, &["counts is NULL", "256"], |call| {
        (call.data, call.len, call.counts) = (null(), 0, null_mut());
    });
    for len in [MAX, 1 << 63, MAX - 4096] {
        let words = ["data", &len.to_string(), BEYOND];
        table.refuses(format!("len {len}"), InvalidArgument, &words, |call| call.len = len);
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
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Histogram::good(&memory, ctx.token));
        histogram_arrays(&table);
        context_and_options(
            &table,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_histogram_variant",
            4,
        );
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        table.accepts("options NULL", |call| call.has_options = false);

        for bins in [0, 1, 255, 257, MAX] {
            let words = ["bins", &bins.to_string(), "256"];
            table.refuses(format!("bins {bins}"), Unsupported, &words, |call| call.bins = bins);
        }
        for (dtype, name) in [(1, "U16"), (2, "U32"), (3, "I32"), (4, "F32"), (5, "F64")] {
            table.refuses(format!("dtype {name}"), Unsupported, &["dtype", name], |call| {
                call.options.known.dtype = dtype
            });
        }
        for dtype in [-1, 6, 99] {
            let words = [&dtype.to_string(), "gpumex_histogram_dtype"];
            table.refuses(format!("dtype {dtype}"), InvalidArgument, &words, |call| {
                call.options.known.dtype = dtype
            });
        }
        type Set = fn(&mut HistogramOptions);
        const NUMBERS: [f64; 257] = [0.0; 257];
        let reserved: [(&str, &str, Set); 10] = [
            ("channels", "2", |options| options.channels = 2),
            ("channels", "-1", |options| options.channels = -1),
            ("accumulate", "1", |options| options.accumulate = 1),
            ("accumulate", "-3", |options| options.accumulate = -3),
            ("lo", "0.25", |options| options.lo = 0.25),
            ("lo", "NaN", |options| options.lo = f64::NAN),
            ("hi", "255.5", |options| options.hi = 255.5),
            ("hi", "inf", |options| options.hi = f64::INFINITY),
            ("edges", "", |options| options.edges = NUMBERS.as_ptr()),
            ("weights", "", |options| options.weights = NUMBERS.as_ptr()),
        ];
        for (field, value, set) in reserved {
            table.refuses_unserved(field, value, |call| set(&mut call.options.known));
        }
        table.accepts("channels 1", |call| call.options.known.channels = 1);
    }
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
        ok(unsafe { gpumex_histogram(ctx.token, null(), null(), 0, to, 256) }, "no bytes at NULL");
        assert_same(&counts.written("no bytes"), &[0; 256], format!("{:?}, no bytes at NULL", ctx.backend));
    }
}
