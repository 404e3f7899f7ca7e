// life.cpp - Conway's Life on a board that stays on the device, with a bit for each cell.
//
// Build:  make examples
//    or:  g++ -std=c++20 -O2 cpp_examples/life.cpp -o life -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
// Run:    life [GENERATIONS]                                                                  (40)
//
// Prints a glider after so many generations on a torus as a pattern file. Exits with 1 when it is not where a glider is.
//
//     x = 64, y = 64, rule = B3/S23:T64,64
//     10$11bo$12bo$10b3o!
#include <gpumex.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char **argv) try {
    const std::size_t side = 64;
    const unsigned generations = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 40;
    std::vector<std::uint64_t> start(side); // a row is one word of 64 cells
    gpumex::pattern_read("x = 3, y = 3\nbo$2bo$3o!", 0, 0, start, side, side);

    const gpumex::context ctx;
    gpumex::array board(ctx, start);
    for (unsigned g = 0; g < generations; g++)
        gpumex::life(ctx, board, side, side, 1, board, {.boundary = gpumex::life_boundary::torus});

    gpumex::pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    info.boundary = GPUMEX_LIFE_BOUNDARY_TORUS;
    const std::string text = gpumex::pattern_write(board.to_vector(), side, side, info);
    std::printf("%s", text.c_str());

    // A glider moves one row down and one column to the right in four generations.
    if (generations % 4 != 0 || generations / 4 > side - 3) return 0;
    std::vector<std::uint64_t> want(side);
    gpumex::pattern_read("x = 3, y = 3\nbo$2bo$3o!", generations / 4, generations / 4, want, side, side);
    return board.to_vector() == want ? 0 : 1;
} catch (const gpumex::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
