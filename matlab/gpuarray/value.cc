/* value.cc - the type of the interpreter: registered once, then never unloaded. */

#include "value.h"

#include <dlfcn.h>

#include <octave/interpreter.h>
#include <octave/ov-fcn.h>
#include <octave/ov-typeinfo.h>
#include <octave/pt-eval.h>

#include "complex.h"
#include "expression.h"
#include "indexing.h"
#include "operators.h"
#include "reductions.h"
#include "shapes.h"
#include "words.h"

using gpuarrays::gpu_value;
DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA(gpu_value, "gpuArray", "gpuArray");

namespace gpuarrays {

static array empty(int32_t dtype)
{
    return std::make_shared<node>(dim_vector(0, 0), dtype);
}

gpu_value::gpu_value() : content(empty(GPUMEX_DTYPE_F64))
{
    content->holders++;
}

gpu_value::gpu_value(const array &a) : content(a)
{
    content->holders++;
}

gpu_value::gpu_value(const gpu_value &other) : octave_base_value(other), content(other.content), is_factory(other.is_factory)
{
    content->holders++;
}

gpu_value::~gpu_value()
{
    content->holders--;
}

void gpu_value::set(const array &a)
{
    content->holders--;
    content = a;
    content->holders++;
}

octave_base_value *gpu_value::empty_clone() const
{
    return new gpu_value(empty(content->dtype));
}

/* The operators and this file's code stay in the interpreter's tables, whatever is cleared. */
static void stay_loaded()
{
    Dl_info here;
    if (dladdr(reinterpret_cast<void *>(&stay_loaded), &here) != 0)
        dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

bool register_type()
{
    static bool is_registered;
    if (is_registered)
        return true;
    stay_loaded(); /* a newer copy, too: the interpreter has functions of it until it ends */
    octave::type_info &types = octave::__get_type_info__("gpuArray");
    if (types.lookup_type("gpuArray").is_defined())
        return false;
    is_registered = true;
    gpu_value::register_type(types);
    install_operators(types);
    install_words();
    return true;
}

bool is_gpu(const octave_value &value)
{
    return value.type_id() == gpu_value::static_type_id();
}

octave_value value_of(const array &a)
{
    return octave_value(new gpu_value(a));
}

array array_of(const octave_value &value, const char *function)
{
    return is_gpu(value) ? static_cast<const gpu_value &>(value.get_rep()).get() : upload(value, function);
}

array real_array_of(const octave_value &value, const char *function)
{
    array a = array_of(value, function);
    if (is_complex(a->dtype))
        fail("complex", "%s: not served for complex gpuArrays", function);
    return a;
}

octave_value on_host(const octave_value &value)
{
    return is_gpu(value) ? download(array_of(value, "gather")) : value;
}

std::string current_function()
{
    octave::interpreter *interpreter = octave::interpreter::the_interpreter();
    octave_function *function = interpreter == nullptr ? nullptr : interpreter->get_evaluator().current_function();
    return function == nullptr ? "gpuArray" : function->name();
}

octave_value gpu_value::as(int32_t dtype) const
{
    return value_of(converted(content, is_complex(content->dtype) && is_float(dtype) ? complex_of(dtype) : dtype));
}

octave_value gpu_value::number() const
{
    if (!is_scalar(content)) {
        std::string function = current_function();
        fail("notServed", "%s: not served for a gpuArray in this place; gather gives an array of the host",
             function.c_str());
    }
    return download(content);
}

octave_value gpu_value::full_value() const
{
    return value_of(content);
}

octave_value gpu_value::map(unary_mapper_t function) const
{
    std::string name = get_umap_name(function);
    if (is_complex(content->dtype))
        if (array made = function_of_complex(name, content))
            return value_of(made);
    if (!is_complex(content->dtype) && (function == umap_real || function == umap_conj))
        return value_of(is_logical(content->dtype) ? converted(content, GPUMEX_DTYPE_F64) : content);
    if (function == umap_lgamma)
        name = "gammaln";
    if (function == umap_signum)
        name = "sign";
    if (function == umap_gamma)
        return value_of(gamma_of(content));
    if (const operation *op = find_operation(name))
        return value_of(operate(*op, content));
    if (content->is == state::number)
        return value_of(upload(content->number.get_rep().map(function), name.c_str()));
    fail("notServed", "%s: not served for gpuArrays; gather gives an array of the host", name.c_str());
}

/* Of a dimension from 0; below 0: the first one that has not one element. */
static octave_value decided(const array &a, int32_t op, int dim, const char *function)
{
    return value_of(reduced(a, op, dim < 0 ? default_dimension(a->dims) : dim, GPUMEX_DTYPE_BOOL, function));
}

octave_value gpu_value::all(int dim) const
{
    return decided(content, GPUMEX_DIM_REDUCTION_ALL, dim, "all");
}

octave_value gpu_value::any(int dim) const
{
    return decided(content, GPUMEX_DIM_REDUCTION_ANY, dim, "any");
}

octave_value gpu_value::reshape(const dim_vector &size) const
{
    if (size.safe_numel() != content->dims.numel())
        error("reshape: can't reshape %s array to %s array", content->dims.str().c_str(), size.str().c_str());
    return value_of(reshaped(content, size));
}

/* Without the dimensions of one element; a vector becomes a column. */
octave_value gpu_value::squeeze() const
{
    const dim_vector &dims = content->dims;
    if (dims.ndims() <= 2)
        return value_of(content);
    dim_vector size(1, 1);
    int rank = 0;
    for (int k = 0; k < dims.ndims(); k++) {
        if (dims(k) == 1)
            continue;
        if (rank >= 2)
            size.resize(rank + 1);
        size(rank++) = dims(k);
    }
    return value_of(reshaped(content, size));
}

octave_value gpu_value::permute(const Array<int> &order, bool inverse) const
{
    return value_of(permuted(content, order, inverse));
}

octave_value gpu_value::resize(const dim_vector &size, bool) const
{
    return value_of(resized(content, size));
}

} // namespace gpuarrays
