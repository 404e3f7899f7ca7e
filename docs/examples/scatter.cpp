#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> source{7, 8};
    const std::vector<std::uint32_t> indices{4, 1};
    std::vector<float> target(5);
    gpumex::scatter(ctx, source, indices, target);
    for (float x : target) std::cout << x << " ";
    std::cout << "\n";
}
