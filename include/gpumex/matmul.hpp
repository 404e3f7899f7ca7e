/// @file
/// @brief Matrix product. See gpumex_matmul.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_matmul_options. Leading dimensions and strides of 0: no gap.
struct matmul_options {
    gpumex::matmul_variant variant = gpumex::matmul_variant::auto_;
    gpumex::matmul_order order = gpumex::matmul_order::row;
    bool trans_a = false; ///< Whether A is stored transposed, k*m.
    bool trans_b = false; ///< Whether B is stored transposed, n*k.
    bool same_a = false;  ///< Whether all products of a batch share one A.
    bool same_b = false;
    std::size_t lda = 0;
    std::size_t ldb = 0;
    std::size_t ldc = 0;
    std::size_t batch = 1;
    std::size_t stride_a = 0;
    std::size_t stride_b = 0;
    std::size_t stride_c = 0;
    double alpha = 1;
    double beta = 0;
    double alpha_imag = 0; ///< The imaginary part of alpha, of complex matrices.
    double beta_imag = 0;
    bool conjugate_a = false; ///< Whether the A that is stored transposed is conjugated, of complex matrices.
    bool conjugate_b = false; ///< The same of B.
};

/// @cond
namespace detail {

/// Elements from the first to the last one of a batch of matrices of `lines` rows, or columns, of `length` elements.
constexpr std::size_t matrices_size(std::size_t lines, std::size_t length, std::size_t leading, std::size_t matrices,
                                    std::size_t stride) {
    if (lines == 0 || length == 0) return 0;
    const std::size_t one = sum(product(lines - 1, leading == 0 ? length : leading), length);
    return sum(product(matrices - 1, stride == 0 ? product(lines, leading == 0 ? length : leading) : stride), one);
}

} // namespace detail
/// @endcond

/// C <- alpha*op(A)*op(B) + beta*C of float, double or std::complex of them: op(A) is m*k, op(B) k*n, C m*n. With k = 0 or alpha = 0 A and B
/// are not read and may be gpumex::none.
template <class A, class B, class C>
void matmul(context_ref ctx, std::size_t m, std::size_t n, std::size_t k, const A &a, const B &b, C &&c_matrix,
            const matmul_options &options = {}) {
    using type = detail::element<C>;
    detail::require_alike<type, detail::element<const A>>();
    detail::require_alike<type, detail::element<const B>>();
    const bool by_row = options.order == gpumex::matmul_order::row;
    const std::size_t batch = options.batch == 0 ? 1 : options.batch;
    const auto size = [&](std::size_t rows, std::size_t cols, bool transposed, std::size_t leading, std::size_t matrices,
                          std::size_t stride) {
        const bool has_lines_of_cols = by_row != transposed;
        return detail::matrices_size(has_lines_of_cols ? rows : cols, has_lines_of_cols ? cols : rows, leading, matrices,
                                     stride);
    };
    if (k != 0 && (options.alpha != 0 || options.alpha_imag != 0)) {
        detail::require_room("matmul", "a", detail::count(a),
                             size(m, k, options.trans_a, options.lda, options.same_a ? 1 : batch, options.stride_a));
        detail::require_room("matmul", "b", detail::count(b),
                             size(k, n, options.trans_b, options.ldb, options.same_b ? 1 : batch, options.stride_b));
    }
    detail::require_room("matmul", "c", detail::count(c_matrix),
                         size(m, n, false, options.ldc, batch, options.stride_c));
    gpumex_matmul_options c = GPUMEX_MATMUL_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::factor_dtype<type>();
    c.order = detail::number(options.order);
    c.trans_a = options.trans_a ? (options.conjugate_a ? 2 : 1) : 0;
    c.trans_b = options.trans_b ? (options.conjugate_b ? 2 : 1) : 0;
    c.same_a = options.same_a ? 1 : 0;
    c.same_b = options.same_b ? 1 : 0;
    c.lda = options.lda;
    c.ldb = options.ldb;
    c.ldc = options.ldc;
    c.batch = options.batch;
    c.stride_a = options.stride_a;
    c.stride_b = options.stride_b;
    c.stride_c = options.stride_c;
    c.alpha = &options.alpha;
    c.beta = &options.beta;
    c.alpha_imag = &options.alpha_imag;
    c.beta_imag = &options.beta_imag;
    detail::check(gpumex_matmul(ctx.get(), &c, m, n, k, detail::in(a), detail::in(b), detail::out(c_matrix)));
}

} // namespace gpumex
