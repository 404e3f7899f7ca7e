#!/usr/bin/env python3
"""Element-wise expressions, indexing, reductions, stencils, filters and complex arrays against CuPy and PyTorch.

    benches/peers/arrays.py LIBRARY HEADER [PATTERN]

Needs a GPU, CuPy and PyTorch. All of them work in one process on the legacy default stream, on the same arrays, in turn; a figure is
the median of 11 rounds, each of as many calls as take 2 ms, timed by CUDA events. Before it is timed a result is compared with
CuPy's. Rates are of the bytes that are read and written once, against those of a copy by the driver in the same run.
"""
import ctypes
import re
import sys

import cupy as cp
import torch

from library import Library

F32, F64, U8, U32, BOOL, C64, C128 = 1, 2, 9, 11, 13, 14, 15
DTYPES = {"float32": F32, "float64": F64, "uint8": U8, "uint32": U32, "bool": BOOL, "complex64": C64, "complex128": C128}
ROUNDS = 11


def pointer(array):
    return ctypes.c_void_p(array.data.ptr)


def sizes(*values):
    return (ctypes.c_size_t * len(values))(*values)


def numbers(*values):
    return (ctypes.c_int32 * len(values))(*values)


def pointers(*values):
    return (ctypes.c_void_p * len(values))(*[None if value is None else value.data.ptr for value in values])


def timed(work, calls):
    begin, end = cp.cuda.Event(), cp.cuda.Event()
    begin.record()
    for _ in range(calls):
        work()
    end.record()
    end.synchronize()
    return cp.cuda.get_elapsed_time(begin, end) * 1e3 / calls


def medians(works):
    """Microseconds of each, in turn."""
    for work in works:
        work()
    calls = [max(1, min(200, int(2e3 / max(timed(work, 2), 1)))) for work in works]
    rounds = [[timed(work, n) for work, n in zip(works, calls)] for _ in range(ROUNDS)]
    return [sorted(times)[ROUNDS // 2] for times in zip(*rounds)]


class Table:
    def __init__(self, wanted):
        self.wanted, self.copy_rate = wanted, 0.0

    def row(self, name, data_bytes, **works):
        """A row: the first is ours, or several of ours; then the peers."""
        if not re.search(self.wanted, name):
            return
        names = [key for key, work in works.items() if work]
        try:
            times = medians([works[key] for key in names])
        except Exception as error:  # the other rows are of use without this one
            print(f"{name:44} {type(error).__name__}: {error}", flush=True)
            return
        rate = data_bytes / times[0] / 1e6
        text = "  ".join(f"{key} {time:9.1f} us" + (f" ({time / times[0]:5.2f} x)" if index else "")
                         for index, (key, time) in enumerate(zip(names, times)))
        share = f"{rate:5.2f} TB/s {rate / self.copy_rate:4.2f} of copy" if self.copy_rate else f"{rate:5.2f} TB/s"
        print(f"{name:44} {share}  {text}", flush=True)
        return rate


def check(name, ours, theirs, bound=0.0):
    difference = float(cp.max(cp.abs(ours.astype(cp.float64) - theirs.astype(cp.float64)))) if ours.size else 0.0
    if not difference <= bound:
        print(f"{name}: WRONG, differs by {difference}", flush=True)


def torch_of(array):
    return torch.from_dlpack(array)


def update_grid(lib, table):
    """The first version of the published Game of Life: eight indexed arrays, seven sums, four comparisons and logic."""
    for n in (500, 4096, 8192):
        name = f"updateGrid {n}"
        x = cp.random.random((n, n)) > 0.75
        p, q = cp.array([0, *range(n - 1)], dtype=cp.uint32), cp.array([*range(1, n), n - 1], dtype=cp.uint32)
        parts, out, by_stencil = cp.empty((8, n, n), dtype=bool), cp.empty_like(x), cp.empty_like(x)
        # the first dimension of the library is the last one of CuPy
        pairs = [(None, p), (None, q), (p, None), (q, None), (p, p), (q, q), (p, q), (q, p)]
        gathers = [lib.options("gather_nd", dtype=BOOL, rank=2, shape=sizes(n, n), indices=pointers(*pair),
                               index_dtypes=numbers(U32, U32)) for pair in pairs]
        inputs = pointers(x, *parts)
        map_options = lib.options("map", rules=1, dtype=BOOL, dtypes=numbers(*[BOOL] * 9), shape=sizes(n * n))
        neighbours = "(b + c + d + e + f + g + h + i)"
        text = f"(a & {neighbours} == 2) | {neighbours} == 3".encode()

        def operators():
            for options, part in zip(gathers, parts):
                lib.call("gather_nd", ctypes.byref(options), pointer(x), pointer(part))
            lib.call("map", ctypes.byref(map_options), text, inputs, ctypes.c_size_t(9), pointer(out))

        around = "(" + " + ".join(f"a({i},{j})" for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)) + ")"
        stencil_text = f"(a & {around} == 2) | {around} == 3".encode()
        image = pointers(x)

        def stencil():
            options = lib.options("stencil", rules=1, dtype=BOOL, dtypes=numbers(BOOL))
            lib.call("stencil", ctypes.byref(options), stencil_text, image, ctypes.c_size_t(1), ctypes.c_size_t(n),
                     ctypes.c_size_t(n), pointer(by_stencil))

        pi, qi = p.astype(cp.int64), q.astype(cp.int64)

        def eager(x, pi, qi, single):
            s = single(x)
            around = (s[:, pi] + s[:, qi] + s[pi, :] + s[qi, :] + s[pi[:, None], pi] + s[qi[:, None], qi]
                      + s[pi[:, None], qi] + s[qi[:, None], pi])
            return (x & (around == 2)) | (around == 3)

        tx, tp, tq = torch_of(x), torch_of(pi), torch_of(qi)
        expected = eager(x, pi, qi, lambda a: a.astype(cp.float32))
        works = {"stencil": stencil, "operators": operators, "CuPy": lambda: eager(x, pi, qi, lambda a: a.astype(cp.float32)),
                 "PyTorch": lambda: eager(tx, tp, tq, lambda a: a.float())}
        for key, result in (("stencil", by_stencil), ("operators", out)):
            try:
                works[key]()
                check(f"{name} {key}", result, expected)
            except (RuntimeError, AttributeError, KeyError) as error:
                print(f"{name} {key}: {error}")
                works[key] = None
        table.row(name, 2 * n * n, **works)


def chains(lib, table):
    """Chains of element-wise operators on 10^8 singles."""
    n = 10**8
    a, b, c, out = [cp.random.random(n, dtype=cp.float32) for _ in range(4)]
    for text, used in [("a * 2 + 1 - 0.5", 1), ("(a + b) * c", 3), ("((a * b + c) - 0.5) / b * a", 3),
                       ("abs (a - b) + sqrt (c) * 2 + (a > b) - floor (c) + max (a, c) - 1", 3),
                       ("((((a + 1) * 2 - 3) * a + 1) * 2 - 3) * a + 1", 1), ("exp (a) + sin (b)", 2)]:
        arrays = [a, b, c][:used]
        options = lib.options("map", rules=1, dtype=F32, dtypes=numbers(*[F32] * used), shape=sizes(n))
        inputs = pointers(*arrays)

        def ours():
            lib.call("map", ctypes.byref(options), text.encode(), inputs, ctypes.c_size_t(used), pointer(out))

        table.row("chain " + text, 4 * n * (used + 1), ours=ours)


def dimensions(lib, table):
    """Sums, maxima and prefix sums along each dimension; CuPy's arrays are the transposes."""
    for dtype in (cp.float32, cp.float64):
        for rows, cols in [(4096, 4096), (128, 10**6), (10**6, 128)]:
            x = cp.random.random((cols, rows), dtype=dtype) - 0.5
            tx, size = torch_of(x), x.dtype.itemsize
            for dim, (inner, count, outer) in ((1, (1, rows, cols)), (2, (rows, cols, 1))):
                axis = 2 - dim
                shape = [ctypes.c_size_t(extent) for extent in (inner, count, outer)]
                out = cp.empty(inner * outer, dtype=dtype)
                scanned = cp.empty_like(x)
                what = f"{x.dtype} {rows}x{cols} dim {dim}"
                for number, name in ((0, "sum"), (3, "max")):
                    options = lib.options("reduce_dim", dtype=DTYPES[x.dtype.name], op=number)

                    def reduce():
                        lib.call("reduce_dim", ctypes.byref(options), pointer(x), *shape, pointer(out))

                    reduce()
                    check(f"{name} {what}", out, getattr(cp, name)(x, axis=axis), 1e-6 * count if name == "sum" else 0)
                    table.row(f"{name} {what}", x.nbytes + out.nbytes, ours=reduce, CuPy=lambda: getattr(x, name)(axis=axis),
                              PyTorch=lambda: tx.sum(axis) if name == "sum" else tx.amax(axis))
                options = lib.options("scan_dim", dtype=DTYPES[x.dtype.name], kind=1)

                def scan():
                    lib.call("scan_dim", ctypes.byref(options), pointer(x), *shape, pointer(scanned))

                scan()
                check(f"cumsum {what}", scanned, cp.cumsum(x, axis=axis), 1e-6 * count)
                table.row(f"cumsum {what}", 2 * x.nbytes, ours=scan, CuPy=lambda: cp.cumsum(x, axis=axis),
                          PyTorch=lambda: tx.cumsum(axis))


def indexing(lib, table):
    """Indexing by vectors and ranges, transposes."""
    n = 8192
    for dtype in (cp.uint8, cp.float32, cp.float64):
        x = cp.random.randint(0, 100, (n, n)).astype(dtype)
        tx, number = torch_of(x), DTYPES[x.dtype.name]
        out = cp.empty_like(x)
        p, q = [cp.random.permutation(n).astype(cp.uint32) for _ in range(2)]
        for name, first, second in (("A(p, q)", p, q), ("A(:, q)", None, q), ("A(p, :)", p, None)):
            options = lib.options("gather_nd", dtype=number, rank=2, shape=sizes(n, n), indices=pointers(first, second),
                                  index_dtypes=numbers(U32, U32))

            def gather():
                lib.call("gather_nd", ctypes.byref(options), pointer(x), pointer(out))

            pi = cp.arange(n) if first is None else first.astype(cp.int64)
            qi = cp.arange(n) if second is None else second.astype(cp.int64)
            theirs = (lambda: x[qi[:, None], pi]) if first is not None and second is not None else \
                (lambda: x[qi]) if first is None else (lambda: x[:, pi])
            tp, tq = torch_of(pi), torch_of(qi)
            theirs_too = (lambda: tx[tq[:, None], tp]) if first is not None and second is not None else \
                (lambda: tx[tq]) if first is None else (lambda: tx[:, tp])
            gather()
            check(f"{name} {x.dtype}", out, theirs())
            table.row(f"{name} {x.dtype} {n}^2", 2 * x.nbytes, ours=gather, CuPy=theirs, PyTorch=theirs_too)
        for shape, order in (((n, n), (1, 0)), ((256, 512, 512), (1, 2, 0)), ((256, 512, 512), (2, 1, 0)),
                             ((512, 256, 512), (1, 0, 2))):
            y = x.reshape(shape[::-1])
            options = lib.options("permute", dtype=number, rank=len(shape))
            of, by = sizes(*shape), numbers(*order)

            def permute():
                lib.call("permute", ctypes.byref(options), pointer(x), of, by, pointer(out))

            axes = tuple(len(shape) - 1 - order[len(shape) - 1 - axis] for axis in range(len(shape)))
            try:
                permute()
                check(f"permute {order} {x.dtype}", out, cp.ascontiguousarray(y.transpose(axes)).reshape(n, n))
            except RuntimeError as error:
                print(f"permute: {error}")
                continue
            ty = torch_of(y)
            table.row(f"permute {order} {x.dtype}", 2 * x.nbytes, ours=permute, CuPy=lambda: cp.ascontiguousarray(y.transpose(axes)),
                      PyTorch=lambda: ty.permute(axes).contiguous())


def expressions(lib, table):
    """Reductions and prefix sums whose operator is an expression; CuPy's is compiled for it."""
    n = 2**27
    for dtype, kind in ((cp.float32, "float"), (cp.float64, "double")):
        x = (cp.random.random(n, dtype=dtype) - 0.5) * 1e-3
        out, scanned = cp.empty(1, dtype=dtype), cp.empty_like(x)
        for text, code in [("a + b", "a + b"), ("a + b - a*b", "a + b - a * b"), ("hypot (a, b)", "hypot (a, b)"),
                           ("abs (a) >= abs (b) ? a : b", "abs (a) >= abs (b) ? a : b")]:
            theirs = cp.ReductionKernel(f"{kind} x", f"{kind} y", "x", code, "y = a", "0", "joined")
            reduce = lib.options("reduce", dtype=DTYPES[x.dtype.name], expression=text.encode())
            scan = lib.options("scan", dtype=DTYPES[x.dtype.name], kind=1, expression=text.encode())
            table.row(f"reduce by {text}, {x.dtype}", x.nbytes, CuPy=lambda: theirs(x),
                      ours=lambda: lib.call("reduce", ctypes.byref(reduce), pointer(x), ctypes.c_size_t(n), pointer(out)))
            table.row(f"scan by {text}, {x.dtype}", 2 * x.nbytes, ours=lambda: lib.call(
                "scan", ctypes.byref(scan), pointer(x), ctypes.c_size_t(n), pointer(scanned), None))


def filters(lib, table):
    """Convolution and median of images."""
    from cupyx.scipy import ndimage
    n = 4096
    for dtype in (cp.float32, cp.float64, cp.uint8):
        x = (cp.random.random((n, n)) * 200).astype(dtype)
        out = cp.empty_like(x)
        for size in (3, 5, 7, 15):
            lengths = [ctypes.c_size_t(length) for length in (n, n, size, size)]
            if dtype != cp.uint8:
                weights = cp.random.random((size, size)).astype(dtype)
                options = lib.options("convolve", dtype=DTYPES[x.dtype.name])
                convolve = lambda: lib.call("convolve", ctypes.byref(options), pointer(x), *lengths[:2], pointer(weights),
                                            *lengths[2:], pointer(out))
                table.row(f"convolve {size}x{size} {x.dtype} {n}^2", 2 * x.nbytes, ours=convolve,
                          CuPy=lambda: ndimage.convolve(x, weights, mode="constant"))
            chosen = lib.options("median_filter", dtype=DTYPES[x.dtype.name])
            median = lambda: lib.call("median_filter", ctypes.byref(chosen), pointer(x), *lengths, pointer(out))
            table.row(f"median {size}x{size} {x.dtype} {n}^2", 2 * x.nbytes, ours=median,
                      CuPy=(lambda: ndimage.median_filter(x, size, mode="constant")) if size < 15 else None)


def complex_numbers(lib, table):
    """Element-wise expressions, sums and products of matrices of complex numbers."""
    n, side = 5 * 10**7, 4096
    for dtype, real in ((cp.complex64, cp.float32), (cp.complex128, cp.float64)):
        x, y = [(cp.random.random(n, dtype=real) + 1j * cp.random.random(n, dtype=real)).astype(dtype) for _ in range(2)]
        out, tx, ty, number = cp.empty_like(x), None, None, DTYPES[x.dtype.name]
        tx, ty = torch_of(x), torch_of(y)
        inputs = pointers(x, y)
        for text, theirs in [("a * b + a", lambda a, b: a * b + a), ("a / b", lambda a, b: a / b), ("exp (a)", None)]:
            options = lib.options("map", rules=1, dtype=number, dtypes=numbers(number, number), shape=sizes(n))
            used = 2 if " b" in text else 1
            cupy, pytorch = (cp.exp, torch.exp) if theirs is None else (theirs, theirs)
            table.row(f"map {text}, {x.dtype}", (used + 1) * x.nbytes, ours=lambda: lib.call(
                "map", ctypes.byref(options), text.encode(), inputs, ctypes.c_size_t(used), pointer(out)),
                CuPy=lambda: cupy(*[x, y][:used]), PyTorch=lambda: pytorch(*[tx, ty][:used]))
        options = lib.options("reduce", dtype=number)
        table.row(f"sum, {x.dtype}", x.nbytes, ours=lambda: lib.call(
            "reduce", ctypes.byref(options), pointer(x), ctypes.c_size_t(n), pointer(out)), CuPy=lambda: x.sum(),
            PyTorch=lambda: tx.sum())
        a, b = x[:side * side].reshape(side, side), y[:side * side].reshape(side, side)
        ta, tb, options = torch_of(a), torch_of(b), lib.options("matmul", dtype=number)
        three = [ctypes.c_size_t(side)] * 3
        table.row(f"matmul {side}, {x.dtype}", 3 * a.nbytes, ours=lambda: lib.call(
            "matmul", ctypes.byref(options), *three, pointer(a), pointer(b), pointer(out)), CuPy=lambda: a @ b,
            PyTorch=lambda: ta @ tb)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lib, table = Library(sys.argv[1], sys.argv[2]).open("context_create_on_stream", 0, None), Table("")
    name = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{name}, CuPy {cp.__version__}, PyTorch {torch.__version__}")
    x = cp.random.random(10**8, dtype=cp.float32)
    y = cp.empty_like(x)
    table.copy_rate = table.row("copy by the driver, 400 MB", 2 * x.nbytes, copy=lambda: y.data.copy_from_device_async(
        x.data, x.nbytes, cp.cuda.Stream.null))
    table.wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    for part in (update_grid, chains, dimensions, indexing, expressions, filters, complex_numbers):
        try:
            part(lib, table)
        except Exception as error:  # the other parts are of use without this one
            print(f"{part.__name__}: {type(error).__name__}: {error}", flush=True)
        cp.get_default_memory_pool().free_all_blocks()


main()
