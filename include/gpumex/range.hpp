/// @file
/// @brief Arrays of the caller: anything with data() and size(), gpumex::view for pointers, gpumex::none for no array.
#pragma once

#include <gpumex/dtype.hpp>

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace gpumex {

/// Stands for an array that is left out, where the C function takes NULL.
struct none_t {
    static constexpr void *data() noexcept { return nullptr; }
    static constexpr std::size_t size() noexcept { return 0; }
};

/// As gpumex::sort(ctx, keys, gpumex::none, gpumex::none, positions).
inline constexpr none_t none{};

/// @cond
namespace detail {

template <class R, class = void> inline constexpr bool is_range = false;
template <class R>
inline constexpr bool is_range<R, std::void_t<decltype(std::data(std::declval<R &>())),
                                              decltype(std::size(std::declval<R &>()))>> = true;

template <class R, bool = is_range<R>> struct element_of {
    static_assert(never<R>, "gpumex: an array is anything with data() and size() - std::array, std::vector (but of bool), "
                            "std::span, gpumex::array, gpumex::view{pointer, count} - or gpumex::none");
    using pointed = char;
};
template <class R> struct element_of<R, true> {
    using pointed = std::remove_pointer_t<decltype(std::data(std::declval<R &>()))>;
};

/// The element of a range as it is to be read: int for const std::vector<int>.
template <class R> using element = std::remove_cv_t<typename element_of<std::remove_reference_t<R>>::pointed>;

/// The address of an input.
template <class R> const void *in(const R &range) {
    return std::data(range);
}

/// The address of an output.
template <class R> void *out(R &range) {
    using pointed = typename element_of<R>::pointed;
    static_assert(!std::is_const_v<pointed>, "gpumex: an output cannot be written; its elements are const");
    return std::data(range);
}

template <class R> std::size_t count(const R &range) { return static_cast<std::size_t>(std::size(range)); }

template <class R> inline constexpr bool is_none = std::is_same_v<std::remove_cv_t<std::remove_reference_t<R>>, none_t>;

/// A parameter that is not deduced: it takes {.field = value} and conversions.
template <class T> struct identity {
    using type = T;
};
template <class T> using as_is = typename identity<T>::type;

} // namespace detail
/// @endcond

/// A pointer and a number of elements, of memory of any kind. It owns nothing.
template <class T> class view {
public:
    using value_type = std::remove_cv_t<T>;

    constexpr view() noexcept = default;
    constexpr view(T *pointer, std::size_t count) noexcept : pointer_(pointer), count_(count) {}

    /// Of any range of T, which has to outlive the view.
    template <class R, class Pointed = typename detail::element_of<std::remove_reference_t<R>>::pointed,
              class = std::enable_if_t<std::is_convertible_v<Pointed (*)[], T (*)[]> &&
                                       !std::is_same_v<std::remove_cv_t<std::remove_reference_t<R>>, view>>>
    constexpr view(R &&range) : pointer_(std::data(range)), count_(static_cast<std::size_t>(std::size(range))) {}

    constexpr T *data() const noexcept { return pointer_; }
    constexpr std::size_t size() const noexcept { return count_; }
    constexpr bool empty() const noexcept { return count_ == 0; }

private:
    T *pointer_ = nullptr;
    std::size_t count_ = 0;
};

template <class T> view(T *, std::size_t) -> view<T>;
template <class R> view(R &&) -> view<typename detail::element_of<std::remove_reference_t<R>>::pointed>;

/// Elements `offset` to `offset + count - 1` of a range of any memory. The caller keeps it within the range.
template <class R> constexpr auto slice(R &&range, std::size_t offset, std::size_t count) {
    return view(std::data(range) + offset, count);
}

/// The first `count` elements of a range.
template <class R> constexpr auto first(R &&range, std::size_t count) { return view(std::data(range), count); }

} // namespace gpumex
