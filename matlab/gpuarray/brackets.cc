/* brackets.cc - [1 0; 0 g]: rows of a bracket that have no gpuArray.
 *
 * Where a bracket has a gpuArray in some row, Octave joins each row by the method horzcat of the row's own class. For the built-in
 * classes there is none, and it fails. So the built-in functions are declared to be the methods of these classes, too. */

#include <octave/interpreter.h>
#include <octave/symtab.h>

namespace gpuarrays {

static bool declare_methods()
{
    octave::interpreter *interpreter = octave::interpreter::the_interpreter();
    if (interpreter == nullptr || interpreter->get_type_info().lookup_type("gpuArray").is_defined())
        return false; /* an older copy of the file has done it */
    octave::symbol_table &symbols = interpreter->get_symbol_table();
    for (const char *function : {"horzcat", "vertcat"})
        for (const char *type : {"double", "single", "logical", "char", "int8", "int16", "int32", "int64", "uint8", "uint16",
                                 "uint32", "uint64"})
            symbols.install_built_in_dispatch(function, type);
    return true;
}

static const bool has_methods = declare_methods(); /* when the interpreter reads the file */

} // namespace gpuarrays
