/* elements.cc - elements at subscripts, read and written. */

#include "indexing.h"
#include "selection.h"

namespace gpuarrays {

void read_elements(const array &a, const dim_vector &dims, const Array<octave::idx_vector> &subscripts, const array &result)
{
    selection chosen(dims, subscripts);
    check(chosen.read(a->dtype, elements(a), data_of(result->data)), "index");
}

void write_elements(const array &a, const dim_vector &dims, const Array<octave::idx_vector> &subscripts, const array &source)
{
    selection chosen(dims, subscripts);
    bool broadcast = count_of(source) == 1;
    uint64_t word = 0;
    const void *values = &word;
    if (broadcast && source->is == state::number)
        word = bits_of(*source);
    else
        values = elements(source);
    check(chosen.write(a->dtype, values, broadcast, data_of(a->data)), "indexed assignment");
}

} // namespace gpuarrays
