/* words.cc - zeros (2, 3, 'gpuArray'), zeros (2, 3, 'like', g), eps ('gpuArray').
 *
 * No argument of zeros (2, 3, 'gpuArray') is a gpuArray, so that the interpreter has no reason to look for a method. The built-in
 * function is replaced by one that looks at the last argument, and else calls it: no file shadows it. */

#include "words.h"

#include <octave/interpreter.h>
#include <octave/ov-builtin.h>
#include <octave/ov-usr-fcn.h>
#include <octave/parse.h>
#include <octave/pt-eval.h>
#include <octave/symtab.h>

#include "construct.h"
#include "device.h"
#include "expression.h"
#include "methods.h"

namespace gpuarrays {

static const char *const makers[] = {"zeros", "ones",  "eye", "Inf",     "inf",     "NaN",    "nan",    "true",    "false",
                                     "rand",  "randn", "eps", "realmax", "realmin", "intmax", "intmin", "flintmax"};
static const int maker_count = sizeof makers / sizeof makers[0], first_limit = 11; /* eps and its like make no arrays */
static octave_value *original_reset; /* of figures; never freed, as the others */
static octave_value *originals; /* never freed: the interpreter may call them until it ends */

static bool ends_with_word(const octave_value_list &arguments)
{
    int count = static_cast<int>(arguments.length());
    return count > 0 && arguments(count - 1).is_string() && arguments(count - 1).string_value() == "gpuArray";
}

static octave_value_list call_original(int k, const octave_value_list &arguments, int results)
{
    octave_builtin *original = dynamic_cast<octave_builtin *>(originals[k].function_value());
    if (octave_builtin::fcn function = original->function())
        return function(arguments, results);
    return original->method()(*octave::interpreter::the_interpreter(), arguments, results);
}

/* eps ('gpuArray'), which functions of Octave come to by eps (class (x)): the class of the elements is not known there. */
[[noreturn]] static void refuse_limit(const char *name)
{
    octave_user_code *caller = octave::interpreter::the_interpreter()->get_evaluator().current_user_code();
    std::string function = caller == nullptr || caller->name().empty() ? name : caller->name();
    fail("notServed", "%s: not served for gpuArrays: %s ('gpuArray') has no value, %s (underlyingType (x)) has one; gather gives an "
         "array of the host", function.c_str(), name, name);
}

template <int k>
static octave_value_list make(const octave_value_list &arguments, int results)
{
    if (!ends_with_word(arguments))
        return call_original(k, arguments, results);
    if (k >= first_limit)
        refuse_limit(makers[k]);
    return construct(makers[k], arguments);
}

template <int k>
static void install(octave::symbol_table &symbols)
{
    octave_value original = symbols.builtin_find(makers[k]);
    octave_builtin *known = original.is_defined() ? dynamic_cast<octave_builtin *>(original.function_value(true)) : nullptr;
    if (known != nullptr && known->is_builtin_function()) {
        originals[k] = original;
        symbols.install_built_in_function(
            makers[k], octave_value(new octave_builtin(make<k>, makers[k], known->src_file_name(), known->doc_string())));
    }
    if constexpr (k + 1 < maker_count)
        install<k + 1>(symbols);
}

/* randi is a file, in front of which the interpreter looks for a method of the class of the arguments: the built-in function of that
   name is made one for numbers. */
static octave_value_list make_randi(const octave_value_list &arguments, int results)
{
    if (ends_with_word(arguments))
        return construct("randi", arguments);
    octave_value file = octave::interpreter::the_interpreter()->get_symbol_table().find_user_function("randi");
    return octave::feval(file, arguments, results);
}

static void install_randi(octave::symbol_table &symbols)
{
    if (symbols.builtin_find("randi").is_undefined())
        return;
    symbols.install_built_in_function("randi", octave_value(new octave_builtin(make_randi, "randi", "", "")));
    for (const char *type : {"double", "single", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
        symbols.install_built_in_dispatch("randi", type);
}

static octave_value_list make_reset(const octave_value_list &arguments, int results)
{
    if (arguments.length() == 1 && arguments(0).isstruct() && arguments(0).map_value().contains("DeviceSelected"))
        return reset_device();
    octave_builtin *original = dynamic_cast<octave_builtin *>(original_reset->function_value());
    return original->method()(*octave::interpreter::the_interpreter(), arguments, results);
}

static void install_reset(octave::symbol_table &symbols)
{
    octave_value original = symbols.builtin_find("reset");
    octave_builtin *known = original.is_defined() ? dynamic_cast<octave_builtin *>(original.function_value(true)) : nullptr;
    if (known == nullptr || known->method() == nullptr)
        return;
    original_reset = new octave_value(original);
    symbols.install_built_in_function(
        "reset", octave_value(new octave_builtin(make_reset, "reset", known->src_file_name(), known->doc_string())));
}

void install_words()
{
    originals = new octave_value[maker_count];
    octave::symbol_table &symbols = octave::interpreter::the_interpreter()->get_symbol_table();
    install<0>(symbols);
    install_randi(symbols);
    install_reset(symbols);
}

/* With 'like' and a gpuArray; otherwise a gpuArray is a size, and the result is Octave's. */
static octave_value_list make_like(const char *name, const octave_value_list &arguments, int results)
{
    for (int k = 0; k + 1 < arguments.length(); k++)
        if (arguments(k).is_string() && arguments(k).string_value() == "like")
            return construct(name, arguments);
    octave_value_list given;
    for (int k = 0; k < arguments.length(); k++)
        given.append(on_host(arguments(k)));
    return octave::feval(name, given, results);
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(zeros, arguments, results)
{
    return make_like("zeros", arguments, results);
}

GPU_METHOD(ones, arguments, results)
{
    return make_like("ones", arguments, results);
}

GPU_METHOD(eye, arguments, results)
{
    return make_like("eye", arguments, results);
}

GPU_METHOD(Inf, arguments, results)
{
    return make_like("Inf", arguments, results);
}

GPU_METHOD(inf, arguments, results)
{
    return make_like("inf", arguments, results);
}

GPU_METHOD(NaN, arguments, results)
{
    return make_like("NaN", arguments, results);
}

GPU_METHOD(nan, arguments, results)
{
    return make_like("nan", arguments, results);
}

GPU_METHOD(true, arguments, results)
{
    return make_like("true", arguments, results);
}

GPU_METHOD(false, arguments, results)
{
    return make_like("false", arguments, results);
}

GPU_METHOD(rand, arguments, results)
{
    return make_like("rand", arguments, results);
}

GPU_METHOD(randn, arguments, results)
{
    return make_like("randn", arguments, results);
}

GPU_METHOD(randi, arguments, results)
{
    return make_like("randi", arguments, results);
}

GPU_METHOD(linspace, arguments, results)
{
    return construct("linspace", arguments);
}

GPU_METHOD(colon, arguments, results)
{
    return construct("colon", arguments);
}

GPU_METHOD(cast, arguments, results)
{
    check_count("cast", arguments, 2, 3);
    array a = array_of(arguments(0), "cast");
    std::string word = arguments(1).xstring_value("cast: TYPE must be a string");
    if (arguments.length() == 3 && word == "like")
        return value_of(converted(a, array_of(arguments(2), "cast")->dtype));
    const element_class *target = find_class(word);
    if (target == nullptr)
        error("cast: TYPE '%s' is not a class of numbers", word.c_str());
    return value_of(converted(a, target->dtype));
}
