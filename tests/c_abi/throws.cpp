// throws.cpp CALLBACK - an exception that leaves a callback ends the process, through std::terminate or abort: it does not unwind through
// the library, whose contexts would stay entered.
#include <gpumex.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int32_t progress(void *, uint64_t, uint64_t) { throw 7; }
static int32_t write_text(void *, const char *, size_t) { throw 7; }
static int32_t allocate(void *, size_t, void *, void **) { throw 7; }
static void release(void *, void *, size_t, void *) {}
static void log_line(void *, int32_t, const char *) { throw 7; }

int main(int argc, char **argv) {
    const char *const which = argc > 1 ? argv[1] : "";
    uint8_t cells[64] = {0};
    void *memory = nullptr;
    if (gpumex_configure("log", "error") != 0 || gpumex_configure("backend", "cpu") != 0) return 2;
    gpumex_context *const ctx = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    try {
        if (std::strcmp(which, "progress") == 0) {
            if (gpumex_context_set_progress(ctx, progress, nullptr) == 0) (void)!gpumex_life(ctx, nullptr, cells, 8, 8, 5, cells);
        } else if (std::strcmp(which, "write") == 0) {
            (void)!gpumex_print_to(ctx, GPUMEX_DTYPE_U8, cells, 64, "%u", 8, write_text, nullptr);
        } else if (std::strcmp(which, "allocate") == 0) {
            if (gpumex_allocator_custom(ctx, allocate, release, nullptr) == 0) (void)!gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, 1000, &memory);
        } else if (std::strcmp(which, "log") == 0) {
            gpumex_set_log_callback(log_line, nullptr);
            gpumex_context_destroy(reinterpret_cast<gpumex_context *>(cells));
        }
    } catch (...) {
        std::puts("caught");
    }
    std::puts("went on");
    return 0;
}
