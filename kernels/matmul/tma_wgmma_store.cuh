// tma_wgmma_store.cuh — the epilogue of products by wgmma: sums of a consumer's threads to C.
//
// Algorithm  From registers two neighbours at a time (store_pair), or through shared memory (put_part), in boxes of lines of 128 bytes, from
//            where TMA stores them, or warps do (store_lines): where they are whole and aligned to 16 bytes in C, four lines at a time
//            (store_packets), else one, 32 neighbours. Threads that store what they hold write 8 pieces of 32 bytes.
// Layout     A box has OUT_COLS columns of a consumer's ROWS rows, or where C is transposed lines are columns; 128-byte swizzle.
// Cost       One H200: TENSOR of 3146 × 1791 × 153, whose rows of C are not aligned, 42 us; 60 from registers.
// Limits     Machine code for sm_90a.
// Edges      Rows and columns past the end are not stored. beta = 0 never reads C.
// Source     PTX ISA, "wgmma", the layout of accumulators.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "matmul/pipeline.cuh"
#include "matmul/wgmma.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/half.cuh"
#include "prim/warp/warp.cuh"

namespace tma_wgmma {

using tensor::Format;

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned WARPGROUP = 128;
constexpr uint32_t LINE = 128;                                     // bytes
constexpr unsigned ROWS = 64;                                      // of a consumer
constexpr unsigned OUT_LINES = 32;                                 // of a box of C that TMA stores
constexpr uint32_t OUT_BUFFER = ROWS * LINE;                       // a consumer stores boxes of all its rows at a time
template <bool IS_FLOAT>
constexpr unsigned OUT_COLS = LINE / (IS_FLOAT ? 4 : 2);           // of such a box

// C of a batch, of the type of A and B or of float32, or its transpose.
struct Output {
    void *c;
    size_t rows, cols, row_step, col_step, stride;                 // elements from a row to the next, a column, a matrix
    float alpha, beta;
    int is_float;
    bool in_pairs;                                                 // pairs of a thread are contiguous, and aligned
};

// How a tile that one block has goes to memory.
enum class Store {
    DIRECTLY,                                                      // from registers: 16-bit floats with beta, or where C is transposed
    BY_LINES,                                                      // through shared memory, by warps
    BY_TMA,                                                        // through shared memory, where beta is 0 and rows are aligned to 16 bytes
};

// A consumer's rows of a tile of C, from row `top` and column `left` on, and two buffers of all consumers for its boxes.
struct Boxed {
    const Output *output;
    Store store;
    const CUtensorMap *map_c;                                      // where TMA stores
    size_t matrix, top, left;
    unsigned consumer;
    uint32_t buffers;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// Two floats rounded to T, the first in the low half; one; a value of T.
template <Format T>
__device__ __forceinline__ unsigned round_pair(float x, float y) {
    unsigned pair;
    if constexpr (T == Format::F16) asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
    else asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
    return pair;
}
template <Format T>
__device__ __forceinline__ float value_of(unsigned bits) {
    return T == Format::F16 ? from_f16(static_cast<uint16_t>(bits)) : from_bf16(static_cast<uint16_t>(bits));
}

// The row of a consumer that a thread has sums of, and the second one: of wgmma's own rows, or where a thread holds A two neighbours, so that
// it loads both at once. Lines of A are read without bank conflicts, 16 lanes at a time: pieces 4 apart, of four k, are in all banks.
template <bool HOLDS_A>
__device__ __forceinline__ unsigned row_of_thread(unsigned second) {
    const unsigned warp = threadIdx.x % WARPGROUP / WARP, group = threadIdx.x % WARP / 4;
    if (!HOLDS_A) return warp * 16 + group + second * 8;
    return warp / 2 * 32 + (warp % 2 * 2 + group / 2 % 2 * 4 + group / 4) * 4 + group % 2 * 2 + second;
}

// Two neighbours of C, (row, col) and (row, col + 1), or where `down` (row + 1, col).
template <Format T>
__device__ __forceinline__ void store_pair(const Output &output, unsigned matrix, size_t row, size_t col, bool down, float x, float y) {
    if (row >= output.rows || col >= output.cols) return;
    const size_t at = matrix * output.stride + row * output.row_step + col * output.col_step;
    const size_t step = down ? output.row_step : output.col_step;
    const bool both = down ? row + 1 < output.rows : col + 1 < output.cols;
    x *= output.alpha, y *= output.alpha;
    if (T == Format::TF32 || output.is_float) {
        float *const to = static_cast<float *>(output.c) + at;
        if (output.beta != 0) x = fmaf(output.beta, to[0], x), y = both ? fmaf(output.beta, to[step], y) : 0;
        if (both && output.in_pairs) {
            *reinterpret_cast<float2 *>(to) = {x, y};
        } else {
            to[0] = x;
            if (both) to[step] = y;
        }
        return;
    }
    if constexpr (T != Format::TF32) {
        uint16_t *const to = static_cast<uint16_t *>(output.c) + at;
        if (output.beta != 0) {
            x = fmaf(output.beta, value_of<T>(to[0]), x);
            y = both ? fmaf(output.beta, value_of<T>(to[step]), y) : 0;
        }
        const unsigned pair = round_pair<T>(x, y);
        if (both && output.in_pairs) {
            *reinterpret_cast<unsigned *>(to) = pair;
        } else {
            to[0] = static_cast<uint16_t>(pair);
            if (both) to[step] = static_cast<uint16_t>(pair >> 16);
        }
    }
}

// Eight columns of a thread's two rows from `col` on, of which it has two: sums as wgmma.cuh has them.
template <Format T, bool HOLDS_A>
__device__ __forceinline__ void store_four(const Output &output, unsigned matrix, size_t top, size_t left, const float (&sums)[4]) {
    const size_t row = top + row_of_thread<HOLDS_A>(0), col = left + threadIdx.x % 4 * 2;
    if (HOLDS_A && output.row_step == 1) {
        store_pair<T>(output, matrix, row, col, true, sums[0], sums[2]);
        store_pair<T>(output, matrix, row, col + 1, true, sums[1], sums[3]);
    } else {
        store_pair<T>(output, matrix, row, col, false, sums[0], sums[1]);
        store_pair<T>(output, matrix, top + row_of_thread<HOLDS_A>(1), col, false, sums[2], sums[3]);
    }
}

// body(Constant<index>()) for an index from BEGIN to END - 1: a body for each, and a branch to one of them, since registers cannot be
// indexed. What is in the loop besides is there once, and need not be unrolled: code that is not in the instruction cache is slow
// to come, 10 us for 200 KB.
template <int BEGIN, int END, typename Body>
__device__ __forceinline__ void with_constant(unsigned index, const Body &body) {
    if constexpr (END - BEGIN == 1) {
        body(Constant<BEGIN>());
    } else {
        constexpr int MIDDLE = BEGIN + (END - BEGIN) / 2;
        if (index < MIDDLE) with_constant<BEGIN, MIDDLE>(index, body);
        else with_constant<MIDDLE, END>(index, body);
    }
}

// Element (row, col) of a consumer's boxes in shared memory, where lines are rows, or else of float32 columns: swizzled, OUT_LINES lines one
// behind the other.
template <bool IS_FLOAT, bool TURNED>
__device__ __forceinline__ uint32_t place_out(unsigned row, unsigned col) {
    const unsigned line = TURNED ? row / OUT_LINES * OUT_LINES + col : row, byte = (TURNED ? row % OUT_LINES : col) * (IS_FLOAT ? 4 : 2);
    return line * LINE + ((byte / 16) ^ line % 8) * 16 + byte % 16;
}

__device__ __forceinline__ void put_one(uint32_t to, float x) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(x) : "memory"); }
__device__ __forceinline__ void put_pair(uint32_t to, float x, float y) {
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to), "f"(x), "f"(y) : "memory");
}

template <typename Element>
__device__ __forceinline__ Element load_shared(uint32_t from) {
    Element element;
    if constexpr (sizeof(Element) == 4) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(element) : "r"(from) : "memory");
    else asm volatile("ld.shared.u16 %0, [%1];" : "=h"(element) : "r"(from) : "memory");
    return element;
}

__device__ __forceinline__ void sync_consumer(unsigned group) {
    asm volatile("bar.sync %0, %1;" ::"r"(1 + group), "n"(WARPGROUP) : "memory");
}

// Eight columns of a thread's rows, to a consumer's boxes.
template <Format T, bool HOLDS_A, bool IS_FLOAT, bool TURNED>
__device__ __forceinline__ void put_four(uint32_t boxes, unsigned left, const float *four, float alpha) {
    const unsigned row = row_of_thread<HOLDS_A>(0), below = row_of_thread<HOLDS_A>(1), col = left + threadIdx.x % 4 * 2;
    const float upper[2] = {alpha * four[0], alpha * four[1]}, lower[2] = {alpha * four[2], alpha * four[3]};
    if constexpr (TURNED && HOLDS_A) {
        put_pair(boxes + place_out<true, true>(row, col), upper[0], lower[0]);
        put_pair(boxes + place_out<true, true>(row, col + 1), upper[1], lower[1]);
    } else if constexpr (TURNED) {
        put_one(boxes + place_out<true, true>(row, col), upper[0]);
        put_one(boxes + place_out<true, true>(row, col + 1), upper[1]);
        put_one(boxes + place_out<true, true>(below, col), lower[0]);
        put_one(boxes + place_out<true, true>(below, col + 1), lower[1]);
    } else if constexpr (IS_FLOAT) {
        put_pair(boxes + place_out<true, false>(row, col), upper[0], upper[1]);
        put_pair(boxes + place_out<true, false>(below, col), lower[0], lower[1]);
    } else {
        const unsigned pairs[2] = {round_pair<T>(upper[0], upper[1]), round_pair<T>(lower[0], lower[1])};
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(boxes + place_out<false, false>(row, col)), "r"(pairs[0]) : "memory");
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(boxes + place_out<false, false>(below, col)), "r"(pairs[1]) : "memory");
    }
}

// The columns of number `part` of a thread's sums, OUT_COLS of them, to a consumer's boxes.
template <Format T, bool HOLDS_A, bool IS_FLOAT, bool TURNED, int SUMS>
__device__ __forceinline__ void put_part(uint32_t boxes, unsigned part, const float (&sums)[SUMS], float alpha) {
    constexpr unsigned FOURS = OUT_COLS<IS_FLOAT> / 8;
    with_constant<0, SUMS / 4 / FOURS>(part, [&](auto chosen) {
#pragma unroll
        for (unsigned i = 0; i < FOURS; ++i) {
            put_four<T, HOLDS_A, IS_FLOAT, TURNED>(boxes, 8 * i, &sums[(decltype(chosen)::value * FOURS + i) * 4], alpha);
        }
    });
}

// `count` lines of a box of float32, in C whole and aligned to 16 bytes, `step` from one to the next: a warp stores four at a time.
template <unsigned LINES>
__device__ __forceinline__ void store_packets(float *first, size_t step, uint32_t box, unsigned count, float beta) {
    const unsigned line = threadIdx.x % WARPGROUP / 8, piece = threadIdx.x % 8;
    float4 *to = reinterpret_cast<float4 *>(first + line * step) + piece;
#pragma unroll
    for (unsigned above = 0; above < LINES; above += WARPGROUP / 8) {
        const uint32_t from = box + (above + line) * LINE + (piece ^ line % 8) * 16;
        float4 value;
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w) : "r"(from) : "memory");
        if (above + line < count) {
            if (beta != 0) {
                const float4 old = *to;
                value = {fmaf(beta, old.x, value.x), fmaf(beta, old.y, value.y), fmaf(beta, old.z, value.z), fmaf(beta, old.w, value.w)};
            }
            *to = value;
        }
        to = reinterpret_cast<float4 *>(reinterpret_cast<float *>(to) + WARPGROUP / 8 * step);
    }
}

// Lines of a consumer's boxes to C, whose element (row, col) is the first of them: a warp stores one at a time, or four.
template <bool IS_FLOAT, bool TURNED>
__device__ __forceinline__ void store_lines(const Output &output, size_t matrix, uint32_t boxes, size_t row, size_t col) {
    using Element = std::conditional_t<IS_FLOAT, float, uint16_t>;
    constexpr unsigned WARPS = WARPGROUP / WARP, LINES = TURNED ? OUT_LINES : ROWS, LENGTH = OUT_COLS<IS_FLOAT>;
    const unsigned warp = threadIdx.x % WARPGROUP / WARP, lane = threadIdx.x % WARP;
    const auto left_of = [](size_t size, size_t from) { return size > from ? static_cast<unsigned>(min(size - from, size_t(LINE))) : 0; };
    const size_t step = TURNED ? output.col_step : output.row_step;  // from line to line
#pragma unroll
    for (unsigned box = 0; box < ROWS / LINES; ++box) {            // row after row of them, or one of all rows
        const size_t top = row + box * LINES;
        const unsigned rows = left_of(output.rows, top), cols = left_of(output.cols, col);
        const unsigned lines = TURNED ? cols : rows, length = TURNED ? rows : cols;
        Element *const first = static_cast<Element *>(output.c) + matrix * output.stride + top * output.row_step + col * output.col_step;
        if constexpr (IS_FLOAT) {
            if (length >= LENGTH && reinterpret_cast<uintptr_t>(first) % 16 == 0 && step % 4 == 0) {
                store_packets<LINES>(first, step, boxes + box * LINES * LINE, lines, output.beta);
                continue;
            }
        }
        Element *to = first + warp * step + lane;
#pragma unroll
        for (unsigned line = 0; line < LINES; line += WARPS, to += WARPS * step) {
            const uint32_t from = boxes + (box * LINES + line + warp) * LINE;
#pragma unroll
            for (unsigned at = 0; at < LENGTH; at += WARP) {
                const uint32_t byte = (at + lane) * sizeof(Element), place = ((byte / 16) ^ (line + warp) % 8) * 16 + byte % 16;
                const Element value = load_shared<Element>(from + place);
                if (line + warp >= lines || at + lane >= length) continue;
                if constexpr (IS_FLOAT) to[at] = output.beta == 0 ? value : fmaf(output.beta, to[at], value);
                else to[at] = value;
            }
        }
    }
}

// The sums of a consumer through shared memory, by TMA, which goes on when this returns, or line by line. Two buffers take turns.
template <Format T, bool HOLDS_A, bool IS_FLOAT, bool TURNED, int SUMS>
__device__ __forceinline__ void store_boxes(const Boxed &boxed, const float (&sums)[SUMS]) {
    constexpr unsigned STEP = OUT_COLS<IS_FLOAT>, COLS = SUMS * 2;
    const Output &output = *boxed.output;
    const bool by_tma = boxed.store == Store::BY_TMA, stores = by_tma && threadIdx.x % WARPGROUP == 0;
    if (boxed.top >= output.rows) return;
#pragma unroll 2
    for (unsigned left = 0; left < COLS; left += STEP) {
        if (boxed.left + left >= output.cols) break;
        const uint32_t boxes = boxed.buffers + (2 * boxed.consumer + left / STEP % 2) * OUT_BUFFER;
        if (stores && left == 0) tensor::wait_for_reads<0>();      // the tile before may have left out some
        else if (stores) tensor::wait_for_reads<1>();
        sync_consumer(boxed.consumer);                             // the buffer is free
        put_part<T, HOLDS_A, IS_FLOAT, TURNED>(boxes, left / STEP, sums, output.alpha);
        if (by_tma) tensor::publish_to_tma();
        sync_consumer(boxed.consumer);                             // the buffer is full
        if (!by_tma) store_lines<IS_FLOAT, TURNED>(output, boxed.matrix, boxes, boxed.top, boxed.left + left);
        if (stores) {
            const int top = static_cast<int>(boxed.top), at = static_cast<int>(boxed.left + left), z = static_cast<int>(boxed.matrix);
#pragma unroll
            for (int row = 0; row < int(ROWS); row += OUT_LINES) {
                tensor::store_box(boxes + row * LINE, boxed.map_c, TURNED ? top + row : at, TURNED ? at : top + row, z);
            }
            tensor::commit_stores();
        }
    }
}

#endif

}  // namespace tma_wgmma
