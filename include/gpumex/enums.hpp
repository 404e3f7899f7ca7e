/// @file
/// @brief The enumerations of gpumex.h as enum classes: GPUMEX_SORT_ORDER_DESCENDING is gpumex::sort_order::descending.
///
/// A keyword of C++ has an underscore after it: auto_, and_, or_, xor_, union_, default_, return_, bool_.
#pragma once

#include <gpumex.h>

#include <cstdint>

namespace gpumex {

/// What happens to a thread that enters a context in use by another thread.
enum class busy_policy : std::int32_t {
    return_ = GPUMEX_BUSY_POLICY_RETURN, ///< It gets the status BUSY, at once.
    /// It waits for its turn, in the order of arrival; within a callback it gets BUSY instead.
    wait = GPUMEX_BUSY_POLICY_WAIT,
};

/// Division of on-chip memory between L1 cache and shared memory.
enum class cache_preference : std::int32_t {
    default_ = GPUMEX_CACHE_PREFERENCE_DEFAULT, ///< As the driver chooses.
    shared = GPUMEX_CACHE_PREFERENCE_SHARED, ///< As much shared memory as possible.
    l1 = GPUMEX_CACHE_PREFERENCE_L1, ///< As much L1 cache as possible.
    equal = GPUMEX_CACHE_PREFERENCE_EQUAL, ///< Half and half.
};

/// Result of a call. 0 is success; numbers are never reused.
enum class status : std::int32_t {
    ok = GPUMEX_STATUS_OK, ///< Success.
    null_pointer = GPUMEX_STATUS_NULL_POINTER, ///< A pointer that must not be NULL is NULL.
    /// A value or a combination of values breaks a rule; the message names both.
    invalid_argument = GPUMEX_STATUS_INVALID_ARGUMENT,
    /// Host or device memory is exhausted; the message has the size requested.
    out_of_memory = GPUMEX_STATUS_OUT_OF_MEMORY,
    /// CUDA was asked for and there is no usable device; the message has the reason.
    no_device = GPUMEX_STATUS_NO_DEVICE,
    cuda = GPUMEX_STATUS_CUDA, ///< The CUDA driver or a kernel failed.
    /// The request is valid, but this version, build or backend does not serve it.
    unsupported = GPUMEX_STATUS_UNSUPPORTED,
    /// The context is in use by another thread, its memory is held, or a setting came after first use.
    busy = GPUMEX_STATUS_BUSY,
    /// A callback of the caller's asked to stop, or gpumex_context_cancel ended the call.
    cancelled = GPUMEX_STATUS_CANCELLED,
    /// A bug in the library (a caught panic); please report it with the message.
    internal = GPUMEX_STATUS_INTERNAL,
    peer = GPUMEX_STATUS_PEER,
    timeout = GPUMEX_STATUS_TIMEOUT,
};

/// Where the memory of a context comes from.
enum class allocator : std::int32_t {
    caching = GPUMEX_ALLOCATOR_CACHING, ///< Freed blocks are cached by size and reused.
    simple = GPUMEX_ALLOCATOR_SIMPLE, ///< Each block from the driver, without a cache.
    /// The driver's own stream-ordered pool (cuMemAllocFromPoolAsync); CUDA backend only.
    pool = GPUMEX_ALLOCATOR_POOL,
    custom = GPUMEX_ALLOCATOR_CUSTOM, ///< A caller's pair of functions, set by gpumex_allocator_custom.
};

/// Kind of memory of gpumex_malloc. On the CPU backend all three are host memory.
enum class memory_kind : std::int32_t {
    device = GPUMEX_MEMORY_KIND_DEVICE, ///< Device memory; the host must not access it.
    /// Page-locked host memory: copies to and from the device run at full speed.
    pinned = GPUMEX_MEMORY_KIND_PINNED,
    managed = GPUMEX_MEMORY_KIND_MANAGED, ///< Memory whose pages migrate to the host or device that accesses them.
};

/// Element type of an array.
enum class dtype : std::int32_t {
    /// Not set: INVALID_ARGUMENT where an array of that type is passed, unless the operation states a
    /// default.
    none = GPUMEX_DTYPE_NONE,
    f32 = GPUMEX_DTYPE_F32, ///< float
    f64 = GPUMEX_DTYPE_F64, ///< double
    f16 = GPUMEX_DTYPE_F16, ///< IEEE 754 binary16
    bf16 = GPUMEX_DTYPE_BF16, ///< bfloat16, the upper half of a float
    i8 = GPUMEX_DTYPE_I8, ///< int8_t
    i16 = GPUMEX_DTYPE_I16, ///< int16_t
    i32 = GPUMEX_DTYPE_I32, ///< int32_t
    i64 = GPUMEX_DTYPE_I64, ///< int64_t
    u8 = GPUMEX_DTYPE_U8, ///< uint8_t
    u16 = GPUMEX_DTYPE_U16, ///< uint16_t
    u32 = GPUMEX_DTYPE_U32, ///< uint32_t
    u64 = GPUMEX_DTYPE_U64, ///< uint64_t
    bool_ = GPUMEX_DTYPE_BOOL, ///< A byte that is 0 or 1: MATLAB's logical, C99's bool.
    c64 = GPUMEX_DTYPE_C64, ///< Two floats, the real and the imaginary part: C99's float complex.
    c128 = GPUMEX_DTYPE_C128, ///< Two doubles: C99's double complex.
};

/// Where samples below the first bin or above the last one fall. NaN is never counted.
enum class histogram_outliers : std::int32_t {
    ignore = GPUMEX_HISTOGRAM_OUTLIERS_IGNORE, ///< Into no bin.
    clamp = GPUMEX_HISTOGRAM_OUTLIERS_CLAMP, ///< Into the first bin, or the last one.
};

/// Implementation of gpumex_histogram; the counts are the same. GLOBAL, STRIDED and SHARED are textbook
/// kernels for the 256 values of bytes; the CPU backend computes them as AUTO.
enum class histogram_variant : std::int32_t {
    auto_ = GPUMEX_HISTOGRAM_VARIANT_AUTO, ///< The fastest one.
    sequential = GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL, ///< A sequential loop on one core; CPU backend only.
    global = GPUMEX_HISTOGRAM_VARIANT_GLOBAL, ///< One thread for each sample, atomics on counters in global memory.
    strided = GPUMEX_HISTOGRAM_VARIANT_STRIDED, ///< Counters in global memory, a grid-stride loop.
    shared = GPUMEX_HISTOGRAM_VARIANT_SHARED, ///< Counters of each block in shared memory, merged at the end.
};

/// Which keys without a partner a join keeps.
enum class join_kind : std::int32_t {
    inner = GPUMEX_JOIN_KIND_INNER, ///< None.
    left = GPUMEX_JOIN_KIND_LEFT, ///< Those of a, in their places.
    right = GPUMEX_JOIN_KIND_RIGHT, ///< Those of b, at the end.
    outer = GPUMEX_JOIN_KIND_OUTER, ///< Both.
};

/// What lies outside the board.
enum class life_boundary : std::int32_t {
    clamp = GPUMEX_LIFE_BOUNDARY_CLAMP, ///< The edge cell nearest to it.
    dead = GPUMEX_LIFE_BOUNDARY_DEAD, ///< Dead cells.
    torus = GPUMEX_LIFE_BOUNDARY_TORUS, ///< The opposite edge.
};

/// Implementation of gpumex_life; the cells are the same. The CPU backend has SEQUENTIAL and computes the
/// others as AUTO.
enum class life_variant : std::int32_t {
    auto_ = GPUMEX_LIFE_VARIANT_AUTO, ///< The fastest one: CLUSTER for small boards, else REGISTERS.
    sequential = GPUMEX_LIFE_VARIANT_SEQUENTIAL, ///< A sequential loop over cells on one core; CPU backend only.
    arrays = GPUMEX_LIFE_VARIANT_ARRAYS, ///< Textbook: whole-array operations, the sum of eight shifted arrays.
    shmem = GPUMEX_LIFE_VARIANT_SHMEM, ///< Tiles of bits in shared memory, 16 generations a launch.
    texture = GPUMEX_LIFE_VARIANT_TEXTURE, ///< Boards of bits through texture objects, 8 generations a launch.
    /// Textbook: a tile of bytes and its halo in shared memory, one generation a launch.
    shmem_bytes = GPUMEX_LIFE_VARIANT_SHMEM_BYTES,
    /// Textbook: a board of bytes through texture objects, one generation a launch.
    texture_bytes = GPUMEX_LIFE_VARIANT_TEXTURE_BYTES,
    registers = GPUMEX_LIFE_VARIANT_REGISTERS, ///< Tiles of bits in registers, all generations in one launch.
    /// The whole board in the shared memory of one thread block cluster, all generations in one launch;
    /// UNSUPPORTED for a board that does not fit.
    cluster = GPUMEX_LIFE_VARIANT_CLUSTER,
};

/// File format of a pattern of Life.
enum class pattern_format : std::int32_t {
    auto_ = GPUMEX_PATTERN_FORMAT_AUTO, ///< To write, RLE.
    /// Run-length encoded, with size, rule and boundary: `x = 3, y = 3, rule = B3/S23`, `bob$2bo$3o!`.
    rle = GPUMEX_PATTERN_FORMAT_RLE,
    life106 = GPUMEX_PATTERN_FORMAT_LIFE106, ///< `#Life 1.06`, then a line `x y` for each live cell.
};

/// Implementation of gpumex_matmul. Error bounds are those of gpumex_matmul; results of two variants need not have the
/// same bits. The CPU backend computes NAIVE to TF32 as AUTO.
enum class matmul_variant : std::int32_t {
    /// The fastest one whose measured error does not exceed that of a plain product in the dtype.
    auto_ = GPUMEX_MATMUL_VARIANT_AUTO,
    sequential = GPUMEX_MATMUL_VARIANT_SEQUENTIAL, ///< A sequential triple loop on one core; CPU backend only.
    /// Textbook: one thread for each element of C, operands from global memory.
    naive = GPUMEX_MATMUL_VARIANT_NAIVE,
    /// Textbook: square tiles of A and B in shared memory; the tuning "matmul_blocked" has their size.
    blocked = GPUMEX_MATMUL_VARIANT_BLOCKED,
    tiled = GPUMEX_MATMUL_VARIANT_TILED, ///< Register tiles; F64 on tensor cores, which round as the others do.
    /// F32 on tensor cores, each number split into three parts of 8 bits; F64 as TILED. Compute
    /// capability 8.0 or later.
    tensor = GPUMEX_MATMUL_VARIANT_TENSOR,
    /// F32 on tensor cores, operands rounded to 11 bits: a thousand times the error. Compute capability
    /// 8.0 or later.
    tf32 = GPUMEX_MATMUL_VARIANT_TF32,
    cublas = GPUMEX_MATMUL_VARIANT_CUBLAS, ///< NVIDIA's cuBLAS, where the process can load it; CUDA backend only.
};

/// Binary operator. Integers wrap; AND, OR and XOR are for integers.
enum class binary_operator : std::int32_t {
    default_ = GPUMEX_OPERATOR_DEFAULT, ///< The usual one: SUM, and PRODUCT where gpumex_spmv multiplies.
    sum = GPUMEX_OPERATOR_SUM, ///< x + y
    product = GPUMEX_OPERATOR_PRODUCT, ///< x * y
    min = GPUMEX_OPERATOR_MIN, ///< The smaller one; NaN is ignored, -0 is less than 0.
    max = GPUMEX_OPERATOR_MAX, ///< The larger one; NaN is ignored, -0 is less than 0.
    and_ = GPUMEX_OPERATOR_AND, ///< x & y, bitwise
    or_ = GPUMEX_OPERATOR_OR, ///< x | y, bitwise
    xor_ = GPUMEX_OPERATOR_XOR, ///< x ^ y, bitwise
};

/// Order of sorted keys. -0 equals 0; NaN is greater than every number.
enum class sort_order : std::int32_t {
    ascending = GPUMEX_SORT_ORDER_ASCENDING, ///< The least key first.
    descending = GPUMEX_SORT_ORDER_DESCENDING, ///< The greatest key first.
};

/// What moves with the keys.
enum class payload : std::int32_t {
    none = GPUMEX_PAYLOAD_NONE, ///< Nothing: keys only.
    values = GPUMEX_PAYLOAD_VALUES, ///< Values, copied bitwise, 4 or 8 bytes each.
    indices = GPUMEX_PAYLOAD_INDICES, ///< The positions of the keys.
};

/// Layout of the channels of an image. Pixel (i, j): i = column, j = row; c = channel.
enum class picture_layout : std::int32_t {
    interleaved = GPUMEX_PICTURE_LAYOUT_INTERLEAVED, ///< Interleaved, row-major: (j*width + i)*channels + c.
    /// One plane for each channel, row-major: (c*height + j)*width + i.
    planar_rows = GPUMEX_PICTURE_LAYOUT_PLANAR_ROWS,
    /// One plane for each channel, column-major, MATLAB's height x width x channels: (c*width + i)*height
    /// + j.
    planar_columns = GPUMEX_PICTURE_LAYOUT_PLANAR_COLUMNS,
};

/// Implementation of gpumex_raytrace; the pixels are the same.
enum class raytrace_variant : std::int32_t {
    auto_ = GPUMEX_RAYTRACE_VARIANT_AUTO, ///< BINNED; on the CPU backend its own fastest.
    /// A sequential loop over pixels and spheres on one core; CPU backend only.
    sequential = GPUMEX_RAYTRACE_VARIANT_SEQUENTIAL,
    global = GPUMEX_RAYTRACE_VARIANT_GLOBAL, ///< Textbook: spheres in global memory.
    /// Textbook: spheres through the read-only data cache (`const __restrict__`).
    read_only = GPUMEX_RAYTRACE_VARIANT_READ_ONLY,
    constant = GPUMEX_RAYTRACE_VARIANT_CONSTANT, ///< Textbook: spheres in constant memory, in chunks of 64 KB.
    binned = GPUMEX_RAYTRACE_VARIANT_BINNED, ///< Spheres binned by tile of the image; any number of them.
};

/// What lies outside an array of rows and columns, in each of the two directions. Of the array a b c d, after d:
enum class boundary : std::int32_t {
    clamp = GPUMEX_BOUNDARY_CLAMP, ///< d d d: the element of the edge.
    dead = GPUMEX_BOUNDARY_DEAD, ///< 0 0 0
    torus = GPUMEX_BOUNDARY_TORUS, ///< a b c: the opposite edge.
    mirror = GPUMEX_BOUNDARY_MIRROR, ///< d c b: mirrored with the edge, as MATLAB's `padarray (..., "symmetric")`.
    reflect = GPUMEX_BOUNDARY_REFLECT, ///< c b a: mirrored without the edge.
    constant = GPUMEX_BOUNDARY_CONSTANT, ///< options->constant, as an element of the array.
};

/// In which order an array of rows and columns is stored.
enum class stencil_order : std::int32_t {
    row = GPUMEX_STENCIL_ORDER_ROW, ///< Row-major, as in C: a(0, 1) is the next element in memory.
    column = GPUMEX_STENCIL_ORDER_COLUMN, ///< Column-major, as in MATLAB: a(1, 0) is the next element in memory.
};

/// How much of a convolution is computed, of rows x cols elements and a filter of m x n weights.
enum class convolve_shape : std::int32_t {
    same = GPUMEX_CONVOLVE_SHAPE_SAME, ///< rows x cols results: the middle part of full, from row m/2 and column n/2 on.
    full = GPUMEX_CONVOLVE_SHAPE_FULL, ///< (rows + m - 1) x (cols + n - 1) results: each that an element takes part in.
    /// (rows - m + 1) x (cols - n + 1) results, none where the filter is larger: those that take elements of the array only.
    valid = GPUMEX_CONVOLVE_SHAPE_VALID,
};

/// Whether a filter is turned.
enum class convolve_kind : std::int32_t {
    convolution = GPUMEX_CONVOLVE_KIND_CONVOLUTION, ///< Turned by 180 degrees, as MATLAB's conv2.
    correlation = GPUMEX_CONVOLVE_KIND_CORRELATION, ///< As it is, as MATLAB's filter2 and imfilter.
};

/// How an expression gets the types of its operations.
enum class rules : std::int32_t {
    c = GPUMEX_RULES_C, ///< The usual arithmetic conversions; integers wrap.
    matlab = GPUMEX_RULES_MATLAB, ///< Class double unless a single or an integer takes part; integers saturate.
};

/// The factor of gpumex_scale.
enum class scale_factor : std::int32_t {
    alpha = GPUMEX_SCALE_FACTOR_ALPHA, ///< alpha
    reciprocal = GPUMEX_SCALE_FACTOR_RECIPROCAL, ///< 1 / alpha
    /// 1 / sqrt(alpha): normalises a vector by its gpumex_dot with itself
    reciprocal_root = GPUMEX_SCALE_FACTOR_RECIPROCAL_ROOT,
};

/// Operation on two multisets; a key occurs m times in one and n times in the other.
enum class set_operator : std::int32_t {
    intersection = GPUMEX_SET_OPERATOR_INTERSECTION, ///< min(m, n) times, the first ones of a.
    union_ = GPUMEX_SET_OPERATOR_UNION, ///< max(m, n) times, all of a and the last ones of b.
    difference = GPUMEX_SET_OPERATOR_DIFFERENCE, ///< max(m - n, 0) times, the last ones of a.
    /// |m - n| times, the last ones of whichever has more.
    symmetric_difference = GPUMEX_SET_OPERATOR_SYMMETRIC_DIFFERENCE,
};

/// Position of a key among equal ones.
enum class bound : std::int32_t {
    lower = GPUMEX_BOUND_LOWER, ///< Before the first of them.
    upper = GPUMEX_BOUND_UPPER, ///< Behind the last of them.
};

/// Implementation of an operation without textbook kernels.
enum class variant : std::int32_t {
    auto_ = GPUMEX_VARIANT_AUTO, ///< The fastest one.
    sequential = GPUMEX_VARIANT_SEQUENTIAL, ///< A sequential loop on one core; CPU backend only.
};

/// Implementation of gpumex_add; the sums are the same.
enum class add_variant : std::int32_t {
    auto_ = GPUMEX_ADD_VARIANT_AUTO, ///< The fastest one.
    sequential = GPUMEX_ADD_VARIANT_SEQUENTIAL, ///< A sequential loop on one core; CPU backend only.
    /// Pages of managed memory migrate to the device by page faults, when the kernel touches them.
    on_demand = GPUMEX_ADD_VARIANT_ON_DEMAND,
    prefetch = GPUMEX_ADD_VARIANT_PREFETCH, ///< Managed memory is prefetched to the device before the kernel.
};

/// Implementation of gpumex_dot; results agree within the error bound.
enum class dot_variant : std::int32_t {
    auto_ = GPUMEX_DOT_VARIANT_AUTO, ///< The fastest deterministic one.
    sequential = GPUMEX_DOT_VARIANT_SEQUENTIAL, ///< A sequential loop on one core; CPU backend only.
    /// A tree reduction in each block, one atomic addition for each block: the order of the additions,
    /// and with it the rounding, is not deterministic.
    atomic = GPUMEX_DOT_VARIANT_ATOMIC,
    /// A tree reduction in each block, and a second kernel that adds the block sums in a fixed order.
    two_pass = GPUMEX_DOT_VARIANT_TWO_PASS,
    /// The textbook's tree in shared memory, with a barrier a level, and one atomic a block.
    shared = GPUMEX_DOT_VARIANT_SHARED,
};

/// Implementation of gpumex_sort; the results are the same.
enum class sort_variant : std::int32_t {
    auto_ = GPUMEX_SORT_VARIANT_AUTO, ///< RADIX.
    /// The stable sort of the standard library, on one core; CPU backend only.
    sequential = GPUMEX_SORT_VARIANT_SEQUENTIAL,
    radix = GPUMEX_SORT_VARIANT_RADIX, ///< Least significant digit radix sort, eight bits a pass.
};

/// Character encoding of a text.
enum class words_encoding : std::int32_t {
    utf8 = GPUMEX_WORDS_ENCODING_UTF8, ///< UTF-8: words consist of letters and digits of Unicode.
    ascii = GPUMEX_WORDS_ENCODING_ASCII, ///< ASCII: bytes from 0x80 on separate words.
};

/// Storage of the cells of a board.
enum class life_cells : std::int32_t {
    bytes = GPUMEX_LIFE_CELLS_BYTES, ///< One byte for each cell.
    bits = GPUMEX_LIFE_CELLS_BITS, ///< One bit for each cell, rows padded to 64-bit words.
};

/// Storage order of a matrix.
enum class matmul_order : std::int32_t {
    row = GPUMEX_MATMUL_ORDER_ROW, ///< Row-major, as in C.
    column = GPUMEX_MATMUL_ORDER_COLUMN, ///< Column-major, as in MATLAB.
};

/// Where the pages of managed memory are needed next.
enum class prefetch_target : std::int32_t {
    device = GPUMEX_PREFETCH_TARGET_DEVICE, ///< On the device of the context.
    host = GPUMEX_PREFETCH_TARGET_HOST, ///< On the host.
};

/// Reduction along a dimension of an array.
enum class dim_reduction : std::int32_t {
    sum = GPUMEX_DIM_REDUCTION_SUM,         ///< The sum.
    product = GPUMEX_DIM_REDUCTION_PRODUCT, ///< The product.
    min = GPUMEX_DIM_REDUCTION_MIN,         ///< The smallest element; -0 is less than 0.
    max = GPUMEX_DIM_REDUCTION_MAX,         ///< The largest element; -0 is less than 0.
    any = GPUMEX_DIM_REDUCTION_ANY,         ///< Whether an element is not 0.
    all = GPUMEX_DIM_REDUCTION_ALL,         ///< Whether no element is 0.
    count = GPUMEX_DIM_REDUCTION_COUNT,     ///< The number of elements that are not 0.
    mean = GPUMEX_DIM_REDUCTION_MEAN,       ///< The sum divided by the number of elements.
};

/// What NaN is to a reduction; MATLAB's nanflag.
enum class nan_flag : std::int32_t {
    default_ = GPUMEX_NAN_FLAG_DEFAULT, ///< OMIT for MIN, MAX, ANY and ALL, INCLUDE for the others.
    /// NaN is an element like others: sums and extrema of it are NaN, and it is not 0.
    include = GPUMEX_NAN_FLAG_INCLUDE,
    omit = GPUMEX_NAN_FLAG_OMIT, ///< NaN is left out; extrema and means of NaN alone are NaN.
};

/// Whether an element is part of its own prefix.
enum class scan_kind : std::int32_t {
    exclusive = GPUMEX_SCAN_KIND_EXCLUSIVE, ///< No: the first result is the operator's identity.
    inclusive = GPUMEX_SCAN_KIND_INCLUSIVE, ///< Yes: the last result is the total.
};

/// How segment boundaries are given.
enum class segments : std::int32_t {
    offsets = GPUMEX_SEGMENTS_OFFSETS, ///< The positions at which segments begin, ascending.
    /// One bit for each element, 32 in a word of uint32_t, the lowest first: set where a segment begins.
    flags = GPUMEX_SEGMENTS_FLAGS,
};

/// Backend of a context.
enum class backend : std::int32_t {
    auto_ = GPUMEX_BACKEND_AUTO, ///< The setting `backend`; where that is auto, CUDA where it works, else the CPU.
    cpu = GPUMEX_BACKEND_CPU, ///< All cores of this machine.
    cuda = GPUMEX_BACKEND_CUDA, ///< A CUDA device, or an error.
};

/// Log level; each includes those before it.
enum class log_level : std::int32_t {
    off = GPUMEX_LOG_LEVEL_OFF, ///< Nothing (the default).
    error = GPUMEX_LOG_LEVEL_ERROR, ///< Each call that failed, with its message.
    warn = GPUMEX_LOG_LEVEL_WARN, ///< A GPU that has faulted and does not respond.
    info = GPUMEX_LOG_LEVEL_INFO, ///< The backend and device that were chosen.
    debug = GPUMEX_LOG_LEVEL_DEBUG, ///< Each call that succeeded, by name.
};

} // namespace gpumex
