#include <gpumex.hpp>

#include <iostream>
#include <thread>
#include <vector>

int main() {
    std::vector<gpumex::context> contexts(2); // a rank each
    auto comms = gpumex::comm::local(contexts);
    const std::vector<float> keys[2] = {{5, 1, 3}, {1, 9, 7}};
    std::vector<float> sorted[2];
    float sums[2];
    const auto work = [&](int rank) {
        const auto &comm = comms[static_cast<std::size_t>(rank)];
        sorted[rank] = gpumex::sort(comm, keys[rank]);
        sums[rank] = gpumex::reduce(comm, keys[rank]);
    };
    std::thread second(work, 1);
    work(0);
    second.join();
    for (int rank = 0; rank < 2; rank++) {
        std::cout << "rank " << rank << ":";
        for (const float key : sorted[rank]) std::cout << ' ' << key;
        std::cout << ", sum of all " << sums[rank] << '\n';
    }
}
