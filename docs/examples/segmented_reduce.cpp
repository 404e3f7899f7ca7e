#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> data{1, 2, 3, 4, 5, 6};
    // segments of 3, 0, 1 and 2 elements
    const std::vector<std::uint32_t> offsets{0, 3, 3, 4, 6};
    std::vector<float> sums(4);
    gpumex::segmented_reduce(ctx, data, offsets, sums);
    for (float sum : sums) std::cout << sum << " ";
    std::cout << "\n";
}
