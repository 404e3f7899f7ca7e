#define _GNU_SOURCE
#include <gpumex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A copy of the bytes that ends at (or begins behind) a protected page. */
static void *place(const void *from, size_t bytes, int high, size_t skew) {
    size_t room = (bytes + skew + 64 + 4095) / 4096 * 4096;
    char *base = mmap(NULL, room + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *at = high ? base + 4096 + room - bytes - skew : base + 4096 + skew;
    if (base == MAP_FAILED || mprotect(base + 4096, room, PROT_READ | PROT_WRITE) != 0) exit(2);
    memset(base + 4096, 0xc5, room);
    if (bytes > 0) memcpy(at, from, bytes);
    return at;
}
