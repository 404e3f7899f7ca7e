/* array_mex.c - [...] = array(action, ...), the gateway behind gpumex.array.
 *
 *   handle = array('upload', data, backend)
 *   data   = array('gather', handle)
 *            array('free', handle) */

#include "gateway.h"

enum { UPLOAD, GATHER, FREE };

static const enumerator actions[] = {{"upload", UPLOAD}, {"gather", GATHER}, {"free", FREE}, {NULL, 0}};

static mxArray *upload(const mxArray *argument, const mxArray *backend)
{
    operand data = read_operand(argument);
    int is_data = is_full_real(data) && element_bytes(data.class_id) > 0;
    require(is_data, "invalidData", "data", data, "it is a full real array: logical, char or of numbers");
    session s = open_session(backend);
    result copy = new_result(s, ON_DEVICE, data.class_id, data.ndims, data.dims);
    size_t bytes = count_elements(data.ndims, data.dims) * element_bytes(data.class_id);
    check(s, gpumex_copy(s.ctx, copy.data, data.data, bytes));
    return to_mxarray(copy);
}

static mxArray *gather(const mxArray *handle)
{
    const array *found = array_of(handle);
    if (found == NULL)
        require(0, "invalidArray", "array", read_operand(handle), "it is a gpumex.array");
    session s = session_on(found->backend);
    mxArray *data = new_unset_array(found->class_id, found->ndims, found->dims);
    size_t bytes = count_elements(found->ndims, found->dims) * element_bytes(found->class_id);
    check(s, gpumex_copy(s.ctx, mxGetData(data), found->data, bytes));
    return data;
}

void array_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    if (nrhs < 1)
        fail("argumentCount", "no input; the first one is an action");
    switch (read_enum(prhs[0], "invalidAction", "action", actions)) {
    case UPLOAD:
        check_argument_count(nlhs, 1, nrhs, 3, "handle = array('upload', data, backend)");
        plhs[0] = upload(prhs[1], prhs[2]);
        break;
    case GATHER:
        check_argument_count(nlhs, 1, nrhs, 2, "data = array('gather', handle)");
        plhs[0] = gather(prhs[1]);
        break;
    default:
        check_argument_count(nlhs, 0, nrhs, 2, "array('free', handle)");
        free_array(prhs[1]);
    }
}
