#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    std::vector<std::uint8_t> board(5 * 5), next(5 * 5);
    board[11] = board[12] = board[13] = 1; // three in a row become a column
    gpumex::life(ctx, board, 5, 5, 1, next);
    for (std::size_t i = 0; i < 25; i++)
        std::cout << (next[i] ? "#" : ".") << (i % 5 == 4 ? "\n" : "");
}
