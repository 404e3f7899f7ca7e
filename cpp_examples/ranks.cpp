// ranks.cpp - numbers in parts on several ranks, here threads of this program: sorted, and their mean.
//
// Build:  make examples
//    or:  g++ -std=c++20 -O2 -pthread cpp_examples/ranks.cpp -o ranks -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
// Run:    ranks [RANKS]                                                                       (one for each GPU, 2 without)
//
// Each rank has 100000 random numbers from 0 to 1. Exits with 1 when their parts are not those of one sorted array:
//
//     rank 0 of 2: 100000 numbers from 0.0000 to 0.4992
//     rank 1 of 2: 100000 numbers from 0.4992 to 1.0000
//     mean 0.4993
#include <gpumex.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char **argv) try {
    const std::size_t count = 100000;
    const int devices = gpumex::device_count();
    const int ranks = argc > 1 ? std::atoi(argv[1]) : devices > 0 ? devices : 2;
    std::vector<gpumex::context> contexts; // each rank has its own, on a GPU of its own as far as they go
    for (int rank = 0; rank < ranks; rank++) contexts.emplace_back(gpumex::backend::auto_, devices > 1 ? rank % devices : -1);
    std::vector<gpumex::comm> comms = gpumex::comm::local(contexts);
    std::vector<std::vector<double>> parts(contexts.size());
    double mean = 0;
    std::atomic<bool> has_failed{false};

    // All ranks make the same calls, in the same order, each with its part.
    const auto work = [&](std::size_t rank) {
        try {
            gpumex::array<double> numbers(contexts[rank], count);
            numbers.random(rank);
            parts[rank] = gpumex::sort(comms[rank], numbers).to_vector();
            const double sum = gpumex::reduce(comms[rank], numbers);
            if (rank == 0) mean = sum / (static_cast<double>(ranks) * count);
        } catch (const gpumex::error &error) { // the other ranks are told, and throw as well
            std::fprintf(stderr, "%s\n", error.what());
            has_failed = true;
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t rank = 1; rank < contexts.size(); rank++) threads.emplace_back(work, rank);
    work(0);
    for (auto &thread : threads) thread.join();
    if (has_failed) return 1;

    std::vector<double> all;
    for (int rank = 0; rank < ranks; rank++) {
        const auto &part = parts[static_cast<std::size_t>(rank)];
        std::printf("rank %d of %d: %zu numbers from %.4f to %.4f\n", rank, ranks, part.size(), part.front(), part.back());
        all.insert(all.end(), part.begin(), part.end());
    }
    std::printf("mean %.4f\n", mean);
    return std::is_sorted(all.begin(), all.end()) && all.size() == contexts.size() * count ? 0 : 1;
} catch (const gpumex::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
