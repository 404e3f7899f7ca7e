/// @file
/// @brief Cellular automata. See gpumex_life.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_life_options; the cells are bits where the elements of the board are uint64_t.
struct life_options {
    gpumex::life_variant variant = gpumex::life_variant::auto_;
    gpumex::life_boundary boundary = gpumex::life_boundary::clamp;
    const char *rule = nullptr; ///< Such as "B36/S23"; NULL: Conway's, "B3/S23".
};

/// @cond
namespace detail {

template <class T> constexpr gpumex::life_cells cells_of() {
    static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 1 || are_alike<T, std::uint64_t>),
                  "gpumex: the cells of a board are bytes, or bits in words of uint64_t");
    return sizeof(T) == 1 ? gpumex::life_cells::bytes : gpumex::life_cells::bits;
}

/// Elements of a board.
template <class T> constexpr std::size_t board_size(std::size_t rows, std::size_t cols) {
    return product(rows, cells_of<T>() == gpumex::life_cells::bytes ? cols : cols / 64 + (cols % 64 != 0));
}

} // namespace detail
/// @endcond

/// next <- board after `generations` steps. Both are rows*cols bytes, or rows*ceil(cols/64) words of uint64_t with a bit
/// for each cell, row-major; next may be board.
template <class Board, class Next>
void life(context_ref ctx, const Board &board, std::size_t rows, std::size_t cols, std::uint64_t generations,
          Next &&next, const life_options &options = {}) {
    using type = detail::element<const Board>;
    static_assert(sizeof(type) == sizeof(detail::element<Next>), "gpumex: two boards of a call have the same cells");
    const std::size_t size = detail::board_size<type>(rows, cols);
    detail::require_equal("life", "board", detail::count(board), size);
    detail::require_room("life", "next", detail::count(next), size);
    gpumex_life_options c = GPUMEX_LIFE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.boundary = detail::number(options.boundary);
    c.cells = detail::number(detail::cells_of<type>());
    c.rule = options.rule;
    detail::check(gpumex_life(ctx.get(), &c, detail::in(board), rows, cols, generations, detail::out(next)));
}

} // namespace gpumex
