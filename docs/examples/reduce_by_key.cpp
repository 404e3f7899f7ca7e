#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> keys{1, 1, 4, 4, 4, 9};
    const std::vector<double> data{10, 20, 1, 2, 3, 7};
    const auto sums = gpumex::reduce_by_key(ctx, keys, data);
    for (std::size_t r = 0; r < sums.keys.size(); r++)
        std::cout << "key " << sums.keys[r] << ": " << sums.results[r] << "\n";
}
