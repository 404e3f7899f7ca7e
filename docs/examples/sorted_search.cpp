#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<int> needles{5, 20, 31}, haystack{10, 20, 20, 30};
    std::vector<std::uint32_t> places(3);
    gpumex::sorted_search(ctx, needles, haystack, places);
    for (std::size_t i = 0; i < 3; i++)
        std::cout << needles[i] << ": " << places[i] << " are less\n";
}
