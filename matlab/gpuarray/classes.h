/* classes.h - the classes that elements of a gpuArray may have, by their gpumex_dtype. */
#pragma once

#include <functional>

#include <octave/oct.h>

#include "library.h"

namespace gpuarrays {

struct element_class {
    int32_t dtype;
    const char *name;
    std::size_t bytes;
};

/* The entry of a dtype: BOOL, F32, F64, the integers, C64 and C128. */
const element_class &class_of(int32_t dtype);

/* The entry of a real class by its name, or NULL. */
const element_class *find_class(const std::string &name);

/* The dtype of a full array of the host; NONE for anything else. A char is F64, as in arithmetic. */
int32_t dtype_of(const octave_value &value);

inline const char *name_of(int32_t dtype) { return class_of(dtype).name; }
inline std::size_t bytes_of(int32_t dtype) { return class_of(dtype).bytes; }

/* Real floats. */
inline bool is_float(int32_t dtype) { return dtype == GPUMEX_DTYPE_F32 || dtype == GPUMEX_DTYPE_F64; }
inline bool is_logical(int32_t dtype) { return dtype == GPUMEX_DTYPE_BOOL; }
inline bool is_complex(int32_t dtype) { return dtype == GPUMEX_DTYPE_C64 || dtype == GPUMEX_DTYPE_C128; }
inline bool is_single(int32_t dtype) { return dtype == GPUMEX_DTYPE_F32 || dtype == GPUMEX_DTYPE_C64; }
inline bool is_integer(int32_t dtype) { return dtype >= GPUMEX_DTYPE_I8 && dtype <= GPUMEX_DTYPE_U64; }
inline bool is_unsigned(int32_t dtype) { return dtype >= GPUMEX_DTYPE_U8 && dtype <= GPUMEX_DTYPE_U64; }

/* The real class of the parts of a complex one, and the complex one whose parts have a class; of others themselves and C128. */
inline int32_t real_of(int32_t dtype)
{
    return !is_complex(dtype) ? dtype : static_cast<int32_t>(is_single(dtype) ? GPUMEX_DTYPE_F32 : GPUMEX_DTYPE_F64);
}
inline int32_t complex_of(int32_t dtype) { return is_single(dtype) ? GPUMEX_DTYPE_C64 : GPUMEX_DTYPE_C128; }

/* "complex double" */
std::string description_of(int32_t dtype);

/* NONE where both are integers of different classes, or one is an integer and the other one complex. */
int32_t arithmetic_class(int32_t a, int32_t b);

/* A host array of a class, converted as Octave converts, and full: a range or a diagonal matrix written out. */
octave_value as_class(const octave_value &value, int32_t dtype);

/* A new host array, whose elements FILL writes. */
octave_value new_host_array(int32_t dtype, const dim_vector &dims, const std::function<void(void *)> &fill);

} // namespace gpuarrays
