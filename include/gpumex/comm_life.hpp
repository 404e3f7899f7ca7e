/// @file
/// @brief Cellular automata on several ranks. See gpumex_comm_life.
#pragma once

#include <gpumex/comm.hpp>
#include <gpumex/life.hpp>

namespace gpumex {

/// next <- the rows of this rank after `generations` steps of the board that the rows of all ranks are, those of rank 0 on
/// top. Both are rows*cols cells as of life on one rank; next may be board.
template <class Board, class Next>
void life(comm_ref comm, const Board &board, std::size_t rows, std::size_t cols, std::uint64_t generations, Next &&next,
          const life_options &options = {}) {
    using type = detail::element<const Board>;
    static_assert(sizeof(type) == sizeof(detail::element<Next>), "gpumex: two boards of a call have the same cells");
    detail::collective(
        detail::in_c<type>(options), [&] { detail::require_boards(board, rows, cols, next); },
        [&](const gpumex_life_options &c) {
            return gpumex_comm_life(comm.get(), &c, detail::in(board), rows, cols, generations, detail::out(next));
        });
}

} // namespace gpumex
