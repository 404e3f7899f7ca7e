/* classes.cc - classes of elements: names, sizes, and the arrays of the host that have them. */

#include "classes.h"

#include <octave/ov-complex.h>
#include <octave/ov-cx-mat.h>
#include <octave/ov-flt-complex.h>
#include <octave/ov-flt-cx-mat.h>

namespace gpuarrays {

static const element_class classes[] = {
    {GPUMEX_DTYPE_BOOL, "logical", 1}, {GPUMEX_DTYPE_F32, "single", 4}, {GPUMEX_DTYPE_F64, "double", 8},
    {GPUMEX_DTYPE_I8, "int8", 1},      {GPUMEX_DTYPE_I16, "int16", 2},  {GPUMEX_DTYPE_I32, "int32", 4},
    {GPUMEX_DTYPE_I64, "int64", 8},    {GPUMEX_DTYPE_U8, "uint8", 1},   {GPUMEX_DTYPE_U16, "uint16", 2},
    {GPUMEX_DTYPE_U32, "uint32", 4},   {GPUMEX_DTYPE_U64, "uint64", 8},
    {GPUMEX_DTYPE_C64, "single", 8},   {GPUMEX_DTYPE_C128, "double", 16}};

const element_class &class_of(int32_t dtype)
{
    for (const element_class &entry : classes)
        if (entry.dtype == dtype)
            return entry;
    fail("internal", "gpuArray: %d is not the dtype of a class", dtype);
}

const element_class *find_class(const std::string &name)
{
    for (const element_class &entry : classes)
        if (name == entry.name)
            return &entry;
    return nullptr;
}

int32_t dtype_of(const octave_value &value)
{
    if (value.issparse())
        return GPUMEX_DTYPE_NONE;
    switch (value.builtin_type()) {
    case btyp_double: return GPUMEX_DTYPE_F64;
    case btyp_float: return GPUMEX_DTYPE_F32;
    case btyp_int8: return GPUMEX_DTYPE_I8;
    case btyp_int16: return GPUMEX_DTYPE_I16;
    case btyp_int32: return GPUMEX_DTYPE_I32;
    case btyp_int64: return GPUMEX_DTYPE_I64;
    case btyp_uint8: return GPUMEX_DTYPE_U8;
    case btyp_uint16: return GPUMEX_DTYPE_U16;
    case btyp_uint32: return GPUMEX_DTYPE_U32;
    case btyp_uint64: return GPUMEX_DTYPE_U64;
    case btyp_bool: return GPUMEX_DTYPE_BOOL;
    case btyp_complex: return GPUMEX_DTYPE_C128;
    case btyp_float_complex: return GPUMEX_DTYPE_C64;
    case btyp_char: return GPUMEX_DTYPE_F64;
    default: return GPUMEX_DTYPE_NONE;
    }
}

std::string description_of(int32_t dtype)
{
    return (is_complex(dtype) ? "complex " : "") + std::string(name_of(dtype));
}

int32_t arithmetic_class(int32_t a, int32_t b)
{
    if (is_complex(a) || is_complex(b)) {
        if (is_integer(a) || is_integer(b))
            return GPUMEX_DTYPE_NONE;
        return is_single(a) || is_single(b) ? GPUMEX_DTYPE_C64 : GPUMEX_DTYPE_C128;
    }
    if (is_integer(a) && is_integer(b) && a != b)
        return GPUMEX_DTYPE_NONE;
    if (is_integer(a))
        return a;
    if (is_integer(b))
        return b;
    return a == GPUMEX_DTYPE_F32 || b == GPUMEX_DTYPE_F32 ? GPUMEX_DTYPE_F32 : GPUMEX_DTYPE_F64;
}

octave_value as_class(const octave_value &value, int32_t dtype)
{
    switch (dtype) {
    case GPUMEX_DTYPE_F64: return value.array_value(true);
    case GPUMEX_DTYPE_F32: return value.float_array_value(true);
    case GPUMEX_DTYPE_I8: return value.int8_array_value();
    case GPUMEX_DTYPE_I16: return value.int16_array_value();
    case GPUMEX_DTYPE_I32: return value.int32_array_value();
    case GPUMEX_DTYPE_I64: return value.int64_array_value();
    case GPUMEX_DTYPE_U8: return value.uint8_array_value();
    case GPUMEX_DTYPE_U16: return value.uint16_array_value();
    case GPUMEX_DTYPE_U32: return value.uint32_array_value();
    case GPUMEX_DTYPE_U64: return value.uint64_array_value();
    case GPUMEX_DTYPE_C64: return value.float_complex_array_value(true);
    case GPUMEX_DTYPE_C128: return value.complex_array_value(true);
    default: return value.bool_array_value();
    }
}

template <typename A>
static octave_value new_array(const dim_vector &dims, const std::function<void(void *)> &fill)
{
    A made(dims);
    fill(made.fortran_vec());
    return octave_value(made);
}

/* A complex array whose imaginary parts are 0 stays one: only arithmetic of the host makes it real. */
template <typename A, typename Matrix, typename Scalar>
static octave_value new_complex_array(const dim_vector &dims, const std::function<void(void *)> &fill)
{
    A made(dims);
    fill(made.fortran_vec());
    if (dims.ndims() == 2 && made.numel() == 1)
        return octave_value(new Scalar(made(0)));
    return octave_value(new Matrix(made));
}

octave_value new_host_array(int32_t dtype, const dim_vector &dims, const std::function<void(void *)> &fill)
{
    switch (dtype) {
    case GPUMEX_DTYPE_F64: return new_array<NDArray>(dims, fill);
    case GPUMEX_DTYPE_F32: return new_array<FloatNDArray>(dims, fill);
    case GPUMEX_DTYPE_I8: return new_array<int8NDArray>(dims, fill);
    case GPUMEX_DTYPE_I16: return new_array<int16NDArray>(dims, fill);
    case GPUMEX_DTYPE_I32: return new_array<int32NDArray>(dims, fill);
    case GPUMEX_DTYPE_I64: return new_array<int64NDArray>(dims, fill);
    case GPUMEX_DTYPE_U8: return new_array<uint8NDArray>(dims, fill);
    case GPUMEX_DTYPE_U16: return new_array<uint16NDArray>(dims, fill);
    case GPUMEX_DTYPE_U32: return new_array<uint32NDArray>(dims, fill);
    case GPUMEX_DTYPE_U64: return new_array<uint64NDArray>(dims, fill);
    case GPUMEX_DTYPE_C64:
        return new_complex_array<FloatComplexNDArray, octave_float_complex_matrix, octave_float_complex>(dims, fill);
    case GPUMEX_DTYPE_C128: return new_complex_array<ComplexNDArray, octave_complex_matrix, octave_complex>(dims, fill);
    default: return new_array<boolNDArray>(dims, fill);
    }
}

} // namespace gpuarrays
