//! The rules of option structs, the same for every operation: `table` has a row for each.

mod table;

use std::collections::BTreeSet;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::platform::settings::Backend;

use self::table::*;
use crate::common::*;

// ------------------------------------------------------------------------------------------------------- one call of a row

impl Operation {
    fn what(&self, ctx: &Context, what: &str) -> String {
        format!("{} on {:?}, {what}", self.name, ctx.backend)
    }

    /// The status with options of these bytes, whose size field is theirs.
    fn status(&self, ctx: &Context, options: &[u8]) -> i32 {
        let mut aligned = vec![0u64; options.len().div_ceil(8)];
        // SAFETY: as many bytes as the options have, or a few more.
        unsafe {
            std::ptr::copy_nonoverlapping(options.as_ptr(), aligned.as_mut_ptr().cast(), options.len())
        };
        (self.call)(ctx.handle, aligned.as_ptr().cast(), &Arrays::new())
    }

    /// The options of the good call with other numbers in some fields.
    fn with(&self, fields: &[(Field, i32)]) -> Vec<u8> {
        let mut options = self.options.clone();
        for (field, number) in fields {
            options[field.offset..][..4].copy_from_slice(&number.to_ne_bytes());
        }
        options
    }

    /// The options of the good call, with so many bytes and this size field.
    fn sized(&self, size: usize, bytes: usize) -> Vec<u8> {
        let mut options = self.options.clone();
        options.resize(bytes, 0);
        options[..8].copy_from_slice(&size.to_ne_bytes());
        options
    }

    /// A good call whose field has this number is refused; the sentence begins with the function and names `options.<field>`.
    #[track_caller]
    fn refuses(&self, ctx: &Context, fields: &[(Field, i32)], status: Status, words: &[&str]) {
        let (field, number) = fields[0];
        let name = format!("options.{}", field.name);
        let all = [&[self.name, &name], words].concat();
        let what = self.what(ctx, &format!("{name} {number}"));
        refused(self.status(ctx, &self.with(fields)), status, &all, what);
    }

    fn variant(&self) -> Option<&EnumField> {
        self.enums.iter().find(|field| field.field.name == "variant")
    }
}

#[track_caller]
fn each(check: impl Fn(&Context, &Operation)) {
    for ctx in backends() {
        for operation in operations() {
            check(&ctx, &operation);
            ok(operation.status(&ctx, &operation.options), operation.what(&ctx, "a good call after all"));
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------- tests

#[test]
fn every_option_struct_of_the_header_is_in_the_table() {
    let header = include_str!("../include/gpumex.h");
    let structs = header.split("typedef struct gpumex_").skip(1);
    let names = structs.filter_map(|text| text.split([' ', ';', '{']).next()?.strip_suffix("_options"));
    let of_operations = names.filter(|name| !["comm", "context"].contains(name)); // which no operation reads
    let want: BTreeSet<String> = of_operations.map(|name| format!("gpumex_{name}")).collect();
    let got: BTreeSet<String> = operations().iter().map(|operation| operation.name.to_string()).collect();
    assert_eq!(got, want);
}

#[test]
fn good_options_are_good() {
    each(|_, _| {});
}

#[test]
fn a_dtype_that_is_not_set_is_refused() {
    each(|ctx, operation| {
        for Needed { dtype, condition } in &operation.needed {
            let fields: Vec<(Field, i32)> = [(*dtype, 0)].into_iter().chain(*condition).collect();
            let sentence = format!("options.{} is GPUMEX_DTYPE_NONE", dtype.name);
            operation.refuses(ctx, &fields, Status::InvalidArgument, &[&sentence]);
        }
    });
}

#[test]
fn a_dtype_that_is_not_used_is_not_looked_at() {
    each(|ctx, operation| {
        for Needed { dtype, condition } in &operation.needed {
            let what = operation.what(ctx, &format!("options.{} is not used", dtype.name));
            if condition.is_some() {
                ok(operation.status(ctx, &operation.with(&[(*dtype, 0)])), what);
            }
        }
    });
}

#[test]
fn options_null_are_the_defaults_and_set_no_dtype() {
    each(|ctx, operation| {
        let status = (operation.call)(ctx.handle, null(), &Arrays::new());
        let what = operation.what(ctx, "options NULL");
        let names = operation.needed.iter().filter(|needed| needed.condition.is_none());
        match names.map(|needed| format!("options.{} is GPUMEX_DTYPE_NONE", needed.dtype.name)).next() {
            None => ok(status, what),
            Some(_) => refused(status, Status::InvalidArgument, &["dtype is GPUMEX_DTYPE_NONE"], what),
        }
    });
}

#[test]
fn a_dtype_is_served_or_refused_by_its_name() {
    each(|ctx, operation| {
        for of in operation.enums.iter().filter(|field| field.name == Dtype::NAME) {
            for (number, constant) in of.values.iter().enumerate().skip(1) {
                let status = operation.status(ctx, &operation.with(&[(of.field, number as i32)]));
                let (name, what) = (format!("options.{}", of.field.name), operation.what(ctx, constant));
                match status {
                    0 => {}
                    2 | 6 => says(&[operation.name, &name, constant], what),
                    _ => panic!("{what}: {}", explain(status)),
                }
            }
        }
    });
}

#[test]
fn a_value_of_an_enum_is_served_or_refused_by_its_name() {
    each(|ctx, operation| {
        for of in operation.enums.iter().filter(|field| field.name != Dtype::NAME) {
            for (number, constant) in of.values.iter().enumerate() {
                let status = operation.status(ctx, &operation.with(&[(of.field, number as i32)]));
                let (name, what) = (format!("options.{}", of.field.name), operation.what(ctx, constant));
                match status {
                    0 => {}
                    6 => says(&[operation.name, &name, constant], what),
                    _ => panic!("{what}: {}", explain(status)),
                }
            }
        }
    });
}

#[test]
fn a_number_that_is_none_of_an_enum_is_refused_with_its_constants() {
    each(|ctx, operation| {
        for EnumField { field, name, values } in &operation.enums {
            let [first, last] = [0, values.len() - 1].map(|index| values[index].as_str());
            for number in [-1, values.len() as i32, i32::MIN, i32::MAX] {
                let sentence = format!("options.{} is {number}", field.name);
                let words = [&sentence, *name, first, last];
                operation.refuses(ctx, &[(*field, number)], Status::InvalidArgument, &words);
            }
        }
    });
}

#[test]
fn a_switch_is_0_or_1() {
    each(|ctx, operation| {
        for &field in &operation.switches {
            for number in [-1, 2, i32::MAX] {
                let sentence = format!("options.{} is {number}", field.name);
                operation.refuses(ctx, &[(field, number)], Status::InvalidArgument, &[&sentence, "0 or 1"]);
            }
        }
    });
}

#[test]
fn a_reserved_field_that_is_not_0_is_refused() {
    each(|ctx, operation| {
        for &field in &operation.reserved {
            for number in [1, -1] {
                let sentence = format!("options.{} is {number}", field.name);
                operation.refuses(ctx, &[(field, number)], Status::Unsupported, &[&sentence, "0"]);
            }
        }
    });
}

#[test]
fn a_size_that_is_none_of_a_struct_is_refused() {
    each(|ctx, operation| {
        for size in [0, 1, 7, 4097, usize::MAX] {
            let words = [operation.name, &format!("options.size is {size}"), "sizeof"];
            let options = operation.sized(size, 8192);
            let what = operation.what(ctx, &format!("size {size}"));
            refused(operation.status(ctx, &options), Status::InvalidArgument, &words, what);
        }
    });
}

#[test]
fn a_newer_struct_is_served_while_its_new_fields_are_0() {
    each(|ctx, operation| {
        let known = operation.options.len();
        for size in [known + 1, known + 4, known + 8, 4096] {
            let mut options = operation.sized(size, 8192);
            ok(
                operation.status(ctx, &options),
                operation.what(ctx, &format!("size {size}, a tail of zeros")),
            );
            options[size] = 1; // behind the struct
            ok(
                operation.status(ctx, &options),
                operation.what(ctx, &format!("size {size}, and what follows")),
            );
            options[size - 1] = 1;
            let words = [operation.name, &format!("options.size is {size}"), &format!("{known} bytes")];
            let what = operation.what(ctx, &format!("size {size}, a tail that is not 0"));
            refused(operation.status(ctx, &options), Status::Unsupported, &words, what);
        }
    });
}

#[test]
fn an_older_struct_is_completed_with_zeros() {
    each(|ctx, operation| {
        let is_cut = |size: &usize| operation.pointers.iter().any(|field| field.offset + 4 == *size);
        for size in (8..operation.options.len()).step_by(4).filter(|size| !is_cut(size)) {
            let status = operation.status(ctx, &operation.sized(size, operation.options.len()));
            let what = operation.what(ctx, &format!("size {size}"));
            let names = |needed: &Needed| needed.condition.is_none() && needed.dtype.offset >= size;
            let is_null = operation.pointers.iter().any(|pointer| pointer.offset >= size);
            match (operation.needed.iter().any(names), is_null) {
                (false, false) => ok(status, what),
                (false, true) => refused(status, Status::NullPointer, &["is NULL"], what),
                (true, _) => refused(status, Status::InvalidArgument, &["is GPUMEX_DTYPE_NONE"], what),
            }
        }
    });
}

#[test]
fn sequential_is_of_the_cpu_backend() {
    each(|ctx, operation| {
        let Some(EnumField { field, values, .. }) = operation.variant() else { return };
        let constant = values[1].as_str();
        assert!(constant.ends_with("_SEQUENTIAL"), "{}: {constant}", operation.name);
        match ctx.backend {
            Backend::Cuda => {
                operation.refuses(ctx, &[(*field, 1)], Status::Unsupported, &[constant, "CPU", "CUDA"])
            }
            _ => ok(operation.status(ctx, &operation.with(&[(*field, 1)])), operation.what(ctx, constant)),
        }
    });
}
