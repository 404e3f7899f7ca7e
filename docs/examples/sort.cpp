#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> keys{5, 1, 3, 1, 9, 7};
    std::vector<float> sorted(6);
    std::vector<std::uint32_t> from(6);
    gpumex::sort(ctx, keys, gpumex::none, sorted, from);
    for (std::size_t i = 0; i < 6; i++)
        std::cout << sorted[i] << " came from " << from[i] << "\n";
}
