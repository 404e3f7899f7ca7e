/* driver.c BACKEND REASON LINES - a machine whose CUDA driver is missing or unusable:
 *
 *   BACKEND   what GPUMEX_BACKEND says: cuda, or auto where it is not set
 *   REASON    what the sentence has where CUDA was asked for by name
 *   LINES     how many lines of the log tell of one context: 1 at GPUMEX_LOG=info, 0 by default
 *
 * AUTO comes to the CPU and tells why; CUDA by name is an error that tells why; CPU contexts work before and after. */
#include "check.h"

static int lines;
static char last_line[512];

static void listen(void *user, int32_t level, const char *message) {
    EXPECT(user == &lines);
    if (level == GPUMEX_LOG_LEVEL_ERROR) { /* a refusal, which the caller has as last_error */
        EXPECT(strcmp(message, gpumex_last_error()) != 0 || message[0] != '\0');
        return;
    }
    EXPECT(level == GPUMEX_LOG_LEVEL_INFO);
    EXPECT(strlen(message) < sizeof last_line && strchr(message, '\n') == NULL);
    strcpy(last_line, message);
    lines++;
}

/* A context, and whether the log told of it. */
static gpumex_context *create(int32_t backend, int told) {
    lines = 0;
    gpumex_context *ctx = gpumex_context_create(backend, -1);
    EXPECT(lines == (ctx != NULL ? told : 0));
    return ctx;
}

static void cuda_is_refused(int32_t backend, const char *reason) {
    EXPECT(create(backend, 0) == NULL);
    EXPECT(strncmp(gpumex_last_error(), "gpumex_context_create: ", 23) == 0);
    EXPECT(strstr(gpumex_last_error(), reason) != NULL);
}

int main(int argc, char **argv) {
    const uint8_t data[3] = {7, 9, 7};
    uint64_t counts[256];
    int32_t backend = 0;
    EXPECT(argc == 4);
    const char *reason = argv[2];
    const int told = atoi(argv[3]);
    OK(gpumex_set_log_callback(listen, &lines));

    gpumex_context *cpu = create(GPUMEX_BACKEND_CPU, told);
    EXPECT(cpu != NULL && life_works(cpu));
    cuda_is_refused(GPUMEX_BACKEND_CUDA, reason);
    cuda_is_refused(GPUMEX_BACKEND_CUDA, reason); /* the second time as the first */
    EXPECT(life_works(cpu));

    memset(counts, 0xA5, sizeof counts);
    if (strcmp(argv[1], "cuda") == 0) {
        cuda_is_refused(GPUMEX_BACKEND_AUTO, reason); /* AUTO is what the setting says */
        EXPECT(gpumex_context_default() == NULL);
        EXPECT(histogram(data, sizeof data, counts) == GPUMEX_STATUS_NO_DEVICE);
        EXPECT(strncmp(gpumex_last_error(), "histogram: ", 11) == 0 && strstr(gpumex_last_error(), reason) != NULL);
        for (int v = 0; v < 256; v++) EXPECT(counts[v] == UINT64_C(0xA5A5A5A5A5A5A5A5));
    } else {
        gpumex_context *automatic = create(GPUMEX_BACKEND_AUTO, told);
        EXPECT(automatic != NULL);
        EXPECT(!told || (strncmp(last_line, "CPU backend: ", 13) == 0 && strstr(last_line, reason) != NULL));
        OK(gpumex_context_backend(automatic, &backend));
        EXPECT(backend == GPUMEX_BACKEND_CPU && life_works(automatic));
        OK(gpumex_context_destroy(automatic));
        lines = 0;
        OK(histogram(data, sizeof data, counts)); /* makes the default context */
        EXPECT(counts[7] == 2 && counts[9] == 1 && lines == told);
    }
    EXPECT(life_works(cpu));
    OK(gpumex_context_destroy(cpu));

    /* Without a callback the line goes to stderr: the caller of this program reads it. */
    OK(gpumex_set_log_callback(NULL, NULL));
    cpu = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    EXPECT(cpu != NULL);
    OK(gpumex_context_destroy(cpu));
    puts("done");
    return 0;
}
