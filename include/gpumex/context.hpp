/// @file
/// @brief Contexts: gpumex::context owns one, gpumex::context_ref refers to one. See gpumex_context_create.
#pragma once

#include <gpumex/allocator.hpp>
#include <gpumex/callback.hpp>
#include <gpumex/error.hpp>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>

namespace gpumex {

/// The device of a context, as gpumex_device_info describes it.
using device_info = gpumex_device_info;

/// Launch parameters of a kernel: threads, values and cache, a gpumex_cache_preference.
using kernel_tuning = gpumex_kernel_tuning;

/// As gpumex_context_options.
struct context_options {
    gpumex::backend backend = gpumex::backend::auto_;
    bool on_stream = false;                                    ///< Whether it works in `stream`.
    std::int32_t threads = 0;                                  ///< Host threads; 0: the setting.
    gpumex::busy_policy busy = gpumex::busy_policy::return_;   ///< What a second thread gets.
    std::int32_t device = -1;                                  ///< CUDA ordinal; -1: the current one.
    void *stream = nullptr;                                    ///< A cudaStream_t, with on_stream.
    std::uint64_t cache_capacity = 0;                          ///< Bytes; 0: the default.
};

class event;

/// What gpumex::context and gpumex::context_ref have in common. Every member throws gpumex::error.
class context_base {
public:
    /// The handle of the C interface; NULL of a context that was moved from, which every call refuses.
    gpumex_context *get() const noexcept { return handle_; }

    /// CPU or CUDA.
    gpumex::backend backend() const {
        std::int32_t found = 0;
        detail::check(gpumex_context_backend(handle_, &found));
        return static_cast<gpumex::backend>(found);
    }

    gpumex::device_info device_info() const {
        gpumex::device_info info = GPUMEX_DEVICE_INFO_INIT;
        detail::check(gpumex_context_device_info(handle_, &info));
        return info;
    }

    /// The device as human-readable text, a few lines.
    std::string device_text() const { return detail::check_pointer(gpumex_context_device_text(handle_)); }

    /// The cudaStream_t of a CUDA context; it belongs to the context.
    void *stream() const {
        void *found = nullptr;
        detail::check(gpumex_context_stream(handle_, &found));
        return found;
    }

    /// Waits until the work is done, and throws a fault of it.
    void synchronize() const { detail::check(gpumex_context_synchronize(handle_)); }

    /// Host threads of the later operations, 1 to 4096; 0: the setting.
    void set_threads(std::int32_t threads) const { detail::check(gpumex_context_set_threads(handle_, threads)); }

    /// Cancels the call that another thread has in this context: it throws gpumex::status::cancelled.
    void cancel() const { detail::check(gpumex_context_cancel(handle_)); }

    /// Times the operations that follow, or leaves them untimed, as they are at first.
    void set_timing(bool timed = true) const { detail::check(gpumex_context_set_timing(handle_, timed ? 1 : 0)); }

    /// Kernel time of the last operation in ms; after set_timing().
    double kernel_ms() const {
        double ms = 0;
        detail::check(gpumex_context_kernel_ms(handle_, &ms));
        return ms;
    }

    void start_timer() const { detail::check(gpumex_timer_start(handle_)); }

    /// Time since start_timer() in ms; the timer keeps running.
    double stop_timer() const {
        double ms = 0;
        detail::check(gpumex_timer_stop(handle_, &ms));
        return ms;
    }

    /// items*iterations per second since start_timer().
    double throughput(std::uint64_t items, std::uint64_t iterations = 1) const {
        double per_second = 0;
        detail::check(gpumex_timer_throughput(handle_, items, iterations, &per_second));
        return per_second;
    }

    /// Caching, simple or pool; only while no memory of the context is held.
    void select_allocator(gpumex::allocator allocator) const {
        detail::check(gpumex_allocator_select(handle_, detail::number(allocator)));
    }

    /// Device memory comes from `source`, which outlives the context and its memory; while no memory is held.
    void set_allocator(memory_source &source) const {
        detail::check(gpumex_allocator_custom(handle_, detail::on_allocate, detail::on_release, &source));
    }

    /// Limits the caching allocator: bytes in use and idle, and of the largest block kept idle.
    void set_allocator_capacity(std::uint64_t capacity, std::uint64_t largest) const {
        detail::check(gpumex_allocator_set_capacity(handle_, capacity, largest));
    }

    /// Returns idle memory to the driver.
    void trim_allocator() const { detail::check(gpumex_allocator_trim(handle_)); }

    gpumex::allocator_stats allocator_stats() const {
        gpumex::allocator_stats stats = GPUMEX_ALLOCATOR_STATS_INIT;
        detail::check(gpumex_allocator_get_stats(handle_, &stats));
        return stats;
    }

    /// How a kernel is launched ("histogram_shared"); CUDA only, as the next three.
    kernel_tuning tuning(const char *kernel) const {
        kernel_tuning found = GPUMEX_KERNEL_TUNING_INIT;
        detail::check(gpumex_tuning_get(handle_, kernel, &found));
        return found;
    }

    void set_tuning(const char *kernel, const kernel_tuning &tuning) const {
        detail::check(gpumex_tuning_set(handle_, kernel, &tuning));
    }

    /// Restores the library's own tuning.
    void reset_tuning(const char *kernel) const { detail::check(gpumex_tuning_set(handle_, kernel, nullptr)); }

    /// The tunings as a human-readable table.
    std::string tuning_text() const { return detail::check_pointer(gpumex_tuning_text(handle_)); }

    /// Records an event after the work so far.
    void record(event &mark) const;

    /// Later work of this context waits for an event of any context.
    void wait(event &mark) const;

protected:
    explicit context_base(gpumex_context *handle) noexcept : handle_(handle) {}
    context_base(const context_base &) = default;
    context_base &operator=(const context_base &) = default;
    ~context_base() = default;

    gpumex_context *handle_;
};

/// A context that somebody else owns: what every operation takes. It is made of a gpumex::context, of a handle of the
/// C interface, and of {}, which is the default context.
class context_ref : public context_base {
public:
    /// The default context, which belongs to the library: calls on it take turns.
    context_ref() : context_base(detail::check_pointer(gpumex_context_default())) {}
    context_ref(const context_base &other) noexcept : context_base(other) {}
    context_ref(gpumex_context *handle) noexcept : context_base(handle) {}
};

/// Owns a context. Movable; a context that was moved from is refused by every call.
class context : public context_base {
public:
    /// CUDA where it works, else the CPU, as the settings say; device is a CUDA ordinal, -1 the current one. Short calls on
    /// memory of the host stay on the CPU, unless the backend is cuda: see gpumex_context_create.
    explicit context(gpumex::backend backend = gpumex::backend::auto_, std::int32_t device = -1)
        : context_base(detail::check_pointer(gpumex_context_create(detail::number(backend), device))) {}

    explicit context(const context_options &options) : context_base(create(options)) {}

    /// Takes over a context of the C interface.
    static context adopt(gpumex_context *handle) noexcept { return context(handle, taken()); }

    /// Works in a stream of the caller, a cudaStream_t, which outlives it.
    static context on_stream(void *cuda_stream, std::int32_t device = -1) {
        return adopt(detail::check_pointer(gpumex_context_create_on_stream(device, cuda_stream)));
    }

    /// As the command line says: `--device K`; `print` writes device_text() to the standard output.
    static context from_args(int argc, char *const *argv, bool print = false) {
        return adopt(detail::check_pointer(gpumex_context_create_from_args(argc, argv, print ? 1 : 0)));
    }

    context(context &&other) noexcept : context_base(std::exchange(other.handle_, nullptr)) {}

    context &operator=(context &&other) noexcept {
        if (this != &other) {
            gpumex_context_destroy(handle_);
            handle_ = std::exchange(other.handle_, nullptr);
        }
        return *this;
    }

    ~context() { gpumex_context_destroy(handle_); }

    /// Destroys the context now, and throws what the destructor keeps to itself: status::busy.
    void close() {
        detail::check(gpumex_context_destroy(handle_));
        handle_ = nullptr;
    }

    /// Gives up the context, which the caller destroys.
    gpumex_context *release() noexcept { return std::exchange(handle_, nullptr); }

private:
    struct taken {};
    context(gpumex_context *handle, taken) noexcept : context_base(handle) {}

    static gpumex_context *create(const context_options &options) {
        gpumex_context_options c = GPUMEX_CONTEXT_OPTIONS_INIT;
        c.backend = detail::number(options.backend);
        c.on_stream = options.on_stream ? 1 : 0;
        c.threads = options.threads;
        c.busy = detail::number(options.busy);
        c.device = &options.device;
        c.stream = options.stream;
        c.cache_capacity = options.cache_capacity;
        return detail::check_pointer(gpumex_context_create_with(&c));
    }
};

/// The context of the calls that name none: {} means the same.
inline context_ref default_context() { return context_ref(); }

/// Ends the default context; the next call that needs it creates another one.
inline void reset_default_context() { detail::check(gpumex_reset_default()); }

/// Number of CUDA devices; 0 where CUDA cannot be used.
inline std::int32_t device_count() {
    std::int32_t count = 0;
    detail::check(gpumex_device_count(&count));
    return count;
}

/// Tells a callable of the progress of life, histogram and words on a context, from here to the end of its life.
///
///     gpumex::progress watch(ctx, [](std::uint64_t done, std::uint64_t total) { return done < total / 2; });
///
/// The callable returns nothing, or bool: true to go on, false to cancel, which throws status::cancelled. An exception
/// cancels too, and is thrown again after the operation. The callable must not use the context. The destructor waits
/// for a call that another thread has in the context.
template <class F> class progress {
public:
    progress(context_ref ctx, F callable) : ctx_(ctx), callable_(std::move(callable)) {
        detail::check(gpumex_context_set_progress(ctx_.get(), detail::on_progress<F>, &callable_));
    }

    ~progress() {
        while (gpumex_context_set_progress(ctx_.get(), nullptr, nullptr) == GPUMEX_STATUS_BUSY) std::this_thread::yield();
    }

    progress(const progress &) = delete;
    progress &operator=(const progress &) = delete;

private:
    context_ref ctx_;
    F callable_;
};

} // namespace gpumex
