/* allocator_mex.c - stats = allocator(action, capacity, largest, backend), the gateway behind gpumex.allocator.
 *
 * action: 'stats', 'trim', or an allocator. capacity, largest: bytes, or 'auto' to leave them. stats: as they are afterwards. */

#include "gateway.h"

enum { STATS = -1, TRIM = -2 };

static const enumerator actions[] = {{"stats", STATS},
                                     {"trim", TRIM},
                                     {"caching", GPUMEX_ALLOCATOR_CACHING},
                                     {"simple", GPUMEX_ALLOCATOR_SIMPLE},
                                     {"pool", GPUMEX_ALLOCATOR_POOL},
                                     {NULL, 0}};

static gpumex_allocator_stats read_stats(session s)
{
    gpumex_allocator_stats stats = GPUMEX_ALLOCATOR_STATS_INIT;
    check(s, gpumex_allocator_get_stats(s.ctx, &stats));
    return stats;
}

static uint64_t bytes_or(const mxArray *argument, const char *reason, const char *name, uint64_t current)
{
    return is_auto(argument) ? current : read_integer(argument, reason, name);
}

static mxArray *describe(gpumex_allocator_stats stats)
{
    static const char *const names[] = {"caching", "simple", "pool", "custom"};
    mxArray *result = mxCreateStructMatrix(1, 1, 0, NULL);
    set_text(result, "Allocator", names[stats.allocator & 3]);
    set_number(result, "Allocated", (double)stats.allocated);
    set_number(result, "Cached", (double)stats.cached);
    set_number(result, "Capacity", (double)stats.capacity);
    set_number(result, "Largest", (double)stats.largest);
    set_number(result, "Peak", (double)stats.peak);
    set_number(result, "AllocatedBlocks", (double)stats.allocated_blocks);
    set_number(result, "CachedBlocks", (double)stats.cached_blocks);
    set_number(result, "Hits", (double)stats.hits);
    set_number(result, "Misses", (double)stats.misses);
    set_number(result, "Evictions", (double)stats.evictions);
    return result;
}

void allocator_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "stats = allocator(action, capacity, largest, backend)");
    int32_t action = read_enum(prhs[0], "invalidAction", "action", actions);
    session s = open_session(prhs[3]);
    gpumex_allocator_stats before = read_stats(s);
    uint64_t capacity = bytes_or(prhs[1], "invalidCapacity", "capacity", before.capacity);
    uint64_t largest = bytes_or(prhs[2], "invalidLargest", "largest", before.largest);

    if (action >= 0)
        check(s, gpumex_allocator_select(s.ctx, action));
    if (capacity != before.capacity || largest != before.largest)
        check(s, gpumex_allocator_set_capacity(s.ctx, capacity, largest));
    if (action == TRIM)
        check(s, gpumex_allocator_trim(s.ctx));
    plhs[0] = describe(read_stats(s));
}
