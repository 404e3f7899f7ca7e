//! Sum of two vectors: bad input of gpumex_add.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer};
use gpumex::ffi::{AddOptions, gpumex_add};
use gpumex::model::dtype::Dtype;

use super::options::{Newer, context_and_options, floats_only, sequential};
use super::table::*;
use crate::common::{Handle, backends};

#[derive(Clone)]
struct Add {
    ctx: Handle,
    options: Newer<AddOptions>,
    size: usize,
    has_options: bool,
    x: *const c_void,
    y: *mut c_void,
    count: usize,
}

impl Call for Add {
    fn name(&self) -> &'static str {
        "gpumex_add"
    }

    fn call(&self) -> i32 {
        let mut options = self.options;
        options.known.size = self.size;
        let options = if self.has_options { options.as_ptr() } else { null() };
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe { gpumex_add(self.ctx, options, self.x, self.y, self.count) }
    }
}

impl Add {
    fn good(memory: &Memory, ctx: Handle) -> Add {
        Add {
            ctx,
            options: Newer::of(AddOptions { dtype: Dtype::F32 as i32, ..AddOptions::default() }),
            size: size_of::<AddOptions>(),
            has_options: true,
            x: memory.at(4096),
            y: memory.at(FAR),
            count: 1000,
        }
    }
}

fn arrays(table: &Table<Add>) {
    table.refuses("x NULL", NullPointer, &["x is NULL", "1000"], |call| call.x = null());
    table.refuses("y NULL", NullPointer, &["y is NULL", "1000"], |call| call.y = null_mut());
    for count in [MAX, 1 << 62, MAX / 4] {
        let words = ["x", &count.to_string(), BEYOND];
        table.refuses(format!("count {count}"), InvalidArgument, &words, |call| call.count = count);
    }
    table.refuses("x at the end of the addresses", InvalidArgument, &["x", "1000", BEYOND], |call| {
        call.x = end_of_addresses(3996);
    });
    table.refuses("y at the end of the addresses", InvalidArgument, &["y", "1000", BEYOND], |call| {
        call.y = end_of_addresses(3996);
    });
    for offset in 1..4 {
        table.refuses(format!("x {offset} bytes off"), InvalidArgument, &["x", "multiple of 4"], |call| {
            call.x = call.x.wrapping_byte_add(offset);
        });
        table.refuses(format!("y {offset} bytes off"), InvalidArgument, &["y", "multiple of 4"], |call| {
            call.y = call.y.wrapping_byte_add(offset);
        });
    }
    for distance in [-3996, -16, 0, 4, 3996] {
        let what = format!("y {distance} bytes from x");
        table.refuses(what, InvalidArgument, &["y overlaps x", "apart"], |call| {
            call.y = call.x.wrapping_byte_offset(distance).cast_mut();
        });
    }
    table.does_nothing("no elements at NULL", |call| {
        (call.x, call.y, call.count) = (null(), null_mut(), 0);
    });
}

#[test]
fn gpumex_add_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Add::good(&memory, ctx.handle));
        arrays(&table);
        context_and_options(
            &table,
            16,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_add_variant",
            3,
        );
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        let words = ["options.dtype is GPUMEX_DTYPE_NONE"];
        table.refuses("options NULL", InvalidArgument, &words, |call| call.has_options = false);
        table.accepts("ON_DEMAND", |call| call.options.known.variant = 2);
        table.accepts("PREFETCH", |call| call.options.known.variant = 3);

        floats_only(&table, |call| &mut call.options.known.dtype);
    }
}
