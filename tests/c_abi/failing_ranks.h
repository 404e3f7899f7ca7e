/* failing_ranks.h - the calls of failing_ranks.c: ranks on devices of the stand-in, their communicators, and a call of each way by which
 * parts cross. */
#ifndef FAILING_RANKS_H
#define FAILING_RANKS_H

#include "gpumex.h"
#include "stand_in_driver.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RANKS = 3, ID_BYTES = 128, BLOCK = 1 << 16, ARRAY = 1 << 18 };

/* How the ranks are connected: gpumex_comm_create_local, _nccl, and gpumex_comm_create with NCCL for memory of devices. */
enum transport { LOCAL, NCCL, CALLBACKS };

typedef struct rank {
    int rank, device;
    gpumex_context *ctx;
    gpumex_comm *comm;
    char *block; /* BLOCK bytes of its device, which are the host's: half of them input, half output */
    int32_t status;
    char text[512]; /* of the error */
} rank;

typedef struct path {
    const char *label;
    enum transport transport;
    int ranks, halo;
    int32_t (*run)(rank *);
    int has_bits; /* whether the launchers of comm_kernels.c compute its result, which `out` and the blocks have */
} path;

static rank all[MOST_RANKS];
static int ranks;
static char in[MOST_RANKS][ARRAY], out[MOST_RANKS][ARRAY]; /* the parts of the ranks */

/* ---- functions that connect ranks ---------------------------------------------------------------------------------------------- */

/* A message of each rank to each other one, and how many were taken. */
static struct hub {
    pthread_mutex_t lock;
    int is_broken; /* a rank has failed: nobody waits for it */
    struct { const void *bytes; size_t size; } sent[MOST_RANKS][MOST_RANKS];
} hub = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void pause_of_ms(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

/* Waits until a message is there, or is not; 0, or why not. */
static int32_t until(int from, int to, int is_there) {
    for (;;) {
        pthread_mutex_lock(&hub.lock);
        const int is = hub.sent[from][to].bytes != NULL, is_broken = hub.is_broken;
        pthread_mutex_unlock(&hub.lock);
        if (is == is_there) return 0;
        const int32_t status = is_broken ? -1 : gpumex_comm_poll();
        if (status != 0) return status;
        pause_of_ms();
    }
}

static void put(int from, int to, const void *bytes, size_t size) {
    pthread_mutex_lock(&hub.lock);
    hub.sent[from][to].bytes = bytes, hub.sent[from][to].size = size;
    pthread_mutex_unlock(&hub.lock);
}

static int32_t get(int from, int to, void *bytes, size_t size) {
    const int32_t status = until(from, to, 1);
    if (status != 0) return status;
    pthread_mutex_lock(&hub.lock);
    const int is_right = hub.sent[from][to].size == size;
    if (is_right) memcpy(bytes, hub.sent[from][to].bytes, size);
    hub.sent[from][to].bytes = NULL;
    pthread_mutex_unlock(&hub.lock);
    return is_right ? 0 : -1;
}

/* Behind an error the messages of a rank are gone. */
static int32_t withdrawn(int from, int32_t status) {
    for (int to = 0; to < ranks && status != 0; ++to) put(from, to, NULL, 0);
    return status;
}

static int32_t exchange(void *user, const struct gpumex_message *messages, size_t count) {
    const int own = ((rank *)user)->rank;
    int32_t status = 0;
    for (size_t i = 0; i < count; ++i) {
        if (messages[i].send_bytes > 0) put(own, messages[i].peer, messages[i].send, messages[i].send_bytes);
    }
    for (size_t i = 0; i < count && status == 0; ++i) {
        if (messages[i].recv_bytes > 0) status = get(messages[i].peer, own, messages[i].recv, messages[i].recv_bytes);
    }
    for (size_t i = 0; i < count && status == 0; ++i) status = until(own, messages[i].peer, 0);
    return withdrawn(own, status);
}

static int32_t allgather(void *user, const void *send, void *received, size_t bytes) {
    const int own = ((rank *)user)->rank;
    int32_t status = 0;
    for (int to = 0; to < ranks; ++to) put(own, to, send, bytes);
    for (int from = 0; from < ranks && status == 0; ++from) status = get(from, own, (char *)received + (size_t)from * bytes, bytes);
    for (int to = 0; to < ranks && status == 0; ++to) status = until(own, to, 0);
    return withdrawn(own, status);
}

/* ---- steps --------------------------------------------------------------------------------------------------------------------- */

static const path *taken; /* of the case */
static char id[ID_BYTES];
static int32_t (*work)(rank *);

static void noted(rank *r, int32_t status) {
    r->status = status;
    snprintf(r->text, sizeof r->text, "%s", status == 0 ? "" : gpumex_last_error());
    pthread_mutex_lock(&hub.lock);
    hub.is_broken |= status != 0 && r->comm == NULL;
    pthread_mutex_unlock(&hub.lock);
}

static void *serve(void *argument) {
    rank *const r = argument;
    stand_in_count_as(1 + r->rank, r->device);
    noted(r, work(r));
    return NULL;
}

/* Every rank does something at once, on a thread of its own. */
static void on_all(int32_t (*body)(rank *)) {
    pthread_t threads[MOST_RANKS];
    work = body;
    for (int i = 0; i < ranks; ++i) {
        if (pthread_create(&threads[i], NULL, serve, &all[i]) != 0) exit(2);
    }
    for (int i = 0; i < ranks; ++i) pthread_join(threads[i], NULL);
}

/* Contexts on all devices but one, -1: on all, with a block of memory each. */
static int32_t open_contexts(int but) {
    int32_t status = 0;
    ranks = 0;
    for (int device = 0; device < taken->ranks; ++device) {
        if (device == but) continue;
        rank *const r = &all[ranks];
        *r = (rank){.rank = ranks++, .device = device, .ctx = gpumex_context_create(GPUMEX_BACKEND_CUDA, device)};
        if (r->ctx == NULL) return gpumex_last_status();
        void *block = NULL;
        status = gpumex_malloc(r->ctx, GPUMEX_MEMORY_KIND_DEVICE, BLOCK, &block);
        if (status != 0) return status;
        r->block = block;
    }
    return 0;
}

static gpumex_comm_options *options(void) {
    static gpumex_comm_options chosen;
    chosen = (gpumex_comm_options){.size = sizeof chosen, .timeout_ms = taken->transport == LOCAL ? 20000 : 500, .life_halo = taken->halo};
    return &chosen;
}

static int32_t create(rank *r) {
    gpumex_comm_options chosen = *options();
    if (taken->transport == NCCL) return gpumex_comm_create_nccl(r->ctx, &chosen, id, r->rank, ranks, &r->comm);
    return gpumex_comm_create(r->ctx, &chosen, r->rank, ranks, exchange, allgather, r, &r->comm);
}

/* Communicators of all ranks; the status of what is done for all of them at once is that of the first one. */
static void open_comms(void) {
    gpumex_context *contexts[MOST_RANKS];
    gpumex_comm *comms[MOST_RANKS] = {NULL};
    memset(hub.sent, 0, sizeof hub.sent);
    hub.is_broken = 0;
    int32_t status = 0;
    for (int i = 0; i < ranks; ++i) contexts[i] = all[i].ctx, all[i].comm = NULL, all[i].status = 0, all[i].text[0] = 0;
    if (taken->transport == LOCAL) status = gpumex_comm_create_local(contexts, (size_t)ranks, options(), comms);
    if (taken->transport == NCCL) status = gpumex_comm_unique_id(id, sizeof id);
    if (status != 0) {
        for (int i = 0; i < ranks; ++i) noted(&all[i], status);
        return;
    }
    if (taken->transport != LOCAL) on_all(create);
    else for (int i = 0; i < ranks; ++i) all[i].comm = comms[i];
}

static int32_t call(rank *r) {
    memset(r->block + BLOCK / 2, 0, BLOCK / 2);
    memset(out[r->rank], 0, ARRAY);
    const int32_t status = taken->run(r);
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    if (status != 0 && gpumex_comm_get_info(r->comm, &info) == 0 && !info.alive) hub.is_broken = 1;
    return status;
}

static int is_alive(const rank *r) {
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    return r->comm != NULL && gpumex_comm_get_info(r->comm, &info) == 0 && info.alive;
}

static int32_t destroy(rank *r) { return r->comm == NULL ? 0 : gpumex_comm_destroy(r->comm); }

/* The first failure, if there is one. */
static int32_t close_contexts(void) {
    int32_t status = 0;
    for (int i = 0; i < ranks; ++i) {
        const int32_t freed = gpumex_free(all[i].block), ended = gpumex_context_destroy(all[i].ctx);
        if (status == 0) status = freed != 0 ? freed : ended;
    }
    return status;
}

/* FNV-1a of what a rank has. */
static uint64_t bits_of(const rank *r) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < BLOCK / 2; ++i) hash = (hash ^ (unsigned char)r->block[BLOCK / 2 + i]) * 0x100000001b3u;
    for (size_t i = 0; i < ARRAY; ++i) hash = (hash ^ (unsigned char)out[r->rank][i]) * 0x100000001b3u;
    return hash;
}

#include "failing_paths.h"

#endif
