/* showing.cc - functions that show elements, as text or as a picture: they take them from the host, as display does. */

#include <octave/parse.h>

#include "methods.h"

namespace gpuarrays {

static octave_value_list show(const char *name, const octave_value_list &arguments, int results)
{
    octave_value_list given;
    for (int k = 0; k < arguments.length(); k++)
        given.append(on_host(arguments(k)));
    return octave::feval(name, given, results);
}

} // namespace gpuarrays

#define GPU_SHOWS(name)                                    \
    {                                                      \
        return gpuarrays::show(#name, arguments, results); \
    }

GPU_METHOD(printf, arguments, results) GPU_SHOWS(printf)
GPU_METHOD(fprintf, arguments, results) GPU_SHOWS(fprintf)
GPU_METHOD(sprintf, arguments, results) GPU_SHOWS(sprintf)
GPU_METHOD(num2str, arguments, results) GPU_SHOWS(num2str)
GPU_METHOD(int2str, arguments, results) GPU_SHOWS(int2str)
GPU_METHOD(mat2str, arguments, results) GPU_SHOWS(mat2str)
GPU_METHOD(jsonencode, arguments, results) GPU_SHOWS(jsonencode)
GPU_METHOD(plot, arguments, results) GPU_SHOWS(plot)
GPU_METHOD(plot3, arguments, results) GPU_SHOWS(plot3)
GPU_METHOD(semilogx, arguments, results) GPU_SHOWS(semilogx)
GPU_METHOD(semilogy, arguments, results) GPU_SHOWS(semilogy)
GPU_METHOD(loglog, arguments, results) GPU_SHOWS(loglog)
GPU_METHOD(bar, arguments, results) GPU_SHOWS(bar)
GPU_METHOD(stem, arguments, results) GPU_SHOWS(stem)
GPU_METHOD(stairs, arguments, results) GPU_SHOWS(stairs)
GPU_METHOD(scatter, arguments, results) GPU_SHOWS(scatter)
GPU_METHOD(image, arguments, results) GPU_SHOWS(image)
GPU_METHOD(imagesc, arguments, results) GPU_SHOWS(imagesc)
GPU_METHOD(imshow, arguments, results) GPU_SHOWS(imshow)
GPU_METHOD(surf, arguments, results) GPU_SHOWS(surf)
GPU_METHOD(mesh, arguments, results) GPU_SHOWS(mesh)
GPU_METHOD(contour, arguments, results) GPU_SHOWS(contour)
GPU_METHOD(pcolor, arguments, results) GPU_SHOWS(pcolor)
