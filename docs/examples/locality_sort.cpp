#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> keys{2, 1, 3, 5, 4, 6, 8, 7}; // no key is far from its place
    for (int key : gpumex::locality_sort(ctx, keys)) std::cout << key << " ";
    std::cout << "\n";
}
