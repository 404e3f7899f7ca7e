#!/usr/bin/env python3
"""The CPU backend beside what a user would take instead: fast-histogram, boost-histogram, OpenBLAS by NumPy, SciPy and Eigen.

    pip install numpy scipy fast-histogram boost-histogram
    benches/peers/cpu.py LIBRARY HEADER THREADS [PATTERN]

One process; all ways take turns, on as many threads each where they have more than one; a figure is the median of the rounds, in
brackets the peer's time over gpumex's. Results are compared. Eigen is compiled here where EIGEN (or /usr/include/eigen3) has it.
"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import time

if len(sys.argv) < 4:
    sys.exit(__doc__)
THREADS = int(sys.argv[3])
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(THREADS)  # before NumPy is loaded

import boost_histogram  # noqa: E402
import fast_histogram  # noqa: E402
import numpy  # noqa: E402
import scipy.sparse  # noqa: E402

from library import Library  # noqa: E402

CPU = 1
F32, F64, U32 = 1, 2, 11
DTYPES = {"float32": F32, "float64": F64}
WANTED = sys.argv[4] if len(sys.argv) > 4 else ""
ROUND_SECONDS, ROUNDS = 2e-2, 15
WARM_UP = 0.03  # seconds until the threads of a pool have a core each
PAUSE = 0.2  # seconds until no thread of OpenBLAS or OpenMP waits in a loop any more


def seconds(work, calls):
    time.sleep(PAUSE)
    begin = time.perf_counter()
    while time.perf_counter() - begin < WARM_UP:
        work()
    begin = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - begin) / calls


def row(name, unit, work, **ways):
    """`work` units of each way a second; the first way is gpumex's. Its name is `name`, and the ways' are those of the keywords."""
    if not re.search(WANTED, name):
        return
    calls = {key: max(1, int(ROUND_SECONDS / max(seconds(way, 1), 1e-7))) for key, way in ways.items()}
    rounds = [{key: seconds(way, calls[key]) for key, way in ways.items()} for _ in range(ROUNDS)]
    times = {key: sorted(each[key] for each in rounds)[ROUNDS // 2] for key in ways}
    ours = times.pop("gpumex")
    peers = " | ".join(f"{key} {work / taken:.5g} ({taken / ours:.2f})" for key, taken in times.items())
    print(f"{name:32} | {unit} | gpumex {work / ours:.5g} | {peers}", flush=True)


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def histograms(library):
    random = numpy.random.default_rng(1)
    count = 16_000_000
    for dtype in ("float64", "float32"):
        data = {"uniform": random.random(count, dtype=dtype)}
        data["normal"] = (0.5 + 0.15 * random.standard_normal(count, dtype=dtype)).astype(dtype)
        for bins in (100, 4096, 100_000):
            for kind, samples in data.items():
                counts = numpy.zeros(bins, dtype=numpy.uint64)
                options = library.options("histogram", dtype=DTYPES[dtype], lo=0.0, hi=1.0)
                theirs = boost_histogram.Histogram(
                    boost_histogram.axis.Regular(bins, 0, 1), storage=boost_histogram.storage.Int64())
                ours = library.prepared("histogram", options, pointer(samples), ctypes.c_size_t(count), pointer(counts),
                                        ctypes.c_size_t(bins))

                def boost():
                    theirs.reset()
                    theirs.fill(samples, threads=THREADS if THREADS > 1 else None)

                def fast():
                    return fast_histogram.histogram1d(samples, bins=bins, range=(0, 1))

                ours(), boost()
                differing = int(numpy.abs(counts.astype(numpy.int64) - theirs.view()).sum())
                assert differing <= count * 1e-5, f"{differing} samples lie in other bins"  # boost's divide in another order
                ways = {"gpumex": ours, "boost-histogram": boost}
                if THREADS == 1:
                    ways["fast-histogram"] = fast
                row(f"histogram {dtype} {bins} {kind}", "Msample/s", count / 1e6, **ways)


def products(library):
    random = numpy.random.default_rng(2)
    for dtype in ("float64", "float32"):
        for size in (64, 256, 512, 1000, 2000):
            a, b = (random.random((size, size), dtype=dtype) - numpy.dtype(dtype).type(0.5) for _ in range(2))
            c, theirs = numpy.empty_like(a), numpy.empty_like(a)
            options = library.options("matmul", dtype=DTYPES[dtype])
            extents = [ctypes.c_size_t(size)] * 3
            ours = library.prepared("matmul", options, *extents, pointer(a), pointer(b), pointer(c))
            ours(), numpy.matmul(a, b, out=theirs)
            bound = size * numpy.finfo(dtype).eps * (numpy.abs(a) @ numpy.abs(b))
            assert (numpy.abs(c - theirs) <= bound).all()
            row(f"matmul {dtype} {size}", "GFLOP/s", 2e-9 * size**3, gpumex=ours,
                OpenBLAS=lambda: numpy.matmul(a, b, out=theirs))


def eigen():
    """The functions of eigen.cpp, compiled for this machine; None without Eigen."""
    folder = os.environ.get("EIGEN", "/usr/include/eigen3")
    if not os.path.isdir(folder):
        return None
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "eigen.cpp")
    with tempfile.TemporaryDirectory() as made:
        result = os.path.join(made, "libeigen.so")
        subprocess.run(["g++", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", f"-I{folder}", source, "-o", result], check=True)
        compiled = ctypes.CDLL(result)
    compiled.eigen_threads(THREADS)
    return compiled


def sparse_products(library):
    random = numpy.random.default_rng(3)
    compiled = eigen()
    shapes = {"5-point grid": (2_000_000, 5), "rows of 16": (625_000, 16), "rows of 100": (100_000, 100)}
    for dtype in ("float64", "float32"):
        for kind, (rows, each) in shapes.items():
            columns = neighbours(rows) if kind == "5-point grid" else random.integers(0, rows, (rows, each), dtype=numpy.int32)
            columns = numpy.sort(columns, axis=1).reshape(-1)
            nonzeros = rows * each
            offsets = numpy.arange(rows + 1, dtype=numpy.int32) * numpy.int32(each)
            values, x = (random.random(length, dtype=dtype) for length in (nonzeros, rows))
            y, theirs = numpy.zeros(rows, dtype=dtype), numpy.zeros(rows, dtype=dtype)
            matrix = scipy.sparse.csr_array((values, columns, offsets), shape=(rows, rows))
            options = library.options("spmv", dtype=DTYPES[dtype], index_dtype=U32)
            ours = library.prepared("spmv", options, pointer(values), pointer(columns), ctypes.c_size_t(nonzeros), pointer(offsets),
                                    ctypes.c_size_t(rows), pointer(x), ctypes.c_size_t(rows), None, pointer(y))
            ways = {"gpumex": ours, "SciPy, 1 thread": lambda: matrix @ x}
            if compiled:
                ways["Eigen"] = lambda: getattr(compiled, "eigen_spmv_" + dtype)(
                    pointer(values), pointer(columns), pointer(offsets), rows, rows, pointer(x), pointer(theirs))
            for way in ways.values():
                way()
            numpy.testing.assert_allclose(y, matrix @ x, rtol=each * numpy.finfo(dtype).eps)
            row(f"spmv {dtype} {kind}", "Mnonzero/s", nonzeros / 1e6, **ways)


def neighbours(rows):
    """Columns of a row of the matrix of a square grid, five a point, those over the edge wrapped."""
    side = int(rows**0.5)
    return (numpy.arange(rows, dtype=numpy.int32)[:, None] + numpy.array([-side, -1, 0, 1, side], dtype=numpy.int32)) % numpy.int32(rows)


def main():
    library = Library(sys.argv[1], sys.argv[2])
    library.c.gpumex_configure(b"num_threads", str(THREADS).encode())
    library.open("context_create", CPU, -1)
    print(f"{THREADS} threads; NumPy {numpy.__version__}, SciPy {scipy.__version__}, boost-histogram {boost_histogram.__version__}, "
          f"fast-histogram {fast_histogram.__version__}")
    histograms(library)
    products(library)
    sparse_products(library)


main()
