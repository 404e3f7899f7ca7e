#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> values{7, 8, 9};
    const std::vector<std::uint32_t> scan{0, 2, 2}; // lengths 2, 0 and 3
    std::vector<int> output(5);
    gpumex::interval_expand(ctx, scan, values, output);
    for (int x : output) std::cout << x << " ";
    std::cout << "\n";
}
