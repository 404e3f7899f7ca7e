// rule.cuh — the next generation of 32 cells at once: one bit a cell, three-input logic on whole words.
//
//   sum of a row  = left + centre + right of each cell, as two bits: ones = xor3, twos = maj3; or of a column, and what follows turned
//   next          = birth[n] where centre = 0, survival[n] where centre = 1;   n = the eight neighbours of the cell
//
// Algorithm  A row's sums serve the row above, the row itself and the row below, so they are made once. Conway adds three
//            of them in carry-save form and applies B3/S23. AnyRule adds them to a number of four bits and
//            picks its entry of the rule's table by a tree of selections.
// Cost       LOP3 a word: 2 for the sums and 6 for Conway; about 30 for AnyRule.
// Limits     None.
// Edges      What the neighbours outside are is the caller's business: it hands in the words left and right.
// Source     J. H. Conway's rule; carry-save counting of cells is folklore, the count of 8 LOP3 that of Binary-Banter,
//            "fast-game-of-life", 2023.
#pragma once

#include <stdint.h>

// gpumexk_life_game and the sizes of layouts are of kernels.h, which a .cu includes before this.

// ---- constants ------------------------------------------------------------------------------------------------------

// What lies outside the board: the numbers of gpumex_life_boundary. One more is refused until is_boundary, which is the last to be
// changed, knows it. It has its code in cluster.cu by window.cuh and plan.cuh, in registers.cu and texture.cu by edges.cuh and
// register_tile.cuh, in shmem.cu, and that of tiles which exchange halos in resident.cu and joined.cu.
enum Boundary { CLAMP, DEAD, TORUS };

// ---- device helpers -------------------------------------------------------------------------------------------------

template <unsigned TABLE>
__device__ __forceinline__ uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t d;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(TABLE));
    return d;
}

__device__ __forceinline__ uint32_t xor3(uint32_t a, uint32_t b, uint32_t c) { return lop3<0x96>(a, b, c); }
__device__ __forceinline__ uint32_t majority(uint32_t a, uint32_t b, uint32_t c) { return lop3<0xE8>(a, b, c); }
__device__ __forceinline__ uint32_t merge(uint32_t mask, uint32_t a, uint32_t b) { return lop3<0xCA>(mask, a, b); }

// How many of a cell, its left and its right neighbour live: ones + 2·twos.
struct RowSum {
    uint32_t ones, twos;
};

__device__ __forceinline__ RowSum row_sum(uint32_t left, uint32_t centre, uint32_t right) {
    return {xor3(left, centre, right), majority(left, centre, right)};
}

// ---- rules ----------------------------------------------------------------------------------------------------------

// B3/S23.
struct Conway {
    __device__ __forceinline__ uint32_t next(RowSum above, RowSum, RowSum below, uint32_t left, uint32_t centre, uint32_t right) const {
        const uint32_t ones = xor3(above.ones, left, right);
        const uint32_t twos = majority(above.ones, left, right);
        const uint32_t a = lop3<0x3E>(below.ones, ones, centre);
        const uint32_t b = lop3<0x5B>(a, centre, twos);
        const uint32_t c = lop3<0x91>(b, below.twos, above.twos);
        return lop3<0x58>(c, a, b);
    }
};

// Any outer-totalistic rule: for each number of neighbours all ones or zero.
struct AnyRule {
    uint32_t birth[9], survival[9];

    __device__ __forceinline__ uint32_t next(RowSum above, RowSum same, RowSum below, uint32_t, uint32_t centre, uint32_t) const {
        // The number of live cells of the nine, n = n0 + 2·n1 + 4·n2 + 8·n3.
        const uint32_t n0 = xor3(above.ones, same.ones, below.ones);
        const uint32_t carry = majority(above.ones, same.ones, below.ones);
        const uint32_t twos = xor3(above.twos, same.twos, below.twos);
        const uint32_t fours = majority(above.twos, same.twos, below.twos);
        const uint32_t n1 = twos ^ carry;
        const uint32_t n2 = fours ^ (twos & carry);
        const uint32_t n3 = fours & twos & carry;
        // A live cell counts itself: its neighbours are n - 1.
        auto of = [&](int n) { return merge(centre, n > 0 ? survival[n > 0 ? n - 1 : 0] : 0, n < 9 ? birth[n < 9 ? n : 0] : 0); };
        auto pair = [&](int n) { return merge(n0, of(n + 1), of(n)); };
        auto four = [&](int n) { return merge(n1, pair(n + 2), pair(n)); };
        return merge(n3, pair(8), merge(n2, four(4), four(0)));
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline bool is_boundary(int number) { return number == CLAMP || number == DEAD || number == TORUS; }

inline bool is_conway(const gpumexk_life_game &game) { return game.birth == 1 << 3 && game.survival == (1 << 2 | 1 << 3); }

inline AnyRule any_rule(const gpumexk_life_game &game) {
    AnyRule rule;
    for (int k = 0; k < 9; ++k) {
        rule.birth[k] = 0u - (game.birth >> k & 1);
        rule.survival[k] = 0u - (game.survival >> k & 1);
    }
    return rule;
}
