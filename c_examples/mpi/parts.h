/* parts.h - files of which each rank reads and writes its part, at plain offsets. */
#ifndef GPUMEX_EXAMPLES_PARTS_H
#define GPUMEX_EXAMPLES_PARTS_H

#include "../files.h"
#include "ranks.h"

/* A part of a file as an array. The system reads its pages when somebody needs them and may drop them again: a part may be larger
 * than memory. The library takes such an array like any other of the host. */
typedef struct file_part {
    void *pages; /* NULL: none */
    size_t mapped;
    const uint8_t *bytes;
    size_t len;
} file_part;

static inline size_t size_of(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) fail_at(path);
    if (!S_ISREG(about.st_mode)) {
        fprintf(stderr, "%s: only a file is read in parts\n", path);
        exit(1);
    }
    return (size_t)about.st_size;
}

/* `len` bytes of a file from an offset on, or the end of the program. The file has to stay as long as it is. */
static inline file_part open_part(const char *path, size_t from, size_t len) {
    const size_t before = from % (size_t)sysconf(_SC_PAGESIZE);
    file_part part = {NULL, 0, NULL, len};
    if (len == 0) return part;
    const int file = open(path, O_RDONLY);
    if (file < 0) fail_at(path);
    part.mapped = len + before;
    part.pages = mmap(NULL, part.mapped, PROT_READ, MAP_SHARED, file, (off_t)(from - before));
    if (part.pages == MAP_FAILED) fail_at(path);
    posix_madvise(part.pages, part.mapped, POSIX_MADV_SEQUENTIAL); /* the system reads ahead */
    close(file);
    part.bytes = (const uint8_t *)part.pages + before;
    return part;
}

static inline void close_part(file_part part) {
    if (part.pages != NULL) munmap(part.pages, part.mapped);
}

/* A file of so many bytes, of which each rank writes its part; every rank calls it. Bytes are written, not pages, so that parts of
 * ranks on other machines may begin amid a page. */
static inline void write_part(const ranks *r, const char *path, size_t size, size_t from, const void *bytes, size_t len) {
    if (r->rank == 0) {
        const int created = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (created < 0 || ftruncate(created, (off_t)size) != 0) fail_at(path);
        close(created);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const int file = open(path, O_WRONLY);
    if (file < 0) fail_at(path);
    for (size_t done = 0; done < len;) {
        const ssize_t now = pwrite(file, (const uint8_t *)bytes + done, len - done, (off_t)(from + done));
        if (now <= 0) fail_at(path);
        done += (size_t)now;
    }
    if (close(file) != 0) fail_at(path);
    MPI_Barrier(MPI_COMM_WORLD);
}

#endif
