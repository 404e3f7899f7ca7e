// window.cuh — a warp's window of 1024 bytes of a text: bit masks of the bytes in words, and the starts of words.
//
// Algorithm  A lane holds 32 bytes and computes masks of a bit a byte: letters and digits, apostrophes. Neighbouring lanes
//            exchange the bits at their boundaries; an apostrophe between two letters joins them. Windows overlap: words are
//            counted that begin in the bytes of lanes 1 to 30; lane 0 gives the bytes before them, lane 31 their ends. ASCII
//            takes arithmetic alone; where a window has other bytes, each lane looks up the characters that begin in its part.
// Cost       Some 200 instructions a lane for a window of ASCII; 1/16 of the bytes are loaded twice.
// Limits     A UTF-8 sequence that crosses the end of the window is not decoded: masks of the last EDGE bytes are not valid.
#pragma once

#include "words/char_class.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned LANE_BYTES = 32;
constexpr unsigned WINDOW = WARP * LANE_BYTES;
constexpr unsigned STRIDE = (WARP - 2) * LANE_BYTES;               // from window to window
constexpr unsigned EDGE = 8;                                       // a long apostrophe and half a character
constexpr unsigned STARTS_MAX = STRIDE / 2;
constexpr uint64_t HIGH_BITS_OF_EIGHT = 0x8080808080808080;

struct alignas(16) Window {
    uint32_t fours[WINDOW / 4 + 4];                                // the bytes, folded where they are ASCII; 0 behind them
    uint32_t masks[WARP + 1];                                      // bit b of masks[l]: byte 32·l + b is in a word; 0 behind them
    uint32_t odd;                                                  // some character is not as its fold has it
    uint16_t starts[STARTS_MAX];
};

// The bytes of a lane.
struct Part {
    uint4 packets[2];
    __device__ const uint32_t &four(unsigned i) const { return reinterpret_cast<const uint32_t *>(packets)[i]; }
    __device__ uint32_t &four(unsigned i) { return reinterpret_cast<uint32_t *>(packets)[i]; }
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The 32 bytes at `from`, which is a multiple of 16; those outside [begin, end) are 0.
__device__ __forceinline__ Part load_part(const uint8_t *from, const uint8_t *begin, const uint8_t *end) {
    Part part = {};
    if (from >= begin && from + LANE_BYTES <= end) {
        part.packets[0] = reinterpret_cast<const uint4 *>(from)[0];
        part.packets[1] = reinterpret_cast<const uint4 *>(from)[1];
    } else if (from + LANE_BYTES > begin && from < end) {
#pragma unroll
        for (unsigned i = 0; i < LANE_BYTES; ++i) {
            if (from + i >= begin && from + i < end) part.four(i / 4) |= uint32_t(from[i]) << i % 4 * 8;
        }
    }
    return part;
}

// Eight bytes of a window from byte `at` on; bytes behind the first `len` are 0.
__device__ __forceinline__ uint64_t bytes_at(const Window &window, unsigned at, unsigned len) {
    const uint32_t *const fours = &window.fours[at / 4];
    const uint32_t low = __funnelshift_r(fours[0], fours[1], at % 4 * 8);
    const uint32_t high = __funnelshift_r(fours[1], fours[2], at % 4 * 8);
    const uint64_t eight = uint64_t(high) << 32 | low;
    return len >= 8 ? eight : eight & ~(~uint64_t(0) << 8 * len);
}

// Folds a character of a window where it lies; false where its fold has another length.
__device__ __forceinline__ bool fold_in_place(Window &window, const CharClasses &classes, unsigned at, Character here) {
    const uint32_t code = folded(classes, here.code);
    if (code == here.code) return true;
    if (encoded_length(code) != here.bytes) return false;
    uint8_t *const bytes = reinterpret_cast<uint8_t *>(window.fours) + at;
    const uint32_t four = encoded(code);
    for (unsigned i = 0; i < here.bytes; ++i) bytes[i] = static_cast<uint8_t>(four >> 8 * i);
    return true;
}

// CharClasses that are not of ASCII, and the first bytes of long apostrophes, among the characters that begin in this lane's part.
// The bits from 32 on are the next lane's. A character is read with bytes of its neighbours, so that all lanes read before one folds.
template <bool FOLD>
__device__ __forceinline__ uint64_t other_letters(Window &window, const CharClasses &classes, unsigned lane, uint32_t leads,
                                                  uint32_t *apostrophes) {
    uint64_t found = 0;
    bool is_odd = false;
    for (; __any_sync(ALL_LANES, leads != 0); leads &= leads - 1) {
        const unsigned bit = leads != 0 ? __ffs(leads) - 1 : 0, at = lane * LANE_BYTES + bit;
        const uint32_t *const fours = &window.fours[at / 4];
        const Character here = decoded(__funnelshift_r(fours[0], fours[1], at % 4 * 8));
        if (FOLD) __syncwarp();                                    // all have read
        if (leads != 0) {
            if (is_letter(classes, here.code)) found |= ((uint64_t(1) << here.bytes) - 1) << bit;
            if (here.code == CURLY_APOSTROPHE) *apostrophes |= 1u << bit;
            if (FOLD && here.code != 0) is_odd |= !fold_in_place(window, classes, at, here);
        }
        if (FOLD) __syncwarp();                                    // all have folded
    }
    if (FOLD && __any_sync(ALL_LANES, is_odd) && lane == 0) window.odd = 1;
    return found;
}

// Moves bits that lie behind a lane's part into the next lane's.
__device__ __forceinline__ uint32_t with_carry(uint64_t bits, unsigned lane) {
    const uint32_t carried = __shfl_up_sync(ALL_LANES, static_cast<uint32_t>(bits >> 32), 1);
    return static_cast<uint32_t>(bits) | (lane == 0 ? 0 : carried);
}

// Puts a lane's part into the window; its mask of bytes in words.
template <bool UTF8, bool FOLD>
__device__ __forceinline__ uint32_t enter_window(Window &window, Part part, const CharClasses &classes, unsigned lane) {
    uint32_t inside = 0, straight = 0, leads = 0;
#pragma unroll
    for (unsigned i = 0; i < LANE_BYTES / 4; ++i) {
        uint32_t &four = part.four(i);
        const uint32_t ascii = ascii_letters(four);
        inside |= gathered(ascii | ascii_digits(four)) << 4 * i;
        straight |= gathered(equal_bytes(four, APOSTROPHE)) << 4 * i;
        if (UTF8) leads |= gathered(four & four << 1 & HIGH_BITS) << 4 * i; // 11......
        if (FOLD) four |= ascii >> 2;
    }
    uint4 *const here = reinterpret_cast<uint4 *>(&window.fours[lane * LANE_BYTES / 4]);
    here[0] = part.packets[0];
    here[1] = part.packets[1];
    if (UTF8 && lane == 0) window.odd = 0;
    __syncwarp();                                                  // the bytes are there

    uint32_t curly = 0;
    if (UTF8 && __any_sync(ALL_LANES, leads != 0)) {
        const uint64_t others = other_letters<FOLD>(window, classes, lane, leads, &curly);
        inside |= with_carry(others, lane);
    }
    const uint32_t last = __shfl_up_sync(ALL_LANES, inside, 1), next = __shfl_down_sync(ALL_LANES, inside, 1);
    const uint32_t before = inside << 1 | (lane == 0 ? 0 : last >> 31);
    const uint32_t joined = inside | (straight & before & __funnelshift_r(inside, next, 1));
    if (!UTF8 || !__any_sync(ALL_LANES, curly != 0)) return joined;
    return joined | with_carry(uint64_t(curly & before & __funnelshift_r(inside, next, 3)) * 7, lane);
}

// Lists the starts of words among this lane's bytes that `here` allows; how many the warp has.
__device__ __forceinline__ unsigned list_starts(Window &window, uint32_t mask, uint32_t here, unsigned lane) {
    const uint32_t last = __shfl_up_sync(ALL_LANES, mask, 1);
    uint32_t starts = mask & ~(mask << 1 | last >> 31) & here;
    window.masks[lane] = mask;

    const unsigned count = __popc(starts);
    const unsigned behind = warp_inclusive_sum(count);             // of this lane's starts, in the list
    for (unsigned i = behind - count; starts != 0; starts &= starts - 1) {
        window.starts[i++] = static_cast<uint16_t>(lane * LANE_BYTES + __ffs(starts) - 1);
    }
    __syncwarp();                                                  // list and masks are complete
    return __shfl_sync(ALL_LANES, behind, WARP - 1);
}

// Whether words with other characters than ASCII's have to be folded by a walk.
__device__ __forceinline__ bool is_odd(const Window &window) { return window.odd != 0; }

// The bytes of the word at `start` as far as the window shows it.
__device__ __forceinline__ unsigned length_in_window(const Window &window, unsigned start) {
    unsigned at = start / LANE_BYTES;
    const uint32_t gaps = ~__funnelshift_r(window.masks[at], window.masks[at + 1], start % LANE_BYTES);
    if (gaps != 0) return __ffs(gaps) - 1;
    while (++at < WARP && ~window.masks[at] == 0) {}
    return at * LANE_BYTES - start + (at < WARP ? __ffs(~window.masks[at]) - 1 : 0);
}
