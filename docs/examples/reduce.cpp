#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<double> data{3, 1, 4, 1, 5, 9, 2, 6};
    gpumex::reduce_options max;
    max.op = gpumex::binary_operator::max;
    std::cout << "sum " << gpumex::reduce(ctx, data) << ", max "
              << gpumex::reduce(ctx, data, max) << "\n";
}
