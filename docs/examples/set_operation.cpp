#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> a{1, 2, 4, 7}, b{2, 4, 5}; // both sorted
    gpumex::set_operation_options options;
    options.op = gpumex::set_operator::union_;
    for (int key : gpumex::set_operation(ctx, a, b, options)) std::cout << key << " ";
    std::cout << "\n";
}
