#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> x{1, 5, 3, 4, 2, 6}; // two rows of three
    std::vector<int> sums(6);
    gpumex::scan_dim_options options;
    options.kind = gpumex::scan_kind::inclusive;
    gpumex::scan_dim(ctx, x, {1, 3, 2}, sums, options);
    for (int i = 0; i < 6; i++)
        std::cout << sums[i] << (i % 3 < 2 ? " " : "\n");
}
