/* package_help.cc - `help gpumex` in Octave lists the functions of the package, which is the text of Contents.m.
 *
 * Octave's help finds the package by its name and takes it for a function without a text. A command-line function comes before a package
 * (symbol_table::find_function): the one that is installed here is the package itself, with a text. `clear functions` takes it
 * away, and the next function that is loaded brings it back. exist ("gpumex") is 103 meanwhile, and 0 without it. */

#include "package_help.h"

#include <octave/cdef-manager.h>
#include <octave/interpreter.h>
#include <octave/load-path.h>
#include <octave/oct.h>
#include <octave/ov-classdef.h>
#include <octave/parse.h>
#include <octave/symtab.h>

namespace gpuarrays {

static const char package_name[] = "gpumex";

namespace {

class documented_package : public octave_classdef_meta {
public:
    using octave_classdef_meta::octave_classdef_meta;
    std::string doc_string(const std::string &) const override
    {
        const std::string beside = octave::fcn_file_in_path("gpumex_gateway.m");
        if (beside.empty())
            return ""; /* not on the path any more */
        const std::string contents = beside.substr(0, beside.rfind('/') + 1) + "Contents.m";
        return octave::feval("get_help_text", octave_value(contents), 1)(0).string_value();
    }
};

} // namespace

void document_package()
{
    octave::interpreter *interpreter = octave::interpreter::the_interpreter();
    octave::symbol_table &symbols = interpreter->get_symbol_table();
    if (symbols.find_cmdline_function(package_name).is_defined())
        return;
    const octave::cdef_package package = interpreter->get_cdef_manager().find_package(package_name, false);
    if (package.ok())
        symbols.install_cmdline_function(package_name, octave_value(new documented_package(package)));
}

} // namespace gpuarrays
