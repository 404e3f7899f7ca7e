/// @file
/// @brief Arrays as text: rows of numbers, each after the index of its first one. See gpumex_print.
#pragma once

#include <gpumex/callback.hpp>
#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <string>

namespace gpumex {

/// @cond
namespace detail {
template <class T> inline constexpr const char *format_of = std::is_floating_point_v<T> ? "%g" : "%d";
} // namespace detail
/// @endcond

/// Writes the text and a NUL into `text`, as far as it has room; the bytes of all of it, with the NUL. gpumex::none
/// asks for the size only. `format` has one conversion of printf, "%6.2f"; `columns` numbers make a row.
template <class R, class Text>
std::uint64_t print(context_ref ctx, const R &array, const char *format, std::size_t columns, Text &&text) {
    using type = detail::element<const R>;
    detail::require_alike<detail::element<Text>, char>();
    std::uint64_t needed = 0;
    detail::check(gpumex_print(ctx.get(), detail::key_dtype<type>(), detail::in(array), detail::count(array), format,
                               columns, static_cast<char *>(detail::out(text)), detail::count(text), &needed));
    return needed;
}

/// The text of an array.
template <class R>
std::string print(context_ref ctx, const R &array, const char *format = detail::format_of<detail::element<const R>>,
                  std::size_t columns = 10) {
    std::string text(static_cast<std::size_t>(gpumex::print(ctx, array, format, columns, none)), '\0');
    gpumex::print(ctx, array, format, columns, text);
    text.pop_back(); // the NUL
    return text;
}

/// Hands the text to a callable (std::string_view), row by row. It returns nothing, or bool: false to stop, which
/// throws status::cancelled; an exception stops too, and is thrown again. It must not use the context.
template <class R, class F>
void print_to(context_ref ctx, const R &array, F &&write,
              const char *format = detail::format_of<detail::element<const R>>, std::size_t columns = 10) {
    using type = detail::element<const R>;
    using callable = std::remove_reference_t<F>;
    void *const user = const_cast<void *>(static_cast<const volatile void *>(std::addressof(write)));
    detail::check(gpumex_print_to(ctx.get(), detail::key_dtype<type>(), detail::in(array), detail::count(array), format,
                                  columns, detail::on_text<callable>, user));
}

} // namespace gpumex
