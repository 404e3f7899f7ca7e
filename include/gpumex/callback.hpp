/// @file
/// @brief Calls of callables of C++ from the library. An exception ends the call, and is thrown again after it.
#pragma once

#include <gpumex/error.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

/// @cond
namespace gpumex::detail {

/// Calls a callable that returns nothing or whether to go on; 0 to go on.
template <class F, class... Arguments> std::int32_t call_back(F &callable, Arguments... arguments) noexcept {
    using result = std::invoke_result_t<F &, Arguments...>;
    static_assert(std::is_void_v<result> || std::is_same_v<result, bool>,
                  "gpumex: a callback returns nothing, or bool: true to go on, false to cancel");
    try {
        if constexpr (std::is_void_v<result>) {
            callable(arguments...);
            return 0;
        } else {
            return callable(arguments...) ? 0 : 1;
        }
    } catch (...) {
        keep_exception();
        return 1;
    }
}

template <class F> std::int32_t on_progress(void *user, std::uint64_t done, std::uint64_t total) noexcept {
    return call_back(*static_cast<F *>(user), done, total);
}

template <class F> std::int32_t on_text(void *user, const char *text, std::size_t length) noexcept {
    return call_back(*static_cast<F *>(user), std::string_view(text, length));
}

} // namespace gpumex::detail
/// @endcond
