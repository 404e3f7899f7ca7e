/* arrayfun.cc - arrayfun: the function is called once, with the arrays in place of the elements.
 *
 * That is the same where all that the function does is element-wise; whatever else it asks for is refused. */

#include <octave/parse.h>

#include "elementwise.h"
#include "expression.h"
#include "methods.h"

namespace gpuarrays {

static int calls_of_arrayfun;

namespace {

struct arrayfun_call {
    arrayfun_call() { calls_of_arrayfun++; }
    ~arrayfun_call() { calls_of_arrayfun--; }
};

} // namespace

bool in_arrayfun()
{
    return calls_of_arrayfun > 0;
}

void refuse_in_arrayfun(const std::string &what)
{
    if (in_arrayfun())
        fail("notElementwise", "arrayfun: the function has %s, which is not element-wise", what.c_str());
}

/* A result that does not depend on the elements is that number everywhere. */
static array spread_over(const array &a, const dim_vector &dims)
{
    if (a->dims == dims)
        return a;
    if (count_of(a) != 1)
        fail("notElementwise", "arrayfun: the function gives a %s array for arrays of %s", a->dims.str().c_str(),
             dims.str().c_str());
    array zeros = std::make_shared<node>(dims, GPUMEX_DTYPE_BOOL);
    zeros->data = allocate(count_of(zeros));
    uint8_t zero = 0;
    if (count_of(zeros) > 0)
        check(gpumex_fill(context(), GPUMEX_DTYPE_BOOL, data_of(zeros->data), count_of(zeros), &zero), "arrayfun");
    return operate(*find_operation("merge"), zeros, a, a);
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(arrayfun, arguments, results)
{
    if (arguments.length() < 2)
        error("Invalid call to arrayfun");
    int count = static_cast<int>(arguments.length());
    while (count > 3 && arguments(count - 2).is_string()) {
        if (arguments(count - 2).string_value() != "UniformOutput" || !arguments(count - 1).is_true())
            fail("notServed", "arrayfun: of its options only 'UniformOutput', true is served for gpuArrays");
        count -= 2;
    }
    octave_value_list elements;
    dim_vector dims(1, 1);
    for (int k = 1; k < count; k++) {
        array a = array_of(arguments(k), "arrayfun");
        dims = broadcast("arrayfun", dims, a->dims);
        elements.append(value_of(a));
    }
    octave_value_list made;
    {
        arrayfun_call guard;
        made = octave::feval(arguments(0), elements, results);
    }
    int wanted = std::max(results, 1);
    if (made.length() < wanted)
        error("arrayfun: the function has %d results, %d are asked for", static_cast<int>(made.length()), wanted);
    octave_value_list spread;
    for (int k = 0; k < wanted; k++)
        spread.append(value_of(spread_over(array_of(made(k), "arrayfun"), dims)));
    return spread;
}
