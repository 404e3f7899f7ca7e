// comm.cpp - several ranks, as threads of this process: every operation on parts against the same on one rank, communicators that
// move, transports of a class and of lambdas, exceptions in them, and one rank whose lengths do not fit.
#include "check.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <type_traits>

using namespace gpumex;

static_assert(!std::is_copy_constructible_v<comm> && std::is_nothrow_move_constructible_v<comm>);
static_assert(std::is_nothrow_move_assignable_v<comm> && !std::is_default_constructible_v<comm>);
static_assert(std::is_trivially_copyable_v<comm_ref> && std::is_convertible_v<const comm &, comm_ref>);
static_assert(std::is_constructible_v<comm, context_ref, int, int, transport &>);
static_assert(!std::is_constructible_v<comm, context_ref, int, int, int, int>);

/* body (rank), a thread each. */
template <class F> static void on_threads(std::size_t ranks, F body) {
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < ranks; rank++) threads.emplace_back([&body, rank] {
            try {
                body(rank);
            } catch (const std::exception &thrown) {
                std::fprintf(stderr, "rank %zu: %s\n", rank, thrown.what());
                std::exit(1);
            }
        });
    for (auto &thread : threads) thread.join();
}

/* Ranks with a context each. */
struct group {
    std::vector<context> contexts;
    std::vector<comm> comms;

    explicit group(std::size_t ranks, const comm_options &options = {}) {
        for (std::size_t rank = 0; rank < ranks; rank++) contexts.emplace_back();
        comms = comm::local(contexts, options);
    }

    /* body (context, communicator, rank), a thread each. */
    template <class F> void run(F body) {
        on_threads(comms.size(), [&](std::size_t rank) { body(contexts[rank], comms[rank], rank); });
    }

    /* Where the part of a rank of `count` elements begins: uneven, that of rank 1 of 3 and more is empty. */
    std::size_t begin(std::size_t rank, std::size_t count) const {
        if (rank == 0 || rank >= comms.size()) return rank == 0 ? 0 : count;
        return rank == 2 ? begin(1, count) : count * (2 * rank + 1) / (2 * comms.size() + 1);
    }

    template <class R> auto part(const R &all, std::size_t rank) const {
        const std::size_t from = begin(rank, all.size());
        return list<detail::element<const R>>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                              all.begin() + static_cast<std::ptrdiff_t>(begin(rank + 1, all.size())));
    }
};

static ints numbers(std::size_t count, std::int32_t below) {
    ints found(count);
    std::uint32_t seed = 7;
    for (auto &number : found) {
        seed = seed * 1664525u + 1013904223u;
        number = static_cast<std::int32_t>((seed >> 8) % static_cast<std::uint32_t>(below));
    }
    return found;
}

template <class T> static list<T> behind(const list<list<T>> &parts) {
    list<T> all;
    for (const auto &part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

static void sums(group &ranks) {
    const context one;
    const ints data = numbers(3001, 1000);
    floats x(data.begin(), data.end());
    const std::int32_t sum = reduce(one, data);
    ints prefixes(data.size());
    std::int32_t total = 0;
    scan(one, data, prefixes, &total);
    reduce_options most;
    most.op = binary_operator::max;
    u64s counts(1000), weighted_counts(10);
    histogram(one, data, counts);
    histogram_options tens;
    tens.hi = 1000;
    list<double> weighted(10);
    weighted_histogram(one, data, x, weighted, tens);

    list<ints> scanned(ranks.comms.size());
    ranks.run([&](context &ctx, comm &comm, std::size_t rank) {
        const ints mine = ranks.part(data, rank);
        const floats my_x = ranks.part(x, rank);
        EXPECT(comm.rank() == static_cast<int>(rank) && comm.ranks() == static_cast<int>(ranks.comms.size()));
        EXPECT(reduce(comm, mine) == sum && reduce<std::int64_t>(comm, array(ctx, mine)) == sum);
        EXPECT(reduce(comm, mine, most) == 999);
        array<std::int32_t> on_device(ctx, 1);
        std::int32_t on_the_host = 0;
        reduce_into(comm, mine, on_device.data(), {}, &on_the_host);
        EXPECT(on_the_host == sum && on_device.to_vector()[0] == sum);
        EXPECT(dot(comm, my_x, floats(my_x.size(), 1)) == static_cast<float>(sum));
        float product = 0;
        dot_into(comm, array(ctx, my_x), floats(my_x.size(), 2), &product);
        EXPECT(product == static_cast<float>(2 * sum));
        scanned[rank] = mine;
        std::int32_t all = 0;
        scan(comm, scanned[rank], scanned[rank], &all);
        EXPECT(all == total);
        array<std::int32_t> result(ctx, mine.size());
        scan(comm, array(ctx, mine), result);
        EXPECT(result.to_vector() == scanned[rank]);
        u64s found(1000);
        histogram(comm, array(ctx, mine), found);
        EXPECT(found == counts);
        list<double> my_weighted(10);
        weighted_histogram(comm, mine, my_x, my_weighted, tens);
        EXPECT(my_weighted == weighted); // whole numbers, exact
    });
    EXPECT(behind(scanned) == prefixes);
}

static void sorts(group &ranks) {
    const context one;
    const ints keys = numbers(2503, 200);
    list<double> values(keys.size());
    std::iota(values.begin(), values.end(), 0);
    sort_options down;
    down.order = sort_order::descending;
    const auto want = sort(one, keys, values, down);
    const u64s want_indices = sort_indices(one, keys, down);

    list<ints> sorted(ranks.comms.size()), again = sorted;
    list<list<double>> moved(sorted.size());
    list<u64s> indices(sorted.size());
    ranks.run([&](context &ctx, comm &comm, std::size_t rank) {
        const ints mine = ranks.part(keys, rank);
        auto pairs = sort(comm, mine, ranks.part(values, rank), down);
        sorted[rank] = pairs.keys;
        moved[rank] = pairs.values;
        const array device(ctx, mine, memory_kind::pinned);
        const array<std::int32_t> on_device = sort(comm, device, down);
        EXPECT(on_device.kind() == memory_kind::pinned && on_device.to_vector() == sorted[rank]);
        again[rank].resize(mine.size());
        sort_keys(comm, device, again[rank], down);
        indices[rank] = sort_indices(comm, mine, down);
        const array<std::uint32_t> narrow = sort_indices<std::uint32_t>(comm, device, down);
        EXPECT(narrow.to_vector() == u32s(indices[rank].begin(), indices[rank].end()));
    });
    EXPECT(behind(sorted) == want.keys && behind(again) == want.keys);
    EXPECT(behind(moved) == want.values && behind(indices) == want_indices);
}

static void boards_and_matrices(group &ranks) {
    const context one;
    const std::size_t rows = 41, cols = 70;
    const ints cells = numbers(rows * cols, 3);
    list<std::uint8_t> board(rows * cols), next = board;
    for (std::size_t i = 0; i < cells.size(); i++) board[i] = cells[i] == 0;
    life_options torus;
    torus.boundary = life_boundary::torus;
    life(one, board, rows, cols, 20, next, torus);
    list<std::uint8_t> got(next.size());
    ranks.run([&](context &, comm &comm, std::size_t rank) {
        const std::size_t first = ranks.begin(rank, rows), mine = ranks.begin(rank + 1, rows) - first;
        life(comm, slice(board, first * cols, mine * cols), mine, cols, 20, slice(got, first * cols, mine * cols), torus);
    });
    EXPECT(got == next);

    const std::size_t n = 9, k = 23;
    const ints digits = numbers(rows * k + k * n, 10);
    const list<double> a(digits.begin(), digits.begin() + rows * k), b(digits.begin() + rows * k, digits.end());
    list<double> c(rows * n, 1), parts = c;
    matmul_options more;
    more.beta = 2;
    matmul(one, rows, n, k, a, b, c, more);
    ranks.run([&](context &ctx, comm &comm, std::size_t rank) {
        const std::size_t first = ranks.begin(rank, rows), mine = ranks.begin(rank + 1, rows) - first;
        const std::size_t row = ranks.begin(rank, k), b_rows = ranks.begin(rank + 1, k) - row;
        const array my_b(ctx, slice(b, row * n, b_rows * n));
        matmul(comm, mine, n, b_rows, slice(a, first * k, mine * k), my_b, slice(parts, first * n, mine * n), more);
    });
    EXPECT(parts == c); // whole numbers, exact
}

static void texts(group &ranks) {
    const context one;
    std::string text;
    for (const int number : numbers(500, 40)) text += "word" + std::to_string(number) + ' ';
    const auto want = words(one, text, 10);
    ranks.run([&](context &, comm &comm, std::size_t rank) {
        const list<char> mine = ranks.part(text, rank);
        const auto found = words(comm, mine, 10);
        EXPECT(found.positions == want.positions && found.counts == want.counts && found.lengths == want.lengths);
        u64s positions(3), lengths(3), counts(3);
        const words_summary summary = words(comm, mine, positions, lengths, counts);
        EXPECT(summary.words == 500 && summary.listed == 3 && counts[0] == want.counts[0]);
        EXPECT(words(comm, mine, 1000).counts.size() == found.summary.distinct);
    });
}

/* What one rank does wrong is its own exception, the others throw PEER, and all go on. */
static void lengths_that_do_not_fit_are_told_to_all() {
    group ranks(3);
    const floats two(2), three(3);
    const auto wrong = [&](const char *sentence, auto call) {
        ranks.run([&](context &, comm &comm, std::size_t rank) {
            if (rank == 1) THROWS(invalid_argument, sentence, call(comm, false));
            else THROWS(peer, "rank 1", call(comm, true));
            EXPECT(comm.is_alive() && reduce(comm, u64s{rank}) == 3);
        });
    };
    wrong("gpumex::sort: sorted", [&](comm &comm, bool fits) { sort_keys(comm, three, floats(fits ? 3 : 2)); });
    wrong("gpumex::sort: values", [&](comm &comm, bool fits) { sort(comm, three, fits ? three : two); });
    wrong("gpumex::dot: y", [&](comm &comm, bool fits) { dot(comm, three, fits ? three : two); });
    wrong("gpumex::scan: result", [&](comm &comm, bool fits) { scan(comm, three, floats(fits ? 3 : 2)); });
    wrong("gpumex::life: board", [&](comm &comm, bool fits) {
        life(comm, list<char>(fits ? 0 : 5), 0, 5, 1, list<char>());
    });
    wrong("gpumex::matmul: a", [&](comm &comm, bool fits) { matmul(comm, 1, 1, 1, fits ? three : two, floats(1), floats(1)); });
    wrong("gpumex::matmul: b", [&](comm &comm, bool fits) { matmul(comm, 1, 2, 1, three, floats(fits ? 2 : 1), floats(2)); });
    wrong("gpumex::words: counts", [&](comm &comm, bool fits) {
        words(comm, std::string("a"), u64s(1), u64s(1), u64s(fits ? 1 : 2));
    });
    wrong("gpumex::histogram: edges", [&](comm &comm, bool fits) {
        histogram_options options;
        const list<double> edges{0, 1, 2, 3};
        options.edges = first(edges, fits ? 4 : 3);
        histogram(comm, three, u64s(3), options);
    });
    ranks.run([](context &, comm &comm, std::size_t rank) { // no memory for the results
        if (rank != 1) THROWS(peer, "rank 1", words(comm, std::string("a"), 1));
        else {
            bool has_thrown = false;
            try {
                words(comm, std::string("a"), static_cast<std::size_t>(-1) / 8);
            } catch (const std::length_error &) {
                has_thrown = true;
            } catch (const std::bad_alloc &) {
                has_thrown = true;
            }
            EXPECT(has_thrown);
        }
        EXPECT(reduce(comm, u64s{1}) == 3);
    });
    ranks.run([](context &, comm &comm, std::size_t rank) {
        THROWS(invalid_argument, "generations is", life(comm, list<char>(4), 2, 2, rank, list<char>(4)));
        if (rank == 0) THROWS(invalid_argument, "gpumex_comm_", reduce(comm, ints{1}));
        else THROWS(invalid_argument, "rank 0 is in gpumex_comm_reduce", dot(comm, floats{1}, floats{1}));
        EXPECT(comm.is_alive());
    });
}

/* Letters between ranks of this process. */
class post {
public:
    void send(int from, int to, const void *bytes, std::size_t count) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const char *begin = static_cast<const char *>(bytes);
        letters_[{from, to}].emplace_back(begin, begin + count);
        arrival_.notify_all();
    }

    void receive(int from, int to, void *bytes, std::size_t count) {
        std::unique_lock<std::mutex> lock(mutex_);
        auto &mine = letters_[{from, to}];
        while (mine.empty()) {
            arrival_.wait_for(lock, std::chrono::milliseconds(2));
            comm_poll();
        }
        if (mine.front().size() != count) throw std::runtime_error("a letter of another size");
        if (count > 0) std::memcpy(bytes, mine.front().data(), count);
        mine.pop_front();
    }

private:
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::map<std::pair<int, int>, std::deque<list<char>>> letters_;
};

struct my_error {
    int number;
};

/* A transport over a post; the step `fails_at`, from 1, throws. */
class postman final : public transport {
public:
    postman(post &office, int rank, int ranks) : office_(office), rank_(rank), ranks_(ranks) {}

    void exchange(view<const message> messages) override {
        step();
        const message *const end = messages.data() + messages.size();
        std::for_each(messages.data(), end, [&](const message &one) {
            if (one.send_bytes > 0) office_.send(rank_, one.peer, one.send, one.send_bytes);
        });
        std::for_each(messages.data(), end, [&](const message &one) {
            if (one.recv_bytes > 0) office_.receive(one.peer, rank_, one.recv, one.recv_bytes);
        });
    }

    void allgather(const void *own, void *all, std::size_t bytes) override {
        step();
        for (int to = 0; to < ranks_; to++) office_.send(rank_, to, own, bytes);
        for (int from = 0; from < ranks_; from++)
            office_.receive(from, rank_, static_cast<char *>(all) + static_cast<std::size_t>(from) * bytes, bytes);
    }

    int steps = 0, fails_at = 0;

private:
    void step() {
        if (++steps == fails_at) throw my_error{fails_at};
    }

    post &office_;
    int rank_, ranks_;
};

static void transports_carry_and_throw() {
    post office;
    const ints keys = numbers(1000, 50);
    list<ints> sorted(2);
    on_threads(2, [&](std::size_t rank) {
        const context ctx(backend::cpu);
        const int own = static_cast<int>(rank);
        postman carrier(office, own, 2);
        comm by_class(ctx, own, 2, carrier);
        EXPECT(by_class.rank() == own && by_class.ranks() == 2 && by_class.is_alive());
        const auto mine = slice(keys, 300 * rank, rank == 0 ? 300 : 700);
        sorted[rank] = sort(by_class, mine);

        comm by_lambdas( // which keeps them, and what they hold
            ctx, own, 2, [held = postman(office, own, 2)](view<const message> messages) mutable { held.exchange(messages); },
            [held = postman(office, own, 2)](const void *one, void *all, std::size_t bytes) mutable {
                held.allgather(one, all, bytes);
            });
        comm moved = std::move(by_lambdas);
        EXPECT(reduce(moved, ints{own + 1}) == 3 && by_lambdas.get() == nullptr);
        THROWS(null_pointer, "comm is NULL", reduce(by_lambdas, ints{1}));

        comm_options short_time;
        short_time.timeout_ms = 300;
        comm impatient(ctx, own, 2, carrier, short_time);
        if (rank == 0) { // alone
            const auto before = std::chrono::steady_clock::now();
            THROWS(timeout, "gpumex_comm_reduce", reduce(impatient, ints{1}));
            EXPECT(std::chrono::steady_clock::now() - before < std::chrono::seconds(10) && !impatient.is_alive());
            THROWS(peer, "dead", reduce(impatient, ints{1}));
        }
    });
    ints want = keys;
    std::sort(want.begin(), want.end());
    EXPECT(behind(sorted) == want);

    post other;
    on_threads(2, [&](std::size_t rank) {
        const context ctx(backend::cpu);
        postman carrier(other, static_cast<int>(rank), 2);
        comm_options limit;
        limit.timeout_ms = 500;
        comm fails(ctx, static_cast<int>(rank), 2, carrier, limit);
        if (rank == 1) carrier.fails_at = carrier.steps + 1;
        int caught = 0;
        try {
            reduce(fails, ints{1});
        } catch (const my_error &) {
            caught = 1;
        } catch (const error &failed) {
            caught = failed.code() == status::timeout || failed.code() == status::peer ? 2 : 3;
        }
        EXPECT(caught == (rank == 1 ? 1 : 2) && !fails.is_alive());
        THROWS(peer, "dead", reduce(fails, ints{1})); // and nothing that was thrown is left
        EXPECT(reduce(ctx, ints{1, 2}) == 3);
    });
}

static void communicators_end() {
    group ranks(2);
    ranks.run([](context &ctx, comm &comm, std::size_t rank) {
        if (rank == 1) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            comm.abort();
        } else {
            THROWS(peer, "gpumex_comm_", reduce(comm, ints{1}));
        }
        EXPECT(!comm.is_alive() || rank == 0);
        THROWS(peer, "dead", sort(comm, ints{2, 1}));
        EXPECT(sort(ctx, ints{2, 1}) == ints{1, 2});
    });
    comm first = std::move(ranks.comms[0]);
    gpumex_comm *const handle = first.get();
    first = std::move(ranks.comms[1]);
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    EXPECT(gpumex_comm_get_info(handle, &info) == GPUMEX_STATUS_INVALID_ARGUMENT);
    const comm_ref to_it = first;
    EXPECT(to_it.rank() == 1);
    first.close();
    THROWS(invalid_argument, "not a live communicator", to_it.rank());
    THROWS(null_pointer, "comm is NULL", first.abort());

    const context ctx(backend::cpu);
    const list<context_ref> twice = {ctx, ctx};
    THROWS(invalid_argument, "contexts[1] is contexts[0]", (void)comm::local(twice));
    THROWS(invalid_argument, "count is 0", (void)comm::local(list<context_ref>()));
    comm_options wrong;
    wrong.life_halo = -1;
    THROWS(invalid_argument, "life_halo", (void)comm::local(list<context_ref>{ctx}, wrong));
    const comm alone = std::move(comm::local(list<context_ref>{ctx})[0]);
    EXPECT(reduce(alone.get(), ints{1, 2}) == 3); // by a handle
    post office;
    postman carrier(office, 3, 2);
    THROWS(invalid_argument, "rank 3 of 2", comm(ctx, 3, 2, carrier).rank());
    THROWS(unsupported, "gpumex_comm_create_nccl", comm::over_nccl(ctx, comm_id{}, 0, 1).rank());
    try {
        const comm_id id = comm_unique_id();
        EXPECT(id != comm_id{});
    } catch (const error &failed) {
        EXPECT(failed.code() == status::unsupported || failed.code() == status::cuda);
    }
}

int main() {
    for (const std::size_t count : {1u, 2u, 4u}) {
        group ranks(count);
        sums(ranks);
        sorts(ranks);
        boards_and_matrices(ranks);
        texts(ranks);
    }
    lengths_that_do_not_fit_are_told_to_all();
    transports_carry_and_throw();
    communicators_end();
    std::puts("done");
    return 0;
}
