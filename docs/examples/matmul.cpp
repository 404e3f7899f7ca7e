#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{1, 0, 0, 1, 1, 1};
    std::vector<float> c(2 * 2); // row-major
    gpumex::matmul(ctx, 2, 2, 3, a, b, c);
    std::cout << c[0] << " " << c[1] << "\n" << c[2] << " " << c[3] << "\n";
}
