/// @file
/// @brief gpumex::error, which every failing call throws.
#pragma once

#include <gpumex/enums.hpp>

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace gpumex {

/// A call that failed: its status, and the message of gpumex_last_error().
class error : public std::runtime_error {
public:
    /// The failure of the last call of the C interface on this thread.
    explicit error(gpumex::status code) : std::runtime_error(gpumex_last_error()), code_(code) {}
    error(gpumex::status code, const std::string &sentence) : std::runtime_error(sentence), code_(code) {}

    gpumex::status code() const noexcept { return code_; }

private:
    gpumex::status code_;
};

/// What a status means, in a few words. Static text.
inline const char *status_string(gpumex::status code) noexcept {
    return gpumex_status_string(static_cast<std::int32_t>(code));
}

/// @cond
namespace detail {

/// The number that the C interface takes for an enumerator.
template <class Enum> constexpr std::int32_t number(Enum value) noexcept { return static_cast<std::int32_t>(value); }

/// An exception of a callback waits here, on the thread of the call, until the call has returned.
inline thread_local bool has_thrown = false;

inline std::exception_ptr &thrown() noexcept {
    thread_local std::exception_ptr exception;
    return exception;
}

inline void keep_exception() noexcept {
    if (has_thrown) return;
    thrown() = std::current_exception();
    has_thrown = true;
}

inline void drop_exception() noexcept {
    has_thrown = false;
    thrown() = nullptr;
}

[[noreturn]] inline void fail(std::int32_t code) {
    if (has_thrown) {
        has_thrown = false;
        std::rethrow_exception(std::exchange(thrown(), nullptr));
    }
    throw error(static_cast<gpumex::status>(code));
}

inline void check(std::int32_t code) {
    if (code != GPUMEX_STATUS_OK || has_thrown) fail(code);
}

/// The result of a function that returns NULL after an error.
template <class T> T *check_pointer(T *pointer) {
    if (pointer == nullptr) fail(gpumex_last_status());
    return pointer;
}

[[noreturn]] inline void refuse(const char *operation, const std::string &sentence) {
    throw error(gpumex::status::invalid_argument, std::string("gpumex::") + operation + ": " + sentence);
}

[[noreturn]] inline void refuse_length(const char *operation, const char *name, std::size_t has, const char *rule,
                                       std::size_t wanted) {
    refuse(operation, std::string(name) + " has " + std::to_string(has) + " elements, and " + rule + ' ' +
                          std::to_string(wanted) + (wanted == 1 ? " is" : " are") + " needed");
}

/// An input that another array gives its length.
inline void require_equal(const char *operation, const char *name, std::size_t has, std::size_t wanted) {
    if (has != wanted) refuse_length(operation, name, has, "exactly", wanted);
}

/// An output may be longer than the result.
inline void require_room(const char *operation, const char *name, std::size_t has, std::size_t wanted) {
    if (has < wanted) refuse_length(operation, name, has, "at least", wanted);
}

inline constexpr std::size_t too_many = static_cast<std::size_t>(-1);

/// a*b, or too_many.
constexpr std::size_t product(std::size_t a, std::size_t b) noexcept {
    return b != 0 && a > too_many / b ? too_many : a * b;
}

/// a + b, or too_many.
constexpr std::size_t sum(std::size_t a, std::size_t b) noexcept { return a > too_many - b ? too_many : a + b; }

} // namespace detail
/// @endcond

} // namespace gpumex
