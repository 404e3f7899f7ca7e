/* layout.c - sizes, offsets and numbers that compiled programs rely on. A struct may grow at its end, and then its size
 * changes here; nothing else in this table may ever change. */
#include <gpumex.h>

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "sizeof(" #type ") is not " #bytes)
#define AT(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " is not at " #offset)
#define NUMBER(name, value) _Static_assert((name) == (value), #name " is not " #value)

SIZE(gpumex_allocator_stats, 96);
AT(gpumex_allocator_stats, size, 0);
AT(gpumex_allocator_stats, allocator, 8);
AT(gpumex_allocator_stats, reserved, 12);
AT(gpumex_allocator_stats, allocated, 16);
AT(gpumex_allocator_stats, cached, 24);
AT(gpumex_allocator_stats, capacity, 32);
AT(gpumex_allocator_stats, largest, 40);
AT(gpumex_allocator_stats, peak, 48);
AT(gpumex_allocator_stats, allocated_blocks, 56);
AT(gpumex_allocator_stats, cached_blocks, 64);
AT(gpumex_allocator_stats, hits, 72);
AT(gpumex_allocator_stats, misses, 80);
AT(gpumex_allocator_stats, evictions, 88);

SIZE(gpumex_device_info, 216);
AT(gpumex_device_info, size, 0);
AT(gpumex_device_info, backend, 8);
AT(gpumex_device_info, device, 12);
AT(gpumex_device_info, name, 16);
AT(gpumex_device_info, multiprocessors, 144);
AT(gpumex_device_info, compute_major, 148);
AT(gpumex_device_info, compute_minor, 152);
AT(gpumex_device_info, clock_khz, 156);
AT(gpumex_device_info, memory_clock_khz, 160);
AT(gpumex_device_info, memory_bus_bits, 164);
AT(gpumex_device_info, ecc, 168);
AT(gpumex_device_info, driver_version, 172);
AT(gpumex_device_info, total_memory, 176);
AT(gpumex_device_info, free_memory, 184);
AT(gpumex_device_info, l2_bytes, 192);
AT(gpumex_device_info, shared_bytes_per_block, 200);
AT(gpumex_device_info, bandwidth_gbs, 208);

SIZE(gpumex_add_options, 16);
AT(gpumex_add_options, size, 0);
AT(gpumex_add_options, variant, 8);
AT(gpumex_add_options, dtype, 12);

SIZE(gpumex_dot_options, 16);
AT(gpumex_dot_options, size, 0);
AT(gpumex_dot_options, variant, 8);
AT(gpumex_dot_options, dtype, 12);

SIZE(gpumex_histogram_options, 72);
AT(gpumex_histogram_options, size, 0);
AT(gpumex_histogram_options, variant, 8);
AT(gpumex_histogram_options, dtype, 12);
AT(gpumex_histogram_options, channels, 16);
AT(gpumex_histogram_options, accumulate, 20);
AT(gpumex_histogram_options, lo, 24);
AT(gpumex_histogram_options, hi, 32);
AT(gpumex_histogram_options, edges, 40);
AT(gpumex_histogram_options, weights, 48);
AT(gpumex_histogram_options, weights_dtype, 56);
AT(gpumex_histogram_options, outliers, 60);
AT(gpumex_histogram_options, right_edge, 64);
AT(gpumex_histogram_options, reserved, 68);

SIZE(gpumex_life_options, 32);
AT(gpumex_life_options, size, 0);
AT(gpumex_life_options, variant, 8);
AT(gpumex_life_options, boundary, 12);
AT(gpumex_life_options, cells, 16);
AT(gpumex_life_options, rule, 24);

SIZE(gpumex_matmul_options, 112);
AT(gpumex_matmul_options, size, 0);
AT(gpumex_matmul_options, variant, 8);
AT(gpumex_matmul_options, dtype, 12);
AT(gpumex_matmul_options, order, 16);
AT(gpumex_matmul_options, trans_a, 20);
AT(gpumex_matmul_options, trans_b, 24);
AT(gpumex_matmul_options, scaled, 28);
AT(gpumex_matmul_options, lda, 32);
AT(gpumex_matmul_options, ldb, 40);
AT(gpumex_matmul_options, ldc, 48);
AT(gpumex_matmul_options, batch, 56);
AT(gpumex_matmul_options, stride_a, 64);
AT(gpumex_matmul_options, stride_b, 72);
AT(gpumex_matmul_options, stride_c, 80);
AT(gpumex_matmul_options, alpha, 88);
AT(gpumex_matmul_options, beta, 96);
AT(gpumex_matmul_options, same_a, 104);
AT(gpumex_matmul_options, same_b, 108);

SIZE(gpumex_pattern_info, 232);
AT(gpumex_pattern_info, size, 0);
AT(gpumex_pattern_info, format, 8);
AT(gpumex_pattern_info, boundary, 12);
AT(gpumex_pattern_info, rows, 16);
AT(gpumex_pattern_info, cols, 24);
AT(gpumex_pattern_info, population, 32);
AT(gpumex_pattern_info, row, 40);
AT(gpumex_pattern_info, col, 48);
AT(gpumex_pattern_info, board_rows, 56);
AT(gpumex_pattern_info, board_cols, 64);
AT(gpumex_pattern_info, rule, 72);
AT(gpumex_pattern_info, name, 104);

SIZE(gpumex_raytrace_options, 24);
AT(gpumex_raytrace_options, size, 0);
AT(gpumex_raytrace_options, variant, 8);
AT(gpumex_raytrace_options, channels, 12);
AT(gpumex_raytrace_options, planar, 16);
AT(gpumex_raytrace_options, reserved, 20);

SIZE(gpumex_words_options, 24);
AT(gpumex_words_options, size, 0);
AT(gpumex_words_options, variant, 8);
AT(gpumex_words_options, encoding, 12);
AT(gpumex_words_options, fold, 16);
AT(gpumex_words_options, reserved, 20);

SIZE(gpumex_words_summary, 32);
AT(gpumex_words_summary, size, 0);
AT(gpumex_words_summary, words, 8);
AT(gpumex_words_summary, distinct, 16);
AT(gpumex_words_summary, listed, 24);

NUMBER(GPUMEX_STATUS_OK, 0);
NUMBER(GPUMEX_STATUS_NULL_POINTER, 1);
NUMBER(GPUMEX_STATUS_INVALID_ARGUMENT, 2);
NUMBER(GPUMEX_STATUS_OUT_OF_MEMORY, 3);
NUMBER(GPUMEX_STATUS_NO_DEVICE, 4);
NUMBER(GPUMEX_STATUS_CUDA, 5);
NUMBER(GPUMEX_STATUS_UNSUPPORTED, 6);
NUMBER(GPUMEX_STATUS_BUSY, 7);
NUMBER(GPUMEX_STATUS_CANCELLED, 8);
NUMBER(GPUMEX_STATUS_INTERNAL, 9);

NUMBER(GPUMEX_DTYPE_F32, 0);
NUMBER(GPUMEX_DTYPE_F64, 1);
NUMBER(GPUMEX_DTYPE_I8, 2);
NUMBER(GPUMEX_DTYPE_I16, 3);
NUMBER(GPUMEX_DTYPE_I32, 4);
NUMBER(GPUMEX_DTYPE_I64, 5);
NUMBER(GPUMEX_DTYPE_U8, 6);
NUMBER(GPUMEX_DTYPE_U16, 7);
NUMBER(GPUMEX_DTYPE_U32, 8);
NUMBER(GPUMEX_DTYPE_U64, 9);

NUMBER(GPUMEX_ALLOCATOR_CACHING, 0);
NUMBER(GPUMEX_ALLOCATOR_SIMPLE, 1);
NUMBER(GPUMEX_ALLOCATOR_POOL, 2);
NUMBER(GPUMEX_ALLOCATOR_CUSTOM, 3);

NUMBER(GPUMEX_MEMORY_KIND_DEVICE, 0);
NUMBER(GPUMEX_MEMORY_KIND_PINNED, 1);
NUMBER(GPUMEX_MEMORY_KIND_MANAGED, 2);

NUMBER(GPUMEX_PREFETCH_TARGET_DEVICE, 0);
NUMBER(GPUMEX_PREFETCH_TARGET_HOST, 1);

NUMBER(GPUMEX_LOG_LEVEL_OFF, 0);
NUMBER(GPUMEX_LOG_LEVEL_ERROR, 1);
NUMBER(GPUMEX_LOG_LEVEL_WARN, 2);
NUMBER(GPUMEX_LOG_LEVEL_INFO, 3);
NUMBER(GPUMEX_LOG_LEVEL_DEBUG, 4);

NUMBER(GPUMEX_ADD_VARIANT_AUTO, 0);
NUMBER(GPUMEX_ADD_VARIANT_SEQUENTIAL, 1);
NUMBER(GPUMEX_ADD_VARIANT_ON_DEMAND, 2);
NUMBER(GPUMEX_ADD_VARIANT_PREFETCH, 3);

NUMBER(GPUMEX_DOT_VARIANT_AUTO, 0);
NUMBER(GPUMEX_DOT_VARIANT_SEQUENTIAL, 1);
NUMBER(GPUMEX_DOT_VARIANT_ATOMIC, 2);
NUMBER(GPUMEX_DOT_VARIANT_TWO_PASS, 3);

NUMBER(GPUMEX_HISTOGRAM_VARIANT_AUTO, 0);
NUMBER(GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL, 1);
NUMBER(GPUMEX_HISTOGRAM_VARIANT_GLOBAL, 2);
NUMBER(GPUMEX_HISTOGRAM_VARIANT_STRIDED, 3);
NUMBER(GPUMEX_HISTOGRAM_VARIANT_SHARED, 4);

NUMBER(GPUMEX_HISTOGRAM_DTYPE_U8, 0);
NUMBER(GPUMEX_HISTOGRAM_DTYPE_U16, 1);
NUMBER(GPUMEX_HISTOGRAM_DTYPE_U32, 2);
NUMBER(GPUMEX_HISTOGRAM_DTYPE_I32, 3);
NUMBER(GPUMEX_HISTOGRAM_DTYPE_F32, 4);
NUMBER(GPUMEX_HISTOGRAM_DTYPE_F64, 5);

NUMBER(GPUMEX_HISTOGRAM_WEIGHTS_F64, 0);
NUMBER(GPUMEX_HISTOGRAM_WEIGHTS_F32, 1);

NUMBER(GPUMEX_HISTOGRAM_OUTLIERS_IGNORE, 0);
NUMBER(GPUMEX_HISTOGRAM_OUTLIERS_CLAMP, 1);

NUMBER(GPUMEX_LIFE_VARIANT_AUTO, 0);
NUMBER(GPUMEX_LIFE_VARIANT_SEQUENTIAL, 1);
NUMBER(GPUMEX_LIFE_VARIANT_ARRAYS, 2);
NUMBER(GPUMEX_LIFE_VARIANT_SHMEM, 3);
NUMBER(GPUMEX_LIFE_VARIANT_TEXTURE, 4);
NUMBER(GPUMEX_LIFE_VARIANT_SHMEM_BYTES, 5);
NUMBER(GPUMEX_LIFE_VARIANT_TEXTURE_BYTES, 6);
NUMBER(GPUMEX_LIFE_VARIANT_REGISTERS, 7);
NUMBER(GPUMEX_LIFE_VARIANT_CLUSTER, 8);

NUMBER(GPUMEX_LIFE_BOUNDARY_CLAMP, 0);
NUMBER(GPUMEX_LIFE_BOUNDARY_DEAD, 1);
NUMBER(GPUMEX_LIFE_BOUNDARY_TORUS, 2);

NUMBER(GPUMEX_LIFE_CELLS_BYTES, 0);
NUMBER(GPUMEX_LIFE_CELLS_BITS, 1);

NUMBER(GPUMEX_MATMUL_VARIANT_AUTO, 0);
NUMBER(GPUMEX_MATMUL_VARIANT_SEQUENTIAL, 1);
NUMBER(GPUMEX_MATMUL_VARIANT_NAIVE, 2);
NUMBER(GPUMEX_MATMUL_VARIANT_BLOCKED, 3);
NUMBER(GPUMEX_MATMUL_VARIANT_TILED, 4);
NUMBER(GPUMEX_MATMUL_VARIANT_TENSOR, 5);
NUMBER(GPUMEX_MATMUL_VARIANT_TF32, 6);
NUMBER(GPUMEX_MATMUL_VARIANT_CUBLAS, 7);

NUMBER(GPUMEX_MATMUL_DTYPE_F32, 0);
NUMBER(GPUMEX_MATMUL_DTYPE_F64, 1);
NUMBER(GPUMEX_MATMUL_DTYPE_F16, 2);
NUMBER(GPUMEX_MATMUL_DTYPE_BF16, 3);

NUMBER(GPUMEX_MATMUL_ORDER_ROW, 0);
NUMBER(GPUMEX_MATMUL_ORDER_COLUMN, 1);

NUMBER(GPUMEX_PATTERN_FORMAT_AUTO, 0);
NUMBER(GPUMEX_PATTERN_FORMAT_RLE, 1);
NUMBER(GPUMEX_PATTERN_FORMAT_LIFE106, 2);

NUMBER(GPUMEX_RAYTRACE_VARIANT_AUTO, 0);
NUMBER(GPUMEX_RAYTRACE_VARIANT_SEQUENTIAL, 1);
NUMBER(GPUMEX_RAYTRACE_VARIANT_GLOBAL, 2);
NUMBER(GPUMEX_RAYTRACE_VARIANT_READ_ONLY, 3);
NUMBER(GPUMEX_RAYTRACE_VARIANT_CONSTANT, 4);

NUMBER(GPUMEX_WORDS_VARIANT_AUTO, 0);
NUMBER(GPUMEX_WORDS_VARIANT_SEQUENTIAL, 1);

NUMBER(GPUMEX_WORDS_ENCODING_UTF8, 0);
NUMBER(GPUMEX_WORDS_ENCODING_ASCII, 1);

NUMBER(GPUMEX_BACKEND_AUTO, 0);
NUMBER(GPUMEX_BACKEND_CPU, 1);
NUMBER(GPUMEX_BACKEND_CUDA, 2);

int main(void) { return 0; }
