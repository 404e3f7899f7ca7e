/* stand_in_driver.h - what a program asks of the stand-in of stand_in_driver.c, beside the functions of the CUDA driver. */
#ifndef STAND_IN_DRIVER_H
#define STAND_IN_DRIVER_H

/* What the driver keeps until it is given back. */
enum live {
    LIVE_CONTEXTS, /* references to the primary context */
    LIVE_PUSHED,   /* entries of the stacks of current contexts, of all threads */
    LIVE_DEVICE,
    LIVE_PINNED,
    LIVE_MANAGED,
    LIVE_REGISTERED,
    LIVE_STREAMS,
    LIVE_EVENTS,
    LIVE_POOLS,
    LIVE_GRAPHS,
    LIVE_USER_OBJECTS,
    LIVE_KINDS
};

enum { STAND_IN_MOST_CALLS = 4000, STAND_IN_COUNTERS = 6, STAND_IN_STAYS = 10000, STAND_IN_LOST = 20000, STAND_IN_GONE = 40000 };

void stand_in_count(int is_on);             /* calls are counted, and may fail, or not: off at first */
void stand_in_count_as(int counter, int device); /* this thread's calls are counted apart, 0 at first: number n of a counter c is
                                             * c * STAND_IN_MOST_CALLS + n. device: that of calls without a current context */
void stand_in_fail(long number, int error); /* call `number` (from 0) fails, or the first one behind it that may fail so; -1: none.
                                             * error + STAND_IN_STAYS: and later calls of its function, until stand_in_count.
                                             * + STAND_IN_LOST: whatever the call is, and all that works in a context from then on;
                                             * + STAND_IN_GONE: and every other call */
int stand_in_counts(void);                  /* whether calls are counted */
int stand_in_has_failed(void);              /* whether it has */
const char *stand_in_failed(void);          /* its function */
long stand_in_calls(int counter);           /* counted so far */
const char *stand_in_name(long number);     /* the function of a call that was counted */
const int *stand_in_errors(long number);    /* the errors that its documentation lists, up to 0 */
int stand_in_has_ended(void);               /* whether the primary context cannot go on since then: it faulted, or was reset */
int stand_in_is_lost(void);                 /* whether the device is lost: a reset does not help */
int stand_in_is_gone(void);                 /* and no call succeeds */
int stand_in_has_faulted(void);             /* whether it meets a sticky error until it is reset */
int stand_in_device_has_faulted(int device);
int stand_in_capture_mode(void);            /* of this thread; 0 at first */
long stand_in_live(int kind);
const char *stand_in_kind(int kind);

/* Captures a stream into a graph, which is NULL where a reset has ended the stream; ends that, and destroys the graph. */
void *stand_in_begin_capture(void *stream);
void stand_in_end_capture(void *graph);

/* A launcher begins: 0, or the cudaError_t that it returns. */
int stand_in_launch(const char *name);

/* Whether kernels of the current device reach an address: its own memory, that of the host, and of devices that it was opened to. */
int stand_in_reaches(const void *address);

/* A call of another library begins: 0, or the one of its errors, up to 0, that it returns. */
int stand_in_call(const char *name, const int *errors);

int cuDevicePrimaryCtxReset_v2(int device);
int cuGetErrorName(int error, const char **name);

#endif
