#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> x{1, 2, 3, 4, 5, 6}, y{2}; // x: two rows of 3
    std::vector<float> sum(1), largest(2);
    gpumex::map_reduce_options options;
    gpumex::map_reduce(ctx, "(a - b) ^ 2", {3, 2}, sum, options, x, y);
    options.op = gpumex::dim_reduction::max; // of each row
    options.dimension = 1;
    gpumex::map_reduce(ctx, "abs (a - 2 * b)", {3, 2}, largest, options, x, y);
    std::cout << sum[0] << "; " << largest[0] << " " << largest[1] << "\n";
}
