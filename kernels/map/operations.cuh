// operations.cuh — the numbers of an element-wise program, and the cases of the interpreter's switch.
//
// A step's operation, type and form are one number, the position in a table that the compiler makes: the host looks a step up, the
// device's switch has a case for each row. Operations that are the same for some types, and reversed ones that commute, share a row.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

// Of src/model/expression/program.rs.
enum MapType { TYPE_I32 = 0, TYPE_I64 = 1, TYPE_U64 = 2, TYPE_F32 = 3, TYPE_F64 = 4, TYPES = 5 };
enum MapOperand { OPERAND_NONE = 0, OPERAND_LITERAL = 1, OPERAND_SLOT = 2, OPERAND_INPUT = 3 };
enum MapOp {
    OP_MOV = 0, OP_STORE = 1, OP_SELECT = 2, OP_CONVERT = 3, OP_WRAP = 4, OP_CLAMP = 5,
    OP_NEG = 8, OP_ABS = 9, OP_NEGS = 10, OP_ABSS = 11, OP_SIGN = 12, OP_NOT = 13, OP_TEST = 14, OP_BITNOT = 15,
    OP_ISNAN = 16, OP_ISINF = 17, OP_ISFINITE = 18, OP_FLOOR = 19, OP_CEIL = 20, OP_ROUND = 21, OP_TRUNC = 22, OP_SQRT = 23,
    OP_CBRT = 24, OP_EXP = 25, OP_EXPM1 = 26, OP_EXP2 = 27, OP_LOG = 28, OP_LOG1P = 29, OP_LOG2 = 30, OP_LOG10 = 31,
    OP_SIN = 32, OP_COS = 33, OP_TAN = 34, OP_ASIN = 35, OP_ACOS = 36, OP_ATAN = 37, OP_SINH = 38, OP_COSH = 39, OP_TANH = 40,
    OP_ASINH = 41, OP_ACOSH = 42, OP_ATANH = 43, OP_ERF = 44, OP_ERFC = 45, OP_GAMMA = 46, OP_LGAMMA = 47,
    OP_ADD = 64, OP_SUB = 65, OP_MUL = 66, OP_DIV = 67, OP_REM = 68, OP_MOD = 69, OP_MIN = 70, OP_MAX = 71,
    OP_ADDS = 72, OP_SUBS = 73, OP_MULS = 74, OP_DIVS = 75, OP_EQ = 76, OP_NE = 77, OP_LT = 78, OP_LE = 79,
    OP_BITAND = 80, OP_BITOR = 81, OP_BITXOR = 82, OP_SHL = 83, OP_SHR = 84,
    OP_POW = 96, OP_ATAN2 = 97, OP_HYPOT = 98,
    OP_CONVERT_TO = 104,                                           // + type: a CONVERT in the table
    OPS = OP_CONVERT_TO + TYPES
};

constexpr int MAP_STEPS = 160, MAP_LITERALS = 64, MAP_SLOTS = 8, MAP_INPUTS = 16, MAP_RANK = 8;

// ---- host and device helpers ----------------------------------------------------------------------------------------

struct MapCase {
    int op, type;
    bool reverse;                                                  // op (operand, acc)
    bool uniform;                                                  // the operand is one word for all lanes
};

__host__ __device__ constexpr bool is_map_float(int type) { return type == TYPE_F32 || type == TYPE_F64; }
__host__ __device__ constexpr bool is_map_wide(int type) { return type != TYPE_I32 && type != TYPE_F32; }
__host__ __device__ constexpr bool is_map_binary(int op) { return op >= OP_ADD && op <= OP_HYPOT; }

__host__ __device__ constexpr bool is_map_elementary(int op, int type) {
    return (op >= OP_CBRT && op <= OP_LGAMMA) || (op >= OP_POW && op <= OP_HYPOT) ||
           (is_map_float(type) && (op == OP_REM || op == OP_MOD));
}

// Whether an operation moves or combines bits, of whatever type.
__host__ __device__ constexpr bool is_map_bitwise(int op) {
    return op == OP_MOV || op == OP_STORE || op == OP_SELECT || op == OP_BITNOT || (op >= OP_BITAND && op <= OP_BITXOR);
}

__host__ __device__ constexpr bool is_map_commutative(int op) {
    return op == OP_ADD || op == OP_MUL || op == OP_ADDS || op == OP_MULS || op == OP_EQ || op == OP_NE ||
           (op >= OP_BITAND && op <= OP_BITXOR) || op == OP_HYPOT;
}

// Frequent cheap operations have a case for an operand that is one word; for others it is copied to all lanes.
__host__ __device__ constexpr bool has_map_uniform(int op, int type) {
    return op == OP_SELECT || op == OP_ADD || op == OP_SUB || op == OP_MUL || (op == OP_DIV && is_map_float(type)) || op == OP_MIN ||
           op == OP_MAX || (op >= OP_EQ && op <= OP_LE);
}

// Whether the operation exists for the type.
__host__ __device__ constexpr bool is_map_defined(int op, int type) {
    const bool is_float = is_map_float(type);
    if (is_map_elementary(op, type)) return is_float;
    if (op >= OP_ISNAN && op <= OP_SQRT) return is_float;
    if (op == OP_WRAP || op == OP_CLAMP || op == OP_NEGS || op == OP_ABSS || op == OP_BITNOT) return !is_float;
    if ((op >= OP_ADDS && op <= OP_DIVS) || (op >= OP_BITAND && op <= OP_SHR)) return !is_float;
    return op <= OP_SELECT || (op >= OP_NEG && op <= OP_TEST) || (op >= OP_ADD && op <= OP_LE) || op >= OP_CONVERT_TO;
}

// The row of the table that serves a case.
__host__ __device__ constexpr MapCase canonical(MapCase one, bool wide) {
    const bool is_signless = one.op == OP_ADD || one.op == OP_SUB || one.op == OP_MUL || one.op == OP_NEG || one.op == OP_EQ ||
                             one.op == OP_NE || one.op == OP_NOT || one.op == OP_TEST;
    if (is_map_bitwise(one.op)) one.type = wide ? TYPE_U64 : TYPE_I32;
    if (is_signless && one.type == TYPE_U64) one.type = TYPE_I64;
    one.reverse = one.reverse && (is_map_binary(one.op) || one.op == OP_SELECT) && !is_map_commutative(one.op);
    one.uniform = one.uniform && has_map_uniform(one.op, one.type);
    return one;
}

__host__ __device__ constexpr bool is_same(MapCase a, MapCase b) {
    return a.op == b.op && a.type == b.type && a.reverse == b.reverse && a.uniform == b.uniform;
}

// Whether the table of an interpreter has the case.
__host__ __device__ constexpr bool has_map_case(MapCase one, bool wide, bool elementary) {
    if (!is_map_defined(one.op, one.type) || one.op == OP_CONVERT || one.op == OP_MOV || !is_same(one, canonical(one, wide))) return false;
    if (!wide && (is_map_wide(one.type) || (one.op >= OP_CONVERT_TO && is_map_wide(one.op - OP_CONVERT_TO)))) return false;
    return one.op != OP_CONVERT_TO + one.type && (elementary || !is_map_elementary(one.op, one.type));
}

constexpr int MAP_ROWS = OPS * TYPES * 4;                          // what could be a case

__host__ __device__ constexpr MapCase map_row(int row) { return {row / 4 / TYPES, row / 4 % TYPES, row % 2 != 0, row / 2 % 2 != 0}; }

constexpr int count_map_cases(bool wide, bool elementary) {
    int count = 0;
    for (int row = 0; row < MAP_ROWS; ++row) count += has_map_case(map_row(row), wide, elementary) ? 1 : 0;
    return count;
}

template <bool WIDE, bool ELEMENTARY>
struct MapCases {
    static constexpr int COUNT = count_map_cases(WIDE, ELEMENTARY);
    MapCase at[COUNT];

    static constexpr MapCases make() {
        MapCases cases = {};
        int count = 0;
        for (int row = 0; row < MAP_ROWS; ++row) {
            if (has_map_case(map_row(row), WIDE, ELEMENTARY)) cases.at[count++] = map_row(row);
        }
        return cases;
    }

    // The number of a case, or -1.
    int find(MapCase one) const {
        for (int i = 0; i < COUNT; ++i) {
            if (is_same(at[i], canonical(one, WIDE))) return i;
        }
        return -1;
    }
};

template <bool WIDE, bool ELEMENTARY>
constexpr MapCases<WIDE, ELEMENTARY> MAP_CASES = MapCases<WIDE, ELEMENTARY>::make();
