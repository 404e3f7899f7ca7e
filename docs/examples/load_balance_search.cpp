#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    // objects of 2, 5, 3, 0 and 1 items
    const std::vector<std::uint32_t> scan{0, 2, 7, 10, 10};
    std::vector<std::uint32_t> owners(11);
    gpumex::load_balance_search(ctx, scan, owners);
    for (auto owner : owners) std::cout << owner << " ";
    std::cout << "\n";
}
