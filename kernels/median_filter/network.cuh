// network.cuh — medians of 9, 25 and 49 elements in registers, of rows that are sorted.
//
// Algorithm  3 × 3: of three sorted rows the largest of the smallest, the median of the middle ones and the smallest of the largest, and of
//            these the median. 5 × 5 and 7 × 7: the columns of the sorted rows are sorted, too; then (r + 1)(c + 1) - 1 elements are not
//            larger than that of row r and column c, and (N - r)(N - c) - 1 not smaller. Elements of which either is more than half of
//            all go, as many small ones as large ones, and the median is that of the other 13 or 29: the smallest and the largest of the
//            first 8 or 16 are dropped, of these and the next element those of 7 or 15, and so on.
// Cost       Minima and maxima, with sorted rows: 9 of 3 × 3, about 120 of 5 × 5, 560 of 7 × 7.
// Source     D. Knuth, "The Art of Computer Programming", volume 3, §5.3.4; A. Paeth, "Median finding on a 3 × 3 grid", Graphics Gems 1990
//            (dropping extremes); the network of 7: B. Dobbelaere, "List of sorting networks" (16 comparisons, the fewest).
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
__device__ __forceinline__ void sort_row(Key (&row)[5]) {
    exchange(row[0], row[1]);
    exchange(row[3], row[4]);
    exchange(row[2], row[4]);
    exchange(row[2], row[3]);
    exchange(row[1], row[4]);
    exchange(row[0], row[3]);
    exchange(row[0], row[2]);
    exchange(row[1], row[3]);
    exchange(row[1], row[2]);
}

template <typename Key>
__device__ __forceinline__ void sort_row(Key (&row)[7]) {
    exchange(row[0], row[6]);
    exchange(row[2], row[3]);
    exchange(row[4], row[5]);
    exchange(row[0], row[2]);
    exchange(row[1], row[4]);
    exchange(row[3], row[6]);
    exchange(row[0], row[1]);
    exchange(row[2], row[5]);
    exchange(row[3], row[4]);
    exchange(row[1], row[2]);
    exchange(row[4], row[6]);
    exchange(row[2], row[3]);
    exchange(row[4], row[5]);
    exchange(row[1], row[2]);
    exchange(row[3], row[4]);
    exchange(row[5], row[6]);
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

// Whether that element of sorted rows and columns may be the median.
template <int N>
__host__ __device__ constexpr bool is_middle(int r, int c) {
    return (r + 1) * (c + 1) <= N * N / 2 + 1 && (N - r) * (N - c) <= N * N / 2 + 1;
}

template <int N>
__host__ __device__ constexpr int count_middle() {
    int count = 0;
    for (int r = 0; r < N; ++r) {
        for (int c = 0; c < N; ++c) count += is_middle<N>(r, c);
    }
    return count;
}

template <int N, typename Key>
__device__ __forceinline__ Key median_of_rows(const Key (&rows)[N][N]) {
    constexpr int COUNT = count_middle<N>(), FIRST = (COUNT + 3) / 2;
    Key rest[COUNT], columns[N][N];
#pragma unroll
    for (int c = 0; c < N; ++c) {
#pragma unroll
        for (int r = 0; r < N; ++r) columns[c][r] = rows[r][c];
        sort_row(columns[c]);
    }
    int count = 0;
#pragma unroll
    for (int r = 0; r < N; ++r) {
#pragma unroll
        for (int c = 0; c < N; ++c) {
            if (is_middle<N>(r, c)) rest[count++] = columns[c][r];
        }
    }
    return median_of_rest<FIRST>(rest, rest + FIRST);
}
