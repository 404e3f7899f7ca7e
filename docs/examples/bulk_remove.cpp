#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> source{10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    const std::vector<std::uint32_t> indices{1, 3, 4, 5, 7, 8};
    std::vector<int> result(4);
    gpumex::bulk_remove(ctx, source, indices, result);
    for (int x : result) std::cout << x << " ";
    std::cout << "\n";
}
