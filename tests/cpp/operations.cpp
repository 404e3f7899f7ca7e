// operations.cpp - every operation, on vectors of the host and on arrays of the device, against plain loops.
#include "check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>

using namespace gpumex;

/* Numbers that repeat, in no order. */
static ints numbers(std::size_t count, std::int32_t below) {
    ints found(count);
    std::uint32_t seed = 7;
    for (auto &number : found) {
        seed = seed * 1664525u + 1013904223u;
        number = static_cast<std::int32_t>((seed >> 8) % static_cast<std::uint32_t>(below));
    }
    return found;
}

static ints sorted_numbers(std::size_t count, std::int32_t below, std::size_t from) {
    ints found = numbers(count + from, below);
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(from));
    std::sort(found.begin(), found.end());
    return found;
}

static void vectors(context_ref ctx) {
    const floats x = {1, 2, 3, 4};
    floats y = {10, 20, 30, 40};
    add(ctx, x, y);
    EXPECT(y == floats{11, 22, 33, 44});
    axpy(ctx, 2.0f, x, 0.5f, y);
    EXPECT(y == floats{7.5f, 15, 22.5f, 30});
    const float minus = -1;
    axpy_options<float> options;
    options.alpha = &minus;
    array device(ctx, y);
    axpy(ctx, x, device, options);
    EXPECT(device.to_vector() == floats{6.5f, 13, 19.5f, 26});
    scale(ctx, 2.0f, device);
    EXPECT(device.to_vector() == floats{13, 26, 39, 52});
    scale_options root;
    root.factor = scale_factor::reciprocal_root;
    array<float> sum(ctx, 1);
    dot_into(ctx, x, x, sum.data());
    EXPECT(sum.to_vector() == floats{30} && dot(ctx, x, x) == 30);
    array unit(ctx, x);
    scale_by(ctx, sum.data(), unit, root);
    EXPECT(std::abs(dot(ctx, unit, unit) - 1) < 1e-5f);
    const list<double> d = {1, 2};
    EXPECT(dot(ctx, d, d) == 5);
}

static void memory(context_ref ctx) {
    array<std::int16_t> numbered(ctx, 5, memory_kind::managed);
    numbered.fill_ascending(3, -2);
    EXPECT(numbered.to_vector() == list<std::int16_t>{3, 1, -1, -3, -5});
    numbered.prefetch();
    EXPECT(numbered.print("%d", 3) == "    0:  3 1 -1 \n    3:  -3 -5 \n");
    std::array<char, 8> beginning{};
    EXPECT(print(ctx, numbered, "%d", 3, beginning) == 32 && beginning[4] == '0');
    std::string told;
    print_to(ctx, numbered, [&](std::string_view row) { told += row; }, "%d", 3);
    EXPECT(told == numbered.print("%d", 3));
    array<bool> flags(ctx, 3);
    flags.fill(true);
    EXPECT(flags.to_vector() == list<std::uint8_t>{1, 1, 1});
    array<f16> halves(ctx, 2, memory_kind::pinned);
    halves.fill(f16{0x3c00});
    EXPECT(halves.to_vector()[1].bits == 0x3c00);
    floats low(1000), ascending(1000);
    random(ctx, low, 5, -1, 1);
    random_sorted(ctx, ascending, 5, -1, 1);
    EXPECT(low != ascending && *std::min_element(low.begin(), low.end()) >= -1);
    std::sort(low.begin(), low.end());
    EXPECT(low == ascending);
    floats bell(1000);
    random_normal(ctx, bell, 5, 10, 0.5);
    EXPECT(*std::min_element(bell.begin(), bell.end()) > 5 && *std::max_element(bell.begin(), bell.end()) < 15);
    array<float> same(ctx, 1000);
    same.random_normal(5, 10, 0.5);
    EXPECT(same.to_vector() == bell);
    array<float> again(ctx, 1000);
    again.random_sorted(5, -1, 1);
    array copied = again.clone();
    floats back(1000);
    copied.copy_to(back);
    EXPECT(back == low);
    copy(ctx, slice(copied, 10, 3), first(back, 3));
    EXPECT(back[0] == low[10] && back[2] == low[12] && back[3] == low[3]);
    fill(ctx, back, 2.5f);
    EXPECT(back == floats(1000, 2.5f));
    fill_ascending(ctx, view(back.data(), 3));
    EXPECT(back[2] == 2 && back[3] == 2.5f);
}

static void sorts(context_ref ctx) {
    const ints keys = numbers(5000, 300);
    list<double> values(keys.size());
    std::iota(values.begin(), values.end(), 0);
    u64s order(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return keys[i] > keys[j]; });
    ints want;
    for (auto i : order) want.push_back(keys[i]);

    sort_options down;
    down.order = sort_order::descending;
    const auto pairs = sort(ctx, keys, values, down);
    EXPECT(pairs.keys == want && pairs.values == list<double>(order.begin(), order.end()));
    EXPECT(sort(ctx, keys, down) == want && sort_indices(ctx, keys, down) == order);
    ints out(keys.size());
    sort_keys(ctx, keys, out, down);
    EXPECT(out == want);
    const array device(ctx, keys);
    const array<std::uint32_t> positions = sort_indices<std::uint32_t>(ctx, device, down);
    EXPECT(positions.to_vector() == u32s(order.begin(), order.end()));
    sort(ctx, device, none, none, order);
    EXPECT(std::is_sorted(order.begin(), order.end(), [&](auto i, auto j) { return keys[i] < keys[j]; }));

    locality_sort_options locally;
    locally.order = sort_order::descending;
    EXPECT(locality_sort(ctx, keys, locally) == want);
    EXPECT(locality_sort(ctx, device, values, locally).values == pairs.values);
    locality_sort_keys(ctx, keys, out, locally);
    EXPECT(out == want);

    EXPECT(check_sorted(ctx, sort(ctx, keys)) == keys.size());
    EXPECT(check_sorted(ctx, ints{1, 2, 2, 1}) == 3);
    check_sorted_options strictly;
    strictly.strict = true;
    EXPECT(check_sorted(ctx, ints{1, 2, 2, 1}, strictly) == 2);
    require_sorted(ctx, ints{1, 2, 2});
    THROWS(invalid_argument, "gpumex_check_sorted", require_sorted(ctx, ints{2, 1}));

    const ints parts = {3, 1, 2, 9, 8, 7, 7};
    ints sorted(7);
    u32s from(7);
    segmented_sort(ctx, parts, none, u32s{0, 3}, sorted, from);
    EXPECT(sorted == ints{1, 2, 3, 7, 7, 8, 9} && from == u32s{1, 2, 0, 5, 6, 4, 3});
    segmented_sort_options by_flags;
    by_flags.segments_by = segments::flags;
    segmented_sort_keys(ctx, parts, u32s{1u << 4}, sorted, by_flags);
    EXPECT(sorted == ints{1, 2, 3, 9, 7, 7, 8});
    segmented_sort(ctx, parts, u32s{0, 1, 2, 3, 4, 5, 6}, none, sorted, from);
    EXPECT(sorted == ints{1, 2, 3, 7, 7, 8, 9} && from == u32s{1, 2, 0, 5, 6, 4, 3});
}

static void sorted_arrays(context_ref ctx) {
    const ints a = sorted_numbers(700, 300, 0), b = sorted_numbers(400, 300, 700);
    ints want(1100), got(1100);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin());
    EXPECT(merge(ctx, a, b) == want && merge(ctx, array(ctx, a), b).to_vector() == want);
    merge_keys(ctx, a, b, got);
    EXPECT(got == want);
    u64s from(1100);
    merge(ctx, a, none, b, none, got, from);
    for (std::size_t i = 0; i < from.size(); i++) EXPECT(got[i] == (from[i] < 700 ? a[from[i]] : b[from[i] - 700]));
    floats of_a(700, 1), of_b(400, 2), of_both(1100);
    merge(ctx, a, of_a, b, of_b, got, of_both);
    for (std::size_t i = 0; i < from.size(); i++) EXPECT(of_both[i] == (from[i] < 700 ? 1 : 2));

    for (const auto op : {set_operator::intersection, set_operator::union_, set_operator::difference,
                          set_operator::symmetric_difference}) {
        ints set;
        const auto end = std::back_inserter(set);
        if (op == set_operator::intersection) std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), end);
        if (op == set_operator::union_) std::set_union(a.begin(), a.end(), b.begin(), b.end(), end);
        if (op == set_operator::difference) std::set_difference(a.begin(), a.end(), b.begin(), b.end(), end);
        if (op == set_operator::symmetric_difference)
            std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), end);
        set_operation_options options;
        options.op = op;
        EXPECT(set_operation(ctx, a, b, options) == set);
        std::uint64_t needed = 0;
        set_operation(ctx, a, none, b, none, none, from, &needed, options);
        EXPECT(needed == set.size());
        for (std::size_t i = 0; i < needed; i++) EXPECT(set[i] == (from[i] < 700 ? a[from[i]] : b[from[i] - 700]));
    }

    u64s rows_a, rows_b;
    for (std::size_t i = 0; i < a.size(); i++)
        for (std::size_t j = 0; j < b.size(); j++)
            if (a[i] == b[j]) rows_a.push_back(i), rows_b.push_back(j);
    const auto rows = join(ctx, a, b);
    EXPECT(rows.a == rows_a && rows.b == rows_b);
    join_options outer;
    outer.kind = join_kind::outer;
    const auto narrow = join<std::uint32_t>(ctx, array(ctx, ints{1, 3}), ints{2, 3}, outer);
    EXPECT(narrow.a.to_vector() == u32s{0, 1, ~0u} && narrow.b.to_vector() == u32s{~0u, 1, 0});

    u64s lower(a.size()), upper(b.size()), counts(a.size());
    list<std::uint8_t> in_b(a.size()), in_a(b.size());
    std::uint64_t matches[2] = {0, 0};
    sorted_search(ctx, a, b, lower, upper, in_b, in_a, matches);
    std::uint64_t flags = 0;
    for (std::size_t i = 0; i < a.size(); i++) {
        const auto bounds = std::equal_range(b.begin(), b.end(), a[i]);
        EXPECT(lower[i] == static_cast<std::uint64_t>(bounds.first - b.begin()));
        EXPECT(in_b[i] == (bounds.first != bounds.second));
        flags += in_b[i];
    }
    EXPECT(matches[0] == flags);
    for (std::size_t j = 0; j < b.size(); j++)
        EXPECT(upper[j] == static_cast<std::uint64_t>(std::upper_bound(a.begin(), a.end(), b[j]) - a.begin()));
    u64s alone(a.size()), below(a.size());
    sorted_search(ctx, a, b, alone);
    EXPECT(alone == lower);
    sorted_equality_count(ctx, a, b, counts, below);
    EXPECT(below == lower);
    for (std::size_t i = 0; i < a.size(); i++)
        EXPECT(counts[i] == static_cast<std::uint64_t>(std::count(b.begin(), b.end(), a[i])));
    sorted_equality_count(ctx, a, b, alone);
    EXPECT(alone == counts);
}

static void moves(context_ref ctx) {
    const ints data = numbers(1000, 100);
    list<std::uint8_t> flags(data.size());
    ints want;
    u64s where;
    for (std::size_t i = 0; i < data.size(); i++) {
        flags[i] = data[i] % 3 == 0;
        if (flags[i]) want.push_back(data[i]), where.push_back(i);
    }
    EXPECT(compact(ctx, data, flags) == want && compact_positions(ctx, flags) == where);
    EXPECT(compact(ctx, array(ctx, data), flags).to_vector() == want);
    std::uint64_t needed = 0;
    ints kept(want.size());
    u32s positions(want.size());
    compact(ctx, data, flags, kept, positions, &needed);
    EXPECT(needed == want.size() && kept == want && positions == u32s(where.begin(), where.end()));

    ints gathered(where.size()), spread(data.size(), -1);
    gather(ctx, data, where, gathered);
    EXPECT(gathered == want);
    scatter(ctx, gathered, where, spread);
    for (std::size_t i = 0; i < data.size(); i++) EXPECT(spread[i] == (flags[i] ? data[i] : -1));
    const list<float> matrix = {1, 2, 3, 4, 5, 6};
    list<float> selected(8), turned(6), filled(6);
    gather_nd(ctx, matrix, {2, selection::at(3, list<double>{3, 1, 1, 2}, -1)}, selected);
    EXPECT(selected == (list<float>{5, 6, 1, 2, 1, 2, 3, 4}));
    gather_nd(ctx, matrix, {selection::mask(list<std::uint8_t>{0, 1}, 1), selection::wrapped(3, 2, 8)}, selected);
    EXPECT(selected == (list<float>{6, 2, 4, 6, 2, 4, 6, 2}));
    gather_nd_options within;
    within.check = true;
    THROWS(invalid_argument, "gpumex_gather_nd", gather_nd(ctx, matrix, {selection::at(6, u32s{6})}, selected, within));
    THROWS(invalid_argument, "gpumex::gather_nd: result", gather_nd(ctx, matrix, {2, 3}, list<float>(5)));
    scatter_nd_options in_order;
    in_order.last = true;
    scatter_nd(ctx, matrix, {selection::at(6, u32s{5, 5, 0, 1, 0, 2})}, filled, in_order);
    EXPECT(filled == (list<float>{5, 4, 6, 0, 0, 2}));
    scatter_nd(ctx, list<float>{9}, {selection::range(2, 1, 1), selection::range(3, 2, 2, -2)}, filled);
    EXPECT(filled == (list<float>{5, 9, 6, 0, 0, 9}));
    permute(ctx, matrix, {2, 3}, {1, 0}, turned);
    EXPECT(turned == (list<float>{1, 3, 5, 2, 4, 6}));
    convolve_options full;
    full.boundary = boundary::dead;
    full.shape = convolve_shape::full;
    list<float> wider(8);
    convolve(ctx, matrix, 1, 6, list<float>{1, 0, -1}, 1, 3, wider, full);
    EXPECT(wider == (list<float>{1, 2, 2, 2, 2, 2, -5, -6}));
    THROWS(invalid_argument, "gpumex::convolve: result", convolve(ctx, matrix, 1, 6, list<float>{1}, 1, 1, wider));
    median_filter(ctx, matrix, 2, 3, 1, 3, turned);
    EXPECT(turned == (list<float>{1, 2, 3, 4, 5, 6}));
    gather_options checked;
    checked.check = true;
    THROWS(invalid_argument, "gpumex_gather", gather(ctx, data, u32s{1000}, gathered, checked));
    scatter_options also;
    also.check = true;
    THROWS(invalid_argument, "gpumex_scatter", scatter(ctx, ints{1}, u32s{1000}, spread, also));

    ints inserted(8), removed(4), expanded(15), output(6, -1);
    bulk_insert(ctx, ints{10, 11, 12, 13, 14}, u32s{1, 1, 2, 3, 3}, ints{0, 1, 2}, inserted);
    EXPECT(inserted == ints{0, 10, 11, 1, 12, 2, 13, 14});
    bulk_remove(ctx, ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, u64s{1, 3, 4, 5, 7, 8}, removed);
    EXPECT(removed == ints{0, 2, 6, 9});
    const u32s scan_of_lengths = {0, 1, 3, 4, 4, 8, 10, 13, 13};
    interval_expand(ctx, scan_of_lengths, ints{0, 1, 2, 3, 4, 5, 6, 7, 8}, expanded);
    EXPECT(expanded == ints{0, 1, 1, 2, 4, 4, 4, 4, 5, 5, 6, 6, 6, 8, 8});
    interval_move(ctx, 4, u32s{3, 0}, u32s{0, 4}, u32s{0, 2}, ints{0, 1, 2, 3, 4}, output);
    EXPECT(output == ints{3, 4, -1, -1, 0, 1});
    interval_move(ctx, 4, none, u32s{0, 4}, u32s{0, 2}, ints{7, 8, 9, 6, 5}, output);
    EXPECT(output == ints{7, 8, -1, -1, 9, 6});
    u32s objects(11);
    load_balance_search(ctx, u32s{0, 2, 7, 10, 10}, objects);
    EXPECT(objects == u32s{0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 4});
}

static void sums(context_ref ctx) {
    const ints data = numbers(3000, 1000);
    std::int32_t sum = 0;
    ints running;
    for (auto number : data) running.push_back(sum), sum += number;
    EXPECT(reduce(ctx, data) == sum && reduce<std::int64_t>(ctx, data) == sum);
    EXPECT(reduce(ctx, list<std::uint8_t>(1000, 255)) == 255000u);
    const std::array<bool, 3> flags = {true, false, true};
    EXPECT(reduce(ctx, flags) == 2);
    reduce_options greatest;
    greatest.op = binary_operator::max;
    EXPECT(reduce(ctx, data, greatest) == *std::max_element(data.begin(), data.end()));
    array<std::int64_t> there(ctx, 1);
    std::int64_t here = 0;
    reduce_into(ctx, data, there.data(), {}, &here);
    EXPECT(here == sum && there.to_vector()[0] == sum);

    ints scanned(data.size());
    std::int32_t total = 0;
    scan(ctx, data, scanned, &total);
    EXPECT(scanned == running && total == sum);
    scan_options inclusive;
    inclusive.kind = scan_kind::inclusive;
    list<std::int64_t> wide(data.size());
    scan(ctx, data, wide, inclusive);
    EXPECT(wide.front() == data[0] && wide.back() == sum);
    ints in_place = data;
    scan(ctx, in_place, in_place);
    EXPECT(in_place == running);

    const dim_shape shape{2, 3, 1};
    const ints matrix = {1, 2, 3, 4, 5, 6};
    list<std::int64_t> sums(2);
    reduce_dim(ctx, matrix, shape, sums);
    EXPECT((sums == list<std::int64_t>{9, 12}));
    reduce_dim_options largest;
    largest.op = dim_reduction::max;
    ints maxima(2);
    u32s positions(2);
    reduce_dim(ctx, matrix, shape, maxima, positions, largest);
    EXPECT((maxima == ints{5, 6} && positions == u32s{2, 2}));
    map_reduce_options of_products;
    of_products.names = "x y";
    list<std::int64_t> products(1);
    map_reduce(ctx, "x .* y", {2, 3}, products, of_products, matrix, ints{2});
    EXPECT(products == list<std::int64_t>{42});
    of_products.op = dim_reduction::min;
    of_products.dimension = 2;
    map_reduce_positions(ctx, "abs (x - y)", {2, 3}, maxima, positions, of_products, matrix, ints{3});
    EXPECT((maxima == ints{0, 1} && positions == u32s{1, 0}));
    scan_dim_options from_behind;
    from_behind.kind = scan_kind::inclusive;
    from_behind.reverse = true;
    ints suffixes = matrix;
    scan_dim(ctx, suffixes, shape, suffixes, from_behind);
    EXPECT((suffixes == ints{9, 12, 8, 10, 5, 6}));
    map_scan_options of_prefixes;
    of_prefixes.names = "x y";
    list<std::int64_t> prefixes(6);
    map_scan(ctx, "x .* y", {2, 3}, prefixes, of_prefixes, matrix, ints{2});
    EXPECT((prefixes == list<std::int64_t>{0, 2, 6, 12, 20, 30}));
    of_prefixes.op = dim_reduction::max;
    of_prefixes.dimension = 2;
    of_prefixes.kind = scan_kind::inclusive;
    of_prefixes.reverse = true;
    ints running_maxima(6);
    map_scan(ctx, "abs (x - y)", {2, 3}, running_maxima, of_prefixes, matrix, ints{3});
    EXPECT((running_maxima == ints{2, 3, 2, 3, 2, 3}));
    of_prefixes.op = dim_reduction::sum;
    of_prefixes.dimension = 1;
    of_prefixes.rules = rules::matlab;
    of_prefixes.names.clear();
    list<std::int8_t> saturated(6);
    const list<std::int8_t> steps = {100, 50, -100, -50, 27, 100};
    map_scan(ctx, "a", {2, 3}, saturated, of_prefixes, steps);
    EXPECT((saturated == list<std::int8_t>{127, 50, -128, -50, 127, 100}));

    const ints keys = sorted_numbers(3000, 50, 0);
    const auto runs = reduce_by_key(ctx, keys, data);
    u64s offsets(runs.keys.size() + 1);
    std::uint64_t needed = 0;
    reduce_by_key(ctx, keys, none, none, none, offsets, &needed);
    EXPECT(needed == runs.keys.size() && offsets.back() == keys.size() && needed == 50);
    for (std::size_t r = 0; r < runs.keys.size(); r++) {
        std::int32_t want = 0;
        for (auto i = offsets[r]; i < offsets[r + 1]; i++) {
            want += data[i];
            EXPECT(keys[i] == runs.keys[r]);
        }
        EXPECT(runs.results[r] == want);
    }
    array device_keys(ctx, keys), device_data(ctx, data);
    EXPECT(reduce_by_key(ctx, device_keys, device_data).results.to_vector() == runs.results);

    ints results(50);
    const auto geometry = segments_prepare(ctx, offsets, data.size());
    EXPECT(geometry.empty() == (ctx.backend() == backend::cpu));
    segmented_reduce_options<std::int32_t, std::uint64_t> prepared;
    prepared.geometry = geometry;
    segmented_reduce(ctx, data, offsets, results, prepared);
    EXPECT(results == runs.results);
    const std::int32_t nothing = -7;
    segmented_reduce_options<std::int32_t, std::uint32_t> from_sources;
    const u32s sources = {1, 0, 0};
    from_sources.sources = sources;
    from_sources.identity = &nothing;
    ints three(3);
    segmented_reduce(ctx, ints{1, 2, 3}, u32s{0, 2, 2, 3}, three, from_sources);
    EXPECT(three == ints{5, -7, 1});

    floats y(3);
    const floats x = {1, 10, 100}, values = {1, 2, 3, 4};
    spmv(ctx, values, u32s{0, 2, 1, 0}, u32s{0, 2, 2, 4}, x, y);
    EXPECT(y == floats{201, 0, 34});
    spmv_options<float, std::uint32_t> shortest;
    const float far = INFINITY;
    shortest.add = binary_operator::min;
    shortest.multiply = binary_operator::sum;
    shortest.identity = &far;
    spmv(ctx, values, u32s{0, 2, 1, 0}, u32s{0, 2, 2, 4}, x, y, shortest);
    EXPECT(y == floats{2, far, 5});
    spmv(ctx, none, u32s{0, 2, 1, 0}, u32s{0, 2, 2, 4}, x, y);
    EXPECT(y == floats{101, 0, 11});
}

static void matrices(context_ref ctx) {
    const std::size_t m = 5, n = 7, k = 3;
    list<double> a(m * k), b(k * n), c(m * n, 1), want(m * n);
    for (std::size_t i = 0; i < a.size(); i++) a[i] = static_cast<double>(i % 5);
    for (std::size_t i = 0; i < b.size(); i++) b[i] = static_cast<double>(i % 4);
    for (std::size_t i = 0; i < m; i++)
        for (std::size_t j = 0; j < n; j++)
            for (std::size_t l = 0; l < k; l++) want[i * n + j] += a[i * k + l] * b[l * n + j];
    matmul(ctx, m, n, k, a, b, c);
    EXPECT(c == want);
    matmul_options more;
    more.beta = -1;
    more.alpha = 2;
    matmul(ctx, m, n, k, a, b, c, more);
    EXPECT(c == want);
    matmul_options columns; // the transposes of these arrays
    columns.order = matmul_order::column;
    matmul(ctx, n, m, k, b, a, c, columns);
    EXPECT(c == want);
    matmul_options batch;
    batch.batch = 2;
    batch.same_a = true;
    list<double> twice = b, both(2 * m * n);
    twice.insert(twice.end(), b.begin(), b.end());
    matmul(ctx, m, n, k, array(ctx, a), twice, both, batch);
    EXPECT(std::equal(want.begin(), want.end(), both.begin()) && std::equal(want.begin(), want.end(), &both[m * n]));
    matmul(ctx, m, n, 0, none, none, c);
    EXPECT(c == list<double>(m * n));
}

/* 1.5 and 2 in 16 bits, whose product is 3. */
template <class T> static void half_matrices(context_ref ctx, std::uint16_t one_and_a_half, std::uint16_t two, std::uint16_t three) {
    const list<T> a = {{one_and_a_half}}, b = {{two}};
    list<T> c(1);
    floats wide(1);
    matmul(ctx, 1, 1, 1, a, b, c);
    matmul(ctx, 1, 1, 1, a, b, wide);
    EXPECT(c[0].bits == three && wide[0] == 3);
    matmul(ctx, 1, 1, 0, none, none, c);
    EXPECT(c[0].bits == 0);
}

static void complex_numbers(context_ref ctx) {
    using number = std::complex<double>;
    using numbers = list<number>;
    const numbers x = {{1, 2}, {3, -1}}, y = {{0, 1}, {2, 2}};
    numbers z(2);
    map(ctx, "a * conj (b) + 2i", z, x, y);
    EXPECT((z == numbers{{2, 1}, {4, -6}}));
    list<float> size(1);
    map(ctx, "abs (a)", size, list<std::complex<float>>{{3, 4}});
    EXPECT(size == list<float>{5});
    dot_options conjugate;
    conjugate.conjugate = true;
    EXPECT(dot(ctx, x, y) == number(6, 5) && dot(ctx, x, y, conjugate) == number(6, 9));
    EXPECT(reduce(ctx, x) == number(4, 1));
    numbers c(1, number{1, 0});
    matmul_options options;
    options.trans_a = options.conjugate_a = true;
    options.alpha = 0, options.alpha_imag = 1, options.beta = 1;
    matmul(ctx, 1, 1, 2, x, y, c, options);
    EXPECT(c[0] == number(-8, 6));
    EXPECT(dtype_v<std::complex<float>> == dtype::c64 && dtype_v<number> == dtype::c128);
}

static void pictures(context_ref ctx) {
    std::string text = "abracadabra";
    u64s counts(256), two(2);
    histogram(ctx, text, counts);
    EXPECT(counts['a'] == 5 && counts['b'] == 2 && counts['z'] == 0);
    const floats samples = {0, 0.5f, 1, 1.5f, 2, -1};
    histogram_options halves;
    halves.hi = 2;
    histogram(ctx, samples, two, halves);
    EXPECT(two == u64s{2, 2});
    halves.right_edge = halves.accumulate = true;
    halves.outliers = histogram_outliers::clamp;
    histogram(ctx, samples, two, halves);
    EXPECT(two == u64s{5, 5});
    histogram_options by_edges;
    const list<double> edges = {0, 0.5, 10};
    by_edges.edges = edges;
    list<double> sums(2);
    weighted_histogram(ctx, samples, floats{1, 2, 4, 8, 16, 32}, sums, by_edges);
    EXPECT(sums == list<double>{1, 30});
    EXPECT(check_edges(ctx, edges) == 3 && check_edges(ctx, list<double>{1, 0}) == 1);
    require_edges(ctx, edges);
    THROWS(invalid_argument, "gpumex_check_edges", require_edges(ctx, list<double>{1, 0}));

    const std::string blinker = "x = 3, y = 1, rule = B3/S23\n3o!\n";
    EXPECT(pattern_inspect(blinker).cols == 3);
    list<std::uint8_t> board(25);
    u64s bits(5);
    pattern_read(blinker, 2, 1, board, 5, 5);
    pattern_read(blinker, 2, 1, bits, 5, 5);
    EXPECT(board[11] && board[12] && board[13] && bits[2] == 14);
    life(ctx, board, 5, 5, 1, board);
    life_options dead;
    dead.boundary = life_boundary::dead;
    life(ctx, bits, 5, 5, 1, bits, dead);
    EXPECT(board[7] && board[12] && board[17] && !board[11] && bits == u64s{0, 4, 4, 4, 0});
    EXPECT(pattern_write(board, 5, 5) == pattern_write(bits, 5, 5));
    EXPECT(pattern_inspect(pattern_write(board, 5, 5)).population == 3);
    std::array<char, 4> beginning{};
    EXPECT(pattern_write(GPUMEX_PATTERN_INFO_INIT, board, 5, 5, beginning) > 4 && beginning[0] == 'x');

    const list<sphere> spheres = {{1, 0.5f, 0, 3, 0, 0, 0}};
    list<std::uint8_t> image(8 * 8 * 4), rgb(8 * 8 * 3), same(8 * 8 * 4);
    raytrace(ctx, spheres, 8, 8, image);
    EXPECT(image[(4 * 8 + 4) * 4] == 255 && image[3] == 255 && image[0] == 0);
    raytrace_options without_alpha;
    without_alpha.channels = 3;
    raytrace(ctx, floats{1, 0.5f, 0, 3, 0, 0, 0}, 8, 8, rgb, without_alpha);
    for (std::size_t i = 0; i < 64; i++) EXPECT(rgb[3 * i] == image[4 * i] && rgb[3 * i + 1] == image[4 * i + 1]);

    const std::string song = "row row row your boat";
    const auto found = words(ctx, song, 5);
    EXPECT(found.counts == u64s{3, 1, 1} && found.positions == u64s{0, 12, 17} && found.lengths == u64s{3, 4, 4});
    EXPECT(found.summary.words == 5);

    list<std::uint8_t> plain_next(25), other(25);
    plain::life_shmem(board, 5, 5, 1, plain_next);
    plain::life_texture(board, 5, 5, 1, other);
    EXPECT(plain_next == other && plain_next[11] && plain_next[13]);
    floats c(1);
    plain::matmul(1, 1, 2, floats{1, 2}, floats{3, 4}, c);
    EXPECT(c[0] == 11 && plain::histogram(text)['r'] == 2);
    plain::raytrace(floats{1, 0.5f, 0, 3, 0, 0, 0}, 8, 8, same);
    EXPECT(same == image);
}

static void tunings(context_ref ctx) {
    if (ctx.backend() == backend::cpu) {
        THROWS(unsupported, "gpumex_tuning_get", ctx.tuning("histogram_shared"));
        THROWS(unsupported, "gpumex_tuning_text", ctx.tuning_text());
        THROWS(unsupported, "gpumex_tuning_set", ctx.reset_tuning("histogram_shared"));
        THROWS(unsupported, "gpumex_tuning_set", ctx.set_tuning("histogram_shared", GPUMEX_KERNEL_TUNING_INIT));
        THROWS(unsupported, "gpumex_context_stream", ctx.stream());
        return;
    }
    const auto tuning = ctx.tuning("histogram_shared");
    ctx.set_tuning("histogram_shared", tuning);
    ctx.reset_tuning("histogram_shared");
    EXPECT(tuning.threads > 0 && ctx.tuning_text().find("histogram_shared") != std::string::npos);
    EXPECT(ctx.stream() != nullptr);
}

int main() {
    const context own;
    for (const context_ref ctx : {context_ref(own), default_context(), context_ref(own.get())}) {
        vectors(ctx);
        memory(ctx);
        sorts(ctx);
        sorted_arrays(ctx);
        moves(ctx);
        sums(ctx);
        matrices(ctx);
        half_matrices<f16>(ctx, 0x3E00, 0x4000, 0x4200);
        half_matrices<bf16>(ctx, 0x3FC0, 0x4000, 0x4040);
        complex_numbers(ctx);
        pictures(ctx);
        tunings(ctx);
    }
    const floats x = {1, 2};
    EXPECT(dot({}, x, x) == 5); // on the default context
    std::puts("done");
}
