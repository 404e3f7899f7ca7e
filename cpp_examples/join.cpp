// join.cpp - a group-by and a join whose arrays stay on the device: what the orders of each customer add up to.
//
//     SELECT customer, region, SUM(amount) FROM orders JOIN customers USING (customer) GROUP BY customer
//
// Build:  make examples
//    or:  g++ -std=c++20 -O2 cpp_examples/join.cpp -o join -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
// Run:    join
//
// Prints the first lines, and exits with 1 when the totals do not add up:
//
//     customer 1: region 1, total 994
#include <gpumex.hpp>

#include <cstdio>
#include <vector>

int main() try {
    const std::uint32_t orders = 100000, customers = 1000;
    std::vector<std::uint32_t> customer(orders), known(customers / 2), region(customers / 2);
    std::vector<std::int64_t> amount(orders);
    std::int64_t want = 0, got = 0;
    for (std::uint32_t i = 0; i < orders; i++) {
        customer[i] = i * 2654435761u % customers;
        amount[i] = i % 21;
        if (customer[i] % 2 == 1) want += amount[i]; // odd customers are in the table
    }
    for (std::uint32_t i = 0; i < known.size(); i++) {
        known[i] = 2 * i + 1;
        region[i] = known[i] % 4;
    }

    const gpumex::context ctx;
    const gpumex::array keys(ctx, customer);
    const gpumex::array amounts(ctx, amount);
    const auto sorted = gpumex::sort(ctx, keys, amounts);
    const auto totals = gpumex::reduce_by_key(ctx, sorted.keys, sorted.values);
    const auto rows = gpumex::join(ctx, totals.keys, known); // positions in both tables
    gpumex::array<std::int64_t> total(ctx, rows.a.size());
    gpumex::gather(ctx, totals.results, rows.a, total);
    std::vector<std::uint32_t> name(rows.b.size()), where(rows.b.size());
    gpumex::gather(ctx, known, rows.b, name);
    gpumex::gather(ctx, region, rows.b, where);

    const auto sums = total.to_vector();
    for (std::size_t i = 0; i < sums.size(); i++) {
        got += sums[i];
        const auto sum = static_cast<long long>(sums[i]);
        if (i < 3) std::printf("customer %u: region %u, total %lld\n", name[i], where[i], sum);
    }
    return got == want ? 0 : 1;
} catch (const gpumex::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
