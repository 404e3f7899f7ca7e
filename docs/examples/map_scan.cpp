#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> x{1, -2, 3, 4, -6, 5}; // two rows of 3
    const std::vector<float> y{2, 1, 1, 1, 1, 2};
    std::vector<float> sums(6), peaks(6);
    gpumex::map_scan_options options;
    options.kind = gpumex::scan_kind::inclusive;
    gpumex::map_scan(ctx, "a * b", {3, 2}, sums, options, x, y);
    options.op = gpumex::dim_reduction::max; // along each row
    options.dimension = 1;
    gpumex::map_scan(ctx, "abs (a)", {3, 2}, peaks, options, x);
    for (float sum : sums) std::cout << sum << " ";
    std::cout << "\n";
    for (float peak : peaks) std::cout << peak << " ";
    std::cout << "\n";
}
