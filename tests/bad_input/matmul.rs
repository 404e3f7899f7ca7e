//! Matrix product: bad input of gpumex_matmul and matmul.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{MatmulOptions, gpumex_matmul, matmul};

use crate::common::{Number, Token, assert_same, backends, ok};
use crate::options::{Newer, context_and_options, sequential};
use crate::table::*;

/// `gpumex_matmul`, or `matmul` instead.
#[derive(Clone)]
struct Matmul {
    is_plain: bool,
    ctx: Token,
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
    fn good(memory: &Memory, ctx: Token, dtype: i32) -> Matmul {
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
    k_0_gives_zeros(table, width);
}

/// Without terms A and B may be NULL, and C is zeros.
#[track_caller]
fn k_0_gives_zeros(table: &Table<Matmul>, width: usize) {
    let call = Matmul { k: 0, a: null(), b: null(), ..table.good.clone() };
    table.memory.poison();
    ok(call.call(), format!("{}, k 0, A and B NULL", table.place));
    let mut want = vec![u8::POISON; 8 * WORDS];
    want[FAR..FAR + 6 * width].fill(0);
    assert_same(&table.memory.bytes(), &want, format!("{}, k 0: bytes of C and around", table.place));
}

#[test]
fn gpumex_matmul_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        for (dtype, width) in [(0, 4), (1, 8)] {
            let place = format!("{:?}, {width} bytes an element", ctx.backend);
            matmul_arrays(&Table::new(place, &memory, Matmul::good(&memory, ctx.token, dtype)), width);
        }
    }
}

#[test]
fn gpumex_matmul_refuses_bad_options() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Matmul::good(&memory, ctx.token, 0));
        context_and_options(
            &table,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_matmul_variant",
            3,
        );
        table.refuses("variant 4", InvalidArgument, &["4", "gpumex_matmul_variant"], |call| {
            call.options.known.variant = 4
        });
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        table.accepts("options NULL", |call| call.has_options = false);

        for (dtype, name) in [(2, "F16"), (3, "Bf16")] {
            table.refuses(format!("dtype {name}"), Unsupported, &["dtype", name], |call| {
                call.options.known.dtype = dtype
            });
        }
        for dtype in [-1, 4, 99] {
            let words = [&dtype.to_string(), "gpumex_matmul_dtype"];
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
        let reserved: [(&str, &str, Set); 15] = [
            ("trans_a", "1", |options| options.trans_a = 1),
            ("trans_a", "-7", |options| options.trans_a = -7),
            ("trans_b", "1", |options| options.trans_b = 1),
            ("scaled", "1", |options| options.scaled = 1),
            ("lda", "17", |options| options.lda = 17),
            ("ldb", "18", |options| options.ldb = 18),
            ("ldc", "19", |options| options.ldc = 19),
            ("batch", "2", |options| options.batch = 2),
            ("batch", MAX_TEXT, |options| options.batch = MAX),
            ("stride_a", "20", |options| options.stride_a = 20),
            ("stride_b", "21", |options| options.stride_b = 21),
            ("stride_c", "22", |options| options.stride_c = 22),
            ("alpha", "2.5", |options| options.alpha = 2.5),
            ("alpha", "NaN", |options| options.alpha = f64::NAN),
            ("beta", "-0.5", |options| options.beta = -0.5),
        ];
        for (field, value, set) in reserved {
            table.refuses_unserved(field, value, |call| set(&mut call.options.known));
        }
        table.accepts("batch 1", |call| call.options.known.batch = 1);
    }
}

#[test]
fn the_plain_matmul_refuses_bad_input() {
    let memory = Memory::new();
    let good = Matmul { is_plain: true, ..Matmul::good(&memory, null_mut(), 0) };
    matmul_arrays(&Table::new("the default context", &memory, good), 4);
}
