#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> a{1, 2, 4}, b{2, 2, 3, 4};
    std::vector<std::uint32_t> counts(3), lower(3);
    gpumex::sorted_equality_count(ctx, a, b, counts, lower);
    for (std::size_t i = 0; i < 3; i++)
        std::cout << a[i] << ": " << counts[i] << " times, from "
                  << lower[i] << " on\n";
}
