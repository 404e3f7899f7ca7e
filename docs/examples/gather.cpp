#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> source{10, 11, 12, 13};
    const std::vector<std::uint32_t> indices{3, 0, 0, 9}; // 9 is out of range: zero
    std::vector<float> result(4);
    gpumex::gather(ctx, source, indices, result);
    for (float x : result) std::cout << x << " ";
    std::cout << "\n";
}
