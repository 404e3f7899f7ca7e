// table.cu — operations on tables of words: merge, difference, and the most frequent words.
//
//   merge   to[word] ← to[word] + from[word]; the bytes of longer words that `to` lacks are copied where asked for
//   missing how many words of `from` are not in `to`, and how many bytes their copies take
//   rank    bins[b] ← #{ words : value >> shift = b } of those with value ≥ low, where value is `words` - count, or the first
//           position of the words with one count
//   pick    the words with a larger count, and of that count those that begin up to a position: first position and count
//   lengths how many bytes the words at some positions have
//
// Algorithm  A thread a slot. A word is in `from` once, so that missing() and merge() agree. The k most frequent words are
//            found by radix selection with rank(), and a sort of what pick() gives.
// Cost       Reads a table once; rank() adds in shared memory.
// Limits     merge() needs free slots for what missing() counted within the load factor.
// Source     A. Alabi et al., "Fast k-selection algorithms for graphics processing units", 2012 (bucket select).

#include "kernels.h"
#include "words/table.cuh"
#include "prim/grid/grid.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;
constexpr unsigned BLOCKS_MAX = 4096;
constexpr unsigned RANKS = GPUMEXK_WORDS_RANKS;

enum Missing { MISSING_WORDS, MISSING_BYTES };

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Work>
__device__ __forceinline__ void for_each_word(const Table &table, Work work) {
    for (size_t i = grid_x(); i < size_t(1) << table.bits; i += grid_width()) {
        if (table.slots[i].key != 0) work(table.slots[i]);
    }
}

__device__ __forceinline__ const uint8_t *bytes_in(const Slot &slot) { return reinterpret_cast<const uint8_t *>(slot.where); }

// A copy of a word behind the last one, with a byte 0 behind it.
template <bool UTF8>
__device__ const uint8_t *copied(const Walk<UTF8, false> &word, uint8_t *copies, Wide *used) {
    const size_t len = word_bytes(word);
    uint8_t *const to = copies + atomicAdd(used, Wide(len + 1));
    for (size_t i = 0; i < len; ++i) to[i] = word.at[i];
    to[len] = 0;
    __threadfence();                                               // before others learn where it is
    return to;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <bool UTF8, bool FOLD>
__global__ void words_missing(Text<UTF8, FOLD> text, Table from, Table to, Wide *missing) {
    for_each_word(from, [&](const Slot &word) {
        const uint8_t *const bytes = bytes_in(word);
        if (has_word(to, word.key, [&](const uint8_t *known) { return text.are_same(known, bytes); })) return;
        atomicAdd(&missing[MISSING_WORDS], Wide(1));
        if (is_hash(word.key)) {
            const Walk<UTF8, false> walk = {bytes, text.walk(bytes).end, text.classes};
            atomicAdd(&missing[MISSING_BYTES], Wide(word_bytes(walk) + 1));
        }
    });
}

template <bool UTF8, bool FOLD>
__global__ void words_merge(Text<UTF8, FOLD> text, Table from, Table to, uint8_t *copies, Wide *used) {
    for_each_word(from, [&](const Slot &word) {
        const uint8_t *const bytes = bytes_in(word);
        const auto keep = [&] {
            const Walk<UTF8, false> walk = {bytes, text.walk(bytes).end, text.classes};
            return copies == nullptr ? bytes : copied(walk, copies, used);
        };
        add_word(to, word.key, word.count, word.earliest, [&](const uint8_t *known) { return text.are_same(known, bytes); }, keep);
    });
}

// count = 0: of all words by `most` - count; else of the words with this count by first position.
__global__ void words_rank(Table table, Wide most, Wide count, Wide low, unsigned shift, Wide *ranks) {
    __shared__ unsigned bins[RANKS];
    for (unsigned i = threadIdx.x; i < RANKS; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    for_each_word(table, [&](const Slot &word) {
        const Wide value = count == 0 ? most - word.count : ~word.earliest;
        if ((count == 0 || word.count == count) && value >= low && (value - low) >> shift < RANKS) {
            atomicAdd(&bins[(value - low) >> shift], 1u);
        }
    });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < RANKS; i += blockDim.x) {
        if (bins[i] != 0) atomicAdd(&ranks[i], Wide(bins[i]));
    }
}

__global__ void words_pick(Table table, Wide count, Wide position, Wide most, Wide *picked, Wide *number) {
    for_each_word(table, [&](const Slot &word) {
        const Wide first = ~word.earliest;
        if (word.count < count || (word.count == count && first > position)) return;
        const Wide at = atomicAdd(number, Wide(1));
        if (at < most) picked[2 * at] = first, picked[2 * at + 1] = word.count;
    });
}

template <bool UTF8>
__global__ void words_lengths(Text<UTF8, false> text, const uint64_t *positions, size_t count, uint64_t *lengths) {
    for (size_t i = grid_x(); i < count; i += grid_width()) lengths[i] = word_bytes(text.walk(text.begin + positions[i]));
}

// ---- launchers ------------------------------------------------------------------------------------------------------

Table as_table(const gpumexk_words_table &table) {
    return {static_cast<Slot *>(table.slots), table.bits, reinterpret_cast<Wide *>(table.state)};
}

template <bool UTF8, bool FOLD>
Text<UTF8, FOLD> as_text(const gpumexk_words_text &text) {
    return {text.text, text.text + text.len, {text.letters, static_cast<unsigned>(text.folds)}};
}

unsigned blocks_for(size_t count) { return static_cast<unsigned>(at_most(ceil_div(count, THREADS), BLOCKS_MAX)); }
unsigned blocks_of(const gpumexk_words_table *table) { return blocks_for(size_t(1) << table->bits); }
Wide *wide(uint64_t *numbers) { return reinterpret_cast<Wide *>(numbers); }

// launch(text) with the text's kind.
template <typename Launch>
int dispatch_kind(const gpumexk_words_text &text, Launch launch) {
    if (text.utf8 != 0 && text.fold != 0) launch(as_text<true, true>(text));
    else if (text.utf8 != 0) launch(as_text<true, false>(text));
    else if (text.fold != 0) launch(as_text<false, true>(text));
    else launch(as_text<false, false>(text));
    return cudaGetLastError();
}

}  // namespace

int gpumexk_words_clear(const gpumexk_words_table *table, gpumexk_stream stream) {
    const cudaError_t error = cudaMemsetAsync(table->slots, 0, sizeof(Slot) << table->bits, stream);
    return error != cudaSuccess ? error : cudaMemsetAsync(table->state, 0, 4 * sizeof *table->state, stream);
}

int gpumexk_words_missing(const gpumexk_words_text *text, const gpumexk_words_table *from, const gpumexk_words_table *to,
                          uint64_t *missing, gpumexk_stream stream) {
    const cudaError_t error = cudaMemsetAsync(missing, 0, 2 * sizeof *missing, stream);
    if (error != cudaSuccess) return error;
    return dispatch_kind(*text, [&](auto here) {
        words_missing<<<blocks_of(from), THREADS, 0, stream>>>(here, as_table(*from), as_table(*to), wide(missing));
    });
}

int gpumexk_words_merge(const gpumexk_words_text *text, const gpumexk_words_table *from, const gpumexk_words_table *to,
                        uint8_t *copies, uint64_t *used, gpumexk_stream stream) {
    const cudaError_t error = cudaMemsetAsync(used, 0, sizeof *used, stream);
    if (error != cudaSuccess) return error;
    return dispatch_kind(*text, [&](auto here) {
        words_merge<<<blocks_of(from), THREADS, 0, stream>>>(here, as_table(*from), as_table(*to), copies, wide(used));
    });
}

int gpumexk_words_rank(const gpumexk_words_table *table, uint64_t most, uint64_t count, uint64_t low, unsigned shift,
                       uint64_t *ranks, gpumexk_stream stream) {
    const cudaError_t error = cudaMemsetAsync(ranks, 0, RANKS * sizeof *ranks, stream);
    if (error != cudaSuccess) return error;
    words_rank<<<blocks_of(table), THREADS, 0, stream>>>(as_table(*table), most, count, low, shift, wide(ranks));
    return cudaGetLastError();
}

int gpumexk_words_pick(const gpumexk_words_table *table, uint64_t count, uint64_t position, uint64_t most, uint64_t *picked,
                       uint64_t *number, gpumexk_stream stream) {
    const cudaError_t error = cudaMemsetAsync(number, 0, sizeof *number, stream);
    if (error != cudaSuccess) return error;
    words_pick<<<blocks_of(table), THREADS, 0, stream>>>(as_table(*table), count, position, most, wide(picked), wide(number));
    return cudaGetLastError();
}

int gpumexk_words_lengths(const gpumexk_words_text *text, const uint64_t *positions, size_t count, uint64_t *lengths,
                          gpumexk_stream stream) {
    if (count == 0) return cudaSuccess;
    const unsigned blocks = blocks_for(count);
    if (text->utf8 != 0) words_lengths<<<blocks, THREADS, 0, stream>>>(as_text<true, false>(*text), positions, count, lengths);
    else words_lengths<<<blocks, THREADS, 0, stream>>>(as_text<false, false>(*text), positions, count, lengths);
    return cudaGetLastError();
}
