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

template <class Board, class Next>
void require_boards(const Board &board, std::size_t rows, std::size_t cols, const Next &next) {
    const std::size_t size = board_size<element<const Board>>(rows, cols);
    require_equal("life", "board", count(board), size);
    require_room("life", "next", count(next), size);
}

template <class T> gpumex_life_options in_c(const life_options &options) {
    gpumex_life_options c = GPUMEX_LIFE_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.boundary = number(options.boundary);
    c.cells = number(cells_of<T>());
    c.rule = options.rule;
    return c;
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
    detail::require_boards(board, rows, cols, next);
    const gpumex_life_options c = detail::in_c<type>(options);
    detail::check(gpumex_life(ctx.get(), &c, detail::in(board), rows, cols, generations, detail::out(next)));
}

} // namespace gpumex
