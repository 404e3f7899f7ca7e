/* info_mex.c - device = info(backend), the gateway behind gpumex.info. */

#include <stdio.h>

#include "gateway.h"

void info_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 1, "device = info(backend)");
    session s = open_session(prhs[0]);
    gpumex_device_info info = GPUMEX_DEVICE_INFO_INIT;
    check(s, gpumex_context_device_info(s.ctx, &info));
    char capability[32] = "";
    if (info.backend == GPUMEX_BACKEND_CUDA)
        snprintf(capability, sizeof capability, "%d.%d", (int)info.compute_major, (int)info.compute_minor);
    const char *text = gpumex_context_device_text(s.ctx);

    mxArray *device = plhs[0] = mxCreateStructMatrix(1, 1, 0, NULL);
    set_text(device, "Backend", info.backend == GPUMEX_BACKEND_CUDA ? "cuda" : "cpu");
    set_text(device, "Name", info.name);
    set_number(device, "Ordinal", info.device);
    set_text(device, "ComputeCapability", capability);
    set_number(device, "MultiprocessorCount", info.multiprocessors);
    set_number(device, "ClockRateKHz", info.clock_khz);
    set_number(device, "MemoryClockRateKHz", info.memory_clock_khz);
    set_number(device, "MemoryBusWidth", info.memory_bus_bits);
    set_number(device, "MemoryBandwidth", info.bandwidth_gbs);
    set_number(device, "TotalMemory", (double)info.total_memory);
    set_number(device, "AvailableMemory", (double)info.free_memory);
    set_number(device, "L2CacheSize", (double)info.l2_bytes);
    set_number(device, "MaxShmemPerBlock", (double)info.shared_bytes_per_block);
    set(device, "ECC", mxCreateLogicalScalar(info.ecc == 1));
    set_number(device, "DriverVersion", info.driver_version);
    set_text(device, "Text", text != NULL ? text : "");
    set_text(device, "Version", gpumex_version());
    set_text(device, "Build", gpumex_build_info());
    set(device, "KernelMs", kernel_ms(s));
}
