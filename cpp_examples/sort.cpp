// sort.cpp - a table sorted by one of its columns: vectors go in, vectors come out.
//
// Build:  make examples
//    or:  g++ -std=c++20 -O2 cpp_examples/sort.cpp -o sort -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
// Run:    sort
//
// Prints the cities by population, and exits with 1 when their order is wrong:
//
//     Tokyo        37.4 million
//     Delhi        28.5 million
#include <gpumex.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main() try {
    const std::vector<std::string> cities = {"Cairo", "Delhi", "Osaka", "Shanghai", "Tokyo"};
    const std::vector<float> millions = {20.1f, 28.5f, 19.3f, 25.6f, 37.4f};
    const gpumex::context ctx;

    // The positions of the keys in sorted order: any column of the table follows them.
    const auto order = gpumex::sort_indices(ctx, millions, {.order = gpumex::sort_order::descending});
    for (const auto i : order) std::printf("%-10s %6.1f million\n", cities[i].c_str(), millions[i]);

    // Keys with values of 4 or 8 bytes, which move along.
    const std::vector<std::uint32_t> founded = {969, 1052, 645, 1291, 1457};
    const auto by_year = gpumex::sort(ctx, founded, millions);
    std::printf("founded first: %u, %.1f million\n", by_year.keys[0], by_year.values[0]);

    const bool is_right = order == std::vector<std::uint64_t>{4, 1, 3, 0, 2} && by_year.values[0] == 19.3f;
    return is_right ? 0 : 1;
} catch (const gpumex::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
