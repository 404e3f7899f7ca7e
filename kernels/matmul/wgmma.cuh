// wgmma.cuh — warpgroup matrix multiply-accumulate of Hopper: sums (64, N) ← sums + A (64, 32 bytes) · B (32 bytes, N), 8 elements
//             of TF32 or 16 of BF16 or F16 along k, accumulated in float32.
//
// Layout     A and B are in shared memory as rows along k of 128 bytes, rows one behind the other, with the 128-byte swizzle
//            (piece p of row r at p xor (r mod 8)), from an address aligned to 1024. A step along k is + 2 in the descriptor.
//            Thread t of the 128 holds, for each 8 columns j, sums[4j … 4j+3]: rows 16·(t / 32) + t mod 32 / 4 and 8 below,
//            columns 8j + 2·(t mod 4) and the next one: (row, col), (row, col + 1), (row + 8, col), (row + 8, col + 1).
// Limits     Machine code for sm_90a. The tensor core adds the products of a step to a sum and truncates: half a unit in the last
//            place in the mean. Between begin_products() and the wait that ends them the sums must not be accessed.
// Source     PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "Matrix descriptor".
#pragma once

#include <stdint.h>

namespace tensor {

enum class Format { F16, BF16, TF32 };                             // of the elements of A and B

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// The low four bits of an address are left out; 1024 bytes from eight rows to the next eight; pieces permuted in 128 bytes.
__device__ __forceinline__ uint64_t rows_at(uint32_t address) {
    return static_cast<uint64_t>((address & 0x3FFFF) >> 4) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

// Lines along the edge: 8192 bytes from 64 elements of the edge to the next 64, 1024 from eight lines to the next eight.
__device__ __forceinline__ uint64_t lines_at(uint32_t address) {
    return static_cast<uint64_t>((address & 0x3FFFF) >> 4) | uint64_t(8192 >> 4) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// All but the last PENDING committed groups are done.
template <int PENDING>
__device__ __forceinline__ void wait_products() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory"); }

// The compiler keeps every use of the sums on its own side of this.
template <int COUNT>
__device__ __forceinline__ void pin(float (&sums)[COUNT]) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}

template <int REGISTERS>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS)); }
template <int REGISTERS>
__device__ __forceinline__ void give_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS)); }

// Names of operands 10·tens … 10·tens + 9, and the operands themselves.
#define NAMES_8(tens) "%" #tens "0,%" #tens "1,%" #tens "2,%" #tens "3,%" #tens "4,%" #tens "5,%" #tens "6,%" #tens "7"
#define NAMES_10(tens) NAMES_8(tens) ",%" #tens "8,%" #tens "9,"
#define NAMES_30 NAMES_10() NAMES_10(1) NAMES_10(2)
#define NAMES_120                                                                                                        \
    NAMES_30 NAMES_10(3) NAMES_10(4) NAMES_10(5) NAMES_10(6) NAMES_10(7) NAMES_10(8) NAMES_10(9) NAMES_10(10) NAMES_10(11)
#define SUMS_8(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3]), "+f"(sums[i + 4]), "+f"(sums[i + 5]), \
                  "+f"(sums[i + 6]), "+f"(sums[i + 7])
#define SUMS_32(i) SUMS_8(i), SUMS_8(i + 8), SUMS_8(i + 16), SUMS_8(i + 24)
#define MULTIPLY(SHAPE, NAMES, A, B, ADDS)                                                  \
    "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %" #ADDS ", 0;\n\t"                               \
    "wgmma.mma_async.sync.aligned." SHAPE " {" NAMES "}, %" #A ", %" #B ", p, 1, 1, 0, 0;\n\t}"
#define NAMES_32 NAMES_30 "%30,%31"
#define NAMES_64 NAMES_30 NAMES_10(3) NAMES_10(4) NAMES_10(5) "%60,%61,%62,%63"
#define NAMES_128 NAMES_120 NAMES_8(12)

// sums ← a · b, or with `adds` sums + a · b, over one step of BF16.
__device__ __forceinline__ void multiply(float (&sums)[32], uint64_t a, uint64_t b, int adds) {
    asm volatile(MULTIPLY("m64n64k16.f32.bf16.bf16", NAMES_32, 32, 33, 34) : SUMS_32(0) : "l"(a), "l"(b), "r"(adds));
}

__device__ __forceinline__ void multiply(float (&sums)[64], uint64_t a, uint64_t b, int adds) {
    asm volatile(MULTIPLY("m64n128k16.f32.bf16.bf16", NAMES_64, 64, 65, 66)
                 : SUMS_32(0), SUMS_32(32) : "l"(a), "l"(b), "r"(adds));
}

#define MULTIPLY_HELD(SHAPE, NAMES, A0, A1, A2, A3, B, ADDS, TURN_B)                                     \
    "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %" #ADDS ", 0;\n\t"                                          \
    "wgmma.mma_async.sync.aligned." SHAPE " {" NAMES "}, {%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}, %" #B ", p, 1, 1" TURN_B ";\n\t}"
#define HELD_A "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])

// The same of TF32, with A in registers: rows as of the sums, elements t mod 4 of the step and 4 further along k, in the order
// (row, k), (row + 8, k), (row, k + 4), (row + 8, k + 4). They stay as they are until the product is done.
__device__ __forceinline__ void multiply_held(float (&sums)[32], const unsigned (&a)[4], uint64_t b, int adds) {
    asm volatile(MULTIPLY_HELD("m64n64k8.f32.tf32.tf32", NAMES_32, 32, 33, 34, 35, 36, 37, "")
                 : SUMS_32(0) : HELD_A, "l"(b), "r"(adds));
}

__device__ __forceinline__ void multiply_held(float (&sums)[64], const unsigned (&a)[4], uint64_t b, int adds) {
    asm volatile(MULTIPLY_HELD("m64n128k8.f32.tf32.tf32", NAMES_64, 64, 65, 66, 67, 68, 69, "")
                 : SUMS_32(0), SUMS_32(32) : HELD_A, "l"(b), "r"(adds));
}

__device__ __forceinline__ void multiply_held(float (&sums)[128], const unsigned (&a)[4], uint64_t b, int adds) {
    asm volatile(MULTIPLY_HELD("m64n256k8.f32.tf32.tf32", NAMES_128, 128, 129, 130, 131, 132, 133, "")
                 : SUMS_32(0), SUMS_32(32), SUMS_32(64), SUMS_32(96) : HELD_A, "l"(b), "r"(adds));
}

// The same of BF16, 16 elements along k: those of (row, 2t), (row, 2t + 1), t = t mod 4, in one register, then row + 8, then both 8 further.
__device__ __forceinline__ void multiply_held_bf16(float (&sums)[32], const unsigned (&a)[4], uint64_t b, int adds) {
    asm volatile(MULTIPLY_HELD("m64n64k16.f32.bf16.bf16", NAMES_32, 32, 33, 34, 35, 36, 37, ", 0")
                 : SUMS_32(0) : HELD_A, "l"(b), "r"(adds));
}

#define MULTIPLY_HALF(TYPE, WIDTH, NAMES, A, B, ADDS, TURN_A, TURN_B)                                   \
    "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %" #ADDS ", 0;\n\t"                                         \
    "wgmma.mma_async.sync.aligned.m64n" #WIDTH "k16.f32." TYPE "." TYPE                                \
    " {" NAMES "}, %" #A ", %" #B ", p, 1, 1, %" #TURN_A ", %" #TURN_B ";\n\t}"
#define HALF_OPERANDS "l"(a), "l"(b), "r"(adds), "n"(A_ALONG_K ? 0 : 1), "n"(B_ALONG_K ? 0 : 1)

// The same of a 16-bit type, whose descriptors are rows_at an address, or lines_at where the operand is contiguous along its edge.
template <Format T, bool A_ALONG_K, bool B_ALONG_K>
__device__ __forceinline__ void multiply_half(float (&sums)[32], uint64_t a, uint64_t b, int adds) {
    if constexpr (T == Format::F16) asm volatile(MULTIPLY_HALF("f16", 64, NAMES_32, 32, 33, 34, 35, 36) : SUMS_32(0) : HALF_OPERANDS);
    else asm volatile(MULTIPLY_HALF("bf16", 64, NAMES_32, 32, 33, 34, 35, 36) : SUMS_32(0) : HALF_OPERANDS);
}

template <Format T, bool A_ALONG_K, bool B_ALONG_K>
__device__ __forceinline__ void multiply_half(float (&sums)[64], uint64_t a, uint64_t b, int adds) {
    if constexpr (T == Format::F16) {
        asm volatile(MULTIPLY_HALF("f16", 128, NAMES_64, 64, 65, 66, 67, 68) : SUMS_32(0), SUMS_32(32) : HALF_OPERANDS);
    } else {
        asm volatile(MULTIPLY_HALF("bf16", 128, NAMES_64, 64, 65, 66, 67, 68) : SUMS_32(0), SUMS_32(32) : HALF_OPERANDS);
    }
}

template <Format T, bool A_ALONG_K, bool B_ALONG_K>
__device__ __forceinline__ void multiply_half(float (&sums)[128], uint64_t a, uint64_t b, int adds) {
    if constexpr (T == Format::F16) {
        asm volatile(MULTIPLY_HALF("f16", 256, NAMES_128, 128, 129, 130, 131, 132)
                     : SUMS_32(0), SUMS_32(32), SUMS_32(64), SUMS_32(96) : HALF_OPERANDS);
    } else {
        asm volatile(MULTIPLY_HALF("bf16", 256, NAMES_128, 128, 129, 130, 131, 132)
                     : SUMS_32(0), SUMS_32(32), SUMS_32(64), SUMS_32(96) : HALF_OPERANDS);
    }
}

// STEPS steps from descriptors of parts on.
template <unsigned STEPS, int SUMS>
__device__ __forceinline__ void multiply_steps(float (&sums)[SUMS], uint64_t a, uint64_t b, bool adds) {
#pragma unroll
    for (unsigned step = 0; step < STEPS; ++step) multiply(sums, a + 2 * step, b + 2 * step, adds || step != 0);
}

// The products of three parts of each, the smallest first.
template <unsigned STEPS, int SUMS>
__device__ __forceinline__ void multiply_smallest(float (&sums)[SUMS], const uint64_t (&a)[3], const uint64_t (&b)[3]) {
    multiply_steps<STEPS>(sums, a[2], b[0], false);
    multiply_steps<STEPS>(sums, a[0], b[2], true);
}

template <unsigned STEPS, int SUMS>
__device__ __forceinline__ void multiply_others(float (&sums)[SUMS], const uint64_t (&a)[3], const uint64_t (&b)[3]) {
    multiply_steps<STEPS>(sums, a[1], b[1], true);
    multiply_steps<STEPS>(sums, a[2], b[1], true);
    multiply_steps<STEPS>(sums, a[1], b[2], true);
    multiply_steps<STEPS>(sums, a[2], b[2], true);
}

#define MULTIPLY_TF32(WIDTH, NAMES, A, B, ADDS)                                                          \
    "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %" #ADDS ", 0;\n\t"                                           \
    "wgmma.mma_async.sync.aligned.m64n" #WIDTH "k8.f32.tf32.tf32 {" NAMES "}, %" #A ", %" #B ", p, 1, 1;\n\t}"
#define TF32_OPERANDS "l"(a), "l"(b), "r"(adds)

// The same of TF32, both operands along k. The tensor core cuts elements off that are not rounded.
__device__ __forceinline__ void multiply_tf32(float (&sums)[32], uint64_t a, uint64_t b, int adds) {
    asm volatile(MULTIPLY_TF32(64, NAMES_32, 32, 33, 34) : SUMS_32(0) : TF32_OPERANDS);
}

__device__ __forceinline__ void multiply_tf32(float (&sums)[64], uint64_t a, uint64_t b, int adds) {
    asm volatile(MULTIPLY_TF32(128, NAMES_64, 64, 65, 66) : SUMS_32(0), SUMS_32(32) : TF32_OPERANDS);
}

__device__ __forceinline__ void multiply_tf32(float (&sums)[128], uint64_t a, uint64_t b, int adds) {
    asm volatile(MULTIPLY_TF32(256, NAMES_128, 128, 129, 130)
                 : SUMS_32(0), SUMS_32(32), SUMS_32(64), SUMS_32(96) : TF32_OPERANDS);
}

#undef NAMES_8
#undef NAMES_10
#undef NAMES_30
#undef NAMES_32
#undef NAMES_64
#undef NAMES_120
#undef NAMES_128
#undef SUMS_8
#undef SUMS_32
#undef MULTIPLY
#undef MULTIPLY_HELD
#undef HELD_A
#undef MULTIPLY_HALF
#undef HALF_OPERANDS
#undef MULTIPLY_TF32
#undef TF32_OPERANDS

#endif

}  // namespace tensor
