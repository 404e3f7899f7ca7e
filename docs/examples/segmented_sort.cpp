#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> keys{9, 7, 8, 3, 2, 1, 6, 5, 4};
    const std::vector<std::uint32_t> starts{0, 3, 6}; // three segments of three keys
    std::vector<int> sorted(9);
    gpumex::segmented_sort_keys(ctx, keys, starts, sorted);
    for (std::size_t i = 0; i < 9; i++)
        std::cout << sorted[i] << (i % 3 == 2 ? "\n" : " ");
}
