/* failing_variants.h - operations of failing_driver.h with the variants and options that benches/operations.h leaves out: those that
 * have paths of their own to the driver and to launchers. */
#ifndef FAILING_VARIANTS_H
#define FAILING_VARIANTS_H

static int32_t life_variant(library *l) {
    return gpumex_life(l->ctx, OPTIONS(life, .variant = l->number), l->flags, l->side, l->side, 10, l->out[0]);
}
ROW("life arrays", life, life_variant, GPUMEX_LIFE_VARIANT_ARRAYS, ONCE)
ROW("life shmem bytes", life, life_variant, GPUMEX_LIFE_VARIANT_SHMEM_BYTES, ONCE)
ROW("life cluster", life, life_variant, GPUMEX_LIFE_VARIANT_CLUSTER, ONCE)

static int32_t life_bits(library *l) {
    return gpumex_life(l->ctx, OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS), l->flags, l->side, l->side, 10, l->out[0]);
}
ROW("life bits", life, life_bits, 0, ONCE)

static int32_t matmul_variant(library *l) {
    return gpumex_matmul(l->ctx, OPTIONS(matmul, NUMBERS, .variant = l->number), l->side, l->side, l->side, l->x, l->y, l->out[0]);
}
ROW("matmul naive", matmul, matmul_variant, GPUMEX_MATMUL_VARIANT_NAIVE, ONCE)
ROW("matmul tiled", matmul, matmul_variant, GPUMEX_MATMUL_VARIANT_TILED, ONCE)
ROW("matmul tensor", matmul, matmul_variant, GPUMEX_MATMUL_VARIANT_TENSOR, ONCE)

static int32_t histogram_variant(library *l) {
    const gpumex_histogram_options *const options = OPTIONS(histogram, .dtype = GPUMEX_DTYPE_U8, .variant = l->number);
    return gpumex_histogram(l->ctx, options, l->x, l->n, l->out[0], 256);
}
ROW("histogram global", histogram, histogram_variant, GPUMEX_HISTOGRAM_VARIANT_GLOBAL, ONCE)
ROW("histogram shared", histogram, histogram_variant, GPUMEX_HISTOGRAM_VARIANT_SHARED, ONCE)

static int32_t raytrace_variant(library *l) {
    return gpumex_raytrace(l->ctx, OPTIONS(raytrace, .channels = 4, .variant = l->number), l->x, l->n / 7000 + 1, 64, 64, l->out[0]);
}
ROW("raytrace global", raytrace, raytrace_variant, GPUMEX_RAYTRACE_VARIANT_GLOBAL, ONCE)
ROW("raytrace constant", raytrace, raytrace_variant, GPUMEX_RAYTRACE_VARIANT_CONSTANT, ONCE)
ROW("raytrace binned", raytrace, raytrace_variant, GPUMEX_RAYTRACE_VARIANT_BINNED, ONCE)

/* Positions that are looked at first. */
static int32_t gather_checked(library *l) {
    return gpumex_gather(l->ctx, OPTIONS(gather, NUMBERS, INDICES, .check = 1), l->x, l->n, l->indices, l->n, l->out[0]);
}
ROW("gather checked", gather, gather_checked, 0, ONCE)

#endif
