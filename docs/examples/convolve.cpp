#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> a{1, 2, 3, 4, 5, 6, 7, 8, 9}; // 3 × 3
    const std::vector<float> sobel{1, 0, -1, 2, 0, -2, 1, 0, -1};
    std::vector<float> edges(9);
    gpumex::convolve_options options;
    options.boundary = gpumex::boundary::dead;
    gpumex::convolve(ctx, a, 3, 3, sobel, 3, 3, edges, options);
    for (float x : edges) std::cout << x << " ";
    std::cout << "\n";
}
