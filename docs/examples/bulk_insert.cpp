#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> a{0, 1, 2, 3, 4}, b{100, 200, 300};
    // a[i] goes before b[indices[i]]
    const std::vector<std::uint32_t> indices{1, 1, 2, 3, 3};
    std::vector<int> result(8);
    gpumex::bulk_insert(ctx, a, indices, b, result);
    for (int x : result) std::cout << x << " ";
    std::cout << "\n";
}
