/* library.h - the C library as the value type uses it: the context, memory that frees itself, statuses as errors. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#define GPUMEX_NO_PLAIN_NAMES
#include "gpumex.h"

namespace gpuarrays {

/* The context in which everything runs: the library's default one, until gpuDevice chooses another. */
gpumex_context *context();

/* Makes a context of a backend (and device, -1: any) the one in which everything runs. */
void choose_context(int32_t backend, int32_t device);

/* Raises the error of a status other than 0, in the name of a function. */
void check(int32_t status, const char *function);

/* The error gpumex:gpuArray:REASON with a text of printf's form. */
[[noreturn]] void fail(const char *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A block of device memory; on the CPU backend, of host memory. */
class block {
public:
    explicit block(std::size_t bytes);
    ~block();
    block(const block &) = delete;
    block &operator=(const block &) = delete;

    void *data() const { return start; }

private:
    void *start = nullptr;
};

using memory = std::shared_ptr<block>;

/* NULL for an empty block. */
memory allocate(std::size_t bytes);

inline void *data_of(const memory &m)
{
    return m ? m->data() : nullptr;
}

void copy(void *to, const void *from, std::size_t bytes, const char *function);

} // namespace gpuarrays
