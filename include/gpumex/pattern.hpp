/// @file
/// @brief Pattern files of Life. See gpumex_pattern_inspect.
#pragma once

#include <gpumex/life.hpp>

#include <string>
#include <string_view>

namespace gpumex {

/// As gpumex_pattern_info: format, boundary, rows, cols, rule and name of a pattern.
using pattern_info = gpumex_pattern_info;

/// Reads the header of a pattern file, RLE or Life 1.06, and checks the whole text.
inline pattern_info pattern_inspect(std::string_view text) {
    pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    detail::check(gpumex_pattern_inspect(text.data(), text.size(), &info));
    return info;
}

/// board <- the pattern with its upper left cell at (row, col), dead cells elsewhere: rows*cols cells as of
/// gpumex::life, in host memory.
template <class Board>
void pattern_read(std::string_view text, std::size_t row, std::size_t col, Board &&board, std::size_t rows,
                  std::size_t cols) {
    using type = detail::element<Board>;
    detail::require_room("pattern_read", "board", detail::count(board), detail::board_size<type>(rows, cols));
    detail::check(gpumex_pattern_read(text.data(), text.size(), detail::number(detail::cells_of<type>()), row, col,
                                      detail::out(board), rows, cols));
}

/// text, a range of char, <- the pattern and a NUL as far as there is room; the bytes of all of it, with the NUL.
/// gpumex::none asks for the size only.
template <class Board, class Text>
std::uint64_t pattern_write(const pattern_info &info, const Board &board, std::size_t rows, std::size_t cols,
                            Text &&text) {
    using type = detail::element<const Board>;
    detail::require_alike<detail::element<Text>, char>();
    detail::require_equal("pattern_write", "board", detail::count(board), detail::board_size<type>(rows, cols));
    std::uint64_t needed = 0;
    detail::check(gpumex_pattern_write(&info, detail::number(detail::cells_of<type>()), detail::in(board), rows, cols,
                                       static_cast<char *>(detail::out(text)), detail::count(text), &needed));
    return needed;
}

/// The text of a pattern file; info states format, rule, boundary, name, row and col.
template <class Board>
std::string pattern_write(const Board &board, std::size_t rows, std::size_t cols,
                          const pattern_info &info = GPUMEX_PATTERN_INFO_INIT) {
    std::string text(static_cast<std::size_t>(gpumex::pattern_write(info, board, rows, cols, none)), '\0');
    gpumex::pattern_write(info, board, rows, cols, text);
    text.pop_back(); // the NUL
    return text;
}

} // namespace gpumex
