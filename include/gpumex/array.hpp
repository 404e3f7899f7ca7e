/// @file
/// @brief gpumex::array, memory of a context: device, pinned or managed. See gpumex_malloc.
#pragma once

#include <gpumex/copy.hpp>
#include <gpumex/fill.hpp>
#include <gpumex/prefetch.hpp>
#include <gpumex/print.hpp>
#include <gpumex/random.hpp>

#include <string>
#include <utility>
#include <vector>

#if defined(__has_include)
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif
#endif

namespace gpumex {

/// Owns `size()` elements of one kind of memory. Movable; one that was moved from is empty.
///
/// The contents are undefined until they are written. The memory may outlive its context, whose functions then throw.
/// data() of device memory on CUDA is not for the host: copy_to() and to_vector() are.
template <class T> class array {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "gpumex: an array has elements of a trivially copyable type that is not const");

public:
    using value_type = T;

    array() noexcept : ctx_(nullptr) {}

    /// `size` elements, undefined.
    array(context_ref ctx, std::size_t size, gpumex::memory_kind kind = gpumex::memory_kind::device)
        : ctx_(ctx), size_(size), kind_(kind) {
        const std::size_t bytes = detail::product(size, sizeof(T));
        if (bytes == detail::too_many)
            detail::refuse("array", std::to_string(size) + " elements exceed the address space");
        void *memory = nullptr;
        detail::check(gpumex_malloc(ctx.get(), detail::number(kind), bytes, &memory));
        data_ = static_cast<T *>(memory);
    }

    /// A copy of a range of any memory.
    template <class R, class = std::enable_if_t<detail::is_range<const R>>>
    array(context_ref ctx, const R &range, gpumex::memory_kind kind = gpumex::memory_kind::device)
        : array(ctx, detail::count(range), kind) {
        copy_from(range);
    }

    array(array &&other) noexcept
        : ctx_(other.ctx_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          kind_(other.kind_) {}

    array &operator=(array &&other) noexcept {
        if (this != &other) {
            gpumex_free(data_);
            ctx_ = other.ctx_;
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
            kind_ = other.kind_;
        }
        return *this;
    }

    ~array() { gpumex_free(data_); }

    T *data() noexcept { return data_; }
    const T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
    bool empty() const noexcept { return size_ == 0; }
    gpumex::memory_kind kind() const noexcept { return kind_; }

    /// The context that it was made with.
    context_ref ctx() const noexcept { return ctx_; }

    /// Frees the memory now, and throws what the destructor keeps to itself.
    void free() {
        size_ = 0;
        detail::check(gpumex_free(std::exchange(data_, nullptr)));
    }

    /// Its first elements <- a range of any memory, which is not longer.
    template <class R> void copy_from(const R &range) { gpumex::copy(ctx_, range, *this); }

    /// A range of any memory, which is not shorter <- its elements.
    template <class R> void copy_to(R &&range) const { gpumex::copy(ctx_, *this, range); }

    /// Its elements on the host; those of bool as bytes.
    std::vector<detail::stored<T>> to_vector() const {
        std::vector<detail::stored<T>> copied(size_);
        detail::check(gpumex_copy(ctx_.get(), copied.data(), data_, size_bytes()));
        return copied;
    }

    /// Another array of the same elements.
    array clone() const { return array(ctx_, *this, kind_); }

    void fill(T value) { gpumex::fill(ctx_, *this, value); }
    void fill_ascending(double first = 0, double step = 1) { gpumex::fill_ascending(ctx_, *this, first, step); }
    void random(std::uint64_t seed, double lo = 0, double hi = 1) { gpumex::random(ctx_, *this, seed, lo, hi); }
    void random_normal(std::uint64_t seed, double mean = 0, double deviation = 1) {
        gpumex::random_normal(ctx_, *this, seed, mean, deviation);
    }
    void random_sorted(std::uint64_t seed, double lo = 0, double hi = 1) {
        gpumex::random_sorted(ctx_, *this, seed, lo, hi);
    }

    /// Its elements as text, `columns` in a row.
    std::string print(const char *format = detail::format_of<T>, std::size_t columns = 10) const {
        return gpumex::print(ctx_, *this, format, columns);
    }

    /// Managed memory: migrates the pages.
    void prefetch(gpumex::prefetch_target target = gpumex::prefetch_target::device) {
        gpumex::prefetch(ctx_, *this, target);
    }

private:
    context_ref ctx_;
    T *data_ = nullptr;
    std::size_t size_ = 0;
    gpumex::memory_kind kind_ = gpumex::memory_kind::device;
};

template <class R>
array(context_ref, const R &, gpumex::memory_kind = gpumex::memory_kind::device) -> array<detail::element<const R>>;

#if defined(__cpp_lib_span)
/// The elements of an array that the host may access: pinned and managed memory, and all on the CPU backend.
template <class T> std::span<T> as_span(array<T> &array) { return {array.data(), array.size()}; }
template <class T> std::span<const T> as_span(const array<T> &array) { return {array.data(), array.size()}; }
#endif

/// @cond
namespace detail {

/// What a function returns that makes its own outputs: an array where its input is one, else a std::vector.
template <class R, class T> struct made {
    using type = std::vector<stored<T>>;
    static type make(context_ref, const R &, std::size_t size) { return type(size); }
};
template <class U, class T> struct made<array<U>, T> {
    using type = array<T>;
    static type make(context_ref ctx, const array<U> &like, std::size_t size) { return type(ctx, size, like.kind()); }
};

template <class R, class T> using like = typename made<R, T>::type;

template <class T, class R> like<R, T> make_like(context_ref ctx, const R &range, std::uint64_t size) {
    return made<R, T>::make(ctx, range, static_cast<std::size_t>(size));
}

/// As many elements as another range, and a gpumex::array of the context of one.
template <class T, class R> like<R, T> make_alike(const R &range) {
    if constexpr (std::is_same_v<like<R, T>, std::vector<stored<T>>>) return like<R, T>(count(range));
    else return like<R, T>(range.ctx(), range.size(), range.kind());
}

} // namespace detail
/// @endcond

} // namespace gpumex
