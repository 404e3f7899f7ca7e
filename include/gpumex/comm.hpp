/// @file
/// @brief Communicators: gpumex::comm owns one, gpumex::comm_ref refers to one. See gpumex_comm_create.
///
/// The operations on several ranks have the names of those on one, with a communicator in the place of the context:
/// `gpumex::sort(comm, keys, ...)` is gpumex_comm_sort. All ranks call them, each with its part.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpumex {

/// As gpumex_comm_options.
struct comm_options {
    std::int32_t timeout_ms = 0; ///< The longest that a call waits for the others in one step, in ms; 0: 300000.
    std::int32_t life_halo = 0;  ///< Rows that life exchanges at once; 0: by cost.
};

/// Bytes to one other rank and from it, as gpumex_message.
using message = gpumex_message;

/// What the ranks of gpumex::comm::over_nccl have in common, as gpumex_comm_unique_id makes it: 128 bytes.
using comm_id = std::array<unsigned char, 128>;

/// An id for a new group of ranks that NCCL connects: one rank makes it and hands it to the others.
inline comm_id comm_unique_id() {
    comm_id id{};
    detail::check(gpumex_comm_unique_id(id.data(), id.size()));
    return id;
}

/// @cond
namespace detail {

/// What comm_poll throws: its status goes to the call that waits, which throws it with the message of the library.
class wait_ended : public error {
    using error::error;
};

} // namespace detail
/// @endcond

/// Throws gpumex::error where the communicator call of this thread must end: status::timeout, peer or
/// cancelled. A transport calls it every few milliseconds while it waits, and lets the exception pass.
inline void comm_poll() {
    const std::int32_t status = gpumex_comm_poll();
    if (status != GPUMEX_STATUS_OK) throw detail::wait_ended(static_cast<gpumex::status>(status));
}

/// How bytes cross between ranks, see gpumex_exchange_callback and gpumex_allgather_callback.
///
/// Both functions run on the thread that is in a call of the communicator, and use neither it nor its context. An
/// exception is the end of the communicator; the call throws it again.
class transport {
public:
    /// Sends and receives all messages, at most one for each other rank, in ascending order of peer.
    virtual void exchange(view<const message> messages) = 0;

    /// all <- the `bytes` bytes at `own` of rank 0, of rank 1 and so on, this rank's own among them.
    virtual void allgather(const void *own, void *all, std::size_t bytes) = 0;

protected:
    ~transport() = default;
};

/// @cond
namespace detail {

/// A transport's step; an exception waits until the call has returned.
template <class F> std::int32_t transported(F &&step) noexcept {
    try {
        step();
        return GPUMEX_STATUS_OK;
    } catch (const wait_ended &ended) {
        return number(ended.code());
    } catch (...) {
        keep_exception();
        return GPUMEX_STATUS_PEER;
    }
}

inline std::int32_t on_exchange(void *user, const gpumex_message *messages, std::size_t count) noexcept {
    return transported([&] { static_cast<transport *>(user)->exchange({messages, count}); });
}

inline std::int32_t on_allgather(void *user, const void *own, void *all, std::size_t bytes) noexcept {
    return transported([&] { static_cast<transport *>(user)->allgather(own, all, bytes); });
}

/// A transport of two callables.
template <class Exchange, class Allgather> class callables final : public transport {
public:
    callables(Exchange exchange, Allgather allgather) : exchange_(std::move(exchange)), allgather_(std::move(allgather)) {}
    void exchange(view<const message> messages) override { exchange_(messages); }
    void allgather(const void *own, void *all, std::size_t bytes) override { allgather_(own, all, bytes); }

private:
    Exchange exchange_;
    Allgather allgather_;
};

} // namespace detail
/// @endcond

/// What gpumex::comm and gpumex::comm_ref have in common. Every member throws gpumex::error.
class comm_base {
public:
    /// The handle of the C interface; NULL of a communicator that was moved from, which every call refuses.
    gpumex_comm *get() const noexcept { return handle_; }

    /// This rank, from 0.
    std::int32_t rank() const { return info().rank; }

    /// Number of ranks.
    std::int32_t ranks() const { return info().ranks; }

    /// Whether it can be used: no failure and no abort() has ended it.
    bool is_alive() const { return info().alive != 0; }

    /// Ends its use: the call that runs in it throws status::peer, and so does each later one. From any thread.
    void abort() const { detail::check(gpumex_comm_abort(handle_)); }

protected:
    explicit comm_base(gpumex_comm *handle) noexcept : handle_(handle) {}
    comm_base(const comm_base &) = default;
    comm_base &operator=(const comm_base &) = default;
    ~comm_base() = default;

    gpumex_comm_info info() const {
        gpumex_comm_info found = GPUMEX_COMM_INFO_INIT;
        detail::check(gpumex_comm_get_info(handle_, &found));
        return found;
    }

    gpumex_comm *handle_;
};

/// A communicator that somebody else owns: what every operation takes. It is made of a gpumex::comm and of a handle of the C
/// interface, such as that of gpumex_mpi.h.
class comm_ref : public comm_base {
public:
    comm_ref(const comm_base &other) noexcept : comm_base(other) {}
    comm_ref(gpumex_comm *handle) noexcept : comm_base(handle) {}
};

/// Owns the communicator of one rank, which ends before its context. Movable; one that was moved from is refused by every
/// call. Calls of one communicator come from one thread at a time; rank, ranks, is_alive and abort from any.
class comm : public comm_base {
public:
    /// Over a transport of the caller's, which outlives it; all ranks make theirs at once.
    comm(context_ref ctx, std::int32_t rank, std::int32_t ranks, transport &carrier, const comm_options &options = {})
        : comm_base(create(ctx, rank, ranks, carrier, options)) {}

    /// Over two callables, which it keeps: exchange(gpumex::view<const gpumex::message>) and
    /// allgather(const void *own, void *all, std::size_t bytes), as of gpumex::transport.
    template <class Exchange, class Allgather,
              class = std::enable_if_t<std::is_invocable_v<Exchange &, view<const message>> &&
                                       std::is_invocable_v<Allgather &, const void *, void *, std::size_t>>>
    comm(context_ref ctx, std::int32_t rank, std::int32_t ranks, Exchange exchange, Allgather allgather,
         const comm_options &options = {})
        : comm_base(nullptr) {
        auto carrier =
            std::make_shared<detail::callables<Exchange, Allgather>>(std::move(exchange), std::move(allgather));
        handle_ = create(ctx, rank, ranks, *carrier, options);
        kept_ = std::move(carrier);
    }

    /// Ranks that are threads of this process: one for each context of a range of gpumex::context or context_ref.
    template <class Contexts> static std::vector<comm> local(const Contexts &contexts, const comm_options &options = {}) {
        std::vector<gpumex_context *> handles;
        for (const context_base &ctx : contexts) handles.push_back(ctx.get());
        std::vector<gpumex_comm *> made(handles.size());
        std::vector<comm> owned;
        owned.reserve(handles.size());
        const gpumex_comm_options c = in_c(options);
        detail::check(gpumex_comm_create_local(handles.data(), handles.size(), &c, made.data()));
        for (gpumex_comm *handle : made) owned.push_back(adopt(handle));
        return owned;
    }

    /// Over NCCL: a rank a GPU, all with one id; it waits for the others.
    static comm over_nccl(context_ref ctx, const comm_id &id, std::int32_t rank, std::int32_t ranks,
                          const comm_options &options = {}) {
        const gpumex_comm_options c = in_c(options);
        gpumex_comm *made = nullptr;
        detail::check(gpumex_comm_create_nccl(ctx.get(), &c, id.data(), rank, ranks, &made));
        return adopt(made);
    }

    /// Takes over a communicator of the C interface.
    static comm adopt(gpumex_comm *handle) noexcept { return comm(handle); }

    comm(comm &&other) noexcept
        : comm_base(std::exchange(other.handle_, nullptr)), kept_(std::move(other.kept_)) {}

    comm &operator=(comm &&other) noexcept {
        if (this != &other) {
            gpumex_comm_destroy(handle_);
            handle_ = std::exchange(other.handle_, nullptr);
            kept_ = std::move(other.kept_);
        }
        return *this;
    }

    ~comm() { gpumex_comm_destroy(handle_); }

    /// Destroys it now, and throws what the destructor keeps to itself: status::busy.
    void close() {
        detail::check(gpumex_comm_destroy(handle_));
        handle_ = nullptr;
        kept_.reset();
    }

private:
    explicit comm(gpumex_comm *handle) noexcept : comm_base(handle) {}

    static gpumex_comm_options in_c(const comm_options &options) {
        gpumex_comm_options c = GPUMEX_COMM_OPTIONS_INIT;
        c.timeout_ms = options.timeout_ms;
        c.life_halo = options.life_halo;
        return c;
    }

    static gpumex_comm *create(context_ref ctx, std::int32_t rank, std::int32_t ranks, transport &carrier,
                               const comm_options &options) {
        const gpumex_comm_options c = in_c(options);
        gpumex_comm *made = nullptr;
        detail::check(gpumex_comm_create(ctx.get(), &c, rank, ranks, detail::on_exchange, detail::on_allgather, &carrier,
                                         &made));
        return made;
    }

    std::shared_ptr<void> kept_; // the callables
};

/// @cond
namespace detail {

/// A collective call. What `prepare` throws - lengths that do not fit, no memory for results - this rank throws, and the
/// others are told of: it comes to their call with a variant that no operation has.
template <class Options, class Prepare, class Call> void collective(Options c, Prepare prepare, Call call) {
    try {
        prepare();
    } catch (...) {
        c.variant = -1;
        call(c);
        drop_exception();
        throw;
    }
    check(call(c));
}

} // namespace detail
/// @endcond

} // namespace gpumex
