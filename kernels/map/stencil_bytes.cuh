// stencil_bytes.cuh — the interpreter of neighbours in bytes: tiles, operands, the result.
#pragma once

#include "map/packed_bytes.cuh"
#include "map/stencil_plane.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// A thread has 8 rows, and in each 2 words of 4 columns, 128 columns apart: a warp has 256 columns.
constexpr int BYTE_WORDS = MAP_LANES<uint32_t>, BYTE_ACROSS = 2, BYTE_ROWS = BYTE_WORDS / BYTE_ACROSS;
constexpr unsigned BYTE_WIDTH = 4 * WARP * BYTE_ACROSS;
constexpr unsigned BYTE_PACKET = 16;                               // columns that are loaded at once, and of the halo on either side
constexpr unsigned BYTE_PITCH = (BYTE_WIDTH + 2 * BYTE_PACKET) / 4; // words

// ---- device helpers -------------------------------------------------------------------------------------------------

// Word i of a thread is at row + i / ACROSS, col + 128·(i % ACROSS), in a tile at own[i / ACROSS · PITCH + 32·(i % ACROSS)].
struct BytePlace {
    long long row, col;
    const uint32_t *own;
};

// 16 bytes from any address on, of words that have a byte of them.
__device__ __forceinline__ uint4 load_unaligned(const uint8_t *data) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(data);
    const uint32_t *const words = reinterpret_cast<const uint32_t *>(address & ~uintptr_t(3));
    const uint32_t a = __ldg(words), b = __ldg(words + 1), c = __ldg(words + 2), d = __ldg(words + 3);
    const uint32_t e = __ldg(reinterpret_cast<const uint32_t *>((address + 15) & ~uintptr_t(3)));
    const unsigned shift = 8 * unsigned(address & 3);
    return make_uint4(__funnelshift_r(a, b, shift), __funnelshift_r(b, c, shift), __funnelshift_r(c, d, shift),
                      __funnelshift_r(d, e, shift));
}

// 16 elements one by one, some of them beyond an edge.
static __device__ __noinline__ void load_bytes_around(const StencilParameters &p, const uint8_t *row, bool is_logical, uint8_t outside,
                                                      long long x, uint8_t *to) {
#pragma unroll 1
    for (unsigned j = 0; j < BYTE_PACKET; ++j) {
        const long long source = row == nullptr ? -1 : stencil_source(p.boundary, x + j, static_cast<long long>(p.cols));
        const uint8_t byte = source < 0 ? outside : __ldg(row + source);
        to[j] = is_logical ? byte != 0 : byte;
    }
}

__device__ __forceinline__ void load_bytes(const StencilParameters &p, unsigned input, long long row, long long col, uint32_t *tile) {
    const uint8_t *const data = static_cast<const uint8_t *>(p.map.inputs[input].data);
    const bool is_logical = p.map.inputs[input].dtype == MAP_BOOL;
    const uint8_t outside = static_cast<uint8_t>(p.outside[input]);
    const long long rows = static_cast<long long>(p.rows), cols = static_cast<long long>(p.cols);
    const bool is_aligned = p.cols % BYTE_PACKET == 0 && reinterpret_cast<uintptr_t>(data) % BYTE_PACKET == 0;
    const size_t count = p.rows * p.cols;
    const unsigned packets = p.tile_rows * p.across.divisor;
    for (unsigned k = threadIdx.x; k < packets; k += blockDim.x) {
        const unsigned r = p.across.quotient(k), q = k - r * p.across.divisor;
        const long long y = stencil_source(p.boundary, row + r - p.halo_rows, rows);
        const long long x = col + (static_cast<int>(q) - 1) * static_cast<int>(BYTE_PACKET);
        uint32_t *const to = tile + r * BYTE_PITCH + q * (BYTE_PACKET / 4);
        const bool is_inside = y >= 0 && x >= 0 && x + BYTE_PACKET <= cols;
        const size_t at = is_inside ? size_t(y) * p.cols + size_t(x) : 0;
        if (is_inside && (is_aligned || (at >= 3 && at + BYTE_PACKET + 3 <= count))) { // no word reaches beyond the array
            uint4 packet = is_aligned ? __ldg(reinterpret_cast<const uint4 *>(data + at)) : load_unaligned(data + at);
            if (is_logical) {
                packet = make_uint4(bytes_nonzero(packet.x), bytes_nonzero(packet.y), bytes_nonzero(packet.z), bytes_nonzero(packet.w));
            }
            *reinterpret_cast<uint4 *>(to) = packet;
        } else {
            load_bytes_around(p, y < 0 ? nullptr : data + size_t(y) * p.cols, is_logical, outside, x, reinterpret_cast<uint8_t *>(to));
        }
    }
}

// Words of a tile, from `shift` bytes on.
template <int SHIFT>
__device__ __forceinline__ void load_shifted_words(const uint32_t *from, uint32_t (&words)[BYTE_WORDS]) {
#pragma unroll
    for (int i = 0; i < BYTE_WORDS; ++i) {
        const uint32_t *const at = from + i / BYTE_ACROSS * BYTE_PITCH + i % BYTE_ACROSS * WARP;
        words[i] = SHIFT == 0 ? at[0] : __funnelshift_r(at[0], at[1], 8 * SHIFT);
    }
}

__device__ __forceinline__ void fetch(const StencilParameters &p, const MapStep &step, const BytePlace &at, const MapSlots<uint32_t> &slots,
                                      uint32_t (&words)[BYTE_WORDS]) {
    by_number<FETCH_BYTES + 4>(step.fetch(true), [&](auto number) {
        constexpr int KIND = decltype(number)::value;
        if constexpr (KIND == FETCH_SLOT) slots.load(step.index(), words);
        if constexpr (KIND == FETCH_LITERAL || KIND == FETCH_LITERAL_SPREAD) {
            words[0] = static_cast<uint32_t>(p.map.literals[step.index()]);
            spread(words);
        }
        if constexpr (KIND >= FETCH_BYTES) load_shifted_words<KIND - FETCH_BYTES>(at.own + step.index(), words);
    });
}

template <int CASE>
__device__ __forceinline__ void run_bytes(const MapStep &step, const MapSlots<uint32_t> &slots, uint32_t (&acc)[BYTE_WORDS],
                                          const uint32_t (&operand)[BYTE_WORDS]) {
    constexpr ByteCase ONE = BYTE_CASES[CASE];
    if constexpr (ONE.op == OP_STORE) {
        slots.store(step.index(), acc);
    } else if constexpr (ONE.op == OP_SELECT) {
#pragma unroll
        for (int g = 0; g < MAP_GROUPS; ++g) {
            uint32_t condition[MAP_LENGTH<uint32_t>];
            memcpy(condition, slots.at(step.other(), g), 16);
#pragma unroll
            for (int j = 0; j < MAP_LENGTH<uint32_t>; ++j) {
                const int i = g * MAP_LENGTH<uint32_t> + j;
                acc[i] = ONE.reverse ? bytes_selected(condition[j], operand[i], acc[i]) : bytes_selected(condition[j], acc[i], operand[i]);
            }
        }
    } else {
#pragma unroll
        for (int i = 0; i < BYTE_WORDS; ++i) {
            acc[i] = ONE.reverse ? bytes_operation<ONE.op>(operand[i], acc[i]) : bytes_operation<ONE.op>(acc[i], operand[i]);
        }
    }
}

// ---- the result -----------------------------------------------------------------------------------------------------

__device__ __forceinline__ void store_bytes(const StencilParameters &p, const BytePlace &at, const uint32_t (&words)[BYTE_WORDS]) {
    uint8_t *const data = static_cast<uint8_t *>(const_cast<void *>(p.map.result.data));
    const bool is_aligned = p.cols % 4 == 0 && reinterpret_cast<uintptr_t>(data) % 4 == 0;
#pragma unroll
    for (int i = 0; i < BYTE_WORDS; ++i) {
        const size_t row = size_t(at.row) + i / BYTE_ACROSS, col = size_t(at.col) + i % BYTE_ACROSS * 4 * WARP;
        if (row >= p.rows || col >= p.cols) continue;
        uint8_t *const to = data + row * p.cols + col;
        if (is_aligned) {                                          // and then a word is whole
            *reinterpret_cast<uint32_t *>(to) = words[i];
            continue;
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            if (col + j < p.cols) to[j] = static_cast<uint8_t>(words[i] >> 8 * j);
        }
    }
}

// Elements of more bytes, through slot 0: there is one copy of the code for all words.
__device__ __forceinline__ void store_widened(const StencilParameters &p, const BytePlace &at, const MapSlots<uint32_t> &slots,
                                              const uint32_t (&words)[BYTE_WORDS]) {
    slots.store(0, words);
    by_number<MAP_DTYPES>(p.map.result.dtype, [&](auto dtype) {
        constexpr int DTYPE = decltype(dtype)::value;
        using Element = MapElement<DTYPE>;
        auto *const to = static_cast<typename Element::Bits *>(const_cast<void *>(p.map.result.data));
#pragma unroll 1
        for (int i = 0; i < BYTE_WORDS; ++i) {
            const size_t row = size_t(at.row) + i / BYTE_ACROSS, col = size_t(at.col) + i % BYTE_ACROSS * 4 * WARP;
            if (row >= p.rows) return;
            const uint32_t word = reinterpret_cast<const uint32_t *>(slots.at(0, i / MAP_LENGTH<uint32_t>))[i % MAP_LENGTH<uint32_t>];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                if (col + j >= p.cols) continue;
                const auto number = static_cast<typename Element::Number>(word >> 8 * j & 255);
                to[row * p.cols + col + j] = Element::bits(number);
            }
        }
    });
}
