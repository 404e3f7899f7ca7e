/* files.h - the bytes of a file without a copy of it. */
#ifndef GPUMEX_EXAMPLES_FILES_H
#define GPUMEX_EXAMPLES_FILES_H

#include "common.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of a file: a regular one is mapped, so that it may be larger than memory; a pipe is read whole. */
typedef struct mapped {
    const uint8_t *bytes; /* NULL where there are none */
    size_t len;
    int is_mapped;
} mapped;

/* Ends the program with what the system says of a file. */
static inline void fail_at(const char *path) {
    perror(path);
    exit(1);
}

/* A file to read, and whether it has a length: pipes have none. "-" is the standard input. */
static inline int open_to_read(const char *path, int *has_length) {
    struct stat about;
    const int file = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY);
    if (file < 0 || fstat(file, &about) != 0) fail_at(path);
    *has_length = S_ISREG(about.st_mode) && about.st_size > 0;
    return file;
}

/* Reads until `room` bytes are there or the file ends; how many there are. */
static inline size_t read_piece(const char *path, int file, uint8_t *bytes, size_t room) {
    size_t len = 0;
    for (ssize_t now = 1; len < room && now > 0; len += (size_t)now) {
        now = read(file, bytes + len, room - len);
        if (now < 0) fail_at(path);
    }
    return len;
}

/* All bytes of a pipe, in pieces that double. */
static inline mapped read_pipe(const char *path, int file) {
    size_t room = 1 << 20, len = 0;
    uint8_t *bytes = (uint8_t *)allocate(room);
    while ((len += read_piece(path, file, bytes + len, room - len)) == room) {
        uint8_t *const more = (uint8_t *)realloc(bytes, room *= 2);
        if (more == NULL) fail_at(path);
        bytes = more;
    }
    const mapped all = {bytes, len, 0};
    return all;
}

/* The bytes of a file, until close_file; or the end of the program. */
static inline mapped open_file(const char *path) {
    struct stat about;
    int has_length;
    const int file = open_to_read(path, &has_length);
    mapped all = {NULL, 0, 1};
    if (!has_length) {
        all = read_pipe(path, file);
    } else {
        if (fstat(file, &about) != 0) fail_at(path);
        void *const bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes == MAP_FAILED) fail_at(path);
        posix_madvise(bytes, (size_t)about.st_size, POSIX_MADV_SEQUENTIAL); /* the system reads ahead */
        all.bytes = (const uint8_t *)bytes, all.len = (size_t)about.st_size;
    }
    close(file);
    return all;
}

static inline void close_file(mapped file) {
    if (file.is_mapped) munmap((void *)file.bytes, file.len);
    else free((void *)file.bytes);
}

#endif
