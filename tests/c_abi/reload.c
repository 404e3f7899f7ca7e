/* reload.c LIBRARY - opened, used and closed fifty times, as a MEX file is by `clear mex`: it stays whole, and its
 * threads do not add up. This program is not linked to the library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t (*histogram_type)(const uint8_t *, size_t, uint64_t *);
typedef const char *(*text_type)(void);

static int threads(void) {
    char line[256];
    int count = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) sscanf(line, "Threads: %d", &count);
    if (file != NULL) fclose(file);
    return count;
}

static void fail(int round, const char *why, const char *text) {
    fprintf(stderr, "round %d: %s %s\n", round, why, text != NULL ? text : "");
    exit(1);
}

int main(int argc, char **argv) {
    const uint8_t data[5] = {7, 9, 7, 7, 255};
    int threads_then = 0;
    if (argc != 2) fail(0, "usage: reload LIBRARY", NULL);
    for (int round = 1; round <= 50; round++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) fail(round, "dlopen:", dlerror());
        histogram_type count;
        text_type version, last_error;
        *(void **)&count = dlsym(library, "histogram");
        *(void **)&version = dlsym(library, "gpumex_version");
        *(void **)&last_error = dlsym(library, "gpumex_last_error");
        if (count == NULL || version == NULL || last_error == NULL) fail(round, "dlsym:", dlerror());

        uint64_t counts[256];
        memset(counts, 0xA5, sizeof counts);
        if (count(data, sizeof data, counts) != 0) fail(round, "histogram:", last_error());
        if (counts[7] != 3 || counts[9] != 1 || counts[255] != 1 || counts[0] != 0) fail(round, "wrong counts", NULL);
        const char *text = version();
        if (dlclose(library) != 0) fail(round, "dlclose:", dlerror());
        if (strchr(text, '.') == NULL) fail(round, "its text is gone", NULL); /* it stays loaded */

        if (round == 1) threads_then = threads();
        if (threads_then < 1 || threads() != threads_then) fail(round, "more threads than after round 1", NULL);
    }
    puts("done");
    return 0;
}
