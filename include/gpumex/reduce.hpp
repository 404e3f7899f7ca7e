/// @file
/// @brief Reduction. See gpumex_reduce.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_reduce_options; the type of the result is that of the accumulator.
struct reduce_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::binary_operator op = gpumex::binary_operator::sum;
    const char *expression = nullptr; ///< An associative expression of a and b, in the place of op.
    const void *identity = nullptr;   ///< The result of no elements, of its type, in host memory; NULL: the operator's.
};

/// @cond
namespace detail {
/// The number of an operator, or of none where there is an expression.
inline std::int32_t operator_unless(const char *expression, gpumex::binary_operator op) {
    return expression == nullptr ? detail::number(op) : 0;
}

/// What elements are accumulated in where nothing else is asked for: integers below 4 bytes in 8.
template <class T>
using accumulator =
    std::conditional_t<(sizeof(T) >= 4), T, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

/// The type of the result of reduce<Result>(data).
template <class Result, class Data>
using reduced = typename std::conditional_t<std::is_void_v<Result>, identity<accumulator<element<const Data>>>,
                                            identity<Result>>::type;

template <class T, class Result> gpumex_reduce_options in_c(const reduce_options &options, Result *result_copy) {
    gpumex_reduce_options c = GPUMEX_REDUCE_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.dtype = key_dtype<T>();
    c.op = operator_unless(options.expression, options.op);
    c.accumulator_dtype = key_dtype<Result>();
    c.expression = options.expression;
    c.identity = options.identity;
    c.result_copy = result_copy;
    return c;
}

} // namespace detail
/// @endcond

/// *result <- all elements combined; result, and result_copy where it is not NULL, are in memory of any kind.
template <class Data, class Result>
void reduce_into(context_ref ctx, const Data &data, Result *result, const reduce_options &options = {},
                 detail::as_is<Result> *result_copy = nullptr) {
    const gpumex_reduce_options c = detail::in_c<detail::element<const Data>>(options, result_copy);
    detail::check(gpumex_reduce(ctx.get(), &c, detail::in(data), detail::count(data), result));
}

/// All elements combined: gpumex::reduce(ctx, x), or gpumex::reduce<std::int64_t>(ctx, x), which accumulates in 64 bits.
/// Integers of 1 and 2 bytes are accumulated in 64 bits unless another type is named.
template <class Result = void, class Data>
auto reduce(context_ref ctx, const Data &data, const reduce_options &options = {}) {
    detail::reduced<Result, Data> result{};
    gpumex::reduce_into(ctx, data, &result, options);
    return result;
}

} // namespace gpumex
