import ctypes

gpumex = ctypes.CDLL("libgpumex.so.0.2")
gpumex.gpumex_context_default.restype = ctypes.c_void_p
ctx = ctypes.c_void_p(gpumex.gpumex_context_default())
a, b = (ctypes.c_float * 6)(1, 2, 3, 4, 5, 6), (ctypes.c_float * 6)(1, 0, 0, 1, 1, 1)
c = (ctypes.c_float * 4)()  # row-major
m, n, k = ctypes.c_size_t(2), ctypes.c_size_t(2), ctypes.c_size_t(3)
assert gpumex.gpumex_matmul(ctx, None, m, n, k, a, b, c) == 0
print(f"{c[0]:g} {c[1]:g}\n{c[2]:g} {c[3]:g}")
