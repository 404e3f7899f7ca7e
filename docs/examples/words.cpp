#include <gpumex.hpp>

#include <iostream>
#include <string>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::string text = "to be, or not to be: that is the question";
    const auto found = gpumex::words(ctx, text, 2);
    for (std::size_t i = 0; i < 2; i++)
        std::cout << found.counts[i] << " "
                  << text.substr(found.positions[i], found.lengths[i]) << "\n";
    std::cout << found.summary.words << " words, " << found.summary.distinct
              << " distinct\n";
}
