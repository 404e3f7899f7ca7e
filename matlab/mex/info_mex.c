/* info_mex.c - device = info_mex(backend), the gateway behind gpumex.info. */

#define FUNCTION "info"
#include "gateway.h"

static void set(mxArray *target, const char *field, mxArray *value)
{
    int number = mxAddField(target, field);
    if (number < 0)
        fail("outOfMemory", "no memory for field %s", field);
    mxSetFieldByNumber(target, 0, number, value);
}

static void set_number(mxArray *target, const char *field, double value)
{
    set(target, field, mxCreateDoubleScalar(value));
}

static void set_text(mxArray *target, const char *field, const char *value)
{
    set(target, field, mxCreateString(value));
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    begin(nlhs, 1, nrhs, 1, "device = info_mex(backend)");
    session s = open_session(prhs[0]);
    gpumex_device_info info = {.size = sizeof info};
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
