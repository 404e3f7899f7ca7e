#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> a{1, 3, 5}, b{2, 3};
    std::vector<float> keys(5);
    std::vector<std::uint32_t> from(5); // i for a[i], 3 + j for b[j]
    gpumex::merge(ctx, a, gpumex::none, b, gpumex::none, keys, from);
    for (std::size_t i = 0; i < 5; i++)
        std::cout << keys[i] << " (" << from[i] << ")\n";
}
