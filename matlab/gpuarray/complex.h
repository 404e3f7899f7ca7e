/* complex.h - functions of complex numbers that gpumex_map does not have. */
#pragma once

#include "expression.h"

namespace gpuarrays {

/* asin, acos, atan, asinh, acosh, atanh, log1p and expm1 of a complex array; of another function no array.
 *
 * Source: W. Kahan, "Branch cuts for complex elementary functions, or much ado about nothing's sign bit", The State of the Art in
 * Numerical Analysis, 1987. */
array function_of_complex(const std::string &function, const array &z);

} // namespace gpuarrays
