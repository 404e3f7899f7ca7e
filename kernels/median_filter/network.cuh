// network.cuh — medians of 9 and 25 elements in registers, of rows that are sorted.
//
// Algorithm  3 × 3: of three sorted rows the largest of the smallest, the median of the middle ones and the smallest of the largest, and of
//            these the median. 5 × 5: the columns of the sorted rows are sorted, too; then six elements have 13 others that are not larger,
//            and six 13 that are not smaller: the median is that of the other 13, of which the smallest and the largest of eight are
//            dropped, of these and the next element those of seven, and so on.
// Cost       3 sorted rows of 3: 9 minima and maxima; 5 sorted rows of 5: about 120.
// Source     D. Knuth, "The Art of Computer Programming", volume 3, §5.3.4; A. Paeth, "Median finding on a 3 × 3 grid", Graphics Gems 1990
//            (dropping extremes).
#pragma once

#include <stdint.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Key>
__device__ __forceinline__ void exchange(Key &a, Key &b) {
    const Key low = a < b ? a : b, high = a < b ? b : a;
    a = low, b = high;
}

template <typename Key>
__device__ __forceinline__ Key median3(Key a, Key b, Key c) {
    exchange(a, b);
    exchange(b, c);
    exchange(a, b);
    return b;
}

template <typename Key>
__device__ __forceinline__ void sort_row(Key (&row)[3]) {
    exchange(row[0], row[1]);
    exchange(row[1], row[2]);
    exchange(row[0], row[1]);
}

// Nine comparisons, of which there are no fewer.
template <typename Key>
__device__ __forceinline__ void sort5(Key &a, Key &b, Key &c, Key &d, Key &e) {
    exchange(a, b);
    exchange(d, e);
    exchange(c, e);
    exchange(c, d);
    exchange(b, e);
    exchange(a, d);
    exchange(a, c);
    exchange(b, d);
    exchange(b, c);
}

template <typename Key>
__device__ __forceinline__ void sort_row(Key (&row)[5]) {
    sort5(row[0], row[1], row[2], row[3], row[4]);
}

// The smallest of the first N elements goes to the front, the largest one behind the others.
template <int N, typename Key>
__device__ __forceinline__ void extremes(Key *elements) {
#pragma unroll
    for (int i = 0; i < N / 2; ++i) exchange(elements[i], elements[N - 1 - i]);
#pragma unroll
    for (int i = 1; i < (N + 1) / 2; ++i) exchange(elements[0], elements[i]);
#pragma unroll
    for (int i = N / 2; i < N - 1; ++i) exchange(elements[i], elements[N - 1]);
}

// The median of N + 2k elements: of the first N, of which the extremes are dropped, and the k elements behind them, k = N - 3.
template <int N, typename Key>
__device__ __forceinline__ Key median_of_rest(Key *elements, const Key *next) {
    if constexpr (N == 3) {
        return median3(elements[0], elements[1], elements[2]);
    } else {
        extremes<N>(elements);
        elements[N - 1] = *next;                                   // in the place of the largest
        return median_of_rest<N - 1>(elements + 1, next + 1);      // without the smallest
    }
}

template <typename Key>
__device__ __forceinline__ Key median_of_rows(const Key (&rows)[3][3]) {
    const Key low = max(max(rows[0][0], rows[1][0]), rows[2][0]), high = min(min(rows[0][2], rows[1][2]), rows[2][2]);
    return median3(low, median3(rows[0][1], rows[1][1], rows[2][1]), high);
}

template <typename Key>
__device__ __forceinline__ Key median_of_rows(const Key (&rows)[5][5]) {
    Key e[5][5];
#pragma unroll
    for (int c = 0; c < 5; ++c) {
#pragma unroll
        for (int r = 0; r < 5; ++r) e[r][c] = rows[r][c];
        sort5(e[0][c], e[1][c], e[2][c], e[3][c], e[4][c]);
    }
    Key rest[13] = {e[0][3], e[0][4], e[1][2], e[1][3], e[1][4], e[2][1], e[2][2], e[2][3], e[3][0], e[3][1], e[3][2], e[4][0], e[4][1]};
    return median_of_rest<8>(rest, rest + 8);
}
