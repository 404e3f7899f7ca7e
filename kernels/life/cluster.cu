// cluster.cu — Life on boards that fit in the shared memory of one thread-block cluster, all generations in one launch.
//
//   next = step(step(… board …)), `generations` times          board, next (rows, cols) bytes, or rows of 64-bit words
//
// Algorithm  Temporal blocking: each block holds its own rows (the core) and a halo of K more above and below (together the
//            window), 32 cells a word. K generations need nothing from outside: invalid cells at a cut edge of the window
//            spread inwards one row a generation. Then the blocks exchange the K outer rows of their cores
//            (life/halo_exchange.cuh), and so on. Within a block a thread has several rows of one column of words, up to 1024
//            columns in registers, else in shared memory (life/rows.cuh). life/plan.cuh chooses blocks, threads, rows a thread
//            and K.
// Cost       15 instructions a word and generation, a barrier a generation, an exchange every K generations. Each cell
//            is read once and written once. One H200: 500² 0.14 us a generation, 64² 0.065, 256² 0.092. Through a texture object the
//            launcher takes some microseconds more, and waits.
// Limits     One cluster of up to 16 blocks of up to 227 KiB, about 3 MiB of bits, and 8192 columns: life_cluster_fits.
//            Without clusters (before compute capability 9.0) one block.
// Edges      Exact in every generation (life/window.cuh). No generations: the board, as 0 and 1. In place is allowed:
//            each block writes only cells that no other block has read.
// Source     The rule: life/rule.cuh. Halos of K rows for K steps: life/window.cuh.

#include "kernels.h"
#include "life/bitstream.cuh"
#include "life/halo_exchange.cuh"
#include "life/linear_texture.cuh"
#include "life/plan.cuh"
#include "life/rows.cuh"
#include "life/rule.cuh"
#include "life/window.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"

namespace {

using namespace life_cluster;

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned STAGE_BITS = STAGE_WORDS * WORD;
constexpr unsigned ALONE_ROUND = 1u << 16;                         // generations of a round without exchanges

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ inline size_t packed_words(unsigned cols) { return size_t(cols - 1) / 64 * 2 + 2; }

// The board that is read: bytes, packed words, or packed words through a texture object.
struct Source {
    const void *board;
    int bits;                                                      // as for the launcher
    cudaTextureObject_t texture;

    __device__ uint32_t word(size_t i) const {
        return bits == 2 ? tex1Dfetch<uint32_t>(texture, int(i)) : static_cast<const uint32_t *>(board)[i];
    }
};

// part(row, rows) for so many rows of the core at a time as the stage holds.
template <typename Part>
__device__ inline void for_each_stage(const Shape &shape, const Band &band, Part part) {
    const unsigned rows = (STAGE_BITS - bits_of_range(0) - WORD) / shape.cols;
    for (unsigned row = 0; row < band.core; row += rows) part(row, min(rows, band.core - row));
}

// The core's cells of the board to the threads that hold them; all others die.
template <typename Cells>
__device__ void load(Cells &cells, const Shape &shape, const Band &band, const Place &place, const Source &source, uint32_t *stage) {
    cells.each([&](unsigned, int, uint32_t &word) { word = 0; });
    if (source.bits != 0) {
        cells.each([&](unsigned i, int v, uint32_t &word) {
            const unsigned row = place.first + i - band.core_at;
            if (row >= band.core || place.word + v >= shape.words) return;
            word = source.word((band.begin + row) * packed_words(shape.cols) + place.word + v);
        });
        return;
    }
    for_each_stage(shape, band, [&](unsigned begin, unsigned rows) {
        const uint8_t *const bytes = static_cast<const uint8_t *>(source.board) + size_t(band.begin + begin) * shape.cols;
        stream_in(bytes, rows * shape.cols, reinterpret_cast<uint16_t *>(stage));
        __syncthreads();                                           // the stream is there
        cells.each([&](unsigned i, int v, uint32_t &word) {
            const unsigned row = place.first + i - band.core_at - begin;
            if (row < rows && place.word + v < shape.words) {
                word = bits_at(stage, head_of(bytes) + row * shape.cols + (place.word + v) * WORD);
            }
        });
        __syncthreads();                                           // all have read before the next one comes
    });
}

template <typename Cells>
__device__ void store(Cells &cells, const Shape &shape, const Band &band, const Place &place, void *next, int bits,
                      uint32_t *stage) {
    const uint32_t last = ~0u >> (WORD - 1 - (shape.cols - 1) % WORD); // the cells of a row's last word
    if (bits != 0) {
        uint32_t *const packed = static_cast<uint32_t *>(next) + band.begin * packed_words(shape.cols);
        cells.each([&](unsigned i, int v, uint32_t &word) {
            const unsigned row = place.first + i - band.core_at, w = place.word + v;
            if (row >= band.core || w >= shape.words) return;
            uint32_t *const out = packed + row * packed_words(shape.cols) + w;
            out[0] = w + 1 == shape.words ? word & last : word;
            if (w + 1 == shape.words && shape.words % 2 == 1) out[1] = 0;
        });
        return;
    }
    for_each_stage(shape, band, [&](unsigned begin, unsigned rows) {
        uint8_t *const bytes = static_cast<uint8_t *>(next) + size_t(band.begin + begin) * shape.cols;
        const unsigned used = (bits_of_range(rows * shape.cols) + WORD - 1) / WORD;
        for (unsigned i = threadIdx.x; i < used; i += blockDim.x) stage[i] = 0;
        __syncthreads();                                           // zeros before bits
        cells.each([&](unsigned i, int v, uint32_t &word) {
            const unsigned row = place.first + i - band.core_at - begin, w = place.word + v;
            if (row >= rows || w >= shape.words) return;
            put_bits(stage, head_of(bytes) + row * shape.cols + w * WORD, w + 1 == shape.words ? word & last : word);
        });
        __syncthreads();                                           // the stream is there
        stream_out(reinterpret_cast<const uint16_t *>(stage), rows * shape.cols, bytes);
        __syncthreads();                                           // all have read before the next one comes
    });
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Rule, typename Cells>
__global__ void __launch_bounds__(THREADS_MAX, 1) life_cluster_steps(Source source, void *next, Shape shape, Rule rule, uint64_t generations) {
    constexpr Constant<Cells::VALUES> values;
    extern __shared__ __align__(16) uint32_t shared[];
    const Layout layout(shape, values.value, blockDim.x, Cells::IN_REGISTERS);
    const Band band(shape);
    const Place place = Place::of(shape, band, values);
    const Sides sides = Sides::of(shape, place, values);
    const Edges<values.value> edges(reinterpret_cast<uint2 *>(shared + layout.edges), place);
    Cells cells(shared + layout.cells, place);
    const HaloExchange<Cells> halos_out(shape, band, place, reinterpret_cast<Mbarrier *>(shared), shared + layout.halos);
    halos_out.open();
    load(cells, shape, band, place, source, shared + layout.stage);
    const uint64_t round_max = band.alone ? ALONE_ROUND : shape.halo;
    for (unsigned round = 0; generations > 0; ++round) {
        halos_out.exchange(cells, round);
        const unsigned steps = static_cast<unsigned>(min(generations, round_max));
        for (unsigned step = 1; step < steps; step += 2) {
            cells.step(rule, shape, sides, edges, 0);
            cells.step(rule, shape, sides, edges, 1);
        }
        if (steps % 2 == 1) {
            cells.step(rule, shape, sides, edges, 0);
            __syncthreads();                                       // all edges are read before parity 0 comes again
        }
        generations -= steps;
    }
    store(cells, shape, band, place, next, source.bits, shared + layout.stage);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// *offer ← what the current device offers.
cudaError_t offered(Device *offer) {
    return remembered(offer, [](int, Device *found) {
        const auto kernel = life_cluster_steps<Conway, Column<1>>;
        const cudaError_t error = allow_large(kernel, &found->bytes);
        return error == cudaSuccess ? widest_cluster(kernel, THREADS_MAX, found->bytes, &found->blocks) : error;
    });
}

enum class Use { QUESTION, LAUNCH };                               // what a plan is made for

// *plan ← the same; a thread remembers its last one of each use, since whoever steps on asks for the same board again.
template <Use>
cudaError_t make_plan(const gpumexk_life_game &game, unsigned threads, Plan *plan) {
    struct Memory {
        gpumexk_life_game game;
        unsigned threads;
        Device device;
        Plan plan;
    };
    static thread_local Memory last;
    Device device = {};
    const cudaError_t error = offered(&device);
    if (error != cudaSuccess) return error;
    const bool same = last.game.rows == game.rows && last.game.cols == game.cols && last.game.boundary == game.boundary &&
                      last.threads == threads && last.device.blocks == device.blocks && last.device.bytes == device.bytes;
    if (!same) last = {game, threads, device, search_plan(game, threads, device)};
    *plan = last.plan;
    return cudaSuccess;
}

template <typename Rule, typename Cells>
cudaError_t launch_plan(const Plan &plan, const Source &source, void *next, const Rule &rule, uint64_t generations, int cache,
                        gpumexk_stream stream) {
    constexpr auto KERNEL = life_cluster_steps<Rule, Cells>;
    const cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    return launch_clusters<KERNEL, Allow::LARGE>(dim3(plan.blocks), plan.blocks, plan.threads, bytes_of(plan), stream, source, next,
                                                 plan.shape, rule, generations);
}

template <typename Rule>
cudaError_t run(const Plan &plan, const Source &source, void *next, const Rule &rule, uint64_t generations, int cache,
                gpumexk_stream stream) {
    if (plan.in_registers) {
        return dispatch_value<1, 2, 3, 4, 5, 6, 8>(int(plan.shape.tall), [&](auto tall) {
            return launch_plan<Rule, Registers<decltype(tall)::value>>(plan, source, next, rule, generations, cache, stream);
        });
    }
    return dispatch_value<1, 2, 3, 4, 5, 6, 8>(plan.values, [&](auto values) {
        return launch_plan<Rule, Column<decltype(values)::value>>(plan, source, next, rule, generations, cache, stream);
    });
}

}  // namespace

int gpumexk_life_cluster_fits(size_t rows, size_t cols, int *fits) {
    *fits = 1;
    if (rows == 0 || cols == 0) return cudaSuccess;
    Plan plan = {};
    const gpumexk_life_game game = {rows, cols, TORUS, 0, 0};      // the boundary that takes most
    const cudaError_t error = make_plan<Use::QUESTION>(game, THREADS_MIN, &plan);
    *fits = plan.blocks > 0;
    return error;
}

int gpumexk_life_cluster(const void *board, void *next, int bits, const gpumexk_life_game *game, uint64_t generations,
                         const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const int threads = tuning->threads;
    if (tuning->values != 1 || (threads != THREADS_MIN && threads != 256 && threads != THREADS_MAX)) return cudaErrorInvalidValue;
    if (!is_boundary(game->boundary) || bits < 0 || bits > 2) return cudaErrorInvalidValue;
    if (game->rows == 0 || game->cols == 0) return cudaSuccess;
    Plan plan = {};
    cudaError_t error = make_plan<Use::LAUNCH>(*game, unsigned(threads), &plan);
    if (error != cudaSuccess) return error;
    if (plan.blocks == 0) return cudaErrorInvalidValue;
    Source source = {board, bits, 0};
    size_t created = 0;
    if (bits == 2) {
        const size_t words = game->rows * ((game->cols + 63) / 64 * 2);
        error = create_texture(const_cast<uint32_t *>(static_cast<const uint32_t *>(board)), words, &source.texture);
        if (error != cudaSuccess) return error;
        created = 1;
    }
    error = is_conway(*game) ? run(plan, source, next, Conway{}, generations, tuning->cache, stream)
                             : run(plan, source, next, any_rule(*game), generations, tuning->cache, stream);
    if (created == 0) return error;
    const cudaError_t waited = cudaStreamSynchronize(stream);      // before its texture ends
    return destroy_textures(&source.texture, &created, error == cudaSuccess ? waited : error);
}
