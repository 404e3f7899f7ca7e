//! Random numbers: bad input of gpumex_random and gpumex_random_sorted.

use std::ffi::c_void;

use gpumex::error::Status::InvalidArgument;
use gpumex::ffi::{gpumex_random, gpumex_random_sorted};
use gpumex::model::dtype::Dtype;

use super::options::context_dtype_and_array;
use super::table::*;
use crate::common::{Handle, backends};

#[derive(Clone)]
struct Random {
    is_sorted: bool,
    ctx: Handle,
    dtype: i32,
    array: *mut c_void,
    count: usize,
    lo: f64,
    hi: f64,
}

impl Call for Random {
    fn name(&self) -> &'static str {
        if self.is_sorted { "gpumex_random_sorted" } else { "gpumex_random" }
    }

    fn call(&self) -> i32 {
        let function = if self.is_sorted { gpumex_random_sorted } else { gpumex_random };
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe { function(self.ctx, self.dtype, self.array, self.count, 1, self.lo, self.hi) }
    }
}

fn what_all_refuse(table: &Table<Random>) {
    context_dtype_and_array(table, |call| (&mut call.ctx, &mut call.dtype, &mut call.array, &mut call.count));
    for count in [MAX, 1 << 62, MAX / 4] {
        let words = ["array", &count.to_string(), BEYOND];
        table.refuses(format!("count {count}"), InvalidArgument, &words, |call| call.count = count);
    }
}

fn intervals(table: &Table<Random>) {
    let (f32_max, nan, inf) = (f64::from(f32::MAX), f64::NAN, f64::INFINITY);
    let cases: [(Dtype, f64, f64, &[&str]); 22] = [
        (Dtype::I32, 1.0, 0.0, &["lo is 1", "hi is 0", "lo <= hi"]),
        (Dtype::I32, 0.5, 3.0, &["lo is 0.5", "whole"]),
        (Dtype::I32, 0.0, 2.5, &["hi is 2.5", "whole"]),
        (Dtype::I32, nan, 3.0, &["lo is NaN", "whole"]),
        (Dtype::U8, 0.0, inf, &["hi is inf", "whole"]),
        (Dtype::U8, 0.0, 256.0, &["hi is 256", "U8", "0 to 255"]),
        (Dtype::U8, -1.0, 2.0, &["lo is -1", "U8", "0 to 255"]),
        (Dtype::I8, -129.0, 2.0, &["lo is -129", "I8", "-128 to 127"]),
        (Dtype::U16, 0.0, 65_536.0, &["hi is 65536", "65535"]),
        (Dtype::I16, -32_769.0, 0.0, &["lo is -32769", "32767"]),
        (Dtype::U32, 0.0, 4_294_967_296.0, &["hi is 4294967296", "4294967295"]),
        (Dtype::I64, 0.0, 2f64.powi(63), &["hi is 9223372036854775808", "I64"]),
        (Dtype::U64, 0.0, 2f64.powi(64), &["hi is 18446744073709551616", MAX_TEXT]),
        (Dtype::U64, 0.0, 1e300, &["hi is", MAX_TEXT]),
        (Dtype::F32, 1.0, 1.0, &["lo is 1.0", "hi is 1.0", "lo < hi"]),
        (Dtype::F32, 1.0, 1.0 + 1e-12, &["F32", "lo < hi"]),
        (Dtype::F32, 0.0, 1e39, &["F32", "finite"]),
        (Dtype::F32, -f32_max, f32_max, &["F32", "hi - lo"]),
        (Dtype::F64, 2.0, 1.0, &["lo is 2.0", "hi is 1.0", "lo < hi"]),
        (Dtype::F64, nan, 1.0, &["lo is NaN", "finite"]),
        (Dtype::F64, 0.0, inf, &["hi is inf", "finite"]),
        (Dtype::F64, -f64::MAX, f64::MAX, &["F64", "hi - lo"]),
    ];
    for (dtype, lo, hi, words) in cases {
        table.refuses(format!("{dtype:?} from {lo} to {hi}"), InvalidArgument, words, |call| {
            (call.dtype, call.lo, call.hi) = (dtype as i32, lo, hi);
        });
    }
}

fn refuses_bad_input(is_sorted: bool) {
    let memory = Memory::new();
    for ctx in backends() {
        let dtype = Dtype::F32 as i32;
        let (array, count) = (memory.at(FAR), 100);
        let good = Random { is_sorted, ctx: ctx.handle, dtype, array, count, lo: 0.0, hi: 1.0 };
        let table = Table::new(format!("{:?}", ctx.backend), &memory, good);
        what_all_refuse(&table);
        intervals(&table);
    }
}

#[test]
fn gpumex_random_refuses_bad_input() {
    refuses_bad_input(false);
}

#[test]
fn gpumex_random_sorted_refuses_bad_input() {
    refuses_bad_input(true);
}
