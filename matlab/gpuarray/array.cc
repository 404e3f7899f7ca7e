/* array.cc - nodes: how they are made, copied to and from the host, reshaped and owned. */

#include "array.h"

#include <cstring>

#include <octave/ov-complex.h>
#include <octave/ov-flt-complex.h>

#include "expression.h"

namespace gpuarrays {

static node *first_pending;

void add_to_pending(node *n)
{
    n->behind = first_pending;
    if (first_pending != nullptr)
        first_pending->before = n;
    first_pending = n;
}

void remove_from_pending(node *n)
{
    (n->before != nullptr ? n->before->behind : first_pending) = n->behind;
    if (n->behind != nullptr)
        n->behind->before = n->before;
    n->before = n->behind = nullptr;
}

/* A long chain of expressions is freed in a loop: destructors that call each other would need the stack of a thread. */
node::~node()
{
    if (is != state::pending)
        return;
    remove_from_pending(this);
    static std::vector<array> *queue;
    if (queue != nullptr) {
        for (array &operand : operands)
            if (operand)
                queue->push_back(std::move(operand));
        return;
    }
    std::vector<array> waiting;
    queue = &waiting;
    for (array &operand : operands)
        if (operand)
            waiting.push_back(std::move(operand));
    while (!waiting.empty()) {
        array last = std::move(waiting.back());
        waiting.pop_back();
        last.reset();
    }
    queue = nullptr;
}

array new_array(const dim_vector &dims, int32_t dtype)
{
    dim_vector size = dims;
    size.chop_trailing_singletons();
    std::size_t count = 1;
    for (int k = 0; k < size.ndims(); k++) {
        std::size_t extent = static_cast<std::size_t>(size(k));
        if (extent != 0 && count > SIZE_MAX / 16 / extent)
            fail("outOfMemory", "gpuArray: an array of %s elements is beyond the address space", size.str().c_str());
        count *= extent;
    }
    array made = std::make_shared<node>(size, dtype);
    made->nonnegative = is_logical(dtype) || is_unsigned(dtype);
    made->data = allocate(count * bytes_of(dtype));
    return made;
}

array new_number(const octave_value &number, int32_t dtype)
{
    array made = std::make_shared<node>(dim_vector(1, 1), dtype);
    made->is = state::number;
    made->number = number;
    if (is_complex(dtype)) { /* as one of its class, whose imaginary part may be 0 */
        if (is_single(dtype))
            made->number = octave_value(new octave_float_complex(number.float_complex_value(true)));
        else
            made->number = octave_value(new octave_complex(number.complex_value(true)));
    } else {
        made->nonnegative = is_logical(dtype) || is_unsigned(dtype) || number.double_value() >= 0;
    }
    return made;
}

static array upload_complex(const octave_value &value, int32_t dtype, const char *function)
{
    if (value.numel() == 1)
        return new_number(value, dtype);
    array made = new_array(value.dims(), dtype);
    const ComplexNDArray wide = is_single(dtype) ? ComplexNDArray() : value.complex_array_value();
    const FloatComplexNDArray narrow = is_single(dtype) ? value.float_complex_array_value() : FloatComplexNDArray();
    const void *from = is_single(dtype) ? static_cast<const void *>(narrow.data()) : wide.data();
    copy(data_of(made->data), from, count_of(made) * bytes_of(dtype), function);
    return made;
}

array upload(const octave_value &value, const char *function)
{
    int32_t dtype = dtype_of(value);
    if (value.issparse())
        fail("sparse", "%s: a sparse array was given; gpuArrays are full, see full", function);
    if (dtype == GPUMEX_DTYPE_NONE)
        fail("invalidData", "%s: a %s was given; a gpuArray holds numbers or logicals", function,
             value.class_name().c_str());
    if (is_complex(dtype))
        return upload_complex(value, dtype, function);
    octave_value full = value.is_string() || !(value.is_matrix_type() || value.is_scalar_type()) || value.is_range()
                                || value.is_diag_matrix() || value.is_perm_matrix()
                            ? as_class(value, dtype)
                            : value;
    if (full.is_scalar_type())
        return new_number(full, dtype);
    const void *from = full.mex_get_data();
    if (from == nullptr && full.numel() > 0)
        from = (full = as_class(value, dtype)).mex_get_data();
    if (full.numel() == 1)
        return new_number(full.fast_elem_extract(0), dtype);
    array made = new_array(full.dims(), dtype);
    copy(data_of(made->data), from, count_of(made) * bytes_of(dtype), function);
    return made;
}

octave_value download(const array &a)
{
    evaluate(a);
    if (a->is == state::number)
        return a->number;
    const void *from = data_of(a->data);
    octave_value value = new_host_array(a->dtype, a->dims, [&](void *to) {
        copy(to, from, count_of(a) * bytes_of(a->dtype), "gather");
    });
    if (is_scalar(a)) { /* asked for once, it is asked for again */
        a->number = value;
        a->is = state::number;
        a->data.reset();
    }
    return value;
}

template <typename T>
static element_bytes bits(T value)
{
    element_bytes bytes = {};
    std::memcpy(&bytes, &value, sizeof value);
    return bytes;
}

element_bytes bits_of(const node &n)
{
    const octave_value &v = n.number;
    switch (n.dtype) {
    case GPUMEX_DTYPE_F64: return bits(v.double_value());
    case GPUMEX_DTYPE_F32: return bits(v.float_value());
    case GPUMEX_DTYPE_I8: return bits(v.int8_scalar_value().value());
    case GPUMEX_DTYPE_I16: return bits(v.int16_scalar_value().value());
    case GPUMEX_DTYPE_I32: return bits(v.int32_scalar_value().value());
    case GPUMEX_DTYPE_I64: return bits(v.int64_scalar_value().value());
    case GPUMEX_DTYPE_U8: return bits(v.uint8_scalar_value().value());
    case GPUMEX_DTYPE_U16: return bits(v.uint16_scalar_value().value());
    case GPUMEX_DTYPE_U32: return bits(v.uint32_scalar_value().value());
    case GPUMEX_DTYPE_U64: return bits(v.uint64_scalar_value().value());
    case GPUMEX_DTYPE_C64: return bits(v.float_complex_value());
    case GPUMEX_DTYPE_C128: return bits(v.complex_value());
    default: return bits(v.bool_value());
    }
}

/* A number goes to the device, and stays a number as well. */
static void store_number(const array &a)
{
    if (a->data)
        return;
    element_bytes bytes = bits_of(*a);
    a->data = allocate(bytes_of(a->dtype));
    copy(data_of(a->data), &bytes, bytes_of(a->dtype), "gpuArray");
}

void *elements(const array &a)
{
    evaluate(a);
    if (a->is == state::number)
        store_number(a);
    return data_of(a->data);
}

void evaluate_all()
{
    std::vector<array> roots;
    for (node *n = first_pending; n != nullptr; n = n->behind)
        if (n->holders > 0)
            roots.push_back(n->shared_from_this());
    for (const array &root : roots)
        evaluate(root);
}

array reshaped(const array &a, const dim_vector &dims)
{
    dim_vector size = dims;
    size.chop_trailing_singletons();
    if (size == a->dims)
        return a;
    evaluate(a);
    elements(a);
    array made = std::make_shared<node>(size, a->dtype);
    made->nonnegative = a->nonnegative;
    made->data = a->data;
    return made;
}

array own(const array &a, bool is_alone)
{
    elements(a);
    if (is_alone && (!a->data || a->data.use_count() == 1)) {
        a->is = state::stored;
        a->number = octave_value();
        return a;
    }
    array made = new_array(a->dims, a->dtype);
    copy(data_of(made->data), data_of(a->data), count_of(a) * bytes_of(a->dtype), "gpuArray");
    return made;
}

} // namespace gpuarrays
