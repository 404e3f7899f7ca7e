#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> plate{0, 0, 0, 0, 16, 0, 0, 0, 0}; // 3 × 3
    std::vector<float> next(9);
    gpumex::stencil_options options;
    options.boundary = gpumex::boundary::dead;
    gpumex::stencil(ctx, "a + 0.125 * (a(-1,0) + a(1,0) + a(0,-1) + a(0,1) - 4*a)",
                    3, 3, next, options, plate);
    std::cout << next[3] << " " << next[4] << " " << next[5] << "\n";
}
