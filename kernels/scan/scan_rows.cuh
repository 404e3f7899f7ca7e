// scan_rows.cuh — the scan of what the registers of one block hold.
//
// Algorithm  A thread has up to SCAN_ROWS packets of 16 bytes, a warp consecutive ones: row r of it is 32 packets. Rows are scanned over
//            the lanes, independently of each other, then warps by their aggregates. What comes before the block is its caller's.
// Cost       Reads and writes the elements once; one barrier.
// Limits     Blocks of SCAN_ROWS_THREADS threads. Arrays that are not aligned to 16 bytes take a load and a store an element.
// Edges      result may be data: a thread stores where it has loaded. Elements behind the end are the identity.
// Source     The hierarchy of M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/thread/packet.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int SCAN_ROWS = 8;
constexpr unsigned SCAN_ROWS_THREADS = 1024, SCAN_ROWS_WARPS = SCAN_ROWS_THREADS / WARP;

// Elements of a row of a block.
template <typename T>
constexpr size_t SCAN_ROW = SCAN_ROWS_THREADS * PACKET_LENGTH<T>;

// How an array is shared out: blocks, and rows of each.
struct ScanRowsShape {
    unsigned blocks;
    int rows;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// What a thread holds: packets of which those from `count` elements on, and their elements, are missing.
template <typename T>
struct RowOfPackets {
    const T *data;
    T *result;
    size_t count;
    bool aligned;

    __device__ __forceinline__ bool is_whole(size_t first) const { return aligned && first + PACKET_LENGTH<T> <= count; }
    template <typename Op>
    __device__ __forceinline__ Packet<T> load(const Op &op, size_t first) const {
        Packet<T> packet;
        if (is_whole(first)) {
            packet = *reinterpret_cast<const Packet<T> *>(data + first);
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) packet.values[p] = op.load(packet.values[p]);
        } else {
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) packet.values[p] = first + p < count ? op.load(data[first + p]) : Op::identity();
        }
        return packet;
    }
    __device__ __forceinline__ void store(const Packet<T> &packet, size_t first) const {
        if (is_whole(first)) {
            *reinterpret_cast<Packet<T> *>(result + first) = packet;
        } else {
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) {
                if (first + p < count) result[first + p] = packet.values[p];
            }
        }
    }
};

// The packets of a thread of block `block`.
template <typename Op>
struct ScanRows {
    using T = typename Op::Value;
    static constexpr int LENGTH = PACKET_LENGTH<T>, ROW = WARP * LENGTH;

    RowOfPackets<T> array;
    int rows;
    size_t first;                                                  // element
    Packet<T> packets[SCAN_ROWS];
    T before[SCAN_ROWS];                                           // a packet's prefix within the warp

    __device__ __forceinline__ ScanRows(const RowOfPackets<T> &of, int rows_of_block, size_t block)
        : array(of), rows(rows_of_block),
          first((block * SCAN_ROWS_WARPS + threadIdx.x / WARP) * rows_of_block * ROW + threadIdx.x % WARP * LENGTH) {}

    __device__ __forceinline__ void load(const Op &op) {
#pragma unroll
        for (int r = 0; r < SCAN_ROWS; ++r) {
            if (r < rows) packets[r] = array.load(op, first + r * ROW);
        }
    }

    // The warp's prefix within the block; *sum ← the block's aggregate. of_warps: shared memory.
    __device__ __forceinline__ T scan(const Op &op, T (&of_warps)[SCAN_ROWS_WARPS], T *sum) {
        const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
        T own = Op::identity();
#pragma unroll
        for (int r = 0; r < SCAN_ROWS; ++r) {
            if (r >= rows) break;
            T of_packet = packets[r].values[0];
#pragma unroll
            for (int p = 1; p < LENGTH; ++p) of_packet = op.apply(of_packet, packets[r].values[p]);
            const T scanned = warp_scan(op, of_packet);
            before[r] = op.apply(own, warp_exclusive(op, scanned));
            own = op.apply(own, __shfl_sync(ALL_LANES, scanned, WARP - 1));
        }
        if (lane == 0) of_warps[warp] = own;
        __syncthreads();                                           // the aggregates of all warps are there
        const T warps = warp_scan(op, of_warps[lane]);
        *sum = __shfl_sync(ALL_LANES, warps, WARP - 1);
        return __shfl_sync(ALL_LANES, warp_exclusive(op, warps), warp);
    }

    // prefix: of the warp, in the whole array.
    __device__ __forceinline__ void store(const Op &op, T prefix, bool inclusive) {
#pragma unroll
        for (int r = 0; r < SCAN_ROWS; ++r) {
            if (r >= rows) break;
            T value = op.apply(prefix, before[r]);
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) {
                const T next = op.apply(value, packets[r].values[p]);
                packets[r].values[p] = op.store(inclusive ? next : value);
                value = next;
            }
            array.store(packets[r], first + r * ROW);
        }
    }
};
