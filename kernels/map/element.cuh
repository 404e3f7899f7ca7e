// element.cuh — elements of the 13 dtypes as words of the type in which they are computed, a group at a time.
//
// Algorithm  A whole dense group is one load or store of up to 16 bytes. Groups of bytes that begin anywhere are made of two aligned
//            words of 32 bits, each of which has a byte of the group. Else elements are loaded one by one, the last one again in
//            the place of those behind it.
//            The part of a complex number is an element that lies beside another one: a group of them is two loads of 16 bytes, of
//            which half is used; the other part's loads find them in the first-level cache.
// Edges      BOOL: any byte but 0 is 1.
#pragma once

#include <string.h>

#include "prim/thread/half.cuh"
#include "map/place.cuh"
#include "map/words.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// gpumex_dtype - 1, and the parts of complex numbers as they are loaded; of a result the first one of each pair means both.
enum MapDtype {
    MAP_F32, MAP_F64, MAP_F16, MAP_BF16, MAP_I8, MAP_I16, MAP_I32, MAP_I64, MAP_U8, MAP_U16, MAP_U32, MAP_U64, MAP_BOOL,
    MAP_C64_REAL, MAP_C64_IMAG, MAP_C128_REAL, MAP_C128_IMAG
};

__host__ __device__ constexpr bool is_map_part(int dtype) { return dtype >= MAP_C64_REAL; }

__host__ __device__ constexpr size_t map_dtype_bytes(int dtype) {
    return dtype == MAP_I8 || dtype == MAP_U8 || dtype == MAP_BOOL                                ? 1
           : dtype == MAP_I16 || dtype == MAP_U16 || dtype == MAP_F16 || dtype == MAP_BF16        ? 2
           : dtype == MAP_F64 || dtype == MAP_I64 || dtype == MAP_U64                             ? 8
           : dtype == MAP_C64_REAL || dtype == MAP_C64_IMAG                                       ? 8
           : dtype == MAP_C128_REAL || dtype == MAP_C128_IMAG                                     ? 16
                                                                                                  : 4;
}

// The type in which elements are computed.
__host__ __device__ constexpr int map_type_of(int dtype) {
    return dtype == MAP_F32 || dtype == MAP_F16 || dtype == MAP_BF16     ? TYPE_F32
           : dtype == MAP_C64_REAL || dtype == MAP_C64_IMAG             ? TYPE_F32
           : dtype == MAP_C128_REAL || dtype == MAP_C128_IMAG           ? TYPE_F64
           : dtype == MAP_F64                                       ? TYPE_F64
           : dtype == MAP_U64                                       ? TYPE_U64
           : dtype == MAP_I64 || dtype == MAP_U32                   ? TYPE_I64
                                                                    : TYPE_I32;
}

// ---- device helpers -------------------------------------------------------------------------------------------------

template <size_t BYTES>
using MapBits = std::conditional_t<
    BYTES == 1, uint8_t,
    std::conditional_t<BYTES == 2, uint16_t, std::conditional_t<BYTES == 4, uint32_t, std::conditional_t<BYTES == 8, uint2, uint4>>>>;

template <int DTYPE>
struct MapElement {
    static constexpr size_t BYTES = map_dtype_bytes(DTYPE);
    static constexpr int TYPE = map_type_of(DTYPE);
    using Number = MapNumber<TYPE>;
    using Bits = std::conditional_t<BYTES == 8, unsigned long long, MapBits<BYTES>>;

    static __device__ __forceinline__ Number number(Bits bits) {
        if constexpr (DTYPE == MAP_F16) return from_f16(bits);
        else if constexpr (DTYPE == MAP_BF16) return from_bf16(bits);
        else if constexpr (DTYPE == MAP_BOOL) return bits != 0;
        else if constexpr (DTYPE == MAP_I8) return static_cast<int8_t>(bits);
        else if constexpr (DTYPE == MAP_I16) return static_cast<int16_t>(bits);
        else if constexpr (DTYPE == MAP_U32) return static_cast<uint32_t>(bits);
        else return number_of<Number>(bits);
    }

    static __device__ __forceinline__ Bits bits(Number number) {
        if constexpr (DTYPE == MAP_F16) return to_f16(number);
        else if constexpr (DTYPE == MAP_BF16) return to_bf16(number);
        else return static_cast<Bits>(word_of<unsigned long long>(number));
    }
};

template <int DTYPE, typename Word>
__device__ __forceinline__ Word word_of_element(const void *data, size_t i) {
    using Element = MapElement<DTYPE>;
    return word_of<Word>(Element::number(__ldg(static_cast<const typename Element::Bits *>(data) + i)));
}

// The bits of a part of a complex number.
template <int DTYPE>
using MapPart = std::conditional_t<map_type_of(DTYPE) == TYPE_F32, unsigned, unsigned long long>;

// Which part it is.
template <int DTYPE>
constexpr int MAP_PART = (DTYPE - MAP_C64_REAL) % 2;

template <int DTYPE, typename Word>
__device__ __forceinline__ Word word_of_part(MapPart<DTYPE> bits) {
    using Number = MapNumber<map_type_of(DTYPE)>;
    return word_of<Word>(number_of<Number>(bits));
}

template <int DTYPE, typename Word>
__device__ __forceinline__ Word word_at(const void *data, size_t i) {
    if constexpr (is_map_part(DTYPE)) return word_of_part<DTYPE, Word>(__ldg(static_cast<const MapPart<DTYPE> *>(data) + (2 * i + MAP_PART<DTYPE>)));
    else return word_of_element<DTYPE, Word>(data, i);
}

// A group as it is in memory.
template <int DTYPE, int LENGTH>
using MapPacket = MapBits<MapElement<DTYPE>::BYTES * LENGTH>;

template <int DTYPE, int LENGTH, typename Word>
__device__ __forceinline__ void unpack(MapPacket<DTYPE, LENGTH> packet, Word *words) {
    typename MapElement<DTYPE>::Bits bits[LENGTH];
    memcpy(bits, &packet, sizeof(packet));
#pragma unroll
    for (int j = 0; j < LENGTH; ++j) words[j] = word_of<Word>(MapElement<DTYPE>::number(bits[j]));
}

template <int DTYPE, int LENGTH, typename Word>
__device__ __forceinline__ MapPacket<DTYPE, LENGTH> pack(const Word *words) {
    typename MapElement<DTYPE>::Bits bits[LENGTH];
    MapPacket<DTYPE, LENGTH> packet;
#pragma unroll
    for (int j = 0; j < LENGTH; ++j) bits[j] = MapElement<DTYPE>::bits(number_of<typename MapElement<DTYPE>::Number>(words[j]));
    memcpy(&packet, bits, sizeof(packet));
    return packet;
}

// A group of parts; the numbers that they are of are aligned to 16 bytes.
template <int DTYPE, int LENGTH, typename Word>
__device__ __forceinline__ void load_parts(const void *data, size_t offset, Word *words) {
    constexpr int NUMBERS = 16 / map_dtype_bytes(DTYPE);           // of a load
    const uint4 *const from = static_cast<const uint4 *>(data) + offset / NUMBERS;
#pragma unroll
    for (int j = 0; j < LENGTH; j += NUMBERS) {
        const uint4 packet = __ldg(from + j / NUMBERS);
        MapPart<DTYPE> parts[2 * NUMBERS];
        memcpy(parts, &packet, sizeof(packet));
#pragma unroll
        for (int e = 0; e < NUMBERS; ++e) words[j + e] = word_of_part<DTYPE, Word>(parts[2 * e + MAP_PART<DTYPE>]);
    }
}

// The group of LENGTH elements from `offset` on, which is a multiple of LENGTH.
template <int DTYPE, int LENGTH, typename Word>
__device__ __forceinline__ void load_packet(const void *data, size_t offset, Word *words) {
    if constexpr (is_map_part(DTYPE)) load_parts<DTYPE, LENGTH>(data, offset, words);
    else unpack<DTYPE, LENGTH>(__ldg(static_cast<const MapPacket<DTYPE, LENGTH> *>(data) + offset / LENGTH), words);
}

template <int DTYPE, int LENGTH, typename Word>
__device__ __forceinline__ void load_shifted(const void *data, size_t offset, Word *words) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(data) + offset;
    const unsigned low = __ldg(reinterpret_cast<const unsigned *>(address & ~uintptr_t(3)));
    const unsigned high = __ldg(reinterpret_cast<const unsigned *>((address + 3) & ~uintptr_t(3)));
    unpack<DTYPE, LENGTH>(__funnelshift_r(low, high, 8 * unsigned(address & 3)), words);
}

template <int DTYPE, int LENGTH, typename Word>
__device__ __forceinline__ void load_elements(const void *data, unsigned stride, MapSpot spot, Word *words) {
    const unsigned last = spot.last < 0 ? 0 : unsigned(spot.last);
#pragma unroll
    for (int j = 0; j < LENGTH; ++j) words[j] = word_at<DTYPE, Word>(data, size_t(spot.offset) + min(unsigned(j), last) * size_t(stride));
}

template <int DTYPE, int LENGTH, typename Word>
__device__ __forceinline__ void store_elements(void *data, unsigned stride, MapSpot spot, const Word *words) {
    using Element = MapElement<DTYPE>;
#pragma unroll
    for (int j = 0; j < LENGTH; ++j) {
        if (j > spot.last) continue;
        const auto number = number_of<typename Element::Number>(words[j]);
        static_cast<typename Element::Bits *>(data)[size_t(spot.offset) + j * size_t(stride)] = Element::bits(number);
    }
}
