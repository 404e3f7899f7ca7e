/* selection.h - subscripts as gpumex_gather_nd and gpumex_scatter_nd take them. */
#pragma once

#include "array.h"

namespace gpuarrays {

/* What A (i, j, …) selects of each dimension: a range, or positions. */
class selection {
public:
    /* All of an array of these dimensions. */
    explicit selection(const dim_vector &dims);

    /* The subscripts, which lie within the dimensions. */
    selection(const dim_vector &dims, const Array<octave::idx_vector> &subscripts);

    std::size_t count() const;

    /* Restricts a dimension to one position in so many, or has it begin anew at its end: for copies into and out of a part. */
    void set_range(int dim, octave_idx_type start, octave_idx_type step, octave_idx_type extent, bool wraps);

    /* Positions in device memory, from START on: 1-based ones have START -1. */
    void set_positions(int dim, const void *positions, int32_t dtype, int64_t start, octave_idx_type extent);

    /* result <- what is selected of the source, dense; CHECKED: a position that is out of range is a status. */
    int32_t read(int32_t dtype, const void *source, void *result, bool checked = false);

    /* What is selected of target <- values, dense; BROADCAST: one value. */
    int32_t write(int32_t dtype, const void *values, bool broadcast, void *target, bool checked = false);

private:
    void join_dimensions();
    bool is_run(std::size_t &offset) const;

    std::vector<std::size_t> shape, counts;
    std::vector<int64_t> starts, steps;
    std::vector<int32_t> wraps, dtypes;
    std::vector<const void *> indices;
    std::vector<memory> kept; /* the index vectors, until the call is made */
};

} // namespace gpuarrays
