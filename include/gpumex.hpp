/// @file
/// @brief gpumex for C++17 and later: contexts and arrays that free themselves, exceptions, dtypes from element types.
///
///     #include <gpumex.hpp>
///
///     gpumex::context ctx;                                            // CUDA where it works, else the CPU
///     std::vector<float> keys = {3, 1, 2};
///     gpumex::array device(ctx, keys);                                // array<float>, in device memory
///     gpumex::array sorted = gpumex::sort(ctx, device);               // an array makes an array, a vector a vector
///     sorted.copy_to(keys);
///
/// A layer of inline functions over gpumex.h, whose description of a function holds here: gpumex::sort is gpumex_sort.
///
/// **Arrays** are anything with data() and size() - std::vector, std::array, std::span, gpumex::array, gpumex::view for a
/// pointer and a number of elements - in memory of any kind, and gpumex::none where the C function takes NULL. dtype,
/// payload and index_dtype follow from the element types; a type that an operation does not have is an error at compile
/// time. Inputs of one length are as long as each other; an output may be longer than its result.
///
/// **Options** are structs with defaults: `gpumex::sort(ctx, keys, {.order = gpumex::sort_order::descending})` in C++20;
/// in C++17 declare one and set its fields.
///
/// **Results.** A function whose outputs are left out returns them: in a gpumex::array where its input is one, else in a
/// std::vector, with as many elements as there are.
///
/// **Contexts.** An operation takes a gpumex::context, a gpumex_context *, or {}, the default context.
///
/// **Several ranks.** With a gpumex::comm in the place of the context an operation is that on several ranks, which all call it,
/// each with its part: gpumex::sort(comm, keys) is gpumex_comm_sort.
///
/// **Errors.** Every call that fails throws gpumex::error; destructors do not. Lengths that do not fit together are
/// status::invalid_argument before the call.
///
/// **Callbacks** are any callable. An exception in one cancels its operation and is thrown again behind it, by the
/// function of this header that called it, or by the next one on the thread where the call was one of gpumex.h.
#pragma once

#include <gpumex/add.hpp>
#include <gpumex/allocator.hpp>
#include <gpumex/array.hpp>
#include <gpumex/axpy.hpp>
#include <gpumex/bulk_insert.hpp>
#include <gpumex/bulk_remove.hpp>
#include <gpumex/callback.hpp>
#include <gpumex/check_sorted.hpp>
#include <gpumex/comm.hpp>
#include <gpumex/comm_dot.hpp>
#include <gpumex/comm_histogram.hpp>
#include <gpumex/comm_life.hpp>
#include <gpumex/comm_matmul.hpp>
#include <gpumex/comm_reduce.hpp>
#include <gpumex/comm_scan.hpp>
#include <gpumex/comm_sort.hpp>
#include <gpumex/comm_words.hpp>
#include <gpumex/compact.hpp>
#include <gpumex/context.hpp>
#include <gpumex/convolve.hpp>
#include <gpumex/copy.hpp>
#include <gpumex/dot.hpp>
#include <gpumex/dtype.hpp>
#include <gpumex/enums.hpp>
#include <gpumex/error.hpp>
#include <gpumex/event.hpp>
#include <gpumex/fill.hpp>
#include <gpumex/gather.hpp>
#include <gpumex/gather_nd.hpp>
#include <gpumex/histogram.hpp>
#include <gpumex/interval_expand.hpp>
#include <gpumex/interval_move.hpp>
#include <gpumex/join.hpp>
#include <gpumex/life.hpp>
#include <gpumex/load_balance_search.hpp>
#include <gpumex/locality_sort.hpp>
#include <gpumex/map.hpp>
#include <gpumex/map_reduce.hpp>
#include <gpumex/map_scan.hpp>
#include <gpumex/matmul.hpp>
#include <gpumex/median_filter.hpp>
#include <gpumex/merge.hpp>
#include <gpumex/pattern.hpp>
#include <gpumex/payload.hpp>
#include <gpumex/permute.hpp>
#include <gpumex/plain.hpp>
#include <gpumex/prefetch.hpp>
#include <gpumex/print.hpp>
#include <gpumex/random.hpp>
#include <gpumex/range.hpp>
#include <gpumex/raytrace.hpp>
#include <gpumex/reduce.hpp>
#include <gpumex/reduce_by_key.hpp>
#include <gpumex/reduce_dim.hpp>
#include <gpumex/scale.hpp>
#include <gpumex/scan.hpp>
#include <gpumex/scan_dim.hpp>
#include <gpumex/scatter.hpp>
#include <gpumex/scatter_nd.hpp>
#include <gpumex/segmented_reduce.hpp>
#include <gpumex/segmented_sort.hpp>
#include <gpumex/segments_prepare.hpp>
#include <gpumex/selection.hpp>
#include <gpumex/set_operation.hpp>
#include <gpumex/settings.hpp>
#include <gpumex/sort.hpp>
#include <gpumex/sorted_equality_count.hpp>
#include <gpumex/sorted_search.hpp>
#include <gpumex/spmv.hpp>
#include <gpumex/stencil.hpp>
#include <gpumex/words.hpp>
