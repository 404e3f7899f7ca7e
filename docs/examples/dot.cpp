#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> x{1, 2, 3}, y{4, 5, 6};
    std::cout << gpumex::dot(ctx, x, y) << "\n";
}
