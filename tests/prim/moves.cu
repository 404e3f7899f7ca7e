// moves.cu — every move of kernels/prim/block/move.cuh on the device, against what its table says.
//
//   moves                    runs all checks; one line a failure, exit 1 when there is one
//   moves --bank-conflicts   runs only the transposes of bank_conflicts.cuh, for a profiler
//
// Exit 77 means that there is no GPU here. Each move runs as a block of its own on one tile: registers, shared memory and
// global memory are poison before, all of them lie between guards, and what comes back is compared element by element.

#include "bank_conflicts.cuh"
#include "one_move.cuh"
#include "prim/block/move.cuh"
#include "prim/thread/packet.cuh"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

int failures = 0;

// ---- what each move must leave --------------------------------------------------------------------------------------

template <typename T>
struct Case {
    MoveName move;
    unsigned threads, vt, count;
    std::vector<T> source;                                         // (tile)  from count on: BEYOND
    std::vector<unsigned> indices;                                 // (tile)  a permutation

    unsigned tile() const { return threads * vt; }

    // The element that lies in a thread's register `slot` (i = slot / threads, tid = slot % threads) in thread order.
    unsigned in_thread_order(unsigned slot) const { return vt * (slot % threads) + slot / threads; }

    T loaded(unsigned index, unsigned from, Poison past_count) const {
        return index < count ? source[from] : poison<T>(past_count);
    }

    std::vector<T> expected() const;
};

// Registers are dumped in the order of their slots, memory in its own order.
template <typename T>
std::vector<T> Case<T>::expected() const {
    const Poison past_count = takes_a_value(move) ? OTHERWISE : UNTOUCHED;
    std::vector<T> result(GUARD + tile() + GUARD, poison<T>(UNTOUCHED));
    for (unsigned k = 0; k < tile(); ++k) {
        const unsigned element = ends_in_thread_registers(move) ? in_thread_order(k) : k;
        if (move == SCATTER) {
            if (k < count) result[GUARD + indices[k]] = source[k];
        } else {
            const bool gathers = move == GATHER || move == GATHER_OTHERWISE;
            result[GUARD + k] = loaded(element, gathers ? indices[k] : element, past_count);
        }
    }
    return result;
}

template <typename T>
void report(const Case<T> &one, const char *type, int nt, const std::vector<T> &got, const std::vector<T> &want) {
    for (size_t at = 0; at < want.size(); ++at) {
        if (std::memcmp(&got[at], &want[at], sizeof(T)) == 0) continue;
        std::printf("FAIL %s %s NT %d (%u threads) VT %u count %u: element %ld is %s, not %s\n", name_of(one.move), type, nt,
                    one.threads, one.vt, one.count, long(at) - long(GUARD), text(got[at]).c_str(), text(want[at]).c_str());
        ++failures;
        return;
    }
}

// ---- one case on the device -----------------------------------------------------------------------------------------

bool ok(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return true;
    std::printf("FAIL %s: %s\n", what, cudaGetErrorString(error));
    ++failures;
    return false;
}

// Device memory with a copy of `content`.
template <typename T>
struct OnDevice {
    T *pointer = nullptr;
    size_t bytes;

    explicit OnDevice(const std::vector<T> &content) : bytes(content.size() * sizeof(T)) {
        ok(cudaMalloc(&pointer, bytes), "cudaMalloc");
        ok(cudaMemcpy(pointer, content.data(), bytes, cudaMemcpyHostToDevice), "copy to the device");
    }
    OnDevice(const OnDevice &) = delete;
    ~OnDevice() { cudaFree(pointer); }

    void read(std::vector<T> &target) { ok(cudaMemcpy(target.data(), pointer, bytes, cudaMemcpyDeviceToHost), "copy back"); }
};

template <int NT, int VT, typename T>
void check(const Case<T> &one, const char *type) {
    std::vector<T> result(GUARD + one.tile() + GUARD, poison<T>(UNTOUCHED));
    OnDevice<T> source(one.source), target(result);
    OnDevice<unsigned> indices(one.indices);
    const size_t shared_bytes = result.size() * sizeof(T);
    one_move<NT, VT><<<1, one.threads, shared_bytes>>>(one.move, one.count, source.pointer, indices.pointer, target.pointer);
    if (!ok(cudaGetLastError(), name_of(one.move))) return;
    target.read(result);
    report(one, type, NT, result, one.expected());
}

template <int NT, int VT, typename T>
void check_all_moves(const char *type) {
    const unsigned threads = NT > 0 ? NT : 96, tile = threads * VT;
    for (unsigned count : {0u, 1u, tile / 3, tile / 2 + 1, tile - 1, tile}) {
        Case<T> one = {GLOBAL_TO_REGISTER, threads, VT, count, {}, {}};
        for (unsigned k = 0; k < tile; ++k) {
            one.source.push_back(k < count ? element<T>(k) : poison<T>(BEYOND));
            one.indices.push_back(k < count ? count - 1 - k : 0);
        }
        for (int move = 0; move < MOVES; ++move) {
            one.move = MoveName(move);
            check<NT, VT, T>(one, type);
        }
    }
}

template <int NT, typename T>
void check_all_lengths(const char *type) {
    check_all_moves<NT, 1, T>(type);
    check_all_moves<NT, 2, T>(type);
    check_all_moves<NT, 3, T>(type);
    check_all_moves<NT, 4, T>(type);
    check_all_moves<NT, 5, T>(type);
    check_all_moves<NT, 7, T>(type);
    check_all_moves<NT, 8, T>(type);
    check_all_moves<NT, 11, T>(type);
}

}  // namespace

int main(int argc, char **argv) {
    int devices = 0;
    const cudaError_t here = cudaGetDeviceCount(&devices);
    if (here != cudaSuccess || devices == 0) {
        std::printf("moves: skipped, no GPU here (%s)\n", here == cudaSuccess ? "no device" : cudaGetErrorString(here));
        return 77;
    }
    if (argc > 1 && std::strcmp(argv[1], "--bank-conflicts") == 0) {
        failures += run_transposes();
    } else {
        check_all_lengths<0, float>("float");
        check_all_lengths<64, float>("float");
        check_all_lengths<128, float>("float");
        check_all_lengths<256, float>("float");
        check_all_lengths<64, uint8_t>("uint8_t");
        check_all_lengths<256, double>("double");
        check_all_lengths<128, Packet<float>>("Packet<float>");
    }
    std::printf(failures == 0 ? "moves: all right\n" : "moves: %d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
