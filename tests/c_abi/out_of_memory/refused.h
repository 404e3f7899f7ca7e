/* refused.h - malloc and its like as functions of the program, the library's calls included: one allocation of a thread or of all fails,
 * or all from one on. For out_of_memory.c and out_of_memory_calls.c. */
#ifndef GPUMEX_TESTS_REFUSED_H
#define GPUMEX_TESTS_REFUSED_H

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static _Atomic long allocations;          /* so many so far, since refuse */
static _Atomic long first_fault = -1;     /* this one fails; -1: none */
static _Atomic int fails_from_then_on;    /* and all that follow */
static _Atomic int are_marked_alone;      /* of the threads that are marked; else of all */
static _Thread_local int is_marked;
static _Atomic long live_blocks;          /* allocated and not freed */

static int is_refused(void) {
    if (atomic_load(&are_marked_alone) && !is_marked) return 0;
    const long number = atomic_fetch_add(&allocations, 1), fault = atomic_load(&first_fault);
    const int refused = fault >= 0 && (number == fault || (number > fault && atomic_load(&fails_from_then_on)));
    if (refused) errno = ENOMEM;
    return refused;
}

static void *counted(void *block) {
    if (block != NULL) atomic_fetch_add(&live_blocks, 1);
    return block;
}

void *malloc(size_t bytes) { return is_refused() ? NULL : counted(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return is_refused() ? NULL : counted(__libc_calloc(count, bytes)); }
void *memalign(size_t alignment, size_t bytes) { return is_refused() ? NULL : counted(__libc_memalign(alignment, bytes)); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

void *realloc(void *old, size_t bytes) {
    if (is_refused()) return NULL;
    void *const block = __libc_realloc(old, bytes);
    if (old == NULL) return counted(block);
    if (bytes == 0) atomic_fetch_sub(&live_blocks, 1); /* it was freed */
    return block;
}

void free(void *block) {
    if (block != NULL) atomic_fetch_sub(&live_blocks, 1);
    __libc_free(block);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = memalign(alignment, bytes);
    return *memory == NULL ? ENOMEM : 0;
}

static void refuse(long fault, int all) {
    fails_from_then_on = all;
    allocations = 0;
    first_fault = fault;
}

static void refuse_nothing(void) { first_fault = -1; }

#endif
