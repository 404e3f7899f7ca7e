// words.cu — word counts of a text.
//
//   table[word] ← table[word] + #{ s in [begin, end) : the word at s is spelled so }        text (len) u8, s its starts
//
// A word is a maximal run of letters and digits, with apostrophes (U+0027, U+2019) between two of them; char_class.cuh says which
// characters are letters, and to what a capital is folded.
//
// Algorithm  A warp takes windows of the text (window.cuh), lists the words that begin in them and counts one a lane. The bytes
//            of a short word are its key; longer ones are hashed and compared (spelling.cuh). A block counts into a private
//            cache in shared memory, two-way associative without replacement, so that the frequent words, which come first,
//            stay; words that miss, and the block's cache at the end, go into the table in device memory (table.cuh).
// Cost       Reads the text once; an atomic addition in shared memory a word. Worst case: no word twice, each goes to device
//            memory.
// Limits     Words of more than LONG_WORD characters are not counted: long_words[0 … state[LONG_WORDS]) ← where they begin, in
//            any order. A word that leaves its window is read by one lane, for which LONG_WORD bounds the time.
// Edges      The text may have any alignment. A word belongs to where it begins, and is read beyond `end`.
// Source     V. Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA 2007 (privatised counts); masks of a bit a byte after
//            G. Langdale, D. Lemire, "Parsing gigabytes of JSON per second", 2019.

#include "kernels.h"
#include "words/table.cuh"
#include "words/window.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned NONE = ~0u;
constexpr size_t LAUNCH_BYTES = size_t(1) << 31;                   // positions in a cache are 32-bit
constexpr unsigned CACHE_SLOTS_MIN = 512;

// What a launch counts.
struct Range {
    const uint8_t *origin;                                         // positions count from here; a multiple of 32
    unsigned begin, end;                                           // words begin in
    uint64_t offset;                                               // position of the origin in the whole text
    uint64_t *long_words;
};

// A block's own table.
struct Cache {
    Wide *keys;
    unsigned *counts, *firsts;
    unsigned slots;                                                // a power of two
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Eight bytes of a text, from whole words of it: some of them are before the eight, or behind.
__device__ __forceinline__ uint64_t bytes_around(const uint8_t *from) {
    const unsigned shift = reinterpret_cast<uintptr_t>(from) % 4;
    const uint32_t *const fours = reinterpret_cast<const uint32_t *>(from - shift);
    const uint32_t middle = fours[1];
    return uint64_t(__funnelshift_r(middle, fours[2], shift * 8)) << 32 | __funnelshift_r(fours[0], middle, shift * 8);
}

// Whether the word at `known` is spelled as the one in a window, which is plain. A false may be wrong: at the text's ends, and where
// letters that are not of ASCII differ in case.
template <bool FOLD, typename Text>
__device__ __forceinline__ bool resembles(const Window &window, unsigned start, unsigned len, const uint8_t *known, const Text &text) {
    if (known < text.begin + 4 || known + len + 12 > text.end) return false;
    for (unsigned i = 0; i < len; i += 8) {
        uint64_t eight = bytes_around(known + i);
        if (FOLD) eight = uint64_t(ascii_folded(static_cast<uint32_t>(eight >> 32))) << 32 | ascii_folded(static_cast<uint32_t>(eight));
        if (len - i < 8) eight &= ~(~uint64_t(0) << 8 * (len - i));
        if (eight != bytes_at(window, start + i, len - i)) return false;
    }
    const uint32_t next = known[len];
    return next < 0x80 && next != APOSTROPHE && !is_ascii_letter_or_digit(next);
}

// The slot of a word in a block's table: one of a pair, which it takes when it is empty; NONE where both have other words.
__device__ __forceinline__ unsigned cache_slot(const Cache &cache, uint64_t key, unsigned position) {
    const unsigned at = static_cast<unsigned>(scattered(key, 32)) & (cache.slots - 2);
    const ulonglong2 pair = *reinterpret_cast<const ulonglong2 *>(&cache.keys[at]);
    if (pair.x == key) return at;
    if (pair.y == key) return at + 1;
    if (pair.x != 0 && pair.y != 0) return NONE;
    const unsigned slot = pair.x == 0 ? at : at + 1;
    const Wide found = atomicCAS(&cache.keys[slot], Wide(0), Wide(key));
    if (found == 0) atomicMin(&cache.firsts[slot], position);      // others wait for it
    return found == 0 || found == key ? slot : NONE;
}

template <bool UTF8, bool FOLD, typename Resembles>
__device__ __forceinline__ void count_word(const Cache &cache, const Table &table, const Text<UTF8, FOLD> &text, const Range &range,
                                           uint64_t key, unsigned position, Resembles resembles) {
    const uint8_t *const here = range.origin + position;
    const auto is_same = [&](const uint8_t *known) { return resembles(known) || text.are_same(known, here); };
    const unsigned slot = cache_slot(cache, key, position);
    if (slot != NONE) {
        unsigned first = seen(&cache.firsts[slot]);
        while (is_hash(key) && first == NONE) first = seen(&cache.firsts[slot]);
        if (!is_hash(key) || first == position || is_same(range.origin + first)) {
            atomicAdd(&cache.counts[slot], 1u);
            if (position < first) atomicMin(&cache.firsts[slot], position);
            return;
        }
    }
    add_word(table, key, 1, ~(range.offset + position), is_same, [&] { return here; });
}

// The words of a list that a lane may count by their bytes in the window alone: the others remain, in the list's front. How many.
template <bool UTF8, bool FOLD>
__device__ __forceinline__ unsigned count_short_words(const Cache &cache, const Table &table, const Text<UTF8, FOLD> &text,
                                                      const Range &range, Window &window, unsigned base, unsigned words,
                                                      unsigned lane) {
    unsigned remaining = 0;
    for (unsigned i = lane; i < words + lane; i += WARP) {         // as often in every lane
        const bool is_word = i < words;
        const unsigned start = is_word ? window.starts[i] : 0;
        const unsigned len = is_word ? length_in_window(window, start) : 0;
        const uint64_t key = bytes_at(window, start, len);
        const bool is_short = len <= 8 && (!is_odd(window) || (key & HIGH_BITS_OF_EIGHT) == 0);
        if (is_word && is_short) count_word(cache, table, text, range, key, base + start, [](const uint8_t *) { return false; });
        const unsigned others = __ballot_sync(ALL_LANES, is_word && !is_short);
        __syncwarp();                                              // all have read their entries
        if (is_word && !is_short) {
            window.starts[remaining + __popc(others & ((1u << lane) - 1))] = static_cast<uint16_t>(start);
        }
        remaining += __popc(others);
        __syncwarp();                                              // the entries that remain are there
    }
    return remaining;
}

// A word that is longer, or has capitals to look up.
template <bool UTF8, bool FOLD>
__device__ __forceinline__ void count_other_word(const Cache &cache, const Table &table, const Text<UTF8, FOLD> &text,
                                                 const Range &range, const Window &window, unsigned base, unsigned start) {
    const unsigned len = length_in_window(window, start);
    uint64_t hash = 0, high = 0;
    bool is_plain = start + len < WINDOW - EDGE;                   // and so shown whole
    if (is_plain) {
        for (unsigned i = 0; i < len; i += 8) {
            const uint64_t chunk = bytes_at(window, start + i, len - i);
            high |= chunk;
            hash = with_chunk(hash, chunk);
        }
        is_plain = !is_odd(window) || (high & HIGH_BITS_OF_EIGHT) == 0;
    }
    const unsigned position = base + start;
    uint64_t key = as_key(hash);
    if (!is_plain && !spelled(text.walk(range.origin + position), &key)) {
        range.long_words[atomicAdd(&table.state[LONG_WORDS], Wide(1))] = range.offset + position;
        return;
    }
    count_word(cache, table, text, range, key, position, [&](const uint8_t *known) {
        return is_plain && resembles<FOLD>(window, start, len, known, text);
    });
}

// Bits of a lane's bytes in which words of the range begin.
__device__ __forceinline__ uint32_t wanted(const Range &range, unsigned from, unsigned lane) {
    if (lane == 0 || lane == WARP - 1 || from + LANE_BYTES <= range.begin || from >= range.end) return 0;
    uint32_t bits = ~0u;
    if (from < range.begin) bits &= ~0u << (range.begin - from);
    if (range.end - from < LANE_BYTES) bits &= ~(~0u << (range.end - from));
    return bits;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <bool UTF8, bool FOLD>
__global__ void __launch_bounds__(BLOCK_MAX, 1) words_count(Text<UTF8, FOLD> text, Range range, Table table, unsigned slots) {
    extern __shared__ uint4 shared[];
    const unsigned lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    const Cache cache = {reinterpret_cast<Wide *>(shared), reinterpret_cast<unsigned *>(shared) + 2 * slots,
                         reinterpret_cast<unsigned *>(shared) + 3 * slots, slots};
    Window &window = reinterpret_cast<Window *>(shared + slots)[threadIdx.x / WARP];

    for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) cache.keys[i] = 0, cache.counts[i] = 0, cache.firsts[i] = NONE;
    if (lane < 4) window.fours[WINDOW / 4 + lane] = 0;
    if (lane == 0) window.masks[WARP] = 0, window.odd = 0;
    __syncthreads();                                               // the cache is empty before anyone counts

    // A window's words begin from its lane 1 on, which is `base` + 32.
    const size_t first = range.begin / LANE_BYTES * LANE_BYTES, step = size_t(gridDim.x) * warps * STRIDE;
    const auto part_at = [&](size_t at) {
        return load_part(range.origin + at + lane * LANE_BYTES - LANE_BYTES, text.begin, text.end);
    };
    size_t at = first + (size_t(blockIdx.x) * warps + threadIdx.x / WARP) * STRIDE;
    Part part = {};
    if (at < range.end) part = part_at(at);
    Wide words = 0;
    while (at < range.end && !__any_sync(ALL_LANES, is_overflown(table))) {
        const Part here = part;
        if (at + step < range.end) part = part_at(at + step);      // on its way meanwhile
        const unsigned base = static_cast<unsigned>(at) - LANE_BYTES; // wraps at the origin, and back again
        const uint32_t mask = enter_window<UTF8, FOLD>(window, here, text.classes, lane);
        const unsigned count = list_starts(window, mask, wanted(range, base + lane * LANE_BYTES, lane), lane);
        const unsigned others = count_short_words(cache, table, text, range, window, base, count, lane);
        for (unsigned i = lane; i < others; i += WARP) {
            count_other_word(cache, table, text, range, window, base, window.starts[i]);
        }
        words += count;
        at += step;
        __syncwarp();                                              // all are done with the window
    }
    if (lane == 0) atomicAdd(&table.state[WORDS], words);
    __syncthreads();                                               // all have counted before anyone empties the cache

    for (unsigned i = threadIdx.x; i < slots && !is_overflown(table); i += blockDim.x) {
        if (cache.counts[i] == 0) continue;
        const uint8_t *const here = range.origin + cache.firsts[i];
        add_word(table, cache.keys[i], cache.counts[i], ~(range.offset + cache.firsts[i]),
                 [&](const uint8_t *known) { return text.are_same(known, here); }, [&] { return here; });
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// A block's table takes up to half of what its windows leave: the rest is L1, which has the words to compare with. Fewer threads
// where not even windows fit.
cudaError_t plan_slots(unsigned *threads, unsigned *slots, size_t *bytes) {
    int device = 0, most = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *slots = CACHE_SLOTS_MIN;
    const auto windows_of = [](unsigned count) { return count / WARP * sizeof(Window); };
    const size_t few = *slots * sizeof(uint4);
    while (*threads > WARP && windows_of(*threads) + few > static_cast<size_t>(most)) *threads = *threads / 2 / WARP * WARP;
    const size_t windows = windows_of(*threads);
    while (windows + 4 * *slots * sizeof(uint4) <= static_cast<size_t>(most)) *slots *= 2;
    *bytes = windows + *slots * sizeof(uint4);
    return error;
}

template <bool UTF8, bool FOLD>
cudaError_t launch_count(const gpumexk_words_text &given, const Table &table, uint64_t *long_words, const gpumexk_tuning &tuning,
                         gpumexk_stream stream) {
    unsigned slots;
    size_t bytes, sms = 0;
    unsigned threads = tuning.threads;
    cudaError_t error = plan_slots(&threads, &slots, &bytes);
    if (error == cudaSuccess) error = set_smem_carveout<words_count<UTF8, FOLD>>(tuning.cache);
    if (error == cudaSuccess) error = multiprocessors(&sms);
    if (error == cudaSuccess) {
        error = cudaFuncSetAttribute(words_count<UTF8, FOLD>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    }
    const Text<UTF8, FOLD> text = {given.text, given.text + given.len, {given.letters, static_cast<unsigned>(given.folds)}};
    for (size_t begin = given.begin; error == cudaSuccess && begin < given.end;) {
        const size_t end = begin + at_most(given.end - begin, LAUNCH_BYTES);
        const size_t before = (reinterpret_cast<uintptr_t>(given.text) + begin) % LANE_BYTES;
        const Range range = {given.text + begin - before, static_cast<unsigned>(before), static_cast<unsigned>(end - begin + before),
                             given.offset + begin - before, long_words};
        const size_t blocks = at_most(sms, ceil_div(end - begin + before, size_t(threads) / WARP * STRIDE));
        words_count<UTF8, FOLD><<<static_cast<unsigned>(blocks), threads, bytes, stream>>>(text, range, table, slots);
        error = cudaGetLastError();
        begin = end;
    }
    return error;
}

}  // namespace

int gpumexk_words_count(const gpumexk_words_text *text, const gpumexk_words_table *table, uint64_t *long_words,
                        const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    const Table to = {static_cast<Slot *>(table->slots), table->bits, reinterpret_cast<Wide *>(table->state)};
    if (text->utf8 != 0 && text->fold != 0) return launch_count<true, true>(*text, to, long_words, *tuning, stream);
    if (text->utf8 != 0) return launch_count<true, false>(*text, to, long_words, *tuning, stream);
    if (text->fold != 0) return launch_count<false, true>(*text, to, long_words, *tuning, stream);
    return launch_count<false, false>(*text, to, long_words, *tuning, stream);
}
