#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    using gpumex::selection;
    const gpumex::context ctx; // CUDA where it works, else the CPU
    std::vector<float> a(9), seven{7}; // 3 rows and 3 columns; A(2, 1:2:3) = 7
    gpumex::scatter_nd(ctx, seven,
                       {selection::range(3, 1, 1), selection::range(3, 0, 2, 2)}, a);
    for (float x : a) std::cout << x << " ";
    std::cout << "\n";
}
