"""loadlibrary.py LIBRARY HEADER [GCC-FLAG...] - the header as MATLAB's loadlibrary sees it, and the library through it.

MATLAB runs the C preprocessor, parses what comes out with a parser of its own, and calls the functions by what it has
read. So does this program, with pycparser and ctypes: it checks that each declaration is one that loadlibrary can take,
builds every prototype from the parsed text alone, and calls the library through these. Prints what it did; exits with 1
and says why where something is wrong.
"""

import ctypes
import math
import os
import random
import subprocess
import sys

from pycparser import c_ast, c_parser

SCALARS = {
    "void": None,
    "char": ctypes.c_char,
    "signed char": ctypes.c_byte,
    "unsigned char": ctypes.c_ubyte,
    "short": ctypes.c_short,
    "unsigned short": ctypes.c_ushort,
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "long": ctypes.c_long,
    "unsigned long": ctypes.c_ulong,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}


# ----------------------------------------------------------------------------------------------------------- the parser


def preprocessed(header, flags):
    command = ["gcc", "-E", "-std=c99", *flags, header]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Header:
    """The declarations of a preprocessed header; those of files in `folders` (None: of all) are ours."""

    def __init__(self, text, folders=None):
        self.declarations = c_parser.CParser().parse(text).ext
        self.typedefs = {d.name: d.type for d in self.declarations if isinstance(d, c_ast.Typedef)}
        self.structs = {}  # name: its definition
        self.classes = {}  # name: what it is to ctypes
        self.ours = [d for d in self.declarations if folders is None or is_in(d.coord.file, folders)]
        self.functions = {d.name: d.type for d in self.ours if isinstance(getattr(d, "type", 0), c_ast.FuncDecl)}
        self.constants = {}
        for declaration in self.declarations:
            inner = getattr(getattr(declaration, "type", None), "type", None)
            if isinstance(inner, c_ast.Struct) and inner.decls:
                self.structs[inner.name] = inner
            if isinstance(inner, c_ast.Enum) and inner.values and declaration in self.ours:
                self.constants.update((e.name, int(e.value.value)) for e in inner.values.enumerators)

    def scalar(self, names):
        """The name of a built-in type as SCALARS has it, through any typedefs; None: not a scalar that we know."""
        words = sorted(word for word in names if word != "int" or len(names) == 1)
        name = " ".join(reversed(words)) or "int"
        name = {"signed": "int", "signed long": "long", "signed short": "short"}.get(name, name)
        return name if name in SCALARS else None

    def resolved(self, node):
        """The node behind typedefs and the names around it."""
        while True:
            if isinstance(node, (c_ast.TypeDecl, c_ast.Typename)):
                node = node.type
            elif isinstance(node, c_ast.IdentifierType) and node.names[0] in self.typedefs:
                node = self.typedefs[node.names[0]]
            else:
                return node

    # ----------------------------------------------------------------------------------------- what loadlibrary can take

    def complaints(self):
        """What loadlibrary cannot take, in words; nothing where all is well."""
        named = [(getattr(d, "name", None) or "-", d) for d in self.ours]
        return [f"{name}: {why}" for name, d in named for why in self.about_declaration(d)]

    def about_declaration(self, declaration):
        if isinstance(declaration, c_ast.Typedef):
            return self.about_type(declaration.type)
        if not isinstance(declaration, c_ast.Decl):
            return ["code"]
        if isinstance(declaration.type, c_ast.FuncDecl):
            return self.about_function(declaration.type)
        if isinstance(declaration.type, (c_ast.Struct, c_ast.Enum, c_ast.Union)):
            return self.about_type(declaration.type)
        return ["a variable"]

    def about_function(self, function):
        if not function.args:
            return ["no prototype"]
        found = [f"the result: {why}" for why in self.about_value(function.type)]
        for parameter in function.args.params:
            if isinstance(parameter, c_ast.EllipsisParam):
                found.append("variable arguments")
            else:
                found += [f"parameter {parameter.name}: {why}" for why in self.about_value(parameter.type)]
        return found

    def about_value(self, node):
        is_struct = isinstance(self.resolved(node), c_ast.Struct)
        return ["a struct by value"] if is_struct else self.about_type(node)

    def about_type(self, node):
        node = self.resolved(node)
        if isinstance(node, c_ast.PtrDecl):
            return self.about_type(node.type)
        if isinstance(node, c_ast.IdentifierType):
            return [] if self.scalar(node.names) else [f"the type {' '.join(node.names)}"]
        if isinstance(node, c_ast.Struct):
            return [f"field {field.name}: {why}" for field in node.decls or [] for why in self.about_field(field)]
        known = {c_ast.FuncDecl: "a function pointer", c_ast.Union: "a union", c_ast.ArrayDecl: "an array"}
        return [] if isinstance(node, c_ast.Enum) else [known.get(type(node), f"a {type(node).__name__}")]

    def about_field(self, field):
        node = self.resolved(field.type)
        if field.bitsize is not None:
            return ["a bit-field"]
        if not isinstance(node, c_ast.ArrayDecl):
            return self.about_value(node)
        return self.about_value(node.type) if isinstance(node.dim, c_ast.Constant) else ["an array without a length"]

    # -------------------------------------------------------------------------------------------------- ctypes from it

    def ctype(self, node):
        node = self.resolved(node)
        if isinstance(node, c_ast.IdentifierType):
            return SCALARS[self.scalar(node.names)]
        if isinstance(node, c_ast.Enum):
            return ctypes.c_int
        if isinstance(node, c_ast.ArrayDecl):
            return self.ctype(node.type) * int(node.dim.value)
        if isinstance(node, c_ast.Struct):
            return self.struct(node.name)
        target = self.ctype(node.type)
        return {None: ctypes.c_void_p, ctypes.c_char: ctypes.c_char_p}.get(target) or ctypes.POINTER(target)

    def struct(self, name):
        if name not in self.classes:
            self.classes[name] = type(name, (ctypes.Structure,), {})
            definition = self.structs.get(name)  # None: a struct that only its pointers are known of
            if definition:
                self.classes[name]._fields_ = [(f.name, self.ctype(f.type)) for f in definition.decls]
        return self.classes[name]

    def load(self, path):
        library = ctypes.CDLL(path)
        for name, declared in self.functions.items():
            function = getattr(library, name)
            function.restype = self.ctype(declared.type)
            types = [self.ctype(parameter.type) for parameter in declared.args.params]
            function.argtypes = [] if types == [None] else types
        return library


def is_in(file, folders):
    return any(os.path.realpath(file).startswith(os.path.realpath(folder) + os.sep) for folder in folders)


# ----------------------------------------------------------------------------------------------------------- the checks

REFUSED = [
    ("int f(_Bool b);", "the type _Bool"),
    ("typedef _Bool flag; int f(flag *b);", "the type _Bool"),
    ("long double f(void);", "the type long double"),
    ("int f(double _Complex *z);", "the type double _Complex"),
    ("union u { int i; float f; }; int f(union u *p);", "parameter p: a union"),
    ("typedef union { int i; float f; } u; int f(u *p);", "u: a union"),
    ("struct s { int i : 3; };", "field i: a bit-field"),
    ("int f(void (*callback)(int));", "a function pointer"),
    ("typedef void (*callback)(int); int f(callback c);", "parameter c: a function pointer"),
    ("struct s { void (*callback)(int); };", "field callback: a function pointer"),
    ("int f(const char *format, ...);", "variable arguments"),
    ("int f();", "no prototype"),
    ("int f(int i) __attribute__((nonnull));", "__attribute__"),
    ("struct s { int i; }; struct t { struct s many[3]; };", "field many: a struct by value"),
    ("struct s { struct { int i; } inner; };", "field inner: a struct by value"),
    ("struct s { int i; int tail[]; };", "field tail: an array without a length"),
    ("int f(int a[3]);", "parameter a: an array"),
    ("struct s { int i; }; int f(struct s s);", "parameter s: a struct by value"),
    ("typedef struct { int i; } s; s f(void);", "the result: a struct by value"),
    ("extern int i;", "i: a variable"),
    ("static int f(void) { return 0; }", "code"),
]

ACCEPTED = """
typedef unsigned long size_t;
typedef enum choice { NONE = 0, SOME = 1 } choice;
typedef struct hidden hidden;
typedef struct options { size_t size; int choice; char name[8]; const double *edges; } options;
int f(hidden *h, const options *o, const unsigned char *data, size_t n, void *out, const char *text);
hidden *g(void);
const char *h(choice c);
"""


def check_the_checks():
    for text, reason in REFUSED:
        try:
            found = Header(text).complaints()
        except c_parser.ParseError as error:
            found = [str(error)]
        assert any(reason in complaint for complaint in found), f"{text} is refused for {found}, not for {reason}"
    found = Header(ACCEPTED).complaints()
    assert not found, found


def life(board, rows, cols, generations):
    for _ in range(generations):
        def cell(i, j):
            return board[min(max(i, 0), rows - 1) * cols + min(max(j, 0), cols - 1)]

        def after(i, j):
            block = sum(cell(i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1))
            return int(block == 3 or (block == 4 and cell(i, j) == 1))

        board = [after(i, j) for i in range(rows) for j in range(cols)]
    return board


def pixel_values(spheres, width, height):
    """Each channel of each pixel in double, before it is cut to a whole number."""
    for j in range(height):
        for i in range(width):
            best, colour = -math.inf, (0.0, 0.0, 0.0)
            for r, g, b, radius, x, y, z in spheres:
                d = (i - width / 2 - x) ** 2 + (j - height / 2 - y) ** 2
                if d < radius**2 and z + math.sqrt(radius**2 - d) > best:
                    dz = math.sqrt(radius**2 - d)
                    best, colour = z + dz, tuple(c * dz / radius * 255 for c in (r, g, b))
            yield from (*colour, 255.0)


def check_plain_functions(library, rng):
    byte, real = ctypes.c_ubyte, ctypes.c_float

    rows, cols, generations = 7, 11, 5
    board = [int(rng.random() < 0.4) for _ in range(rows * cols)]
    for function in (library.life_shmem, library.life_texture):
        after = (byte * len(board))(*[0xA5] * len(board))
        assert function((byte * len(board))(*board), rows, cols, generations, after) == 0
        assert list(after) == life(board, rows, cols, generations), f"{function.__name__}: {list(after)}"

    data = bytes(rng.choice(b"gpumex") for _ in range(1000))
    counts = (ctypes.c_ulong * 256)(*[0xA5] * 256)
    assert library.histogram((byte * len(data)).from_buffer_copy(data), len(data), counts) == 0
    assert list(counts) == [data.count(value) for value in range(256)], "histogram"

    m, n, k = 3, 5, 4
    a, b = [[rng.randrange(-9, 10) for _ in range(size)] for size in (m * k, k * n)]
    c = (real * (m * n))()
    assert library.matmul(m, n, k, (real * len(a))(*a), (real * len(b))(*b), c) == 0
    exact = [sum(a[i * k + p] * b[p * n + j] for p in range(k)) for i in range(m) for j in range(n)]
    assert list(c) == exact, f"matmul: {list(c)}, not {exact}"

    width, height = 24, 18
    spheres = [(1, 0.5, 0.25, 8, 0, 0, 0), (0.25, 1, 0.5, 5, 4, -3, 6), (1, 1, 1, 0, 0, 0, 99)]  # the last has no radius
    flat = [number for sphere in spheres for number in sphere]
    rgba = (byte * (width * height * 4))(*[0xA5] * (width * height * 4))
    assert library.raytrace((real * len(flat))(*flat), len(spheres), width, height, rgba) == 0
    for got, exact in zip(rgba, pixel_values(spheres, width, height), strict=True):
        assert int(exact - 1e-3) <= got <= int(exact + 1e-3), f"raytrace: {got}, not {exact}"
    assert len(set(rgba)) > 50, "the picture is empty"


def check_memory(header, library, ctx):
    number, block = header.constants, ctypes.c_void_p()
    kind = number["GPUMEX_MEMORY_KIND_MANAGED"]
    assert library.gpumex_malloc(ctx, kind, 5, ctypes.byref(block)) == 0, library.gpumex_last_error().decode()
    assert library.gpumex_copy(ctx, block, b"lends", 5) == 0, library.gpumex_last_error().decode()
    assert ctypes.string_at(block, 5) == b"lends"
    assert library.gpumex_copy(ctx, block, b"lends", 6) == number["GPUMEX_STATUS_INVALID_ARGUMENT"]
    stats = header.struct("gpumex_allocator_stats")()
    stats.size = ctypes.sizeof(stats)
    assert library.gpumex_allocator_get_stats(ctx, stats) == 0
    assert (stats.allocator, stats.allocated, stats.allocated_blocks) == (number["GPUMEX_ALLOCATOR_CACHING"], 512, 1)
    assert library.gpumex_free(block) == 0
    assert library.gpumex_free(block) == number["GPUMEX_STATUS_INVALID_ARGUMENT"]


def check_context(header, library, rng):
    number = header.constants
    ctx = library.gpumex_context_create(number["GPUMEX_BACKEND_AUTO"], -1)
    assert ctx, library.gpumex_last_error().decode()
    info = header.struct("gpumex_device_info")()
    info.size = ctypes.sizeof(info)
    assert library.gpumex_context_device_info(ctx, info) == 0
    assert info.backend in (number["GPUMEX_BACKEND_CPU"], number["GPUMEX_BACKEND_CUDA"])
    assert info.name and info.multiprocessors > 0 and info.total_memory >= info.free_memory > 0

    # Columns first, in double: what MATLAB has.
    options = header.struct("gpumex_matmul_options")()
    options.size = ctypes.sizeof(options)
    options.dtype, options.order = number["GPUMEX_DTYPE_F64"], number["GPUMEX_MATMUL_ORDER_COLUMN"]
    m, n, k = 4, 3, 6
    a, b = [[rng.randrange(-9, 10) for _ in range(size)] for size in (m * k, k * n)]
    real, c = ctypes.c_double, (ctypes.c_double * (m * n))()
    status = library.gpumex_matmul(ctx, options, m, n, k, (real * len(a))(*a), (real * len(b))(*b), c)
    assert status == number["GPUMEX_STATUS_OK"], library.gpumex_last_error().decode()
    exact = [sum(a[p * m + i] * b[j * k + p] for p in range(k)) for j in range(n) for i in range(m)]
    assert list(c) == exact, f"gpumex_matmul: {list(c)}, not {exact}"

    # The last field lies where the library thinks it does.
    options.beta = ctypes.pointer(real(2))
    status = library.gpumex_matmul(ctx, options, m, n, k, (real * len(a))(*a), (real * len(b))(*b), c)
    assert status == number["GPUMEX_STATUS_OK"], library.gpumex_last_error().decode()
    assert list(c) == [3 * value for value in exact], f"gpumex_matmul with beta = 2: {list(c)}, not 3 * {exact}"
    check_memory(header, library, ctx)
    assert library.gpumex_context_destroy(ctx) == 0
    return info.name.decode()


def main(library_path, header_path, *flags):
    check_the_checks()
    include = [flag[2:] for flag in flags if flag.startswith("-I")]
    header = Header(preprocessed(header_path, flags), [os.path.dirname(header_path), *include])
    complaints = header.complaints()
    assert not complaints, "MATLAB's loadlibrary cannot take\n  " + "\n  ".join(complaints)
    plain = {"life_shmem", "life_texture", "matmul", "histogram", "raytrace"}
    assert plain < set(header.functions), f"only {sorted(header.functions)} are declared"
    assert len(header.functions) >= 20 and len(header.constants) >= 30, "the header is not read to its end"
    library = header.load(library_path)
    rng = random.Random(2026)
    check_plain_functions(library, rng)
    device = check_context(header, library, rng)
    print(f"{len(header.functions)} functions and {len(header.classes)} structs from {os.path.basename(header_path)}")
    print(f"five plain functions and gpumex_matmul give right answers on {device}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        sys.exit(f"loadlibrary.py: {error}")
