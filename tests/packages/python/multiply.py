"""multiply.py LIBRARY - the product of two matrices with the installed library."""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.gpumex_context_create.restype = ctypes.c_void_p
library.gpumex_last_error.restype = ctypes.c_char_p
size, pointer = ctypes.c_size_t, ctypes.c_void_p
library.gpumex_matmul.argtypes = [pointer, pointer, size, size, size, pointer, pointer, pointer]
library.gpumex_context_destroy.argtypes = [pointer]

Matrix = ctypes.c_float * 4
a, b, c = Matrix(1, 2, 3, 4), Matrix(5, 6, 7, 8), Matrix()
context = library.gpumex_context_create(0, -1)
if not context or library.gpumex_matmul(context, None, 2, 2, 2, a, b, c):
    sys.exit(library.gpumex_last_error().decode())
print(*(f"{number:g}" for number in c))
library.gpumex_context_destroy(context)
