/* unset.cc - __gpumex_unset__ (CLASS, SIZE): an array of the host whose elements are not set, on pages as large as the system has.
 *
 * For results of the MEX file: Octave copies an array that a MEX file has made, and one of its own it does not. */

#include <sys/mman.h>

#include "methods.h"

namespace gpuarrays {

/* Asks for huge pages for what lies whole in an array: a fault for 2 MiB, not one for 4 KiB. */
static void use_huge_pages(const void *data, std::size_t bytes)
{
    const std::uintptr_t huge = std::uintptr_t(1) << 21, first = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t from = (first + huge - 1) & ~(huge - 1), to = (first + bytes) & ~(huge - 1);
    if (from < to)
        (void)madvise(reinterpret_cast<void *>(from), to - from, MADV_HUGEPAGE);
}

/* An Octave array over memory that nobody has set: its own constructors set each element. */
template <typename T>
struct unset_array : Array<T> {
    unset_array(T *data, const dim_vector &dims)
    {
        auto *rep = new typename Array<T>::ArrayRep(data, dims);
        if (--this->m_rep->m_count == 0)
            delete this->m_rep;
        this->m_rep = rep;
        this->m_slice_data = rep->m_data;
        this->m_slice_len = rep->m_len;
        this->m_dimensions = dims;
        this->m_dimensions.chop_trailing_singletons();
    }
};

template <typename NDArray>
static octave_value unset(const dim_vector &dims)
{
    using element = typename NDArray::element_type;
    const std::size_t bytes = static_cast<std::size_t>(dims.safe_numel()) * sizeof(element);
    element *data = std::allocator<element>().allocate(static_cast<std::size_t>(dims.safe_numel()));
    use_huge_pages(data, bytes);
    return octave_value(NDArray(unset_array<element>(data, dims)));
}

static octave_value unset_of(const std::string &name, const dim_vector &dims)
{
    static const std::map<std::string, octave_value (*)(const dim_vector &)> makers = {
        {"double", unset<NDArray>},        {"single", unset<FloatNDArray>},   {"logical", unset<boolNDArray>},
        {"int8", unset<int8NDArray>},      {"int16", unset<int16NDArray>},    {"int32", unset<int32NDArray>},
        {"int64", unset<int64NDArray>},    {"uint8", unset<uint8NDArray>},    {"uint16", unset<uint16NDArray>},
        {"uint32", unset<uint32NDArray>},  {"uint64", unset<uint64NDArray>},  {"char", unset<charNDArray>},
    };
    const auto found = makers.find(name);
    if (found == makers.end())
        error("__gpumex_unset__: no class %s", name.c_str());
    return found->second(dims);
}

} // namespace gpuarrays

GPU_FUNCTION(__gpumex_unset__, arguments, results)
{
    gpuarrays::check_count("__gpumex_unset__", arguments, 2, 2);
    const NDArray extents = arguments(1).array_value();
    dim_vector dims;
    dims.resize(std::max(2, static_cast<int>(extents.numel())), 1);
    for (octave_idx_type k = 0; k < extents.numel(); k++)
        dims(k) = static_cast<octave_idx_type>(extents(k));
    return gpuarrays::unset_of(arguments(0).string_value(), dims);
}
