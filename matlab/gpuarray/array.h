/* array.h - what a gpuArray is: a number of the host, elements in device memory, or an expression that is still to be computed.
 *
 * A node is shared by all that use it and does not change, but for two things: an expression becomes its elements when somebody needs
 * them, and an assignment writes into elements that nobody else has. */
#pragma once

#include <octave/oct.h>

#include "classes.h"
#include "library.h"

namespace gpuarrays {

struct node;
struct operation;
using array = std::shared_ptr<node>;

enum class state {
    number, /* one element, in `number` */
    stored, /* in `data`, column by column */
    pending /* `op` of `operands` */
};

struct node : std::enable_shared_from_this<node> {
    node(const dim_vector &size, int32_t type) : dims(size), dtype(type) {}
    ~node();
    node(const node &) = delete;
    node &operator=(const node &) = delete;

    dim_vector dims;
    int32_t dtype;
    state is = state::stored;
    bool nonnegative = false; /* no element is negative; NaN may be there */
    octave_value number;
    memory data;

    const operation *op = nullptr;
    array operands[3];
    unsigned tokens = 1; /* of the expression, as its text has them */
    unsigned depth = 0;  /* of its parentheses */
    unsigned leaves = 1; /* inputs, each as often as it occurs */
    unsigned inlined = 0; /* how often it has been computed as part of another one */
    bool is_checked = false; /* its operands may have elements that the operation refuses */

    unsigned holders = 0; /* values of the interpreter that have it */
    node *before = nullptr, *behind = nullptr; /* in the list of expressions that are pending */
};

inline std::size_t count_of(const array &a) { return static_cast<std::size_t>(a->dims.numel()); }
inline bool is_scalar(const array &a) { return a->dims.numel() == 1 && a->dims.ndims() == 2; }

/* A stored array whose elements are to be written. */
array new_array(const dim_vector &dims, int32_t dtype);

/* An array of one element. */
array new_number(const octave_value &number, int32_t dtype);

/* A copy of a host array on the device, its class and whether it is complex kept; a char becomes a double. The error names FUNCTION. */
array upload(const octave_value &value, const char *function = "gpuArray");

/* A copy on the host. */
octave_value download(const array &a);

/* The elements in device memory, computed where they are pending. */
void *elements(const array &a);

/* Computes what is pending; a number stays one. */
void evaluate(const array &a);

/* Computes everything that is pending and that a value of the interpreter has. */
void evaluate_all();

/* The same elements in another shape. */
array reshaped(const array &a, const dim_vector &dims);

/* The same elements to write to: A itself where its caller is the only one that has it and nobody else its memory, else a copy. */
array own(const array &a, bool is_alone);

void add_to_pending(node *n);
void remove_from_pending(node *n);

/* The element of a number as bytes of its class. */
struct alignas(16) element_bytes {
    uint64_t words[2];
};
element_bytes bits_of(const node &n);

} // namespace gpuarrays
