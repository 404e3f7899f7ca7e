#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    // 2 rows and 3 columns; A(:, p) with p counted from 1
    const std::vector<float> a{1, 2, 3, 4, 5, 6};
    const std::vector<double> p{3, 1, 1, 2};
    std::vector<float> result(8);
    gpumex::gather_nd(ctx, a, {2, gpumex::selection::at(3, p, -1)}, result);
    for (float x : result) std::cout << x << " ";
    std::cout << "\n";
}
