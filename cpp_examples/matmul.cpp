// matmul.cpp - a matrix product on the device, checked by C*x = A*(B*x).
//
// Build:  make examples
//    or:  g++ -std=c++20 -O2 cpp_examples/matmul.cpp -o matmul -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
// Run:    matmul [--device K]
//
// Prints the device and the time of the kernel, and exits with 1 when the product is wrong:
//
//     CPU backend: 8 threads ...
//     512 x 512 x 512: 1.24 ms, largest difference 3.1e-05
#include <gpumex.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main(int argc, char **argv) try {
    const std::size_t n = 512;
    const auto ctx = gpumex::context::from_args(argc, argv, true);
    gpumex::array<float> a(ctx, n * n), b(ctx, n * n), c(ctx, n * n), x(ctx, n), bx(ctx, n), abx(ctx, n), cx(ctx, n);
    a.random(1, -1, 1);
    b.random(2, -1, 1);
    x.random(3, -1, 1);

    ctx.set_timing();
    gpumex::matmul(ctx, n, n, n, a, b, c); // row-major; {.order = gpumex::matmul_order::column} as in MATLAB
    const double ms = ctx.kernel_ms();
    gpumex::matmul(ctx, n, 1, n, b, x, bx);
    gpumex::matmul(ctx, n, 1, n, a, bx, abx);
    gpumex::matmul(ctx, n, 1, n, c, x, cx);

    const auto want = abx.to_vector(), got = cx.to_vector();
    float largest = 0;
    for (std::size_t i = 0; i < n; i++) largest = std::max(largest, std::abs(got[i] - want[i]));
    std::printf("%zu x %zu x %zu: %.3g ms, largest difference %.2g\n", n, n, n, ms, largest);
    return largest < 1e-3f ? 0 : 1;
} catch (const gpumex::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
