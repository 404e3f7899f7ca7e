// switch.cuh — run (Constant<N>()) for a number N that is known at run time, through one switch.
//
// The cases are written by macros, since a chain of comparisons, which templates could write, is not always compiled to a switch.
#pragma once

#include "prim/grid/launch.cuh"

#define GPUMEX_CASE(n)                                  \
    case n:                                             \
        if constexpr ((n) < COUNT) run(Constant<(n)>()); \
        else __builtin_unreachable();                    \
        break;
#define GPUMEX_CASES_4(n) GPUMEX_CASE(n) GPUMEX_CASE(n + 1) GPUMEX_CASE(n + 2) GPUMEX_CASE(n + 3)
#define GPUMEX_CASES_16(n) GPUMEX_CASES_4(n) GPUMEX_CASES_4(n + 4) GPUMEX_CASES_4(n + 8) GPUMEX_CASES_4(n + 12)
#define GPUMEX_CASES_64(n) GPUMEX_CASES_16(n) GPUMEX_CASES_16(n + 16) GPUMEX_CASES_16(n + 32) GPUMEX_CASES_16(n + 48)
#define GPUMEX_CASES_256(n) GPUMEX_CASES_64(n) GPUMEX_CASES_64(n + 64) GPUMEX_CASES_64(n + 128) GPUMEX_CASES_64(n + 192)

// ---- device helpers -------------------------------------------------------------------------------------------------

// `number` is below COUNT.
template <int COUNT, typename Run>
__device__ __forceinline__ void by_number(unsigned number, Run run) {
    static_assert(COUNT <= 512, "more cases than are written");
    if constexpr (COUNT <= 64) {
        switch (number) {
            GPUMEX_CASES_64(0)
            default: __builtin_unreachable();
        }
    } else {
        switch (number) {
            GPUMEX_CASES_256(0)
            GPUMEX_CASES_256(256)
            default: __builtin_unreachable();
        }
    }
}

#undef GPUMEX_CASES_256
#undef GPUMEX_CASES_64
#undef GPUMEX_CASES_16
#undef GPUMEX_CASES_4
#undef GPUMEX_CASE
