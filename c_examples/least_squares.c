/* least_squares.c - a thousand least-squares fits at once: y = c0 + c1 x + c2 x^2 through 64 points each.
 *
 * Build:  make examples
 * Run:    least_squares
 *
 * The normal equations (At A) c = At y of all fits are two batched products; each 3 x 3 system is solved on the host by Cholesky.
 * Prints the largest error of a coefficient, and exits with 1 when it is not small:
 *
 *     1000 fits, largest error 2.1e-12 */
#include "common.h"

#include <math.h>

enum { FITS = 1000, POINTS = 64, TERMS = 3 };

static double A[FITS][POINTS][TERMS], y[FITS][POINTS], AtA[FITS][TERMS][TERMS], Aty[FITS][TERMS];

/* The coefficients of fit f. */
static double truth(int f, int term) { return (term == 1 ? -1 : 1) * (1 + f % 7) / (term + 1.0); }

/* c <- the solution of m c = b, which takes b's place: m = L Lt, then L z = b, then Lt c = z. */
static void solve(double m[TERMS][TERMS], double *b) {
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < j; k++) m[i][j] -= m[i][k] * m[j][k];
            m[i][j] = i == j ? sqrt(m[i][i]) : m[i][j] / m[j][j];
        }
        for (int k = 0; k < i; k++) b[i] -= m[i][k] * b[k];
        b[i] /= m[i][i];
    }
    for (int i = TERMS; i-- > 0; b[i] /= m[i][i])
        for (int k = i + 1; k < TERMS; k++) b[i] -= m[k][i] * b[k];
}

int main(void) {
    for (int f = 0; f < FITS; f++)
        for (int p = 0; p < POINTS; p++) {
            const double x = -1 + 2.0 * p / (POINTS - 1);
            for (int t = 0; t < TERMS; t++) {
                A[f][p][t] = pow(x, t);
                y[f][p] += truth(f, t) * A[f][p][t];
            }
        }

    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    gpumex_matmul_options options = GPUMEX_MATMUL_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_F64;
    options.trans_a = 1;
    options.batch = FITS;
    CHECK(gpumex_matmul(ctx, &options, TERMS, TERMS, POINTS, A, A, AtA));
    CHECK(gpumex_matmul(ctx, &options, TERMS, 1, POINTS, A, y, Aty));
    gpumex_context_destroy(ctx);

    double error = 0;
    for (int f = 0; f < FITS; f++) {
        solve(AtA[f], Aty[f]);
        for (int t = 0; t < TERMS; t++) error = fmax(error, fabs(Aty[f][t] - truth(f, t)));
    }
    printf("%d fits, largest error %.1e\n", FITS, error);
    return error < 1e-9 ? 0 : 1;
}
