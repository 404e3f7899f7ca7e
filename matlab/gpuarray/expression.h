/* expression.h - element-wise operations, put together lazily: an expression is one pass over memory when its elements are needed. */
#pragma once

#include "array.h"

namespace gpuarrays {

enum class result_class {
    arithmetic, /* of the first two operands, as MATLAB has it */
    last_two,   /* the same of the last two of three */
    logical,
    same,       /* that of the operand, double for a logical */
    floating,   /* single for single, else double, in which it is computed */
    cast,       /* operation.dtype */
    complex     /* of parts of the two operands */
};

/* Which elements have no real result, or make Octave raise an error. */
enum class refuses { nothing, negative, negative_to_fraction, nan, beyond_one, below_one, below_minus_one };

/* When a result has no negative elements. */
enum class keeps_sign { never, always, all_operands, any_operand, product, power, modulus };

struct operation {
    const char *name; /* in errors, and of Octave's function */
    const char *text; /* the sign of an operator, or the name of a function of gpumex_map */
    int arity;
    result_class result;
    refuses refused = refuses::nothing;
    keeps_sign nonnegative = keeps_sign::never;
    int host = -1; /* the octave_value::binary_op or unary_op of an operator; -1: Octave's function of the name */
    int32_t dtype = 0;

    bool is_operator() const { return !(text[0] >= 'a' && text[0] <= 'z'); }
};

/* The operation on operands that broadcast; of numbers alone Octave computes it at once. */
array operate(const operation &op, const array &a);
array operate(const operation &op, const array &a, const array &b);
array operate(const operation &op, const array &a, const array &b, const array &c);

/* The operation of an operator, or of a function by its name; NULL where there is none. */
const operation *find_operation(octave_value::binary_op op);
const operation *find_operation(octave_value::unary_op op);
const operation *find_operation(const std::string &function);

/* In another class, as Octave converts. */
array converted(const array &a, int32_t dtype);

/* The gamma function; infinite where it has a pole, as in Octave. */
array gamma_of(const array &a);

/* The class of the result of an operation; raises an error where it does not take the classes of its operands. */
int32_t class_of_result(const operation &op, const array *operands);

/* Whether an operand is complex. */
bool has_complex(const operation &op, const array *operands);

/* Raises the error of an operation on real operands that refuses some of their elements. */
[[noreturn]] void refuse_elements(const operation &op);

/* The size of the result of two operands; the error is Octave's. */
dim_vector broadcast(const char *name, const dim_vector &a, const dim_vector &b);

} // namespace gpuarrays
