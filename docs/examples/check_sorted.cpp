#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> keys{1, 2, 5, 4, 6};
    std::cout << "the key at " << gpumex::check_sorted(ctx, keys)
              << " is out of order\n";
}
