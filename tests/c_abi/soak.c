/* soak.c - many threads use the library at once, in every way that its header allows, for as long as one likes.
 *
 *   soak [--library PATH] [--backend cpu|cuda] [--time SECONDS] [--threads N] [--seed S] [--limit SECONDS] [--sanitizer]
 *        [--shared-device]
 *
 * The library is opened by its path, or as libgpumex.so.0.2; with OPERATIONS_LINKED it is part of the program. Each thread plays one
 * scenario after the other (the table `scenarios`, the files of soak/): own contexts, shared ones that answer BUSY or wait and are
 * destroyed meanwhile, events, the default context and its reset, memory that outlives its context, callbacks that call the library,
 * take long and cancel, communicators of ranks of which one fails, signals, forks, threads that are cancelled, processes that load and unload the library.
 *
 * It ends with 1 when a call gives a status that its situation does not allow, or another result than the same call at the start, on one
 * thread; when a thread is in one call for longer than --limit (20 s); and when memory, threads, file descriptors or blocks of an
 * allocator are not as at the end of the warm-up, a quarter of the time. For these counts all threads stop between two calls, idle
 * memory is given back, and then:
 *   file descriptors            the same number
 *   threads                     the same number, or a few more, of a pool of the CPU backend that starts when many calls meet
 *   blocks of each context      the same number
 *   resident memory             at most 4 MiB and 3 % more; on CUDA at most 64 MiB of the device's memory more
 * --sanitizer leaves resident memory out, --shared-device that of the device, which is read for all processes together. */
#define _GNU_SOURCE
#include "soak/processes.h"
#include "soak/ranks.h"

#include <dirent.h>
#include <malloc.h>

typedef struct scenario {
    const char *name;
    void (*run)(worker *);
    int weight;
} scenario;

static const scenario scenarios[] = {
    {"own context", own, 60},
    {"shared, BUSY", shared_busy, 30},
    {"shared, waits", shared_wait, 30},
    {"replaced context", replace_context, 8},
    {"events", use_events, 30},
    {"default context", default_context, 20},
    {"memory that outlives", leave_memory, 16},
    {"settings", settings, 2},
    {"progress", watch, 8},
    {"own allocator", own_allocator, 8},
    {"built-in allocators", built_in_allocators, 8},
    {"text", print, 8},
    {"log", set_log, 4},
    {"communicators", use_ranks, 16},
    {"fork", fork_now, 2},
#ifndef OPERATIONS_LINKED
    {"load and unload", load_and_unload, 1},
#endif
    {"short thread", short_thread, 8},
    {"cancelled thread", cancelled_thread, 4},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios, MOST_THREADS = 1024, LATE_THREADS = 8 };

static const char *names[SCENARIOS + 1];
static worker *workers;
static int threads = 64;
static double seconds = 60;
static int limit_s = 20;
static int has_sanitizer, is_device_shared;
static worker monitor = {.number = -1, .scenario = SCENARIOS};

static atomic_int is_over, pauses;

/* ---- the threads ----------------------------------------------------------------------------------------------------------------- */

static const scenario *draw_scenario(worker *w) {
    int total = 0;
    for (int i = 0; i < SCENARIOS; ++i) total += scenarios[i].weight;
    int left = (int)below(w, (size_t)total);
    for (w->scenario = 0; (left -= scenarios[w->scenario].weight) >= 0;) ++w->scenario;
    return &scenarios[w->scenario];
}

static void *work(void *data) {
    worker *const w = data;
    this_worker = w;
    make_arrays(w);
    fill_inputs(w, inputs[0].dtype, inputs[0].n);
    while (!atomic_load(&is_over)) {
        if (atomic_load(&pauses)) {
            atomic_store(&w->is_paused, 1);
            while (atomic_load(&pauses)) nap_us(1000);
            atomic_store(&w->is_paused, 0);
        }
        draw_scenario(w)->run(w);
    }
    free_arrays(w);
    return NULL;
}

static atomic_long signals_taken;

static void take_signal(int number) {
    (void)number;
    atomic_fetch_add(&signals_taken, 1);
}

/* An interval timer whose signal goes to a thread that is in a call, each millisecond. */
static void *send_signals(void *unused) {
    worker w = {.random = 99};
    (void)unused;
    while (!atomic_load(&is_over)) {
        worker *const target = &workers[below(&w, (size_t)threads)];
        if (atomic_load(&target->call) != NULL) pthread_kill(target->thread, SIGUSR1);
        nap_us(1000);
    }
    return NULL;
}

/* A thread that is in one call for too long ends the program. */
static void watch_calls(void) {
    for (int i = 0; i < threads; ++i) {
        const int64_t since = atomic_load(&workers[i].since_ms);
        const char *const call = atomic_load(&workers[i].call);
        if (call == NULL || since == 0 || now_ms() - since < 1000 * (int64_t)limit_s) continue;
        for (int k = 0; k < threads; ++k) {
            const char *const other = atomic_load(&workers[k].call);
            const int64_t start = atomic_load(&workers[k].since_ms);
            fprintf(stderr, "thread %d, %s: %s for %lld ms\n", k, names[workers[k].scenario], other == NULL ? "in no call" : other,
                    other == NULL ? 0LL : (long long)(now_ms() - start));
        }
        fail(&workers[i], "%s does not return within %d s", call, limit_s);
    }
}

/* ---- what has to stay the same --------------------------------------------------------------------------------------------------------- */

typedef struct held {
    long rss_kib, threads, files, blocks, device_kib;
} held;

static long entries(const char *folder) {
    long count = 0;
    DIR *const directory = opendir(folder);
    if (directory == NULL) return -1;
    while (readdir(directory) != NULL) ++count;
    closedir(directory);
    return count - 2; /* . and .. */
}

static long resident_kib(void) {
    long pages = 0, resident = 0;
    FILE *const statm = fopen("/proc/self/statm", "r");
    if (statm == NULL || fscanf(statm, "%ld %ld", &pages, &resident) != 2) fail(NULL, "/proc/self/statm cannot be read");
    fclose(statm);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The least of several looks: a thread that was joined may be listed for a moment. */
static long threads_now(void) {
    long least = LONG_MAX;
    for (int i = 0; i < 20; ++i) {
        const long now = entries("/proc/self/task");
        if (now < least) least = now;
        nap_us(2000);
    }
    return least;
}

static void free_orphans(void) {
    for (int i = 0; i < ORPHANS; ++i) {
        void *const memory = atomic_exchange(&orphans[i], NULL);
        if (memory != NULL) (void)TRY(&monitor, FINE, free, (memory));
    }
}

/* Stops all threads between two scenarios, counts, and lets them go on. */
static held count_held(void) {
    held h = {0};
    gpumex_allocator_stats stats = GPUMEX_ALLOCATOR_STATS_INIT;
    gpumex_device_info info = GPUMEX_DEVICE_INFO_INIT;
    atomic_store(&pauses, 1);
    for (int i = 0; i < threads; ++i) {
        while (!atomic_load(&workers[i].is_paused)) watch_calls(), nap_us(1000);
    }
    free_orphans();
    for (int i = 0; i < threads; ++i) {
        gpumex_context *const ctx = workers[i].arrays.ctx;
        (void)TRY(&monitor, FINE, allocator_trim, (ctx));
        (void)TRY(&monitor, FINE, allocator_get_stats, (ctx, &stats));
        h.blocks += (long)stats.allocated_blocks;
        if (stats.cached != 0) fail(NULL, "a trimmed context keeps %llu bytes", (unsigned long long)stats.cached);
    }
    for (int i = 0; i < SHARED; ++i) (void)TRY(&monitor, FINE, allocator_trim, (atomic_load(&shared[i])));
    if (backend == GPUMEX_BACKEND_CUDA) (void)TRY(&monitor, FINE, context_device_info, (workers[0].arrays.ctx, &info));
    h.device_kib = (long)((info.total_memory - info.free_memory) >> 10);
    malloc_trim(0);
    h.rss_kib = resident_kib(), h.threads = threads_now(), h.files = entries("/proc/self/fd");
    atomic_store(&pauses, 0);
    return h;
}

static void compare_held(const held *before, const held *now) {
    const long most_rss = before->rss_kib + before->rss_kib * 3 / 100 + 4096;
    const long more_threads = now->threads - before->threads;
    if (more_threads < 0 || more_threads > LATE_THREADS) fail(NULL, "%ld threads, %ld after the warm-up", now->threads, before->threads);
    if (now->files != before->files) fail(NULL, "%ld file descriptors, %ld after the warm-up", now->files, before->files);
    if (now->blocks != before->blocks) fail(NULL, "%ld blocks, %ld after the warm-up", now->blocks, before->blocks);
    if (now->rss_kib > most_rss && !has_sanitizer) fail(NULL, "%ld KiB resident, %ld after the warm-up", now->rss_kib, before->rss_kib);
    if (now->device_kib > before->device_kib + (64 << 10) && !is_device_shared) {
        fail(NULL, "%ld KiB of the device, %ld after the warm-up", now->device_kib, before->device_kib);
    }
}

/* ---- the start ------------------------------------------------------------------------------------------------------------------------- */

/* Each operation on each input, on one thread, three times with other numbers of threads: what the others compare with. */
static void compute_references(worker *w) {
    int compared = 0, not_compared = 0;
    printf("left out of the comparison, since they differ from time to time:");
    for (size_t i = 0; i < INPUTS; ++i) {
        fill_inputs(w, inputs[i].dtype, inputs[i].n);
        for (size_t o = 0; o < operation_count; ++o) {
            wanted *const want = &references[i][o];
            want->is_compared = 1;
            for (int round = 0; round < 4; ++round) {
                uint64_t result;
                (void)TRY(w, FINE, context_set_threads, (w->arrays.ctx, 3 - round));
                const int32_t status = run_operation(w, &operations[o], FINE, &result);
                if (round > 0 && status != want->status) fail(w, "%s gives %d, and then %d", operations[o].label, (int)want->status, (int)status);
                if (round > 0 && result != want->hash) want->is_compared = 0;
                want->status = status, want->hash = result;
            }
            compared += want->is_compared && want->status == 0, not_compared += !want->is_compared;
            if (!want->is_compared) printf(" %s (dtype %d)", operations[o].label, (int)inputs[i].dtype);
        }
    }
    printf("%s\n%d calls are compared\n", not_compared == 0 ? " none" : "", compared);
    if (compared < 100) fail(w, "too few calls can be compared");
}

static void set_up(uint64_t seed) {
    monitor.random = seed;
#ifndef OPERATIONS_LINKED
    library_handle = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    if (library_handle == NULL) fail(NULL, "%s", dlerror());
#endif
    monitor.arrays.handle = library_handle;
    (void)TRY(&monitor, FINE, configure, ("backend", backend == GPUMEX_BACKEND_CUDA ? "cuda" : "cpu"));
    (void)TRY(&monitor, FINE, configure, ("log", "error"));
    set_log(&monitor);
    make_arrays(&monitor);
    compute_references(&monitor);
    for (size_t i = 0; i < SHARED; ++i) atomic_store(&shared[i], make_context(&monitor, policy_of(i)));
    for (int i = 0; i < EVENTS; ++i) {
        gpumex_event *event = NULL;
        (void)TRY(&monitor, FINE, event_create, (monitor.arrays.ctx, &event));
        atomic_store(&shared_events[i], event);
    }
    sem_init(&processes, 0, 2);
    struct sigaction action = {.sa_handler = take_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    workers = calloc((size_t)threads, sizeof *workers);
    for (int i = 0; i < threads; ++i) {
        workers[i].number = i, workers[i].random = seed * 1000 + (uint64_t)i;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) fail(NULL, "thread %d cannot be started", i);
    }
}

/* ---- the end --------------------------------------------------------------------------------------------------------------------------- */

static long count(int s, int status) {
    long sum = s < SCENARIOS ? 0 : monitor.counts[s][status];
    for (int i = 0; i < threads; ++i) sum += atomic_load(&workers[i].counts[s][status]);
    return sum;
}

static long all_calls(void) {
    long sum = 0;
    for (int s = 0; s < SCENARIOS; ++s) {
        for (int status = 0; status < STATUSES; ++status) sum += count(s, status);
    }
    return sum;
}

static void print_table(void) {
    static const int shown[] = {GPUMEX_STATUS_OK, GPUMEX_STATUS_BUSY, GPUMEX_STATUS_INVALID_ARGUMENT, GPUMEX_STATUS_CANCELLED,
                                GPUMEX_STATUS_OUT_OF_MEMORY, GPUMEX_STATUS_UNSUPPORTED, GPUMEX_STATUS_PEER, GPUMEX_STATUS_TIMEOUT};
    static const char *const titles[] = {"OK", "BUSY", "INVALID", "CANCELLED", "NO MEMORY", "UNSUPPORTED", "PEER", "TIMEOUT"};
    printf("%-22s", "calls by status");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i) printf("%12s", titles[i]);
    putchar('\n');
    for (int s = 0; s < SCENARIOS; ++s) {
        printf("%-22s", names[s]);
        for (size_t i = 0; i < sizeof shown / sizeof *shown; ++i) printf("%12ld", count(s, shown[i]));
        putchar('\n');
        if (count(s, 0) + count(s, GPUMEX_STATUS_BUSY) + count(s, GPUMEX_STATUS_CANCELLED) == 0) fail(NULL, "no call of: %s", names[s]);
    }
}

static void print_line(double at, const held *h) {
    printf("%6.0f s: %ld calls, %ld KiB resident, %ld threads, %ld files, %ld blocks, %ld KiB of the device, %ld signals, %ld lines of the log\n", at,
           all_calls(), h->rss_kib, h->threads, h->files, h->blocks, h->device_kib, atomic_load(&signals_taken), atomic_load(&log_lines));
    fflush(stdout);
}

/* Lets the threads work, and counts what is held: at the end of the warm-up, each minute and at the end. */
static void soak(void) {
    const int64_t start = now_ms();
    const double warm = seconds / 4;
    double next = warm;
    held before = {0};
    for (int looks = 0; next <= seconds; ++looks) {
        while ((double)(now_ms() - start) < 1000 * next) watch_calls(), nap_us(100000);
        const held now = count_held();
        print_line((double)(now_ms() - start) / 1000, &now);
        if (looks == 0) before = now;
        compare_held(&before, &now);
        if (next == seconds) return;
        next = next + 60 < seconds ? next + 60 : seconds;
    }
}

static void finish(pthread_t signals) {
    atomic_store(&is_over, 1);
    for (int i = 0; i < threads; ++i) pthread_join(workers[i].thread, NULL);
    pthread_join(signals, NULL);
    free_orphans();
    for (int i = 0; i < EVENTS; ++i) (void)TRY(&monitor, FINE, event_destroy, (atomic_load(&shared_events[i])));
    for (int i = 0; i < SHARED; ++i) (void)TRY(&monitor, FINE, context_destroy, (atomic_load(&shared[i])));
    free_arrays(&monitor);
    print_table();
    printf("%ld calls, %ld signals, %ld lines of the log: nothing found\n", all_calls(), atomic_load(&signals_taken), atomic_load(&log_lines));
}

static int read_arguments(int argc, char **argv, uint64_t *seed) {
    for (int i = 1; i < argc; ++i) {
        const char *const name = argv[i], *const value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--sanitizer") == 0) {
            has_sanitizer = 1;
            continue;
        }
        if (strcmp(name, "--shared-device") == 0) {
            is_device_shared = 1;
            continue;
        }
        if (value == NULL) return 0;
        ++i;
        if (strcmp(name, "--library") == 0) library_path = value;
        else if (strcmp(name, "--backend") == 0) backend = strcmp(value, "cuda") == 0 ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU;
        else if (strcmp(name, "--time") == 0) seconds = strtod(value, NULL);
        else if (strcmp(name, "--threads") == 0) threads = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--seed") == 0) *seed = strtoull(value, NULL, 10);
        else if (strcmp(name, "--limit") == 0) limit_s = (int)strtol(value, NULL, 10), child_limit_s = 3 * limit_s;
        else return 0;
    }
    return threads >= 1 && threads <= MOST_THREADS && seconds > 0 && limit_s > 0;
}

int main(int argc, char **argv) {
    uint64_t seed = (uint64_t)time(NULL);
    pthread_t signals;
    if (argc == 4 && strcmp(argv[1], "--reload") == 0) {
        library_path = argv[2];
        backend = strcmp(argv[3], "cuda") == 0 ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU;
        return reload();
    }
    if (!read_arguments(argc, argv, &seed)) {
        return fprintf(stderr, "usage: soak [--library PATH] [--backend cpu|cuda] [--time SECONDS] [--threads N] [--seed S] [--limit SECONDS]\n"), 2;
    }
    for (int i = 0; i < SCENARIOS; ++i) names[i] = scenarios[i].name;
    names[SCENARIOS] = "monitor";
    scenario_names = names;
    printf("soak: %d threads, %g s, seed %llu\n", threads, seconds, (unsigned long long)seed);
    set_up(seed);
    if (pthread_create(&signals, NULL, send_signals, NULL) != 0) fail(NULL, "the signal thread cannot be started");
    soak();
    finish(signals);
    return 0;
}
