#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> input{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    // 3 elements from 7 on, 2 from 2 on
    const std::vector<std::uint32_t> from{7, 2}, scan{0, 3};
    std::vector<int> output(5);
    gpumex::interval_move(ctx, 5, from, gpumex::none, scan, input, output);
    for (int x : output) std::cout << x << " ";
    std::cout << "\n";
}
