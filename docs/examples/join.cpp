#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> a{1, 2, 3}, b{2, 3, 3, 9}; // both sorted
    const auto rows = gpumex::join(ctx, a, b);
    for (std::size_t k = 0; k < rows.a.size(); k++)
        std::cout << "row " << rows.a[k] << " of a, row " << rows.b[k] << " of b\n";
}
