/**
 * @file gpumex.h
 * @brief GPU kernels behind a C ABI, for MATLAB, GNU Octave and C; the same library runs without a
 * GPU.
 *
 * C90 and C++98 or later, with stdint.h. Licence: MIT OR Apache-2.0.
 *
 * **Status.** A function that returns int32_t returns a gpumex_status, 0 for success, unless it
 * says otherwise. After a failure gpumex_last_error() returns a message that names the function,
 * the value and the rule. The lists of errors leave out the prefix GPUMEX_STATUS_, and INTERNAL, a
 * bug in the library, which any function may return. What is refused is refused before any work.
 *
 * **Arrays.** An array may be ordinary, pinned, managed or device memory, unless its description
 * says "in host memory". It is aligned to its elements. It may be NULL only if it is empty. An
 * output overlaps no other array of the call; the exceptions, next == board of Life and result ==
 * data of gpumex_scan and gpumex_scan_dim, say so. Memory of gpumex_malloc and of the CUDA driver
 * is checked against its end. The dtype and the shape of an array are taken from the arguments and
 * cannot be checked. Structs, texts, and numbers or handles received from a function that runs no
 * operation are in host memory.
 *
 * **Options.** An option struct begins with its own size; zero is the default of every other field.
 * Write it as GPUMEX_OPTIONS (sort, .dtype = GPUMEX_DTYPE_F32) in C99 and C++20, or start from
 * GPUMEX_SORT_OPTIONS_INIT in any C or C++; likewise for the structs that a call fills in. NULL
 * stands for zeros everywhere. A dtype has no default, except that of the samples of
 * gpumex_histogram (U8) and of the matrices of gpumex_matmul (F32): where an array of that type is
 * passed, GPUMEX_DTYPE_NONE is INVALID_ARGUMENT. An index dtype is U32 or U64.
 *
 * **Order.** The work of a context runs in the order of its calls. When every array of a call is
 * device memory, the call may return before its work is done, and a fault shows at a later call or
 * at gpumex_context_synchronize; otherwise the result is there on return. Such calls may be
 * captured into a CUDA graph, on the stream of the context.
 *
 * **Threads.** Every function may be called from any thread; each thread has its own
 * gpumex_last_error(). A context serves one thread at a time: unless it was created to wait, a
 * second one gets BUSY. Calls on the default context take turns.
 * A signal handler may run amid a call, which goes on; it does not call the library. pthread_cancel
 * of a thread that is in a call, or in a callback of it, takes effect after the call has returned;
 * cancellation is deferred (the default), not asynchronous.
 *
 * **Callbacks.** A callback returns to the library: one that leaves by longjmp, siglongjmp or
 * pthread_exit would skip the end of the call, whose context stays BUSY and whose locks stay taken.
 * A C++ exception that leaves it ends the process. Within it a call on the same context is BUSY,
 * and so is one on a context that would have to wait; the description of the callback says which
 * contexts it may use at all. It may take long: other contexts go on.
 *
 * **The calling thread.** Its rounding mode, exception flags, traps and flush-to-zero mode do not
 * affect results and are restored on return. A stack of 64 KiB suffices on the CPU backend, one of
 * 256 KiB on CUDA, where NVIDIA's driver and cuBLAS use most of it. An allocation that fails is
 * OUT_OF_MEMORY, and does not end the process; what libc needs for a new thread, or for the first
 * use of thread-local storage on one, is out of the library's hands.
 *
 * **Memory.** The note of an operation states the bytes that a call with AUTO allocates beyond its
 * arguments at its peak: of host memory on the CPU backend; of device memory on CUDA; and how much
 * more there where the arrays are ordinary or pinned memory of the host, of which copies are made.
 * The formulas are of C. Their names are parameters, fields of options and constants without their
 * prefix; sizeof(dtype), the bytes of an element of that dtype, 0 for NONE; wide(dtype), 4 for
 * dtypes of 1 and 2 bytes and NONE, else sizeof(dtype); widened(dtype), 4 for dtypes of 1 and 2
 * bytes, else 0; copied(dtype), 0 for dtypes of 1 and 2 bytes, else sizeof(dtype);
 * converting(dtype, n, ...), for arrays of n, ... elements of 1 or 2 bytes, whose copies last until
 * they are converted, one array after the other, the largest n*sizeof(dtype) less 4 bytes for each
 * element of the arrays after it, 0 for other dtypes; payload_bytes, the bytes of a value or an
 * index that moves with a key; pair_bytes, those of a key and its payload, aligned; elements, the
 * number of elements of an array of this shape; input_bytes, the sum of the inputs' element sizes;
 * taken, the product of counts; positions, 8 times the sum of counts over the dimensions that have
 * indices; mask_positions, the same over those with a mask; threads, the host threads of the
 * context; ranks, their number; halo, the rows that ranks exchange at once, life_halo of a
 * communicator. Formulas of gpumex_comm_* functions are for one rank, with equal parts and ranks
 * that are threads of one process; another transport takes memory of its own. All formulas hold
 * within a tenth and 1 MiB, on the CPU backend another 1 MiB per thread; "at most" is an upper
 * bound. The CACHING allocator makes each block on CUDA larger by up to an eighth. What is kept
 * between calls (docs/memory.md) is not counted.
 *
 * **Plain names.** GPUMEX_NO_PLAIN_NAMES leaves out the declarations of the five functions without
 * a prefix. The shared library exports them all the same. A program that defines a function of such
 * a name keeps its own, static programs too, and the library keeps calling its own
 * (-Bsymbolic-functions); a static program that defines one of the five uses gpumex_* in the place
 * of the other four. Where another shared library exports such a name, the program gets that
 * of the library which the link command names first: name yours before -lgpumex, or load gpumex
 * with dlopen and RTLD_LOCAL.
 *
 * @defgroup gpumex_plain The five plain functions
 * @defgroup gpumex_operations Operations
 * @defgroup gpumex_primitives Parallel primitives
 * @defgroup gpumex_comm Several GPUs and machines
 * @defgroup gpumex_memory Memory and allocators
 * @defgroup gpumex_context Contexts and settings
 * @defgroup gpumex_diagnostics Diagnostics and tuning
 */
#ifndef GPUMEX_H
#define GPUMEX_H


/* Generated by cbindgen from src/ffi (make header). Do not edit. */

#include <stddef.h>
#include <stdint.h>

#ifndef GPUMEX_NO_PLAIN_NAMES
/** Set unless GPUMEX_NO_PLAIN_NAMES is. */
#define GPUMEX_PLAIN_NAMES
#endif

/** Part of the version of this header. */
#define GPUMEX_VERSION_MAJOR 0
/** Part of the version of this header. */
#define GPUMEX_VERSION_MINOR 2
/** Part of the version of this header. */
#define GPUMEX_VERSION_PATCH 0
/** The version of this header; gpumex_version() is that of the library. */
#define GPUMEX_VERSION "0.2.0"
/** The version as a number, 10000 * major + 100 * minor + patch, for the preprocessor. */
#define GPUMEX_VERSION_NUMBER \
    (10000 * GPUMEX_VERSION_MAJOR + 100 * GPUMEX_VERSION_MINOR + GPUMEX_VERSION_PATCH)

/* MATLAB's loadlibrary reads no attributes. Those of C23 and C++17 stand first, and let a cast to
 * void through. Both macros may be defined by the includer. */
#if defined(GPUMEX_MATLAB_LOADLIBRARY) || !defined(__GNUC__)
#define GPUMEX_ATTRIBUTES 0
#elif defined(__cplusplus) ? __cplusplus >= 201703L : __STDC_VERSION__ + 0 > 201710L
#define GPUMEX_ATTRIBUTES 2
#else
#define GPUMEX_ATTRIBUTES 1
#endif

/** A function of the shared library. */
#ifndef GPUMEX_API
#if GPUMEX_ATTRIBUTES == 2
#define GPUMEX_API [[gnu::visibility("default")]]
#elif GPUMEX_ATTRIBUTES == 1
#define GPUMEX_API __attribute__((__visibility__("default")))
#else
#define GPUMEX_API
#endif
#endif

/** A function whose result has to be looked at. */
#ifndef GPUMEX_NODISCARD
#if GPUMEX_ATTRIBUTES == 2
#define GPUMEX_NODISCARD [[nodiscard]]
#elif GPUMEX_ATTRIBUTES == 1
#define GPUMEX_NODISCARD __attribute__((__warn_unused_result__))
#else
#define GPUMEX_NODISCARD
#endif
#endif

/* C90 and C++98 have no comma at the end of an enumerator list. */
#if GPUMEX_ATTRIBUTES == 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifdef __cplusplus
extern "C" {
#endif


/**
 * What happens to a thread that enters a context in use by another thread.
 */
typedef enum gpumex_busy_policy {
    /**
     * It gets the status BUSY, at once.
     */
    GPUMEX_BUSY_POLICY_RETURN = 0,
    /**
     * It waits for its turn, in the order of arrival; within a callback it gets BUSY instead.
     */
    GPUMEX_BUSY_POLICY_WAIT = 1,
} gpumex_busy_policy;

/**
 * Division of on-chip memory between L1 cache and shared memory.
 */
typedef enum gpumex_cache_preference {
    /**
     * As the driver chooses.
     */
    GPUMEX_CACHE_PREFERENCE_DEFAULT = 0,
    /**
     * As much shared memory as possible.
     */
    GPUMEX_CACHE_PREFERENCE_SHARED = 1,
    /**
     * As much L1 cache as possible.
     */
    GPUMEX_CACHE_PREFERENCE_L1 = 2,
    /**
     * Half and half.
     */
    GPUMEX_CACHE_PREFERENCE_EQUAL = 3,
} gpumex_cache_preference;

/**
 * Result of a call. 0 is success; numbers are never reused.
 */
typedef enum gpumex_status {
    /**
     * Success.
     */
    GPUMEX_STATUS_OK = 0,
    /**
     * A pointer that must not be NULL is NULL.
     */
    GPUMEX_STATUS_NULL_POINTER = 1,
    /**
     * A value or a combination of values breaks a rule; the message names both.
     */
    GPUMEX_STATUS_INVALID_ARGUMENT = 2,
    /**
     * Host or device memory is exhausted; the message has the size requested.
     */
    GPUMEX_STATUS_OUT_OF_MEMORY = 3,
    /**
     * CUDA was asked for and there is no usable device; the message has the reason.
     */
    GPUMEX_STATUS_NO_DEVICE = 4,
    /**
     * The CUDA driver or a kernel failed.
     */
    GPUMEX_STATUS_CUDA = 5,
    /**
     * The request is valid, but this version, build or backend does not serve it.
     */
    GPUMEX_STATUS_UNSUPPORTED = 6,
    /**
     * The context is in use by another thread, its memory is held, or a setting came after first
     * use.
     */
    GPUMEX_STATUS_BUSY = 7,
    /**
     * A callback of the caller's asked to stop, or gpumex_context_cancel ended the call.
     */
    GPUMEX_STATUS_CANCELLED = 8,
    /**
     * A bug in the library (a caught panic); please report it with the message.
     */
    GPUMEX_STATUS_INTERNAL = 9,
    /**
     * Another rank of the communicator failed, left it or calls something else; the message names
     * it.
     */
    GPUMEX_STATUS_PEER = 10,
    /**
     * The other ranks of the communicator did not come within its time limit.
     */
    GPUMEX_STATUS_TIMEOUT = 11,
} gpumex_status;

/**
 * Where the memory of a context comes from.
 */
typedef enum gpumex_allocator {
    /**
     * Freed blocks are cached by size and reused.
     */
    GPUMEX_ALLOCATOR_CACHING = 0,
    /**
     * Each block from the driver, without a cache.
     */
    GPUMEX_ALLOCATOR_SIMPLE = 1,
    /**
     * The driver's own stream-ordered pool (cuMemAllocFromPoolAsync); CUDA backend only.
     */
    GPUMEX_ALLOCATOR_POOL = 2,
    /**
     * A caller's pair of functions, set by gpumex_allocator_custom.
     */
    GPUMEX_ALLOCATOR_CUSTOM = 3,
} gpumex_allocator;

/**
 * Kind of memory of gpumex_malloc. On the CPU backend all three are host memory.
 */
typedef enum gpumex_memory_kind {
    /**
     * Device memory; the host must not access it.
     */
    GPUMEX_MEMORY_KIND_DEVICE = 0,
    /**
     * Page-locked host memory: copies to and from the device run at full speed.
     */
    GPUMEX_MEMORY_KIND_PINNED = 1,
    /**
     * Memory whose pages migrate to the host or device that accesses them.
     */
    GPUMEX_MEMORY_KIND_MANAGED = 2,
} gpumex_memory_kind;

/**
 * Element type of an array.
 */
typedef enum gpumex_dtype {
    /**
     * Not set: INVALID_ARGUMENT where an array of that type is passed, unless the operation states
     * a default.
     */
    GPUMEX_DTYPE_NONE = 0,
    /**
     * float
     */
    GPUMEX_DTYPE_F32 = 1,
    /**
     * double
     */
    GPUMEX_DTYPE_F64 = 2,
    /**
     * IEEE 754 binary16
     */
    GPUMEX_DTYPE_F16 = 3,
    /**
     * bfloat16, the upper half of a float
     */
    GPUMEX_DTYPE_BF16 = 4,
    /**
     * int8_t
     */
    GPUMEX_DTYPE_I8 = 5,
    /**
     * int16_t
     */
    GPUMEX_DTYPE_I16 = 6,
    /**
     * int32_t
     */
    GPUMEX_DTYPE_I32 = 7,
    /**
     * int64_t
     */
    GPUMEX_DTYPE_I64 = 8,
    /**
     * uint8_t
     */
    GPUMEX_DTYPE_U8 = 9,
    /**
     * uint16_t
     */
    GPUMEX_DTYPE_U16 = 10,
    /**
     * uint32_t
     */
    GPUMEX_DTYPE_U32 = 11,
    /**
     * uint64_t
     */
    GPUMEX_DTYPE_U64 = 12,
    /**
     * A byte that is 0 or 1: MATLAB's logical, C99's bool.
     */
    GPUMEX_DTYPE_BOOL = 13,
    /**
     * Two floats, the real and the imaginary part: C99's float complex.
     */
    GPUMEX_DTYPE_C64 = 14,
    /**
     * Two doubles: C99's double complex.
     */
    GPUMEX_DTYPE_C128 = 15,
} gpumex_dtype;

/**
 * How an expression gets the types of its operations.
 */
typedef enum gpumex_rules {
    /**
     * The usual arithmetic conversions; integers wrap.
     */
    GPUMEX_RULES_C = 0,
    /**
     * Class double unless a single or an integer takes part; integers saturate.
     */
    GPUMEX_RULES_MATLAB = 1,
} gpumex_rules;

/**
 * Where samples below the first bin or above the last one fall. NaN is never counted.
 */
typedef enum gpumex_histogram_outliers {
    /**
     * Into no bin.
     */
    GPUMEX_HISTOGRAM_OUTLIERS_IGNORE = 0,
    /**
     * Into the first bin, or the last one.
     */
    GPUMEX_HISTOGRAM_OUTLIERS_CLAMP = 1,
} gpumex_histogram_outliers;

/**
 * Implementation of gpumex_histogram; the counts are the same. GLOBAL, STRIDED and SHARED are
 * textbook kernels for the 256 values of bytes; the CPU backend computes them as AUTO.
 */
typedef enum gpumex_histogram_variant {
    /**
     * The fastest one.
     */
    GPUMEX_HISTOGRAM_VARIANT_AUTO = 0,
    /**
     * A sequential loop on one core; CPU backend only.
     */
    GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL = 1,
    /**
     * One thread for each sample, atomics on counters in global memory.
     */
    GPUMEX_HISTOGRAM_VARIANT_GLOBAL = 2,
    /**
     * Counters in global memory, a grid-stride loop.
     */
    GPUMEX_HISTOGRAM_VARIANT_STRIDED = 3,
    /**
     * Counters of each block in shared memory, merged at the end.
     */
    GPUMEX_HISTOGRAM_VARIANT_SHARED = 4,
} gpumex_histogram_variant;

/**
 * Which keys without a partner a join keeps.
 */
typedef enum gpumex_join_kind {
    /**
     * None.
     */
    GPUMEX_JOIN_KIND_INNER = 0,
    /**
     * Those of a, in their places.
     */
    GPUMEX_JOIN_KIND_LEFT = 1,
    /**
     * Those of b, at the end.
     */
    GPUMEX_JOIN_KIND_RIGHT = 2,
    /**
     * Both.
     */
    GPUMEX_JOIN_KIND_OUTER = 3,
} gpumex_join_kind;

/**
 * What lies outside the board.
 */
typedef enum gpumex_life_boundary {
    /**
     * The edge cell nearest to it.
     */
    GPUMEX_LIFE_BOUNDARY_CLAMP = 0,
    /**
     * Dead cells.
     */
    GPUMEX_LIFE_BOUNDARY_DEAD = 1,
    /**
     * The opposite edge.
     */
    GPUMEX_LIFE_BOUNDARY_TORUS = 2,
} gpumex_life_boundary;

/**
 * Implementation of gpumex_life; the cells are the same. The CPU backend has SEQUENTIAL and
 * computes the others as AUTO.
 */
typedef enum gpumex_life_variant {
    /**
     * The fastest one: CLUSTER for small boards, else REGISTERS.
     */
    GPUMEX_LIFE_VARIANT_AUTO = 0,
    /**
     * A sequential loop over cells on one core; CPU backend only.
     */
    GPUMEX_LIFE_VARIANT_SEQUENTIAL = 1,
    /**
     * Textbook: whole-array operations, the sum of eight shifted arrays.
     */
    GPUMEX_LIFE_VARIANT_ARRAYS = 2,
    /**
     * Tiles of bits in shared memory, 16 generations a launch.
     */
    GPUMEX_LIFE_VARIANT_SHMEM = 3,
    /**
     * Boards of bits through texture objects, 8 generations a launch.
     */
    GPUMEX_LIFE_VARIANT_TEXTURE = 4,
    /**
     * Textbook: a tile of bytes and its halo in shared memory, one generation a launch.
     */
    GPUMEX_LIFE_VARIANT_SHMEM_BYTES = 5,
    /**
     * Textbook: a board of bytes through texture objects, one generation a launch.
     */
    GPUMEX_LIFE_VARIANT_TEXTURE_BYTES = 6,
    /**
     * Tiles of bits in registers, all generations in one launch.
     */
    GPUMEX_LIFE_VARIANT_REGISTERS = 7,
    /**
     * The whole board in the shared memory of one thread block cluster, all generations in one
     * launch; UNSUPPORTED for a board that does not fit.
     */
    GPUMEX_LIFE_VARIANT_CLUSTER = 8,
} gpumex_life_variant;

/**
 * File format of a pattern of Life.
 */
typedef enum gpumex_pattern_format {
    /**
     * To write, RLE.
     */
    GPUMEX_PATTERN_FORMAT_AUTO = 0,
    /**
     * Run-length encoded, with size, rule and boundary: `x = 3, y = 3, rule = B3/S23`,
     * `bob$2bo$3o!`.
     */
    GPUMEX_PATTERN_FORMAT_RLE = 1,
    /**
     * `#Life 1.06`, then a line `x y` for each live cell.
     */
    GPUMEX_PATTERN_FORMAT_LIFE106 = 2,
} gpumex_pattern_format;

/**
 * Implementation of gpumex_matmul. Error bounds are those of gpumex_matmul; results of two variants
 * need not have the same bits. The CPU backend computes NAIVE to TF32 as AUTO.
 */
typedef enum gpumex_matmul_variant {
    /**
     * The fastest one whose measured error does not exceed that of a plain product in the dtype; of
     * F16 and BF16 TENSOR, where the device has it.
     */
    GPUMEX_MATMUL_VARIANT_AUTO = 0,
    /**
     * A sequential triple loop on one core; CPU backend only.
     */
    GPUMEX_MATMUL_VARIANT_SEQUENTIAL = 1,
    /**
     * Textbook: one thread for each element of C, operands from global memory.
     */
    GPUMEX_MATMUL_VARIANT_NAIVE = 2,
    /**
     * Textbook: square tiles of A and B in shared memory; the tuning "matmul_blocked" has their
     * size.
     */
    GPUMEX_MATMUL_VARIANT_BLOCKED = 3,
    /**
     * Register tiles; F64 on tensor cores, which round as the others do.
     */
    GPUMEX_MATMUL_VARIANT_TILED = 4,
    /**
     * F32 on tensor cores, each number split into three parts of 8 bits; F16 and BF16 as they are;
     * F64 as TILED. Compute capability 8.0 or later.
     */
    GPUMEX_MATMUL_VARIANT_TENSOR = 5,
    /**
     * F32 on tensor cores, operands rounded to 11 bits: a thousand times the error. Compute
     * capability 8.0 or later. Small and narrow products, which that does not make faster, are
     * computed as AUTO.
     */
    GPUMEX_MATMUL_VARIANT_TF32 = 6,
    /**
     * NVIDIA's cuBLAS, where the process can load it; CUDA backend only.
     */
    GPUMEX_MATMUL_VARIANT_CUBLAS = 7,
} gpumex_matmul_variant;

/**
 * Binary operator. Integers wrap; AND, OR and XOR are for integers.
 */
typedef enum gpumex_operator {
    /**
     * The usual one: SUM, and PRODUCT where gpumex_spmv multiplies.
     */
    GPUMEX_OPERATOR_DEFAULT = 0,
    /**
     * x + y
     */
    GPUMEX_OPERATOR_SUM = 1,
    /**
     * x * y
     */
    GPUMEX_OPERATOR_PRODUCT = 2,
    /**
     * The smaller one; NaN is ignored, -0 is less than 0.
     */
    GPUMEX_OPERATOR_MIN = 3,
    /**
     * The larger one; NaN is ignored, -0 is less than 0.
     */
    GPUMEX_OPERATOR_MAX = 4,
    /**
     * x & y, bitwise
     */
    GPUMEX_OPERATOR_AND = 5,
    /**
     * x | y, bitwise
     */
    GPUMEX_OPERATOR_OR = 6,
    /**
     * x ^ y, bitwise
     */
    GPUMEX_OPERATOR_XOR = 7,
} gpumex_operator;

/**
 * Order of sorted keys. -0 equals 0; NaN is greater than every number.
 */
typedef enum gpumex_sort_order {
    /**
     * The least key first.
     */
    GPUMEX_SORT_ORDER_ASCENDING = 0,
    /**
     * The greatest key first.
     */
    GPUMEX_SORT_ORDER_DESCENDING = 1,
} gpumex_sort_order;

/**
 * What moves with the keys.
 */
typedef enum gpumex_payload {
    /**
     * Nothing: keys only.
     */
    GPUMEX_PAYLOAD_NONE = 0,
    /**
     * Values, copied bitwise, 4 or 8 bytes each.
     */
    GPUMEX_PAYLOAD_VALUES = 1,
    /**
     * The positions of the keys.
     */
    GPUMEX_PAYLOAD_INDICES = 2,
} gpumex_payload;

/**
 * Layout of the channels of an image. Pixel (i, j): i = column, j = row; c = channel.
 */
typedef enum gpumex_picture_layout {
    /**
     * Interleaved, row-major: (j*width + i)*channels + c.
     */
    GPUMEX_PICTURE_LAYOUT_INTERLEAVED = 0,
    /**
     * One plane for each channel, row-major: (c*height + j)*width + i.
     */
    GPUMEX_PICTURE_LAYOUT_PLANAR_ROWS = 1,
    /**
     * One plane for each channel, column-major, MATLAB's height x width x channels: (c*width +
     * i)*height + j.
     */
    GPUMEX_PICTURE_LAYOUT_PLANAR_COLUMNS = 2,
} gpumex_picture_layout;

/**
 * Implementation of gpumex_raytrace; the pixels are the same.
 */
typedef enum gpumex_raytrace_variant {
    /**
     * BINNED; on the CPU backend its own fastest.
     */
    GPUMEX_RAYTRACE_VARIANT_AUTO = 0,
    /**
     * A sequential loop over pixels and spheres on one core; CPU backend only.
     */
    GPUMEX_RAYTRACE_VARIANT_SEQUENTIAL = 1,
    /**
     * Textbook: spheres in global memory.
     */
    GPUMEX_RAYTRACE_VARIANT_GLOBAL = 2,
    /**
     * Textbook: spheres through the read-only data cache (`const __restrict__`).
     */
    GPUMEX_RAYTRACE_VARIANT_READ_ONLY = 3,
    /**
     * Textbook: spheres in constant memory, in chunks of 64 KB.
     */
    GPUMEX_RAYTRACE_VARIANT_CONSTANT = 4,
    /**
     * Spheres binned by tile of the image; any number of them.
     */
    GPUMEX_RAYTRACE_VARIANT_BINNED = 5,
} gpumex_raytrace_variant;

/**
 * Reduction along a dimension of an array.
 */
typedef enum gpumex_dim_reduction {
    /**
     * The sum.
     */
    GPUMEX_DIM_REDUCTION_SUM = 0,
    /**
     * The product.
     */
    GPUMEX_DIM_REDUCTION_PRODUCT = 1,
    /**
     * The smallest element; -0 is less than 0.
     */
    GPUMEX_DIM_REDUCTION_MIN = 2,
    /**
     * The largest element; -0 is less than 0.
     */
    GPUMEX_DIM_REDUCTION_MAX = 3,
    /**
     * Whether an element is not 0.
     */
    GPUMEX_DIM_REDUCTION_ANY = 4,
    /**
     * Whether no element is 0.
     */
    GPUMEX_DIM_REDUCTION_ALL = 5,
    /**
     * The number of elements that are not 0.
     */
    GPUMEX_DIM_REDUCTION_COUNT = 6,
    /**
     * The sum divided by the number of elements.
     */
    GPUMEX_DIM_REDUCTION_MEAN = 7,
} gpumex_dim_reduction;

/**
 * What NaN is to a reduction; MATLAB's nanflag.
 */
typedef enum gpumex_nan_flag {
    /**
     * OMIT for MIN, MAX, ANY and ALL, INCLUDE for the others.
     */
    GPUMEX_NAN_FLAG_DEFAULT = 0,
    /**
     * NaN is an element like others: sums and extrema of it are NaN, and it is not 0.
     */
    GPUMEX_NAN_FLAG_INCLUDE = 1,
    /**
     * NaN is left out; extrema and means of NaN alone are NaN.
     */
    GPUMEX_NAN_FLAG_OMIT = 2,
} gpumex_nan_flag;

/**
 * The factor of gpumex_scale.
 */
typedef enum gpumex_scale_factor {
    /**
     * alpha
     */
    GPUMEX_SCALE_FACTOR_ALPHA = 0,
    /**
     * 1 / alpha
     */
    GPUMEX_SCALE_FACTOR_RECIPROCAL = 1,
    /**
     * 1 / sqrt(alpha): normalises a vector by its gpumex_dot with itself
     */
    GPUMEX_SCALE_FACTOR_RECIPROCAL_ROOT = 2,
} gpumex_scale_factor;

/**
 * Operation on two multisets; a key occurs m times in one and n times in the other.
 */
typedef enum gpumex_set_operator {
    /**
     * min(m, n) times, the first ones of a.
     */
    GPUMEX_SET_OPERATOR_INTERSECTION = 0,
    /**
     * max(m, n) times, all of a and the last ones of b.
     */
    GPUMEX_SET_OPERATOR_UNION = 1,
    /**
     * max(m - n, 0) times, the last ones of a.
     */
    GPUMEX_SET_OPERATOR_DIFFERENCE = 2,
    /**
     * |m - n| times, the last ones of whichever has more.
     */
    GPUMEX_SET_OPERATOR_SYMMETRIC_DIFFERENCE = 3,
} gpumex_set_operator;

/**
 * Position of a key among equal ones.
 */
typedef enum gpumex_bound {
    /**
     * Before the first of them.
     */
    GPUMEX_BOUND_LOWER = 0,
    /**
     * Behind the last of them.
     */
    GPUMEX_BOUND_UPPER = 1,
} gpumex_bound;

/**
 * What lies outside an array of rows and columns, in each of the two directions. Of the array
 * a b c d, after d:
 */
typedef enum gpumex_boundary {
    /**
     * d d d: the element of the edge.
     */
    GPUMEX_BOUNDARY_CLAMP = 0,
    /**
     * 0 0 0
     */
    GPUMEX_BOUNDARY_DEAD = 1,
    /**
     * a b c: the opposite edge.
     */
    GPUMEX_BOUNDARY_TORUS = 2,
    /**
     * d c b: mirrored with the edge, as MATLAB's `padarray (..., "symmetric")`.
     */
    GPUMEX_BOUNDARY_MIRROR = 3,
    /**
     * c b a: mirrored without the edge.
     */
    GPUMEX_BOUNDARY_REFLECT = 4,
    /**
     * options->constant, as an element of the array.
     */
    GPUMEX_BOUNDARY_CONSTANT = 5,
} gpumex_boundary;

/**
 * In which order an array of rows and columns is stored.
 */
typedef enum gpumex_stencil_order {
    /**
     * Row-major, as in C: a(0, 1) is the next element in memory.
     */
    GPUMEX_STENCIL_ORDER_ROW = 0,
    /**
     * Column-major, as in MATLAB: a(1, 0) is the next element in memory.
     */
    GPUMEX_STENCIL_ORDER_COLUMN = 1,
} gpumex_stencil_order;

/**
 * Implementation of an operation without textbook kernels.
 */
typedef enum gpumex_variant {
    /**
     * The fastest one.
     */
    GPUMEX_VARIANT_AUTO = 0,
    /**
     * A sequential loop on one core; CPU backend only.
     */
    GPUMEX_VARIANT_SEQUENTIAL = 1,
} gpumex_variant;

/**
 * Implementation of gpumex_add; the sums are the same.
 */
typedef enum gpumex_add_variant {
    /**
     * The fastest one.
     */
    GPUMEX_ADD_VARIANT_AUTO = 0,
    /**
     * A sequential loop on one core; CPU backend only.
     */
    GPUMEX_ADD_VARIANT_SEQUENTIAL = 1,
    /**
     * Pages of managed memory migrate to the device by page faults, when the kernel touches them.
     */
    GPUMEX_ADD_VARIANT_ON_DEMAND = 2,
    /**
     * Managed memory is prefetched to the device before the kernel.
     */
    GPUMEX_ADD_VARIANT_PREFETCH = 3,
} gpumex_add_variant;

/**
 * Implementation of gpumex_dot; results agree within the error bound.
 */
typedef enum gpumex_dot_variant {
    /**
     * The fastest deterministic one.
     */
    GPUMEX_DOT_VARIANT_AUTO = 0,
    /**
     * A sequential loop on one core; CPU backend only.
     */
    GPUMEX_DOT_VARIANT_SEQUENTIAL = 1,
    /**
     * A tree reduction in each block, one atomic addition for each block: the order of the
     * additions, and with it the rounding, is not deterministic.
     */
    GPUMEX_DOT_VARIANT_ATOMIC = 2,
    /**
     * A tree reduction in each block, and a second kernel that adds the block sums in a fixed
     * order.
     */
    GPUMEX_DOT_VARIANT_TWO_PASS = 3,
    /**
     * The textbook's tree in shared memory, with a barrier a level, and one atomic a block.
     */
    GPUMEX_DOT_VARIANT_SHARED = 4,
} gpumex_dot_variant;

/**
 * Implementation of gpumex_sort; the results are the same.
 */
typedef enum gpumex_sort_variant {
    /**
     * RADIX.
     */
    GPUMEX_SORT_VARIANT_AUTO = 0,
    /**
     * The stable sort of the standard library, on one core; CPU backend only.
     */
    GPUMEX_SORT_VARIANT_SEQUENTIAL = 1,
    /**
     * Least significant digit radix sort, eight bits a pass.
     */
    GPUMEX_SORT_VARIANT_RADIX = 2,
} gpumex_sort_variant;

/**
 * How much of a convolution is computed, of rows x cols elements and a filter of m x n weights.
 */
typedef enum gpumex_convolve_shape {
    /**
     * rows x cols results: the middle part of FULL, from row m/2 and column n/2 on.
     */
    GPUMEX_CONVOLVE_SHAPE_SAME = 0,
    /**
     * (rows + m - 1) x (cols + n - 1) results: each that an element takes part in.
     */
    GPUMEX_CONVOLVE_SHAPE_FULL = 1,
    /**
     * (rows - m + 1) x (cols - n + 1) results, none where the filter is larger: those that take
     * elements of the array only.
     */
    GPUMEX_CONVOLVE_SHAPE_VALID = 2,
} gpumex_convolve_shape;

/**
 * Whether a filter is turned.
 */
typedef enum gpumex_convolve_kind {
    /**
     * Turned by 180 degrees, as MATLAB's conv2.
     */
    GPUMEX_CONVOLVE_KIND_CONVOLUTION = 0,
    /**
     * As it is, as MATLAB's filter2 and imfilter.
     */
    GPUMEX_CONVOLVE_KIND_CORRELATION = 1,
} gpumex_convolve_kind;

/**
 * Character encoding of a text.
 */
typedef enum gpumex_words_encoding {
    /**
     * UTF-8: words consist of letters and digits of Unicode.
     */
    GPUMEX_WORDS_ENCODING_UTF8 = 0,
    /**
     * ASCII: bytes from 0x80 on separate words.
     */
    GPUMEX_WORDS_ENCODING_ASCII = 1,
} gpumex_words_encoding;

/**
 * Storage of the cells of a board.
 */
typedef enum gpumex_life_cells {
    /**
     * One byte for each cell.
     */
    GPUMEX_LIFE_CELLS_BYTES = 0,
    /**
     * One bit for each cell, rows padded to 64-bit words.
     */
    GPUMEX_LIFE_CELLS_BITS = 1,
} gpumex_life_cells;

/**
 * Storage order of a matrix.
 */
typedef enum gpumex_matmul_order {
    /**
     * Row-major, as in C.
     */
    GPUMEX_MATMUL_ORDER_ROW = 0,
    /**
     * Column-major, as in MATLAB.
     */
    GPUMEX_MATMUL_ORDER_COLUMN = 1,
} gpumex_matmul_order;

/**
 * Where the pages of managed memory are needed next.
 */
typedef enum gpumex_prefetch_target {
    /**
     * On the device of the context.
     */
    GPUMEX_PREFETCH_TARGET_DEVICE = 0,
    /**
     * On the host.
     */
    GPUMEX_PREFETCH_TARGET_HOST = 1,
} gpumex_prefetch_target;

/**
 * Whether an element is part of its own prefix.
 */
typedef enum gpumex_scan_kind {
    /**
     * No: the first result is the operator's identity.
     */
    GPUMEX_SCAN_KIND_EXCLUSIVE = 0,
    /**
     * Yes: the last result is the total.
     */
    GPUMEX_SCAN_KIND_INCLUSIVE = 1,
} gpumex_scan_kind;

/**
 * How segment boundaries are given.
 */
typedef enum gpumex_segments {
    /**
     * The positions at which segments begin, ascending.
     */
    GPUMEX_SEGMENTS_OFFSETS = 0,
    /**
     * One bit for each element, 32 in a word of uint32_t, the lowest first: set where a segment
     * begins.
     */
    GPUMEX_SEGMENTS_FLAGS = 1,
} gpumex_segments;

/**
 * Backend of a context.
 */
typedef enum gpumex_backend {
    /**
     * The setting `backend`; where that is auto, CUDA where it works, else the CPU. Short calls on
     * memory of the host stay on the CPU (gpumex_context_create).
     */
    GPUMEX_BACKEND_AUTO = 0,
    /**
     * All cores of this machine.
     */
    GPUMEX_BACKEND_CPU = 1,
    /**
     * A CUDA device, or an error.
     */
    GPUMEX_BACKEND_CUDA = 2,
} gpumex_backend;

/**
 * Log level; each includes those before it.
 */
typedef enum gpumex_log_level {
    /**
     * Nothing (the default).
     */
    GPUMEX_LOG_LEVEL_OFF = 0,
    /**
     * Each call that failed, with its message.
     */
    GPUMEX_LOG_LEVEL_ERROR = 1,
    /**
     * A GPU that has faulted and does not respond.
     */
    GPUMEX_LOG_LEVEL_WARN = 2,
    /**
     * The backend and device that were chosen.
     */
    GPUMEX_LOG_LEVEL_INFO = 3,
    /**
     * Each call that succeeded, by name.
     */
    GPUMEX_LOG_LEVEL_DEBUG = 4,
} gpumex_log_level;

/**
 * A communicator: one rank of a group, and the context that it works in. An opaque handle: looked
 * up, never dereferenced.
 */
typedef struct gpumex_comm gpumex_comm;

/**
 * A backend with its device, stream and allocator. An opaque handle: looked up, never dereferenced.
 */
typedef struct gpumex_context gpumex_context;

/**
 * A mark in the work of a context, for which other contexts and threads wait. An opaque handle:
 * looked up, never dereferenced.
 */
typedef struct gpumex_event gpumex_event;

/**
 * The lanes `first .. first + len` that a thread works on.
 */
typedef struct Span Span;

typedef struct Word Word;

/**
 * @brief Options of gpumex_add: GPUMEX_ADD_OPTIONS_INIT or GPUMEX_OPTIONS (add, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_add_options {
    /**
     * sizeof(gpumex_add_options).
     */
    size_t size;
    /**
     * A gpumex_add_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the vectors, F32 or F64; required.
     */
    int32_t dtype;
} gpumex_add_options;

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Allocates device memory: `*memory` <- bytes bytes, aligned to 512 bytes; returns 0, or
 * another number where there is none.
 *
 * On the CPU backend it is host memory. stream is the context's cudaStream_t, in whose order the
 * memory is used; NULL on the CPU backend. The device of the context is current. May be called from
 * any thread. Must not unwind, longjmp, call the library with the same or the default context, or
 * wait for a thread that is in the library.
 * @ingroup gpumex_memory
 */
typedef int32_t (*gpumex_allocate_callback)(void *user, size_t bytes, void *stream, void **memory);
#endif

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Releases memory of a gpumex_allocate_callback, under the same rules.
 *
 * The stream may still be using it: order the release after the work of the stream.
 * @ingroup gpumex_memory
 */
typedef void (*gpumex_release_callback)(void *user, void *memory, size_t bytes, void *stream);
#endif

/**
 * Statistics of a context's allocator: GPUMEX_ALLOCATOR_STATS_INIT.
 */
typedef struct gpumex_allocator_stats {
    /**
     * sizeof(gpumex_allocator_stats).
     */
    size_t size;
    /**
     * A gpumex_allocator.
     */
    int32_t allocator;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * Bytes in use, rounded up to whole blocks.
     */
    uint64_t allocated;
    /**
     * Bytes of idle blocks.
     */
    uint64_t cached;
    /**
     * Limit of allocated + cached, as far as evicting idle blocks can keep it.
     */
    uint64_t capacity;
    /**
     * Bytes of the largest block that is kept idle.
     */
    uint64_t largest;
    /**
     * Maximum of allocated.
     */
    uint64_t peak;
    /**
     * Blocks in use.
     */
    uint64_t allocated_blocks;
    /**
     * Idle blocks.
     */
    uint64_t cached_blocks;
    /**
     * Allocations served by an idle block.
     */
    uint64_t hits;
    /**
     * Allocations from the driver.
     */
    uint64_t misses;
    /**
     * Idle blocks returned to the driver.
     */
    uint64_t evictions;
} gpumex_allocator_stats;

/**
 * @brief Options of gpumex_axpy: GPUMEX_AXPY_OPTIONS_INIT or GPUMEX_OPTIONS (axpy, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_axpy_options {
    /**
     * sizeof(gpumex_axpy_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of vectors, alpha and beta, F32 or F64; required.
     */
    int32_t dtype;
    /**
     * One element of dtype, in memory of the host or the device; NULL: 1.
     */
    const void *alpha;
    /**
     * One element of dtype, in memory of the host or the device; NULL: 1.
     */
    const void *beta;
} gpumex_axpy_options;

/**
 * @brief Options of gpumex_bulk_insert: GPUMEX_BULK_INSERT_OPTIONS_INIT or GPUMEX_OPTIONS
 * (bulk_insert, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_bulk_insert_options {
    /**
     * sizeof(gpumex_bulk_insert_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_bulk_insert_options;

/**
 * @brief Options of gpumex_bulk_remove: GPUMEX_BULK_REMOVE_OPTIONS_INIT or GPUMEX_OPTIONS
 * (bulk_remove, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_bulk_remove_options {
    /**
     * sizeof(gpumex_bulk_remove_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_bulk_remove_options;

/**
 * @brief Options of gpumex_check_sorted: GPUMEX_CHECK_SORTED_OPTIONS_INIT or GPUMEX_OPTIONS
 * (check_sorted, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_check_sorted_options {
    /**
     * sizeof(gpumex_check_sorted_options).
     */
    size_t size;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * 1: equal neighbours are out of order too; 0: they are in order.
     */
    int32_t strict;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_check_sorted_options;

/**
 * @brief Options of gpumex_comm_create and gpumex_comm_create_local: GPUMEX_COMM_OPTIONS_INIT or
 * GPUMEX_OPTIONS (comm, ...).
 * @ingroup gpumex_comm
 */
typedef struct gpumex_comm_options {
    /**
     * sizeof(gpumex_comm_options).
     */
    size_t size;
    /**
     * The longest that a call waits for the other ranks in one step, in ms; 0 is 300000.
     */
    int32_t timeout_ms;
    /**
     * Rows that gpumex_comm_life exchanges at once, every so many generations: the most that a rank
     * asks for, up to 65536; 0: by cost.
     */
    int32_t life_halo;
} gpumex_comm_options;

/**
 * @brief Bytes to one other rank and from it, in host memory.
 * @ingroup gpumex_comm
 */
typedef struct gpumex_message {
    /**
     * The other rank.
     */
    int32_t peer;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * send_bytes bytes for it.
     */
    const void *send;
    /**
     * Bytes to send; may be 0.
     */
    size_t send_bytes;
    /**
     * Receives recv_bytes bytes from it.
     */
    void *recv;
    /**
     * Bytes to receive; may be 0.
     */
    size_t recv_bytes;
} gpumex_message;

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Exchanges bytes with other ranks: sends and receives all messages, and returns when all
 * have been received, and what was sent may be overwritten.
 *
 * There is at most one message for each other rank, in ascending order of peer. Both sides of a
 * message are in calls that belong together, and know its sizes: one that arrives with another
 * size is an error. Returns 0, or another number after an error, which ends the communicator:
 * GPUMEX_STATUS_TIMEOUT is passed on, what gpumex_comm_poll returned as well, all else is PEER.
 * While it waits it calls gpumex_comm_poll every few milliseconds, and returns what that returns
 * if it is not 0. Called on the thread that is in a call of the communicator. Must not unwind,
 * longjmp or use the context (which is BUSY).
 * @ingroup gpumex_comm
 */
typedef int32_t (*gpumex_exchange_callback)(void *user,
                                            const struct gpumex_message *messages,
                                            size_t count);
#endif

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Gathers bytes from all ranks on all: `all` <- the bytes bytes at `own` of rank 0, of
 * rank 1 and so on, this rank's own among them; bytes is the same on all ranks. Rules and result
 * are those of gpumex_exchange_callback.
 * @ingroup gpumex_comm
 */
typedef int32_t (*gpumex_allgather_callback)(void *user, const void *own, void *all, size_t bytes);
#endif

/**
 * @brief What a communicator is: GPUMEX_COMM_INFO_INIT.
 * @ingroup gpumex_comm
 */
typedef struct gpumex_comm_info {
    /**
     * sizeof(gpumex_comm_info).
     */
    size_t size;
    /**
     * This rank, from 0.
     */
    int32_t rank;
    /**
     * Number of ranks.
     */
    int32_t ranks;
    /**
     * 1: it can be used; 0: a failure or gpumex_comm_abort ended it.
     */
    int32_t alive;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_comm_info;

/**
 * @brief Options of gpumex_dot: GPUMEX_DOT_OPTIONS_INIT or GPUMEX_OPTIONS (dot, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_dot_options {
    /**
     * sizeof(gpumex_dot_options).
     */
    size_t size;
    /**
     * A gpumex_dot_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the vectors, F32, F64, C64 or C128; required.
     */
    int32_t dtype;
    /**
     * 1: of C64 and C128 the sum of conj (`x[i]`)*`y[i]`, which of real dtypes is the same; 0: of
     * `x[i]*y[i]`.
     */
    int32_t conjugate;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_dot_options;

/**
 * @brief Options of gpumex_histogram: GPUMEX_HISTOGRAM_OPTIONS_INIT or GPUMEX_OPTIONS (histogram,
 * ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_histogram_options {
    /**
     * sizeof(gpumex_histogram_options).
     */
    size_t size;
    /**
     * A gpumex_histogram_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the samples: U8 (also where it is not set), U16, U32, I32, F32 or F64.
     */
    int32_t dtype;
    /**
     * Interleaved channels of the data, 1 to 4; 0 is 1.
     */
    int32_t channels;
    /**
     * 1: counts are added to; 0: they are overwritten.
     */
    int32_t accumulate;
    /**
     * Lower end of the first of the bins of equal width.
     */
    double lo;
    /**
     * Upper end of the last bin; lo = hi = 0: each integer is its own bin, from 0.
     */
    double hi;
    /**
     * bins + 1 ascending edges in place of lo and hi, or NULL.
     */
    const double *edges;
    /**
     * count / channels weights, one a pixel, or NULL. With weights the counts are sums in double.
     */
    const void *weights;
    /**
     * A gpumex_dtype of the weights, F32 or F64; required with weights.
     */
    int32_t weights_dtype;
    /**
     * A gpumex_histogram_outliers: where samples outside the bins fall.
     */
    int32_t outliers;
    /**
     * 1: a sample equal to hi, or to the last edge, falls into the last bin; 0: it lies outside.
     */
    int32_t right_edge;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_histogram_options;

/**
 * @brief Options of gpumex_life: GPUMEX_LIFE_OPTIONS_INIT or GPUMEX_OPTIONS (life, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_life_options {
    /**
     * sizeof(gpumex_life_options).
     */
    size_t size;
    /**
     * A gpumex_life_variant.
     */
    int32_t variant;
    /**
     * A gpumex_life_boundary.
     */
    int32_t boundary;
    /**
     * A gpumex_life_cells.
     */
    int32_t cells;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * An outer-totalistic rule such as "B36/S23" (or "23/36", survivors first); NULL is "B3/S23".
     */
    const char *rule;
} gpumex_life_options;

/**
 * @brief Options of gpumex_matmul: GPUMEX_MATMUL_OPTIONS_INIT or GPUMEX_OPTIONS (matmul, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_matmul_options {
    /**
     * sizeof(gpumex_matmul_options).
     */
    size_t size;
    /**
     * A gpumex_matmul_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of A, B and C: F32 (also where it is not set), F64, F16, BF16, C64 or C128.
     */
    int32_t dtype;
    /**
     * A gpumex_matmul_order of A, B and C.
     */
    int32_t order;
    /**
     * 1: A is stored transposed, k*m. 2: of C64 and C128, as its conjugate transpose.
     */
    int32_t trans_a;
    /**
     * 1: B is stored transposed, n*k. 2: of C64 and C128, as its conjugate transpose.
     */
    int32_t trans_b;
    /**
     * 1: all products of a batch share one A, and stride_a is ignored.
     */
    int32_t same_a;
    /**
     * 1: all products of a batch share one B, and stride_b is ignored.
     */
    int32_t same_b;
    /**
     * A gpumex_dtype of C: that of A and B (also where it is not set), or F32 where they are F16 or
     * BF16.
     */
    int32_t dtype_c;
    /**
     * Leading dimension of A in elements: from one stored row (ROW) or column (COLUMN) to the next;
     * 0: no gap.
     */
    size_t lda;
    /**
     * Leading dimension of B; 0: no gap.
     */
    size_t ldb;
    /**
     * Leading dimension of C; 0: no gap.
     */
    size_t ldc;
    /**
     * Number of products; 0 is 1.
     */
    size_t batch;
    /**
     * Elements from one A of a batch to the next; 0: no gap.
     */
    size_t stride_a;
    /**
     * Elements from one B of a batch to the next; 0: no gap.
     */
    size_t stride_b;
    /**
     * Elements from one C of a batch to the next; 0: no gap.
     */
    size_t stride_c;
    /**
     * Factor of A*B, a double in host memory; NULL is 1.
     */
    const double *alpha;
    /**
     * Factor of the C that is there, a double in host memory; NULL is 0.
     */
    const double *beta;
    /**
     * Imaginary part of alpha for C64 and C128, a double in host memory; NULL is 0.
     */
    const double *alpha_imag;
    /**
     * Imaginary part of beta for C64 and C128, a double in host memory; NULL is 0.
     */
    const double *beta_imag;
} gpumex_matmul_options;

/**
 * @brief Options of gpumex_reduce: GPUMEX_REDUCE_OPTIONS_INIT or GPUMEX_OPTIONS (reduce, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_reduce_options {
    /**
     * sizeof(gpumex_reduce_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums and products also a
     * complex one;
     * required.
     */
    int32_t dtype;
    /**
     * A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
     */
    int32_t op;
    /**
     * A gpumex_dtype of the result, in which integers are accumulated; NONE: dtype, of 4 bytes or
     * more.
     */
    int32_t accumulator_dtype;
    /**
     * One element of the accumulator dtype: a second place for the result, such as host memory
     * where result is device memory; or NULL.
     */
    void *result_copy;
    /**
     * An associative expression of a and b, as for gpumex_map, in the place of op; or NULL.
     */
    const char *expression;
    /**
     * The result of no elements, one element of the accumulator dtype in host memory; NULL: that of
     * the operator.
     */
    const void *identity;
} gpumex_reduce_options;

/**
 * @brief Options of gpumex_scan: GPUMEX_SCAN_OPTIONS_INIT or GPUMEX_OPTIONS (scan, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_scan_options {
    /**
     * sizeof(gpumex_scan_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums also a complex one;
     * required.
     */
    int32_t dtype;
    /**
     * A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
     */
    int32_t op;
    /**
     * A gpumex_scan_kind: EXCLUSIVE or INCLUSIVE.
     */
    int32_t kind;
    /**
     * A gpumex_dtype of the results, in which integers are accumulated; NONE: dtype, of 4 bytes or
     * more.
     */
    int32_t accumulator_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * An associative expression of a and b, as for gpumex_map, in the place of op; or NULL.
     */
    const char *expression;
    /**
     * The result of no elements, one element of the accumulator dtype in host memory; NULL: that of
     * the operator.
     */
    const void *identity;
} gpumex_scan_options;

/**
 * @brief Options of gpumex_sort: GPUMEX_SORT_OPTIONS_INIT or GPUMEX_OPTIONS (sort, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_sort_options {
    /**
     * sizeof(gpumex_sort_options).
     */
    size_t size;
    /**
     * A gpumex_sort_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_payload: what moves with the keys.
     */
    int32_t payload;
    /**
     * A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
     */
    int32_t value_dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * An expression of keys a and b that says whether a precedes b, as for gpumex_map, in the place
     * of order; or NULL.
     */
    const char *expression;
} gpumex_sort_options;

/**
 * @brief Options of gpumex_words: GPUMEX_WORDS_OPTIONS_INIT or GPUMEX_OPTIONS (words, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_words_options {
    /**
     * sizeof(gpumex_words_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_words_encoding of the text.
     */
    int32_t encoding;
    /**
     * 1: words that differ in case only are the same; 0: they are not.
     */
    int32_t fold;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_words_options;

/**
 * @brief Totals of gpumex_words: GPUMEX_WORDS_SUMMARY_INIT.
 * @ingroup gpumex_operations
 */
typedef struct gpumex_words_summary {
    /**
     * sizeof(gpumex_words_summary).
     */
    size_t size;
    /**
     * Words of the text.
     */
    uint64_t words;
    /**
     * Different words.
     */
    uint64_t distinct;
    /**
     * Elements of the arrays that are set: k, or distinct where it is less.
     */
    uint64_t listed;
} gpumex_words_summary;

/**
 * @brief Options of gpumex_compact: GPUMEX_COMPACT_OPTIONS_INIT or GPUMEX_OPTIONS (compact, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_compact_options {
    /**
     * sizeof(gpumex_compact_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, integers or BOOL; required with kept.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_compact_options;

/**
 * @brief Options of gpumex_context_create_with: GPUMEX_CONTEXT_OPTIONS_INIT or GPUMEX_OPTIONS
 * (context, ...).
 * @ingroup gpumex_context
 */
typedef struct gpumex_context_options {
    /**
     * sizeof(gpumex_context_options).
     */
    size_t size;
    /**
     * A gpumex_backend, as for gpumex_context_create; ignored with on_stream.
     */
    int32_t backend;
    /**
     * 1: the context works in `stream`, on a CUDA device; 0: in a stream of its own.
     */
    int32_t on_stream;
    /**
     * Host threads of its operations, 1 to 4096; 0: the setting `num_threads`. No more than four a
     * core, or 64, are started.
     */
    int32_t threads;
    /**
     * A gpumex_busy_policy: what happens to a thread that enters while another one is in the
     * context.
     */
    int32_t busy;
    /**
     * The CUDA ordinal, in host memory; NULL or -1: the caller's current device, else
     * GPUMEX_DEVICE, else 0.
     */
    const int32_t *device;
    /**
     * With on_stream a cudaStream_t or CUstream of the device's primary context, as for
     * gpumex_context_create_on_stream; NULL: the legacy default stream.
     */
    void *stream;
    /**
     * Bytes that the caching allocator may hold, in use and idle (gpumex_allocator_set_capacity),
     * half of them for the largest block kept; 0: the default.
     */
    uint64_t cache_capacity;
} gpumex_context_options;

/**
 * The device of a context: GPUMEX_DEVICE_INFO_INIT.
 */
typedef struct gpumex_device_info {
    /**
     * sizeof(gpumex_device_info).
     */
    size_t size;
    /**
     * GPUMEX_BACKEND_CPU or GPUMEX_BACKEND_CUDA.
     */
    int32_t backend;
    /**
     * CUDA ordinal; -1 on the CPU backend.
     */
    int32_t device;
    /**
     * Name of the device, NUL-terminated.
     */
    char name[128];
    /**
     * Streaming multiprocessors; on the CPU backend the threads that the context was given.
     */
    int32_t multiprocessors;
    /**
     * Major compute capability; 0 on the CPU backend.
     */
    int32_t compute_major;
    /**
     * Minor compute capability; 0 on the CPU backend.
     */
    int32_t compute_minor;
    /**
     * Maximum core clock in kHz; 0 where unknown.
     */
    int32_t clock_khz;
    /**
     * Maximum memory clock in kHz; 0 where unknown.
     */
    int32_t memory_clock_khz;
    /**
     * Width of the memory bus in bits; 0 where unknown.
     */
    int32_t memory_bus_bits;
    /**
     * 1 where the memory corrects errors; 0 on the CPU backend.
     */
    int32_t ecc;
    /**
     * Version of the CUDA driver, 1000*major + 10*minor; 0 on the CPU backend.
     */
    int32_t driver_version;
    /**
     * Memory of the device in bytes.
     */
    uint64_t total_memory;
    /**
     * Free memory of the device in bytes.
     */
    uint64_t free_memory;
    /**
     * L2 cache in bytes; 0 on the CPU backend.
     */
    uint64_t l2_bytes;
    /**
     * Shared memory that a block may have, in bytes; 0 on the CPU backend.
     */
    uint64_t shared_bytes_per_block;
    /**
     * Memory bandwidth in GB/s from clock and bus width; 0 where unknown.
     */
    double bandwidth_gbs;
} gpumex_device_info;

/**
 * @brief Options of gpumex_convolve: GPUMEX_CONVOLVE_OPTIONS_INIT or GPUMEX_OPTIONS
 *   (convolve, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_convolve_options {
    /**
     * sizeof(gpumex_convolve_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of data: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype of filter, in which products are summed: F32 or F64, of integers I32 and I64
     * as well. NONE: F32 of F32, F64 of F64, I32 of integers of 1 and 2 bytes and BOOL, else I64.
     */
    int32_t accumulator_dtype;
    /**
     * A gpumex_dtype of result: F32, F64, integers or BOOL; NONE: the accumulator_dtype.
     */
    int32_t result_dtype;
    /**
     * A gpumex_boundary: what lies outside data.
     */
    int32_t boundary;
    /**
     * A gpumex_convolve_shape: how many results there are.
     */
    int32_t shape;
    /**
     * A gpumex_convolve_kind: whether the filter is turned.
     */
    int32_t kind;
    /**
     * A gpumex_stencil_order of data, filter and result.
     */
    int32_t order;
    /**
     * What lies outside, for CONSTANT, rounded to dtype as by gpumex_stencil.
     */
    double constant;
} gpumex_convolve_options;

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Receives one line of the log: a gpumex_log_level and a text that is valid until it
 * returns.
 *
 * May be called from any thread that is in the library, one at a time. Must not unwind, longjmp or
 * call the library. It may fork, and the child may call the library.
 * @ingroup gpumex_diagnostics
 */
typedef void (*gpumex_log_callback)(void *user, int32_t level, const char *message);
#endif

/**
 * @brief Options of gpumex_gather: GPUMEX_GATHER_OPTIONS_INIT or GPUMEX_OPTIONS (gather, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_gather_options {
    /**
     * sizeof(gpumex_gather_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of source and result; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype of the indices, U32 or U64; required.
     */
    int32_t index_dtype;
    /**
     * 1: an index that is out of range is an error; 0: it gives zero.
     */
    int32_t check;
} gpumex_gather_options;

/**
 * @brief Options of gpumex_gather_nd: GPUMEX_GATHER_ND_OPTIONS_INIT or GPUMEX_OPTIONS (gather_nd,
 *   ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_gather_nd_options {
    /**
     * sizeof(gpumex_gather_nd_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of source and result; required.
     */
    int32_t dtype;
    /**
     * Number of dimensions, 1 to 8; 0 is 1.
     */
    int32_t rank;
    /**
     * 1: an index that is out of range is an error; 0: it gives zero.
     */
    int32_t check;
    /**
     * rank elements: the extent of each dimension of source, the first one fastest; required.
     */
    const size_t *shape;
    /**
     * rank elements: the extent of each dimension of result; NULL: shape.
     */
    const size_t *counts;
    /**
     * rank elements: the first position of each range; it is added to indices (-1: they count from
     * 1). NULL: 0.
     */
    const int64_t *starts;
    /**
     * rank elements: the step of each range; NULL: 1.
     */
    const int64_t *steps;
    /**
     * rank elements, 1: the positions of a range are modulo its extent; NULL: 0.
     */
    const int32_t *wraps;
    /**
     * rank arrays, each of its dtype in index_dtypes: the index vector of each dimension, counts[d]
     * elements, or a mask, shape[d] bytes; NULL, of one or of all: a range.
     */
    const void *const *indices;
    /**
     * rank elements, each a gpumex_dtype: that of each index vector, U32, U64, I32, I64 or F64, or
     * BOOL for a mask; NULL without them.
     */
    const int32_t *index_dtypes;
} gpumex_gather_nd_options;

/**
 * @brief Options of gpumex_interval_expand: GPUMEX_INTERVAL_EXPAND_OPTIONS_INIT or GPUMEX_OPTIONS
 * (interval_expand, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_interval_expand_options {
    /**
     * sizeof(gpumex_interval_expand_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_interval_expand_options;

/**
 * @brief Options of gpumex_interval_move: GPUMEX_INTERVAL_MOVE_OPTIONS_INIT or GPUMEX_OPTIONS
 * (interval_move, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_interval_move_options {
    /**
     * sizeof(gpumex_interval_move_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_interval_move_options;

/**
 * @brief Options of gpumex_join: GPUMEX_JOIN_OPTIONS_INIT or GPUMEX_OPTIONS (join, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_join_options {
    /**
     * sizeof(gpumex_join_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_join_kind.
     */
    int32_t kind;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_join_options;

/**
 * @brief Options of gpumex_load_balance_search: GPUMEX_LOAD_BALANCE_SEARCH_OPTIONS_INIT or
 * GPUMEX_OPTIONS (load_balance_search, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_load_balance_search_options {
    /**
     * sizeof(gpumex_load_balance_search_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
} gpumex_load_balance_search_options;

/**
 * @brief Options of gpumex_locality_sort: GPUMEX_LOCALITY_SORT_OPTIONS_INIT or GPUMEX_OPTIONS
 * (locality_sort, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_locality_sort_options {
    /**
     * sizeof(gpumex_locality_sort_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_payload: what moves with the keys.
     */
    int32_t payload;
    /**
     * A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
     */
    int32_t value_dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
} gpumex_locality_sort_options;

/**
 * @brief Options of gpumex_map: GPUMEX_MAP_OPTIONS_INIT or GPUMEX_OPTIONS (map, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_map_options {
    /**
     * sizeof(gpumex_map_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_rules: how operations get their types.
     */
    int32_t rules;
    /**
     * A gpumex_dtype of result; required. gpumex_map_dtype gives the natural one.
     */
    int32_t dtype;
    /**
     * Number of dimensions, 1 to 8; 0 is 1.
     */
    int32_t rank;
    /**
     * Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
     */
    const char *names;
    /**
     * input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
     */
    const int32_t *dtypes;
    /**
     * rank elements: the extent of each dimension of result; required.
     */
    const size_t *shape;
    /**
     * input_count*rank elements: the strides of each input, in elements of it; 0 broadcasts a
     * dimension. NULL: every input is dense in the order of result.
     */
    const int64_t *strides;
    /**
     * rank elements: the strides of result, in elements of it; NULL: dense, the first dimension
     * fastest.
     */
    const int64_t *result_strides;
} gpumex_map_options;

/**
 * @brief Options of gpumex_map_reduce: GPUMEX_MAP_REDUCE_OPTIONS_INIT or GPUMEX_OPTIONS
 *   (map_reduce, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_map_reduce_options {
    /**
     * sizeof(gpumex_map_reduce_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_rules: how operations get their types; with C integer sums and products wrap, with
     * MATLAB they saturate.
     */
    int32_t rules;
    /**
     * A gpumex_dtype of the expression: F32, F64, integers or BOOL; required. gpumex_map_dtype
     * gives the natural one.
     */
    int32_t dtype;
    /**
     * Number of dimensions, 1 to 8; 0 is 1.
     */
    int32_t rank;
    /**
     * A gpumex_dim_reduction; SUM is 0.
     */
    int32_t op;
    /**
     * The dimension that is reduced, 1 to rank, of which the first is the fastest; 0: all.
     */
    int32_t dimension;
    /**
     * A gpumex_dtype of the results; NONE: the natural one.
     */
    int32_t accumulator_dtype;
    /**
     * A gpumex_nan_flag.
     */
    int32_t nan;
    /**
     * A gpumex_dtype, U32 or U64, of positions; required where that array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
     */
    const char *names;
    /**
     * input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
     */
    const int32_t *dtypes;
    /**
     * rank elements: the extent of each dimension of the expression; required.
     */
    const size_t *shape;
    /**
     * input_count*rank elements: the strides of each input, in elements of it; 0 broadcasts a
     * dimension. NULL: every input is dense, the first dimension fastest.
     */
    const int64_t *strides;
    /**
     * Receives as many elements of index_dtype as result has, for MIN and MAX: the position from 0
     * along the dimension of the first element that is the extremum, of all dimensions in the order
     * in which the first is the fastest; or NULL.
     */
    void *positions;
} gpumex_map_reduce_options;

/**
 * @brief Options of gpumex_map_scan: GPUMEX_MAP_SCAN_OPTIONS_INIT or GPUMEX_OPTIONS (map_scan,
 *   ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_map_scan_options {
    /**
     * sizeof(gpumex_map_scan_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_rules: how operations get their types; with C integer sums and products wrap, with
     * MATLAB they saturate.
     */
    int32_t rules;
    /**
     * A gpumex_dtype of the expression: F32, F64, integers or BOOL; required. gpumex_map_dtype
     * gives the natural one.
     */
    int32_t dtype;
    /**
     * Number of dimensions, 1 to 8; 0 is 1.
     */
    int32_t rank;
    /**
     * A gpumex_dim_reduction: SUM (0), PRODUCT, MIN or MAX.
     */
    int32_t op;
    /**
     * The dimension that is scanned, 1 to rank, of which the first is the fastest; 0: all elements,
     * in the order in which the first dimension is the fastest.
     */
    int32_t dimension;
    /**
     * A gpumex_scan_kind: EXCLUSIVE or INCLUSIVE.
     */
    int32_t kind;
    /**
     * A gpumex_dtype of the results; NONE: the natural one.
     */
    int32_t accumulator_dtype;
    /**
     * A gpumex_nan_flag.
     */
    int32_t nan;
    /**
     * 1: from the last element of the dimension to the first; 0: from the first.
     */
    int32_t reverse;
    /**
     * Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
     */
    const char *names;
    /**
     * input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
     */
    const int32_t *dtypes;
    /**
     * rank elements: the extent of each dimension of the expression; required.
     */
    const size_t *shape;
    /**
     * input_count*rank elements: the strides of each input, in elements of it; 0 broadcasts a
     * dimension. NULL: every input is dense, the first dimension fastest.
     */
    const int64_t *strides;
} gpumex_map_scan_options;

/**
 * @brief Options of gpumex_median_filter: GPUMEX_MEDIAN_FILTER_OPTIONS_INIT or GPUMEX_OPTIONS
 *   (median_filter, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_median_filter_options {
    /**
     * sizeof(gpumex_median_filter_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of data and result: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_boundary: what lies outside data.
     */
    int32_t boundary;
    /**
     * A gpumex_stencil_order of data and result.
     */
    int32_t order;
    /**
     * What lies outside, for CONSTANT, rounded to dtype as by gpumex_stencil.
     */
    double constant;
} gpumex_median_filter_options;

/**
 * @brief Options of gpumex_merge: GPUMEX_MERGE_OPTIONS_INIT or GPUMEX_OPTIONS (merge, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_merge_options {
    /**
     * sizeof(gpumex_merge_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_payload: what moves with the keys.
     */
    int32_t payload;
    /**
     * A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
     */
    int32_t value_dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * An expression of keys a and b that says whether a precedes b, as for gpumex_sort, in the
     * place of order; or NULL.
     */
    const char *expression;
} gpumex_merge_options;

/**
 * @brief Description of a pattern file of Life, read or to be written: GPUMEX_PATTERN_INFO_INIT.
 * @ingroup gpumex_operations
 */
typedef struct gpumex_pattern_info {
    /**
     * sizeof(gpumex_pattern_info).
     */
    size_t size;
    /**
     * A gpumex_pattern_format; to write, AUTO is RLE.
     */
    int32_t format;
    /**
     * A gpumex_life_boundary: TORUS where the rule ends with `:T`, DEAD with `:P` (a plane), else
     * CLAMP.
     */
    int32_t boundary;
    /**
     * Rows of the pattern; not used to write.
     */
    size_t rows;
    /**
     * Columns of the pattern; not used to write.
     */
    size_t cols;
    /**
     * Live cells; not used to write.
     */
    uint64_t population;
    /**
     * Row of the upper left cell: Life 1.06 the least y, RLE what `#P`, `#R` or `#CXRLE Pos`
     * states, else 0.
     */
    int64_t row;
    /**
     * Column of the upper left cell, likewise.
     */
    int64_t col;
    /**
     * Rows of the board after `:T` or `:P`, 0 where none are stated; not used to write.
     */
    size_t board_rows;
    /**
     * Columns of that board; not used to write.
     */
    size_t board_cols;
    /**
     * Rule in B/S notation; to write, "" is "B3/S23".
     */
    char rule[32];
    /**
     * Name (`#N`), truncated to fit.
     */
    char name[128];
} gpumex_pattern_info;

/**
 * @brief Options of gpumex_permute: GPUMEX_PERMUTE_OPTIONS_INIT or GPUMEX_OPTIONS (permute, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_permute_options {
    /**
     * sizeof(gpumex_permute_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of source and result; required.
     */
    int32_t dtype;
    /**
     * Number of dimensions, 1 to 8; 0 is 1.
     */
    int32_t rank;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_permute_options;

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Receives `length` bytes of text, without a terminating NUL, valid until it returns.
 *
 * Returns 0 to continue, any other number to stop. Must not unwind, longjmp or call the library
 * with the same context.
 * @ingroup gpumex_memory
 */
typedef int32_t (*gpumex_write_callback)(void *user, const char *text, size_t length);
#endif

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Receives the progress of an operation, `done` of `total` parts (generations of
 * gpumex_life, bytes of gpumex_histogram and gpumex_words), about 20 times a second.
 *
 * Returns 0 to continue, any other number to cancel the rest. Called on the thread of the
 * operation, with the device's primary context current. Must not unwind, longjmp or use the same
 * context (which is BUSY).
 * @ingroup gpumex_context
 */
typedef int32_t (*gpumex_progress_callback)(void *user, uint64_t done, uint64_t total);
#endif

/**
 * @brief Options of gpumex_raytrace: GPUMEX_RAYTRACE_OPTIONS_INIT or GPUMEX_OPTIONS (raytrace,
 * ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_raytrace_options {
    /**
     * sizeof(gpumex_raytrace_options).
     */
    size_t size;
    /**
     * A gpumex_raytrace_variant.
     */
    int32_t variant;
    /**
     * 4 (or 0): red, green, blue, alpha; 3: without alpha.
     */
    int32_t channels;
    /**
     * A gpumex_picture_layout.
     */
    int32_t layout;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_raytrace_options;

/**
 * @brief Options of gpumex_reduce_by_key: GPUMEX_REDUCE_BY_KEY_OPTIONS_INIT or GPUMEX_OPTIONS
 * (reduce_by_key, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_reduce_by_key_options {
    /**
     * sizeof(gpumex_reduce_by_key_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of data and results: F32, F64, I32, I64, U32 or U64; required with results.
     */
    int32_t dtype;
    /**
     * A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
     */
    int32_t op;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t key_dtype;
    /**
     * A gpumex_dtype, U32 or U64, of offsets; required with offsets.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * An associative expression of a and b, as for gpumex_map, in the place of op; or NULL. Ignored
     * without results.
     */
    const char *expression;
} gpumex_reduce_by_key_options;

/**
 * @brief Options of gpumex_reduce_dim: GPUMEX_REDUCE_DIM_OPTIONS_INIT or GPUMEX_OPTIONS
 *   (reduce_dim, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_reduce_dim_options {
    /**
     * sizeof(gpumex_reduce_dim_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums and products also a
     * complex one;
     * required.
     */
    int32_t dtype;
    /**
     * A gpumex_dim_reduction; SUM is 0.
     */
    int32_t op;
    /**
     * A gpumex_dtype of the results; NONE: the natural one.
     */
    int32_t accumulator_dtype;
    /**
     * A gpumex_rules: with C integer sums and products wrap, with MATLAB they saturate.
     */
    int32_t rules;
    /**
     * A gpumex_nan_flag.
     */
    int32_t nan;
    /**
     * A gpumex_dtype, U32 or U64, of positions; required where that array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * Receives inner*outer elements of index_dtype, for MIN and MAX: the position from 0 along the
     * dimension of the first element that is the extremum; or NULL.
     */
    void *positions;
} gpumex_reduce_dim_options;

/**
 * @brief Options of gpumex_scale: GPUMEX_SCALE_OPTIONS_INIT or GPUMEX_OPTIONS (scale, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_scale_options {
    /**
     * sizeof(gpumex_scale_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of x and alpha, F32 or F64; required.
     */
    int32_t dtype;
    /**
     * A gpumex_scale_factor: alpha, 1 / alpha or 1 / sqrt (alpha).
     */
    int32_t factor;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_scale_options;

/**
 * @brief Options of gpumex_scan_dim: GPUMEX_SCAN_DIM_OPTIONS_INIT or GPUMEX_OPTIONS (scan_dim,
 *   ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_scan_dim_options {
    /**
     * sizeof(gpumex_scan_dim_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums also a complex one;
     * required.
     */
    int32_t dtype;
    /**
     * A gpumex_dim_reduction: SUM (0), PRODUCT, MIN or MAX.
     */
    int32_t op;
    /**
     * A gpumex_scan_kind: EXCLUSIVE or INCLUSIVE.
     */
    int32_t kind;
    /**
     * A gpumex_dtype of the results; NONE: dtype, for sums and products of 4 bytes or more.
     */
    int32_t accumulator_dtype;
    /**
     * A gpumex_rules: with C integer sums and products wrap, with MATLAB they saturate.
     */
    int32_t rules;
    /**
     * A gpumex_nan_flag.
     */
    int32_t nan;
    /**
     * 1: from the last element of the dimension to the first; 0: from the first.
     */
    int32_t reverse;
} gpumex_scan_dim_options;

/**
 * @brief Options of gpumex_scatter: GPUMEX_SCATTER_OPTIONS_INIT or GPUMEX_OPTIONS (scatter, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_scatter_options {
    /**
     * sizeof(gpumex_scatter_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of source and target; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype of the indices, U32 or U64; required.
     */
    int32_t index_dtype;
    /**
     * 1: an index that is out of range is an error; 0: its element is left out.
     */
    int32_t check;
} gpumex_scatter_options;

/**
 * @brief Options of gpumex_scatter_nd: GPUMEX_SCATTER_ND_OPTIONS_INIT or GPUMEX_OPTIONS
 *   (scatter_nd, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_scatter_nd_options {
    /**
     * sizeof(gpumex_scatter_nd_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of values and target; required.
     */
    int32_t dtype;
    /**
     * Number of dimensions, 1 to 8; 0 is 1.
     */
    int32_t rank;
    /**
     * 1: an index that is out of range is an error; 0: its elements are left out.
     */
    int32_t check;
    /**
     * 1: values is one element, which goes to all places.
     */
    int32_t broadcast;
    /**
     * 1: of elements that go to one place the last one wins, as in MATLAB; 0: whichever.
     */
    int32_t last;
    /**
     * rank elements: the extent of each dimension of target, the first one fastest; required.
     */
    const size_t *shape;
    /**
     * rank elements: the extent of each dimension of values; NULL: shape.
     */
    const size_t *counts;
    /**
     * rank elements: the first position of each range; it is added to indices (-1: they count from
     * 1). NULL: 0.
     */
    const int64_t *starts;
    /**
     * rank elements: the step of each range; NULL: 1.
     */
    const int64_t *steps;
    /**
     * rank elements, 1: the positions of a range are modulo its extent; NULL: 0.
     */
    const int32_t *wraps;
    /**
     * rank arrays, each of its dtype in index_dtypes: the index vector of each dimension, counts[d]
     * elements, or a mask, shape[d] bytes; NULL, of one or of all: a range.
     */
    const void *const *indices;
    /**
     * rank elements, each a gpumex_dtype: that of each index vector, U32, U64, I32, I64 or F64, or
     * BOOL for a mask; NULL without them.
     */
    const int32_t *index_dtypes;
} gpumex_scatter_nd_options;

/**
 * @brief Options of gpumex_segmented_reduce: GPUMEX_SEGMENTED_REDUCE_OPTIONS_INIT or GPUMEX_OPTIONS
 * (segmented_reduce, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_segmented_reduce_options {
    /**
     * sizeof(gpumex_segmented_reduce_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
     */
    int32_t dtype;
    /**
     * A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
     */
    int32_t op;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * The geometry of gpumex_segments_prepare for these offsets, or NULL.
     */
    const void *geometry;
    /**
     * The result of an empty segment, one element of dtype in host memory; NULL: the operator's
     * identity.
     */
    const void *identity;
    /**
     * An associative expression of a and b, as for gpumex_map, in the place of op; or NULL.
     */
    const char *expression;
} gpumex_segmented_reduce_options;

/**
 * @brief Options of gpumex_segmented_sort: GPUMEX_SEGMENTED_SORT_OPTIONS_INIT or GPUMEX_OPTIONS
 * (segmented_sort, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_segmented_sort_options {
    /**
     * sizeof(gpumex_segmented_sort_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_payload: what moves with the keys.
     */
    int32_t payload;
    /**
     * A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
     */
    int32_t value_dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions (payload INDICES) and of segment starts (OFFSETS);
     * required with either.
     */
    int32_t index_dtype;
    /**
     * A gpumex_segments: how segment boundaries are given.
     */
    int32_t segments_by;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_segmented_sort_options;

/**
 * @brief Options of gpumex_segments_prepare: GPUMEX_SEGMENTS_PREPARE_OPTIONS_INIT or
 *   GPUMEX_OPTIONS (segments_prepare, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_segments_prepare_options {
    /**
     * sizeof(gpumex_segments_prepare_options).
     */
    size_t size;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_segments_prepare_options;

/**
 * @brief Options of gpumex_set_operation: GPUMEX_SET_OPERATION_OPTIONS_INIT or GPUMEX_OPTIONS
 * (set_operation, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_set_operation_options {
    /**
     * sizeof(gpumex_set_operation_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_set_operator.
     */
    int32_t op;
    /**
     * A gpumex_payload: what moves with the keys.
     */
    int32_t payload;
    /**
     * A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
     */
    int32_t value_dtype;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * 1: the caller asserts that neither a nor b repeats a key (not faster today); 0: they may.
     */
    int32_t distinct;
} gpumex_set_operation_options;

/**
 * @brief Options of gpumex_sorted_equality_count: GPUMEX_SORTED_EQUALITY_COUNT_OPTIONS_INIT or
 * GPUMEX_OPTIONS (sorted_equality_count, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_sorted_equality_count_options {
    /**
     * sizeof(gpumex_sorted_equality_count_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
} gpumex_sorted_equality_count_options;

/**
 * @brief Options of gpumex_sorted_search: GPUMEX_SORTED_SEARCH_OPTIONS_INIT or GPUMEX_OPTIONS
 * (sorted_search, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_sorted_search_options {
    /**
     * sizeof(gpumex_sorted_search_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
     */
    int32_t dtype;
    /**
     * A gpumex_sort_order: how the keys are sorted.
     */
    int32_t order;
    /**
     * A gpumex_bound: LOWER or UPPER.
     */
    int32_t bound;
    /**
     * A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
     */
    int32_t index_dtype;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * An expression of keys a and b that says whether a precedes b, as for gpumex_sort, in the
     * place of order; or NULL.
     */
    const char *expression;
} gpumex_sorted_search_options;

/**
 * @brief Options of gpumex_spmv: GPUMEX_SPMV_OPTIONS_INIT or GPUMEX_OPTIONS (spmv, ...).
 * @ingroup gpumex_primitives
 */
typedef struct gpumex_spmv_options {
    /**
     * sizeof(gpumex_spmv_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
     */
    int32_t dtype;
    /**
     * A gpumex_dtype, U32 or U64, of columns, offsets and sources; required.
     */
    int32_t index_dtype;
    /**
     * A gpumex_operator that adds the products of a row; DEFAULT is SUM. AND, OR and XOR are for
     * integers.
     */
    int32_t add;
    /**
     * A gpumex_operator that makes a product; DEFAULT is PRODUCT. AND, OR and XOR are for integers.
     */
    int32_t multiply;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * The geometry of gpumex_segments_prepare for these offsets, or NULL.
     */
    const void *geometry;
    /**
     * The result of a row without nonzeros, one element of dtype in host memory; NULL: the identity
     * of add.
     */
    const void *identity;
} gpumex_spmv_options;

/**
 * @brief Options of gpumex_stencil: GPUMEX_STENCIL_OPTIONS_INIT or GPUMEX_OPTIONS (stencil, ...).
 * @ingroup gpumex_operations
 */
typedef struct gpumex_stencil_options {
    /**
     * sizeof(gpumex_stencil_options).
     */
    size_t size;
    /**
     * A gpumex_variant.
     */
    int32_t variant;
    /**
     * A gpumex_rules: how operations get their types.
     */
    int32_t rules;
    /**
     * A gpumex_dtype of result; required. gpumex_stencil_dtype gives the natural one.
     */
    int32_t dtype;
    /**
     * A gpumex_boundary: what lies outside the inputs.
     */
    int32_t boundary;
    /**
     * A gpumex_stencil_order of inputs and result.
     */
    int32_t order;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
    /**
     * Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
     */
    const char *names;
    /**
     * input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
     */
    const int32_t *dtypes;
    /**
     * What lies outside, for CONSTANT, rounded to the dtype of each input: for integers halves
     * away from zero and saturated, NaN is 0; for BOOL it is 1 unless it is 0.
     */
    double constant;
} gpumex_stencil_options;

/**
 * Launch parameters of a kernel: GPUMEX_KERNEL_TUNING_INIT.
 */
typedef struct gpumex_kernel_tuning {
    /**
     * sizeof(gpumex_kernel_tuning).
     */
    size_t size;
    /**
     * Threads of a block; 0 where they are chosen by the types or the size.
     */
    int32_t threads;
    /**
     * Work of a thread or a block, as the kernel's row of gpumex_tuning_text says: cells, elements,
     * pixels, bytes or packets of 16 bytes that a thread holds at once, tiles of a block, or blocks
     * of a multiprocessor. 0 where it is chosen by the types or the size.
     */
    int32_t values;
    /**
     * A gpumex_cache_preference.
     */
    int32_t cache;
    /**
     * Reserved, 0.
     */
    int32_t reserved;
} gpumex_kernel_tuning;

#if defined(GPUMEX_PLAIN_NAMES)
/**
 * @brief Conway's Life: next <- board after `generations` steps of B3/S23, in tiles of shared
 * memory.
 *
 * Edges are clamped: a neighbour outside the board is the edge cell nearest to it, so that an edge
 * cell counts itself once and a corner cell three times. The CPU backend gives the same cells. A
 * board of up to some 700 000 cells stays in the shared memory of one cluster for all generations,
 * where the device has clusters.
 * @param board rows*cols bytes, row-major, in any memory; a byte other than 0 is a live cell. A
 *   column-major array (MATLAB) is its own transpose here: pass its columns as rows.
 * @param rows Rows of the board.
 * @param cols Columns of the board.
 * @param generations Steps; 0 copies the board (as 0 and 1).
 * @param next Receives rows*cols bytes, 0 or 1; may be board, and overlaps it in no other way.
 * @return 0 or a gpumex_status: NULL_POINTER (an array that is not empty); INVALID_ARGUMENT
 *   (rows*cols exceeds the address space; overlap; an array that is too short); OUT_OF_MEMORY;
 *   CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting asks for CUDA).
 *   next is unspecified after one.
 * @note Thread-safe: runs on the default context, where calls take turns. Cost:
 *   O(rows*cols*generations).
 * @see MathWorks, "Accessing Advanced CUDA Features Using MEX", 2013.
 * @ingroup gpumex_plain
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t life_shmem(const uint8_t *board,
                   size_t rows,
                   size_t cols,
                   size_t generations,
                   uint8_t *next);
#endif

#if defined(GPUMEX_PLAIN_NAMES)
/**
 * @brief Conway's Life: next <- board after `generations` steps of B3/S23, through texture objects.
 *
 * Edges are clamped: a neighbour outside the board is the edge cell nearest to it. The CPU backend
 * gives the same cells. A board of the host of up to some 700 000 cells is read through one, and
 * stays in a cluster for all generations, where the device has clusters.
 * @param board rows*cols bytes, row-major, in any memory; a byte other than 0 is a live cell. A
 *   column-major array (MATLAB) is its own transpose here: pass its columns as rows.
 * @param rows Rows of the board.
 * @param cols Columns of the board.
 * @param generations Steps; 0 copies the board (as 0 and 1).
 * @param next Receives rows*cols bytes, 0 or 1; may be board, and overlaps it in no other way.
 * @return 0 or a gpumex_status: NULL_POINTER (an array that is not empty); INVALID_ARGUMENT
 *   (rows*cols exceeds the address space; overlap; an array that is too short); OUT_OF_MEMORY;
 *   CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting asks for CUDA).
 *   next is unspecified after one.
 * @note Thread-safe: runs on the default context, where calls take turns. Cost:
 *   O(rows*cols*generations).
 * @see MathWorks, "Accessing Advanced CUDA Features Using MEX", 2013.
 * @ingroup gpumex_plain
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t life_texture(const uint8_t *board,
                     size_t rows,
                     size_t cols,
                     size_t generations,
                     uint8_t *next);
#endif

#if defined(GPUMEX_PLAIN_NAMES)
/**
 * @brief Matrix product in float, row-major: C <- A*B.
 *
 * Each element differs from the exact product by at most `k*u/(1 - k*u) * |A|*|B|`, u = 2^-24.
 * @param m Rows of A and C.
 * @param n Columns of B and C.
 * @param k Columns of A and rows of B; 0 gives zeros.
 * @param a m*k elements, row-major, in any memory.
 * @param b k*n elements, row-major, in any memory.
 * @param c Receives m*n elements, row-major; overlaps neither a nor b.
 * @return 0 or a gpumex_status: NULL_POINTER (a matrix that is not empty); INVALID_ARGUMENT (a size
 *   that exceeds the address space; an array that is misaligned, overlaps c or is too short);
 *   OUT_OF_MEMORY; CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting
 *   asks for CUDA). c is unspecified after one.
 * @note Thread-safe: runs on the default context, where calls take turns. Cost: O(m*n*k).
 * @ingroup gpumex_plain
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t matmul(size_t m,
               size_t n,
               size_t k,
               const float *a,
               const float *b,
               float *c);
#endif

#if defined(GPUMEX_PLAIN_NAMES)
/**
 * @brief Byte histogram: `counts[v]` <- how many of the `count` bytes equal v.
 * @param data count bytes, in any memory.
 * @param count Number of bytes.
 * @param counts Receives 256 counters of 64 bits; does not overlap data.
 * @return 0 or a gpumex_status: NULL_POINTER (counts, or data that is not empty); INVALID_ARGUMENT
 *   (a size that exceeds the address space; an array that is misaligned, overlaps or is too short);
 *   OUT_OF_MEMORY; CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting
 *   asks for CUDA). counts is unspecified after one.
 * @note Thread-safe: runs on the default context, where calls take turns. Cost: O(count).
 * @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
 * @ingroup gpumex_plain
 */
GPUMEX_API GPUMEX_NODISCARD int32_t histogram(const uint8_t *data, size_t count, uint64_t *counts);
#endif

#if defined(GPUMEX_PLAIN_NAMES)
/**
 * @brief Orthographic ray casting of spheres onto an RGBA image.
 *
 * Pixel (i, j), i = column, j = row, looks along z from (i - width/2.0, j - height/2.0). In
 * float32, round to nearest, no flush to zero: dx, dy from the pixel to the sphere's centre; d =
 * fma(dy,dy, dx*dx); hit iff radius > 0 and d < radius*radius; dz = sqrt(fma(radius,radius, -d));
 * the largest z + dz wins, the first sphere on a tie, NaN never; channel = trunc(clamp((colour *
 * (dz/radius)) * 255, 0, 255)), NaN gives 0; background 0,0,0; alpha 255. The image is
 * bit-identical on every backend.
 * @param spheres count spheres of 7 floats each: r, g, b (0 to 1), radius, x, y, z (pixels, origin
 *   at the image centre); in any memory.
 * @param count Number of spheres.
 * @param width Columns of the image.
 * @param height Rows of the image.
 * @param rgba Receives height*width*4 bytes, row-major; does not overlap spheres.
 * @return 0 or a gpumex_status: NULL_POINTER (an array that is not empty); INVALID_ARGUMENT (a size
 *   that exceeds the address space; an array that is misaligned, overlaps or is too short);
 *   OUT_OF_MEMORY; CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting
 *   asks for CUDA). rgba is unspecified after one.
 * @note Thread-safe: runs on the default context, where calls take turns. Cost: O(count +
 *   width*height), and a term for each sphere in each of its tiles.
 * @see J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; RSE-Sheffield, CUDALab03.
 * @ingroup gpumex_plain
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t raytrace(const float *spheres,
                 size_t count,
                 size_t width,
                 size_t height,
                 uint8_t *rgba);
#endif

/**
 * @brief Vector sum: `y[i]` <- `x[i] + y[i]`.
 *
 * The bits of y are the same with every variant and backend, those of NaN aside.
 * @param ctx The context that runs it.
 * @param options variant and dtype (F32 or F64, required). ON_DEMAND and PREFETCH differ for
 *   managed memory on CUDA only: its pages migrate on first touch, or are prefetched.
 * @param x count elements.
 * @param y count elements, updated in place; does not overlap x.
 * @param count Number of elements.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
 *   an array that is misaligned, overlaps an output, is too short or belongs to another device);
 *   UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
 *   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*count*sizeof(dtype)`.
 * @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_add(struct gpumex_context *ctx,
                   const struct gpumex_add_options *options,
                   const void *x,
                   void *y,
                   size_t count);

/**
 * @brief Selects the allocator of a context: CACHING (the default), SIMPLE or POOL.
 *
 * Only while no memory of the context is held. Cached blocks go back to the driver; capacity and
 * largest block stay.
 * @param ctx The context.
 * @param allocator A gpumex_allocator; CUSTOM is set by gpumex_allocator_custom.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
 *   allocator); BUSY (memory is held, or another thread is in ctx); UNSUPPORTED (POOL on the CPU
 *   backend; a CUDA context after fork); CUDA.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_allocator_select(struct gpumex_context *ctx,
                                int32_t allocator);

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Sets a custom allocator: device memory, temporary memory included, comes from `allocate`
 * and goes back to `release`.
 *
 * One call of each for one block; pinned and managed memory still comes from the driver. Both
 * callbacks have to work until another allocator is selected or, after the context was destroyed,
 * the last of its memory is freed. After a failure of `allocate` cached memory of all contexts is
 * released and it is called once more.
 * @param ctx The context; none of its memory is held.
 * @param allocate Allocates.
 * @param release Releases.
 * @param user Passed to both.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, allocate, release); INVALID_ARGUMENT (ctx is not
 *   a live context); BUSY (memory is held, or another thread is in ctx); UNSUPPORTED (a CUDA
 *   context after fork); CUDA.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_allocator_custom(struct gpumex_context *ctx,
                                gpumex_allocate_callback allocate,
                                gpumex_release_callback release,
                                void *user);
#endif

/**
 * @brief Limits the caching allocator of a context.
 *
 * Idle blocks are evicted least-recently-used first, weighted by size, as soon as the limit is
 * exceeded. POOL keeps up to the capacity set when it is selected, and reports none of it as
 * cached.
 * @param ctx The context.
 * @param capacity Bytes in use and idle together, as far as evicting idle blocks can keep it; 0
 *   keeps nothing. Default: half of the device's memory (CPU backend: an eighth of the machine's,
 *   or of the limit of the process's control group).
 * @param largest Bytes of the largest block that is kept idle. Default: half the capacity.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_allocator_set_capacity(struct gpumex_context *ctx,
                                      uint64_t capacity,
                                      uint64_t largest);

/**
 * @brief Returns all idle memory of a context's allocator to the driver.
 * @param ctx The context.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_memory
 */
GPUMEX_API int32_t gpumex_allocator_trim(struct gpumex_context *ctx);

/**
 * @brief Statistics of a context's allocator.
 * @param ctx The context.
 * @param stats Receives them; set stats->size (GPUMEX_ALLOCATOR_STATS_INIT).
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
 *   stats->size); UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_allocator_get_stats(struct gpumex_context *ctx,
                                   struct gpumex_allocator_stats *stats);

/**
 * @brief A vector plus a multiple of another one: `y[i]` <- `alpha*x[i] + beta*y[i]`.
 *
 * Computed as fma (alpha, `x[i]`, `beta*y[i]`): the product beta*y is rounded, then the sum, once.
 * With beta = 0 it is `alpha*x[i]`, and y is not read: it may hold anything, NaN too. The bits of
 * y are the same on every backend, and for alpha = beta = 1 those of gpumex_add, NaN aside.
 * alpha and beta in host memory, pinned too, are read during the call; in device memory they are
 * read in the order of the context's work, so that what gpumex_dot or gpumex_reduce left there
 * needs no copy to the host.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32 or F64, required), alpha and beta (NULL: 1).
 * @param x count elements.
 * @param y count elements, updated in place; overlaps neither x nor alpha nor beta.
 * @param count Number of elements.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
 *   an array that is misaligned, overlaps an output, is too short or belongs to another device);
 *   UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
 *   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED y is unspecified.
 * @note Cost: reads x and y and writes y once.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*count*sizeof(dtype)`.
 * @see C. Lawson et al., "Basic Linear Algebra Subprograms", ACM TOMS 5, 1979.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_axpy(struct gpumex_context *ctx,
                    const struct gpumex_axpy_options *options,
                    const void *x,
                    void *y,
                    size_t count);

/**
 * @brief Bulk insertion: result <- b with `a[i]` inserted before `b[indices[i]]`.
 *
 * Elements with the same index keep their order; an index of b_count, or beyond it, appends.
 * Example: five elements at 1, 1, 2, 3, 3 of three give b0 a0 a1 b1 a2 b2 a3 a4. Elements are
 * copied bitwise. Indices that do not ascend give an unspecified result.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
 *   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param a a_count elements to insert.
 * @param indices a_count positions in b of index_dtype, ascending; equal ones are allowed.
 * @param a_count Number of elements to insert.
 * @param b b_count elements.
 * @param b_count Number of elements of b.
 * @param result Receives a_count + b_count elements.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; a count that U32 does not hold; an array that is misaligned, overlaps an output, is too
 *   short or belongs to another device); UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device
 *   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
 *   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
 *   the outputs are unspecified.
 * @note Cost: O(a_count + b_count).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*(a_count + b_count)*sizeof(dtype) +
 *   a_count*sizeof(index_dtype)`.
 * @see S. Baxter, "ModernGPU", Bulk Insert, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_bulk_insert(struct gpumex_context *ctx,
                           const struct gpumex_bulk_insert_options *options,
                           const void *a,
                           const void *indices,
                           size_t a_count,
                           const void *b,
                           size_t b_count,
                           void *result);

/**
 * @brief Bulk removal: result <- the elements of source whose positions are not among `indices`, in
 * their order.
 *
 * Example: ten elements without 1, 3, 4, 5, 7, 8 leave those at 0, 2, 6, 9. Elements are copied
 * bitwise. Indices that do not ascend, repeat or are not below count give an unspecified result.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
 *   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param source count elements.
 * @param count Number of elements.
 * @param indices index_count positions of index_dtype, strictly ascending.
 * @param index_count Number of indices, at most count.
 * @param result Receives count - index_count elements.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; more indices than elements; a count that U32 does not hold; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (another dtype;
 *   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `(2*count - index_count)*sizeof(dtype) +
 *   index_count*sizeof(index_dtype)`.
 * @see S. Baxter, "ModernGPU", Bulk Remove, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_bulk_remove(struct gpumex_context *ctx,
                           const struct gpumex_bulk_remove_options *options,
                           const void *source,
                           size_t count,
                           const void *indices,
                           size_t index_count,
                           void *result);

/**
 * @brief Cancels the call that another thread has in a context.
 *
 * That call returns CANCELLED within 0.2 s, perhaps later on a machine whose cores have other
 * work, or where more than eight calls of the process are at work on the CPU backend at once. Its
 * outputs are unspecified, and gpumex_last_error on its thread says after how long it ended and,
 * once a loop that counts its parts has begun, how far it came: "gpumex_context_cancel ended the
 * call after 0.731 s; 96 of 4096 were done", in the units of the progress callback, else in parts
 * of that loop. The context stays usable. Where no call is in the context, nothing happens:
 * neither a later call nor one that waits for its turn (GPUMEX_BUSY_POLICY_WAIT) is affected. A
 * call that is about to end may still return its result. A call that is in another context from
 * within a callback is not cancelled; the call that the callback belongs to is, once the callback
 * has returned.
 *
 * May be called from any thread, from callbacks, and, with a live context, from a signal handler:
 * on success it does nothing but one atomic exchange. The functions without a context argument run
 * in gpumex_context_default, which can be cancelled as well.
 *
 * On the CPU backend every function that takes a context, and time, is cancelled. On CUDA a call
 * whose arrays are all in device memory returns before its work is done, and cannot be cancelled; a
 * call that waits stops between its transfers and launches, and returns once the launches that
 * have begun are done.
 * @param ctx The context.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context).
 * @note Thread-safe, and safe in signal handlers with a live context.
 * @ingroup gpumex_context
 */
GPUMEX_API int32_t gpumex_context_cancel(struct gpumex_context *ctx);

/**
 * @brief Whether keys are sorted: `*first_bad` <- the position of the first key that is out of
 * options->order, and `count` where there is none.
 *
 * The operations on sorted arrays do not check sortedness; this does, on request. strict = 1 also
 * finds repeated keys. -0 equals 0, NaN equals NaN and is greater than all numbers.
 * @param ctx The context that runs it.
 * @param options dtype (F32, F64, integers or BOOL; required), order, strict.
 * @param keys count elements.
 * @param count Number of elements.
 * @param first_bad Receives the position, in host memory. NULL: unsorted keys are INVALID_ARGUMENT,
 *   with a message that names the position and the keys.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
 *   strict; unsorted keys where first_bad is NULL; an array that is misaligned, overlaps an
 *   output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; device memory on
 *   the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
 *   ctx); CANCELLED (gpumex_context_cancel).
 * @note Waits for its result. Cost: reads the keys once.
 * @note Memory: CPU `count*widened(dtype)`; CUDA `count*widened(dtype)`; arrays on the host
 *   `count*sizeof(dtype)`.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_check_sorted(struct gpumex_context *ctx,
                            const struct gpumex_check_sorted_options *options,
                            const void *keys,
                            size_t count,
                            uint64_t *first_bad);

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Creates this rank's communicator over functions of the caller's that move bytes between
 * ranks: MPI (gpumex_mpi.h), sockets, spmd.
 *
 * All ranks call it. Each rank has its own context, on any backend; the communicator uses it, and
 * ends before it. Calls of a communicator are collective: all ranks make the same calls in the same
 * order. Before data move, all ranks agree that each has succeeded so far, with the same options
 * and sizes where these have to be the same. So an error on one rank is PEER on the others, a
 * difference is INVALID_ARGUMENT on all, and the communicator can still be used. Where a rank does
 * not come, or bytes do not arrive, the others return TIMEOUT or PEER, and the communicator is
 * dead: each later call is PEER. No failure ends the process. The handle is a token, as that of a
 * context.
 *
 * gpumex_context_cancel of a rank's context is CANCELLED there and PEER on the others. With
 * functions of the caller's, a rank that comes to the last step of the call more than 0.1 s after
 * the cancelled one may still succeed; with gpumex_comm_create_local none does.
 * @param ctx The context of this rank.
 * @param options timeout_ms and life_halo; NULL: 300 s, and by cost.
 * @param rank This rank, from 0.
 * @param ranks Number of ranks, 1 to 65536.
 * @param exchange Exchanges messages; NULL only with one rank.
 * @param allgather Gathers bytes; NULL only with one rank.
 * @param user Passed to both.
 * @param comm Receives the communicator, which belongs to the caller until gpumex_comm_destroy;
 *   NULL after an error.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; rank or
 *   ranks; the options); PEER; TIMEOUT; CANCELLED (gpumex_context_cancel); BUSY (another thread is
 *   in ctx); OUT_OF_MEMORY; UNSUPPORTED (a CUDA context after fork).
 * @note Both functions, and user, have to be there until the communicator is destroyed.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_create(struct gpumex_context *ctx,
                           const struct gpumex_comm_options *options,
                           int32_t rank,
                           int32_t ranks,
                           gpumex_exchange_callback exchange,
                           gpumex_allgather_callback allgather,
                           void *user,
                           struct gpumex_comm **comm);
#endif

/**
 * @brief Creates communicators for ranks that are threads of this process: one for each context, on
 * the CPU or on GPUs; data are exchanged in memory.
 *
 * Each rank is used by a thread of its own. Rules are those of gpumex_comm_create, but that this
 * call waits for nobody. Destroying one communicator ends the group.
 * @param contexts count contexts, all different: that of each rank.
 * @param count Number of ranks, 1 to 65536.
 * @param options timeout_ms and life_halo; NULL: 300 s, and by cost.
 * @param comms Receives count communicators, that of each rank, which belong to the caller until
 *   gpumex_comm_destroy; unspecified after an error, when none was created.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (a context that is not live, or is
 *   there twice; count; the options); CUDA; BUSY (another thread is in a context); UNSUPPORTED (a
 *   CUDA context after fork); OUT_OF_MEMORY.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_create_local(struct gpumex_context *const *contexts,
                                 size_t count,
                                 const struct gpumex_comm_options *options,
                                 struct gpumex_comm **comms);

/**
 * @brief Tells the rank and the number of ranks of a communicator, and whether it can be used.
 * @param comm The communicator.
 * @param info Receives them; set info->size (GPUMEX_COMM_INFO_INIT).
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (comm is not a live communicator;
 *   info->size).
 * @note Thread-safe, also while a call of the communicator runs.
 * @ingroup gpumex_comm
 */
GPUMEX_API int32_t gpumex_comm_get_info(struct gpumex_comm *comm, struct gpumex_comm_info *info);

/**
 * @brief Checks whether the communicator call of this thread must end.
 *
 * A gpumex_exchange_callback or gpumex_allgather_callback calls it every few milliseconds while it
 * waits for other ranks.
 * @return A gpumex_status: 0 (go on waiting), also where this thread is in no such call; TIMEOUT
 *   (timeout_ms are over); PEER (gpumex_comm_abort); CANCELLED (gpumex_context_cancel, 0.1 s after
 *   it: where the other ranks come before, the communicator can still be used).
 * @ingroup gpumex_comm
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_comm_poll(void);

/**
 * @brief Ends the use of a communicator: the call that runs in it returns PEER within 0.1 s of its
 * next step, each later call at once.
 *
 * Ranks that are threads of this process are told; others reach their time limit. The communicator
 * still has to be destroyed.
 * @param comm The communicator.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (comm is not a live communicator).
 * @note Thread-safe.
 * @ingroup gpumex_comm
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_comm_abort(struct gpumex_comm *comm);

/**
 * @brief Destroys a communicator of this rank, without waiting for other ranks.
 * @param comm The communicator; NULL does nothing.
 * @return 0 or a gpumex_status: INVALID_ARGUMENT (not a live communicator); BUSY (a call of it
 *   runs, gpumex_comm_abort too).
 * @ingroup gpumex_comm
 */
GPUMEX_API int32_t gpumex_comm_destroy(struct gpumex_comm *comm);

/**
 * @brief Inner product of vectors whose parts are on all ranks: `*result` <- the sum of
 * `x[i]*y[i]` over all parts, on every rank.
 *
 * Dtypes and accuracy are those of gpumex_dot; results differ in rounding with the number of ranks
 * and the parts.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_dot; dtype and conjugate are the same on all ranks.
 * @param x count elements: the part of this rank.
 * @param y count elements; may be x.
 * @param count Number of elements of this rank; may differ, and be 0.
 * @param result Receives one element of the dtype; overlaps neither x nor y.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
 *   a number that is not of its enum; an array that is misaligned, overlaps an output, is too
 *   short or belongs to another device; ranks that differ in these options, or in the call);
 *   UNSUPPORTED (as for gpumex_dot; device memory on the CPU backend; after fork); OUT_OF_MEMORY;
 *   CUDA; BUSY (another thread is in the communicator or its context); CANCELLED
 *   (gpumex_context_cancel); PEER (another rank failed, the message says how, or the communicator
 *   is dead); TIMEOUT. After an error the outputs are unspecified.
 * @note Cost: that of gpumex_dot on the parts, two exchanges of 400 bytes with all ranks, and
 *   between devices of one process that see each other one of an element by their kernels.
 * @note Memory: CPU at most `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype)`; CUDA at most
 *   `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype) + 33554432`; arrays on the host
 *   `2*count*sizeof(dtype)`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_dot(struct gpumex_comm *comm,
                        const struct gpumex_dot_options *options,
                        const void *x,
                        const void *y,
                        size_t count,
                        void *result);

/**
 * @brief Histogram of the samples of all ranks: counts <- how many samples of all parts fall into
 * each of `bins` bins, or the sums of their weights, on every rank.
 *
 * Bins, outliers and weights are those of gpumex_histogram. Counts have the bits that one rank
 * has; sums of weights differ in rounding with the number of ranks and the parts. With
 * options->accumulate the counts of all ranks are added to those that each rank has.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_histogram; all but variant and accumulate are the same on all
 *   ranks. That edges are the same is not checked.
 * @param data count samples of the dtype: the part of this rank, whole pixels.
 * @param count Samples of this rank, of all channels together; a multiple of channels; may differ,
 *   and be 0.
 * @param counts Receives channels*bins elements: uint64_t, or double with weights.
 * @param bins Bins for each channel, 1 to 2^31.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
 *   is not of its enum; bins, channels or count; lo and hi; edges or weights, as for
 *   gpumex_histogram; an array that is misaligned, overlaps an output, is too short or belongs to
 *   another device; ranks that differ in these options or in bins, or in the call); UNSUPPORTED
 *   (as for gpumex_histogram; device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA;
 *   BUSY (another thread is in the communicator or its context); CANCELLED (gpumex_context_cancel;
 *   by the callback of gpumex_context_set_progress, which is told the bytes of this rank that are
 *   done); PEER (another rank failed, the message says how, or the communicator is dead);
 *   TIMEOUT. After an error the outputs are unspecified.
 * @note Cost: that of gpumex_histogram on the part; each count crosses twice.
 * @note Memory: CPU at most `(bins <= 4096 && sizeof(dtype) != 2 ? 16 : 8)*(threads +
 *   1)*max(channels, 1)*(sizeof(dtype) == 2 ? 65536 : min(bins, 131072)) + 1572864 +
 *   24*max(channels, 1)*bins`; CUDA at most `(sizeof(dtype) == 2 ? 524288*max(channels, 1) : 0) +
 *   8*max(channels, 1)*bins`; arrays on the host at most `min(count*max(sizeof(dtype), 1),
 *   536870912) + (weights ? 134217728 : 0)`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_histogram(struct gpumex_comm *comm,
                              const struct gpumex_histogram_options *options,
                              const void *data,
                              size_t count,
                              void *counts,
                              size_t bins);

/**
 * @brief Cellular automaton on a board whose rows are on all ranks, those of rank 0 on top: the
 * rows of this rank after `generations` steps.
 *
 * Rules, boundaries and cells are those of gpumex_life; the cells are the same for any number of
 * ranks. Ranks exchange K rows with their neighbours every K generations, K by cost.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_life; boundary, cells and rule are the same on all ranks.
 * @param board rows*cols cells, row-major: the rows of this rank. BYTES: a byte other than 0 is
 *   live. BITS: each row is padded to ceil(cols/64) words of uint64_t; bit b of word w is column
 *   64*w + b; padding bits are ignored.
 * @param rows Rows of this rank; may differ, and be 0.
 * @param cols Columns of the board.
 * @param generations Steps; 0 copies.
 * @param next Receives the cells, laid out as board, padding bits 0; may be board, and overlaps it
 *   in no other way.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
 *   is not of its enum; the rule; rows*cols; an array that is misaligned, overlaps an output, is
 *   too short or belongs to another device; ranks that differ in these options, in cols or in
 *   generations, or in the call); UNSUPPORTED (as for gpumex_life; device memory on the CPU
 *   backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in the communicator or its
 *   context); CANCELLED (gpumex_context_cancel; by the callback of gpumex_context_set_progress of
 *   a rank, which is told the generations done); PEER (another rank failed, the message says how,
 *   or the communicator is dead); TIMEOUT. After an error the outputs are unspecified.
 * @note Cost: that of gpumex_life on rows + 2*K rows; an exchange of K rows, and one of 400 bytes
 *   with all ranks, every K generations. Where memory of devices crosses directly the rows stay on
 *   the devices, which need not wait for their hosts; else rows that are exchanged go through
 *   memory of the host.
 * @note Memory: CPU at most `(rows + 6*halo)*(cells == BITS ? 8*((cols + 63)/64) : cols) + (cells
 *   == BITS ? 8 : 16)*(rows + 2*halo)*((cols + 63)/64)`; CUDA at most `(rows + 2*halo)*((cells ==
 *   BITS ? 8*((cols + 63)/64) : cols) + 64*((cols + 239)/240)) + min(5500000, 300*(rows +
 *   2*halo)*((cols + 239)/240))`; arrays on the host at most `8*rows*((cols + 63)/64)`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_life(struct gpumex_comm *comm,
                         const struct gpumex_life_options *options,
                         const void *board,
                         size_t rows,
                         size_t cols,
                         uint64_t generations,
                         void *next);

/**
 * @brief Matrix product of matrices whose rows are on all ranks, those of rank 0 on top: this
 * rank's rows of C <- alpha*A*B + beta*C.
 *
 * A has as many columns as B has rows on all ranks. Accuracy is that of gpumex_matmul with as many
 * more terms as there are ranks; the bits are the same for the same number of ranks and the same
 * parts, on the same hardware.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_matmul: variant, dtype (F32 where it is not set, or F64), lda, ldc,
 *   alpha and beta; dtype, alpha and beta are the same on all ranks; NULL: C <- A*B in F32.
 * @param m Rows of A and C on this rank; may differ, and be 0.
 * @param n Columns of B and C; the same on all ranks.
 * @param k Rows of B on this rank; may differ, and be 0.
 * @param a The rows of A of this rank: m rows of as many elements as B has rows on all ranks.
 * @param b k*n elements: the rows of B of this rank; not changed.
 * @param c m*n elements: the rows of C of this rank; the range from its first to its last element
 *   overlaps neither a nor b.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
 *   is not of its enum; lda or ldc less than a row; a size that exceeds the address space; an
 *   array that is misaligned, overlaps an output, is too short or belongs to another device; ranks
 *   that differ in these options, in n, or in the call); UNSUPPORTED (another dtype; COLUMN; a
 *   transpose; a batch; ldb other than n; a variant that the backend or the device does not have;
 *   device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
 *   the communicator or its context); CANCELLED (gpumex_context_cancel); PEER (another rank
 *   failed, the message says how, or the communicator is dead); TIMEOUT. After an error the
 *   outputs are unspecified.
 * @note Cost: O(m*n*K), K the rows of B on all ranks; B crosses once to each rank, from device to
 *   device where these are connected directly. Column-major matrices whose columns are on the
 *   ranks are served as their transposes: C^T = B^T*A^T.
 * @note Memory: CPU at most `(m + n)*min(k, 384)*sizeof(dtype)*sqrt(threads) +
 *   2*k*n*sizeof(dtype)`; CUDA at most `6*(m + n)*(k + 64) + 33554432 + 2*k*n*sizeof(dtype)`;
 *   arrays on the host at most `(m*k*ranks + k*n + m*n)*sizeof(dtype)`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_matmul(struct gpumex_comm *comm,
                           const struct gpumex_matmul_options *options,
                           size_t m,
                           size_t n,
                           size_t k,
                           const void *a,
                           const void *b,
                           void *c);

/**
 * @brief Makes an id for a new group of ranks that NCCL connects: one rank makes it, and all give
 * it to gpumex_comm_create_nccl. How it gets to the others is the caller's: MPI_Bcast,
 * spmdBroadcast, a file.
 * @param id Receives 128 bytes.
 * @param bytes Size of id, 128 at least.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (bytes); UNSUPPORTED (no
 *   libnccl.so.2, or one older than 2.14); CUDA (NCCL finds no network interface); PEER.
 * @note Needs no GPU.
 * @ingroup gpumex_comm
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_comm_unique_id(void *id, size_t bytes);

/**
 * @brief Creates this rank's communicator over NCCL: GPUs of one machine or of several, a rank
 * each.
 *
 * All ranks call it at once, threads of one process or processes; it waits for them. Rules are
 * those of gpumex_comm_create. Memory of devices crosses without the host. A rank that ends is
 * found out by the time limit, or by NCCL where it is on another machine; then NCCL's communicator
 * is aborted, and the process lives. NCCL is loaded at run time.
 * @param ctx The context of this rank, on CUDA; no other rank has its device.
 * @param options timeout_ms and life_halo; NULL: 300 s, and by cost.
 * @param id 128 bytes of gpumex_comm_unique_id, the same on all ranks.
 * @param rank This rank, from 0.
 * @param ranks Number of ranks, 1 to 65536.
 * @param comm Receives the communicator, which belongs to the caller until gpumex_comm_destroy;
 *   NULL after an error.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; rank or
 *   ranks; the options); UNSUPPORTED (no libnccl.so.2, or one older than 2.14; the CPU backend; a
 *   CUDA context after fork); CUDA (NCCL's error: two ranks with one GPU, among others); PEER;
 *   TIMEOUT; CANCELLED (gpumex_context_cancel); BUSY (another thread is in ctx); OUT_OF_MEMORY.
 * @note gpumex_comm_destroy waits up to 2 s for the others to come to it.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_create_nccl(struct gpumex_context *ctx,
                                const struct gpumex_comm_options *options,
                                const void *id,
                                int32_t rank,
                                int32_t ranks,
                                struct gpumex_comm **comm);

/**
 * @brief Reduction of the parts of all ranks: `*result` <- their elements, those of rank 0 first,
 * combined with options->op, on every rank.
 *
 * Operators, dtypes, identities and expressions are those of gpumex_reduce. Results of integers,
 * MIN and MAX have the bits that one rank has; sums and products of floats differ in rounding with
 * the number of ranks and the parts, and are within the bound of gpumex_reduce.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_reduce; dtype, op, accumulator_dtype, expression and identity are
 *   the same on all ranks.
 * @param data count elements: the part of this rank.
 * @param count Number of elements of this rank; may differ, and be 0.
 * @param result Receives one element of the accumulator dtype; does not overlap data.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
 *   a number that is not of its enum; the expression or identity, as for gpumex_reduce; an array
 *   that is misaligned, overlaps an output, is too short or belongs to another device; ranks that
 *   differ in these options, or in the call); UNSUPPORTED (as for gpumex_reduce; device memory on
 *   the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in the communicator
 *   or its context); CANCELLED (gpumex_context_cancel); PEER (another rank failed, the message
 *   says how, or the communicator is dead); TIMEOUT. After an error the outputs are unspecified.
 * @note Cost: that of gpumex_reduce on the part, two exchanges of 400 bytes with all ranks, and
 *   between devices of one process that see each other one of an element by their kernels.
 * @note Memory: CPU `count*(wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
 *   0)`; CUDA `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) : 0) +
 *   (expression ? 1/500.0 : 0))`; arrays on the host `count*sizeof(dtype)`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_reduce(struct gpumex_comm *comm,
                           const struct gpumex_reduce_options *options,
                           const void *data,
                           size_t count,
                           void *result);

/**
 * @brief Prefix scan over the parts of all ranks, those of rank 0 first: each rank gets the
 * prefixes of its elements; `*total` <- all elements combined, on every rank.
 *
 * Kinds, operators, identities and expressions are those of gpumex_scan; complex numbers are
 * UNSUPPORTED. Results of integers, MIN and MAX have the bits that one rank has; sums of floats
 * differ in rounding with the number of ranks and the parts, and are within the bound of
 * gpumex_scan.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_scan; dtype, op, kind, accumulator_dtype, expression and identity
 *   are the same on all ranks.
 * @param data count elements: the part of this rank.
 * @param count Number of elements of this rank; may differ, and be 0.
 * @param result Receives count elements of the accumulator dtype; may be data where that is dtype,
 *   and overlaps it in no other way.
 * @param total Receives one element of the accumulator dtype; NULL leaves it out.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
 *   a number that is not of its enum; the expression or identity, as for gpumex_scan; an array
 *   that is misaligned, overlaps an output, is too short or belongs to another device; ranks that
 *   differ in these options, or in the call); UNSUPPORTED (as for gpumex_scan; complex numbers;
 *   device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
 *   the communicator or its context); CANCELLED (gpumex_context_cancel); PEER (another rank
 *   failed, the message says how, or the communicator is dead); TIMEOUT. After an error the
 *   outputs are unspecified.
 * @note Cost: that of gpumex_scan on the part; on all ranks but the first its results are read and
 *   written once more.
 * @note Memory: CPU `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
 *   0) + widened(accumulator_dtype)) + count/2048`; CUDA at most
 *   `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) : 0) +
 *   widened(accumulator_dtype)) + count/(expression ? 200 : 500)`; arrays on the host at most
 *   `3*count*max(wide(dtype), wide(accumulator_dtype))`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_scan(struct gpumex_comm *comm,
                         const struct gpumex_scan_options *options,
                         const void *data,
                         size_t count,
                         void *result,
                         void *total);

/**
 * @brief Stable sort of the keys of all ranks: each rank gets as many of all sorted keys as it
 * gave, those of rank 0 first, with an optional payload.
 *
 * Orders and payloads are those of gpumex_sort. Equal keys keep their order: that of ranks, and on
 * a rank that of positions. Indices are positions in the parts of all ranks, those of rank 0
 * first, and index_dtype holds the number of all keys. The result has the bits that one rank has.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_sort, without expression; dtype, order, payload, value_dtype and
 *   index_dtype are the same on all ranks.
 * @param keys count elements of dtype: the part of this rank; not changed.
 * @param values count elements of value_dtype with VALUES, else ignored; not changed.
 * @param count Number of elements of this rank, before and after; may differ, and be 0.
 * @param sorted Receives count keys; may be NULL with INDICES.
 * @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
 *   a number that is not of its enum; the count of all ranks, which index_dtype does not hold; an
 *   array that is misaligned, overlaps an output, is too short or belongs to another device; ranks
 *   that differ in these options, or in the call); UNSUPPORTED (as for gpumex_sort; an expression;
 *   device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
 *   the communicator or its context); CANCELLED (gpumex_context_cancel); PEER (another rank
 *   failed, the message says how, or the communicator is dead); TIMEOUT. After an error the
 *   outputs are unspecified.
 * @note Cost: a sort of the part, and as many times as ranks halve to one a merge of as many keys;
 *   all keys cross once, from device to device where these are connected directly, else through
 *   memory of the host.
 * @note Memory: CPU `count*max(sizeof(dtype) + 2*payload_bytes + (payload == INDICES ?
 *   payload_bytes : 0) + wide(dtype) + 2*widened(dtype), 2*(sizeof(dtype) + payload_bytes) +
 *   (sorted ? 0 : sizeof(dtype)) + max(2*widened(dtype), (1 - 1.0/ranks)*max(sizeof(dtype),
 *   payload_bytes)))`; CUDA at most `count*(3*(sizeof(dtype) + payload_bytes) + 2.08*wide(dtype) +
 *   2*widened(dtype) + payload_bytes)`; arrays on the host at most `2*count*(wide(dtype) +
 *   payload_bytes)`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_sort(struct gpumex_comm *comm,
                         const struct gpumex_sort_options *options,
                         const void *keys,
                         const void *values,
                         size_t count,
                         void *sorted,
                         void *sorted_values);

/**
 * @brief Word frequencies of a text distributed over all ranks, the part of rank 0 first: its k
 * most frequent words, on every rank.
 *
 * Words, order and encodings are those of gpumex_words. Parts may be cut anywhere, within words
 * and characters too; positions are bytes of the whole text. The result has the bits that one rank
 * has.
 * @param comm The communicator of this rank.
 * @param options As for gpumex_words; encoding and fold are the same on all ranks.
 * @param text bytes bytes: the part of this rank.
 * @param bytes Length of the part; may differ, and be 0.
 * @param k Number of words wanted, the same on all ranks.
 * @param positions Receives k elements of uint64_t: the byte of the whole text where each word
 *   first begins.
 * @param lengths Receives k elements of uint64_t: its bytes there.
 * @param counts Receives k elements of uint64_t: its occurrences.
 * @param summary Receives the totals of all ranks, in host memory; set its size field
 *   (GPUMEX_WORDS_SUMMARY_INIT). May be NULL.
 * @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
 *   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
 *   is not of its enum; fold; summary->size; an array that is misaligned, overlaps an output, is
 *   too short or belongs to another device; ranks that differ in these options or in k, or in the
 *   call); UNSUPPORTED (as for gpumex_words; device memory on the CPU backend; after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in the communicator or its context); CANCELLED
 *   (gpumex_context_cancel; by the callback of gpumex_context_set_progress, which is told the
 *   bytes of this rank that are done); PEER (another rank failed, the message says how, or the
 *   communicator is dead); TIMEOUT. After an error the outputs are unspecified.
 * @note Cost: that of gpumex_words on the part; each different word of a rank crosses once, the k
 *   most frequent ones of each rank go to all.
 * @note A text in device memory is copied to the host.
 * @note Memory: CPU at most `max((128*threads + 160)*summary->distinct, 160*summary->distinct +
 *   3*bytes)`; CUDA at most `134217728 + 256*summary->distinct + bytes/512 + min(bytes,
 *   536870912)`; arrays on the host `0`.
 * @ingroup gpumex_comm
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_comm_words(struct gpumex_comm *comm,
                          const struct gpumex_words_options *options,
                          const void *text,
                          size_t bytes,
                          size_t k,
                          void *positions,
                          void *lengths,
                          void *counts,
                          struct gpumex_words_summary *summary);

/**
 * @brief Stream compaction: kept <- the elements `data[i]` with `flags[i] != 0` in their order,
 * positions <- these i, `*needed` <- their number.
 *
 * Elements are copied bitwise. The result is the same on every backend.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, integers or BOOL; required with kept), index_dtype (U32
 *   or U64; required with positions). Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param data count elements; may be NULL where kept is NULL.
 * @param flags count bytes; any value but 0 keeps the element.
 * @param count Number of elements.
 * @param kept Receives the first min(needed, capacity) elements; NULL leaves them out.
 * @param positions Receives as many positions of index_dtype, from 0; NULL leaves them out.
 * @param capacity Elements that kept and positions hold; 0 counts only.
 * @param needed Receives the number of elements kept, in any memory. 0 < capacity < `*needed` is
 *   INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
 *   caller compares.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype or index_dtype not set, or not of the list
 *   above; capacity; positions of U32 for 2^32 elements or more; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16;
 *   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads flags and data once, writes what is kept; the CPU backend reads flags twice.
 * @note Memory: CPU `(kept ? (count + capacity)*widened(dtype) : 0) + count/8192`; CUDA `(kept ?
 *   (count + capacity)*widened(dtype) : 0) + count/8`; arrays on the host `(kept ? (count +
 *   min(count, capacity))*copied(dtype) : 0) + max(kept ? converting(dtype, count, capacity) : 0,
 *   count + (positions ? min(count, capacity)*sizeof(index_dtype) : 0))`.
 * @see M. Billeter, O. Olsson, U. Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core
 *   Architectures", 2009.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_compact(struct gpumex_context *ctx,
                       const struct gpumex_compact_options *options,
                       const void *data,
                       const uint8_t *flags,
                       size_t count,
                       void *kept,
                       void *positions,
                       size_t capacity,
                       uint64_t *needed);

/**
 * @brief Creates a context.
 *
 * The handle is a token: it is looked up, never dereferenced, so that a destroyed or invented one
 * gives INVALID_ARGUMENT. Contexts are independent. After fork the child has copies of the contexts
 * on the CPU backend (one that another thread was in at that moment stays BUSY); contexts on CUDA
 * answer UNSUPPORTED.
 *
 * A GPU does not pay for a few elements of the host: on a device that AUTO has taken, a call whose
 * arrays all lie in ordinary memory of the host, and whose variant is AUTO, runs on the host where
 * that is expected to take less time than copies and launches do. That is so up to some 10 KB to
 * 4 MB, as the operation is. It gives what the CPU backend gives, within the same bounds: results
 * of floats that have rounding errors (sums, products, elementary functions) may have other bits
 * than on the device. Its memory is that of the CPU backend, and its kernel time that of the
 * computation; a kernel's tuning does not concern it. CUDA, as backend or as setting, keeps every
 * call on the device.
 * @param backend A gpumex_backend. AUTO takes the setting `backend`, and where that is auto, CUDA
 *   where it works, else the CPU; it says so at log level info.
 * @param device CUDA ordinal; -1: the caller's current device, else GPUMEX_DEVICE, else 0. Ignored
 *   by the CPU backend.
 * @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
 *   error (gpumex_last_status): INVALID_ARGUMENT (backend, device, a wrong value of a setting);
 *   NO_DEVICE (CUDA was asked for and cannot be used, with the reason); CUDA; OUT_OF_MEMORY;
 *   UNSUPPORTED (CUDA after fork).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
struct gpumex_context *gpumex_context_create(int32_t backend,
                                             int32_t device);

/**
 * @brief Creates a context as its options say.
 *
 * With busy GPUMEX_BUSY_POLICY_WAIT threads may share it: calls run one after the other, in the
 * order in which they came. A call from a callback within a call never waits: it gets BUSY where it
 * would have to, so that contexts entered from one another's callbacks cannot deadlock. Results do
 * not depend on the number of threads. The library keeps a pool of threads for each number that is
 * used, from its first use until the process ends, and up to seven more, for calls that come while
 * others are at work on the CPU backend; these have no more threads, and fewer where many are busy.
 *
 * Calls on a CUDA context may be captured into a CUDA graph: cudaStreamBeginCapture, in any mode,
 * on the stream that it was created on or that of gpumex_context_stream, except the legacy default
 * stream. A captured call
 * - takes arrays of device memory only, needed and results included. Where it would have to wait or
 *   to read back it is UNSUPPORTED, and the capture stays valid: host, pinned and managed arrays;
 *   gpumex_words, gpumex_check_sorted, gpumex_check_edges, gpumex_print, gpumex_prefetch;
 *   GPUMEX_LIFE_VARIANT_TEXTURE and _TEXTURE_BYTES, GPUMEX_RAYTRACE_VARIANT_CONSTANT,
 *   GPUMEX_MATMUL_VARIANT_CUBLAS; timers, gpumex_context_synchronize and gpumex_context_destroy.
 *   After an error the graph is of no use: a part of the call may be in it;
 * - calls no progress callback and is not timed: gpumex_context_kernel_ms is 0 after it;
 * - takes temporary memory that belongs to the graph: it stays reserved until the graph and all its
 *   instances are destroyed, also beyond the end of the context. Two executable graphs of one
 *   capture share it, and must not run at the same time;
 * - is ordered with what the graph holds and with nothing else: launch the graph after the work
 *   that writes its arrays, and keep the arrays until the graph is destroyed. Sizes, options and
 *   addresses are those of the call; contents are read at each launch.
 *
 * During a capture memory may be allocated and freed; what has to wait for the stream goes back to
 * the driver later. A custom allocator is called for temporary memory as well: it returns memory
 * that is allocated at once (cudaMalloc), not in stream order.
 * @param options backend, device, stream, threads, busy, cache_capacity (gpumex_context_options);
 *   NULL: as gpumex_context_create (GPUMEX_BACKEND_AUTO, -1).
 * @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
 *   error (gpumex_last_status): INVALID_ARGUMENT (backend, on_stream, threads, busy, device; a
 *   stream without on_stream, or of another context than the device's primary one; size; a wrong
 *   value of a setting); NO_DEVICE; CUDA; OUT_OF_MEMORY; UNSUPPORTED (CUDA after fork, an option of
 *   a later version).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
struct gpumex_context *gpumex_context_create_with(const struct gpumex_context_options *options);

/**
 * @brief Creates a context on a CUDA device whose work runs in a stream of the caller.
 *
 * Work of the context and other work in the stream run in the order in which they were enqueued.
 * The stream stays alive until the context is destroyed, its memory is freed, and no gpumex_free of
 * memory used on it is running.
 * @param device CUDA ordinal; -1: the caller's current device, else GPUMEX_DEVICE, else 0.
 * @param cuda_stream A cudaStream_t or CUstream of the device's primary context (that of the CUDA
 *   runtime); NULL: the legacy default stream. Not the per-thread default stream.
 * @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
 *   error (gpumex_last_status): INVALID_ARGUMENT (device, a stream of another context, a wrong
 *   value of a setting); NO_DEVICE (CUDA cannot be used, with the reason); CUDA; OUT_OF_MEMORY;
 *   UNSUPPORTED (after fork).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
struct gpumex_context *gpumex_context_create_on_stream(int32_t device,
                                                       void *cuda_stream);

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Creates a context from the command line of a program.
 *
 * `--device K` and `--device=K` choose the CUDA ordinal, the last one counts; other arguments are
 * ignored. The backend is AUTO, with --device CUDA.
 * @param argc Number of arguments, as main has it.
 * @param argv The arguments, as main has them.
 * @param print Not 0: writes the lines of gpumex_context_device_text to the standard output.
 * @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
 *   error (gpumex_last_status): NULL_POINTER (argv); INVALID_ARGUMENT (--device without an ordinal,
 *   a wrong value of a setting); NO_DEVICE (CUDA was asked for and cannot be used); CUDA;
 *   OUT_OF_MEMORY; UNSUPPORTED (CUDA after fork); INTERNAL (the standard output takes no text).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
struct gpumex_context *gpumex_context_create_from_args(int32_t argc,
                                                       char *const *argv,
                                                       int32_t print);
#endif

/**
 * @brief Number of CUDA devices; 0 where CUDA cannot be used.
 * @param count Receives the number, in host memory.
 * @return 0 or a gpumex_status: NULL_POINTER.
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_device_count(int32_t *count);

/**
 * @brief The process-wide context of the functions without a context argument, created on first
 * use.
 *
 * It belongs to the library: calls on it take turns instead of answering BUSY, and
 * gpumex_reset_default ends it. A forked child has one of its own.
 * @return The context; NULL after an error (gpumex_last_status): INVALID_ARGUMENT (a wrong value of
 *   a setting); NO_DEVICE; CUDA; OUT_OF_MEMORY.
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API struct gpumex_context *gpumex_context_default(void);

/**
 * @brief Destroys a context. Memory of gpumex_malloc stays until gpumex_free.
 * @param ctx The context; NULL does nothing.
 * @return 0 or a gpumex_status: INVALID_ARGUMENT (not a live context, or the default one); BUSY
 *   (another thread is in ctx).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API int32_t gpumex_context_destroy(struct gpumex_context *ctx);

/**
 * @brief Drops the default context; the next call that needs it creates a new one.
 *
 * For use after MATLAB or other code reset the device. After a CUDA fault the device itself has to
 * be reset first (MATLAB: reset (gpuDevice)) or the process restarted: until then AUTO takes the
 * CPU.
 * @return 0 or a gpumex_status: BUSY (a call is running on it).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API int32_t gpumex_reset_default(void);

/**
 * @brief The stream of a context, for the caller's own work between its calls.
 *
 * Work enqueued there runs in order with the operations of the context. The stream remains the
 * context's (or the caller's, where the context was created on it): it must not be destroyed, nor
 * used after gpumex_context_destroy. It may be captured into a CUDA graph, see
 * gpumex_context_create_with.
 * @param ctx The context.
 * @param stream Receives its cudaStream_t; NULL is the legacy default stream.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
 *   UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_context_stream(struct gpumex_context *ctx,
                              void **stream);

/**
 * @brief Sets how many host threads the later operations of a context take. Results do not depend
 * on it.
 * @param ctx The context.
 * @param threads 1 to 4096; 0: the setting `num_threads`.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
 *   threads); UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_context_set_threads(struct gpumex_context *ctx,
                                   int32_t threads);

/**
 * @brief Waits until the work of a context is done, and reports a fault of it.
 * @param ctx The context.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context); CUDA;
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_context_synchronize(struct gpumex_context *ctx);

/**
 * @brief The backend that a context runs on.
 * @param ctx The context.
 * @param backend Receives GPUMEX_BACKEND_CPU or GPUMEX_BACKEND_CUDA.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_context_backend(struct gpumex_context *ctx,
                               int32_t *backend);

/**
 * @brief The device of a context.
 * @param ctx The context.
 * @param info Receives it; set info->size (GPUMEX_DEVICE_INFO_INIT).
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
 *   info->size); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_context_device_info(struct gpumex_context *ctx,
                                   struct gpumex_device_info *info);

/**
 * @brief The device of a context as human-readable text, a few lines.
 * @param ctx The context.
 * @return Text of the library, valid until the next call of a text function on this thread; NULL
 *   after an error (gpumex_last_status): NULL_POINTER; INVALID_ARGUMENT (ctx is not a live
 *   context); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API const char *gpumex_context_device_text(struct gpumex_context *ctx);

/**
 * @brief Switches the timing of a context's operations on or off.
 *
 * Off at first: between the two events that time an operation on CUDA the device does nothing
 * else, which adds some 3 us to each call. gpumex_timer_start and gpumex_event_elapsed_ms take the
 * time of several calls at once, and need no switch.
 * @param ctx The context.
 * @param timed 1: later operations are timed, for gpumex_context_kernel_ms; 0: they are not.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; timed);
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_context_set_timing(struct gpumex_context *ctx,
                                  int32_t timed);

/**
 * @brief Kernel time of the context's last operation in ms, between two events on the device;
 * after gpumex_context_set_timing.
 *
 * Transfers are excluded, except those between two kernels (a long host array that is processed in
 * pieces). On the CPU backend the time of the computation. 0 where there was nothing to compute, or
 * the call was refused.
 * @param ctx The context.
 * @param kernel_ms Receives the time.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context, or does
 *   not time its operations); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread
 *   is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_context_kernel_ms(struct gpumex_context *ctx,
                                 double *kernel_ms);

/**
 * @brief Starts the timer of a context, after the work enqueued so far.
 * @param ctx The context.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context); CUDA;
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_timer_start(struct gpumex_context *ctx);

/**
 * @brief Time since gpumex_timer_start in ms, between two events in the context's stream; waits for
 * the work in between.
 *
 * The timer keeps running and may be read again. On the CPU backend it is wall-clock time.
 * @param ctx The context.
 * @param ms Receives the time.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; the
 *   timer was not started); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is
 *   in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_timer_stop(struct gpumex_context *ctx, double *ms);

/**
 * @brief Items per second since gpumex_timer_start; infinite where no time has passed.
 * @param ctx The context.
 * @param items Items processed in each iteration.
 * @param iterations Number of iterations.
 * @param per_second Receives items*iterations/seconds.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; the
 *   timer was not started); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is
 *   in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_timer_throughput(struct gpumex_context *ctx,
                                uint64_t items,
                                uint64_t iterations,
                                double *per_second);

/**
 * @brief Convolution in two dimensions: `result[y][x]` <- the sum of `filter[i][j]` *
 *   `data[y - i + m][x - j + n]`, all i and j.
 *
 * With GPUMEX_BOUNDARY_DEAD it is MATLAB's conv2 (data, filter), whose shapes are
 * options->shape's: FULL has m = n = 0, SAME m = filter_rows/2 and n = filter_cols/2, VALID m =
 * filter_rows - 1 and n = filter_cols - 1. With GPUMEX_CONVOLVE_KIND_CORRELATION the filter is
 * turned by 180 degrees first, which is filter2 and imfilter: for SAME the middle of the filter,
 * element ((filter_rows - 1)/2, (filter_cols - 1)/2), weighs the element itself.
 *
 * A weight of 0 adds nothing, whatever it weighs; sums begin with 0. Elements are converted to
 * accumulator_dtype; integers are summed modulo 2^32 or 2^64. Sums are rounded to integers of
 * result_dtype with halves away from zero and saturated, NaN is 0; a BOOL is 1 unless the sum is 0.
 *
 * Accuracy: |error| <= k*u/(1 - k*u) * the sum of |filter * data|, k = filter_rows*filter_cols + 2,
 * u = 2^-24 (F32) or 2^-53 (F64) of accumulator_dtype, and the rounding to result_dtype. Results of
 * integers are the same on every backend.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, integers or BOOL; required), accumulator_dtype,
 *   result_dtype, boundary, shape, kind, order, constant. Variants: AUTO, SEQUENTIAL (CPU backend
 *   only).
 * @param data rows*cols elements.
 * @param rows Number of rows.
 * @param cols Number of columns.
 * @param filter filter_rows*filter_cols elements of the accumulator dtype.
 * @param filter_rows Number of rows of filter, at least 1.
 * @param filter_cols Number of columns of filter, at least 1.
 * @param result Receives a matrix of result_dtype, in each direction, of n elements and m weights,
 *   n results with SAME, n + m - 1 with FULL, n - m + 1 with VALID, 0 if n is 0 or m is too large.
 *   It overlaps no input.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
 *   (ctx is not a live context; dtype not set; accumulator_dtype; an empty filter; a number that is
 *   not one of its enum; an array that is misaligned, overlaps result, is too short or belongs to
 *   another device); UNSUPPORTED (F16, BF16; SEQUENTIAL on CUDA; device memory on the CPU backend;
 *   an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
 *   ctx); CANCELLED (gpumex_context_cancel). After an error result is unspecified.
 * @note Cost: filter_rows*filter_cols multiply-adds a result; data is read about once, and again
 *   for every 16 rows and 32 columns of a large filter.
 * @note Memory: CPU at most `threads*262144 + 32*filter_rows*filter_cols`; CUDA `0`; arrays on the
 *   host at most `sizeof(dtype)*rows*cols + 8*filter_rows*filter_cols + 8*(rows +
 *   filter_rows)*(cols + filter_cols)`.
 * @see V. Podlozhnyuk, "Image Convolution with CUDA", NVIDIA 2007.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_convolve(struct gpumex_context *ctx,
                        const struct gpumex_convolve_options *options,
                        const void *data,
                        size_t rows,
                        size_t cols,
                        const void *filter,
                        size_t filter_rows,
                        size_t filter_cols,
                        void *result);

/**
 * @brief The error message of the last failed call on this thread: function, value and rule.
 *
 * "" before the first failure and in an exit handler. A call that succeeds leaves it.
 * @return Text of the library, valid until the next failure on this thread.
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API const char *gpumex_last_error(void);

/**
 * @brief The gpumex_status of the last call that failed on this thread; for functions that return a
 * handle or a text.
 * @return A gpumex_status; OK before the first failure.
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API int32_t gpumex_last_status(void);

/**
 * @brief What a status means, in a few words.
 * @param status A gpumex_status.
 * @return Static text; "unknown status" for any other number.
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API const char *gpumex_status_string(int32_t status);

/**
 * @brief The version of the library, "major.minor.patch"; GPUMEX_VERSION is that of the header.
 * @return Static text.
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API const char *gpumex_version(void);

/**
 * @brief How the library was built: version, CUDA toolkit and architectures, or "CPU backend only".
 * @return Static text.
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API const char *gpumex_build_info(void);

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Sends the log to a callback instead of stderr. The level is the setting `log`, off by
 * default.
 * @param callback Receives the lines; NULL restores stderr.
 * @param user Passed to the callback; no longer used once a later call of this function returns.
 * @return 0 (GPUMEX_STATUS_OK).
 * @note Thread-safe.
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API int32_t gpumex_set_log_callback(gpumex_log_callback callback, void *user);
#endif

/**
 * @brief Inner product: `*result` <- the sum of `x[i]*y[i]`; 0 when count = 0.
 *
 * Of complex vectors (C64, C128) the BLAS's dotu, and with options->conjugate its dotc, the sum of
 * conj (`x[i]`)*`y[i]`, by a product of real matrices; variants AUTO and SEQUENTIAL.
 *
 * Accuracy: |error| <= n*u/(1 - n*u) * sum `|x[i]*y[i]|`, n = count, u = 2^-24 (F32) or 2^-53
 * (F64); of C64 and C128 n = 2*count + 4, and 1.5 times that. AUTO and TWO_PASS are deterministic
 * for one tuning; with ATOMIC and SHARED the last bits may differ from call to call.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, C64 or C128; required), conjugate.
 * @param x count elements.
 * @param y count elements; may be x.
 * @param count Number of elements.
 * @param result Receives one element of the dtype; overlaps neither x nor y.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
 *   (ctx is not a live context; dtype not set; a number that is not of its enum; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
 *   (another dtype; another variant of C64 and C128; SEQUENTIAL on CUDA; device memory on the CPU
 *   backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx);
 *   CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are
 *   unspecified.
 * @note Cost: O(count).
 * @note Memory: CPU at most `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype)`; CUDA at most
 *   `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype) + 33554432`; arrays on the host
 *   `2*count*sizeof(dtype)`.
 * @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_dot(struct gpumex_context *ctx,
                   const struct gpumex_dot_options *options,
                   const void *x,
                   const void *y,
                   size_t count,
                   void *result);

/**
 * @brief Creates an event: a mark in the work of a context, for which other contexts and threads
 * wait.
 *
 * An event belongs to the backend, and on CUDA to the device, of ctx: contexts on the same one may
 * record it, and all contexts may wait for it. The handle is a token: looked up, never
 * dereferenced, never reused. An event may outlive its context. On the CPU backend the work of a
 * call is done on return, so that a recorded event is done. A forked child has copies of the events
 * of the CPU backend; those of CUDA answer UNSUPPORTED.
 * @param ctx The context.
 * @param event Receives the event, which belongs to the caller until gpumex_event_destroy; NULL
 *   after an error.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context); CUDA;
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @note Several threads may use an event at once.
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_event_create(struct gpumex_context *ctx,
                            struct gpumex_event **event);

/**
 * @brief Records an event after the work enqueued in a context so far.
 *
 * Recorded again, an event stands for its latest position; waits for an earlier one are unaffected.
 * @param ctx A context on the backend and device of the event.
 * @param event The event.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx or event is not live; an event
 *   of another backend or device); CUDA; UNSUPPORTED (CUDA after fork); BUSY (another thread is in
 *   ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_event_record(struct gpumex_context *ctx,
                            struct gpumex_event *event);

/**
 * @brief Makes the later work of a context wait for a recorded event of any backend and device.
 *
 * On CUDA the call itself does not wait; on the CPU backend it does. While the stream of ctx is
 * captured into a CUDA graph, an event that was recorded in the same capture orders the graph; one
 * from outside is UNSUPPORTED.
 * @param ctx The context that waits.
 * @param event The event.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx or event is not live; an event
 *   that was never recorded); CUDA; UNSUPPORTED (CUDA after fork; see above); BUSY (another thread
 *   is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_event_wait(struct gpumex_context *ctx,
                          struct gpumex_event *event);

/**
 * @brief Whether the work before an event is done, without waiting.
 * @param event The event.
 * @param done Receives 1 or 0.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (event is not live, or was never
 *   recorded); CUDA (a fault of the device included); UNSUPPORTED (CUDA after fork; recorded in a
 *   capture).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_event_query(struct gpumex_event *event, int32_t *done);

/**
 * @brief Waits until the work before an event is done, without entering a context.
 * @param event The event.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (event is not live, or was never
 *   recorded); CUDA (a fault of the device included); UNSUPPORTED (CUDA after fork; recorded in a
 *   capture).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_event_synchronize(struct gpumex_event *event);

/**
 * @brief The time between two events in ms; waits for both. The resolution on CUDA is about 0.5 us.
 * @param start The event at the start.
 * @param end The event at the end, of the same backend and device.
 * @param ms Receives the time; negative where end was recorded first.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (an event that is not live, was
 *   never recorded, or of different backends or devices); CUDA (a fault of the device included);
 *   UNSUPPORTED (CUDA after fork; recorded in a capture).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_event_elapsed_ms(struct gpumex_event *start,
                                struct gpumex_event *end,
                                double *ms);

/**
 * @brief Destroys an event. Work that was told to wait for it still does.
 * @param event The event; NULL does nothing.
 * @return 0 or a gpumex_status: INVALID_ARGUMENT (not a live event).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API int32_t gpumex_event_destroy(struct gpumex_event *event);

/**
 * @brief Sets all elements of an array: `array[i]` <- `*value`.
 * @param ctx The context that runs it.
 * @param dtype A gpumex_dtype other than NONE.
 * @param array Receives count elements.
 * @param count Number of elements.
 * @param value One element, in host memory, read before the call returns.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype; value in device memory; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
 *   (device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel).
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_fill(struct gpumex_context *ctx,
                    int32_t dtype,
                    void *array,
                    size_t count,
                    const void *value);

/**
 * @brief Arithmetic sequence: `array[i]` <- first + i*step.
 *
 * Integers: first and step are whole numbers within +-2^53, and the first and the last element are
 * values of the dtype. Floats: product and sum are rounded once each in double, then to the dtype,
 * where overflow gives infinity. The bits are the same on every backend.
 * @param ctx The context that runs it.
 * @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
 * @param array Receives count elements.
 * @param count Number of elements.
 * @param first The first element, finite.
 * @param step The difference of neighbours, finite.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype; first, step, or an element that the dtype
 *   does not hold; an array that is misaligned, overlaps an output, is too short or belongs to
 *   another device); UNSUPPORTED (F16, BF16; device memory on the CPU backend; a CUDA context
 *   after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_fill_ascending(struct gpumex_context *ctx,
                              int32_t dtype,
                              void *array,
                              size_t count,
                              double first,
                              double step);

/**
 * @brief Elements at given positions: `result[i]` <- `source[indices[i]]`.
 *
 * @param ctx The context that runs it.
 * @param options variant, dtype (any, required), index_dtype (U32 or U64, required), check.
 * @param source source_count elements.
 * @param source_count Number of elements.
 * @param indices count positions, from 0; those from source_count on give zero bytes.
 * @param count Number of indices.
 * @param result count elements; overlaps neither source nor indices.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype or index_dtype not set; a number that is
 *   not of its enum; check; an array that is misaligned, overlaps an output, is too short or
 *   belongs to another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend;
 *   a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED result is unspecified.
 * @note check = 1: waits, and an index out of range is INVALID_ARGUMENT with its position; then
 *   result is not written. Cost: one access to source an index.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `source_count*sizeof(dtype) +
 *   count*(sizeof(dtype) + sizeof(index_dtype))`.
 * @see S. Baxter, "ModernGPU", DeviceGather, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_gather(struct gpumex_context *ctx,
                      const struct gpumex_gather_options *options,
                      const void *source,
                      size_t source_count,
                      const void *indices,
                      size_t count,
                      void *result);

/**
 * @brief N-D indexing: `result[i0, i1, ...]` <- `source[s0(i0), s1(i1), ...]`, the first dimension
 *   fastest.
 *
 * `s(i)` of a dimension: of a range `start + step*i`, modulo the extent where it wraps; of an index
 * vector `start + indices[i]`; of a mask the position of its set element number i. Flips are ranges
 * of step -1, circshift and repmat ranges that wrap, A(:, p) a range and an index vector.
 * @param ctx The context that runs it.
 * @param options variant, dtype (any, required), rank, check, shape (required), counts, starts,
 *   steps, wraps, indices, index_dtypes. Variants: AUTO, SEQUENTIAL (CPU backend only). The index
 *   vectors may lie anywhere; those in host memory do not make a call on device arrays
 *   synchronous.
 * @param source The product of shape elements.
 * @param result Receives the product of counts elements; overlaps neither source nor index vectors.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, options->shape, options->index_dtypes beside
 *   indices, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; dtype not
 *   set; rank; a range that leaves its dimension and does not wrap; wraps or an extent of 0 beside
 *   indices; starts beyond 2^62 beside indices, other than 0 beside a mask; index_dtypes; a number
 *   that is not of its enum; check; an array that is misaligned, overlaps result, is too short or
 *   belongs to another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend;
 *   a range that reaches 2^63 before it wraps; a CUDA context after fork); OUT_OF_MEMORY; CUDA;
 *   BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA
 *   and CANCELLED result is unspecified.
 * @note An index that is out of range, or no whole number, gives zero bytes; so do the last
 *   elements of a dimension whose mask has fewer than counts[d] set elements. check = 1: waits, and
 *   such an index is INVALID_ARGUMENT with its dimension and position, as is a mask of more or
 *   fewer; then result is not written. Cost: reads what it takes of source and writes result once.
 * @note Memory: CPU `mask_positions`; CUDA at most `(mask_positions > 0 ? mask_positions +
 *   elements/4 + 65536 : 0)`; arrays on the host at most `(elements + taken)*sizeof(dtype) +
 *   positions`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_gather_nd(struct gpumex_context *ctx,
                         const struct gpumex_gather_nd_options *options,
                         const void *source,
                         void *result);

/**
 * @brief Histogram: counts <- how many samples fall into each of `bins` bins, or the sums of their
 * weights.
 *
 * A sample x, converted to double, falls into bin k when e(k) <= x < e(k + 1); where edges are
 * equal, into the last such k. With lo and hi: e(k) = lo + k*width, width = (hi - lo)/bins, each
 * operation rounded, e(bins) = hi; the doubles between lo and hi must be at least four times finer
 * than width. With edges: e(k) = `edges[k]`. With neither: e(k) = k, integers only. Samples outside
 * the bins fall where options->outliers says; NaN is not counted. With edges that do not ascend or
 * are NaN a sample falls into an unspecified bin or none (gpumex_check_edges finds them). Counts
 * are the same on every backend; sums of weights may differ in rounding, on CUDA from call to call.
 * @param ctx The context that runs it.
 * @param options variant, dtype (U8 where it is not set, U16, U32, I32, F32, F64), channels,
 *   accumulate, lo and hi or edges, weights, outliers, right_edge; NULL: bytes by their value,
 *   which takes bins = 256. GLOBAL, STRIDED and SHARED are textbook kernels for bytes by their
 *   value, one channel, no weights.
 * @param data count samples of the dtype, channels interleaved: sample i is of channel i %
 *   channels.
 * @param count Samples of all channels together; a multiple of channels.
 * @param counts Receives channels*bins elements, row-major, a row for each channel: uint64_t, or
 *   double with weights. Added to where options->accumulate is 1; counters wrap modulo 2^64.
 * @param bins Bins for each channel, 1 to 2^31.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; bins, channels
 *   or count; lo and hi; floats without bins; edges beside lo and hi; weights without
 *   weights_dtype; an array that is misaligned, overlaps an output, is too short or belongs to
 *   another device); UNSUPPORTED (another dtype; a textbook variant for other bins; SEQUENTIAL on
 *   CUDA; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel; by the callback of
 *   gpumex_context_set_progress, which is told the bytes of host memory counted). counts is
 *   unspecified after OUT_OF_MEMORY, CUDA and CANCELLED.
 * @note Cost: O(count), and a binary search a sample with edges.
 * @note Memory: CPU at most `(bins <= 4096 && sizeof(dtype) != 2 ? 16 : 8)*(threads +
 *   1)*max(channels, 1)*(sizeof(dtype) == 2 ? 65536 : min(bins, 131072)) + 1572864`; CUDA
 *   `(sizeof(dtype) == 2 ? 524288*max(channels, 1) : 0)`; arrays on the host at most
 *   `min(count*max(sizeof(dtype), 1), 536870912) + 8*max(channels, 1)*bins + (weights ? 134217728
 *   : 0)`.
 * @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_histogram(struct gpumex_context *ctx,
                         const struct gpumex_histogram_options *options,
                         const void *data,
                         size_t count,
                         void *counts,
                         size_t bins);

/**
 * @brief Whether the edges of a histogram ascend: `*first_bad` <- the first k for which `edges[k]`
 * is NaN or less than `edges[k - 1]`, and `count` where there is none.
 * @param ctx The context that runs it.
 * @param edges count elements of double.
 * @param count Number of edges: bins + 1.
 * @param first_bad Receives the position, in host memory. NULL: a bad edge is INVALID_ARGUMENT,
 *   with a message that names it.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a bad edge where first_bad is NULL; an array that
 *   is misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
 *   (device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel).
 * @note Waits for its result. Cost: O(count).
 * @note Memory: CPU `0`; CUDA `8*count`; arrays on the host `0`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_check_edges(struct gpumex_context *ctx,
                           const double *edges,
                           size_t count,
                           uint64_t *first_bad);

/**
 * @brief Interval expansion: `output[k]` <- `values[j]`, where j is the interval of element k: each
 * value repeated by the length of its interval.
 *
 * Example: lengths 1, 2, 1, 0, 4, 2, 3, 0, 2 of the values 0 to 8 give 0 1 1 2 4 4 4 4 5 5 6 6 6 8
 * 8. Values are copied bitwise. Elements before `scan[0]` belong to interval 0. A scan that does
 * not ascend gives some of the values.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
 *   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param count Total length of the intervals.
 * @param scan intervals elements of index_dtype: the exclusive prefix sum of the lengths.
 * @param values intervals elements of dtype.
 * @param intervals Number of intervals.
 * @param output Receives count elements of dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; elements without intervals; a count that U32 does not hold; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (another dtype;
 *   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: O(count + intervals), however long the intervals are.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `intervals*(sizeof(dtype) +
 *   sizeof(index_dtype)) + count*sizeof(dtype)`.
 * @see S. Baxter, "ModernGPU", Interval Expand, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_interval_expand(struct gpumex_context *ctx,
                               const struct gpumex_interval_expand_options *options,
                               size_t count,
                               const void *scan,
                               const void *values,
                               size_t intervals,
                               void *output);

/**
 * @brief Interval copy: `output[scatter[j] + r]` <- `input[gather[j] + r]` for each element r of
 * each interval j.
 *
 * Elements are copied bitwise. Elements that would be read or written past the end of an array are
 * skipped. Output outside the intervals is unchanged; where intervals of the output overlap, it
 * holds an element of any one of them. A scan that does not ascend moves unspecified elements of
 * the input.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
 *   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param count Total length of the intervals.
 * @param gather intervals elements of index_dtype: where each interval begins in the input. NULL:
 *   the input is dense, interval j at `scan[j]`.
 * @param scatter intervals elements of index_dtype: where each interval begins in the output. NULL:
 *   the output is dense, interval j at `scan[j]`.
 * @param scan intervals elements of index_dtype: the exclusive prefix sum of the lengths.
 * @param intervals Number of intervals.
 * @param input input_count elements of dtype.
 * @param input_count Number of elements of the input.
 * @param output output_count elements of dtype.
 * @param output_count Number of elements of the output.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; elements without intervals; a count that U32 does not hold; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (another dtype;
 *   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: O(count + intervals), however long the intervals are; on the CPU backend a scatter
 *   sorts intervals whose destinations do not ascend.
 * @note Memory: CPU `(scatter ? 24*intervals + output_count/1638 : 0)`; CUDA `0`; arrays on the
 *   host `intervals*sizeof(index_dtype)*(1 + (gather ? 1 : 0) + (scatter ? 1 : 0)) +
 *   (input_count + output_count)*sizeof(dtype)`.
 * @see S. Baxter, "ModernGPU", Interval Move, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_interval_move(struct gpumex_context *ctx,
                             const struct gpumex_interval_move_options *options,
                             size_t count,
                             const void *gather,
                             const void *scatter,
                             const void *scan,
                             size_t intervals,
                             const void *input,
                             size_t input_count,
                             void *output,
                             size_t output_count);

/**
 * @brief Sort-merge join: a_indices, b_indices <- the first `capacity` pairs of positions with
 * equal keys; `*needed` <- the number of pairs.
 *
 * For each i in order the pairs (i, j) for each j in order with `b[j]` equal to `a[i]`. LEFT and
 * OUTER: (i, -1) in place of pairs where `a[i]` is not in b. RIGHT and OUTER: (-1, j) at the end,
 * for each j whose `b[j]` is not in a. -1 has all bits of the index set. -0 equals 0, NaN equals
 * NaN and is the greatest key. Sortedness is not checked: unsorted arrays give an unspecified
 * result.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, kind,
 *   index_dtype (U32 or U64; required where indices are passed). Variants: AUTO, SEQUENTIAL (CPU
 *   backend only).
 * @param a a_count elements of dtype, sorted.
 * @param a_count Number of elements of a.
 * @param b b_count elements of dtype, sorted; may be a.
 * @param b_count Number of elements of b.
 * @param a_indices Receives at most capacity positions in a, of index_dtype.
 * @param b_indices Receives as many positions in b.
 * @param capacity Pairs that a_indices and b_indices hold; 0 counts only.
 * @param needed Receives the number of pairs (below 2^62), in any memory. 0 < capacity < `*needed`
 *   is INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
 *   caller compares.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; capacity; counts that a U32 position does not reach; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16;
 *   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads a and b, writes the pairs, balanced over all processors however the keys are
 *   distributed.
 * @note Memory: CPU `(a_count + b_count)*widened(dtype) + (a_count + 5*b_count)/1024`; CUDA
 *   `(a_count + b_count)*(widened(dtype) + wide(dtype)/311.0) + (kind >= RIGHT ? b_count/8 : 0)`;
 *   arrays on the host `(a_count + b_count)*copied(dtype) + max(converting(dtype, a_count,
 *   b_count), 2*capacity*sizeof(index_dtype))`.
 * @see S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_join(struct gpumex_context *ctx,
                    const struct gpumex_join_options *options,
                    const void *a,
                    size_t a_count,
                    const void *b,
                    size_t b_count,
                    void *a_indices,
                    void *b_indices,
                    size_t capacity,
                    uint64_t *needed);

/**
 * @brief Cellular automaton: next <- board after `generations` steps of an outer-totalistic rule.
 *
 * The default is Conway's Life on bytes with clamped edges. Boundaries: CLAMP (a neighbour outside
 * is the edge cell nearest to it), DEAD (cells outside stay dead), TORUS (the opposite edge; on
 * boards narrower than three cells a neighbour counts more than once). All variants give the same
 * cells; ARRAYS, SHMEM_BYTES and TEXTURE_BYTES are textbook kernels for bytes, CLAMP and B3/S23
 * only.
 * @param ctx The context that runs it.
 * @param options variant, boundary, cells, rule; NULL: AUTO, CLAMP, BYTES, "B3/S23".
 * @param board rows*cols cells, row-major. BYTES: a byte other than 0 is live. BITS: each row is
 *   padded to ceil(cols/64) words of uint64_t; bit b of word w is column 64*w + b; padding bits are
 *   ignored.
 * @param rows Rows of the board.
 * @param cols Columns of the board.
 * @param generations Steps; 0 copies.
 * @param next Receives the cells, laid out as board, padding bits 0; may be board, and overlaps it
 *   in no other way.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; the rule;
 *   rows*cols; an array that is misaligned, overlaps an output, is too short or belongs to another
 *   device); UNSUPPORTED (a variant that does not serve the other options, the board or the
 *   backend; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA;
 *   BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel; by the callback of
 *   gpumex_context_set_progress, which is told the generations done). next is unspecified after
 *   OUT_OF_MEMORY, CUDA and CANCELLED.
 * @note Cost: O(rows*cols*generations).
 * @note Memory: CPU `(cells == BITS ? 8 : 16)*rows*((cols + 63)/64)`; CUDA at most `(rows*cols >
 *   600000 ? 64*rows*((cols + 239)/240) + min(5500000, 300*rows*((cols + 239)/240)) : 0)`; arrays
 *   on the host `(cells == BITS ? 0 : 8*rows*((cols + 63)/64))`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_life(struct gpumex_context *ctx,
                    const struct gpumex_life_options *options,
                    const void *board,
                    size_t rows,
                    size_t cols,
                    uint64_t generations,
                    void *next);

/**
 * @brief Load-balancing search: maps each work item to its segment. `indices[k]` <- the object of
 * item k, the upper bound of k in scan less 1.
 *
 * Object j has the items `scan[j]` to `scan[j + 1] - 1`, the last one those up to count - 1;
 * objects may be empty. Example: objects of 2, 5, 3, 0, 1 items, scan 0, 2, 7, 10, 10, count 11
 * give 0 0 1 1 1 1 1 2 2 2 4. Items before `scan[0]` belong to object 0. A scan that does not
 * ascend gives unspecified indices below objects.
 * @param ctx The context that runs it.
 * @param options variant, index_dtype (U32 or U64; required). Variants: AUTO, SEQUENTIAL (CPU
 *   backend only).
 * @param count Number of items.
 * @param scan objects elements of index_dtype: the exclusive prefix sum of the objects' item
 *   counts.
 * @param objects Number of objects.
 * @param indices Receives count elements of index_dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; index_dtype not set; a number that is not of its
 *   enum; items without objects; a count that U32 does not hold; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (SEQUENTIAL on
 *   CUDA; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and
 *   CANCELLED the outputs are unspecified.
 * @note Cost: O(count + objects), however the items are distributed.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `(objects + count)*sizeof(index_dtype)`.
 * @see S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_load_balance_search(struct gpumex_context *ctx,
                                   const struct gpumex_load_balance_search_options *options,
                                   size_t count,
                                   const void *scan,
                                   size_t objects,
                                   void *indices);

/**
 * @brief Stable merge sort for nearly sorted keys: sorted <- the keys in options->order, with an
 * optional payload.
 *
 * Keys are moved bitwise; -0 equals 0, NaN equals NaN and is greater than all numbers. Payload
 * NONE: values and sorted_values are ignored. VALUES: `sorted_values[i]` <- the value of the key
 * now at `sorted[i]`, copied bitwise. INDICES: `sorted_values[i]` <- the position in keys of the
 * key now at `sorted[i]`.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
 *   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
 *   INDICES). Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param keys count elements of dtype; not changed.
 * @param values count elements of value_dtype with VALUES, else ignored; not changed.
 * @param count Number of elements.
 * @param sorted Receives count keys.
 * @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; U32 positions for 2^32 elements or more; an array that is misaligned, overlaps an
 *   output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; SEQUENTIAL on
 *   CUDA; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and
 *   CANCELLED the outputs are unspecified.
 * @note Cost: two or three passes over keys that are at most some thousand places from their sorted
 *   position, about log2(count/4096) passes over keys in random order (on CUDA from millions of
 *   keys on as gpumex_sort).
 * @note Memory: CPU `count*2*(widened(dtype) + pair_bytes)`; CUDA `count*(2*widened(dtype) +
 *   wide(dtype) + payload_bytes)`; arrays on the host `count*(2*copied(dtype) +
 *   payload_bytes*(payload == VALUES ? 2 : 1))`.
 * @see S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_locality_sort(struct gpumex_context *ctx,
                             const struct gpumex_locality_sort_options *options,
                             const void *keys,
                             const void *values,
                             size_t count,
                             void *sorted,
                             void *sorted_values);

/**
 * @brief Element-wise expression: `result[i]` <- expression of the elements i of the inputs, in
 *   one pass over memory.
 *
 * Operators, from low to high precedence: `c ? x : y`, `||`, `&&`, `|`, `&`, comparisons
 * (`== != ~= < <= > >=`), `+ -`, `* / .* ./`, unary `+ - ! ~`, `^ .^` (from the left, above unary
 * minus). `& | && ||` are logical and evaluate both sides.
 *
 * Literals: `1`, `2.5`, `1e-3`, `0x1F`, `pi`, `inf`, `nan`, `eps`, `true`, `false`. Functions: abs
 * sign min max mod rem floor ceil round fix trunc sqrt cbrt exp expm1 exp2 log log1p log2 log10 sin
 * cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot power erf erfc gamma gammaln
 * isnan isinf isfinite not and or xor eq ne lt le gt ge plus minus times rdivide uminus uplus
 * ifelse select bitand bitor bitxor bitcmp bitshift, and the casts double single half bfloat16
 * int8 to int64, uint8 to uint64, logical. The name of an input hides a function or constant.
 *
 * GPUMEX_RULES_C: usual arithmetic conversions, integers below 32 bits and BOOL are I32, a literal
 * takes the type of its partner; integers wrap, x/0 and rem (x, 0) are 0; casts truncate floats,
 * saturated, NaN 0. GPUMEX_RULES_MATLAB: double, unless a single or an integer takes part; integers
 * of one class only, rounded and saturated; real results only (sqrt (-1) is NaN).
 *
 * Complex numbers (C64, C128; the literal 2i; complex (x, y), complex64, complex128) have
 * `+ - * / ^ == !=`, unary `+ -`, `? :`, abs arg angle real imag conj sign sqrt exp log log2 log10
 * sin cos tan sinh cosh tanh floor ceil round fix trunc isnan isinf isfinite and the casts double
 * and single, which keep them complex; with real operands, which scale both parts, their class is
 * that of the parts as the rules have it. They have no order, as MATLAB's and Octave's differ, and
 * are no conditions; a complex result is stored as C64 or C128 only. Real functions stay real: sqrt
 * (complex (x, 0)) is the complex root. Quotients are Smith's, x^n with a literal whole n up to 32
 * is a product, 0^z is 0. Parts of products and quotients are not recovered where infinities made
 * them NaN.
 *
 * Accuracy: + - * / sqrt, conversions and comparisons are rounded once each and the same on every
 * backend; elementary functions within 4 ulp, gamma and gammaln 16. Complex ones, as |error| /
 * |result|, u = 2^-24 or 2^-53: * 3*u, / 8*u, sqrt exp log abs arg 16*u, sin cos sinh cosh 32*u,
 * tan tanh 64*u, ^ (16 + 8*|y*log (x)|)*u; near overflow (half the range of exponents for | | and
 * exp) they may be infinite or NaN.
 * @param ctx The context that runs it. It caches 64 compiled expressions.
 * @param options variant, rules, dtype (required), rank, names, dtypes, shape (required), strides,
 *   result_strides (no element of result is written twice). Variants: AUTO, SEQUENTIAL (CPU
 *   backend only).
 * @param expression NUL-terminated text.
 * @param inputs input_count arrays, each of its dtype in dtypes, laid out by shape and strides; one
 *   that is broadcast in every dimension is one element, and may lie in host memory beside device
 *   arrays without making the call synchronous.
 * @param input_count Number of inputs, at most 16.
 * @param result Receives elements of dtype, laid out by shape and result_strides; may be one of the
 *   inputs that has the same dtype where both are dense, and overlaps them in no other way.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->shape, options->dtypes,
 *   inputs, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the
 *   expression, with the byte from 1 at which it is wrong; names, dtypes, dtype, rank, shape,
 *   strides; input_count; a number that is not one of its enum; an array that is misaligned,
 *   overlaps result, is too short or belongs to another device); UNSUPPORTED (an expression of more
 *   than 160 steps, 64 literals, 8 intermediate results at once or 64 nested parentheses; more than
 *   16 inputs, of which complex ones count twice; SEQUENTIAL on CUDA; device memory on the CPU
 *   backend; an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
 *   thread is in ctx); CANCELLED (gpumex_context_cancel). After an error result is unspecified.
 * @note Cost: reads each input and writes result once.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host at most `elements*(sizeof(dtype) +
 *   input_bytes)`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_map(struct gpumex_context *ctx,
                   const struct gpumex_map_options *options,
                   const char *expression,
                   const void *const *inputs,
                   size_t input_count,
                   void *result);

/**
 * @brief The natural dtype of an expression: `*dtype` <- the type that options->rules give its
 *   result.
 * @param options rules, names, dtypes, as for gpumex_map; other fields are ignored.
 * @param expression NUL-terminated text, as for gpumex_map.
 * @param input_count Number of inputs, at most 16.
 * @param dtype Receives a gpumex_dtype, in host memory.
 * @return 0 or a gpumex_status: NULL_POINTER (expression, options->dtypes, dtype);
 *   INVALID_ARGUMENT (the expression, with the byte from 1 at which it is wrong; names, dtypes;
 *   input_count; a number that is not one of its enum); UNSUPPORTED (64 nested parentheses or more
 *   than 1024 names, numbers and operators; an unknown option); OUT_OF_MEMORY.
 * @note Cost: O(length of the text).
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_map_dtype(const struct gpumex_map_options *options,
                         const char *expression,
                         size_t input_count,
                         int32_t *dtype);

/**
 * @brief Reduction of an expression: gpumex_reduce_dim of the result of gpumex_map, in one pass
 *   over the inputs, without storing that result.
 *
 * Expression, rules and accuracy of the elements are as in gpumex_map; they have the type dtype.
 * They are reduced along options->dimension, or all of them to one result, by options->op, as
 * gpumex_reduce_dim says: types of results, NaN, empty dimensions, accuracy of sums (n is the
 * number of elements that are reduced).
 *
 * Sums, products and means of floats are deterministic: on the CPU the bits depend on the shape and
 * the expression only, on CUDA on these, on the device and on strides and alignment of the inputs.
 * They need not be the bits of gpumex_map and gpumex_reduce_dim. All other results are the same on
 * every backend where the elements are.
 *
 * Not served are F16, BF16 and complex expressions; real ones of complex inputs, as abs (a), are.
 * @param ctx The context that runs it. It caches 64 compiled expressions.
 * @param options variant, rules, dtype (F32, F64, integers or BOOL; required), rank, op, dimension,
 *   accumulator_dtype, nan, index_dtype, names, dtypes, shape (required), strides, positions.
 *   Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param expression NUL-terminated text, as for gpumex_map.
 * @param inputs input_count arrays, each of its dtype in dtypes, laid out by shape and strides; one
 *   that is broadcast in every dimension is one element, and may lie in host memory beside device
 *   arrays without making the call synchronous.
 * @param input_count Number of inputs, at most 16.
 * @param result Receives elements of the accumulator dtype: one, or where a dimension is reduced
 *   the product of the other extents, dense, the first dimension fastest.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->shape, options->dtypes,
 *   inputs, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the
 *   expression, with the byte from 1 at which it is wrong; names, dtypes, rank, shape, strides,
 *   dimension; a dtype not set; accumulator_dtype; positions with another op than MIN and MAX; a
 *   number of elements that U32 does not hold; input_count; a number that is not one of its enum;
 *   an array that is misaligned, overlaps an output, is too short or belongs to another device);
 *   UNSUPPORTED (dtype F16, BF16, C64, C128; an expression of more than 160 steps, 64 literals, 8
 *   intermediate results at once or 64 nested parentheses; more than 16 inputs, of which complex
 *   ones count twice; SEQUENTIAL on CUDA; device memory on the CPU backend; an unknown option; a
 *   CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads each input once. Integers that saturate have one thread of the CPU a result.
 * @note Memory: CPU at most `elements/2`; CUDA at most `3*elements`; arrays on the host at most
 *   `elements*(input_bytes + 8 + sizeof(index_dtype))`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_map_reduce(struct gpumex_context *ctx,
                          const struct gpumex_map_reduce_options *options,
                          const char *expression,
                          const void *const *inputs,
                          size_t input_count,
                          void *result);

/**
 * @brief Prefix scan of an expression: gpumex_scan_dim of the result of gpumex_map, without memory
 *   for that result.
 *
 * Expression, rules and accuracy of the elements are as in gpumex_map; they have the type dtype.
 * They are scanned along options->dimension, or all of them in their order, by options->op, as
 * gpumex_scan_dim says: types of results, NaN, identities.
 *
 * Accuracy: sums of floats |error| <= n*u/(1 - n*u) * the sum of the |elements| added, products
 * n*u/(1 - n*u) * |product|, n the number of elements of the dimension, u = 2^-24 (F32) or 2^-53
 * (F64) of accumulator_dtype, unless some of the factors overflow as gpumex_reduce says.
 * Deterministic: on the CPU the bits depend on variant, shape and
 * expression, on CUDA on shape, expression, device, strides and alignment of the inputs. They need
 * not be the bits of gpumex_map and gpumex_scan_dim. All other results are the same on every
 * backend where the elements are.
 *
 * Not served are F16, BF16 and complex expressions; real ones of complex inputs, as abs (a), are.
 * @param ctx The context that runs it. It caches 64 compiled expressions.
 * @param options variant, rules, dtype (F32, F64, integers or BOOL; required), rank, op (SUM,
 *   PRODUCT, MIN or MAX), dimension, kind, accumulator_dtype, nan, reverse, names, dtypes, shape
 *   (required), strides. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param expression NUL-terminated text, as for gpumex_map.
 * @param inputs input_count arrays, each of its dtype in dtypes, laid out by shape and strides; one
 *   that is broadcast in every dimension is one element, and may lie in host memory beside device
 *   arrays without making the call synchronous.
 * @param input_count Number of inputs, at most 16.
 * @param result Receives elements of the accumulator dtype, as many as shape says, dense, the first
 *   dimension fastest; apart from the inputs.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->shape, options->dtypes,
 *   inputs, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the
 *   expression, with the byte from 1 at which it is wrong; names, dtypes, rank, shape, strides,
 *   dimension; a dtype not set; accumulator_dtype; reverse; input_count; a number that is not one
 *   of its enum; an array that is misaligned, overlaps the output, is too short or belongs to
 *   another device); UNSUPPORTED (dtype F16, BF16, C64, C128; another op; an expression of more
 *   than 160 steps, 64 literals, 8 intermediate results at once or 64 nested parentheses; more than
 *   16 inputs, of which complex ones count twice; SEQUENTIAL on CUDA; device memory on the CPU
 *   backend; an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
 *   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
 *   the outputs are unspecified.
 * @note Cost: reads each input and writes the result once; where there are few columns and many
 *   rows, or the other way round, it reads the inputs twice, or the result as well.
 * @note Memory: CPU at most `elements/2`; CUDA at most `elements`; arrays on the host at most
 *   `elements*(input_bytes + sizeof(accumulator_dtype))`.
 * @see D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 *   2016.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_map_scan(struct gpumex_context *ctx,
                        const struct gpumex_map_scan_options *options,
                        const char *expression,
                        const void *const *inputs,
                        size_t input_count,
                        void *result);

/**
 * @brief Matrix product: C <- alpha*op(A)*op(B) + beta*C, or a batch of such products.
 *
 * As in the BLAS: with beta = 0 C is only written; with alpha = 0 or k = 0 A and B are not read and
 * may be NULL; elements between the rows (ROW) or columns (COLUMN) of C stay as they are. alpha and
 * beta are rounded to the dtype. AUTO takes no variant whose measured error exceeds that of a plain
 * product; on CUDA it may take TENSOR.
 *
 * F16 and BF16 are multiplied exactly and summed in float, alpha and beta are rounded to float,
 * and an element of C is rounded once, to nearest. On CUDA AUTO and TENSOR take the tensor cores of
 * compute capability 9.0, or convert A and B to F32 first, as the other variants and the CPU
 * backend do; A or B whose rows are not aligned to 16 bytes is copied.
 *
 * Complex matrices (C64, C128) are multiplied as one product of real ones, 8*m*n*k operations. It
 * takes a temporary of twice the size of op(B) (ROW) or op(A) (COLUMN), and one of the size of the
 * other factor where that is stored transposed, of C where beta_imag is not 0.
 *
 * Accuracy: each element differs from the exact result by at most `g * (|alpha|*|A|*|B| +
 * |beta|*|C|)`, g = j*u/(1 - j*u), j = k + 2 (TENSOR, and AUTO where it takes TENSOR: k + 10),
 * u = 2^-24 (F32) or 2^-53 (F64); of C64 and C128, as F32 and F64, j = 2*k + 12 (TENSOR, and AUTO
 * where it takes TENSOR: 2*k + 20), and 1.5 times that. TF32 rounds A and B to 11 bits first, and
 * adds at most `2^-10 * |A|*|B|`. F16 and BF16: j = 2*k + 10, u = 2^-24, and where C is not F32
 * half a unit in the last place of its dtype. Infinities, NaN and overflow are those of a plain
 * product, except with TF32 and CUBLAS; a product of two elements may be added without being
 * rounded, and then does not overflow (SEQUENTIAL rounds each). cuBLAS may multiply alpha into an
 * element of A or B first, and what is subnormal then loses bits. Variants and backends agree
 * within the bound, not bit by bit.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32 where it is not set, F64, F16, BF16, C64 or C128), dtype_c,
 *   order, trans_a, trans_b, leading dimensions, batch, strides, alpha, beta, alpha_imag,
 *   beta_imag; NULL: C <- A*B in F32, row-major.
 * @param m Rows of op(A) and C.
 * @param n Columns of op(B) and C.
 * @param k Columns of op(A) and rows of op(B).
 * @param a op(A) is m*k elements of the dtype in options->order (MATLAB: COLUMN); op transposes
 *   where trans_a is 1, and also conjugates where it is 2.
 * @param b op(B) is k*n elements, likewise with trans_b.
 * @param c m*n elements of the dtype, or of dtype_c where that is set; the range from its first to
 *   its last element overlaps neither a nor b, unless alpha = 0 or k = 0, where these are not read.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; lda, ldb or ldc
 *   less than a row or column; stride_c less than a matrix; a size that exceeds the address space;
 *   an array that is misaligned, overlaps an output, is too short or belongs to another device);
 *   UNSUPPORTED (another dtype; a variant that the backend or the device does not have; device
 *   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
 *   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
 *   the outputs are unspecified.
 * @note Cost: O(m*n*k*batch).
 * @note Memory: CPU at most `(dtype < C64 ? 1 : 2)*(m + n)*min(k, 384)*max(sizeof(dtype),
 *   4)*sqrt(threads) + (dtype < C64 ? 0 : max(batch, 1)*(2*k*(m + n) + m*n)*sizeof(dtype)) +
 *   (sizeof(dtype) == 2 ? 4*max(batch, 1)*(m*k + k*n + m*n) : 0)`; CUDA at most `(dtype < C64 ? 1 :
 *   4)*6*max(batch, 1)*(m + n)*(k + 64) + 33554432 + (dtype < C64 ? 0 : max(batch, 1)*(2*k*(m +
 *   n) + m*n)*sizeof(dtype)) + (sizeof(dtype) == 2 ? 4*max(batch, 1)*(m*k + k*n + m*n) : 0)`;
 *   arrays on the host `max(batch, 1)*((m*k + k*n)*sizeof(dtype) + m*n*(dtype_c == F32 ? 4 :
 *   sizeof(dtype)))`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_matmul(struct gpumex_context *ctx,
                      const struct gpumex_matmul_options *options,
                      size_t m,
                      size_t n,
                      size_t k,
                      const void *a,
                      const void *b,
                      void *c);

/**
 * @brief Median filter in two dimensions: `result[y][x]` <- the median of
 *   `data[y - m + i][x - n + j]`, i below window_rows, j below window_cols,
 *   m = (window_rows - 1)/2, n = (window_cols - 1)/2.
 *
 * GPUMEX_BOUNDARY_DEAD is MATLAB's medfilt2, GPUMEX_BOUNDARY_MIRROR medfilt2 (..., 'symmetric').
 * The median of an even number of elements is the mean of the middle two, of integers rounded with
 * halves away from zero. NaN is larger than all numbers: a window of which less than half is NaN
 * has a number as its median. -0 is less than 0. The result is the same on every backend.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, integers or BOOL; required), boundary, order, constant.
 *   Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param data rows*cols elements.
 * @param rows Number of rows.
 * @param cols Number of columns.
 * @param window_rows Number of rows of a window, at least 1, at most 31.
 * @param window_cols Number of columns of a window, at least 1, at most 31.
 * @param result Receives rows*cols elements; overlaps no input.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
 *   (ctx is not a live context; dtype not set; window_rows or window_cols; a number that is not one
 *   of its enum; an array that is misaligned, overlaps result, is too short or belongs to another
 *   device); UNSUPPORTED (F16, BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; an
 *   unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
 *   ctx); CANCELLED (gpumex_context_cancel). After an error result is unspecified.
 * @note Cost: reads data about once; comparisons a result: 17 for 3 x 3, 80 for 5 x 5, 2000 for
 *   15 x 15 on the CPU; on CUDA bits of dtype * window_rows*window_cols beyond 5 x 5.
 * @note Memory: CPU at most `threads*524288 + 1048576`; CUDA `0`; arrays on the host
 *   `2*sizeof(dtype)*rows*cols`.
 * @see A. Adams, "Fast Median Filters Using Separable Sorting Networks", ACM TOG 2021.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_median_filter(struct gpumex_context *ctx,
                             const struct gpumex_median_filter_options *options,
                             const void *data,
                             size_t rows,
                             size_t cols,
                             size_t window_rows,
                             size_t window_cols,
                             void *result);

/**
 * @brief Allocates memory: `*pointer` <- bytes bytes, aligned to 512 bytes, with undefined
 * contents; NULL where bytes = 0.
 *
 * The memory belongs to the caller until gpumex_free, and may outlive the context. Arrays may point
 * anywhere into it; they are checked against its end. Device memory may still be in use by earlier
 * work of the context, which later work of the context follows: before using it in a stream of your
 * own, call gpumex_context_synchronize. Use by another context is ordered by the library.
 * @param ctx The context that runs it.
 * @param kind A gpumex_memory_kind. On the CPU backend all kinds are host memory.
 * @param bytes Size of the block.
 * @param pointer Receives the address, NULL after an error.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; kind);
 *   OUT_OF_MEMORY (after all cached memory was released); CUDA; UNSUPPORTED (a CUDA context after
 *   fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_malloc(struct gpumex_context *ctx,
                      int32_t kind,
                      size_t bytes,
                      void **pointer);

/**
 * @brief Frees memory of gpumex_malloc, also after its context was destroyed.
 *
 * Waits for the library's own work on it; the caller's own work on it has to be done.
 * @param pointer The start of a block; NULL does nothing.
 * @return 0 or a gpumex_status: INVALID_ARGUMENT (not the start of a block of gpumex_malloc, or
 *   freed before); CUDA or UNSUPPORTED (after fork) where another stream's use of it could not be
 *   waited for: the memory is freed nevertheless.
 * @note Thread-safe.
 * @ingroup gpumex_memory
 */
GPUMEX_API int32_t gpumex_free(void *pointer);

/**
 * @brief Copies bytes bytes between any two kinds of memory.
 * @param ctx The context that runs it.
 * @param to Receives bytes bytes.
 * @param from bytes bytes; does not overlap to.
 * @param bytes Number of bytes.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; an array that is misaligned, overlaps an output,
 *   is too short or belongs to another device); UNSUPPORTED (device memory on the CPU backend; a
 *   CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). to is unspecified after OUT_OF_MEMORY, CUDA and CANCELLED.
 * @note Asynchronous between two ranges of device memory.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `0`.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_copy(struct gpumex_context *ctx,
                    void *to,
                    const void *from,
                    size_t bytes);

/**
 * @brief Migrates the pages of managed memory to where they are needed next; the contents stay.
 * @param ctx The context that runs it.
 * @param array bytes bytes of managed memory; on the CPU backend, where nothing moves, also host
 *   memory.
 * @param bytes Number of bytes.
 * @param target A gpumex_prefetch_target.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; not
 *   managed memory, or too short; target); UNSUPPORTED (the device cannot; a CUDA context after
 *   fork); CUDA; BUSY (another thread is in ctx).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `0`.
 * @ingroup gpumex_memory
 */
GPUMEX_API
int32_t gpumex_prefetch(struct gpumex_context *ctx,
                        void *array,
                        size_t bytes,
                        int32_t target);

/**
 * @brief Stable merge: keys <- the keys of two sorted arrays in options->order; of equal keys those
 * of a come first.
 *
 * Keys are moved bitwise; -0 equals 0, NaN equals NaN and is greater than all numbers. Payload
 * NONE: the values are ignored. VALUES: each key's value comes with it, copied bitwise. INDICES:
 * values receives i for `a[i]` and a_count + j for `b[j]`. Sortedness is not checked
 * (gpumex_check_sorted): unsorted inputs give some of the keys in an unspecified order. With
 * options->expression the arrays are sorted by it, as gpumex_sort has it; one that is no strict
 * weak order gives some of the keys as well.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
 *   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
 *   INDICES), expression. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param a_keys a_count elements of dtype, sorted.
 * @param a_values a_count elements of value_dtype with VALUES, else ignored.
 * @param a_count Number of elements of a.
 * @param b_keys b_count elements of dtype, sorted.
 * @param b_values b_count elements of value_dtype with VALUES, else ignored.
 * @param b_count Number of elements of b.
 * @param keys Receives a_count + b_count keys.
 * @param values Receives a_count + b_count elements of value_dtype or index_dtype; ignored with
 *   NONE.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; U32 positions for 2^32 elements or more; the expression, with the byte from 1 at which it
 *   is wrong; order beside it; an array that is misaligned, overlaps an output, is too short or
 *   belongs to another device); UNSUPPORTED (F16, BF16; an expression that is too long for
 *   gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads and writes each element once; with an expression a search for each key.
 * @note Memory: CPU `2*(a_count + b_count)*widened(dtype) + (expression ? 8*max(a_count, b_count) :
 *   0)`; CUDA `2*(a_count +
 *   b_count)*widened(dtype)`; arrays on the host `(a_count + b_count)*(2*copied(dtype) +
 *   max(converting(dtype, 1), payload_bytes*(payload == VALUES ? 2 : 1)))`.
 * @see S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made
 *   Simple", 2012.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_merge(struct gpumex_context *ctx,
                     const struct gpumex_merge_options *options,
                     const void *a_keys,
                     const void *a_values,
                     size_t a_count,
                     const void *b_keys,
                     const void *b_values,
                     size_t b_count,
                     void *keys,
                     void *values);

/**
 * @brief Reads the header of a pattern file of Life and checks the whole text.
 *
 * RLE: lines with # (`#N`, `#r`, `#P`, `#R` and `#CXRLE` are read), a header `x = 36, y = 9, rule =
 * B3/S23` (rule optional, also `23/3`, or with `:T100,50` or `:P100,50` at its end), runs `<n>b` or
 * `<n>.` of dead and `<n>o` or `<n>A` of live cells, `<n>$` row ends, and `!`, which ends the text.
 * Life 1.06: the line `#Life 1.06` and `x y` of each live cell in any order; rows and cols are
 * those of the bounding box.
 * @param text length bytes in host memory, without a terminating NUL.
 * @param length Length of the text.
 * @param info Receives the description; set info->size (GPUMEX_PATTERN_INFO_INIT).
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (the text, with line and column;
 *   info->size); UNSUPPORTED (text in device memory); OUT_OF_MEMORY.
 * @note Needs no context; thread-safe. Cost: O(length), Life 1.06 O(length*log(length)).
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_pattern_inspect(const char *text,
                               size_t length,
                               struct gpumex_pattern_info *info);

/**
 * @brief Reads a pattern file of Life: board <- the pattern with its upper left cell at (row, col),
 * dead cells elsewhere.
 * @param text length bytes in host memory, in a format of gpumex_pattern_inspect.
 * @param length Length of the text.
 * @param cells Layout of the board, a gpumex_life_cells.
 * @param row Row of the pattern's upper left cell.
 * @param col Column of the pattern's upper left cell.
 * @param board Receives rows*cols cells, row-major, in host memory; unchanged after an error.
 * @param rows Rows of the board.
 * @param cols Columns of the board. The pattern, as large as gpumex_pattern_inspect says, has to
 *   fit.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (the text, with line and column; a
 *   pattern that does not fit; cells; a size that exceeds the address space; misalignment,
 *   overlap); UNSUPPORTED (device memory); OUT_OF_MEMORY.
 * @note Needs no context; thread-safe. Cost: O(length + rows*cols).
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_pattern_read(const char *text,
                            size_t length,
                            int32_t cells,
                            size_t row,
                            size_t col,
                            void *board,
                            size_t rows,
                            size_t cols);

/**
 * @brief Writes a board as a pattern file: text <- the pattern and a NUL, as far as capacity
 * allows; `*needed` <- the bytes of all of it, with the NUL.
 *
 * A truncated text is a success with `*needed` > capacity. RLE describes the whole board, in lines
 * of at most 70 characters; boundaries DEAD and TORUS become `:P` and `:T`. Life 1.06 lists the
 * live cells only.
 * @param info format, rule, boundary, name, row and col to write, as gpumex_pattern_inspect sets
 *   them; NULL: RLE with B3/S23.
 * @param cells Layout of the board, a gpumex_life_cells.
 * @param board rows*cols cells, row-major, in host memory.
 * @param rows Rows of the board.
 * @param cols Columns of the board.
 * @param text Receives at most capacity bytes, in host memory; NULL with capacity = 0 asks for the
 *   size only.
 * @param capacity Bytes that text holds.
 * @param needed Receives the size in bytes; may be NULL.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (a number or the rule in info; a
 *   name of several lines; a board that does not lie within -2^62 and 2^62; cells; a size that
 *   exceeds the address space; misalignment, overlap); UNSUPPORTED (device memory; a newer info);
 *   OUT_OF_MEMORY.
 * @note Needs no context; thread-safe. Cost: O(rows*cols).
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_pattern_write(const struct gpumex_pattern_info *info,
                             int32_t cells,
                             const void *board,
                             size_t rows,
                             size_t cols,
                             char *text,
                             size_t capacity,
                             uint64_t *needed);

/**
 * @brief Permutation of dimensions, the first one fastest: dimension k of result is dimension
 *   `order[k]` of source; `{1, 0}` transposes a matrix.
 *
 * @param ctx The context that runs it.
 * @param options variant, dtype (any, required), rank. Variants: AUTO, SEQUENTIAL (CPU backend
 *   only).
 * @param source The product of shape elements.
 * @param shape rank elements: the extent of each dimension of source, in host memory.
 * @param order rank elements: each of the numbers 0 to rank - 1 once, in host memory.
 * @param result Receives the product of shape elements; does not overlap source.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, shape, order, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype not set; rank; order; a number that is not
 *   of its enum; an array that is misaligned, overlaps result, is too short or belongs to another
 *   device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend; an unknown option;
 *   a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED result is unspecified.
 * @note Cost: reads source and writes result once.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*elements*sizeof(dtype)`.
 * @see G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA 2009.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_permute(struct gpumex_context *ctx,
                       const struct gpumex_permute_options *options,
                       const void *source,
                       const size_t *shape,
                       const int32_t *order,
                       void *result);

/**
 * @brief Formats an array: text <- count numbers in rows of `columns` and a NUL, as far as
 *   capacity allows; `*needed` <- the bytes of all of it, with the NUL.
 *
 * A truncated text is a success with `*needed` > capacity. Each row begins with the index of its
 * first number as `%5d:  `, a space follows every number, and a newline ends the row. No numbers
 * give no rows.
 * @param ctx The context that runs it.
 * @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
 * @param array count elements.
 * @param count Number of elements.
 * @param format Text around one conversion of printf, `%%` for a percent sign, at most 1024 bytes:
 *   d i u o x X for integers, c for those of 8 bits, f F e E g G a A for floats, with flags, width
 *   and precision (digits, at most 512). A length (l, hh ...) is ignored; d and i of an unsigned
 *   type are u; u o x X of a signed type show its two's complement. The decimal point is that of
 *   the locale.
 * @param columns Numbers in a row, at least 1.
 * @param text Receives at most capacity bytes, in host memory, apart from array and from format
 *   with its NUL; NULL with capacity = 0 asks for the size only.
 * @param capacity Bytes that text holds.
 * @param needed Receives the size in bytes, in host memory; may be NULL.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype; format; columns; text that overlaps format;
 *   an array that is misaligned, overlaps an output, is too short or belongs to another device);
 *   UNSUPPORTED (F16, BF16; text in device memory; device memory on the CPU backend; a CUDA context
 *   after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After an error text may hold a part of the result.
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `min(count*sizeof(dtype), 1048576)`; arrays on the host `0`.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_print(struct gpumex_context *ctx,
                     int32_t dtype,
                     const void *array,
                     size_t count,
                     const char *format,
                     size_t columns,
                     char *text,
                     size_t capacity,
                     uint64_t *needed);

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Formats an array as gpumex_print does and hands it to a callback, row by row; rows of
 *   more than 64 KiB in several calls.
 * @param ctx The context that runs it.
 * @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
 * @param array count elements.
 * @param count Number of elements.
 * @param format Text around one conversion of printf, as in gpumex_print.
 * @param columns Numbers in a row, at least 1.
 * @param write Called on the calling thread, with the caller's CUDA context current.
 * @param user Passed to write.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype; format; columns; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
 *   BF16; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel; write returned another number
 *   than 0).
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `min(count*sizeof(dtype), 1048576)`; arrays on the host `0`.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_print_to(struct gpumex_context *ctx,
                        int32_t dtype,
                        const void *array,
                        size_t count,
                        const char *format,
                        size_t columns,
                        gpumex_write_callback write,
                        void *user);
#endif

#if !defined(GPUMEX_MATLAB_LOADLIBRARY)
/**
 * @brief Sets the progress callback of a context, for gpumex_life, gpumex_histogram and
 * gpumex_words.
 *
 * A watched operation waits for the device between its parts; a cancelled one returns CANCELLED,
 * and its outputs are unspecified.
 * @param ctx The context.
 * @param progress Receives the progress; NULL removes the callback.
 * @param user Passed to progress; no longer used once a later call of this function returns.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
 *   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_context
 */
GPUMEX_API
int32_t gpumex_context_set_progress(struct gpumex_context *ctx,
                                    gpumex_progress_callback progress,
                                    void *user);
#endif

/**
 * @brief Uniform random numbers: integers in `[lo, hi]`, floats in `[lo, hi)`.
 *
 * Element i is a function of seed, lo, hi, dtype and i only (Philox4x32-10, 64 bits an element):
 * the same on every backend and for every count. Numbers of one seed and two intervals are
 * correlated: use another seed for independent ones. Integers: every value is equally likely to
 * within 2^-64. Floats: multiples of (hi - lo)*2^-24 (F32) or 2^-53 (F64), rounded.
 * @param ctx The context that runs it.
 * @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
 * @param array Receives count elements.
 * @param count Number of elements.
 * @param seed Any number.
 * @param lo Integers: a whole number that the dtype holds. Floats: rounded to the dtype first.
 * @param hi Integers: a whole number that the dtype holds, at least lo. Floats: greater than lo,
 *   and hi - lo is finite in the dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype; lo and hi; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; device
 *   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
 *   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
 *   the outputs are unspecified.
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
 * @see J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
 *   SC'11.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_random(struct gpumex_context *ctx,
                      int32_t dtype,
                      void *array,
                      size_t count,
                      uint64_t seed,
                      double lo,
                      double hi);

/**
 * @brief Sorted uniform random numbers: the numbers of gpumex_random with these arguments,
 * ascending.
 * @param ctx The context that runs it.
 * @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
 * @param array Receives count elements.
 * @param count Number of elements.
 * @param seed Any number.
 * @param lo Integers: a whole number that the dtype holds. Floats: rounded to the dtype first.
 * @param hi Integers: a whole number that the dtype holds, at least lo. Floats: greater than lo,
 *   and hi - lo is finite in the dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype; lo and hi; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; device
 *   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
 *   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
 *   the outputs are unspecified.
 * @note Cost: that of sorting count elements.
 * @note Memory: CPU `0`; CUDA `24.4*count`; arrays on the host `0`.
 * @see J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
 *   SC'11.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_random_sorted(struct gpumex_context *ctx,
                             int32_t dtype,
                             void *array,
                             size_t count,
                             uint64_t seed,
                             double lo,
                             double hi);

/**
 * @brief Normal random numbers of a mean and a standard deviation.
 *
 * Element i is a function of seed, mean, deviation, dtype and i only (Box-Muller on
 * Philox4x32-10, the keys of gpumex_random): the same bits on every backend and for every count.
 * Numbers of one seed are correlated with those of gpumex_random of that seed. The transform is
 * computed within a few ulp; numbers are at most 8.16 (F32) or 8.5 (F64) deviations from mean,
 * beyond which less than one of 2^47 lies.
 * @param ctx The context that runs it.
 * @param dtype A gpumex_dtype: F32 or F64.
 * @param array Receives count elements.
 * @param count Number of elements.
 * @param seed Any number.
 * @param mean Rounded to the dtype first.
 * @param deviation The standard deviation, not negative, rounded to the dtype first;
 *   |mean| + 9*deviation is finite in the dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype; mean and deviation; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
 *   (another dtype; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY;
 *   CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: O(count).
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
 * @see G. Box, M. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
 * @ingroup gpumex_memory
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_random_normal(struct gpumex_context *ctx,
                             int32_t dtype,
                             void *array,
                             size_t count,
                             uint64_t seed,
                             double mean,
                             double deviation);

/**
 * @brief Orthographic ray casting of spheres onto an image of 3 or 4 channels.
 *
 * Pixel (i, j), i = column, j = row, looks along z from (i - width/2.0, j - height/2.0). In
 * float32, round to nearest, no flush to zero: dx, dy from the pixel to the sphere's centre; d =
 * fma(dy,dy, dx*dx); hit iff radius > 0 and d < radius*radius; dz = sqrt(fma(radius,radius, -d));
 * the largest z + dz wins, -infinity too where there is no other hit, the first sphere on a tie,
 * NaN never; channel = trunc(clamp((colour * (dz/radius)) * 255, 0, 255)), NaN gives 0; background
 * 0,0,0; alpha 255. The image is bit-identical on every backend and with every variant.
 * @param ctx The context that runs it.
 * @param options variant, channels, layout; NULL: AUTO, RGBA, interleaved. SEQUENTIAL is CPU only.
 *   GLOBAL, READ_ONLY and CONSTANT test every sphere for every pixel; BINNED (AUTO) the spheres of
 *   the pixel's tile.
 * @param spheres count spheres of 7 floats each: r, g, b (0 to 1), radius, x, y, z (pixels, origin
 *   at the image centre).
 * @param count Number of spheres.
 * @param width Columns of the image.
 * @param height Rows of the image.
 * @param image Receives height*width*channels bytes in options->layout (gpumex_picture_layout).
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; a size that
 *   exceeds the address space; an array that is misaligned, overlaps an output, is too short or
 *   belongs to another device); UNSUPPORTED (channels other than 0, 3 and 4; SEQUENTIAL on CUDA;
 *   device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and
 *   CANCELLED the outputs are unspecified.
 * @note Cost: AUTO tests the spheres near each tile of 32 x 32 pixels, the textbook kernels all of
 *   them for each pixel.
 * @note Memory: CPU at most `48*count + width*height/96`; CUDA at most `32*count +
 *   width*height/64 + 4194304`; arrays on the host `28*count + (channels == 3 ? 3 :
 *   4)*width*height`.
 * @see J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; RSE-Sheffield, CUDALab03.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_raytrace(struct gpumex_context *ctx,
                        const struct gpumex_raytrace_options *options,
                        const float *spheres,
                        size_t count,
                        size_t width,
                        size_t height,
                        uint8_t *image);

/**
 * @brief Reduction: `*result` <- all elements of an array combined with options->op.
 *
 * count = 0 gives the identity of the operator: 0 for SUM, OR and XOR, 1 for PRODUCT, all bits set
 * for AND, the largest integer for MIN, the smallest for MAX, NaN for MIN and MAX of floats; with
 * options->identity that, which is joined with no element.
 * Integers are accumulated in accumulator_dtype, and wrap there. MIN and MAX of floats ignore NaN
 * (NaN results from NaN only), and -0 is less than 0.
 *
 * options->expression takes the place of op: an associative expression of a and b, the left
 * and the right operand, both of the accumulator dtype, in the language of gpumex_map by the
 * rules of C: `a + b - a*b`, `abs (a) >= abs (b) ? a : b`. The order of the elements is kept, so
 * that it need not be commutative; what is not associative gives an unspecified result. It has no
 * identity of its own: count = 0 needs options->identity.
 *
 * Complex numbers (C64, C128) have SUM, of which each part is as of real numbers, and PRODUCT, with
 * |error| <= 3*n*u*|product|; accumulator_dtype is dtype or C128.
 *
 * Accuracy: sums of floats |error| <= n*u/(1 - n*u) * sum `|x[i]|`, products n*u/(1 - n*u) *
 * |product|, n = count, u = 2^-24 (F32) or 2^-53 (F64). Elements are joined in an order that
 * depends on the device: the product of some of them may overflow or underflow where the product
 * from first to last does not, as that of 2 and 1/2 in turn. Deterministic: on the CPU the bits
 * depend on count only, on CUDA on count and the device. All other results are the same on every
 * backend.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, integers or BOOL; required), op (DEFAULT is SUM),
 *   accumulator_dtype (the dtype of the result; required for integers of 1 and 2 bytes and BOOL;
 *   F32, F64, or an integer type of as many bytes as dtype or more, where one of 1 or 2 bytes has
 *   to hold every value of dtype), result_copy, expression, identity. Variants: AUTO, SEQUENTIAL
 *   (CPU backend only).
 * @param data count elements.
 * @param count Number of elements.
 * @param result Receives one element of the accumulator dtype; does not overlap data.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype not set; accumulator_dtype; a number that
 *   is not of its enum; the expression, with the byte from 1 at which it is wrong; op beside it; no
 *   identity where it is needed; an array that is misaligned, overlaps an output, is too short or
 *   belongs to another device); UNSUPPORTED (F16, BF16; AND, OR, XOR of floats; another operator
 *   than SUM and PRODUCT, an expression or an identity of complex numbers; an expression that is
 *   too long for gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context
 *   after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads data once.
 * @note Memory: CPU `count*(wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
 *   0)`; CUDA `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) : 0) +
 *   (expression ? 1/500.0 : 0))`; arrays on the host `count*sizeof(dtype)`. A PRODUCT of complex
 *   numbers takes `12*(count + 4)`.
 * @see M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_reduce(struct gpumex_context *ctx,
                      const struct gpumex_reduce_options *options,
                      const void *data,
                      size_t count,
                      void *result);

/**
 * @brief Reduction by key: for each run r of equal neighbouring keys `unique_keys[r]` <- its first
 * key, `results[r]` <- its data combined with options->op, `offsets[r]` <- its position; `*needed`
 * <- the number of runs.
 *
 * offsets are those of gpumex_segmented_reduce, with `offsets[needed]` = count: other data of the
 * same keys are reduced by it, which does not read the keys again. Differences of offsets are the
 * lengths of a run-length encoding.
 *
 * Equal keys that are not neighbours are different runs. -0 equals 0, NaN equals NaN. Integers
 * wrap; MIN and MAX ignore NaN. Sums of floats: |error| <= n*u/(1 - n*u) * sum `|x[i]|` for a run
 * of n elements, u = 2^-24 (F32) or 2^-53 (F64). Deterministic, on the CPU with any number of
 * threads. options->expression takes the place of op: an associative expression of a and b, as for
 * gpumex_reduce, of dtype.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, I32, I64, U32, U64; required with results), key_dtype
 *   (F32, F64, integers or BOOL; required), op (DEFAULT is SUM), index_dtype (U32 or U64; required
 *   with offsets), expression. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param keys count elements of key_dtype, in any order.
 * @param data count elements of dtype; not read without results, and then it may be NULL.
 * @param count Number of elements.
 * @param unique_keys Receives the first min(needed, capacity) keys; NULL leaves them out.
 * @param results Receives as many elements of dtype; NULL leaves them out.
 * @param offsets Receives the first min(needed, capacity) + 1 positions, elements of index_dtype;
 *   none where capacity = 0. NULL leaves them out.
 * @param capacity Elements that unique_keys and results hold, and offsets one more; 0 counts only.
 * @param needed Receives the number of runs, in any memory. 0 < capacity < `*needed` is
 *   INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
 *   caller compares.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype, key_dtype or index_dtype not set; a number
 *   that is not of its enum; a count that U32 does not hold; capacity; the expression, with the
 *   byte from 1 at which it is wrong; op beside it; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
 *   (another dtype; AND, OR, XOR of floats; an expression that is too long for gpumex_map;
 *   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads keys and data once.
 * @note Memory: CPU `(count + (unique_keys ? capacity : 0))*widened(key_dtype) + count/7.9 +
 *   (results && expression ? 8*min(count, capacity) : 0)`; CUDA `(count + (unique_keys ? capacity :
 *   0))*widened(key_dtype) + count*max(wide(key_dtype), sizeof(dtype))/1024 + (results &&
 *   expression ? count*(sizeof(dtype) + 1.005) + (offsets ? 0 : 8*capacity) : 0)`; arrays on the
 *   host `(count + (unique_keys ? capacity : 0))*copied(key_dtype) + max(converting(key_dtype,
 *   count, unique_keys ? capacity : 0), (results ? (count + capacity)*sizeof(dtype) : 0) + (offsets
 *   ? capacity*sizeof(index_dtype) : 0))`.
 * @see S. Baxter, "ModernGPU", Reduce by key, NVIDIA 2013; D. Merrill, M. Garland, "Single-pass
 *   Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_reduce_by_key(struct gpumex_context *ctx,
                             const struct gpumex_reduce_by_key_options *options,
                             const void *keys,
                             const void *data,
                             size_t count,
                             void *unique_keys,
                             void *results,
                             void *offsets,
                             size_t capacity,
                             uint64_t *needed);

/**
 * @brief Reduction along a dimension: `result[i + inner*k]` <- `data[i + inner*(j + count*k)]`, all
 *   j, reduced by options->op.
 *
 * It serves any dimension of a dense array of any rank, in either order of memory: inner is the
 * product of the extents that are faster than the reduced one, outer of those that are slower.
 *
 * The results have accumulator_dtype. NONE: of SUM, PRODUCT, MIN and MAX dtype, of ANY and ALL
 * BOOL, of COUNT U64, of MEAN F64, or F32 of F32. Also served: F64 for SUM, PRODUCT and MEAN; an
 * integer type of as many bytes as dtype or more, where one of 1 or 2 bytes has to hold every value
 * of dtype, for SUM and PRODUCT of integers, which need it for integers of 1 and 2 bytes and BOOL;
 * U32 and F64 for COUNT. Integers wrap; with GPUMEX_RULES_MATLAB they saturate after each element,
 * from j = 0 on.
 *
 * NaN: options->nan OMIT leaves it out, INCLUDE takes it as an element that is not 0 and makes
 * sums, means and extrema NaN; the default is OMIT for MIN, MAX, ANY and ALL, else INCLUDE, as in
 * MATLAB. Extrema and means of NaN alone are NaN, at position 0. The minimum of zeros is -0, the
 * maximum 0, where there is one; with positions zeros are equal, and result is the element at the
 * position. With INCLUDE that is the first NaN.
 *
 * Complex numbers (C64, C128): SUM and MEAN, of which each part is as of real numbers, and PRODUCT,
 * with |error| <= 3*n*u*|product|, without OMIT; accumulator_dtype is dtype or C128.
 *
 * count = 0 gives 0 for SUM, COUNT and ANY, 1 for PRODUCT and ALL, NaN for MEAN and for MIN and MAX
 * of floats, the largest integer for MIN, the smallest for MAX, and position 0.
 *
 * Accuracy: sums of floats |error| <= n*u/(1 - n*u) * sum `|x[j]|`, products n*u/(1 - n*u) *
 * |product|, n = count, u = 2^-24 (F32) or 2^-53 (F64) of accumulator_dtype; MEAN one rounding
 * more. Products overflow as gpumex_reduce says. Deterministic: on the CPU the bits depend on the
 * shape only, on CUDA on the shape, the device and the alignment of data. All other results are
 * the same on every backend.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, integers or BOOL; required), op, accumulator_dtype,
 *   rules, nan, index_dtype, positions. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param data inner*count*outer elements.
 * @param inner Number of neighbouring elements that are reduced apart from one another; 1 where the
 *   dimension is the fastest one.
 * @param count Extent of the dimension.
 * @param outer Number of blocks of inner*count elements.
 * @param result Receives inner*outer elements of the accumulator dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
 *   (ctx is not a live context; a dtype not set; accumulator_dtype; positions with another op than
 *   MIN and MAX; a count that U32 does not hold; a number that is not of its enum; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
 *   BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads data once. Integers that saturate have one thread of the CPU a result.
 * @note Memory: CPU at most `inner*count*outer/4 + (dtype < C64 ? 0 : 12*inner*(count + 4)*outer)`;
 *   CUDA at most `inner*count*outer*(dtype < C64 ? 1 : 2) + (dtype < C64 ? 0 : 12*inner*(count +
 *   4)*outer)`; arrays on the host `inner*count*outer*sizeof(dtype) +
 *   inner*outer*(sizeof(accumulator_dtype) + sizeof(index_dtype))`.
 * @see M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_reduce_dim(struct gpumex_context *ctx,
                          const struct gpumex_reduce_dim_options *options,
                          const void *data,
                          size_t inner,
                          size_t count,
                          size_t outer,
                          void *result);

/**
 * @brief A vector times a number: `x[i]` <- `alpha*x[i]`; with factor RECIPROCAL `x[i] / alpha`,
 * with RECIPROCAL_ROOT `x[i] / sqrt (alpha)`.
 *
 * Product, quotient and root are each rounded once: the bits are the same on every backend. A step
 * of a power iteration is gpumex_spmv, gpumex_dot of the result with itself and this with
 * RECIPROCAL_ROOT; where dot has left its sum in device memory, nothing goes to the host.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32 or F64, required), factor.
 * @param alpha One element, apart from x. In host memory, pinned too, it is read during the call;
 *   in device memory in the order of the context's work.
 * @param x count elements, updated in place.
 * @param count Number of elements.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
 *   an array that is misaligned, overlaps an output, is too short or belongs to another device);
 *   UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
 *   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED x is unspecified.
 * @note Cost: reads and writes x once.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
 * @see C. Lawson et al., "Basic Linear Algebra Subprograms", ACM TOMS 5, 1979.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_scale(struct gpumex_context *ctx,
                     const struct gpumex_scale_options *options,
                     const void *alpha,
                     void *x,
                     size_t count);

/**
 * @brief Prefix scan with options->op: `result[i]` <- the combination of `data[0]` to `data[i -
 *   1]` (EXCLUSIVE; `result[0]` is the identity) or to `data[i]` (INCLUSIVE); `*total` <- that of
 *   all elements.
 *
 * Identities, options->identity, wrapping, NaN and options->expression are those of gpumex_reduce.
 * The identity is joined with no element. An exclusive scan by an expression needs it, and so does
 * the total of no elements. Accuracy: sums of floats |error| <=
 * n*u/(1 - n*u) * the sum of the `|x[k]|` added, products n*u/(1 - n*u) * |product|, n = count, u
 * = 2^-24 (F32) or 2^-53 (F64), unless some of the factors overflow as gpumex_reduce says.
 * Deterministic for one device. Neighbouring sums may be rounded
 * differently: prefix sums of numbers >= 0 may decrease by that error.
 *
 * Complex numbers (C64, C128) are summed, each part as gpumex_scan_dim does with inner = 2;
 * accumulator_dtype is dtype or C128.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, integers or BOOL; required), op (DEFAULT is SUM), kind,
 *   accumulator_dtype (the dtype of the results; required for integers of 1 and 2 bytes and BOOL;
 *   F32, F64, or an integer type of as many bytes as dtype or more, where one of 1 or 2 bytes has
 *   to hold every value of dtype), expression, identity. Variants: AUTO, SEQUENTIAL (CPU backend
 *   only).
 * @param data count elements.
 * @param count Number of elements.
 * @param result Receives count elements of the accumulator dtype; may be data where that is dtype,
 *   and overlaps it in no other way.
 * @param total Receives one element of the accumulator dtype; NULL leaves it out.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype not set; accumulator_dtype; a number that
 *   is not of its enum; the expression, with the byte from 1 at which it is wrong; op beside it; no
 *   identity where it is needed; an array that is misaligned, overlaps an output, is too short or
 *   belongs to another device); UNSUPPORTED (F16, BF16; AND, OR, XOR of floats; another operator
 *   than SUM, an expression or an identity of complex numbers; an expression that is too long for
 *   gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads and writes the array once (an expression reads it twice, and on CUDA writes it
 *   twice as well).
 * @note Memory: CPU `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
 *   0) + widened(accumulator_dtype)) + count/2048`; CUDA `count*((wide(accumulator_dtype) >
 *   sizeof(dtype) ? wide(accumulator_dtype) : 0) + widened(accumulator_dtype)) + count/(expression
 *   ? 200 : 500)`;
 *   arrays on the host `count*(wide(accumulator_dtype) > sizeof(dtype) ? sizeof(accumulator_dtype)
 *   : (data == result ? 1 : 2)*sizeof(dtype))`.
 * @see D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 *   2016.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_scan(struct gpumex_context *ctx,
                    const struct gpumex_scan_options *options,
                    const void *data,
                    size_t count,
                    void *result,
                    void *total);

/**
 * @brief Prefix scan along a dimension: `result[i + inner*(j + count*k)]` <- the elements of data
 *   before the j-th (EXCLUSIVE; the first result is the identity), or up to it (INCLUSIVE), with
 *   the same i and k, combined with options->op.
 *
 * It serves any dimension of a dense array of any rank, as gpumex_reduce_dim, with its dtypes,
 * overflow, NaN and zeros: cumsum, cumprod, cummin and cummax of MATLAB with INCLUSIVE. Identities:
 * 0 for SUM, 1 for PRODUCT, the largest integer for MIN, the smallest for MAX, NaN for MIN and MAX
 * of floats. Complex numbers (C64, C128) are summed as by gpumex_reduce_dim.
 *
 * Accuracy: sums of floats |error| <= n*u/(1 - n*u) * the sum of the |x| added, products n*u/(1 -
 * n*u) * |product|, n = count, u = 2^-24 (F32) or 2^-53 (F64) of accumulator_dtype, unless some of
 * the factors overflow as gpumex_reduce says. Deterministic for one device and alignment of data,
 * on the CPU with any number of threads. All other results are the same on every backend.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, integers or BOOL; required), op (SUM, PRODUCT, MIN or
 *   MAX), kind, accumulator_dtype (the dtype of the results, as for gpumex_reduce_dim), rules, nan,
 *   reverse. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param data inner*count*outer elements.
 * @param inner Number of neighbouring elements that are scanned apart from one another; 1 where the
 *   dimension is the fastest one.
 * @param count Extent of the dimension.
 * @param outer Number of blocks of inner*count elements.
 * @param result Receives inner*count*outer elements of the accumulator dtype; may be data where
 *   that is dtype, and overlaps it in no other way.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
 *   (ctx is not a live context; dtype not set; accumulator_dtype; reverse; a number that is not of
 *   its enum; an array that is misaligned, overlaps an output, is too short or belongs to another
 *   device); UNSUPPORTED (F16, BF16; another op; SEQUENTIAL on CUDA; device memory on the CPU
 *   backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx);
 *   CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are
 *   unspecified.
 * @note Cost: reads and writes the array once; reads it twice where it has few columns and many
 *   rows, or the other way round.
 * @note Memory: CPU at most `inner*count*outer/4 + 8*threads*inner`; CUDA at most
 *   `inner*count*outer`; arrays on the host `inner*count*outer*(data == result ? sizeof(dtype) :
 *   sizeof(dtype) + sizeof(accumulator_dtype))`.
 * @see D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 *   2016.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_scan_dim(struct gpumex_context *ctx,
                        const struct gpumex_scan_dim_options *options,
                        const void *data,
                        size_t inner,
                        size_t count,
                        size_t outer,
                        void *result);

/**
 * @brief Writes elements to given positions: `target[indices[i]]` <- `source[i]` where the index is
 * below target_count.
 *
 * The rest of target stays as it is. Of equal indices one wins; which one is unspecified (with
 * SEQUENTIAL the last).
 * @param ctx The context that runs it.
 * @param options variant, dtype (any, required), index_dtype (U32 or U64, required), check.
 * @param source count elements.
 * @param indices count positions, from 0.
 * @param count Number of elements and indices.
 * @param target target_count elements, updated in place; overlaps neither source nor indices.
 * @param target_count Number of elements.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; dtype or index_dtype not set; a number that is
 *   not of its enum; with check = 1 an index out of range, named with its position, where target
 *   is not written; an array that is misaligned, overlaps an output, is too short or belongs to
 *   another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
 *   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED target is unspecified.
 * @note With check = 1 it waits for the answer. Cost: one access to target an index.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `target_count*sizeof(dtype) +
 *   count*(sizeof(dtype) + sizeof(index_dtype))`.
 * @see S. Baxter, "ModernGPU", DeviceScatter, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_scatter(struct gpumex_context *ctx,
                       const struct gpumex_scatter_options *options,
                       const void *source,
                       const void *indices,
                       size_t count,
                       void *target,
                       size_t target_count);

/**
 * @brief N-D indexed assignment: `target[s0(i0), s1(i1), ...]` <- `values[i0, i1, ...]`, the first
 *   dimension fastest.
 *
 * `s(i)` of a dimension is that of gpumex_gather_nd. The rest of target stays as it is.
 * @param ctx The context that runs it.
 * @param options variant, dtype (any, required), rank, check, broadcast, last, shape (required),
 *   counts, starts, steps, wraps, indices, index_dtypes. Variants: AUTO, SEQUENTIAL (CPU backend
 *   only). The index vectors may lie anywhere; those in host memory do not make a call on device
 *   arrays synchronous.
 * @param values The product of counts elements, or one with broadcast, which may lie in host memory
 *   beside a target on a device without making the call synchronous.
 * @param target The product of shape elements, updated in place; overlaps neither values nor index
 *   vectors.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, options->shape, options->index_dtypes beside
 *   indices, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; dtype not
 *   set; rank; a range that leaves its dimension and does not wrap; wraps or an extent of 0 beside
 *   indices; starts beyond 2^62 beside indices, other than 0 beside a mask; index_dtypes; a number
 *   that is not of its enum; check; broadcast; last; an array that is misaligned, overlaps target,
 *   is too short or belongs to another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on
 *   the CPU backend; a range that reaches 2^63 before it wraps; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED target is unspecified.
 * @note An index that is out of range, or no whole number, names no place; neither do the last
 *   elements of a dimension whose mask has fewer than counts[d] set elements. check = 1: waits, and
 *   such an index is INVALID_ARGUMENT with its dimension and position, as is a mask of more or
 *   fewer; then target is not written. last = 1: on the CPU backend on one core, where places may
 *   repeat; on CUDA a look at each index vector more. Without it, and with SEQUENTIAL, the last one
 *   wins on one core. Cost: reads values once and writes as much of target.
 * @note Memory: CPU `mask_positions`; CUDA at most `(mask_positions > 0 ? mask_positions +
 *   elements/4 + 65536 : 0) + (last ? positions + 8*elements : 0)`; arrays on the host at most
 *   `(elements + (broadcast ? 0 : taken))*sizeof(dtype) + positions`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_scatter_nd(struct gpumex_context *ctx,
                          const struct gpumex_scatter_nd_options *options,
                          const void *values,
                          void *target);

/**
 * @brief Segmented reduction: `result[s]` <- `data[offsets[s]]` to `data[offsets[s + 1] - 1]`
 * combined with options->op.
 *
 * Elements before `offsets[0]` and from `offsets[segments]` on belong to no segment. An empty
 * segment gives options->identity, and without one that of the operator: 0 for SUM, OR and XOR, 1
 * for PRODUCT, all bits set for AND, for MIN and MAX the largest and the smallest integer, NaN for
 * floats. Integers wrap; MIN and MAX ignore NaN. Sums of floats: |error| <= n*u/(1 - n*u) * sum
 * `|x[i]|` for a segment of n elements, u = 2^-24 (F32) or 2^-53 (F64). Deterministic for one
 * device, on the CPU with any number of threads. Offsets that do not ascend or exceed count give
 * unspecified results, without access out of bounds.
 *
 * options->expression takes the place of op: an associative expression of a and b, as for
 * gpumex_reduce, of dtype. It needs options->identity, the result of an empty segment, which is
 * joined with no element; geometry is not read.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), op (DEFAULT is SUM),
 *   index_dtype (U32 or U64; required), geometry (of gpumex_segments_prepare, or NULL), identity,
 *   expression. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param data count elements of dtype.
 * @param count Number of elements.
 * @param offsets segments + 1 elements of index_dtype, ascending, the last at most count; may be
 *   NULL where segments = 0.
 * @param segments Number of segments.
 * @param sources segments elements of index_dtype: segment s begins at `data[sources[s]]`, its
 *   length still from offsets; segments may share elements. NULL: they begin at their offsets.
 * @param result Receives segments elements of dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; a count that U32 does not hold; the expression, with the byte from 1 at which it is
 *   wrong; op beside it, or no identity; an array that is misaligned, overlaps an output, is too
 *   short or belongs to another device); UNSUPPORTED (another dtype; AND, OR, XOR of floats; an
 *   expression that is too long for gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU
 *   backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx);
 *   CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are
 *   unspecified.
 * @note Cost: reads data once, whatever the lengths of the segments.
 * @note Memory: CPU `(count + segments)/(expression ? 500 : 819)`; CUDA `expression ?
 *   count*(sizeof(dtype) + 1.005) : 0`; arrays on the host `(count + segments)*sizeof(dtype) +
 *   (segments + 1)*sizeof(index_dtype)*(sources ? 2 : 1)`.
 * @see S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013; D. Merrill, M. Garland,
 *   "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC 2016.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_segmented_reduce(struct gpumex_context *ctx,
                                const struct gpumex_segmented_reduce_options *options,
                                const void *data,
                                size_t count,
                                const void *offsets,
                                size_t segments,
                                const void *sources,
                                void *result);

/**
 * @brief Stable sort of each segment: sorted <- the keys of every segment in options->order,
 * segments in place, with an optional payload.
 *
 * Keys are moved bitwise; -0 equals 0, NaN equals NaN and is greater than all numbers. Payload
 * NONE: values and sorted_values are ignored. VALUES: `sorted_values[i]` <- the value of the key
 * now at `sorted[i]`, copied bitwise. INDICES: `sorted_values[i]` <- the position in keys of the
 * key now at `sorted[i]`. Offsets that do not ascend or are not below count leave some segments
 * unsorted; nothing outside the arrays is accessed.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
 *   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
 *   INDICES and with OFFSETS), segments_by. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param keys count elements of dtype; not changed.
 * @param values count elements of value_dtype with VALUES, else ignored; not changed.
 * @param count Number of elements.
 * @param segments Segment starts. OFFSETS: segment_count positions of index_dtype, ascending; 0 may
 *   be left out, equal ones are empty segments. FLAGS: words of uint32_t, bit i % 32 of word i / 32
 *   set where key i begins a segment; bit 0 and the bits from count on are ignored.
 * @param segment_count Elements of segments; with FLAGS (count + 31) / 32. 0: one segment.
 * @param sorted Receives count keys.
 * @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; U32 positions for 2^32 elements or more; segment_count with FLAGS; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
 *   BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: about three passes for segments of up to some thousand keys, one more for each
 *   doubling of the longest, whatever their number.
 * @note Memory: CPU `count*2*(widened(dtype) + pair_bytes)`; CUDA `count*(2*widened(dtype) +
 *   wide(dtype) + payload_bytes)`; arrays on the host `count*(2*copied(dtype) +
 *   payload_bytes*(payload == VALUES ? 2 : 1)) + segment_count*sizeof(index_dtype)`.
 * @see S. Baxter, "ModernGPU", Segmented Sort, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_segmented_sort(struct gpumex_context *ctx,
                              const struct gpumex_segmented_sort_options *options,
                              const void *keys,
                              const void *values,
                              size_t count,
                              const void *segments,
                              size_t segment_count,
                              void *sorted,
                              void *sorted_values);

/**
 * @brief Precomputes the partition of segments for repeated calls of gpumex_segmented_reduce and
 * gpumex_spmv with the same offsets.
 *
 * Pass geometry as options->geometry of both, with or without sources. Worthwhile for many calls
 * with few elements. A geometry belongs to one device; with other offsets it gives unspecified
 * results, without access out of bounds. The CPU backend needs none: `*needed` = 0, and geometry
 * is not looked at.
 * @param ctx The context that runs it.
 * @param options index_dtype (U32 or U64; required).
 * @param offsets segments + 1 elements of index_dtype; may be NULL where segments = 0.
 * @param segments Number of segments (rows of a matrix).
 * @param count Number of elements (nonzeros of a matrix).
 * @param geometry Receives at most capacity elements of uint64_t; device memory is fastest.
 * @param capacity Elements that geometry holds; 0 asks for the size only.
 * @param needed Receives the number of elements of the geometry, in host memory, also after an
 *   error (then possibly 0).
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; index_dtype not set; a number that is not of its
 *   enum; 0 < capacity < *needed; a count that U32 does not hold; an array that is misaligned,
 *   overlaps an output, is too short or belongs to another device); UNSUPPORTED (device memory on
 *   the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
 *   ctx); CANCELLED (gpumex_context_cancel). geometry is unspecified after one.
 * @note Cost: O(segments + count), one search for each part of the work.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host `(segments + 1)*sizeof(index_dtype) +
 *   8*capacity`.
 * @see S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_segments_prepare(struct gpumex_context *ctx,
                                const struct gpumex_segments_prepare_options *options,
                                const void *offsets,
                                size_t segments,
                                size_t count,
                                void *geometry,
                                size_t capacity,
                                uint64_t *needed);

/**
 * @brief Set operation on two sorted multisets: keys, values <- the first `capacity` elements of
 * the result; `*needed` <- its number of elements.
 *
 * A key that occurs m times in a and n times in b occurs in the result as often as with
 * std::set_intersection and its siblings: INTERSECTION min(m, n) times, the first ones of a;
 * UNION max(m, n) times, all of a, then the last ones of b; DIFFERENCE max(m - n, 0) times, the
 * last ones of a; SYMMETRIC_DIFFERENCE `|m - n|` times, the last ones of whichever has more. The
 * result is sorted. Keys are copied bitwise; -0 equals 0, NaN equals NaN and is greater than all
 * numbers. Payload VALUES: each key's value comes with it. INDICES: values receives i for `a[i]`
 * and a_count + j for `b[j]`. Sortedness is not checked: unsorted arrays, and repeated keys with
 * options->distinct, give an unspecified result.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, op,
 *   payload, value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required
 *   with INDICES), distinct. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param a_keys a_count elements of dtype, sorted.
 * @param a_values a_count elements of value_dtype with VALUES, else ignored.
 * @param a_count Number of elements of a.
 * @param b_keys b_count elements of dtype, sorted.
 * @param b_values b_count elements of value_dtype with VALUES, else ignored.
 * @param b_count Number of elements of b.
 * @param keys Receives at most capacity keys; may be NULL with a payload.
 * @param values Receives at most capacity elements of value_dtype or index_dtype; ignored with
 *   NONE.
 * @param capacity Elements that keys and values hold; 0 counts only; a_count + b_count
 *   always suffices.
 * @param needed Receives the number of elements, in any memory. 0 < capacity < `*needed` is
 *   INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
 *   caller compares.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; distinct; capacity; counts that a U32 position does not reach; an array that is
 *   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
 *   BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads a and b, writes the result.
 * @note Memory: CPU `(a_count + b_count + (keys ? capacity : 0))*widened(dtype) + (a_count +
 *   b_count)/293`; CUDA `(a_count + b_count + (keys ? capacity : 0))*widened(dtype) + (a_count +
 *   b_count)/200`; arrays on the host `(a_count + b_count + (keys ? capacity : 0))*copied(dtype) +
 *   max(converting(dtype, a_count, b_count, keys ? capacity : 0), ((payload == VALUES ? a_count +
 *   b_count : 0) + capacity)*payload_bytes)`.
 * @see S. Baxter, "ModernGPU", Multisets, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_set_operation(struct gpumex_context *ctx,
                             const struct gpumex_set_operation_options *options,
                             const void *a_keys,
                             const void *a_values,
                             size_t a_count,
                             const void *b_keys,
                             const void *b_values,
                             size_t b_count,
                             void *keys,
                             void *values,
                             size_t capacity,
                             uint64_t *needed);

/**
 * @brief Overrides a setting of the environment, before the first call that needs a context.
 *
 * Keys: "backend" = "auto", "cpu" or "cuda" (GPUMEX_BACKEND); "device" = a CUDA ordinal
 * (GPUMEX_DEVICE); "num_threads" = threads of the CPU backend, 0 for all cores
 * (GPUMEX_NUM_THREADS); "log" = "off", "error", "warn", "info" or "debug" (GPUMEX_LOG; default
 * off).
 * @param key Name of the setting.
 * @param value Its value as text.
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (unknown key or value); BUSY (a call
 *   that needs a context was made, even one that failed, unless it was for a wrong value in the
 *   environment, which this call can still override).
 * @note Thread-safe.
 * @ingroup gpumex_context
 */
GPUMEX_API GPUMEX_NODISCARD int32_t gpumex_configure(const char *key, const char *value);

/**
 * @brief Stable sort: sorted <- the keys in options->order, with an optional payload.
 *
 * Keys are moved bitwise; -0 equals 0, every NaN is greater than all numbers. Payload NONE: values
 * and sorted_values are ignored. VALUES: `sorted_values[i]` <- the value of the key now at
 * `sorted[i]`; payloads are copied bitwise, 4 or 8 bytes. INDICES: `sorted_values[i]` <- the
 * position in keys, from 0, of the key now at `sorted[i]`. All variants give the same result.
 *
 * options->expression takes the place of order: an expression of two keys a and b, both of dtype,
 * that is true, not 0, where a precedes b, in the language of gpumex_map by the rules of C: `abs
 * (a) < abs (b)`, `a % 10 < b % 10` as `rem (a, 10) < rem (b, 10)`. It has to be a strict weak
 * order, which false on both sides makes equal; one that is not gives some permutation of the keys,
 * the same on every backend, SEQUENTIAL excepted.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
 *   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
 *   INDICES), expression. SEQUENTIAL is CPU only; AUTO is RADIX, with an expression both are a
 *   sorting network.
 * @param keys count elements of dtype; not changed.
 * @param values count elements of value_dtype with VALUES, else ignored; not changed.
 * @param count Number of elements.
 * @param sorted Receives count keys; may be NULL with INDICES.
 * @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; U32 positions for 2^32 elements or more; the expression, with the byte from 1 at which it
 *   is wrong; order beside it; an array that is misaligned, overlaps an output, is too short or
 *   belongs to another device); UNSUPPORTED (F16, BF16; an expression that is too long for
 *   gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: on CUDA at most 4 passes over keys of 4 bytes and 8 over keys of 8 bytes; on the CPU
 *   backend one over the memory and two in the cache if keys are spread evenly, a pass more for
 *   each 16 bits that most of them have in common, with as much memory as these and their values;
 *   with an expression count*log2(count)^2/4 evaluations.
 * @note Memory: CPU `count*((sorted ? 0 : wide(dtype)) + (sorted ? 2 : 1)*widened(dtype) +
 *   (expression ? (count <= 4294967295 ? 4 : 8) : 0))`; CUDA `count*(expression ? (count <=
 *   4294967295 ? 4 : 8) + (sorted ? 0 : wide(dtype)) + (sorted ? 2 : 1)*widened(dtype) :
 *   1.04*(sorted ? 1 : 2)*wide(dtype) + (sorted ? 2 : 1)*widened(dtype) + (payload == INDICES &&
 *   count <= 4294967295 ? 4 : payload_bytes))`; arrays on the host `count*((sorted ? 2 :
 *   1)*copied(dtype) + payload_bytes*(payload == VALUES ? 2 : 1))`.
 * @see A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
 *   2022.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_sort(struct gpumex_context *ctx,
                    const struct gpumex_sort_options *options,
                    const void *keys,
                    const void *values,
                    size_t count,
                    void *sorted,
                    void *sorted_values);

/**
 * @brief Multiplicity of the elements of one sorted array in another: `counts[i]` <- how many
 * elements of b equal `a[i]`, `lower[i]` <- how many precede it.
 *
 * The equal ones are `b[lower[i]]` to `b[lower[i] + counts[i] - 1]`. -0 equals 0, NaN equals NaN
 * and is greater than all numbers. Sortedness is not checked: unsorted arrays give unspecified
 * results, without access out of bounds.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order,
 *   index_dtype (U32 or U64; required). Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param a a_count elements of dtype, sorted.
 * @param a_count Number of elements of a.
 * @param b b_count elements of dtype, sorted; may be a.
 * @param b_count Number of elements of b.
 * @param counts Receives a_count elements of index_dtype.
 * @param lower Receives a_count elements of index_dtype; NULL leaves it out.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; counts that U32 does not hold; an array that is misaligned, overlaps an output, is too
 *   short or belongs to another device); UNSUPPORTED (F16, BF16; SEQUENTIAL on CUDA; device memory
 *   on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is
 *   in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the
 *   outputs are unspecified.
 * @note Cost: O(a_count + b_count), whatever the runs of equal keys.
 * @note Memory: CPU `(a_count + b_count)*widened(dtype)`; CUDA `(a_count +
 *   b_count)*widened(dtype)`; arrays on the host `(a_count + b_count)*copied(dtype) +
 *   max(converting(dtype, a_count, b_count), a_count*sizeof(index_dtype)*(lower ? 2 : 1))`.
 * @see S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_sorted_equality_count(struct gpumex_context *ctx,
                                     const struct gpumex_sorted_equality_count_options *options,
                                     const void *a,
                                     size_t a_count,
                                     const void *b,
                                     size_t b_count,
                                     void *counts,
                                     void *lower);

/**
 * @brief Vectorized sorted search: bounds of the elements of each of two sorted arrays in the
 * other.
 *
 * `a_indices[i]` <- the lower (bound UPPER: upper) bound of `a[i]` in b: how many elements of b
 * precede it (or equal it). `b_indices[j]` <- the other bound of `b[j]` in a, so that both describe
 * one merge: `a[i]` goes to i + `a_indices[i]`, `b[j]` to j + `b_indices[j]`. `a_flags[i]`,
 * `b_flags[j]` <- 1 where the other array has an equal key, else 0. `matches[0]`, `matches[1]` <-
 * how many flags of a and of b are 1. -0 equals 0, NaN equals NaN and is greater than all numbers.
 * Sortedness is not checked: unsorted arrays give unspecified results, without access out of
 * bounds. With options->expression the arrays are sorted by it, as gpumex_sort has it, and keys of
 * which neither precedes the other are equal.
 * @param ctx The context that runs it.
 * @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, bound,
 *   index_dtype (U32 or U64; required where indices are passed), expression. Variants: AUTO,
 *   SEQUENTIAL (CPU backend only).
 * @param a a_count elements of dtype, sorted.
 * @param a_count Number of elements of a.
 * @param b b_count elements of dtype, sorted; may be a.
 * @param b_count Number of elements of b.
 * @param a_indices Receives a_count elements of index_dtype; NULL leaves it out.
 * @param b_indices Receives b_count elements of index_dtype; NULL leaves it out.
 * @param a_flags Receives a_count bytes; NULL leaves it out.
 * @param b_flags Receives b_count bytes; NULL leaves it out.
 * @param matches Receives two elements of uint64_t; NULL leaves it out.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; counts that U32 does not hold; the expression, with the byte from 1 at which it is wrong;
 *   order beside it; an array that is misaligned, overlaps an output, is too short or belongs to
 *   another device); UNSUPPORTED (F16, BF16; an expression that is too long for gpumex_map;
 *   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: O(a_count + b_count), in one pass for all outputs; with an expression a bisection for
 *   each key.
 * @note Memory: CPU `(a_count + b_count)*(widened(dtype) + 1/128.0) + (expression ? max(a_count,
 *   b_count)*(a_flags || b_flags || matches ? 9 : 8) : 0)`; CUDA `(a_count +
 *   b_count)*widened(dtype)`; arrays on the host `(a_count + b_count)*copied(dtype) +
 *   max(converting(dtype, a_count, b_count), ((a_indices ? a_count : 0) + (b_indices ? b_count :
 *   0))*sizeof(index_dtype) + (a_flags ? a_count : 0) + (b_flags ? b_count : 0))`.
 * @see S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_sorted_search(struct gpumex_context *ctx,
                             const struct gpumex_sorted_search_options *options,
                             const void *a,
                             size_t a_count,
                             const void *b,
                             size_t b_count,
                             void *a_indices,
                             void *b_indices,
                             void *a_flags,
                             void *b_flags,
                             void *matches);

/**
 * @brief Sparse matrix-vector product in CSR: `y[r]` <- the sum of `values[k] * x[columns[k]]` for
 * `offsets[r]` <= k < `offsets[r + 1]`.
 *
 * options->add and options->multiply replace sum and product: MIN and SUM give shortest paths, OR
 * and AND reachability. A row without nonzeros gives options->identity (of min-plus, infinity), and
 * without one that of add: 0 for SUM, OR and XOR, 1 for PRODUCT, all bits set for AND, for MIN and
 * MAX the largest and the smallest integer, NaN for floats. Integers wrap; MIN and MAX ignore NaN.
 * Accuracy: |error| <= n*u/(1 - n*u) * sum `|values[k] * x[columns[k]]|` for a row of n nonzeros, u
 * = 2^-24 (F32) or 2^-53 (F64). Deterministic for one device, on the CPU with any number of
 * threads. Offsets that do not ascend or exceed nonzeros give unspecified results, without access
 * out of bounds.
 * @param ctx The context that runs it.
 * @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
 *   required), add (DEFAULT is SUM), multiply (DEFAULT is PRODUCT), geometry (of
 *   gpumex_segments_prepare, or NULL), identity. Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param values nonzeros elements of dtype. NULL: a product is `x[columns[k]]` alone.
 * @param columns nonzeros elements of index_dtype, in any order, repeats allowed; those not below
 *   cols are ignored.
 * @param nonzeros Number of nonzeros.
 * @param offsets rows + 1 elements of index_dtype, ascending, the last at most nonzeros; may be
 *   NULL where rows = 0.
 * @param rows Rows of the matrix.
 * @param x cols elements of dtype.
 * @param cols Columns of the matrix.
 * @param sources rows elements of index_dtype: row r begins at nonzero `sources[r]`, its length
 *   still from offsets; rows may share nonzeros. NULL: they begin at their offsets.
 * @param y Receives rows elements of dtype.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
 *   enum; nonzeros or cols that U32 does not hold; an array that is misaligned, overlaps an
 *   output, is too short or belongs to another device); UNSUPPORTED (another dtype; AND, OR, XOR
 *   of floats; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
 *   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
 *   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
 * @note Cost: reads values and columns once, whatever the lengths of the rows.
 * @note Memory: CPU `(nonzeros + rows)/819`; CUDA `0`; arrays on the host `nonzeros*((values ?
 *   sizeof(dtype) : 0) + sizeof(index_dtype)) + (rows + 1)*sizeof(index_dtype)*(sources ? 2 : 1) +
 *   (rows + cols)*sizeof(dtype)`.
 * @see D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC 2016;
 *   S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013.
 * @ingroup gpumex_primitives
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_spmv(struct gpumex_context *ctx,
                    const struct gpumex_spmv_options *options,
                    const void *values,
                    const void *columns,
                    size_t nonzeros,
                    const void *offsets,
                    size_t rows,
                    const void *x,
                    size_t cols,
                    const void *sources,
                    void *y);

/**
 * @brief Expression of neighbours in two dimensions: `result[y][x]` <- expression of the elements
 *   around (y, x).
 *
 * The expression is as of gpumex_map, but the name of an input may be followed by an offset of two
 * integers from -7 to 7: `a(dy, dx)` is `a[y + dy][x + dx]`, and `a` is `a(0, 0)`. y counts rows
 * and x columns: with GPUMEX_STENCIL_ORDER_ROW a(0, 1) is the next element in memory and a(1, 0)
 * lies cols elements later; with GPUMEX_STENCIL_ORDER_COLUMN, for MATLAB's arrays, a(1, 0) is the
 * next one and a(0, 1) lies rows elements later. What is outside the array is
 * options->boundary's. A step of the heat equation is
 * `a + 0.1 * (a(-1,0) + a(1,0) + a(0,-1) + a(0,1) - 4*a)`. An expression that occurs twice is
 * computed once.
 *
 * Accuracy as of gpumex_map: the same bits on every backend but for elementary functions.
 * @param ctx The context that runs it. It caches 64 compiled expressions.
 * @param options variant, rules, dtype (required), boundary, order, names, dtypes, constant.
 *   Variants: AUTO, SEQUENTIAL (CPU backend only).
 * @param expression NUL-terminated text.
 * @param inputs input_count arrays of rows*cols elements, each of its dtype in dtypes.
 * @param input_count Number of inputs, at most 16.
 * @param rows Number of rows.
 * @param cols Number of columns.
 * @param result Receives rows*cols elements; overlaps no input.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->dtypes, inputs, or an
 *   array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the expression, with
 *   the byte from 1 at which it is wrong; names, dtypes, dtype; input_count; a number that is not
 *   one of its enum; reserved is not 0; an array that is misaligned, overlaps result, is too short
 *   or belongs to another device); UNSUPPORTED (an expression of more than 160 steps, 64 literals,
 *   8 intermediate results at once or 64 nested parentheses; SEQUENTIAL on CUDA; device memory on
 *   the CPU backend; an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
 *   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After an error result is
 *   unspecified.
 * @note Cost: reads each input about once and writes result once.
 * @note Memory: CPU `0`; CUDA `0`; arrays on the host at most `rows*cols*(sizeof(dtype) +
 *   input_bytes)`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_stencil(struct gpumex_context *ctx,
                       const struct gpumex_stencil_options *options,
                       const char *expression,
                       const void *const *inputs,
                       size_t input_count,
                       size_t rows,
                       size_t cols,
                       void *result);

/**
 * @brief The natural dtype of an expression of neighbours: `*dtype` <- the type that
 *   options->rules give its result.
 * @param options rules, names, dtypes, as for gpumex_stencil; other fields are ignored.
 * @param expression NUL-terminated text, as for gpumex_stencil.
 * @param input_count Number of inputs, at most 16.
 * @param dtype Receives a gpumex_dtype, in host memory.
 * @return 0 or a gpumex_status: NULL_POINTER (expression, options->dtypes, dtype);
 *   INVALID_ARGUMENT (the expression, with the byte from 1 at which it is wrong; names, dtypes;
 *   input_count; a number that is not one of its enum); UNSUPPORTED (64 nested parentheses or more
 *   than 1024 names, numbers and operators; an unknown option); OUT_OF_MEMORY.
 * @note Cost: O(length of the text).
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_stencil_dtype(const struct gpumex_stencil_options *options,
                             const char *expression,
                             size_t input_count,
                             int32_t *dtype);

/**
 * @brief How a kernel is launched on the context's device: from the library's table, or as
 * gpumex_tuning_set has set it.
 * @param ctx The context.
 * @param kernel Name of a kernel, operation and variant: "histogram_shared"; gpumex_tuning_text
 *   lists them.
 * @param tuning Receives it; set tuning->size (GPUMEX_KERNEL_TUNING_INIT).
 * @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; not a
 *   kernel; tuning->size); UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_tuning_get(struct gpumex_context *ctx,
                          const char *kernel,
                          struct gpumex_kernel_tuning *tuning);

/**
 * @brief Changes how a kernel is launched by this context.
 *
 * Results do not change, except for the rounding of floats where the order of additions depends on
 * it: gpumex_dot, gpumex_reduce, gpumex_scan, gpumex_segmented_reduce and gpumex_matmul. For one
 * tuning they are the same in every call.
 * @param ctx The context.
 * @param kernel Name of a kernel, as in gpumex_tuning_get.
 * @param tuning The new values; NULL restores the table.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, kernel); INVALID_ARGUMENT (ctx is not a live
 *   context; not a kernel; values that it does not serve, with a list of those it does);
 *   UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_tuning_set(struct gpumex_context *ctx,
                          const char *kernel,
                          const struct gpumex_kernel_tuning *tuning);

/**
 * @brief The tunings in force as a human-readable table, a line for each kernel.
 * @param ctx The context.
 * @return Text of the library, valid until the next call of a text function on this thread; NULL
 *   after an error (gpumex_last_status): NULL_POINTER; INVALID_ARGUMENT (ctx is not a live
 *   context); UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
 * @ingroup gpumex_diagnostics
 */
GPUMEX_API const char *gpumex_tuning_text(struct gpumex_context *ctx);

/**
 * @brief Word frequencies: the k most frequent words of a text, with the position and length of
 * each one's first occurrence.
 *
 * Words are listed by descending count, of equal counts the one that occurs first; elements past
 * the last word are 0. A word is a maximal run of letters and digits, with apostrophes (U+0027,
 * U+2019) between two of them. Encoding UTF8: letters and digits are the alphabetic and numeric
 * characters of Unicode, and bytes outside well-formed sequences separate words. ASCII: its letters
 * and digits; bytes from 0x80 on separate words. fold = 1: case is ignored where the lower case
 * form is one character, and U+2019 equals U+0027. Counts are exact: words are compared, not their
 * hashes.
 * @param ctx The context that runs it.
 * @param options variant, encoding, fold; NULL: UTF-8 with case.
 * @param text bytes bytes. Host memory of more than 256 MiB is processed in pieces on CUDA, and may
 *   exceed the device's memory.
 * @param bytes Length of the text.
 * @param k Number of words wanted.
 * @param positions Receives k elements of uint64_t: the byte where each word first begins.
 * @param lengths Receives k elements of uint64_t: its bytes there.
 * @param counts Receives k elements of uint64_t: its occurrences.
 * @param summary Receives the totals, in host memory; set its size field
 *   (GPUMEX_WORDS_SUMMARY_INIT). May be NULL.
 * @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
 *   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; fold;
 *   summary->size; an array that is misaligned, overlaps an output, is too short or belongs to
 *   another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
 *   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
 *   (gpumex_context_cancel; by the callback of gpumex_context_set_progress, which is told the
 *   bytes done). The arrays are unspecified after OUT_OF_MEMORY, CUDA and CANCELLED.
 * @note Cost: O(bytes) expected, and O(distinct*log(distinct)) for the order.
 * @note Memory: CPU at most `(128*threads + 160)*summary->distinct`; CUDA at most `134217728 +
 *   256*summary->distinct + bytes/512`; arrays on the host at most `min(bytes, 536870912)`.
 * @ingroup gpumex_operations
 */
GPUMEX_API
GPUMEX_NODISCARD
int32_t gpumex_words(struct gpumex_context *ctx,
                     const struct gpumex_words_options *options,
                     const void *text,
                     size_t bytes,
                     size_t k,
                     void *positions,
                     void *lengths,
                     void *counts,
                     struct gpumex_words_summary *summary);


#ifdef __cplusplus
}
#endif

#if GPUMEX_ATTRIBUTES == 1
#pragma GCC diagnostic pop
#endif
#undef GPUMEX_ATTRIBUTES

#ifndef GPUMEX_MATLAB_LOADLIBRARY
/* Initialisers of the structs that begin with their size: that size, and zeros.
 *     gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT; */
/* written by make header: */
/** Initialiser of gpumex_add_options. */
#define GPUMEX_ADD_OPTIONS_INIT \
    {sizeof(gpumex_add_options), 0, 0}
/** Initialiser of gpumex_allocator_stats. */
#define GPUMEX_ALLOCATOR_STATS_INIT \
    {sizeof(gpumex_allocator_stats), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_axpy_options. */
#define GPUMEX_AXPY_OPTIONS_INIT \
    {sizeof(gpumex_axpy_options), 0, 0, NULL, NULL}
/** Initialiser of gpumex_bulk_insert_options. */
#define GPUMEX_BULK_INSERT_OPTIONS_INIT \
    {sizeof(gpumex_bulk_insert_options), 0, 0, 0, 0}
/** Initialiser of gpumex_bulk_remove_options. */
#define GPUMEX_BULK_REMOVE_OPTIONS_INIT \
    {sizeof(gpumex_bulk_remove_options), 0, 0, 0, 0}
/** Initialiser of gpumex_check_sorted_options. */
#define GPUMEX_CHECK_SORTED_OPTIONS_INIT \
    {sizeof(gpumex_check_sorted_options), 0, 0, 0, 0}
/** Initialiser of gpumex_comm_options. */
#define GPUMEX_COMM_OPTIONS_INIT \
    {sizeof(gpumex_comm_options), 0, 0}
/** Initialiser of gpumex_comm_info. */
#define GPUMEX_COMM_INFO_INIT \
    {sizeof(gpumex_comm_info), 0, 0, 0, 0}
/** Initialiser of gpumex_dot_options. */
#define GPUMEX_DOT_OPTIONS_INIT \
    {sizeof(gpumex_dot_options), 0, 0, 0, 0}
/** Initialiser of gpumex_histogram_options. */
#define GPUMEX_HISTOGRAM_OPTIONS_INIT \
    {sizeof(gpumex_histogram_options), 0, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, 0, 0}
/** Initialiser of gpumex_life_options. */
#define GPUMEX_LIFE_OPTIONS_INIT \
    {sizeof(gpumex_life_options), 0, 0, 0, 0, NULL}
/** Initialiser of gpumex_matmul_options. */
#define GPUMEX_MATMUL_OPTIONS_INIT \
    {sizeof(gpumex_matmul_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, \
     NULL, NULL}
/** Initialiser of gpumex_reduce_options. */
#define GPUMEX_REDUCE_OPTIONS_INIT \
    {sizeof(gpumex_reduce_options), 0, 0, 0, 0, NULL, NULL, NULL}
/** Initialiser of gpumex_scan_options. */
#define GPUMEX_SCAN_OPTIONS_INIT \
    {sizeof(gpumex_scan_options), 0, 0, 0, 0, 0, 0, NULL, NULL}
/** Initialiser of gpumex_sort_options. */
#define GPUMEX_SORT_OPTIONS_INIT \
    {sizeof(gpumex_sort_options), 0, 0, 0, 0, 0, 0, NULL}
/** Initialiser of gpumex_words_options. */
#define GPUMEX_WORDS_OPTIONS_INIT \
    {sizeof(gpumex_words_options), 0, 0, 0, 0}
/** Initialiser of gpumex_words_summary. */
#define GPUMEX_WORDS_SUMMARY_INIT \
    {sizeof(gpumex_words_summary), 0, 0, 0}
/** Initialiser of gpumex_compact_options. */
#define GPUMEX_COMPACT_OPTIONS_INIT \
    {sizeof(gpumex_compact_options), 0, 0, 0, 0}
/** Initialiser of gpumex_context_options. */
#define GPUMEX_CONTEXT_OPTIONS_INIT \
    {sizeof(gpumex_context_options), 0, 0, 0, 0, NULL, NULL, 0}
/** Initialiser of gpumex_device_info. */
#define GPUMEX_DEVICE_INFO_INIT \
    {sizeof(gpumex_device_info), 0, 0, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_convolve_options. */
#define GPUMEX_CONVOLVE_OPTIONS_INIT \
    {sizeof(gpumex_convolve_options), 0, 0, 0, 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_gather_options. */
#define GPUMEX_GATHER_OPTIONS_INIT \
    {sizeof(gpumex_gather_options), 0, 0, 0, 0}
/** Initialiser of gpumex_gather_nd_options. */
#define GPUMEX_GATHER_ND_OPTIONS_INIT \
    {sizeof(gpumex_gather_nd_options), 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL}
/** Initialiser of gpumex_interval_expand_options. */
#define GPUMEX_INTERVAL_EXPAND_OPTIONS_INIT \
    {sizeof(gpumex_interval_expand_options), 0, 0, 0, 0}
/** Initialiser of gpumex_interval_move_options. */
#define GPUMEX_INTERVAL_MOVE_OPTIONS_INIT \
    {sizeof(gpumex_interval_move_options), 0, 0, 0, 0}
/** Initialiser of gpumex_join_options. */
#define GPUMEX_JOIN_OPTIONS_INIT \
    {sizeof(gpumex_join_options), 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_load_balance_search_options. */
#define GPUMEX_LOAD_BALANCE_SEARCH_OPTIONS_INIT \
    {sizeof(gpumex_load_balance_search_options), 0, 0}
/** Initialiser of gpumex_locality_sort_options. */
#define GPUMEX_LOCALITY_SORT_OPTIONS_INIT \
    {sizeof(gpumex_locality_sort_options), 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_map_options. */
#define GPUMEX_MAP_OPTIONS_INIT \
    {sizeof(gpumex_map_options), 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}
/** Initialiser of gpumex_map_reduce_options. */
#define GPUMEX_MAP_REDUCE_OPTIONS_INIT \
    {sizeof(gpumex_map_reduce_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, \
     NULL}
/** Initialiser of gpumex_map_scan_options. */
#define GPUMEX_MAP_SCAN_OPTIONS_INIT \
    {sizeof(gpumex_map_scan_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL}
/** Initialiser of gpumex_median_filter_options. */
#define GPUMEX_MEDIAN_FILTER_OPTIONS_INIT \
    {sizeof(gpumex_median_filter_options), 0, 0, 0, 0, 0}
/** Initialiser of gpumex_merge_options. */
#define GPUMEX_MERGE_OPTIONS_INIT \
    {sizeof(gpumex_merge_options), 0, 0, 0, 0, 0, 0, NULL}
/** Initialiser of gpumex_pattern_info. */
#define GPUMEX_PATTERN_INFO_INIT \
    {sizeof(gpumex_pattern_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, "", ""}
/** Initialiser of gpumex_permute_options. */
#define GPUMEX_PERMUTE_OPTIONS_INIT \
    {sizeof(gpumex_permute_options), 0, 0, 0, 0}
/** Initialiser of gpumex_raytrace_options. */
#define GPUMEX_RAYTRACE_OPTIONS_INIT \
    {sizeof(gpumex_raytrace_options), 0, 0, 0, 0}
/** Initialiser of gpumex_reduce_by_key_options. */
#define GPUMEX_REDUCE_BY_KEY_OPTIONS_INIT \
    {sizeof(gpumex_reduce_by_key_options), 0, 0, 0, 0, 0, 0, NULL}
/** Initialiser of gpumex_reduce_dim_options. */
#define GPUMEX_REDUCE_DIM_OPTIONS_INIT \
    {sizeof(gpumex_reduce_dim_options), 0, 0, 0, 0, 0, 0, 0, 0, NULL}
/** Initialiser of gpumex_scale_options. */
#define GPUMEX_SCALE_OPTIONS_INIT \
    {sizeof(gpumex_scale_options), 0, 0, 0, 0}
/** Initialiser of gpumex_scan_dim_options. */
#define GPUMEX_SCAN_DIM_OPTIONS_INIT \
    {sizeof(gpumex_scan_dim_options), 0, 0, 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_scatter_options. */
#define GPUMEX_SCATTER_OPTIONS_INIT \
    {sizeof(gpumex_scatter_options), 0, 0, 0, 0}
/** Initialiser of gpumex_scatter_nd_options. */
#define GPUMEX_SCATTER_ND_OPTIONS_INIT \
    {sizeof(gpumex_scatter_nd_options), 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, \
     NULL}
/** Initialiser of gpumex_segmented_reduce_options. */
#define GPUMEX_SEGMENTED_REDUCE_OPTIONS_INIT \
    {sizeof(gpumex_segmented_reduce_options), 0, 0, 0, 0, NULL, NULL, NULL}
/** Initialiser of gpumex_segmented_sort_options. */
#define GPUMEX_SEGMENTED_SORT_OPTIONS_INIT \
    {sizeof(gpumex_segmented_sort_options), 0, 0, 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_segments_prepare_options. */
#define GPUMEX_SEGMENTS_PREPARE_OPTIONS_INIT \
    {sizeof(gpumex_segments_prepare_options), 0, 0}
/** Initialiser of gpumex_set_operation_options. */
#define GPUMEX_SET_OPERATION_OPTIONS_INIT \
    {sizeof(gpumex_set_operation_options), 0, 0, 0, 0, 0, 0, 0, 0}
/** Initialiser of gpumex_sorted_equality_count_options. */
#define GPUMEX_SORTED_EQUALITY_COUNT_OPTIONS_INIT \
    {sizeof(gpumex_sorted_equality_count_options), 0, 0, 0, 0}
/** Initialiser of gpumex_sorted_search_options. */
#define GPUMEX_SORTED_SEARCH_OPTIONS_INIT \
    {sizeof(gpumex_sorted_search_options), 0, 0, 0, 0, 0, 0, NULL}
/** Initialiser of gpumex_spmv_options. */
#define GPUMEX_SPMV_OPTIONS_INIT \
    {sizeof(gpumex_spmv_options), 0, 0, 0, 0, 0, 0, NULL, NULL}
/** Initialiser of gpumex_stencil_options. */
#define GPUMEX_STENCIL_OPTIONS_INIT \
    {sizeof(gpumex_stencil_options), 0, 0, 0, 0, 0, 0, NULL, NULL, 0}
/** Initialiser of gpumex_kernel_tuning. */
#define GPUMEX_KERNEL_TUNING_INIT \
    {sizeof(gpumex_kernel_tuning), 0, 0, 0, 0}
/* end */

#if defined(__cplusplus) && __cplusplus >= 202002L
/** The address of a temporary. */
template <class Options> inline const Options *gpumex_address_of(const Options &options) {
    return &options;
}
/**
 * The address of an option struct with the fields that are named, and zeros in the others:
 * `gpumex_sort (ctx, GPUMEX_OPTIONS (sort, .dtype = GPUMEX_DTYPE_F32), keys, ...)`. It lives as
 * long as the block around it in C, and until the end of the call in C++, where it must not be kept
 * in a variable, and the fields stand in their order.
 */
#define GPUMEX_OPTIONS(operation, ...) \
    gpumex_address_of([&]() { \
        _Pragma("GCC diagnostic push") \
        _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"") \
        gpumex_##operation##_options gpumex_options_ = { \
            .size = sizeof(gpumex_##operation##_options), __VA_ARGS__}; \
        _Pragma("GCC diagnostic pop") \
        return gpumex_options_; \
    }())
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
/**
 * The address of an option struct with the fields that are named, and zeros in the others:
 * `gpumex_sort (ctx, GPUMEX_OPTIONS (sort, .dtype = GPUMEX_DTYPE_F32), keys, ...)`. It lives as
 * long as the block around it in C, and until the end of the call in C++, where it must not be kept
 * in a variable, and the fields stand in their order.
 */
#define GPUMEX_OPTIONS(operation, ...) \
    (&(const gpumex_##operation##_options){ \
        .size = sizeof(gpumex_##operation##_options), __VA_ARGS__})
#endif
#endif

#endif /* GPUMEX_H */
