#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    std::vector<double> x{3, 4};
    gpumex::scale_options options;
    options.factor = gpumex::scale_factor::reciprocal_root;
    gpumex::scale(ctx, 25, x, options); // 25 = |x|^2, as gpumex::dot gives it
    std::cout << x[0] << " " << x[1] << "\n";
}
