#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> data{8, 1, 6, 3, 5};
    const std::vector<std::uint8_t> flags{1, 0, 1, 0, 1};
    for (float x : gpumex::compact(ctx, data, flags)) std::cout << x << " ";
    std::cout << "\n";
}
