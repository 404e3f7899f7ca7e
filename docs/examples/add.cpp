#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> x{1, 2, 3};
    std::vector<float> y{10, 20, 30};
    gpumex::add(ctx, x, y);
    std::cout << y[0] << " " << y[1] << " " << y[2] << "\n";
}
