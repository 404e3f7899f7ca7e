//! Fill and ascending fill: bad input of gpumex_fill and gpumex_fill_ascending.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::error::Status::{InvalidArgument, NullPointer};
use gpumex::ffi::{gpumex_fill, gpumex_fill_ascending};
use gpumex::model::dtype::Dtype;

use super::options::context_dtype_and_array;
use super::table::*;
use crate::common::{Handle, backends};

static VALUE: u64 = 7;

/// `gpumex_fill`, or `gpumex_fill_ascending` instead.
#[derive(Clone)]
struct Fill {
    is_ascending: bool,
    ctx: Handle,
    dtype: i32,
    array: *mut c_void,
    count: usize,
    value: *const c_void,
    first: f64,
    step: f64,
}

impl Call for Fill {
    fn name(&self) -> &'static str {
        if self.is_ascending { "gpumex_fill_ascending" } else { "gpumex_fill" }
    }

    fn call(&self) -> i32 {
        let Fill { ctx, dtype, array, count, value, first, step, .. } = *self;
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe {
            match self.is_ascending {
                true => gpumex_fill_ascending(ctx, dtype, array, count, first, step),
                false => gpumex_fill(ctx, dtype, array, count, value),
            }
        }
    }
}

impl Fill {
    fn good(memory: &Memory, ctx: Handle) -> Fill {
        Fill {
            is_ascending: false,
            ctx,
            dtype: Dtype::I32 as i32,
            array: memory.at(FAR),
            count: 100,
            value: (&raw const VALUE).cast(),
            first: -5.0,
            step: 3.0,
        }
    }
}

fn what_all_refuse(table: &Table<Fill>) {
    context_dtype_and_array(table, |call| (&mut call.ctx, &mut call.dtype, &mut call.array, &mut call.count));
    table.refuses("array at the end of the addresses", InvalidArgument, &["array", "100", BEYOND], |call| {
        call.array = end_of_addresses(396);
    });
}

#[test]
fn gpumex_fill_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Fill::good(&memory, ctx.handle));
        what_all_refuse(&table);
        for count in [MAX, 1 << 62, MAX / 4] {
            let words = ["array", &count.to_string(), BEYOND];
            table.refuses(format!("count {count}"), InvalidArgument, &words, |call| call.count = count);
        }
        table.refuses("value NULL", NullPointer, &["value is NULL"], |call| call.value = null());
        table.refuses("value 2 bytes off", InvalidArgument, &["value", "multiple of 4"], |call| {
            call.value = call.value.wrapping_byte_add(2);
        });
        for element in [0, 50, 99] {
            table.refuses("the value in the array", InvalidArgument, &["array overlaps value"], |call| {
                call.value = call.array.wrapping_byte_add(4 * element).cast_const();
            });
        }
    }
}

#[test]
fn gpumex_fill_ascending_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let good = Fill { is_ascending: true, ..Fill::good(&memory, ctx.handle) };
        let table = Table::new(format!("{:?}", ctx.backend), &memory, good);
        what_all_refuse(&table);
        first_and_step(&table);
        ends_of_integers(&table);
    }
}

fn first_and_step(table: &Table<Fill>) {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for dtype in [Dtype::I32, Dtype::F32, Dtype::F64] {
            let text = format!("{value}");
            table.refuses(format!("first {value}"), InvalidArgument, &["first", &text, "finite"], |call| {
                (call.dtype, call.first) = (dtype as i32, value);
            });
            table.refuses(format!("step {value}"), InvalidArgument, &["step", &text, "finite"], |call| {
                (call.dtype, call.step) = (dtype as i32, value);
            });
        }
    }
    table.refuses("first 0.5", InvalidArgument, &["first is 0.5", "I32", "whole"], |call| call.first = 0.5);
    table.refuses("step 0.25", InvalidArgument, &["step is 0.25", "I32", "whole"], |call| call.step = 0.25);
    for value in [2f64.powi(53) + 2.0, -(2f64.powi(60)), 1e300] {
        table.refuses(format!("step {value}"), InvalidArgument, &["step is", "2^53"], |call| {
            call.step = value
        });
        table.refuses(format!("first {value}"), InvalidArgument, &["first is", "2^53"], |call| {
            call.first = value;
        });
    }
    table.does_nothing("no elements from 0 by 0", |call| (call.count, call.first, call.step) = (0, 0.0, 0.0));
}

fn ends_of_integers(table: &Table<Fill>) {
    let cases: [(Dtype, f64, f64, &str, &str); 7] = [
        (Dtype::I8, -129.0, 1.0, "the first of 100 elements is -129", "-128 to 127"),
        (Dtype::I8, 29.0, 1.0, "the last of 100 elements is 128", "-128 to 127"),
        (Dtype::U8, 98.0, -1.0, "the last of 100 elements is -1", "0 to 255"),
        (Dtype::U16, 65_437.0, 1.0, "the last of 100 elements is 65536", "0 to 65535"),
        (Dtype::I32, 2_147_483_549.0, 1.0, "is 2147483648", "-2147483648 to 2147483647"),
        (Dtype::U32, -1.0, 5.0, "the first of 100 elements is -1", "0 to 4294967295"),
        (Dtype::U64, 98.0, -1.0, "the last of 100 elements is -1", MAX_TEXT),
    ];
    for (dtype, first, step, value, rule) in cases {
        let what = format!("{dtype:?} from {first} by {step}");
        table.refuses(what, InvalidArgument, &[value, &format!("{dtype:?}"), rule], |call| {
            (call.dtype, call.first, call.step) = (dtype as i32, first, step);
        });
    }
    let far = 2f64.powi(53);
    table.refuses("I64 beyond 2^63", InvalidArgument, &["the last of 1100 elements", "I64"], |call| {
        (call.dtype, call.count, call.first, call.step) = (Dtype::I64 as i32, 1100, 0.0, far);
    });
    table.refuses("2^60 elements", InvalidArgument, &["the last of 1152921504606846976 elements"], |call| {
        call.count = 1 << 60;
    });
}
