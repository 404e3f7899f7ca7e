/* saving.cc - save and load: a gpuArray is in a file what its elements would be on the host, behind the name of their type. */

#include <octave/byte-swap.h>
#include <octave/ls-oct-text.h>
#include <octave/ls-utils.h>
#include <octave/interpreter.h>
#include <octave/ov-typeinfo.h>

#include <algorithm>

#include "value.h"

namespace gpuarrays {

/* "int8 matrix" is one word in a file. */
static std::string as_word(std::string type)
{
    std::replace(type.begin(), type.end(), ' ', '_');
    return type;
}

static octave_value value_of_type(std::string type)
{
    std::replace(type.begin(), type.end(), '_', ' ');
    octave_value value = octave::__get_type_info__("gpuArray").lookup_type(type);
    if (value.is_undefined())
        error("load: a gpuArray of the unknown type %s", type.c_str());
    return value;
}

bool gpu_value::save_ascii(std::ostream &os)
{
    octave_value elements = download(content);
    os << "# elements: " << as_word(elements.type_name()) << "\n";
    return elements.save_ascii(os);
}

bool gpu_value::load_ascii(std::istream &is)
{
    std::string type;
    if (!extract_keyword(is, "elements", type, true))
        error("load: failed to find the type of the elements of a gpuArray");
    octave_value elements = value_of_type(type);
    if (!elements.load_ascii(is))
        return false;
    set(upload(elements, "load"));
    return true;
}

bool gpu_value::save_binary(std::ostream &os, bool save_as_floats)
{
    octave_value elements = download(content);
    std::string type = as_word(elements.type_name());
    int32_t length = static_cast<int32_t>(type.size());
    os.write(reinterpret_cast<const char *>(&length), sizeof length);
    os.write(type.data(), length);
    return os.good() && elements.save_binary(os, save_as_floats);
}

bool gpu_value::load_binary(std::istream &is, bool swap, octave::mach_info::float_format format)
{
    int32_t length = 0;
    is.read(reinterpret_cast<char *>(&length), sizeof length);
    if (swap)
        swap_bytes<4>(&length);
    if (!is || length < 1 || length > 64)
        return false;
    std::string type(static_cast<std::size_t>(length), ' ');
    is.read(&type[0], length);
    octave_value elements = value_of_type(type);
    if (!is || !elements.load_binary(is, swap, format))
        return false;
    set(upload(elements, "load"));
    return true;
}

[[noreturn]] static void refuse_format()
{
    fail("notServed", "save: gpuArrays are kept in Octave's text and binary formats; gather what goes into another one");
}

bool gpu_value::save_hdf5(octave_hdf5_id, const char *, bool)
{
    refuse_format();
}

octave_map gpu_value::map_value() const
{
    std::string function = current_function();
    if (function == "save")
        refuse_format();
    fail("notServed", "%s: not served for gpuArrays; gather gives an array of the host", function.c_str());
}

} // namespace gpuarrays
