static int32_t allocate(void *user, size_t bytes, void *stream, void **memory) {
    (void)user, (void)stream;
    return posix_memalign(memory, 512, bytes);
}
static void release(void *user, void *memory, size_t bytes, void *stream) {
    (void)user, (void)bytes, (void)stream;
    free(memory);
}
static void log_line(void *user, int32_t level, const char *message) { (void)user, (void)level, (void)message; }
static int32_t write_text(void *user, const char *text, size_t length) { return (void)user, (void)text, (void)length, 0; }
static int32_t progress(void *user, uint64_t done, uint64_t total) { return (void)user, (void)done, (void)total, 0; }
static int32_t exchange(void *user, const gpumex_message *messages, size_t count) {
    (void)user, (void)messages, (void)count;
    return 0;
}
static int32_t allgather(void *user, const void *own, void *all, size_t bytes) {
    (void)user, (void)own, (void)all, (void)bytes;
    return 0;
}
