//! Bad input: every operation answers every bad argument with a status and a sentence that names the operation, the value and the
//! rule; it writes nothing, and a good call afterwards works. Empty input that means something works.

mod common;

use std::ffi::{c_char, c_void};
use std::fmt::Display;
use std::ptr::{null, null_mut};

use common::{Context, Number, Output, Token, assert_same, backends, explain, ok, refused};
use gpumex::error::Status::{self, InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::*;
use gpumex::settings::Backend;

// ------------------------------------------------------------------------------------------------------------ helpers

/// The arguments of one function.
trait Call: Clone {
    /// The name of the function, as its sentences have it.
    fn name(&self) -> &'static str;
    fn call(&self) -> i32;
}

/// Memory that good arguments point into: inputs and output, all of it poison.
struct Memory(*mut u64);

const WORDS: usize = 4096;
const FAR: usize = 16384; // bytes from the inputs to the output

impl Memory {
    fn new() -> Memory {
        let words: Box<[u64; WORDS]> = Box::new([u64::POISON; WORDS]);
        Memory(Box::into_raw(words).cast())
    }

    fn at(&self, offset: usize) -> *mut c_void {
        self.0.cast::<u8>().wrapping_add(offset).cast()
    }

    fn poison(&self) {
        // SAFETY: WORDS words of this struct.
        unsafe { std::slice::from_raw_parts_mut(self.0, WORDS) }.fill(u64::POISON);
    }

    fn bytes(&self) -> Vec<u8> {
        // SAFETY: WORDS words of this struct.
        unsafe { std::slice::from_raw_parts(self.0.cast(), WORDS * 8) }.to_vec()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: made by Box::into_raw.
        drop(unsafe { Box::from_raw(self.0.cast::<[u64; WORDS]>()) });
    }
}

/// Good arguments, which each case changes in one place.
struct Table<'m, C> {
    good: C,
    memory: &'m Memory,
    result: Vec<u8>, // the memory after a good call
    place: String,
}

impl<'m, C: Call> Table<'m, C> {
    #[track_caller]
    fn new(backend: impl Display, memory: &'m Memory, good: C) -> Table<'m, C> {
        let place = format!("{} on {backend}", good.name());
        memory.poison();
        ok(good.call(), format!("{place}, good arguments"));
        let result = memory.bytes();
        assert!(
            result.iter().any(|&byte| byte != u8::POISON),
            "{place}, good arguments: nothing was written"
        );
        Table { good, memory, result, place }
    }

    /// The changed call is refused with this status; the sentence begins with the operation and contains the words.
    #[track_caller]
    fn refuses(&self, what: impl Display, status: Status, words: &[&str], change: impl FnOnce(&mut C)) {
        let what = format!("{}, {what}", self.place);
        let mut bad = self.good.clone();
        change(&mut bad);
        self.memory.poison();
        let got = bad.call();
        let begins = format!("{}: ", bad.name());
        refused(got, status, words, &what);
        assert!(
            common::last_error().starts_with(&begins),
            "{what}: the sentence begins with \"{begins}\": {}",
            explain(got)
        );
        let written = self.memory.bytes().iter().position(|&byte| byte != u8::POISON);
        assert_eq!(written, None, "{what}: byte written although the call was refused");
        ok(self.good.call(), format!("{what}, then good arguments"));
        assert_same(&self.memory.bytes(), &self.result, format!("{what}, then good arguments"));
    }

    /// The changed call gives what the good one gives.
    #[track_caller]
    fn accepts(&self, what: impl Display, change: impl FnOnce(&mut C)) {
        let what = format!("{}, {what}", self.place);
        let mut other = self.good.clone();
        change(&mut other);
        self.memory.poison();
        ok(other.call(), &what);
        assert_same(&self.memory.bytes(), &self.result, what);
    }

    /// The changed call succeeds and writes nothing.
    #[track_caller]
    fn does_nothing(&self, what: impl Display, change: impl FnOnce(&mut C)) {
        let what = format!("{}, {what}", self.place);
        let mut other = self.good.clone();
        change(&mut other);
        self.memory.poison();
        ok(other.call(), &what);
        let written = self.memory.bytes().iter().position(|&byte| byte != u8::POISON);
        assert_eq!(written, None, "{what}: byte written");
    }
}

/// Options as a newer header may have them: with fields behind those that this library knows.
#[repr(C)]
#[derive(Clone, Copy)]
struct Newer<T> {
    known: T,
    fields: [u8; 8192],
}

impl<T: Default> Newer<T> {
    fn new() -> Newer<T> {
        Newer { known: T::default(), fields: [0; 8192] }
    }

    fn as_ptr(&self) -> *const T {
        (&raw const *self).cast()
    }
}

/// A pointer to the last `bytes` bytes of the address space.
fn end_of_addresses<T>(bytes: usize) -> *mut T {
    std::ptr::without_provenance_mut(usize::MAX - bytes + 1)
}

const MAX: usize = usize::MAX;
const MAX_TEXT: &str = "18446744073709551615";
const BEYOND: &str = "beyond the address space";
const NO_VARIANTS: [i32; 5] = [-1, 5, 99, i32::MIN, i32::MAX];

/// What every function with a context and options refuses alike. `edit` reaches context and options of the call.
fn context_and_options<C: Call, T: Default>(
    table: &Table<C>,
    edit: impl Fn(&mut C) -> (&mut Token, &mut Newer<T>, &mut usize),
    set_variant: impl Fn(&mut T, i32),
    variants: &str,
    last_variant: i32,
) {
    table.refuses("ctx NULL", NullPointer, &["ctx is NULL"], |call| *edit(call).0 = null_mut());
    for number in [1usize, 0x1234, MAX] {
        let text = format!("{number:#x}");
        table.refuses(
            format!("ctx {text}"),
            InvalidArgument,
            &["ctx", &text, "not a live context"],
            |call| {
                *edit(call).0 = std::ptr::without_provenance_mut(number);
            },
        );
    }
    table.refuses("a destroyed ctx", InvalidArgument, &["ctx", "not a live context"], |call| {
        *edit(call).0 = Context::cpu().token;
    });

    let known = size_of::<T>();
    for size in [0, 4, 7, 4097, MAX] {
        let text = size.to_string();
        table.refuses(
            format!("options.size {size}"),
            InvalidArgument,
            &["options.size", &text, "sizeof"],
            |call| {
                *edit(call).2 = size;
            },
        );
    }
    for (size, field) in [(known + 1, 0), (known + 8, 7), (4096, 4095 - known)] {
        let words = ["options.size", &size.to_string(), &known.to_string()];
        table.refuses(format!("a newer field in {size} bytes of options"), Unsupported, &words, |call| {
            edit(call).1.fields[field] = 1;
            *edit(call).2 = size;
        });
    }
    for size in [8, 12, known - 4, known, known + 1, known + 8, 4096] {
        table.accepts(format!("{size} bytes of options, zeros behind"), |call| *edit(call).2 = size);
    }
    table.accepts("bytes behind options.size are not read", |call| {
        edit(call).1.fields = [0xFF; 8192];
        *edit(call).2 = known;
    });
    table.accepts("fields behind options.size are not read", |call| {
        set_variant(&mut edit(call).1.known, 99);
        *edit(call).2 = 8;
    });

    for variant in NO_VARIANTS.into_iter().filter(|&variant| variant < 0 || variant > last_variant) {
        let words = [&variant.to_string(), variants];
        table.refuses(format!("variant {variant}"), InvalidArgument, &words, |call| {
            set_variant(&mut edit(call).1.known, variant);
        });
    }
}

/// SEQUENTIAL is the CPU backend's; CUDA refuses it.
fn sequential<C: Call>(table: &Table<C>, backend: Backend, set_sequential: impl FnOnce(&mut C)) {
    match backend {
        Backend::Cuda => {
            table.refuses("SEQUENTIAL on CUDA", Unsupported, &["SEQUENTIAL", "CUDA"], set_sequential)
        }
        _ => table.accepts("SEQUENTIAL", set_sequential),
    }
}

// --------------------------------------------------------------------------------------------------------------- Life

/// `gpumex_life`, or a plain function instead. Bytes of options.size stand beside, since Newer is longer than any struct.
#[derive(Clone)]
struct Life {
    plain: Option<(&'static str, unsafe extern "C" fn(*const u8, usize, usize, usize, *mut u8) -> i32)>,
    ctx: Token,
    options: Newer<LifeOptions>,
    size: usize,
    has_options: bool,
    board: *const c_void,
    rows: usize,
    cols: usize,
    generations: u64,
    next: *mut c_void,
}

impl Call for Life {
    fn name(&self) -> &'static str {
        self.plain.map_or("gpumex_life", |(name, _)| name)
    }

    fn call(&self) -> i32 {
        let mut options = self.options;
        options.known.size = self.size;
        let options = if self.has_options { options.as_ptr() } else { null() };
        let Life { ctx, board, rows, cols, generations, next, .. } = *self;
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe {
            match self.plain {
                Some((_, plain)) => plain(board.cast(), rows, cols, generations as usize, next.cast()),
                None => gpumex_life(ctx, options, board, rows, cols, generations, next),
            }
        }
    }
}

impl Life {
    fn good(memory: &Memory, ctx: Token) -> Life {
        Life {
            plain: None,
            ctx,
            options: Newer::new(),
            size: size_of::<LifeOptions>(),
            has_options: true,
            board: memory.at(64),
            rows: 4,
            cols: 6,
            generations: 1,
            next: memory.at(FAR),
        }
    }
}

fn life_arrays(table: &Table<Life>) {
    table.refuses("board NULL", NullPointer, &["board is NULL", "24"], |life| life.board = null());
    table.refuses("next NULL", NullPointer, &["next is NULL", "24"], |life| life.next = null_mut());
    table.refuses("both NULL", NullPointer, &["is NULL", "24"], |life| {
        (life.board, life.next) = (null(), null_mut());
    });

    let half = 1 << 63;
    for (rows, cols) in [(MAX, 2), (2, MAX), (MAX, MAX), (1 << 32, 1 << 32), (half, 1), (1, half), (half, 2)]
    {
        let words = [&format!("{rows} x {cols}"), BEYOND];
        table.refuses(format!("{rows} x {cols}"), InvalidArgument, &words, |life| {
            (life.rows, life.cols) = (rows, cols)
        });
    }
    for bytes in [1, 8, 23] {
        let what = format!("{bytes} bytes before the end of the addresses");
        table.refuses(format!("board {what}"), InvalidArgument, &["board", "4 x 6", BEYOND], |life| {
            life.board = end_of_addresses(bytes);
        });
        table.refuses(format!("next {what}"), InvalidArgument, &["next", "4 x 6", BEYOND], |life| {
            life.next = end_of_addresses(bytes);
        });
    }
    for distance in [-23, -8, -1, 1, 8, 23] {
        table.refuses(
            format!("next {distance} bytes from board"),
            InvalidArgument,
            &["next", "overlaps", "board"],
            |life| {
                life.next = life.board.wrapping_byte_offset(distance).cast_mut();
            },
        );
    }

    table.does_nothing("no rows", |life| life.rows = 0);
    table.does_nothing("no columns", |life| life.cols = 0);
    for (rows, cols) in [(0, 0), (0, 7), (7, 0), (0, MAX), (MAX, 0)] {
        table.does_nothing(format!("{rows} x {cols} at NULL, 2^64 - 1 generations"), |life| {
            (life.board, life.rows, life.cols, life.next) = (null(), rows, cols, null_mut());
            life.generations = u64::MAX;
        });
    }
}

#[test]
fn gpumex_life_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Life::good(&memory, ctx.token));
        life_arrays(&table);
        context_and_options(
            &table,
            |life| (&mut life.ctx, &mut life.options, &mut life.size),
            |options, variant| options.variant = variant,
            "gpumex_life_variant",
            4,
        );
        sequential(&table, ctx.backend, |life| life.options.known.variant = 1);
        table.accepts("options NULL", |life| life.has_options = false);

        for (boundary, name) in [(1, "Dead"), (2, "Torus")] {
            table.refuses(format!("boundary {boundary}"), Unsupported, &["boundary", name], |life| {
                life.options.known.boundary = boundary;
            });
        }
        for boundary in [-1, 3, 99] {
            let words = [&boundary.to_string(), "gpumex_life_boundary"];
            table.refuses(format!("boundary {boundary}"), InvalidArgument, &words, |life| {
                life.options.known.boundary = boundary;
            });
        }
        table.refuses("cells BITS", Unsupported, &["bits"], |life| life.options.known.cells = 1);
        for cells in [-1, 2, 99] {
            let words = [&cells.to_string(), "gpumex_life_cells"];
            table.refuses(format!("cells {cells}"), InvalidArgument, &words, |life| {
                life.options.known.cells = cells
            });
        }
        for rule in [c"B36/S23", c"", c"b3/s23", c"23/3"] {
            let words = ["rule", &format!("\"{}\"", rule.to_string_lossy())];
            table.refuses(format!("rule {rule:?}"), Unsupported, &words, |life| {
                life.options.known.rule = rule.as_ptr()
            });
        }
        table.refuses("a rule that is no text", InvalidArgument, &["UTF-8"], |life| {
            life.options.known.rule = c"B3/S\xff".as_ptr();
        });
        const RULE: *const c_char = c"B3/S23".as_ptr();
        table.accepts("rule B3/S23", |life| life.options.known.rule = RULE);
    }
}

#[test]
fn the_plain_life_functions_refuse_bad_input() {
    let memory = Memory::new();
    let plain: [(_, unsafe extern "C" fn(*const u8, usize, usize, usize, *mut u8) -> i32); 2] =
        [("life_shmem", life_shmem), ("life_texture", life_texture)];
    for function in plain {
        let good = Life { plain: Some(function), ..Life::good(&memory, null_mut()) };
        life_arrays(&Table::new("the default context", &memory, good));
    }
}

#[test]
fn life_next_to_its_board_is_apart() {
    for ctx in backends() {
        let mut both = Output::holding(&[1u8; 48]);
        let board = both.as_mut_ptr();
        let next = board.wrapping_add(24);
        // SAFETY: 24 bytes, and 24 bytes right behind them.
        ok(
            unsafe { gpumex_life(ctx.token, null(), board.cast(), 4, 6, 1, next.cast()) },
            "ranges that touch",
        );
        let want = [[1; 24], [0; 24]].concat();
        assert_same(
            &both.written("gpumex_life"),
            &want,
            format!("{:?}, next right behind board", ctx.backend),
        );
    }
}

// ------------------------------------------------------------------------------------------------------ matrix product

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
            table.refuses(
                format!("{field} {value}"),
                Unsupported,
                &[field, value, "this version serves"],
                |call| {
                    set(&mut call.options.known);
                },
            );
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

// ---------------------------------------------------------------------------------------------------------- histogram

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
            table.refuses(
                format!("{field} {value}"),
                Unsupported,
                &[field, value, "this version serves"],
                |call| {
                    set(&mut call.options.known);
                },
            );
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

// --------------------------------------------------------------------------------------------------------- ray caster

/// `gpumex_raytrace`, or `raytrace` instead.
#[derive(Clone)]
struct Raytrace {
    is_plain: bool,
    ctx: Token,
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
    fn good(memory: &Memory, ctx: Token) -> Raytrace {
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
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Raytrace::good(&memory, ctx.token));
        raytrace_arrays(&table, "image");
        context_and_options(
            &table,
            |call| (&mut call.ctx, &mut call.options, &mut call.size),
            |options, variant| options.variant = variant,
            "gpumex_raytrace_variant",
            4,
        );
        sequential(&table, ctx.backend, |call| call.options.known.variant = 1);
        table.accepts("options NULL", |call| call.has_options = false);

        type Set = fn(&mut RaytraceOptions);
        let reserved: [(&str, &str, Set); 4] = [
            ("channels", "3", |options| options.channels = 3),
            ("channels", "-4", |options| options.channels = -4),
            ("planar", "1", |options| options.planar = 1),
            ("planar", "-9", |options| options.planar = -9),
        ];
        for (field, value, set) in reserved {
            table.refuses(
                format!("{field} {value}"),
                Unsupported,
                &[field, value, "this version serves"],
                |call| {
                    set(&mut call.options.known);
                },
            );
        }
        table.accepts("channels 4", |call| call.options.known.channels = 4);
    }
}

#[test]
fn the_plain_raytrace_refuses_bad_input() {
    let memory = Memory::new();
    let good = Raytrace { is_plain: true, ..Raytrace::good(&memory, null_mut()) };
    raytrace_arrays(&Table::new("the default context", &memory, good), "rgba");
}
