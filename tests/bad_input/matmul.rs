//! Matrix product: bad input of gpumex_matmul and matmul.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{MatmulOptions, gpumex_matmul, matmul};
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::matmul::MatmulVariant;
use gpumex::platform::settings::Backend;

use super::options::{Newer, context_and_options, sequential};
use super::table::*;
use crate::common::{Handle, Number, assert_same, backends, first_unknown, ok};

/// `gpumex_matmul`, or `matmul` instead.
#[derive(Clone)]
struct Matmul {
    is_plain: bool,
    ctx: Handle,
    options: Newer<MatmulOptions>,
    size: usize,
    has_options: bool,
    m: usize,
    n: usize,
    k: usize,
    a: *const c_void,
    b: *const c_void,
    c: *mut c_void,
}

impl Call for Matmul {
    fn name(&self) -> &'static str {
        if self.is_plain { "matmul" } else { "gpumex_matmul" }
    }

    fn call(&self) -> i32 {
        let mut options = self.options;
        options.known.size = self.size;
        let options = if self.has_options { options.as_ptr() } else { null() };
        let Matmul { ctx, m, n, k, a, b, c, .. } = *self;
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe {
            match self.is_plain {
                true => matmul(m, n, k, a.cast(), b.cast(), c.cast()),
                false => gpumex_matmul(ctx, options, m, n, k, a, b, c),
            }
        }
    }
}

impl Matmul {
    /// A is 2 x 4, B 4 x 3 and C 2 x 3; all of them end on a multiple of 8 bytes in f32 and f64.
    fn good(memory: &Memory, ctx: Handle, dtype: i32) -> Matmul {
        let known = MatmulOptions { dtype, ..Default::default() };
        Matmul {
            is_plain: false,
            ctx,
            options: Newer { known, ..Newer::new() },
            size: size_of::<MatmulOptions>(),
            has_options: true,
            m: 2,
            n: 3,
            k: 4,
            a: memory.at(256),
            b: memory.at(1024),
            c: memory.at(FAR),
        }
    }

    fn set_sizes(&mut self, [m, n, k]: [usize; 3]) {
        (self.m, self.n, self.k) = (m, n, k);
    }
}

fn matmul_arrays(table: &Table<Matmul>, width: usize) {
    table.refuses("A NULL", NullPointer, &["A is NULL", "8"], |call| call.a = null());
    table.refuses("B NULL", NullPointer, &["B is NULL", "12"], |call| call.b = null());
    table.refuses("C NULL", NullPointer, &["C is NULL", "6"], |call| call.c = null_mut());

    let too_many = 1usize << 61; // elements of 8 bytes, or twice as many of 4
    let too_many = if width == 8 { too_many } else { 2 * too_many };
    for (matrix, sizes) in [
        ("A", [MAX, 1, 2]),
        ("B", [1, MAX, 2]),
        ("B", [0, MAX, 2]),
        ("A", [2, 0, MAX]),
        ("C", [MAX, 2, 0]),
        ("C", [1 << 32, 1 << 32, 0]),
        ("A", [too_many, 0, 1]),
        ("B", [0, too_many, 1]),
        ("C", [too_many, 1, 0]),
    ] {
        let [m, n, k] = sizes;
        table.refuses(format!("m {m} n {n} k {k}"), InvalidArgument, &[matrix, BEYOND], |call| {
            call.set_sizes(sizes)
        });
    }
    table.refuses("m and k too large", InvalidArgument, &["A", MAX_TEXT, "4", BEYOND], |call| call.m = MAX);

    for bytes in [width, 2 * width] {
        let what = format!("{bytes} bytes before the end of the addresses");
        table.refuses(format!("A {what}"), InvalidArgument, &["A", BEYOND], |call| {
            call.a = end_of_addresses(bytes)
        });
        table.refuses(format!("B {what}"), InvalidArgument, &["B", BEYOND], |call| {
            call.b = end_of_addresses(bytes)
        });
        table.refuses(format!("C {what}"), InvalidArgument, &["C", BEYOND], |call| {
            call.c = end_of_addresses(bytes)
        });
    }
    for offset in 1..width {
        let multiple = format!("multiple of {width}");
        let what = format!("{offset} bytes off");
        let address = |pointer: *const c_void| format!("{:p}", pointer.wrapping_byte_add(offset));
        let (a, b, c) = (address(table.good.a), address(table.good.b), address(table.good.c));
        table.refuses(format!("A {what}"), InvalidArgument, &["A", &a, &multiple], |call| {
            call.a = call.a.wrapping_byte_add(offset);
        });
        table.refuses(format!("B {what}"), InvalidArgument, &["B", &b, &multiple], |call| {
            call.b = call.b.wrapping_byte_add(offset);
        });
        table.refuses(format!("C {what}"), InvalidArgument, &["C", &c, &multiple], |call| {
            call.c = call.c.wrapping_byte_add(offset);
        });
    }
    // C has 6 elements, A 8 and B 12.
    for elements in [-5, -1, 0, 1, 7] {
        let distance = elements * width as isize;
        table.refuses(format!("C {elements} elements from A"), InvalidArgument, &["C overlaps A"], |call| {
            call.c = call.a.wrapping_byte_offset(distance).cast_mut();
        });
    }
    for elements in [-5, -1, 0, 1, 11] {
        let distance = elements * width as isize;
        table.refuses(format!("C {elements} elements from B"), InvalidArgument, &["C overlaps B"], |call| {
            call.c = call.b.wrapping_byte_offset(distance).cast_mut();
        });
    }

    table.does_nothing("m 0, A and C NULL", |call| (call.m, call.a, call.c) = (0, null(), null_mut()));
    table.does_nothing("n 0, B and C NULL", |call| (call.n, call.b, call.c) = (0, null(), null_mut()));
    table.does_nothing("all sizes 0, all NULL", |call| {
        call.set_sizes([0, 0, 0]);
        (call.a, call.b, call.c) = (null(), null(), null_mut());
    });
    table.does_nothing("m and n 0, k 2^64 - 1, all NULL", |call| {
        call.set_sizes([0, 0, MAX]);
        (call.a, call.b, call.c) = (null(), null(), null_mut());
    });
    table.accepts("A and B the same", |call| call.b = call.a);
    let without_terms = Matmul { a: null(), b: null(), ..table.good.clone() };
    gives_zeros(table, width, "k 0", Matmul { k: 0, ..without_terms.clone() });
    if !table.good.is_plain {
        let mut scaled = without_terms;
        let zero = 0.0;
        (scaled.options.known.alpha, scaled.options.known.beta) = (&zero, &zero);
        gives_zeros(table, width, "alpha and beta 0", scaled);
    }
}

/// Without terms A and B may be NULL, and C is zeros.
#[track_caller]
fn gives_zeros(table: &Table<Matmul>, width: usize, why: &str, call: Matmul) {
    table.memory.poison();
    ok(call.call(), format!("{}, {why}, A and B NULL", table.place));
    let mut want = vec![u8::POISON; 8 * WORDS];
    want[FAR..FAR + 6 * width].fill(0);
    assert_same(&table.memory.bytes(), &want, format!("{}, {why}: bytes of C and around", table.place));
}

#[test]
fn gpumex_matmul_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        for (dtype, width) in [(Dtype::F32, 4), (Dtype::F64, 8)] {
            let place = format!("{:?}, {width} bytes an element", ctx.backend);
            matmul_arrays(
                &Table::new(place, &memory, Matmul::good(&memory, ctx.handle, dtype as i32)),
                width,
            );
        }
    }
}

#[test]
fn gpumex_matmul_refuses_bad_options() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Matmul::good(&memory, ctx.handle, 0));
        context_and_options(
            &table,
            8,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_matmul_variant",
            7,
        );
        let unknown = first_unknown::<MatmulVariant>();
        let words = [&unknown.to_string(), "gpumex_matmul_variant"];
        table.refuses("an unknown variant", InvalidArgument, &words, |call| {
            call.options.known.variant = unknown
        });
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        table.accepts("options NULL", |call| call.has_options = false);

        for (dtype, name) in [(Dtype::I8, "GPUMEX_DTYPE_I8"), (Dtype::Bool, "GPUMEX_DTYPE_BOOL")] {
            table.refuses(format!("dtype {name}"), Unsupported, &["options.dtype", name], |call| {
                call.options.known.dtype = dtype as i32
            });
        }
        let of_c = [
            (Dtype::F32, Dtype::F64),
            (Dtype::F64, Dtype::F32),
            (Dtype::F16, Dtype::Bf16),
            (Dtype::Bf16, Dtype::F64),
            (Dtype::C64, Dtype::F32),
        ];
        for (dtype, of_c) in of_c {
            let words = ["options.dtype_c", &dtype.c_name(), &of_c.c_name()];
            table.refuses(format!("C of {of_c:?} with {dtype:?}"), Unsupported, &words, |call| {
                (call.options.known.dtype, call.options.known.dtype_c) = (dtype as i32, of_c as i32)
            });
        }
        let unknown_of_c = first_unknown::<Dtype>();
        let words = ["options.dtype_c", &unknown_of_c.to_string(), "gpumex_dtype"];
        table.refuses("an unknown dtype_c", InvalidArgument, &words, |call| {
            call.options.known.dtype_c = unknown_of_c
        });
        table.refuses("TF32 of F16", Unsupported, &["TF32", "GPUMEX_DTYPE_F16"], |call| {
            call.options.known.dtype = Dtype::F16 as i32;
            call.options.known.variant = MatmulVariant::Tf32 as i32;
        });
        for dtype in [-1, first_unknown::<Dtype>(), 99] {
            let words = [&dtype.to_string(), "gpumex_dtype"];
            table.refuses(format!("dtype {dtype}"), InvalidArgument, &words, |call| {
                call.options.known.dtype = dtype
            });
        }
        for order in [-1, 2, 99] {
            let words = [&order.to_string(), "gpumex_matmul_order"];
            table.refuses(format!("order {order}"), InvalidArgument, &words, |call| {
                call.options.known.order = order
            });
        }
        type Set = fn(&mut MatmulOptions);
        let switches: [(&str, &str, Set); 5] = [
            ("trans_a", "2", |options| options.trans_a = 2),
            ("trans_a", "-7", |options| options.trans_a = -7),
            ("trans_b", "2", |options| options.trans_b = 2),
            ("same_a", "2", |options| options.same_a = 2),
            ("same_b", "-1", |options| options.same_b = -1),
        ];
        for (field, value, set) in switches {
            let words = [&format!("options.{field} is {value}"), "0 or 1"];
            table.refuses(format!("{field} {value}"), InvalidArgument, &words, |call| {
                set(&mut call.options.known)
            });
        }
        // A is 2 x 4, B 4 x 3 and C 2 x 3.
        let layouts: [(&[&str], Set); 10] = [
            (&["lda is 3", "row of A", "4 elements"], |options| options.lda = 3),
            (&["lda is 1", "row of A", "2 elements"], |options| (options.lda, options.trans_a) = (1, 1)),
            (&["lda is 1", "column of A", "2 elements"], |options| (options.lda, options.order) = (1, 1)),
            (&["ldb is 2", "row of B", "3 elements"], |options| options.ldb = 2),
            (&["ldb is 3", "row of B", "4 elements"], |options| (options.ldb, options.trans_b) = (3, 1)),
            (&["ldc is 2", "row of C", "3 elements"], |options| options.ldc = 2),
            (&["stride_c is 5", "matrix of C", "6 elements"], |options| {
                (options.stride_c, options.batch) = (5, 2)
            }),
            (&["A of 1 x 2 x 4", BEYOND], |options| options.lda = MAX),
            (&["A of 18446744073709551615 x 2 x 4", BEYOND], |options| options.batch = MAX),
            (&["C of 2 x 2 x 3", BEYOND], |options| {
                (options.batch, options.same_a, options.same_b, options.stride_c) = (2, 1, 1, MAX)
            }),
        ];
        for (words, set) in layouts {
            table.refuses(words[0], InvalidArgument, words, |call| set(&mut call.options.known));
        }
        let (one, zero) = (1.0, 0.0);
        table.accepts("alpha 1 and beta 0", |call| {
            (call.options.known.alpha, call.options.known.beta) = (&one, &zero)
        });
        table.accepts("batch 1, with a stride", |call| {
            (call.options.known.batch, call.options.known.stride_c) = (1, 1)
        });
        table.refuses("TF32 of double", Unsupported, &["TF32", "F64"], |call| {
            (call.options.known.variant, call.options.known.dtype) = (6, Dtype::F64 as i32)
        });
        if ctx.backend == Backend::Cpu {
            table.refuses("CUBLAS on the CPU", Unsupported, &["CUBLAS", "CPU"], |call| {
                call.options.known.variant = 7
            });
        }
    }
}

#[test]
fn the_plain_matmul_refuses_bad_input() {
    let memory = Memory::new();
    let good = Matmul { is_plain: true, ..Matmul::good(&memory, null_mut(), 0) };
    matmul_arrays(&Table::new("the default context", &memory, good), 4);
}
