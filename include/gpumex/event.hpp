/// @file
/// @brief Events: marks in the work of a context, for which other contexts and threads wait. See gpumex_event_create.
#pragma once

#include <gpumex/context.hpp>

namespace gpumex {

/// Owns an event. Movable; it may outlive its context. Recorded by context_base::record.
class event {
public:
    explicit event(context_ref ctx) { detail::check(gpumex_event_create(ctx.get(), &handle_)); }

    event(event &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    event &operator=(event &&other) noexcept {
        if (this != &other) {
            gpumex_event_destroy(handle_);
            handle_ = std::exchange(other.handle_, nullptr);
        }
        return *this;
    }
    ~event() { gpumex_event_destroy(handle_); }

    gpumex_event *get() const noexcept { return handle_; }

    /// Whether the work before it is done, without waiting.
    bool is_done() const {
        std::int32_t done = 0;
        detail::check(gpumex_event_query(handle_, &done));
        return done != 0;
    }

    /// Waits until the work before it is done.
    void synchronize() const { detail::check(gpumex_event_synchronize(handle_)); }

private:
    gpumex_event *handle_ = nullptr;
};

/// The time between two events of one device in ms; waits for both.
inline double elapsed_ms(const event &start, const event &end) {
    double ms = 0;
    detail::check(gpumex_event_elapsed_ms(start.get(), end.get(), &ms));
    return ms;
}

inline void context_base::record(event &mark) const { detail::check(gpumex_event_record(handle_, mark.get())); }
inline void context_base::wait(event &mark) const { detail::check(gpumex_event_wait(handle_, mark.get())); }

} // namespace gpumex
