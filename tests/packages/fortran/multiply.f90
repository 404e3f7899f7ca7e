! multiply.f90 - the product of two matrices with the C functions of the installed library.
program multiply
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        integer(c_int32_t) function product_of(m, n, k, a, b, c) bind(c, name="matmul")
            import :: c_int32_t, c_size_t, c_float
            integer(c_size_t), value :: m, n, k
            real(c_float), intent(in) :: a(*), b(*)
            real(c_float), intent(out) :: c(*)
        end function
    end interface
    ! Fortran stores columns, the function reads rows: with a and b exchanged the result is that of Fortran's own matmul.
    real(c_float) :: a(2, 2) = reshape([1., 3., 2., 4.], [2, 2]), b(2, 2) = reshape([5., 7., 6., 8.], [2, 2]), c(2, 2)
    if (product_of(2_c_size_t, 2_c_size_t, 2_c_size_t, b, a, c) /= 0) error stop
    print "(4(i0, 1x))", nint(transpose(c))
end program
