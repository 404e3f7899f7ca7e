#include <gpumex.hpp>

#include <cstdint>
#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<std::uint8_t> a{1, 2, 3, 4, 255, 6, 7, 8, 9}; // 3 × 3
    std::vector<std::uint8_t> clean(9);
    gpumex::median_filter(ctx, a, 3, 3, 3, 3, clean);
    for (int x : clean) std::cout << x << " ";
    std::cout << "\n";
}
