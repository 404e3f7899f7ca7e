/* display.cc - a value as text: what Octave shows of the elements, below a line with class and size. */

#include "value.h"

namespace gpuarrays {

bool gpu_value::print_as_scalar() const
{
    return is_scalar(content) || content->dims.any_zero();
}

bool gpu_value::print_name_tag(std::ostream &os, const std::string &name) const
{
    evaluate(content); /* its error comes before anything is shown */
    indent(os);
    os << name << " = ";
    if (print_as_scalar())
        return false;
    os << "gpuArray " << description_of(content->dtype) << ' ' << content->dims.str();
    newline(os);
    newline(os);
    return true;
}

void gpu_value::print(std::ostream &os, bool as_read_syntax)
{
    print_raw(os, as_read_syntax);
    newline(os);
}

void gpu_value::print_raw(std::ostream &os, bool as_read_syntax) const
{
    download(content).print_raw(os, as_read_syntax);
}

void gpu_value::short_disp(std::ostream &os) const
{
    os << "gpuArray " << description_of(content->dtype) << ' ' << content->dims.str();
}

} // namespace gpuarrays
