/* stand_in_memory.h - the functions of the driver that the library calls: memory, copies, pools and captures. A part of
 * stand_in_driver.c. */

/* ---- memory -------------------------------------------------------------------------------------------------------------------- */

static int allocate(int kind, size_t bytes, void **start) {
    object *one = NULL;
    if (bytes == 0) return VALUE;
    if (bytes <= (size_t)1 << 32) UNDER_LOCK(one = add(kind, bytes));
    return one == NULL ? MEMORY : (*start = one->start, 0);
}

int cuMemAlloc_v2(void **start, size_t bytes) {
    ENTER(CONTEXT | LATE, COMMON, MEMORY, EXTERNAL_DEVICE, ASYNCHRONOUS);
    return allocate(LIVE_DEVICE, bytes, start);
}

int cuMemHostAlloc(void **start, size_t bytes, unsigned flags) {
    ENTER(CONTEXT | LATE, COMMON, MEMORY, EXTERNAL_DEVICE, ASYNCHRONOUS);
    return flags > 7 ? VALUE : allocate(LIVE_PINNED, bytes, start);
}

int cuMemAllocManaged(void **start, size_t bytes, unsigned flags) {
    ENTER(CONTEXT | LATE, COMMON, MEMORY, NOT_SUPPORTED, EXTERNAL_DEVICE, ASYNCHRONOUS);
    return flags != 1 ? VALUE : allocate(LIVE_MANAGED, bytes, start);
}

int cuMemFree_v2(void *start) {
    ENTER(CONTEXT | LATE | RELEASES, COMMON, ASYNCHRONOUS);
    if (fault != DESTROYED) UNDER_LOCK(release(find(LIVE_MANAGED, start) != NULL ? LIVE_MANAGED : LIVE_DEVICE, start, __func__));
    return fault;
}

int cuMemFreeHost(void *start) {
    ENTER(CONTEXT | LATE | RELEASES, COMMON, ASYNCHRONOUS);
    if (fault != DESTROYED) UNDER_LOCK(release(LIVE_PINNED, start, __func__));
    return fault;
}

int cuMemHostRegister_v2(void *start, size_t bytes, unsigned flags) {
    (void)flags;
    ENTER(CONTEXT | LATE, COMMON, MEMORY, REGISTERED, NOT_PERMITTED, NOT_SUPPORTED, ASYNCHRONOUS);
    object *one;
    UNDER_LOCK((one = add(LIVE_REGISTERED, bytes), one->start = start));
    return 0;
}

int cuMemHostUnregister(void *start) {
    ENTER(CONTEXT | LATE | RELEASES, COMMON, MEMORY, NOT_REGISTERED, ASYNCHRONOUS);
    if (fault != DESTROYED) UNDER_LOCK(release(LIVE_REGISTERED, start, __func__));
    return fault;
}

int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    ENTER(CONTEXT | LATE, COMMON, ASYNCHRONOUS);
    return *total = (size_t)141 << 30, *free_bytes = (size_t)140 << 30, 0;
}

/* Of memory that the driver does not know all attributes are 0. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **answers, uintptr_t pointer) {
    ENTER(ANYWHERE, COMMON, BAD_DEVICE);
    pthread_mutex_lock(&lock);
    const object *one = objects;
    while (one != NULL && (one->kind > LIVE_REGISTERED || pointer - (uintptr_t)one->start >= one->bytes)) one = one->next;
    for (unsigned i = 0; i < count; ++i) {
        const int is_managed = one != NULL && one->kind == LIVE_MANAGED;
        if (attributes[i] == 2) *(int *)answers[i] = one == NULL ? 0 : one->kind == LIVE_DEVICE || is_managed ? 2 : 1;
        if (attributes[i] == 8) *(unsigned char *)answers[i] = (unsigned char)is_managed;
        if (attributes[i] == 9) *(int *)answers[i] = one == NULL ? 0 : one->device;
        if (attributes[i] == 11) *(char **)answers[i] = one == NULL ? NULL : one->start;
        if (attributes[i] == 12) *(size_t *)answers[i] = one == NULL ? 0 : one->bytes;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int stand_in_reaches(const void *address) {
    int answer = 1;
    pthread_mutex_lock(&lock);
    for (const object *one = objects; one != NULL; one = one->next) {
        const int holds = one->kind == LIVE_DEVICE && (uintptr_t)address - (uintptr_t)one->start < one->bytes;
        if (holds) answer = one->device == current_device() || states[current_device()].sees[one->device];
    }
    pthread_mutex_unlock(&lock);
    return answer;
}

static int copy(void *target, const void *source, size_t bytes) { return memmove(target, source, bytes), 0; }

int cuMemcpyAsync(void *target, const void *source, size_t bytes, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    return (void)is_captured(stream, __func__), copy(target, source, bytes);
}

int cuMemcpyHtoDAsync_v2(void *target, const void *source, size_t bytes, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    return (void)is_captured(stream, __func__), copy(target, source, bytes);
}

int cuMemcpyDtoHAsync_v2(void *target, const void *source, size_t bytes, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    return (void)is_captured(stream, __func__), copy(target, source, bytes);
}

struct end { size_t x, y; int type; char *host, *device; void *array; size_t pitch; };
struct copy_2d { struct end source, target; size_t bytes, rows; };

int cuMemcpy2DAsync_v2(const struct copy_2d *c, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    char *const to = c->target.type == 1 ? c->target.host : c->target.device;
    const char *const from = c->source.type == 1 ? c->source.host : c->source.device;
    for (size_t row = 0; row < c->rows; ++row) copy(to + row * c->target.pitch, from + row * c->source.pitch, c->bytes);
    return (void)is_captured(stream, __func__), 0;
}

int cuMemcpyPeerAsync(void *target, void *there, const void *source, void *here, size_t bytes, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    (void)device_of(there, __func__), (void)device_of(here, __func__);
    return (void)is_captured(stream, __func__), copy(target, source, bytes);
}

struct peer { size_t x, y, z, level; int type; char *host, *device; void *array, *context; size_t pitch, height; };
struct copy_3d { struct peer source, target; size_t bytes, rows, depth; };

int cuMemcpy3DPeerAsync(const struct copy_3d *c, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, HANDLE, ASYNCHRONOUS);
    (void)device_of(c->source.context, __func__), (void)device_of(c->target.context, __func__);
    for (size_t row = 0; row < c->rows; ++row) copy(c->target.device + row * c->target.pitch, c->source.device + row * c->source.pitch, c->bytes);
    return (void)is_captured(stream, __func__), 0;
}

int cuMemPrefetchAsync_v2(void *start, size_t bytes, uint64_t location, unsigned flags, void *stream) {
    (void)start, (void)bytes, (void)location, (void)flags;
    ENTER(CONTEXT | LATE, COMMON, BAD_DEVICE, HANDLE, ASYNCHRONOUS);
    return (void)is_captured(stream, __func__), 0;
}

int cuMemPoolCreate(void **pool, const void *properties) {
    (void)properties;
    ENTER(CONTEXT | LATE, UNINITIALIZED, VALUE, MEMORY, NOT_PERMITTED, NOT_SUPPORTED);
    return create(LIVE_POOLS, pool);
}

int cuMemPoolDestroy(void *pool) {
    ENTER(CONTEXT | LATE | RELEASES, UNINITIALIZED, VALUE);
    if (fault != DESTROYED) UNDER_LOCK(release(LIVE_POOLS, pool, __func__));
    return fault;
}

int cuMemPoolSetAttribute(void *pool, int attribute, void *value) {
    (void)pool, (void)attribute, (void)value;
    ENTER(CONTEXT | LATE, UNINITIALIZED, VALUE);
    return 0;
}

int cuMemPoolTrimTo(void *pool, size_t bytes) {
    (void)pool, (void)bytes;
    ENTER(CONTEXT | LATE, UNINITIALIZED, VALUE);
    return 0;
}

int cuMemAllocFromPoolAsync(void **start, size_t bytes, void *pool, void *stream) {
    ENTER(CONTEXT | LATE, COMMON, MEMORY, NOT_SUPPORTED, ASYNCHRONOUS);
    UNDER_LOCK((handle(LIVE_POOLS, pool, __func__), stream_of(stream, __func__)));
    return allocate(LIVE_DEVICE, bytes, start);
}

int cuMemFreeAsync(void *start, void *stream) {
    ENTER(CONTEXT | LATE | RELEASES, COMMON, NOT_SUPPORTED, ASYNCHRONOUS);
    if (fault != DESTROYED) UNDER_LOCK((stream_of(stream, __func__), release(LIVE_DEVICE, start, __func__)));
    return fault;
}

/* ---- captures ------------------------------------------------------------------------------------------------------------------ */

/* Ends a user object; its destructor calls nothing of the driver. */
static void destroy(object *one) {
    void (*const let_go)(void *) = one->destroy;
    void *const kept = one->memory;
    UNDER_LOCK(take_out(one));
    let_go(kept);
}

int cuUserObjectCreate(void **made, void *kept, void (*let_go)(void *), unsigned references, unsigned flags) {
    ENTER(ANYWHERE, VALUE, MEMORY);
    if (references != 1 || flags != 1) return VALUE;
    object *one;
    UNDER_LOCK((one = add(LIVE_USER_OBJECTS, 0), one->destroy = let_go, one->memory = kept));
    return *made = one, 0;
}

int cuUserObjectRelease(void *made, unsigned references) {
    ENTER(RELEASES, VALUE);
    object *one;
    UNDER_LOCK(one = handle(LIVE_USER_OBJECTS, made, __func__));
    if (references == 1) destroy(one);
    return fault;
}

int cuGraphRetainUserObject(void *graph, void *made, unsigned references, unsigned flags) {
    ENTER(ANYWHERE, VALUE, MEMORY);
    if (references != 1 || flags != 1) return VALUE;
    UNDER_LOCK(handle(LIVE_USER_OBJECTS, made, __func__)->graph = handle(LIVE_GRAPHS, graph, __func__));
    return 0;
}

void *stand_in_begin_capture(void *stream) {
    object *one, *graph = NULL;
    UNDER_LOCK(one = find(LIVE_STREAMS, stream));
    if (one != NULL) UNDER_LOCK(one->graph = graph = add(LIVE_GRAPHS, 0));
    return graph;
}

void stand_in_end_capture(void *graph) {
    for (object *one = graph == NULL ? NULL : objects, *next; one != NULL; one = next) { /* one thread is left that works */
        next = one->next;
        if (one->kind == LIVE_STREAMS && one->graph == graph) one->graph = NULL;
        if (one->kind == LIVE_USER_OBJECTS && one->graph == graph) destroy(one);
    }
    if (graph != NULL) UNDER_LOCK(take_out(graph));
}
