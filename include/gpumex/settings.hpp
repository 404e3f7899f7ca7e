/// @file
/// @brief Version, settings of the process, and its log.
#pragma once

#include <gpumex/error.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace gpumex {

/// The version of the library; GPUMEX_VERSION is that of the header.
inline const char *version() noexcept { return gpumex_version(); }

/// How the library was built.
inline const char *build_info() noexcept { return gpumex_build_info(); }

/// Overrides a setting of the environment - "backend", "device", "num_threads", "log" - before the first call that
/// needs a context; status::busy after it.
inline void configure(const char *key, const char *value) { detail::check(gpumex_configure(key, value)); }

/// @cond
namespace detail {

using log_function = std::function<void(gpumex::log_level, std::string_view)>;

/// The receiver of the log of the process; the library drops it before the process does.
struct log_receiver {
    std::mutex lock;
    std::unique_ptr<log_function> callable;
    ~log_receiver() { gpumex_set_log_callback(nullptr, nullptr); }
};

inline log_receiver &log() {
    static log_receiver receiver;
    return receiver;
}

inline void on_log(void *user, std::int32_t level, const char *message) noexcept {
    try {
        (*static_cast<log_function *>(user))(static_cast<gpumex::log_level>(level), message);
    } catch (...) { // the log must not end a call
    }
}

inline void receive_log(std::unique_ptr<log_function> next) {
    const std::lock_guard<std::mutex> guard(log().lock);
    check(gpumex_set_log_callback(next ? on_log : nullptr, next.get()));
    log().callable.swap(next);
}

} // namespace detail
/// @endcond

/// Sends the log of the process to a callable (gpumex::log_level, std::string_view) instead of stderr. It is called
/// from any thread, one at a time, and must not call the library; its exceptions are dropped. The level is the setting
/// "log".
template <class F> void set_log_callback(F &&callable) {
    detail::receive_log(std::make_unique<detail::log_function>(std::forward<F>(callable)));
}

/// Sends the log to stderr again.
inline void reset_log_callback() { detail::receive_log(nullptr); }

} // namespace gpumex
