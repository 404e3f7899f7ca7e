#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<double> x{1, 2, 3};
    std::vector<double> y{10, 20, 30};
    gpumex::axpy(ctx, 2, x, 1, y);
    std::cout << y[0] << " " << y[1] << " " << y[2] << "\n";
}
