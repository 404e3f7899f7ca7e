#include <gpumex.hpp>

#include <iomanip>
#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    // 1.5 lies outside
    const std::vector<double> samples{0.1, 0.7, 0.2, 0.9, 0.15, 1.5};
    std::vector<std::uint64_t> counts(4);
    gpumex::histogram_options options;
    options.hi = 1;
    gpumex::histogram(ctx, samples, counts, options);
    std::cout << std::fixed << std::setprecision(2);
    for (std::size_t k = 0; k < 4; k++)
        std::cout << "from " << static_cast<double>(k) / 4 << ": " << counts[k] << "\n";
}
