/// @file
/// @brief Statistics of allocators, and memory of the caller's own for a context.
#pragma once

#include <gpumex/error.hpp>

#include <cstddef>
#include <cstdint>

namespace gpumex {

/// Statistics of a context's allocator, as gpumex_allocator_stats describes them; allocator is a gpumex::allocator.
using allocator_stats = gpumex_allocator_stats;

/// Where the device memory of a context comes from, temporary memory included: see context_base::set_allocator.
///
/// Both functions may be called from any thread, and use neither the same nor the default context.
class memory_source {
public:
    /// `bytes` bytes of device memory, aligned to 512 bytes (CPU backend: host memory), to be used in the order of
    /// `stream`; NULL where there is none. An exception counts as NULL.
    virtual void *allocate(std::size_t bytes, void *stream) = 0;

    /// Takes back what allocate() returned; the stream may still be using it.
    virtual void release(void *memory, std::size_t bytes, void *stream) noexcept = 0;

protected:
    ~memory_source() = default;
};

/// @cond
namespace detail {

inline std::int32_t on_allocate(void *user, std::size_t bytes, void *stream, void **memory) noexcept {
    try {
        *memory = static_cast<memory_source *>(user)->allocate(bytes, stream);
    } catch (...) {
        *memory = nullptr;
    }
    return *memory == nullptr ? 1 : 0;
}

inline void on_release(void *user, void *memory, std::size_t bytes, void *stream) noexcept {
    static_cast<memory_source *>(user)->release(memory, bytes, stream);
}

} // namespace detail
/// @endcond

} // namespace gpumex
