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

/// The same of a matrix of rows*cols of a call.
inline std::size_t matrices_size(const matmul_options &options, std::size_t rows, std::size_t cols, bool transposed,
                                 std::size_t leading, std::size_t matrices, std::size_t stride) {
    const bool has_lines_of_cols = (options.order == gpumex::matmul_order::row) != transposed;
    return matrices_size(has_lines_of_cols ? rows : cols, has_lines_of_cols ? cols : rows, leading, matrices, stride);
}

/// op(A) is m*k; B is stored with b_rows rows, which are k of one rank.
template <class A, class B, class C>
void require_matrices(const matmul_options &options, std::size_t m, std::size_t n, std::size_t k, std::size_t b_rows,
                      const A &a, const B &b, const C &c_matrix) {
    const std::size_t batch = options.batch == 0 ? 1 : options.batch;
    if (k != 0 && (options.alpha != 0 || options.alpha_imag != 0)) {
        require_room("matmul", "a", count(a),
                     matrices_size(options, m, k, options.trans_a, options.lda, options.same_a ? 1 : batch,
                                   options.stride_a));
        require_room("matmul", "b", count(b),
                     matrices_size(options, b_rows, n, options.trans_b, options.ldb, options.same_b ? 1 : batch,
                                   options.stride_b));
    }
    require_room("matmul", "c", count(c_matrix),
                 matrices_size(options, m, n, false, options.ldc, batch, options.stride_c));
}

/// `options` stay where they are for the call: alpha and beta are theirs.
template <class A, class B, class C> gpumex_matmul_options in_c(const matmul_options &options) {
    require_alike<element<const A>, element<const B>>();
    using factor = std::conditional_t<is_none<A>, element<const B>, element<const A>>;
    using type = std::conditional_t<std::is_void_v<factor>, element<C>, factor>;
    if constexpr (!is_half<type> || !std::is_same_v<element<C>, float>) require_alike<element<C>, type>();
    gpumex_matmul_options c = GPUMEX_MATMUL_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.dtype = matrix_dtype<type>();
    c.dtype_c = matrix_dtype<element<C>>();
    c.order = number(options.order);
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
    return c;
}

} // namespace detail
/// @endcond

/// C <- alpha*op(A)*op(B) + beta*C of float, double or std::complex of them, or of gpumex::f16 or bf16, with which C may be of float: op(A) is
/// m*k, op(B) k*n, C m*n. With k = 0 or alpha = 0 A and B are not read and may be gpumex::none.
template <class A, class B, class C>
void matmul(context_ref ctx, std::size_t m, std::size_t n, std::size_t k, const A &a, const B &b, C &&c_matrix,
            const matmul_options &options = {}) {
    detail::require_matrices(options, m, n, k, k, a, b, c_matrix);
    const gpumex_matmul_options c = detail::in_c<A, B, C>(options);
    detail::check(gpumex_matmul(ctx.get(), &c, m, n, k, detail::in(a), detail::in(b), detail::out(c_matrix)));
}

} // namespace gpumex
