/* fork.c - a child of fork has none of its parent's threads: the CPU backend works in it all the same, on the parent's
 * contexts, its default one among them, and on new ones, with the parent's memory, and the child ends as usual. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static void use(gpumex_context *ctx) {
    enum { N = 100 };
    static float a[N * N], b[N * N], c[N * N];
    static uint8_t data[1 << 20], image[64 * 64 * 4];
    const float sphere[7] = {1, 1, 1, 8, 0, 0, 0};
    uint64_t counts[256];
    for (int i = 0; i < N * N; i++) a[i] = (float)(i % N == i / N), b[i] = (float)(i % 7), c[i] = 77;
    OK(gpumex_matmul(ctx, NULL, N, N, N, a, b, c));
    EXPECT(memcmp(b, c, sizeof c) == 0); /* times the identity */
    OK(gpumex_histogram(ctx, NULL, data, sizeof data, counts, 256));
    EXPECT(counts[0] == sizeof data);
    OK(gpumex_raytrace(ctx, NULL, sphere, 1, 64, 64, image));
    EXPECT(image[(32 * 64 + 32) * 4] == 255 && image[0] == 0);
    EXPECT(life_works(ctx));
}

static void use_all(gpumex_context *ctx) {
    uint8_t cell = 1;
    gpumex_context *own = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    EXPECT(own != NULL);
    use(own);
    use(ctx);
    use(gpumex_context_default());
    OK(life_shmem(&cell, 1, 1, 1, &cell));
    OK(gpumex_context_destroy(own));
}

/* Forks; the child runs the rest of the program, at most for two minutes, and the parent waits for it. */
static int in_child(void) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        alarm(120);
        return 1;
    }
    EXPECT(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "the child ended with wait status 0x%x (exit %d, signal %d)\n", (unsigned)status,
                WEXITSTATUS(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        exit(1);
    }
    return 0;
}

int main(void) {
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    gpumex_context *parents_default = gpumex_context_default();
    void *memory;
    EXPECT(ctx != NULL && parents_default != NULL);
    OK(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, 1000, &memory));
    use_all(ctx);
    if (in_child()) {
        EXPECT(gpumex_context_default() != parents_default);
        use_all(parents_default);
        OK(gpumex_context_destroy(parents_default));
        OK(gpumex_free(memory));
        use_all(ctx);
        if (in_child()) {
            use_all(ctx); /* a child of the child */
            return 0;
        }
        use_all(ctx);
        OK(gpumex_reset_default());
        use_all(ctx);
        OK(gpumex_context_destroy(ctx)); /* its copy of the parent's */
        return 0;
    }
    EXPECT(gpumex_context_default() == parents_default);
    use_all(ctx);
    OK(gpumex_free(memory));
    OK(gpumex_context_destroy(ctx));
    puts("done");
    return 0;
}
