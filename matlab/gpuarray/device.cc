/* device.cc - gpuDevice and its relatives: which device, how much memory, and waiting for it. */

#include <octave/ov-struct.h>

#include "device.h"
#include "methods.h"

namespace gpuarrays {

static octave_scalar_map device_info()
{
    gpumex_device_info info = GPUMEX_DEVICE_INFO_INIT;
    check(gpumex_context_device_info(context(), &info), "gpuDevice");
    bool is_cuda = info.backend == GPUMEX_BACKEND_CUDA;
    octave_scalar_map fields;
    fields.assign("Name", std::string(info.name));
    fields.assign("Index", is_cuda ? info.device + 1.0 : 0.0);
    fields.assign("Backend", is_cuda ? "cuda" : "cpu");
    fields.assign("ComputeCapability", std::to_string(info.compute_major) + "." + std::to_string(info.compute_minor));
    fields.assign("SupportsDouble", true);
    fields.assign("DriverVersion", std::to_string(info.driver_version / 1000) + "."
                                       + std::to_string(info.driver_version % 1000 / 10));
    fields.assign("MultiprocessorCount", static_cast<double>(info.multiprocessors));
    fields.assign("ClockRateKHz", static_cast<double>(info.clock_khz));
    fields.assign("TotalMemory", static_cast<double>(info.total_memory));
    fields.assign("AvailableMemory", static_cast<double>(info.free_memory));
    fields.assign("DeviceAvailable", is_cuda);
    fields.assign("DeviceSelected", true);
    return fields;
}

static void select_device(const octave_value &which)
{
    if (which.is_string()) {
        std::string word = which.string_value();
        if (word != "cpu" && word != "cuda")
            fail("invalidDevice", "gpuDevice: '%s' is no backend; there are 'cpu' and 'cuda'", word.c_str());
        choose_context(word == "cpu" ? GPUMEX_BACKEND_CPU : GPUMEX_BACKEND_CUDA, -1);
    } else if (!which.isempty()) {
        double index = which.double_value();
        if (index != std::round(index) || index < 1 || index > 1e6)
            fail("invalidDevice", "gpuDevice: the index of a device is a whole number from 1");
        choose_context(GPUMEX_BACKEND_CUDA, static_cast<int32_t>(index) - 1);
    }
}

octave_value_list reset_device()
{
    evaluate_all();
    check(gpumex_context_synchronize(context()), "reset");
    check(gpumex_allocator_trim(context()), "reset");
    return octave_value_list();
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_FUNCTION(gpuDevice, arguments, results)
{
    check_count("gpuDevice", arguments, 0, 1);
    if (arguments.length() == 1)
        select_device(arguments(0));
    return octave_value(device_info());
}

GPU_FUNCTION(gpuDeviceCount, arguments, results)
{
    check_count("gpuDeviceCount", arguments, 0, 1);
    int32_t count = 0;
    check(gpumex_device_count(&count), "gpuDeviceCount");
    return ovl(static_cast<double>(count));
}

GPU_FUNCTION(wait, arguments, results)
{
    check_count("wait", arguments, 1, 1);
    if (!arguments(0).isstruct() && !is_gpu(arguments(0)))
        fail("invalidDevice", "wait: needs what gpuDevice returns");
    evaluate_all();
    check(gpumex_context_synchronize(context()), "wait");
    return octave_value_list();
}
