// interface.cpp - what is not an operation: contexts, arrays and events that move, errors, lengths that do not fit, empty
// arrays, callbacks that throw, the log, forms of options.
#include "check.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>

using namespace gpumex;

static_assert(!std::is_copy_constructible_v<context> && !std::is_copy_assignable_v<context>);
static_assert(!std::is_copy_constructible_v<array<int>> && !std::is_copy_constructible_v<event>);
static_assert(std::is_nothrow_move_constructible_v<context> && std::is_nothrow_move_assignable_v<array<int>>);
static_assert(std::is_trivially_copyable_v<context_ref> && std::is_trivially_copyable_v<view<float>>);
static_assert(!std::is_convertible_v<view<const float>, view<float>>);
static_assert(std::is_convertible_v<view<float>, view<const float>>);
static_assert(!std::is_convertible_v<floats, view<double>> && std::is_base_of_v<std::runtime_error, error>);
static_assert(dtype_v<float> == dtype::f32 && dtype_v<const long long> == dtype::i64);
static_assert(dtype_v<unsigned long> == dtype::u64 && dtype_v<unsigned char> == dtype::u8);
static_assert(dtype_v<bool> == dtype::bool_ && dtype_v<bf16> == dtype::bf16 && dtype_v<std::int8_t> == dtype::i8);

/* Moved to itself in a way that compilers do not see. */
template <class T> static void move_to_itself(T &object) {
    T *volatile same = &object;
    object = std::move(*same);
}

static void contexts_move_and_close() {
    context first(backend::cpu);
    EXPECT(first.backend() == backend::cpu && first.device_info().backend == GPUMEX_BACKEND_CPU);
    EXPECT(first.device_text().find("CPU") != std::string::npos);
    gpumex_context *const handle = first.get();
    context second = std::move(first);
    EXPECT(second.get() == handle && first.get() == nullptr);
    THROWS(null_pointer, "ctx is NULL", first.synchronize());
    THROWS(null_pointer, "ctx is NULL", dot(first, floats{1}, floats{1}));
    move_to_itself(second);
    second.synchronize();
    context third(backend::cpu);
    gpumex_context *const old = third.get();
    third = std::move(second);
    EXPECT(third.get() == handle && gpumex_context_synchronize(old) == GPUMEX_STATUS_INVALID_ARGUMENT);
    context adopted = context::adopt(third.release());
    const context_ref to_it = adopted;
    to_it.synchronize();
    adopted.close();
    THROWS(invalid_argument, "gpumex_context_synchronize", to_it.synchronize());
    THROWS(invalid_argument, "gpumex_context_destroy", context::adopt(default_context().get()).close());
    reset_default_context();
    EXPECT(dot({}, floats{2}, floats{3}) == 6);
}

static void contexts_take_options() {
    context_options options;
    options.backend = backend::cpu;
    options.threads = 2;
    options.busy = busy_policy::wait;
    options.cache_capacity = 1 << 20;
    const context ctx(options);
    EXPECT(ctx.allocator_stats().capacity == 1 << 20 && ctx.allocator_stats().allocator == GPUMEX_ALLOCATOR_CACHING);
    ctx.set_threads(1);
    ctx.set_allocator_capacity(1 << 22, 1 << 21);
    EXPECT(ctx.allocator_stats().largest == 1 << 21);
    ctx.trim_allocator();
    ctx.select_allocator(allocator::simple);
    EXPECT(ctx.allocator_stats().allocator == GPUMEX_ALLOCATOR_SIMPLE);
    options.threads = -1;
    THROWS(invalid_argument, "threads", context(options).get());
    char name[] = "program";
    char *arguments[] = {name, nullptr};
    context::from_args(1, arguments).synchronize();
    EXPECT(device_count() >= 0);
    if (device_count() == 0) {
        THROWS(no_device, "gpumex_context_create_on_stream", context::on_stream(nullptr).get());
        THROWS(no_device, "gpumex_context_create", context(backend::cuda).get());
    } else {
        context::on_stream(nullptr).synchronize();
    }
#if __cplusplus >= 202002L
    EXPECT(context({.backend = backend::cpu, .threads = 1}).backend() == backend::cpu);
    EXPECT(sort(ctx, ints{1, 3, 2}, {.order = sort_order::descending}) == ints{3, 2, 1});
    EXPECT(sort(ctx, ints{1, 3, 2}, floats{1, 3, 2}, {.order = sort_order::descending}).values == floats{3, 2, 1});
    u64s counts(2);
    histogram(ctx, floats{0, 1, 2}, counts, {.edges = std::array{0.0, 1.0, 3.0}});
    EXPECT(counts == u64s{1, 2});
    const float two = 2;
    floats y = {1};
    axpy(ctx, floats{3}, y, {.alpha = &two});
    EXPECT(y[0] == 7);
    array<float> on_device(ctx, y);
    EXPECT(dot(ctx, std::span(y), as_span(on_device)) == 49);
#endif
}

static void times_are_told(context_ref ctx) {
    ctx.start_timer();
    floats x(1000, 1);
    THROWS(invalid_argument, "gpumex_context_set_timing", ctx.kernel_ms());
    ctx.set_timing();
    scale(ctx, 2.0f, x);
    EXPECT(ctx.kernel_ms() >= 0 && ctx.stop_timer() >= 0 && ctx.throughput(1000) > 0);
    event start(ctx), end(ctx);
    THROWS(invalid_argument, "gpumex_event_query", start.is_done());
    ctx.record(start);
    ctx.record(end);
    context other;
    other.wait(end);
    end.synchronize();
    EXPECT(start.is_done() && elapsed_ms(start, end) >= 0);
    event moved = std::move(start);
    move_to_itself(moved);
    moved.synchronize();
    THROWS(null_pointer, "event", start.synchronize());
    end = std::move(moved);
    end.synchronize();
}

static void arrays_move(context_ref ctx) {
    array<int> none_yet;
    EXPECT(none_yet.empty() && none_yet.data() == nullptr);
    array first(ctx, ints{1, 2, 3}, memory_kind::pinned);
    const int *const memory = first.data();
    array second = std::move(first);
    EXPECT(second.data() == memory && second.size() == 3 && first.empty() && first.data() == nullptr);
    move_to_itself(second);
    EXPECT(second.data() == memory && second.size_bytes() == 12 && second.kind() == memory_kind::pinned);
    none_yet = std::move(second);
    EXPECT(on_host(ctx, none_yet) == ints{1, 2, 3} && second.to_vector().empty());
    none_yet.free();
    EXPECT(none_yet.empty());
    THROWS(invalid_argument, "exceed the address space", array<double>(ctx, static_cast<std::size_t>(-1)));
}

static void lengths_are_compared(context_ref ctx) {
    floats two(2), three(3);
    u32s indices(2);
    std::uint64_t needed = 0;
    THROWS(invalid_argument, "gpumex::add: y has 3 elements, and exactly 2 are needed", add(ctx, two, three));
    THROWS(invalid_argument, "gpumex::axpy: y", axpy(ctx, two, three));
    THROWS(invalid_argument, "gpumex::dot: y", dot(ctx, two, three));
    THROWS(invalid_argument, "gpumex::copy: to has 2 elements, and at least 3 are needed", copy(ctx, three, two));
    THROWS(invalid_argument, "gpumex::sort: sorted", sort_keys(ctx, three, two));
    THROWS(invalid_argument, "gpumex::sort: values", sort(ctx, three, two));
    THROWS(invalid_argument, "gpumex::locality_sort: sorted_values", locality_sort(ctx, three, none, three, indices));
    THROWS(invalid_argument, "gpumex::segmented_sort: sorted", segmented_sort_keys(ctx, three, none, two));
    u64s wide(2);
    THROWS(invalid_argument, "different types", segmented_sort(ctx, two, none, wide, three, indices));
    THROWS(invalid_argument, "gpumex::merge: keys", merge_keys(ctx, two, two, three));
    THROWS(invalid_argument, "gpumex::set_operation: values",
           set_operation(ctx, two, none, two, none, three, indices, &needed));
    THROWS(invalid_argument, "gpumex::join: b_indices", join(ctx, two, two, indices, u32s(3), &needed));
    THROWS(invalid_argument, "gpumex::compact: data", compact(ctx, three, list<std::uint8_t>(2)));
    THROWS(invalid_argument, "gpumex::gather: result", gather(ctx, three, indices, floats(1)));
    THROWS(invalid_argument, "gpumex::scatter: indices", scatter(ctx, three, indices, two));
    THROWS(invalid_argument, "gpumex::bulk_insert: result", bulk_insert(ctx, two, indices, two, three));
    THROWS(invalid_argument, "gpumex::bulk_remove: result", bulk_remove(ctx, three, u32s{0}, floats(1)));
    THROWS(invalid_argument, "gpumex::interval_expand: values", interval_expand(ctx, indices, three, three));
    THROWS(invalid_argument, "gpumex::interval_move: gather", interval_move(ctx, 1, u32s(1), none, indices, two, three));
    THROWS(invalid_argument, "gpumex::scan: result", scan(ctx, three, two));
    THROWS(invalid_argument, "gpumex::reduce_dim: result", reduce_dim(ctx, three, dim_shape{3, 1, 1}, two));
    THROWS(invalid_argument, "gpumex::scan_dim: data", scan_dim(ctx, two, dim_shape{3, 1, 1}, three));
    THROWS(invalid_argument, "gpumex::map_scan: result", map_scan(ctx, "a", {3}, two, {}, three));
    THROWS(invalid_argument, "gpumex::map_scan: an input", map_scan(ctx, "a", {3}, three, {}, two));
    THROWS(invalid_argument, "gpumex::reduce_by_key: data", reduce_by_key(ctx, three, two));
    THROWS(invalid_argument, "gpumex::segmented_reduce: result", segmented_reduce(ctx, three, u32s(4), two));
    THROWS(invalid_argument, "gpumex::spmv: y", spmv(ctx, two, indices, u32s(4), three, two));
    THROWS(invalid_argument, "gpumex::sorted_search: a_indices", sorted_search(ctx, three, two, indices));
    THROWS(invalid_argument, "gpumex::sorted_equality_count: counts", sorted_equality_count(ctx, three, two, indices));
    THROWS(invalid_argument, "gpumex::matmul: a", matmul(ctx, 2, 1, 2, three, two, two));
    THROWS(invalid_argument, "gpumex::matmul: c", matmul(ctx, 1, 3, 1, two, three, two));
    THROWS(invalid_argument, "gpumex::matmul: b", matmul(ctx, 1, detail::too_many, 3, three, two, two));
    histogram_options edges;
    const list<double> of_two_bins(3);
    edges.edges = of_two_bins;
    THROWS(invalid_argument, "gpumex::histogram: edges", histogram(ctx, two, u64s(3), edges));
    THROWS(invalid_argument, "gpumex::histogram: weights", weighted_histogram(ctx, two, three, list<double>(2)));
    THROWS(invalid_argument, "gpumex::life: board", life(ctx, list<char>(9), 3, 4, 1, list<char>(12)));
    THROWS(invalid_argument, "gpumex::raytrace: image", raytrace(ctx, floats(7), 3, 3, list<std::uint8_t>(35)));
    THROWS(invalid_argument, "gpumex::words: counts", words(ctx, std::string("a"), wide, wide, u64s(1)));
    THROWS(invalid_argument, "gpumex::plain::matmul: b", plain::matmul(1, 1, 2, two, three, two));
    std::uint64_t found = 0; // more of them than there is room for
    THROWS(invalid_argument, "gpumex_compact", compact(ctx, three, list<char>(3, 1), two, none, &found));
    EXPECT(found == 3);
}

static void empty_arrays_are_answered(context_ref ctx) {
    floats x;
    ints keys;
    u32s indices, starts(1);
    add(ctx, x, x);
    EXPECT(dot(ctx, x, x) == 0 && reduce(ctx, keys) == 0 && sort(ctx, keys).empty() && merge(ctx, keys, keys).empty());
    EXPECT(sort(ctx, keys, x).values.empty() && sort_indices(ctx, array<int>(ctx, keys)).empty());
    EXPECT(join(ctx, keys, keys).a.empty() && set_operation(ctx, keys, keys).empty());
    EXPECT(compact(ctx, keys, list<std::uint8_t>()).empty() && reduce_by_key(ctx, keys, keys).keys.empty());
    EXPECT(words(ctx, std::string(), 3).counts.empty() && check_sorted(ctx, keys) == 0);
    gather(ctx, keys, indices, keys);
    scatter(ctx, keys, indices, keys);
    scan(ctx, keys, keys);
    segmented_reduce(ctx, keys, indices, keys);
    segmented_reduce(ctx, keys, starts, keys);
    segmented_sort_keys(ctx, keys, indices, keys);
    spmv(ctx, x, indices, starts, x, x);
    matmul(ctx, 0, 0, 0, x, x, x);
    life(ctx, list<char>(), 0, 5, 3, list<char>());
    fill(ctx, x, 1.0f);
    EXPECT(print(ctx, x).empty() && array<float>(ctx, x).to_vector().empty());
}

struct my_error {
    int number;
};

static void callbacks_throw_and_cancel(context_ref ctx) {
    list<std::uint8_t> board(400 * 400);
    int calls = 0, caught = 0;
    try {
        const progress watch(ctx, [&](std::uint64_t, std::uint64_t total) {
            EXPECT(total == 100000);
            if (++calls == 1) throw my_error{42};
        });
        life(ctx, board, 400, 400, 100000, board);
    } catch (const my_error &error) {
        caught = error.number;
    }
    EXPECT(calls == 1 && caught == 42);
    {
        const progress watch(ctx, [](std::uint64_t, std::uint64_t) { return false; });
        THROWS(cancelled, "gpumex_life", life(ctx, board, 400, 400, 100000, board));
    }
    {
        auto counts = std::make_unique<int>(0); // a callable that only moves
        int &told = *counts;
        const progress watch(
            ctx, [counts = std::move(counts)](std::uint64_t, std::uint64_t) mutable { return ++*counts > 0; });
        life(ctx, board, 400, 400, 10, board);
        EXPECT(told >= 0);
    }
    life(ctx, board, 400, 400, 10, board); // no callback is left
    const ints numbers(100);
    caught = 0;
    try {
        print_to(ctx, numbers, [](std::string_view) { throw my_error{7}; });
    } catch (const my_error &error) {
        caught = error.number;
    }
    EXPECT(caught == 7);
    const auto stop = [](std::string_view) { return false; };
    THROWS(cancelled, "gpumex_print_to", print_to(ctx, numbers, stop));
    EXPECT(print(ctx, numbers).size() > 100);
}

static void a_call_is_cancelled_from_another_thread() {
    const context ctx(backend::cpu);
    list<std::uint8_t> board(1000 * 1000);
    std::atomic<bool> is_over{false};
    std::thread other([&] {
        while (!is_over) {
            ctx.cancel();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    THROWS(cancelled, "gpumex_context_cancel", life(ctx, board, 1000, 1000, 100000000, board));
    is_over = true;
    other.join();
}

struct counting_source final : memory_source {
    std::atomic<int> held{0};
    bool is_exhausted = false;
    void *allocate(std::size_t bytes, void *) override {
        if (is_exhausted) throw my_error{1};
        ++held;
        return std::aligned_alloc(512, (bytes + 511) / 512 * 512);
    }
    void release(void *memory, std::size_t, void *) noexcept override {
        --held;
        std::free(memory);
    }
};

static void memory_comes_from_the_caller() {
    counting_source source;
    {
        const context ctx(backend::cpu);
        ctx.set_allocator(source);
        EXPECT(ctx.allocator_stats().allocator == GPUMEX_ALLOCATOR_CUSTOM);
        array held(ctx, floats(1000, 3));
        EXPECT(source.held == 1 && reduce(ctx, held) == 3000);
        source.is_exhausted = true;
        THROWS(out_of_memory, "gpumex_malloc", array<float>(ctx, 1000));
        EXPECT(held.to_vector()[999] == 3);
    }
    EXPECT(source.held == 0);
}

int main() {
    std::string logged;
    configure("log", "error");
    set_log_callback([&](log_level level, std::string_view line) {
        logged += line;
        if (level == log_level::error) throw my_error{3}; // which is dropped
    });
    THROWS(invalid_argument, "gpumex_configure", configure("colour", "red"));
    EXPECT(std::string(version()) == GPUMEX_VERSION && std::strlen(build_info()) > 5);
    contexts_move_and_close();
    EXPECT(logged.find("ctx is NULL") != std::string::npos);
    THROWS(busy, "gpumex_configure", configure("log", "off"));
    set_log_callback([](log_level, std::string_view) {});
    contexts_take_options();
    const context ctx;
    times_are_told(ctx);
    arrays_move(ctx);
    lengths_are_compared(ctx);
    empty_arrays_are_answered(ctx);
    callbacks_throw_and_cancel(ctx);
    callbacks_throw_and_cancel({});
    a_call_is_cancelled_from_another_thread();
    memory_comes_from_the_caller();
    std::puts("done");
    return 0;
}
