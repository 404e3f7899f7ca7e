/* gpumex_mex.c - [...] = gpumex_mex(operation, ...), the MEX file behind every function of gpumex.
 *
 * The inputs are those of the gateway; behind '.operation' they are written as users do, which calls.c reads. */

#include <string.h>

#include "gateway.h"

static const struct {
    const char *name;
    gateway *run;
} gateways[] = {
    {"add", add_mex},
    {"allocator", allocator_mex},
    {"array", array_mex},
    {"bulk_insert", bulk_insert_mex},
    {"bulk_remove", bulk_remove_mex},
    {"c_call", c_call_mex},
    {"cat", cat_mex},
    {"comm", comm_mex},
    {"compact", compact_mex},
    {"convolve", convolve_mex},
    {"copy", copy_mex},
    {"device", device_mex},
    {"dot_product", dot_product_mex},
    {"fill", fill_mex},
    {"find", find_mex},
    {"gather", gather_mex},
    {"gather_nd", gather_nd_mex},
    {"histcounts", histcounts_mex},
    {"histogram", histogram_mex},
    {"info", info_mex},
    {"intersect", set_operation_mex},
    {"interval_expand", interval_expand_mex},
    {"interval_move", interval_move_mex},
    {"ismember", ismember_mex},
    {"join", join_mex},
    {"life", life_mex},
    {"load_balance_search", load_balance_search_mex},
    {"map", map_mex},
    {"matmul", matmul_mex},
    {"medfilt2", medfilt2_mex},
    {"merge_keys", merge_mex},
    {"pack_board", pack_board_mex},
    {"permute", permute_mex},
    {"random", random_mex},
    {"raytrace", raytrace_mex},
    {"read_pattern", read_pattern_mex},
    {"reduce", reduce_mex},
    {"reduce_by_key", reduce_by_key_mex},
    {"reduce_dim", reduce_dim_mex},
    {"reset_default", reset_default_mex},
    {"reshape", reshape_mex},
    {"resize", resize_mex},
    {"scan", scan_mex},
    {"scan_dim", scan_dim_mex},
    {"scatter", scatter_mex},
    {"scatter_nd", scatter_nd_mex},
    {"search", search_mex},
    {"segreduce", segreduce_mex},
    {"segsort", segsort_mex},
    {"setdiff", set_operation_mex},
    {"setxor", set_operation_mex},
    {"sort_by_key", sort_by_key_mex},
    {"sort_keys", sort_mex},
    {"sorted_equality_count", sorted_equality_count_mex},
    {"sortrows", sortrows_mex},
    {"spmv", spmv_mex},
    {"threads", threads_mex},
    {"timer", timer_mex},
    {"tuning", tuning_mex},
    {"union", set_operation_mex},
    {"unique", unique_mex},
    {"unpack_board", unpack_board_mex},
    {"version", version_mex},
    {"words", words_mex},
    {"write_pattern", write_pattern_mex},
};

/* Frees the temporaries of a call: its scratch, and results when it ends with an error. */
static void clean_up(void)
{
    cancel_on_interrupt(NULL);
    free_temporaries();
    release_gpu_arrays();
}

/* Should somebody unlock the MEX file and clear it, nothing is left behind. */
static void close_all(void)
{
    clean_up();
    free_all_arrays();
    close_groups();
    close_contexts();
}

/* The MEX file stays in memory, whatever `clear` says: it holds the contexts and the arrays. mexIsLocked would not do to ask: Octave
 * looks for the MEX file by its name, from which it reads the whole path anew where the caller does not see a private folder. */
static void lock_in_memory(void)
{
    static int has_locked;
    if (has_locked)
        return;
    note_settings();
    mexLock();
    mexAtExit(close_all);
    set_cleanup(clean_up);
    has_locked = 1;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    lock_in_memory();
    clean_up();

    char name[32] = "";
    if (nrhs > 0 && mxIsChar(prhs[0]))
        mxGetString(prhs[0], name, sizeof name);
    const int has_options = name[0] == '.';
    for (size_t k = 0; k < sizeof gateways / sizeof gateways[0]; k++) {
        if (strcmp(name + has_options, gateways[k].name) != 0)
            continue;
        operation = gateways[k].name;
        if (has_options)
            run_call(operation, gateways[k].run, nlhs, plhs, nrhs - 1, prhs + 1);
        else
            gateways[k].run(nlhs, plhs, nrhs - 1, prhs + 1);
        clean_up();
        return;
    }
    fail_as("gpumex_call", "invalidOperation", "'%s' is not an operation of this MEX file", name);
}
