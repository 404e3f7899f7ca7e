/* methods.cc - how the interpreter finds the functions of this file. */

#include "methods.h"

#include <set>

#include <octave/defun-int.h>
#include <octave/version.h>

#include "elementwise.h"
#include "expression.h"
#include "help.h"
#include "package_help.h"

namespace gpuarrays {

static bool is_elementwise(const std::string &name)
{
    static const std::set<std::string> others = {"xor", "cast", "zeros", "ones", "Inf", "inf", "NaN", "nan"};
    return find_operation(name) != nullptr || others.count(name) != 0;
}

namespace {

/* A function that the interpreter takes for a method of the class gpuArray. */
class method : public octave_dld_function {
public:
    using octave_dld_function::octave_dld_function;
    bool is_legacy_method(const std::string &class_name) const override
    {
        return class_name.empty() || class_name == "gpuArray";
    }
    octave_value_list execute(octave::tree_evaluator &evaluator, int results, const octave_value_list &arguments) override
    {
        if (in_arrayfun() && !is_elementwise(name()))
            refuse_in_arrayfun(name());
        return octave_dld_function::execute(evaluator, results, arguments);
    }
};

} // namespace

/* In the place of each function of a file that came while the session had an older one. */
static octave_value_list built_anew(const octave_value_list &, int)
{
    fail("builtAnew", "gpuArray: it was built or installed anew while this session had it loaded: start Octave anew; in a folder that was copied "
                      "without its links call link_gpuarray first");
}

/* What a function runs that is loaded now. */
static implementation loaded(implementation body)
{
    document_package();
    return register_type() ? body : built_anew;
}

octave_function *make_method(implementation body, const octave::dynamic_library &library, const char *name)
{
    return new method(loaded(body), library, name, help_of(name));
}

octave_function *make_function(implementation body, const octave::dynamic_library &library, const char *name)
{
    return octave_dld_function::create(loaded(body), library, name, help_of(name));
}

void check_count(const char *name, const octave_value_list &arguments, int least, int most)
{
    int count = static_cast<int>(arguments.length());
    if (count < least || count > most)
        error("Invalid call to %s", name);
}

} // namespace gpuarrays
