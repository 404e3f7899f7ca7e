/* stand_in_driver.c - a libcuda.so.1 that needs no GPU: $STAND_IN_DEVICES devices, or one, whose memory is that of the host, whose work
 * is done when a call returns, and whose calls fail as a program says (stand_in_driver.h).
 *
 *   Faults     A call that is told to fail does nothing but return its error. One that gives something back gives it back all the
 *              same, as the driver does when it returns the error of earlier work.
 *   Sticky     After an illegal address and its like every call that works in the context returns the same error, until the primary
 *              context is reset. Calls that ask for versions, devices, attributes and current contexts go on working, as do other devices.
 *   Lost       From a call on the device is gone: what works in a context of it fails, or every call does, and no reset helps.
 *   Peers      Every device sees all others. Kernels reach the memory of one that cuCtxEnablePeerAccess was called for, copies that of all.
 *   Reset      An error of cuCtxGetId that says that there is no such context comes with a reset of the primary context.
 *   Misuse     A handle or an address that the driver has not given, or has taken back, ends the program, as does work without a
 *              current context.
 *   Source     CUDA Driver API 13.0: the errors of each function, and whether it returns those of asynchronous work. */
#define _GNU_SOURCE
#include "stand_in_driver.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUE = 1, MEMORY = 2, UNINITIALIZED = 3, DEINITIALIZED = 4, NO_DEVICE = 100, BAD_DEVICE = 101, BAD_CONTEXT = 201, ECC = 214,
    NVLINK = 220, CONTAINED = 226,
    OPERATING_SYSTEM = 304, HANDLE = 400, NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_RESOURCES = 701, TIMEOUT = 702,
    PEER_IS_OPEN = 704, DESTROYED = 709, ASSERTION = 710, TOO_MANY_PEERS = 711, NO_PEER = 217, HARDWARE_STACK = 714, ADDRESS_SPACE = 717, INVALID_PC = 718, TENSOR_LEAK = 721, REGISTERED = 712, NOT_REGISTERED = 713, ILLEGAL_INSTRUCTION = 715, MISALIGNED = 716, LAUNCH_FAILED = 719,
    NOT_PERMITTED = 800, NOT_SUPPORTED = 801, SYSTEM_NOT_READY = 802, MISMATCH = 803, UNAVAILABLE = 46, CAPTURE_UNSUPPORTED = 900,
    CAPTURE_IMPLICIT = 906, EXTERNAL_DEVICE = 911, UNKNOWN = 999
};

enum traits {
    ANYWHERE = 0,
    CONTEXT = 1,  /* a context has to be current */
    LATE = 2,     /* returns the errors of asynchronous work as well */
    RELEASES = 4, /* what it is given is given back, whatever it returns */
};

#define COMMON DEINITIALIZED, UNINITIALIZED, BAD_CONTEXT, VALUE
#define ASYNCHRONOUS ECC, NVLINK, CONTAINED, ILLEGAL_ADDRESS, TIMEOUT, ASSERTION, HARDWARE_STACK, ILLEGAL_INSTRUCTION, MISALIGNED, \
    ADDRESS_SPACE, INVALID_PC, LAUNCH_FAILED, TENSOR_LEAK

/* Opens a function: the errors that its documentation lists. */
#define ENTER(traits, ...)                                                                                                       \
    static const int documented[] = {__VA_ARGS__, 0};                                                                            \
    const int fault = enter(__func__, traits, documented);                                                                       \
    if (fault != 0 && ((traits) & RELEASES) == 0) return fault

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */

static struct call { const char *name; const int *errors; } calls[STAND_IN_COUNTERS * STAND_IN_MOST_CALLS];
static long call_count[STAND_IN_COUNTERS], failing = -1;
static __thread int counter, device_of_thread; /* of this thread: where its calls are counted; the device that it loses without a context */
static int failing_with, stays, lost, has_failed, has_ended, is_counting;
static const char *failed_name, *staying; /* the function that has failed; whose calls go on failing */

static __thread struct { uint64_t id; int device; } stack[16]; /* this thread's current contexts */
static __thread int depth;

enum { MOST_DEVICES = 8 };
static char primaries[MOST_DEVICES]; /* their addresses are the handles of the primary contexts */
static struct primary {
    int is_active, fault; /* fault: the sticky error that it has met */
    long references;
    uint64_t resets; /* its id, which changes with a reset */
    int sees[MOST_DEVICES];
} states[MOST_DEVICES];

typedef struct object {
    struct object *next;
    int kind;
    char *start;
    size_t bytes;
    int device;
    struct object *graph;    /* of a stream that is captured, of a user object */
    void (*destroy)(void *); /* of a user object */
    void *memory;            /* to free, or what `destroy` is given */
} object;

static object *objects;
static long live[LIVE_KINDS];

static void misused(const char *what) {
    fprintf(stderr, "stand-in: %s: no such handle or address, or no current context\n", what);
    abort();
}

static int current_device(void) { return depth == 0 ? device_of_thread : stack[depth - 1].device; }

static int devices(void) {
    const char *const text = getenv("STAND_IN_DEVICES");
    const int count = text == NULL ? 1 : atoi(text);
    return count < 1 || count > MOST_DEVICES ? 1 : count;
}

static int check_device(int device) { return device >= 0 && device < devices() ? 0 : BAD_DEVICE; }

/* The device of a primary context. */
static int device_of(const void *context, const char *what) {
    for (int device = 0; device < MOST_DEVICES; ++device) {
        if (context == &primaries[device]) return device;
    }
    return misused(what), 0;
}

/* ---- objects; the lock is held ------------------------------------------------------------------------------------------------ */

static object *add(int kind, size_t bytes) {
    object *const one = calloc(1, sizeof *one);
    if (one == NULL) abort();
    if (kind <= LIVE_MANAGED && posix_memalign(&one->memory, 512, bytes) != 0) return free(one), NULL;
    if (one->memory != NULL) memset(one->memory, 0, bytes);
    *one = (object){objects, kind, one->memory != NULL ? one->memory : (char *)one, bytes, current_device(), NULL, NULL, one->memory};
    ++live[kind];
    return objects = one;
}

static object *find(int kind, const void *start) {
    for (object *one = objects; one != NULL; one = one->next) {
        if (one->kind == kind && one->start == start) return one;
    }
    return NULL;
}

static void take_out(object *one) {
    object **place = &objects;
    while (*place != one) place = &(*place)->next;
    *place = one->next;
    --live[one->kind];
    if (one->kind <= LIVE_MANAGED) free(one->memory);
    free(one);
}

static void release(int kind, const void *start, const char *what) {
    object *const one = find(kind, start);
    if (one == NULL) misused(what);
    take_out(one);
}

static object *handle(int kind, void *start, const char *what) {
    object *const one = find(kind, start);
    if (one == NULL) misused(what);
    return one;
}

/* A stream, NULL being the legacy default one. */
static object *stream_of(void *stream, const char *what) { return stream == NULL ? NULL : handle(LIVE_STREAMS, stream, what); }

/* ---- calls -------------------------------------------------------------------------------------------------------------------- */

static int is_one_of(int error, const int *errors) {
    while (*errors != 0 && *errors != error) ++errors;
    return *errors != 0;
}

static int is_sticky(int error) {
    static const int sticky[] = {ASYNCHRONOUS, 0};
    return is_one_of(error, sticky);
}

static int is_a_poll(const char *name) { return strncmp(name, "ncclCommGetAsyncError", 21) == 0; }

/* Counts a call; whether it is the one to fail. How often a thread asks whether something is done is not told: it counts once. */
static int is_the_one(const char *name, const int *errors) {
    struct call *const of_thread = calls + (long)counter * STAND_IN_MOST_CALLS;
    long *const count = &call_count[counter];
    if (*count >= STAND_IN_MOST_CALLS) return 0;
    for (long i = *count; is_a_poll(name) && i > 0 && is_a_poll(of_thread[i - 1].name); --i) {
        if (strcmp(of_thread[i - 1].name, name) == 0) return 0;
    }
    of_thread[*count] = (struct call){name, errors};
    return counter * STAND_IN_MOST_CALLS + (*count)++ == failing;
}

/* Whether this call may fail as a program wants. Threads that are counted apart use each other's events: none of them meets a reset. */
static int may_fail(const char *name, const int *errors) {
    const int is_reset = strcmp(name, "cuCtxGetId") == 0 && (failing_with == BAD_CONTEXT || failing_with == DESTROYED);
    return lost || (is_one_of(failing_with, errors) && !(is_reset && counter > 0));
}

/* The error of this call that a program wants. */
static int wanted_fault(const char *name, const int *errors) {
    int fault = 0;
    if (is_the_one(name, errors)) { /* threads may have brought another function here: then the next one that may fail so */
        if (may_fail(name, errors)) fault = failing_with, has_failed = 1, failed_name = name, staying = stays ? name : NULL;
        else ++failing;
    }
    if (staying != NULL && failing / STAND_IN_MOST_CALLS == counter && strcmp(staying, name) == 0) fault = failing_with;
    if (fault != 0 && (lost || is_sticky(fault))) has_ended = 1, states[current_device()].fault = fault;
    return fault;
}

int stand_in_has_faulted(void) {
    int has = 0;
    for (int device = 0; device < MOST_DEVICES; ++device) has |= states[device].fault != 0;
    return has;
}

int stand_in_device_has_faulted(int device) { return states[device].fault != 0; }
int stand_in_is_lost(void) { return lost && stand_in_has_faulted(); }
int stand_in_is_gone(void) { return lost == STAND_IN_GONE / STAND_IN_LOST && stand_in_has_faulted(); }

static int enter(const char *name, int traits, const int *errors) {
    int fault = 0;
    pthread_mutex_lock(&lock);
    if (is_counting) fault = wanted_fault(name, errors);
    if ((traits & CONTEXT) != 0 && depth == 0) misused(name);
    const struct primary *const current = &states[current_device()];
    if (fault == 0 && (traits & CONTEXT) != 0 && (stack[depth - 1].id != current->resets || !current->is_active)) fault = DESTROYED;
    if (fault == 0 && (traits & LATE) != 0) fault = current->fault;
    if (fault == 0 && stand_in_is_gone()) fault = failing_with;
    pthread_mutex_unlock(&lock);
    return fault;
}

int stand_in_launch(const char *name) {
    static const int errors[] = {VALUE, MEMORY, UNINITIALIZED, 9 /* configuration */, 98 /* function */, 209 /* no kernel image */,
                                 LAUNCH_RESOURCES, NOT_PERMITTED, NOT_SUPPORTED, UNKNOWN, ASYNCHRONOUS, 0};
    return enter(name, CONTEXT | LATE, errors);
}

int stand_in_call(const char *name, const int *errors) {
    const int fault = enter(name, ANYWHERE, errors);
    return fault == 0 || is_one_of(fault, errors) ? fault : errors[0]; /* of another library, whose device is lost */
}

void stand_in_count_as(int number, int device) { counter = number, device_of_thread = device; }

void stand_in_count(int is_on) { is_counting = is_on, staying = NULL; }

void stand_in_fail(long number, int error) {
    failing = number, failing_with = error % STAND_IN_STAYS, lost = error / STAND_IN_LOST, stays = !lost && error >= STAND_IN_STAYS;
    has_failed = has_ended = 0, memset(call_count, 0, sizeof call_count);
}

int stand_in_has_failed(void) { return has_failed; }
const char *stand_in_failed(void) { return failed_name; }
int stand_in_has_ended(void) { return has_ended; }
int stand_in_counts(void) { return is_counting; }
long stand_in_calls(int number) { return call_count[number]; }
const char *stand_in_name(long number) { return calls[number].name; }
const int *stand_in_errors(long number) { return calls[number].errors; }
long stand_in_live(int kind) { return live[kind]; }

const char *stand_in_kind(int kind) {
    static const char *const names[] = {"references to the primary context", "current contexts", "device memory", "pinned memory",
                                        "managed memory", "registered memory", "streams", "events", "pools", "graphs", "user objects"};
    return names[kind];
}

int cuGetErrorName(int error, const char **name) {
    static const struct { int error; const char *name; } names[] = {
        {VALUE, "CUDA_ERROR_INVALID_VALUE"}, {MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"}, {UNINITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
        {DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED"}, {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"}, {BAD_DEVICE, "CUDA_ERROR_INVALID_DEVICE"},
        {BAD_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"}, {ECC, "CUDA_ERROR_ECC_UNCORRECTABLE"}, {HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
        {OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM"}, {NOT_READY, "CUDA_ERROR_NOT_READY"}, {TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT"},
        {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {NVLINK, "CUDA_ERROR_NVLINK_UNCORRECTABLE"},
        {CONTAINED, "CUDA_ERROR_CONTAINED"}, {ASSERTION, "CUDA_ERROR_ASSERT"}, {HARDWARE_STACK, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
        {ADDRESS_SPACE, "CUDA_ERROR_INVALID_ADDRESS_SPACE"}, {INVALID_PC, "CUDA_ERROR_INVALID_PC"},
        {TENSOR_LEAK, "CUDA_ERROR_TENSOR_MEMORY_LEAK"}, {LAUNCH_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
        {NO_PEER, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"}, {PEER_IS_OPEN, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"},
        {TOO_MANY_PEERS, "CUDA_ERROR_TOO_MANY_PEERS"}, {DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED"}, {REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
        {NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"}, {ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
        {MISALIGNED, "CUDA_ERROR_MISALIGNED_ADDRESS"}, {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
        {NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED"}, {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED"},
        {MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
        {SYSTEM_NOT_READY, "CUDA_ERROR_SYSTEM_NOT_READY"}, {UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
        {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"}, {CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
        {EXTERNAL_DEVICE, "CUDA_ERROR_EXTERNAL_DEVICE"}, {UNKNOWN, "CUDA_ERROR_UNKNOWN"}};
    *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (names[i].error == error) *name = names[i].name;
    }
    return *name == NULL ? VALUE : 0;
}

int cuGetErrorString(int error, const char **text) { return cuGetErrorName(error, text); }

#include "stand_in_functions.h"
#include "stand_in_memory.h"
