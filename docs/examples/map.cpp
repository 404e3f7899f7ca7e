#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<std::uint8_t> x{1, 1, 0, 0}, n{2, 4, 3, 2};
    std::vector<std::uint8_t> next(4);
    gpumex::map_options options;
    options.names = "x n";
    gpumex::map(ctx, "x & n == 2 | n == 3", next, options, x, n);
    for (int i = 0; i < 4; i++)
        std::cout << int{next[i]} << (i < 3 ? " " : "\n");
}
