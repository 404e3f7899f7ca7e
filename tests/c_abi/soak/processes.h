/* processes.h - scenarios with processes, short-lived threads and signals. */
#ifndef GPUMEX_TESTS_SOAK_PROCESSES_H
#define GPUMEX_TESTS_SOAK_PROCESSES_H

#include "callbacks.h"

#include <limits.h>
#include <semaphore.h>
#include <sys/wait.h>

static sem_t processes; /* so many at once */
static int child_limit_s = 60;

static void wait_for(worker *w, pid_t child, const char *what) {
    int status = 0;
    if (child < 0) fail(w, "fork: %s", strerror(errno));
    while (waitpid(child, &status, 0) != child) {
        if (errno != EINTR) fail(w, "waitpid: %s", strerror(errno));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail(w, "%s ended with exit %d, signal %d", what, WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    atomic_fetch_add(&w->counts[w->scenario][0], 1);
}

/* ---- fork ------------------------------------------------------------------------------------------------------------------------ */

/* A context on the CPU works in any child. */
static void count_bytes(worker *w) {
    static const uint8_t data[100000];
    uint64_t counts[256];
    gpumex_context *const ctx = MAKE(w, context_create, (GPUMEX_BACKEND_CPU, -1));
    (void)TRY(w, FINE, context_set_threads, (ctx, 2));
    (void)TRY(w, FINE, histogram, (ctx, NULL, data, sizeof data, counts, 256));
    if (counts[0] != sizeof data) fail(w, "a histogram is wrong");
    (void)TRY(w, FINE, context_destroy, (ctx));
}

static void in_child(worker *w) {
    count_bytes(w);
    if (backend == GPUMEX_BACKEND_CUDA) {
        (void)TRY(w, UNSERVED, context_synchronize, (w->arrays.ctx));
        return;
    }
    check_operation(w, current_input(w), below(w, operation_count), FINE);
    in_shared(w, below(w, SHARED), FINE | BUSY | GONE); /* BUSY for ever where a thread of the parent was in it */
    plain_functions(w, FINE);
    (void)TRY(w, FINE | GONE, event_synchronize, (atomic_load(&shared_events[below(w, EVENTS)])));
    void *const memory = atomic_load(&orphans[below(w, ORPHANS)]);
    if (memory != NULL) (void)TRY(w, FINE | GONE, free, (memory)); /* gone when another thread was freeing it */
    (void)TRY(w, FINE, reset_default, ());
    free_arrays(w);
}

static void fork_now(worker *w) {
    sem_wait(&processes);
    const pid_t child = fork();
    if (child == 0) {
        is_child = 1;
        signal(SIGALRM, SIG_DFL);
        alarm((unsigned)child_limit_s);
        in_child(w);
        _exit(0);
    }
    wait_for(w, child, "a forked child");
    sem_post(&processes);
}

/* ---- load and unload --------------------------------------------------------------------------------------------------------------- */

enum { LOADERS = 3 };

typedef struct loaded {
    void *handle;
    gpumex_context *(*create)(int32_t, int32_t);
    int32_t (*histogram)(gpumex_context *, const gpumex_histogram_options *, const void *, size_t, void *, size_t);
    int32_t (*destroy)(gpumex_context *);
} loaded;

static void *use_loaded(void *data) {
    static const uint8_t bytes[50000];
    const loaded *const library = data;
    uint64_t counts[256] = {0};
    for (int i = 0; i < 20; ++i) {
        gpumex_context *const ctx = library->create(backend, -1);
        if (ctx == NULL || library->histogram(ctx, NULL, bytes, sizeof bytes, counts, 256) != 0 || counts[0] != sizeof bytes) exit(3);
        if (library->destroy(ctx) != 0) exit(4);
    }
    return NULL;
}

/* A process of its own: the library is opened and closed, also while threads are in it. */
static int reload(void) {
    pthread_t threads[LOADERS];
    alarm((unsigned)child_limit_s);
    for (int round = 0; round < 4; ++round) {
        loaded libraries[LOADERS];
        for (int i = 0; i < LOADERS; ++i) {
            loaded *const library = &libraries[i];
            library->handle = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
            if (library->handle == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
            *(void **)&library->create = dlsym(library->handle, "gpumex_context_create");
            *(void **)&library->histogram = dlsym(library->handle, "gpumex_histogram");
            *(void **)&library->destroy = dlsym(library->handle, "gpumex_context_destroy");
            if (pthread_create(&threads[i], NULL, use_loaded, library) != 0) return 1;
        }
        nap_us(3000);
        for (int i = 0; i < LOADERS; ++i) {
            if (i == round % LOADERS) pthread_join(threads[i], NULL);
            dlclose(libraries[i].handle);
        }
        for (int i = 0; i < LOADERS; ++i) {
            if (i != round % LOADERS) pthread_join(threads[i], NULL);
        }
    }
    return 0;
}

#ifndef OPERATIONS_LINKED
static void load_and_unload(worker *w) {
    char *const arguments[] = {"soak", "--reload", (char *)library_path, backend == GPUMEX_BACKEND_CUDA ? "cuda" : "cpu", NULL};
    sem_wait(&processes);
    const pid_t child = vfork();
    if (child == 0) {
        execv("/proc/self/exe", arguments);
        _exit(127);
    }
    wait_for(w, child, "a process that loads and unloads the library");
    sem_post(&processes);
}
#endif

/* ---- threads --------------------------------------------------------------------------------------------------------------------- */

static void *live_shortly(void *data) {
    worker *const w = data;
    this_worker = w;
    LIBRARY(w);
    if (*CALL(last_error)() != 0) fail(w, "a new thread has an error already: %s", CALL(last_error)());
    plain_functions(w, FINE);
    check_operation(w, current_input(w), below(w, operation_count), FINE);
    (void)TRY(w, GONE, context_synchronize, ((gpumex_context *)w)); /* a sentence of its own, which goes with it */
    return NULL;
}

/* A thread with a stack of 64 KiB makes some calls and ends. */
static void short_thread(worker *w) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    if (pthread_create(&thread, &attributes, live_shortly, w) != 0) fail(w, "no thread: %s", strerror(errno));
    pthread_attr_destroy(&attributes);
    pthread_join(thread, NULL);
}

static void *call_until_cancelled(void *data) {
    worker *const w = data;
    this_worker = w;
    for (;;) {
        plain_functions(w, FINE);
        (void)TRY(w, FINE | GONE, context_synchronize, (atomic_load(&shared[SHARED / 2])));
        pthread_testcancel();
    }
    return NULL;
}

/* A thread is cancelled in a call: it ends behind the call, and leaves no context BUSY. */
static void cancelled_thread(worker *w) {
    pthread_t thread;
    void *result = NULL;
    if (pthread_create(&thread, NULL, call_until_cancelled, w) != 0) fail(w, "no thread: %s", strerror(errno));
    nap_us((long)below(w, 3000));
    pthread_cancel(thread);
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED) fail(w, "a cancelled thread returned");
}

#endif
