#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> a{1, 2, 3, 4, 5, 6}; // 2 rows and 3 columns
    std::vector<float> transposed(6);
    gpumex::permute(ctx, a, {2, 3}, {1, 0}, transposed);
    for (float x : transposed) std::cout << x << " ";
    std::cout << "\n";
}
