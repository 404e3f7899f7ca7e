//! Inner product: bad input of gpumex_dot.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer};
use gpumex::ffi::{DotOptions, gpumex_dot};
use gpumex::model::dtype::Dtype;

use super::options::{Newer, context_and_options, floats_and_complex_only, sequential};
use super::table::*;
use crate::common::{Handle, Output, assert_same, backends, ok};

#[derive(Clone)]
struct Dot {
    ctx: Handle,
    options: Newer<DotOptions>,
    size: usize,
    has_options: bool,
    x: *const c_void,
    y: *const c_void,
    count: usize,
    result: *mut c_void,
}

impl Call for Dot {
    fn name(&self) -> &'static str {
        "gpumex_dot"
    }

    fn call(&self) -> i32 {
        let mut options = self.options;
        options.known.size = self.size;
        let options = if self.has_options { options.as_ptr() } else { null() };
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe { gpumex_dot(self.ctx, options, self.x, self.y, self.count, self.result) }
    }
}

impl Dot {
    /// Two elements, which every variant adds alike.
    fn good(memory: &Memory, ctx: Handle) -> Dot {
        Dot {
            ctx,
            options: Newer::of(DotOptions { dtype: Dtype::F32 as i32, ..DotOptions::default() }),
            size: size_of::<DotOptions>(),
            has_options: true,
            x: memory.at(4096),
            y: memory.at(8192),
            count: 2,
            result: memory.at(FAR),
        }
    }
}

fn arrays(table: &Table<Dot>) {
    table.refuses("x NULL", NullPointer, &["x is NULL", "2"], |call| call.x = null());
    table.refuses("y NULL", NullPointer, &["y is NULL", "2"], |call| call.y = null());
    table.refuses("result NULL", NullPointer, &["result is NULL", "1"], |call| call.result = null_mut());
    table.refuses("result NULL, no elements", NullPointer, &["result is NULL"], |call| {
        (call.count, call.result) = (0, null_mut());
    });
    for count in [MAX, 1 << 62, MAX / 4] {
        let words = ["x", &count.to_string(), BEYOND];
        table.refuses(format!("count {count}"), InvalidArgument, &words, |call| call.count = count);
    }
    for offset in 1..4 {
        table.refuses(format!("x {offset} bytes off"), InvalidArgument, &["x", "multiple of 4"], |call| {
            call.x = call.x.wrapping_byte_add(offset);
        });
        table.refuses(format!("y {offset} bytes off"), InvalidArgument, &["y", "multiple of 4"], |call| {
            call.y = call.y.wrapping_byte_add(offset);
        });
        let words = ["result", "multiple of 4"];
        table.refuses(format!("result {offset} bytes off"), InvalidArgument, &words, |call| {
            call.result = call.result.wrapping_byte_add(offset);
        });
    }
    for distance in [0, 4] {
        table.refuses("the result in x", InvalidArgument, &["result overlaps x"], |call| {
            call.result = call.x.wrapping_byte_offset(distance).cast_mut();
        });
        table.refuses("the result in y", InvalidArgument, &["result overlaps y"], |call| {
            call.result = call.y.wrapping_byte_offset(distance).cast_mut();
        });
    }
    table.accepts("x is y", |call| call.y = call.x); // all of it is the same poison
    table.accepts("y in the middle of x", |call| call.y = call.x.wrapping_byte_add(4));
}

#[test]
fn gpumex_dot_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Dot::good(&memory, ctx.handle));
        arrays(&table);
        context_and_options(
            &table,
            16,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_dot_variant",
            4,
        );
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        let words = ["options.dtype is GPUMEX_DTYPE_NONE"];
        table.refuses("options NULL", InvalidArgument, &words, |call| call.has_options = false);

        floats_and_complex_only(&table, |call| &mut call.options.known.dtype);
    }
}

#[test]
fn the_inner_product_of_no_elements_is_0() {
    for ctx in backends() {
        let mut result = Output::<f32>::new(1);
        let to = result.as_mut_ptr().cast();
        let options = DotOptions { dtype: Dtype::F32 as i32, ..DotOptions::default() };
        // SAFETY: no elements, one result.
        ok(unsafe { gpumex_dot(ctx.handle, &options, null(), null(), 0, to) }, "no elements at NULL");
        assert_same(&result.written("no elements"), &[0.0], format!("{:?}, no elements", ctx.backend));
    }
}
