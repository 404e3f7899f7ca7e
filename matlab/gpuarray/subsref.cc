/* subsref.cc - how the interpreter indexes a value, assigns to it, and takes it as an index or a condition. */

#include <octave/errwarn.h>

#include "construct.h"
#include "elementwise.h"
#include "expression.h"
#include "indexing.h"
#include "reductions.h"
#include "value.h"

namespace gpuarrays {

gpu_value *gpu_value::factory()
{
    gpu_value *made = new gpu_value();
    made->is_factory = true;
    return made;
}

octave_value gpu_value::do_index_op(const octave_value_list &idx, bool resize_ok)
{
    refuse_in_arrayfun("an index");
    if (resize_ok)
        fail("notServed", "gpuArray: an index that resizes is not served");
    return value_of(indexed(content, idx));
}

octave_value gpu_value::subsref(const std::string &type, const std::list<octave_value_list> &idx)
{
    refuse_in_arrayfun("an index");
    if (type[0] == '(')
        return value_of(indexed(content, idx.front())).next_subsref(type, idx);
    if (type[0] != '.' || !is_factory)
        error("a gpuArray cannot be indexed with %c", type[0]);
    std::string name = idx.front()(0).string_value();
    bool has_arguments = type.length() > 1 && type[1] == '(';
    octave_value made = construct(name, has_arguments ? *std::next(idx.begin()) : octave_value_list());
    return made.next_subsref(type, idx, has_arguments ? 2 : 1);
}

octave_value_list gpu_value::subsref(const std::string &type, const std::list<octave_value_list> &idx, int)
{
    return subsref(type, idx);
}

octave_value gpu_value::subsasgn(const std::string &type, const std::list<octave_value_list> &idx, const octave_value &rhs)
{
    refuse_in_arrayfun("an indexed assignment");
    if (type != "(")
        error("in indexed assignment of a gpuArray, the index must be one pair of ()");
    if (rhs.isnull()) {
        set(deleted(content, idx.front()));
    } else {
        array given = array_of(rhs, "indexed assignment");
        set(assigned(content, content.use_count() == 1, idx.front(), given));
    }
    count++;
    return octave_value(this);
}

octave::idx_vector gpu_value::index_vector(bool require_integers) const
{
    return download(content).index_vector(require_integers);
}

bool gpu_value::is_true() const
{
    refuse_in_arrayfun("a condition (if, while, && or ||)");
    if (is_scalar(content))
        return download(content).is_true();
    if (content->dims.any_zero())
        return octave_value(Matrix(content->dims)).is_true();
    return all_true(content);
}

octave_idx_type gpu_value::nnz() const
{
    refuse_in_arrayfun("nnz");
    return static_cast<octave_idx_type>(count_nonzeros(content));
}

} // namespace gpuarrays
