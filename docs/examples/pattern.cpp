#include <gpumex.hpp>

#include <iostream>
#include <string>
#include <vector>

int main() {
    const std::string text = "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!"; // a glider
    const auto info = gpumex::pattern_inspect(text);
    std::vector<std::uint8_t> board(3 * 3);
    gpumex::pattern_read(text, 0, 0, board, 3, 3);
    for (std::size_t i = 0; i < 9; i++)
        std::cout << (board[i] ? "#" : ".") << (i % 3 == 2 ? "\n" : "");
    std::cout << info.population << " cells alive\n";
}
