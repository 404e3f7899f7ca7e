/// @file
/// @brief Reduction by key. See gpumex_reduce_by_key.
#pragma once

#include <gpumex/array.hpp>
#include <gpumex/reduce.hpp>

namespace gpumex {

/// As gpumex_reduce_by_key_options.
struct reduce_by_key_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::binary_operator op = gpumex::binary_operator::sum;
    const char *expression = nullptr; ///< An associative expression of a and b, in the place of op.
};

/// The first key of each run, and what its data give.
template <class Keys, class Results> struct reduce_by_key_result {
    Keys keys;
    Results results;
};

/// For each run of equal neighbouring keys unique_keys <- its first key, results <- its data combined, offsets <- its
/// position, and the number of keys after the last one; *needed (any memory) <- the number of runs.
///
/// keys and data are of one length. unique_keys and results are of one length too, and offsets has one element more; each
/// may be gpumex::none, data too without results. More runs than that are status::invalid_argument after the writing.
template <class Keys, class Data, class Unique, class Results, class Offsets>
void reduce_by_key(context_ref ctx, const Keys &keys, const Data &data, Unique &&unique_keys, Results &&results,
                   Offsets &&offsets, std::uint64_t *needed, const reduce_by_key_options &options = {}) {
    using type = detail::element<const Data>;
    detail::require_alike<detail::element<const Keys>, detail::element<Unique>>();
    detail::require_alike<type, detail::element<Results>>();
    static_assert(!detail::is_none<Data> || detail::is_none<Results>, "gpumex: there are no results without data");
    const std::size_t runs = !detail::is_none<Unique>    ? detail::count(unique_keys)
                             : !detail::is_none<Results> ? detail::count(results)
                             : detail::count(offsets) > 0 ? detail::count(offsets) - 1
                                                          : 0;
    if (!detail::is_none<Data>) detail::require_equal("reduce_by_key", "data", detail::count(data), detail::count(keys));
    if (!detail::is_none<Results>) detail::require_equal("reduce_by_key", "results", detail::count(results), runs);
    if (!detail::is_none<Offsets> && runs > 0)
        detail::require_room("reduce_by_key", "offsets", detail::count(offsets), detail::sum(runs, 1));
    gpumex_reduce_by_key_options c = GPUMEX_REDUCE_BY_KEY_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::wide_dtype<type>();
    c.op = detail::operator_unless(options.expression, options.op);
    c.expression = options.expression;
    c.key_dtype = detail::key_dtype<detail::element<const Keys>>();
    c.index_dtype = detail::index_dtype<detail::element<Offsets>>();
    detail::check(gpumex_reduce_by_key(ctx.get(), &c, detail::in(keys), detail::in(data), detail::count(keys),
                                       detail::out(unique_keys), detail::out(results), detail::out(offsets), runs,
                                       needed));
}

/// The runs: gpumex::arrays where keys and data are, else std::vectors. Counts them first.
template <class Keys, class Data>
auto reduce_by_key(context_ref ctx, const Keys &keys, const Data &data, const reduce_by_key_options &options = {}) {
    using key = detail::element<const Keys>;
    using type = detail::element<const Data>;
    std::uint64_t needed = 0;
    gpumex::reduce_by_key(ctx, keys, data, none, none, none, &needed, options);
    reduce_by_key_result<detail::like<Keys, key>, detail::like<Data, type>> found{
        detail::make_like<key>(ctx, keys, needed), detail::make_like<type>(ctx, data, needed)};
    gpumex::reduce_by_key(ctx, keys, data, found.keys, found.results, none, &needed, options);
    return found;
}

} // namespace gpumex
