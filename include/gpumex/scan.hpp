/// @file
/// @brief Prefix scan. See gpumex_scan.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>
#include <gpumex/reduce.hpp>

namespace gpumex {

/// As gpumex_scan_options; the type of the results is that of the accumulator.
struct scan_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::binary_operator op = gpumex::binary_operator::sum;
    gpumex::scan_kind kind = gpumex::scan_kind::exclusive;
    const char *expression = nullptr; ///< An associative expression of a and b, in the place of op.
    const void *identity = nullptr;   ///< The result of no elements, of its type, in host memory; NULL: the operator's.
};

/// @cond
namespace detail {

template <class T, class Result> gpumex_scan_options in_c(const scan_options &options) {
    gpumex_scan_options c = GPUMEX_SCAN_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.dtype = key_dtype<T>();
    c.op = operator_unless(options.expression, options.op);
    c.expression = options.expression;
    c.identity = options.identity;
    c.kind = number(options.kind);
    c.accumulator_dtype = key_dtype<Result>();
    return c;
}

} // namespace detail
/// @endcond

/// result[i] <- the elements before data[i] (exclusive), or up to it (inclusive), combined; *total, in memory of any
/// kind, <- all of them, NULL leaves it out. result may be data.
template <class Data, class Result>
void scan(context_ref ctx, const Data &data, Result &&result, detail::as_is<detail::element<Result>> *total,
          const scan_options &options = {}) {
    detail::require_room("scan", "result", detail::count(result), detail::count(data));
    const gpumex_scan_options c = detail::in_c<detail::element<const Data>, detail::element<Result>>(options);
    detail::check(gpumex_scan(ctx.get(), &c, detail::in(data), detail::count(data), detail::out(result), total));
}

/// The same without the total.
template <class Data, class Result>
void scan(context_ref ctx, const Data &data, Result &&result, const scan_options &options = {}) {
    gpumex::scan(ctx, data, result, nullptr, options);
}

} // namespace gpumex
