// cancel.cpp - a long call that tells of its progress, and is cancelled by another thread after a moment.
//
// Build:  make examples
//    or:  g++ -std=c++20 -O2 -pthread cpp_examples/cancel.cpp -o cancel -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
// Run:    cancel
//
// Prints how far the call came, and exits with 1 when it was not cancelled:
//
//     cancelled: gpumex_life: gpumex_context_cancel ended the call after 0.301 s; 9216 of 1000000000 were done
#include <gpumex.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

int main() try {
    const std::size_t side = 1000;
    const gpumex::context ctx;
    std::vector<std::uint8_t> board(side * side);
    gpumex::random(ctx, board, 1, 0, 1);

    // A callable that returned false would cancel the call too, and an exception would come out of it.
    std::atomic<bool> is_running{false};
    const gpumex::progress watch(ctx, [&is_running](std::uint64_t done, std::uint64_t total) {
        is_running = true;
        is_running.notify_one();
        std::fprintf(stderr, "%llu of %llu generations\r", static_cast<unsigned long long>(done),
                     static_cast<unsigned long long>(total));
    });
    std::thread impatient([&ctx, &is_running] {
        is_running.wait(false); // cancel() ends the call that runs, and no later one
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        ctx.cancel();
    });
    int code = 1;
    try {
        gpumex::life(ctx, board, side, side, 1000000000, board);
    } catch (const gpumex::error &error) {
        std::printf("%s: %s\n", gpumex::status_string(error.code()), error.what());
        code = error.code() == gpumex::status::cancelled ? 0 : 1;
    }
    impatient.join();
    return code;
} catch (const gpumex::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
