/* stand_in_functions.h - the functions of the driver that the library calls, and cudarc for it: driver, device, contexts, streams and
 * events. A part of stand_in_driver.c. */

#define UNDER_LOCK(work) (pthread_mutex_lock(&lock), (work), (void)pthread_mutex_unlock(&lock))

/* ---- the driver and its device: an H200 ---------------------------------------------------------------------------------------- */

int cuInit(unsigned flags) {
    ENTER(ANYWHERE, VALUE, BAD_DEVICE, MISMATCH, NO_DEVICE, MEMORY, OPERATING_SYSTEM, SYSTEM_NOT_READY, UNKNOWN);
    return flags == 0 ? 0 : VALUE;
}

int cuDriverGetVersion(int *version) {
    ENTER(ANYWHERE, VALUE);
    return *version = 13000, 0;
}

int cuDeviceGetCount(int *count) {
    ENTER(ANYWHERE, COMMON);
    return *count = devices(), 0;
}

int cuDeviceGet(int *device, int ordinal) {
    ENTER(ANYWHERE, COMMON, BAD_DEVICE);
    return *device = ordinal, check_device(ordinal);
}

int cuDeviceGetName(char *name, int bytes, int device) {
    ENTER(ANYWHERE, COMMON, BAD_DEVICE);
    return snprintf(name, (size_t)bytes, "stand-in %d", device), check_device(device);
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    ENTER(ANYWHERE, COMMON, BAD_DEVICE);
    return *bytes = (size_t)141 << 30, check_device(device);
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    ENTER(ANYWHERE, COMMON, BAD_DEVICE);
    static const int values[][2] = {{75, 9}, {76, 0}, {16, 132}, {13, 1980000}, {36, 3201000}, {37, 6144}, {32, 1}, {38, 60 << 20},
                                    {97, 227 << 10}, {11, 0x7fffffff}, {89, 1}, {1, 1024}, {8, 48 << 10}, {81, 228 << 10}};
    *value = 1;
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        if (values[i][0] == attribute) *value = values[i][1];
    }
    return check_device(device);
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device) {
    ENTER(ANYWHERE, COMMON, BAD_DEVICE);
    return memset(uuid, 7 + device, 16), check_device(device);
}

/* ---- contexts ------------------------------------------------------------------------------------------------------------------ */

int cuDevicePrimaryCtxRetain(void **context, int device) {
    ENTER(ANYWHERE, COMMON, BAD_DEVICE, MEMORY, UNAVAILABLE, OPERATING_SYSTEM, NOT_SUPPORTED, UNKNOWN);
    if (check_device(device)) return BAD_DEVICE;
    UNDER_LOCK((states[device].is_active = 1, ++states[device].references, ++live[LIVE_CONTEXTS]));
    return (*context = &primaries[device], 0);
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    ENTER(RELEASES, DEINITIALIZED, UNINITIALIZED, BAD_DEVICE, BAD_CONTEXT);
    if (check_device(device)) misused(__func__);
    UNDER_LOCK((--states[device].references, --live[LIVE_CONTEXTS]));
    return fault;
}

/* Ends all that is in the context of a device; the next who retains it finds another one under the same handle. */
int cuDevicePrimaryCtxReset_v2(int device) {
    pthread_mutex_lock(&lock);
    for (object *one = objects, *next; one != NULL; one = next) {
        next = one->next;
        if (one->device != device || one->kind == LIVE_GRAPHS || one->kind == LIVE_USER_OBJECTS) continue; /* the program ends its captures itself */
        one->memory = NULL;                                                      /* its address is not given again */
        take_out(one);
    }
    struct primary *const ended = &states[device];
    live[LIVE_CONTEXTS] -= ended->references;
    *ended = (struct primary){.fault = lost ? ended->fault : 0, .resets = ended->resets + 1};
    for (int other = 0; other < MOST_DEVICES; ++other) states[other].sees[device] = 0;
    pthread_mutex_unlock(&lock);
    return check_device(device);
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    ENTER(ANYWHERE, DEINITIALIZED, UNINITIALIZED, BAD_DEVICE, VALUE);
    return *flags = 0, *active = states[device].is_active, check_device(device);
}

int cuCtxGetId(void *context, uint64_t *id) {
    ENTER(RELEASES, COMMON, DESTROYED);
    const int device = device_of(context, __func__);
    if (fault == DESTROYED || fault == BAD_CONTEXT) has_ended = 1, cuDevicePrimaryCtxReset_v2(device); /* by other code, just now */
    return *id = states[device].resets + 1, fault != 0 ? fault : states[device].is_active ? 0 : DESTROYED;
}

int cuCtxPushCurrent_v2(void *context) {
    ENTER(ANYWHERE, COMMON);
    if (depth == sizeof stack / sizeof *stack) misused(__func__);
    stack[depth].device = device_of(context, __func__), stack[depth].id = states[stack[depth].device].resets, ++depth;
    UNDER_LOCK(++live[LIVE_PUSHED]);
    return 0;
}

int cuCtxPopCurrent_v2(void **context) {
    ENTER(RELEASES, COMMON);
    if (depth == 0) misused(__func__);
    *context = &primaries[current_device()];
    --depth;
    UNDER_LOCK(--live[LIVE_PUSHED]);
    return fault;
}

int cuCtxGetCurrent(void **context) {
    ENTER(ANYWHERE, DEINITIALIZED, UNINITIALIZED);
    return *context = depth == 0 ? NULL : &primaries[current_device()], 0;
}

int cuCtxGetDevice(int *device) {
    ENTER(CONTEXT, COMMON);
    return *device = current_device(), 0;
}

int cuDeviceCanAccessPeer(int *can, int device, int other) {
    ENTER(ANYWHERE, DEINITIALIZED, UNINITIALIZED, BAD_DEVICE);
    return *can = device != other, check_device(device) ? BAD_DEVICE : check_device(other);
}

int cuCtxEnablePeerAccess(void *other, unsigned flags) {
    static const int documented[] = {DEINITIALIZED, UNINITIALIZED, BAD_DEVICE, PEER_IS_OPEN, TOO_MANY_PEERS, BAD_CONTEXT, NO_PEER, VALUE, 0};
    const int fault = enter(__func__, CONTEXT, documented), device = device_of(other, __func__);
    int *const sees = &states[current_device()].sees[device];
    if (fault == PEER_IS_OPEN) *sees = 1;
    if (fault != 0) return fault;
    if (device == current_device()) return BAD_DEVICE;
    return flags != 0 ? VALUE : *sees ? PEER_IS_OPEN : (*sees = 1, 0);
}

int cuCtxSynchronize(void) {
    ENTER(CONTEXT | LATE, COMMON, ASYNCHRONOUS);
    return 0;
}

static __thread int capture_mode; /* of this thread; 2: relaxed, from which others are restored */

int stand_in_capture_mode(void) { return capture_mode; }

int cuThreadExchangeStreamCaptureMode(int *mode) {
    ENTER(RELEASES, COMMON);
    if (fault != 0 && *mode == 2) return fault;
    const int before = capture_mode;
    return capture_mode = *mode, *mode = before, fault;
}

/* ---- streams and events -------------------------------------------------------------------------------------------------------- */

static int create(int kind, void **made) {
    UNDER_LOCK(*made = add(kind, 0));
    return 0;
}

static int is_captured(void *stream, const char *what) {
    int answer;
    UNDER_LOCK((answer = stream != NULL && stream_of(stream, what)->graph != NULL));
    return answer;
}

int cuStreamCreate(void **stream, unsigned flags) {
    ENTER(CONTEXT | LATE, COMMON, MEMORY, EXTERNAL_DEVICE, ASYNCHRONOUS);
    return flags > 1 ? VALUE : create(LIVE_STREAMS, stream);
}

int cuStreamDestroy_v2(void *stream) {
    ENTER(CONTEXT | LATE | RELEASES, COMMON, HANDLE, ASYNCHRONOUS);
    if (fault != DESTROYED) UNDER_LOCK(release(LIVE_STREAMS, stream, __func__));
    return fault;
}

int cuStreamSynchronize(void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    return is_captured(stream, __func__) ? CAPTURE_UNSUPPORTED : 0;
}

int cuStreamGetCtx(void *stream, void **context) {
    ENTER(CONTEXT, COMMON, HANDLE, NOT_SUPPORTED);
    return (void)is_captured(stream, __func__), *context = &primaries[current_device()], 0;
}

int cuStreamIsCapturing(void *stream, int *status) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, CAPTURE_IMPLICIT, ASYNCHRONOUS);
    return *status = is_captured(stream, __func__), 0;
}

int cuStreamGetCaptureInfo_v3(void *stream, int *status, uint64_t *id, void **graph, void **nodes, void **edges, size_t *count) {
    (void)nodes, (void)edges, (void)count;
    ENTER(CONTEXT | LATE, COMMON, CAPTURE_IMPLICIT, ASYNCHRONOUS);
    UNDER_LOCK(*graph = stream_of(stream, __func__)->graph);
    return *status = *graph != NULL, *id = (uint64_t)(uintptr_t)*graph, 0;
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    UNDER_LOCK((stream_of(stream, __func__), handle(LIVE_EVENTS, event, __func__)));
    return flags == 0 ? 0 : VALUE;
}

int cuEventCreate(void **event, unsigned flags) {
    ENTER(CONTEXT | LATE, COMMON, MEMORY, ASYNCHRONOUS);
    return flags > 7 ? VALUE : create(LIVE_EVENTS, event);
}

int cuEventDestroy_v2(void *event) {
    ENTER(CONTEXT | LATE | RELEASES, COMMON, HANDLE, ASYNCHRONOUS);
    if (fault != DESTROYED) UNDER_LOCK(release(LIVE_EVENTS, event, __func__));
    return fault;
}

int cuEventRecord(void *event, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    UNDER_LOCK((stream_of(stream, __func__), handle(LIVE_EVENTS, event, __func__)));
    return 0;
}

/* The error of the device of an event. */
static int fault_of(void *event, const char *what) {
    int answer;
    UNDER_LOCK(answer = states[handle(LIVE_EVENTS, event, what)->device].fault);
    return answer;
}

int cuEventQuery(void *event) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    return fault_of(event, __func__);
}

int cuEventSynchronize(void *event) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    return fault_of(event, __func__);
}

int cuEventElapsedTime_v2(float *ms, void *start, void *end) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, NOT_READY, UNKNOWN, ASYNCHRONOUS);
    UNDER_LOCK((handle(LIVE_EVENTS, start, __func__), handle(LIVE_EVENTS, end, __func__)));
    return *ms = 0.5f, 0;
}
