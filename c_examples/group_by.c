/* group_by.c - a group-by and a join that stay on the device: what the orders of each customer add up to, with his region.
 *
 *     SELECT customer, region, SUM(amount) FROM orders JOIN customers USING (customer) GROUP BY customer
 *
 * Build:  make examples
 * Run:    group_by
 *
 * Orders are sorted by customer, amounts moving along; reduce_by_key adds the amounts of a customer; join finds his row in the table
 * of customers; gather takes totals and regions. Prints the first lines, and exits with 1 when the totals do not add up:
 *
 *     customer 1: region 1, total 994 */
#include "common.h"

enum { ORDERS = 100000, CUSTOMERS = 1000, KNOWN = CUSTOMERS / 2, SHOWN = 3, COLUMNS = 8 };

static void *allocate_on_device(gpumex_context *ctx, size_t bytes) {
    void *memory;
    CHECK(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes, &memory));
    return memory;
}

int main(void) {
    static uint32_t customer[ORDERS], known[KNOWN], region[KNOWN];
    static int64_t amount[ORDERS], total[CUSTOMERS];
    int64_t want = 0, got = 0;
    for (uint32_t i = 0; i < ORDERS; i++) {
        customer[i] = i * 2654435761u % CUSTOMERS;
        amount[i] = i % 21;
        if (customer[i] % 2 == 1) want += amount[i]; /* odd customers are in the table */
    }
    for (uint32_t i = 0; i < KNOWN; i++) {
        known[i] = 2 * i + 1;
        region[i] = known[i] % 4;
    }

    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    void *column[COLUMNS]; /* keys, amounts, customers, sums, rows of both tables, totals; and how many */
    for (int i = 0; i < COLUMNS; i++) column[i] = allocate_on_device(ctx, ORDERS * sizeof amount[0]);
    void *keys = column[0], *amounts = column[1], *unique = column[2], *sums = column[3];
    void *a = column[4], *b = column[5], *totals = column[6], *regions = column[7];
    uint64_t groups, rows;

    CHECK(gpumex_sort(ctx, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U32, .payload = GPUMEX_PAYLOAD_VALUES,
                                          .value_dtype = GPUMEX_DTYPE_I64),
                      customer, amount, ORDERS, keys, amounts));
    CHECK(gpumex_reduce_by_key(ctx, GPUMEX_OPTIONS(reduce_by_key, .dtype = GPUMEX_DTYPE_I64, .key_dtype = GPUMEX_DTYPE_U32),
                               keys, amounts, ORDERS, unique, sums, NULL, CUSTOMERS, &groups));
    CHECK(gpumex_join(ctx, GPUMEX_OPTIONS(join, .dtype = GPUMEX_DTYPE_U32, .index_dtype = GPUMEX_DTYPE_U64), unique, groups,
                      known, KNOWN, a, b, CUSTOMERS, &rows));
    CHECK(gpumex_gather(ctx, GPUMEX_OPTIONS(gather, .dtype = GPUMEX_DTYPE_I64, .index_dtype = GPUMEX_DTYPE_U64), sums, groups,
                        a, rows, totals));
    CHECK(gpumex_gather(ctx, GPUMEX_OPTIONS(gather, .dtype = GPUMEX_DTYPE_U32, .index_dtype = GPUMEX_DTYPE_U64), region, KNOWN,
                        b, rows, regions));
    CHECK(gpumex_copy(ctx, total, totals, rows * sizeof total[0]));
    CHECK(gpumex_copy(ctx, region, regions, rows * sizeof region[0]));

    for (uint64_t i = 0; i < rows; i++) {
        got += total[i];
        if (i < SHOWN) printf("customer %" PRIu32 ": region %" PRIu32 ", total %" PRId64 "\n", known[i], region[i], total[i]);
    }
    for (int i = 0; i < COLUMNS; i++) CHECK(gpumex_free(column[i]));
    gpumex_context_destroy(ctx);
    return rows == KNOWN && got == want ? 0 : 1;
}
