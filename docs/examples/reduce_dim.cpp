#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> x{1, 5, 3, 4, 2, 6}; // two rows of three
    std::vector<float> sums(3), maxima(2);
    std::vector<std::uint32_t> at(2);
    gpumex::reduce_dim(ctx, x, {3, 2, 1}, sums); // of each column
    gpumex::reduce_dim_options options;
    options.op = gpumex::dim_reduction::max;
    gpumex::reduce_dim(ctx, x, {1, 3, 2}, maxima, at, options);
    std::cout << sums[0] << " " << sums[1] << " " << sums[2] << "\n"
              << maxima[0] << " at " << at[0] << ", "
              << maxima[1] << " at " << at[1] << "\n";
}
