// check.hpp - what the C++ programs of this folder share: a check that names its line, and what is thrown.
#ifndef GPUMEX_TESTS_CPP_CHECK_HPP
#define GPUMEX_TESTS_CPP_CHECK_HPP

#include <gpumex.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

/* The condition holds, or the program ends with 1 and says where. */
#define EXPECT(...)                                                                       \
    do {                                                                                  \
        if (!(__VA_ARGS__)) {                                                             \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            std::exit(1);                                                                 \
        }                                                                                 \
    } while (0)

/* The call throws gpumex::error with this status and a sentence that has these words. */
#define THROWS(wanted, words, ...)                                                                           \
    do {                                                                                                     \
        bool has_thrown_it = false;                                                                          \
        try {                                                                                                \
            __VA_ARGS__;                                                                                     \
        } catch (const gpumex::error &thrown) {                                                              \
            has_thrown_it = true;                                                                            \
            if (thrown.code() != gpumex::status::wanted || std::strstr(thrown.what(), words) == nullptr) {   \
                std::fprintf(stderr, "%s:%d: throws %s: %s\n", __FILE__, __LINE__,                           \
                             gpumex::status_string(thrown.code()), thrown.what());                           \
                std::exit(1);                                                                                \
            }                                                                                                \
        }                                                                                                    \
        EXPECT(has_thrown_it && #__VA_ARGS__);                                                               \
    } while (0)

/* What a range of any memory holds. */
template <class R> auto on_host(gpumex::context_ref ctx, const R &range) {
    using type = gpumex::detail::stored<gpumex::detail::element<const R>>;
    std::vector<type> copied(gpumex::detail::count(range));
    const std::size_t bytes = copied.size() * sizeof(type);
    if (gpumex_copy(ctx.get(), copied.data(), gpumex::detail::in(range), bytes) != 0) std::abort();
    return copied;
}

template <class T> using list = std::vector<T>;
using u32s = list<std::uint32_t>;
using u64s = list<std::uint64_t>;
using floats = list<float>;
using ints = list<std::int32_t>;

#endif
