// histogram.cpp - a histogram of normally distributed numbers, drawn in the terminal.
//
// Build:  make examples
//    or:  g++ -std=c++20 -O2 cpp_examples/histogram.cpp -o histogram -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
// Run:    histogram
//
// Prints a line for each bin, and exits with 1 when numbers are missing:
//
//      -0.50  #############################################
//       0.00  #############################################
#include <gpumex.hpp>

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

int main() try {
    const std::size_t count = 1 << 20;
    const gpumex::context ctx;
    gpumex::array<float> sum(ctx, count), uniform(ctx, count);
    sum.fill(0);
    for (std::uint64_t seed = 1; seed <= 12; seed++) { // twelve uniform numbers add up to a nearly normal one
        uniform.random(seed, -0.5, 0.5);
        gpumex::add(ctx, uniform, sum);
    }

    std::vector<std::uint64_t> counts(16);
    const auto outliers = gpumex::histogram_outliers::clamp; // beyond four standard deviations
    gpumex::histogram(ctx, sum, counts, {.lo = -4, .hi = 4, .outliers = outliers});
    for (std::size_t i = 0; i < counts.size(); i++)
        std::printf("%6.2f  %s\n", -4 + 0.5 * static_cast<double>(i), std::string(counts[i] * 240 / count, '#').c_str());

    const std::vector<float> host = sum.to_vector();
    std::uint64_t negative = 0; // the lower half of the bins
    for (const float number : host) negative += number < 0;
    const auto half = counts.begin() + 8;
    const bool is_right = std::accumulate(counts.begin(), half, std::uint64_t{0}) == negative &&
                          std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == count;
    return is_right ? 0 : 1;
} catch (const gpumex::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
