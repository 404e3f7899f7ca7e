#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<double> values{4, 1, 2, 3}; // rows (4 0 1), (0 0 0), (0 2 3)
    const std::vector<std::uint32_t> columns{0, 2, 1, 2}, offsets{0, 2, 2, 4};
    const std::vector<double> x{1, 10, 100};
    std::vector<double> y(3);
    gpumex::spmv(ctx, values, columns, offsets, x, y);
    for (double element : y) std::cout << element << " ";
    std::cout << "\n";
}
