// multiply.cpp - the product of two matrices with the C functions of the installed library.
#include <gpumex.h>
#if defined(__has_include)
#if __has_include(<gpumex.hpp>)
#include <gpumex.hpp>
#endif
#endif

#include <array>
#include <iostream>
#include <memory>

int main() {
    using Context = std::unique_ptr<gpumex_context, int32_t (*)(gpumex_context *)>;
    const std::array<float, 4> a{1, 2, 3, 4}, b{5, 6, 7, 8};
    std::array<float, 4> c{};
    Context ctx(gpumex_context_create(GPUMEX_BACKEND_AUTO, -1), gpumex_context_destroy);
    if (!ctx || gpumex_matmul(ctx.get(), nullptr, 2, 2, 2, a.data(), b.data(), c.data()) != GPUMEX_STATUS_OK) {
        std::cerr << gpumex_last_error() << '\n';
        return 1;
    }
    std::cout << c[0] << ' ' << c[1] << ' ' << c[2] << ' ' << c[3] << '\n';
}
