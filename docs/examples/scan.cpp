#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> data{3, 1, 4, 1, 5};
    std::vector<int> before(5);
    int total;
    gpumex::scan(ctx, data, before, &total);
    for (int x : before) std::cout << x << " ";
    std::cout << "total " << total << "\n";
}
