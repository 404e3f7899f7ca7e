/* elements.cc - elements at subscripts, read and written. */

#include "indexing.h"
#include "selection.h"

namespace gpuarrays {

void read_elements(const array &a, const dim_vector &dims, const Array<octave::idx_vector> &subscripts, const array &result)
{
    selection chosen(dims, subscripts);
    check(chosen.read(a->dtype, elements(a), data_of(result->data)), "index");
}

/* COUNT times the element of SOURCE: gpumex_scatter_nd does not spread a complex one. */
static array copies_of(const array &source, std::size_t count)
{
    array made = new_array(dim_vector(static_cast<octave_idx_type>(count), 1), source->dtype);
    const array number = new_number(download(source), source->dtype);
    const element_bytes bytes = bits_of(*number);
    if (count > 0)
        check(gpumex_fill(context(), made->dtype, data_of(made->data), count, &bytes), "indexed assignment");
    return made;
}

void write_elements(const array &a, const dim_vector &dims, const Array<octave::idx_vector> &subscripts, const array &source)
{
    selection chosen(dims, subscripts);
    bool broadcast = count_of(source) == 1;
    if (broadcast && is_complex(source->dtype) && chosen.count() != 1)
        return write_elements(a, dims, subscripts, copies_of(source, chosen.count()));
    element_bytes bytes = {};
    const void *values = &bytes;
    if (broadcast && source->is == state::number)
        bytes = bits_of(*source);
    else
        values = elements(source);
    check(chosen.write(a->dtype, values, broadcast, data_of(a->data)), "indexed assignment");
}

} // namespace gpuarrays
