/// @file
/// @brief Matrix product on several ranks. See gpumex_comm_matmul.
#pragma once

#include <gpumex/comm_reduce.hpp>
#include <gpumex/matmul.hpp>

namespace gpumex {

/// C <- alpha*A*B + beta*C of float or double, row-major: m rows of A and C and k rows of B on this rank, in the order of ranks;
/// rows of A are as long as B has rows on all ranks, which the ranks add up first.
template <class A, class B, class C>
void matmul(comm_ref comm, std::size_t m, std::size_t n, std::size_t k, const A &a, const B &b, C &&c_matrix,
            const matmul_options &options = {}) {
    const std::array<std::uint64_t, 1> rows = {k};
    const auto all = static_cast<std::size_t>(gpumex::reduce(comm, rows));
    detail::collective(
        detail::in_c<A, B, C>(options),
        [&] { detail::require_matrices(options, m, n, all, k, a, b, c_matrix); },
        [&](const gpumex_matmul_options &c) {
            return gpumex_comm_matmul(comm.get(), &c, m, n, k, detail::in(a), detail::in(b), detail::out(c_matrix));
        });
}

} // namespace gpumex
