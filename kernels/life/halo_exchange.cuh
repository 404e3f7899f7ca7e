// halo_exchange.cuh — halo exchange between the blocks of a cluster, every K generations.
//
// Algorithm  A block stores the K first and the K last rows of its core into the shared memory of its neighbours, and waits at an
//            mbarrier for as many bytes from them; nobody waits for the whole cluster.
// Cost       One H200: 0.25 us with four words an access, 0.5 with one, since every access counts its own bytes.
// Limits     K rows or more in every core.
// Edges      Unless the board is a torus the first block has no upper neighbour, the last one no lower.
// Source     prim/cluster/cluster.cuh.
#pragma once

#include <stdint.h>

#include "life/window.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/thread/shared_address.cuh"

namespace life_cluster {

// ---- device helpers -------------------------------------------------------------------------------------------------

// The halos (parity, side, word, row) of all blocks, with an mbarrier for each parity. A block that is
// one exchange ahead writes the other parity; it cannot be two ahead, since it waits for its neighbours as well. Rows count
// from the thread's first one: those that are less than `sent` away from one of two places go out, less than `got` come in.
template <typename Cells>
struct HaloExchange {
    Mbarrier *barriers;
    uint32_t to_up, to_down, up_barrier, down_barrier;             // there, of the thread's first word
    const uint32_t *top, *bottom;                                  // here, likewise
    unsigned first, from_end, above, below;                        // where the thread's rows begin, seen from those places
    unsigned up_rows, down_rows;                                   // K, or 0 without a neighbour
    bool together;                                                 // whether a thread's rows go and come all at once
    unsigned words, row_words, pitch, halo_words;                  // words: from the thread on

    __device__ HaloExchange(const Shape &shape, const Band &band, const Place &place, Mbarrier *barriers_, uint32_t *halos)
        : barriers(barriers_), row_words(shape.words), pitch(shape.pitch()), halo_words(shape.halo_words()) {
        up_rows = band.has_up ? shape.halo : 0, down_rows = band.has_down ? shape.halo : 0;
        first = place.first - band.core_at, from_end = first - (band.core - shape.halo);
        above = first + shape.halo, below = first - band.core;
        words = shape.words - min(shape.words, place.word);
        together = Cells::IN_REGISTERS && shape.unit > 1;
        uint32_t *const column = halos + place.word * pitch;
        top = column + above, bottom = column + halo_words + below;
        to_up = address_in(band.up, halos) + ((halo_words + place.word * pitch) + first) * BYTES;
        to_down = address_in(band.down, halos) + (place.word * pitch + from_end) * BYTES;
        up_barrier = address_in(band.up, barriers), down_barrier = address_in(band.down, barriers);
    }

    __device__ void open() const {
        if (up_rows + down_rows == 0) return;
        if (threadIdx.x < 2) {
            mbarrier_init(shared_address(&barriers[threadIdx.x]), 1);
            mbarrier_publish();
        }
        cluster_sync();
    }

    // The outer rows of the core go to the neighbours, and theirs become the rows around the core.
    __device__ void exchange(Cells &cells, unsigned round) const {
        if (up_rows + down_rows == 0) return;
        const unsigned parity = round % 2, skip = parity * 2 * halo_words;
        auto is_real = [&](int v) { return Cells::VALUES == 1 || unsigned(v) < words; };
        if (threadIdx.x == 0) mbarrier_expect_tx(shared_address(&barriers[parity]), (up_rows + down_rows) * row_words * BYTES);

        const uint32_t up = to_up + skip * BYTES, down = to_down + skip * BYTES;
        const uint32_t at_up = up_barrier + parity * unsigned(sizeof(Mbarrier));
        const uint32_t at_down = down_barrier + parity * unsigned(sizeof(Mbarrier));
        if (together) {
            if (first < up_rows) cells.send_all(up, at_up);
            if (from_end < down_rows) cells.send_all(down, at_down);
        } else {
            cells.each([&](unsigned i, int v, uint32_t &word) {
                const unsigned offset = (v * pitch + i) * BYTES;
                if (is_real(v) && first + i < up_rows) cluster_send<1>(up + offset, &word, at_up);
                if (is_real(v) && from_end + i < down_rows) cluster_send<1>(down + offset, &word, at_down);
            });
        }
        mbarrier_wait<MbarrierScope::CLUSTER>(shared_address(&barriers[parity]), round / 2 % 2);
        const uint32_t *const from_up = top + skip, *const from_down = bottom + skip;
        if (together) {
            if (above < up_rows) cells.take_all(from_up);
            if (below < down_rows) cells.take_all(from_down);
            return;
        }
        cells.each([&](unsigned i, int v, uint32_t &word) {
            if (is_real(v) && above + i < up_rows) word = from_up[v * pitch + i];
            if (is_real(v) && below + i < down_rows) word = from_down[v * pitch + i];
        });
    }

private:
    static constexpr unsigned BYTES = sizeof(uint32_t);
};

}  // namespace life_cluster
