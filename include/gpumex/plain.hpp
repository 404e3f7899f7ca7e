/// @file
/// @brief The five functions without a context, which run on the default one.
#pragma once

#include <gpumex/error.hpp>
#include <gpumex/range.hpp>

#ifdef GPUMEX_PLAIN_NAMES
namespace gpumex::plain {

/// next <- board after `generations` of Conway's Life, edges clamped, in tiles of shared memory: rows*cols bytes each.
template <class Board, class Next>
void life_shmem(const Board &board, std::size_t rows, std::size_t cols, std::size_t generations, Next &&next) {
    static_assert(sizeof(detail::element<const Board>) == 1 && sizeof(detail::element<Next>) == 1,
                  "gpumex: the cells are bytes");
    detail::require_equal("plain::life_shmem", "board", detail::count(board), detail::product(rows, cols));
    detail::require_room("plain::life_shmem", "next", detail::count(next), detail::product(rows, cols));
    detail::check(::life_shmem(static_cast<const std::uint8_t *>(detail::in(board)), rows, cols, generations,
                               static_cast<std::uint8_t *>(detail::out(next))));
}

/// The same through texture objects.
template <class Board, class Next>
void life_texture(const Board &board, std::size_t rows, std::size_t cols, std::size_t generations, Next &&next) {
    static_assert(sizeof(detail::element<const Board>) == 1 && sizeof(detail::element<Next>) == 1,
                  "gpumex: the cells are bytes");
    detail::require_equal("plain::life_texture", "board", detail::count(board), detail::product(rows, cols));
    detail::require_room("plain::life_texture", "next", detail::count(next), detail::product(rows, cols));
    detail::check(::life_texture(static_cast<const std::uint8_t *>(detail::in(board)), rows, cols, generations,
                                 static_cast<std::uint8_t *>(detail::out(next))));
}

/// c <- a*b: a is m*k, b k*n, c m*n floats, row-major.
inline void matmul(std::size_t m, std::size_t n, std::size_t k, view<const float> a, view<const float> b,
                   view<float> c) {
    detail::require_equal("plain::matmul", "a", a.size(), detail::product(m, k));
    detail::require_equal("plain::matmul", "b", b.size(), detail::product(k, n));
    detail::require_room("plain::matmul", "c", c.size(), detail::product(m, n));
    detail::check(::matmul(m, n, k, a.data(), b.data(), c.data()));
}

/// How many of the bytes of `data` have each of the 256 values.
template <class Data> std::array<std::uint64_t, 256> histogram(const Data &data) {
    static_assert(sizeof(detail::element<const Data>) == 1, "gpumex: the data are bytes");
    std::array<std::uint64_t, 256> counts;
    detail::check(
        ::histogram(static_cast<const std::uint8_t *>(detail::in(data)), detail::count(data), counts.data()));
    return counts;
}

/// rgba <- the image of spheres of 7 floats each; height*width*4 bytes.
inline void raytrace(view<const float> spheres, std::size_t width, std::size_t height, view<std::uint8_t> rgba) {
    if (spheres.size() % 7 != 0) detail::refuse("plain::raytrace", "spheres are 7 floats each");
    detail::require_room("plain::raytrace", "rgba", rgba.size(), detail::product(detail::product(width, height), 4));
    detail::check(::raytrace(spheres.data(), spheres.size() / 7, width, height, rgba.data()));
}

} // namespace gpumex::plain
#endif
