/// @file
/// @brief Reduction along a dimension. See gpumex_reduce_dim.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// How a dense array lies as (inner, count, outer), the first index fastest; count is the extent that is reduced or scanned.
struct dim_shape {
    std::size_t inner = 1;
    std::size_t count = 0;
    std::size_t outer = 1;
};

/// As gpumex_reduce_dim_options; the type of the results is that of the array that receives them.
struct reduce_dim_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::dim_reduction op = gpumex::dim_reduction::sum;
    gpumex::rules rules = gpumex::rules::c;              ///< matlab: integer sums and products saturate.
    gpumex::nan_flag nan = gpumex::nan_flag::default_;
};

/// @cond
namespace detail {

/// Checks the room of data and result; `elements` are those of data.
inline void require_dim(const char *operation, std::size_t data, std::size_t elements, std::size_t result,
                        std::size_t results) {
    require_room(operation, "data", data, elements);
    require_room(operation, "result", result, results);
}

template <class Data, class Result>
void reduce_dim_into(context_ref ctx, const Data &data, const dim_shape &shape, Result &&result, std::int32_t index_dtype,
                     void *positions, const reduce_dim_options &options) {
    require_dim("reduce_dim", count(data), shape.inner * shape.count * shape.outer, count(result), shape.inner * shape.outer);
    gpumex_reduce_dim_options c = GPUMEX_REDUCE_DIM_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.dtype = key_dtype<element<const Data>>();
    c.op = number(options.op);
    c.accumulator_dtype = key_dtype<element<Result>>();
    c.rules = number(options.rules);
    c.nan = number(options.nan);
    c.index_dtype = index_dtype;
    c.positions = positions;
    check(gpumex_reduce_dim(ctx.get(), &c, in(data), shape.inner, shape.count, shape.outer, out(result)));
}

} // namespace detail
/// @endcond

/// result[i + inner*k] <- the elements data[i + inner*(j + count*k)] of all j reduced; any and all give bool.
template <class Data, class Result>
void reduce_dim(context_ref ctx, const Data &data, const dim_shape &shape, Result &&result,
                const reduce_dim_options &options = {}) {
    detail::reduce_dim_into(ctx, data, shape, result, detail::number(dtype::none), nullptr, options);
}

/// The same of min or max; positions[i + inner*k] <- the first j of the extremum.
template <class Data, class Result, class Positions>
void reduce_dim(context_ref ctx, const Data &data, const dim_shape &shape, Result &&result, Positions &&positions,
                const reduce_dim_options &options) {
    detail::require_room("reduce_dim", "positions", detail::count(positions), shape.inner * shape.outer);
    detail::reduce_dim_into(ctx, data, shape, result, detail::key_dtype<detail::element<Positions>>(), detail::out(positions),
                            options);
}

} // namespace gpumex
